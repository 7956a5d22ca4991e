//! One game between an attacker who follows the tables and a defender who sees everything.

use std::fmt::Display;

use krieg_core::{Announcement, Ending, Game, Move, Record, Setup, Square, Verdict};
use thiserror::Error;

use super::attacker_belief::{AttackerBelief, board};
use super::report::{Fault, Property};
use super::umpired_tries::{DRAWS, RULES};
use crate::metaposition::Metaposition;
use crate::tablebase::{ProbeError, Tablebase};

/// A game that ended in mate within the stated number of moves.
#[derive(Debug, Clone)]
pub struct Playout {
    /// The distance to mate that the table states for the start.
    pub stated: u16,
    /// Number of moves of the attacker.
    pub moves: u16,
    /// The game.
    pub record: Record,
}

/// A game did not end in mate within the stated number of moves.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayoutError {
    /// The tables are wrong.
    #[error("{0}")]
    Fault(Fault),
    /// A table cannot be probed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Plays a won metaposition to the end, with the lone king on this square.
///
/// The attacker knows the metaposition and the umpire's announcements, and makes the tries of the
/// tables. The defender sees the board and the attacker's belief, and chooses the reply for which
/// the tables state the longest mate.
pub fn playout(
    tables: &Tablebase,
    start: &Metaposition,
    king: Square,
) -> Result<Playout, PlayoutError> {
    PlayoutGame::new(tables, start, king)?.play()
}

/// A game in progress.
struct PlayoutGame<'a> {
    tables: &'a Tablebase,
    start: &'a Metaposition,
    king: Square,
    stated: u16,
    game: Game,
    belief: AttackerBelief,
    moves: u16,
}

impl<'a> PlayoutGame<'a> {
    fn new(
        tables: &'a Tablebase,
        start: &'a Metaposition,
        king: Square,
    ) -> Result<Self, PlayoutError> {
        let fault = |problem: &str| {
            let entry = start.to_string();
            PlayoutError::Fault(Fault {
                property: Property::Playout,
                entry,
                problem: problem.into(),
            })
        };
        if !start.kings().has(king) {
            return Err(fault(&format!("the lone king cannot be on {king}")));
        }
        let setup = Setup {
            ruleset: RULES,
            draws: DRAWS,
            start: board(start, king)
                .ok_or_else(|| fault(&format!("no legal board has the lone king on {king}")))?,
        };
        let win = tables.probe(start)?.ok_or_else(|| fault("the table does not say it is won"))?;
        let belief = AttackerBelief::new(start);
        if belief.kings() != start.kings() {
            return Err(fault("the legal boards have other squares for the lone king"));
        }
        let (stated, game) = (win.distance, Game::new(setup));
        Ok(PlayoutGame { tables, start, king, stated, game, belief, moves: 0 })
    }

    fn fault<T>(&self, problem: impl Display) -> Result<T, PlayoutError> {
        let entry = format!("{} {}", self.start, self.stated);
        let tries: Vec<String> =
            self.game.record().entries().iter().map(|entry| entry.tried.to_string()).collect();
        let problem =
            format!("with the king on {}, after [{}]: {problem}", self.king, tries.join(" "));
        Err(PlayoutError::Fault(Fault { property: Property::Playout, entry, problem }))
    }

    fn play(mut self) -> Result<Playout, PlayoutError> {
        loop {
            let announcement = self.attack()?;
            self.moves += 1;
            match announcement.end {
                Some(end) if end.ending == Ending::Checkmate => break,
                Some(end) => return self.fault(format_args!("the game ends without mate: {end}")),
                None => {}
            }
            let reply = self.choose_reply()?;
            let announcement = match self.game.judge(reply.into()) {
                Ok(announcement) if announcement.verdict == Verdict::Moved => announcement,
                other => return self.fault(format_args!("the answer to {reply} is {other:?}")),
            };
            if let Some(end) = announcement.end {
                return self.fault(format_args!("the reply {reply} ends the game: {end}"));
            }
            self.belief = self.belief.after_reply(&announcement);
        }
        let record = self.game.into_record();
        Ok(Playout { stated: self.stated, moves: self.moves, record })
    }

    /// Makes the tries of the tables until one is accepted.
    fn attack(&mut self) -> Result<Announcement, PlayoutError> {
        let known = match self.belief.metaposition() {
            Ok(known) => known,
            Err(reason) => {
                return self.fault(format_args!("the belief is not a metaposition: {reason}"));
            }
        };
        let Some(win) = self.tables.probe(&known)? else {
            return self.fault(format_args!("{known} is not won any more"));
        };
        let left = self.stated - self.moves.min(self.stated);
        if win.distance > left {
            let distance = win.distance;
            return self.fault(format_args!("{known} takes {distance} moves, {left} are left"));
        }
        for &mv in &win.tries {
            let announcement = match self.game.judge(mv.into()) {
                Ok(announcement) => announcement,
                Err(error) => return self.fault(format_args!("{mv} is not a valid try: {error}")),
            };
            self.belief.observe_answer(mv, &announcement);
            if announcement.verdict == Verdict::Moved {
                return Ok(announcement);
            }
        }
        self.fault(format_args!("every try was refused in {known}"))
    }

    /// The reply after which the tables state the longest mate, or no win, for the attacker's
    /// belief. Among equals, the reply with the longest mate if the attacker saw the king.
    fn choose_reply(&self) -> Result<Move, PlayoutError> {
        let position = self.game.umpire().position();
        let mut by_announcement: Vec<(Announcement, Option<Metaposition>, u16)> = Vec::new();
        let mut best: Option<((u16, u16), Move)> = None;
        for reply in position.legal_moves() {
            let announcement = position.clone().answer(reply, &RULES, DRAWS);
            let cached = by_announcement.iter().find(|(known, ..)| *known == announcement).copied();
            let (_, belief, unseen) = match cached {
                Some(cached) => cached,
                None => {
                    let after = self.belief.after_reply(&announcement).metaposition().ok();
                    let after = after.filter(|_| announcement.end.is_none());
                    let kings = after.map_or(0, |after| after.kings_as_white());
                    let new = (announcement, after, self.distance(after, kings)?);
                    by_announcement.push(new);
                    new
                }
            };
            // For Black, the conversion to the board is its own inverse.
            let king = belief.map_or(0, |belief| belief.to_board(reply.to.bitboard().0).0);
            let distances = (unseen, self.distance(belief, king)?);
            if best.is_none_or(|(longest, _)| distances > longest) {
                best = Some((distances, reply));
            }
        }
        match best {
            Some((_, reply)) => Ok(reply),
            None => self.fault("the defender has no reply, but the game has not ended"),
        }
    }

    /// The distance that the tables state for these kings of a belief; `u16::MAX` if there is no
    /// forced win.
    fn distance(&self, belief: Option<Metaposition>, kings: u64) -> Result<u16, PlayoutError> {
        let Some(belief) = belief else { return Ok(u16::MAX) };
        Ok(self.tables.distance(belief.placement(), kings)?.unwrap_or(u16::MAX))
    }
}
