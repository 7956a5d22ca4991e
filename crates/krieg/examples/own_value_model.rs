//! A value model of your own, used by `marshal`: `cargo run --example own_value_model`.

use cozy_chess::{Board, Color, Piece};
use krieg_players::marshal::value::{ValueContext, ValueFunction};
use krieg_players::marshal::{Marshal, MarshalSettings};
use krieg_players::{GameRunner, GameSettings, PlayerKind, PlayerRegistry};

/// The expected score by material alone.
#[derive(Clone)]
struct Material;

impl ValueFunction for Material {
    fn value(&mut self, board: &Board, player: Color, _context: &ValueContext) -> f64 {
        let points = |color: Color| -> f64 {
            let values = [1.0, 3.0, 3.0, 5.0, 9.0, 0.0];
            let count = |piece| f64::from(board.colored_pieces(color, piece).len());
            Piece::ALL.into_iter().zip(values).map(|(piece, value)| count(piece) * value).sum()
        };
        let lead = points(player) - points(!player);
        1.0 / (1.0 + (-lead / 4.0).exp())
    }

    fn clone_box(&self) -> Box<dyn ValueFunction> {
        Box::new(self.clone())
    }
}

/// `marshal` with that value model.
const MATERIALIST: PlayerKind = PlayerKind {
    name: "materialist",
    about: "marshal that evaluates leaves by material alone",
    parameters: Marshal::KIND.parameters,
    make: |settings| {
        let mut marshal = MarshalSettings::from_parameters(settings)?;
        marshal.value_model = Box::new(Material);
        settings.with_movetime(settings.with_tablebases(Marshal::new(marshal))?)
    },
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = PlayerRegistry::default();
    registry.add(MATERIALIST)?;
    let spec = "materialist(simulations=100,particles=200,tablebases=no)";
    let (mut white, mut black) = (registry.parse(spec)?.make()?, registry.parse("random")?.make()?);
    let settings = GameSettings { draw_after: Some(10), ..GameSettings::default() };
    let game = GameRunner::new(settings, 1).play([&mut *white, &mut *black]);
    println!("The final position: {}", game.umpire().position());
    Ok(())
}
