//! Playing it out: the attacker by the tables and the umpire's words alone, the defender with all he could wish for.

use krieg_core::{Announcement, Ending, Game, Move, Record, Setup, Square, Verdict};
use thiserror::Error;

use super::attacker::{Attacker, board};
use super::findings::{Check, Fault};
use super::scene::{DRAWS, RULES};
use crate::metaposition::Metaposition;
use crate::tablebase::{ProbeError, Tablebase};

/// A game that ended in mate, in time.
#[derive(Debug, Clone)]
pub struct PlayedOut {
    /// In how many moves the table said that mate is sure.
    pub stated: u16,
    /// How many it took.
    pub moves: u16,
    /// Every try and every answer.
    pub record: Record,
}

/// A game did not end as it should.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The tables led astray.
    #[error("{0}")]
    Fault(Fault),
    /// The tables could not be asked.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Plays a won metaposition to the end, with the lone king on this square.
///
/// The attacker knows the metaposition and what the umpire says, and tries what the tables tell him. The defender sees the board and what the
/// attacker knows; he chooses the reply after which the tables state the longest mate.
pub fn play_out(
    tables: &Tablebase,
    start: &Metaposition,
    king: Square,
) -> Result<PlayedOut, PlayError> {
    Match::begin(tables, start, king)?.play()
}

/// A game under way.
struct Match<'a> {
    tables: &'a Tablebase,
    start: &'a Metaposition,
    king: Square,
    stated: u16,
    game: Game,
    attacker: Attacker,
    moves: u16,
}

impl<'a> Match<'a> {
    fn begin(
        tables: &'a Tablebase,
        start: &'a Metaposition,
        king: Square,
    ) -> Result<Self, PlayError> {
        let fault = |what: &str| {
            let entry = start.to_string();
            PlayError::Fault(Fault { check: Check::PlayedOut, entry, what: what.into() })
        };
        if !start.kings().has(king) {
            return Err(fault(&format!("the lone king is not said to be on {king}")));
        }
        let setup = Setup {
            ruleset: RULES,
            draws: DRAWS,
            start: board(start, king)
                .ok_or_else(|| fault(&format!("no board has the lone king on {king}")))?,
        };
        let win = tables.probe(start)?.ok_or_else(|| fault("the table does not say it is won"))?;
        let attacker = Attacker::new(start);
        if attacker.kings() != start.kings() {
            return Err(fault("the boards have other squares for the lone king"));
        }
        let (stated, game) = (win.distance, Game::new(setup));
        Ok(Match { tables, start, king, stated, game, attacker, moves: 0 })
    }

    fn fault<T>(&self, what: impl std::fmt::Display) -> Result<T, PlayError> {
        let entry = format!("{} {}", self.start, self.stated);
        let tries: Vec<String> =
            self.game.record().entries().iter().map(|entry| entry.tried.to_string()).collect();
        let what = format!("with the king on {}, after [{}]: {what}", self.king, tries.join(" "));
        Err(PlayError::Fault(Fault { check: Check::PlayedOut, entry, what }))
    }

    fn play(mut self) -> Result<PlayedOut, PlayError> {
        loop {
            let said = self.attack()?;
            self.moves += 1;
            match said.end {
                Some(end) if end.ending == Ending::Checkmate => break,
                Some(end) => return self.fault(format_args!("the game ends, but so: {end}")),
                None => {}
            }
            let reply = self.choose_reply()?;
            let said = match self.game.judge(reply.into()) {
                Ok(said) if said.verdict == Verdict::Moved => said,
                other => return self.fault(format_args!("the reply {reply} is met by {other:?}")),
            };
            if let Some(end) = said.end {
                return self.fault(format_args!("the reply {reply} ends the game so: {end}"));
            }
            self.attacker = self.attacker.hearing(&said);
        }
        let record = self.game.into_record();
        Ok(PlayedOut { stated: self.stated, moves: self.moves, record })
    }

    /// Tries what the tables say until something is legal.
    fn attack(&mut self) -> Result<Announcement, PlayError> {
        let known = match self.attacker.metaposition() {
            Ok(known) => known,
            Err(why) => return self.fault(format_args!("nothing can be looked up: {why}")),
        };
        let Some(win) = self.tables.probe(&known)? else {
            return self.fault(format_args!("mate is no longer sure in {known}"));
        };
        let left = self.stated - self.moves.min(self.stated);
        if win.distance > left {
            let distance = win.distance;
            return self.fault(format_args!("{known} takes {distance}, and {left} are left"));
        }
        for &mv in &win.tries {
            let said = match self.game.judge(mv.into()) {
                Ok(said) => said,
                Err(error) => return self.fault(format_args!("{mv} is not accepted: {error}")),
            };
            self.attacker.hear_answer(mv, &said);
            if said.verdict == Verdict::Moved {
                return Ok(said);
            }
        }
        self.fault(format_args!("every try was refused in {known}"))
    }

    /// The reply after which the attacker's tables state the longest mate, or none at all; of those, the one that would be the longest if he saw the
    /// king.
    fn choose_reply(&self) -> Result<Move, PlayError> {
        let here = self.game.umpire().position();
        let mut heard: Vec<(Announcement, Option<Metaposition>, u16)> = Vec::new();
        let mut best: Option<((u16, u16), Move)> = None;
        for reply in here.legal_moves() {
            let said = here.clone().answer(reply, &RULES, DRAWS);
            let known = heard.iter().find(|(known, ..)| *known == said).copied();
            let (_, known, hidden) = match known {
                Some(known) => known,
                None => {
                    let then = self.attacker.hearing(&said).metaposition().ok();
                    let then = then.filter(|_| said.end.is_none());
                    let kings = then.map_or(0, |then| then.kings_for_white());
                    let new = (said, then, self.worth(then, kings)?);
                    heard.push(new);
                    new
                }
            };
            // Turning there and back is the same for a board of Black's.
            let seen = known.map_or(0, |known| known.on_board(reply.to.bitboard().0).0);
            let worth = (hidden, self.worth(known, seen)?);
            if best.is_none_or(|(least, _)| worth > least) {
                best = Some((worth, reply));
            }
        }
        match best {
            Some((_, reply)) => Ok(reply),
            None => self.fault("the defender has no reply, though the game goes on"),
        }
    }

    /// The distance that the tables state for these kings of what the attacker knows; the greatest number if mate is not sure.
    fn worth(&self, known: Option<Metaposition>, kings: u64) -> Result<u16, PlayError> {
        let Some(known) = known else { return Ok(u16::MAX) };
        Ok(self.tables.distance(known.disposition(), kings)?.unwrap_or(u16::MAX))
    }
}
