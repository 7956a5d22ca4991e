//! Counts where pieces stand in recorded games.

use cozy_chess::{Color, Piece, Square};
use krieg_belief::Densities;
use krieg_core::Record;

use crate::training_set::for_each_move;

/// The densities of these games. Every position counts the same.
#[must_use]
pub fn learn_densities<'a>(records: impl IntoIterator<Item = &'a Record>) -> Densities {
    let mut counts = vec![[[[0u64; Square::NUM]; Piece::NUM]; Color::NUM]; Densities::STAGES];
    let mut positions = [0u64; Densities::STAGES];
    for record in records {
        for_each_move(record, |replayed| {
            let umpire = replayed.game.umpire();
            let move_number = umpire.view(Color::White).ply() / 2 + 1;
            let stage = Densities::stage(move_number);
            positions[stage] += 1;
            for color in Color::ALL {
                for piece in Piece::ALL {
                    for square in umpire.position().board().colored_pieces(color, piece) {
                        counts[stage][color as usize][piece as usize][square as usize] += 1;
                    }
                }
            }
        });
    }
    Densities::from_frequencies(|stage, color, piece, square| {
        let count = counts[stage][color as usize][piece as usize][square as usize];
        count as f64 / positions[stage].max(1) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    #[test]
    fn squares_where_pieces_stood_are_probable() {
        let mut game = Game::new(Setup::default());
        for mv in ["e2e4", "e7e5", "g1f3", "b8c6"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        let learned = learn_densities([game.record()]);
        let frequency = |color, piece, square| learned.probability(color, 1, piece, square);
        assert!(frequency(Color::White, Piece::Pawn, Square::E4) > 0.99);
        assert!(frequency(Color::Black, Piece::Pawn, Square::E5) > 0.7);
        assert!(frequency(Color::White, Piece::Knight, Square::F3) > 0.4);
        assert!(frequency(Color::White, Piece::Pawn, Square::E2) < 0.01);
    }
}
