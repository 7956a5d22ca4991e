//! `Learned` as a player: the callbacks of the game.

use krieg_core::{Observation, Try, Verdict, View};
use krieg_time::Clock;

use super::search::Search;
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
        let search = self.settings.search;
        self.search = match search.simulations {
            0 => None,
            _ => Some(Search::new(search, seat)?),
        };
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        // The memory must be the same if another player chose the try: the tables against a lone
        // king, or a player whose game is explained.
        if observation.tried.is_some() && self.game.view.is_my_turn() {
            self.evaluate();
        }
        self.game.observe(observation);
        self.search.as_mut().map_or(Ok(()), |search| search.observe(observation))
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        self.evaluate();
        let searched = self.search(view, clock);
        Ok(self.decide(view, searched.as_ref()).map_or(Choice::Resign, Choice::Try))
    }

    fn remark(&self) -> Option<String> {
        let remark = &self.game.remark;
        (!remark.is_empty()).then(|| remark.clone())
    }
}
