//! A player that wraps another one and recaptures whenever it can.

use std::sync::atomic::AtomicBool;

use krieg_core::{Color, Move, Observation, Square, Try, Verdict, View};
use krieg_time::Clock;

use crate::{Choice, Player, PlayerError, Seat};

/// Tries to recapture where it has just lost a piece, with the least valuable piece first.
/// Otherwise it plays as the wrapped player, who still receives every observation.
///
/// Many programs play like this. It is for measurements: how well a player predicts strangers.
pub struct AlwaysRecapture {
    player: Box<dyn Player>,
    color: Color,
    lost_on: Option<Square>,
    /// Whether the last try was a recapture, and not the wrapped player's choice.
    is_recapture: bool,
}

impl AlwaysRecapture {
    /// Wraps a player.
    #[must_use]
    pub fn new(player: Box<dyn Player>) -> Self {
        AlwaysRecapture { player, color: Color::White, lost_on: None, is_recapture: false }
    }

    /// The recapture to try next, if one is sensible and was not refused.
    fn recapture(&self, view: &View) -> Option<Move> {
        let lost_on = self.lost_on.filter(|_| !view.can_ask_any())?;
        let recaptures = view.tries().iter().filter(|mv| mv.to == lost_on);
        recaptures.min_by_key(|mv| view.pieces().piece_on(mv.from))
    }
}

impl Player for AlwaysRecapture {
    fn set_opponent(&mut self, opponent: &str) {
        self.player.set_opponent(opponent);
    }

    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.color = seat.color;
        self.lost_on = None;
        self.is_recapture = false;
        self.player.begin(seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        let announcement = &observation.announcement;
        if announcement.verdict == Verdict::Moved {
            let is_loss = announcement.by != self.color;
            self.lost_on = announcement.capture.filter(|_| is_loss).map(|capture| capture.square);
        }
        self.player.observe(observation)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        let recapture = self.recapture(view);
        self.is_recapture = recapture.is_some();
        match recapture {
            Some(mv) => Ok(Try::Move(mv).into()),
            None => self.player.choose(view, clock),
        }
    }

    fn ponder(&mut self, stop: &AtomicBool) {
        self.player.ponder(stop);
    }

    fn accepts_draw(&self) -> bool {
        self.player.accepts_draw()
    }

    fn remark(&self) -> Option<String> {
        match self.is_recapture {
            true => Some("recaptures whenever it can".to_string()),
            false => self.player.remark(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{GameRunner, GameSettings, PlayerSpec};
    use krieg_core::{Position, Setup, Verdict};

    /// The second accepted move: the answer to a capture on d5 by the only piece that can move
    /// there.
    fn answers(black: &str, fen: &str) -> Vec<String> {
        let setup = Setup { start: Position::from_fen(fen).unwrap(), ..Setup::default() };
        let settings = GameSettings { setup, draw_after: Some(2), ..GameSettings::default() };
        let answer = |seed| {
            let [white, black] = ["semi-random", black].map(|name| name.parse::<PlayerSpec>());
            let (mut white, mut black) =
                (white.unwrap().make().unwrap(), black.unwrap().make().unwrap());
            let game = GameRunner::new(settings.clone(), seed).play([&mut *white, &mut *black]);
            let entries = game.record().entries().iter();
            let mut moved = entries.filter(|entry| entry.announcement.verdict == Verdict::Moved);
            moved.nth(1).unwrap().tried.to_string()
        };
        (0..10).map(answer).collect()
    }

    #[test]
    fn a_lost_piece_is_recaptured_with_the_least_valuable_piece() {
        // White's pawn captures on d5, and the queen and a pawn can recapture.
        let fen = "3qk3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1";
        let pimc = "pimc(worlds=4,particles=20,nodes=20,always_recapture=yes)";
        assert_eq!(answers(pimc, fen), vec!["e6d5"; 10]);
    }

    #[test]
    fn without_a_recapture_the_wrapped_player_chooses() {
        let fen = "k7/p7/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let pimc = "pimc(worlds=4,particles=20,nodes=20,always_recapture=yes)";
        assert!(answers(pimc, fen).iter().all(|mv| !mv.ends_with("d5")));
    }
}
