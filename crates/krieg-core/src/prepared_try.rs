//! A try that is judged first and applied later.

use thiserror::Error;

use crate::{
    Announcement, Audience, DrawRules, Ending, Position, Ruleset, Try, TryError, Umpire, Verdict,
};

/// A try that an umpire has judged, and that has not changed the game yet.
///
/// [`Umpire::prepare`] makes it and [`Umpire::commit`] applies it, without judging again. Between
/// the two a server can write the try to disk, so that a game in memory never gets ahead of the
/// stored one.
///
/// A prepared try fits only the state of the game that it was judged in. [`Umpire::commit`]
/// verifies that and rejects every other one, so the announcement is always what
/// [`Umpire::judge`] would announce.
///
/// ```
/// use krieg_core::{Position, Ruleset, Umpire, Verdict};
/// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
/// let prepared = umpire.prepare("e2e4".parse()?)?;
/// assert_eq!(prepared.announcement().verdict, Verdict::Moved);
/// assert_eq!(umpire.position(), &Position::start(), "nothing has changed yet");
/// umpire.commit(prepared)?;
/// assert_ne!(umpire.position(), &Position::start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a prepared try changes nothing until it is committed"]
pub struct PreparedTry {
    tried: Try,
    announcement: Announcement,
    ruleset: Ruleset,
    draws: DrawRules,
    /// The position that the try was judged in.
    before: Position,
    /// The position after the move, if the move was accepted.
    after: Option<Position>,
    was_sensible: bool,
}

/// The try was judged in another state of the game, or in another game. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("the try was judged in another state of the game")]
pub struct StaleTry;

impl PreparedTry {
    /// The try.
    pub fn tried(&self) -> Try {
        self.tried
    }

    /// What the umpire will announce.
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }
}

impl Umpire {
    /// Judges a try of the side to move without applying it. [`Umpire::commit`] does that.
    pub fn prepare(&self, tried: Try) -> Result<PreparedTry, TryError> {
        if self.outcome.is_some() {
            return Err(TryError::GameOver);
        }
        let was_sensible = self.view(self.turn()).is_sensible(tried);
        let mut after = None;
        let announcement = match tried {
            Try::Any => self.answer_any()?,
            Try::Move(mv) if was_sensible => {
                let mut position = self.position.clone();
                let mut announcement = position.answer(mv, &self.ruleset, self.draws);
                if announcement.verdict == Verdict::Moved {
                    if announcement.end.is_none() && self.is_third_occurrence(&position) {
                        announcement.end_with(Umpire::THREEFOLD);
                    }
                    after = Some(position);
                }
                announcement
            }
            Try::Move(mv) => self.answer_senseless(mv)?,
        };
        let (ruleset, draws, before) = (self.ruleset, self.draws, self.position.clone());
        Ok(PreparedTry { tried, announcement, ruleset, draws, before, after, was_sensible })
    }

    /// Applies a prepared try without judging it again.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, StaleTry, Umpire};
    /// let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
    /// let prepared = umpire.prepare("e2e4".parse()?)?;
    /// umpire.judge("d2d4".parse()?)?;
    /// assert_eq!(umpire.commit(prepared), Err(StaleTry));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn commit(&mut self, prepared: PreparedTry) -> Result<Announcement, StaleTry> {
        if !self.is_current(&prepared) {
            return Err(StaleTry);
        }
        let PreparedTry { tried, announcement, after, .. } = prepared;
        if let Some(position) = after {
            if self.draws.threefold {
                self.repetitions.push(position.board());
            }
            self.position = position;
            self.outcome = announcement.end;
        }
        self.update_views(tried, &announcement);
        Ok(announcement)
    }

    /// Whether judging the try now would give the prepared announcement. Everything that the
    /// announcement depends on is compared: the rules, the position, whether the try is sensible,
    /// and how often the position has occurred.
    fn is_current(&self, prepared: &PreparedTry) -> bool {
        let PreparedTry { tried, announcement, after, .. } = prepared;
        let is_same_state = self.outcome.is_none()
            && self.ruleset == prepared.ruleset
            && self.draws == prepared.draws
            && self.position == prepared.before
            && self.view(self.turn()).is_sensible(*tried) == prepared.was_sensible;
        if !is_same_state {
            return false;
        }
        match (tried, after) {
            (Try::Move(mv), None) if !prepared.was_sensible => {
                self.answer_senseless(*mv).is_ok_and(|answer| answer == *announcement)
            }
            // Another end has precedence over threefold repetition.
            (_, Some(position)) => match announcement.end.map(|outcome| outcome.ending) {
                Some(Ending::Threefold) => self.is_third_occurrence(position),
                Some(_) => true,
                None => !self.is_third_occurrence(position),
            },
            (_, None) => true,
        }
    }

    /// Whether a position that a move leads to would be a draw by threefold repetition.
    fn is_third_occurrence(&self, position: &Position) -> bool {
        self.draws.threefold && self.repetitions.count_with(position.board()) >= 3
    }

    /// Updates the views of the players who hear an announcement about a try.
    pub(crate) fn update_views(&mut self, tried: Try, announcement: &Announcement) {
        let mover = announcement.by;
        self.views[mover as usize].observe_answer(tried, announcement);
        if announcement.audience == Audience::Both {
            self.views[!mover as usize].observe_announcement(announcement);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    fn umpire(tries: &[&str]) -> Umpire {
        let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
        for tried in tries {
            umpire.judge(tried.parse().unwrap()).unwrap();
        }
        umpire
    }

    #[test]
    fn try_of_another_game_is_rejected() {
        let prepared = |umpire: &Umpire| umpire.prepare("g1f3".parse().unwrap()).unwrap();
        let foreign = [
            umpire(&["e2e4", "e7e5"]),
            umpire(&["g1f3", "g8f6", "f3g1", "f6g8"]),
            Umpire::new(Ruleset::BERKELEY, Position::start()),
            Umpire::with_draws(Ruleset::ICC, DrawRules::NONE, Position::start()),
        ];
        for foreign in foreign {
            assert_eq!(umpire(&[]).commit(prepared(&foreign)), Err(StaleTry));
        }
        assert!(umpire(&[]).commit(prepared(&umpire(&[]))).is_ok());
    }

    #[test]
    fn try_is_rejected_after_it_was_refused_or_the_game_ended() {
        let start = Position::from_fen("4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1").unwrap();
        let mut umpire = Umpire::new(Ruleset::ICC, start);
        let refused = "e1d1".parse().unwrap();
        let [first, second] = [0, 1].map(|_| umpire.prepare(refused).unwrap());
        assert_eq!(umpire.commit(first).unwrap().verdict, Verdict::Refused);
        assert_eq!(umpire.commit(second), Err(StaleTry), "a refused try is no longer sensible");
        let moved = umpire.prepare("a1a2".parse().unwrap()).unwrap();
        umpire.resign(crate::Color::White).unwrap();
        assert_eq!(umpire.commit(moved), Err(StaleTry));
    }

    #[test]
    fn threefold_repetition_is_declared_once_and_not_without_the_repetitions() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let twice = [&shuffle[..], &shuffle[..3]].concat();
        let mut game = umpire(&twice);
        let last = game.prepare(shuffle[3].parse().unwrap()).unwrap();
        assert_eq!(last.announcement().end, Some(Umpire::THREEFOLD));
        // The same position with the same counters, reached by moves that repeat no position.
        let mut other = game.clone();
        other.repetitions = crate::draws::Repetitions::starting_at(Position::start().board());
        assert_eq!(other.commit(last.clone()), Err(StaleTry));
        assert_eq!(game.commit(last).unwrap().end, Some(Umpire::THREEFOLD));
        assert_eq!(game.outcome(), Some(Outcome { ending: Ending::Threefold, winner: None }));
    }
}
