//! A player of your own, in a match: `cargo run --example own_player`.

use std::sync::atomic::AtomicBool;

use krieg_arena::{Scoreboard, Tournament, play_games, report};
use krieg_core::{Move, Observation, Piece, Square, Try, Verdict, View};
use krieg_players::{Choice, Parameter, Player, PlayerError, PlayerKind, PlayerRegistry, Seat};
use krieg_time::Clock;

/// Recaptures if it can, and otherwise moves its pawns.
struct Recapturer {
    /// The square on which the opponent has just captured.
    lost_on: Option<Square>,
    /// How much a pawn move is worth, compared with a recapture.
    pawn_value: f64,
}

impl Recapturer {
    const KIND: PlayerKind = PlayerKind {
        name: "recapturer",
        about: "recaptures if it can, and otherwise moves its pawns",
        parameters: &[Parameter::new("pawns", "the value of a pawn move; a recapture is 1", "0.5")],
        make: |settings| {
            let pawn_value = settings.non_negative("pawns")?;
            Ok(Box::new(Recapturer { lost_on: None, pawn_value }))
        },
    };

    fn value(&self, view: &View, mv: Move) -> f64 {
        if Some(mv.to) == self.lost_on {
            return 1.0;
        }
        let is_pawn = view.pieces().piece_on(mv.from) == Some(Piece::Pawn);
        if is_pawn { self.pawn_value } else { 0.0 }
    }
}

impl Player for Recapturer {
    fn begin(&mut self, _seat: &Seat) -> Result<(), PlayerError> {
        self.lost_on = None;
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        let announcement = &observation.announcement;
        if announcement.verdict == Verdict::Moved {
            let is_own = observation.tried.is_some();
            self.lost_on = announcement.capture.filter(|_| !is_own).map(|capture| capture.square);
        }
        Ok(())
    }

    fn choose(&mut self, view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
        if view.can_ask_any() {
            return Ok(Try::Any.into());
        }
        // The view lists the sensible tries; those refused in this turn are no longer among them.
        let tries = view.tries().iter();
        let best = tries.max_by(|&a, &b| self.value(view, a).total_cmp(&self.value(view, b)));
        Ok(best.map_or(Choice::Resign, |mv| Try::Move(mv).into()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = PlayerRegistry::default();
    registry.add(Recapturer::KIND)?;
    let players = vec![registry.parse("recapturer(pawns=0.2)")?, registry.parse("random")?];
    let tournament = Tournament { games_per_pairing: 20, ..Tournament::new(players) };
    let mut scoreboard = Scoreboard::new(&tournament);
    let games: Vec<u64> = tournament.game_numbers().collect();
    play_games(&tournament, &games, 2, &AtomicBool::new(false), |game| {
        scoreboard.add(&game);
        true
    })?;
    print!("{}", report::result_text(&scoreboard));
    Ok(())
}
