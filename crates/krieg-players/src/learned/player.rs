//! `Learned` as a player: the callbacks of the game.

use krieg_core::{Observation, Try, Verdict, View};
use krieg_time::Clock;

use super::{Game, Learned};
use crate::{Choice, Player, PlayerError, Seat};

impl Game {
    fn observe(&mut self, observation: &Observation) {
        let announcement = &observation.announcement;
        let before = *self.view.pieces();
        self.view.observe(observation);
        self.encoder.observe(observation);
        self.king_tracker.observe(observation);
        self.draw_guard.observe(observation, &before, self.view.pieces());
        self.evaluation = None;
        self.remark.clear();
        if announcement.verdict == Verdict::Moved {
            self.announced = (announcement.by != self.view.player()).then_some(*announcement);
            self.refused.clear();
            self.answers = 0;
        } else if announcement.by == self.view.player() {
            self.answers += 1;
            if let (Verdict::Refused, Some(Try::Move(mv))) =
                (announcement.verdict, observation.tried)
            {
                self.refused.push(mv);
            }
        }
    }
}

impl Player for Learned {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.game = Game::new(seat);
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        // The memory must be the same if another player chose the try: the tables against a lone
        // king, or a player whose game is explained.
        if observation.tried.is_some() && self.game.view.is_my_turn() {
            self.evaluate();
        }
        self.game.observe(observation);
        Ok(())
    }

    fn choose(&mut self, view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
        self.evaluate();
        Ok(self.decide(view).map_or(Choice::Resign, Choice::Try))
    }

    fn remark(&self) -> Option<String> {
        let remark = &self.game.remark;
        (!remark.is_empty()).then(|| remark.clone())
    }
}
