//! What happened in the compared games. A comparison that never met a rule proves nothing about it.

use std::collections::BTreeMap;
use std::fmt;

use krieg_core::{Ending, Game, Piece, Try, Verdict};

/// What must happen at least once.
const REQUIRED: [&str; 16] = [
    "checkmate",
    "stalemate that is a draw",
    "stalemate that loses",
    "fifty moves",
    "threefold repetition",
    "insufficient material",
    "en passant",
    "castling",
    "refused castling",
    "promotion",
    "double check",
    "refusal",
    "nonsense",
    "\"any?\" with \"yes\"",
    "\"any?\" with \"no\"",
    "pawn tries of squares",
];

/// How often each event happened.
#[derive(Debug, Default)]
pub struct Coverage {
    pub games: usize,
    pub tries: usize,
    events: BTreeMap<&'static str, usize>,
}

impl Coverage {
    /// Adds a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.tries += game.record().entries().len();
        let mut position = game.record().setup().start.clone();
        for entry in game.record().entries() {
            let announcement = &entry.announcement;
            match announcement.verdict {
                Verdict::Refused => self.count("refusal"),
                Verdict::Nonsense => self.count("nonsense"),
                Verdict::Any(true) => self.count("\"any?\" with \"yes\""),
                Verdict::Any(false) => self.count("\"any?\" with \"no\""),
                _ => {}
            }
            if announcement.checks.iter().count() == 2 {
                self.count("double check");
            }
            if let krieg_core::PawnTryAnnouncement::From(squares) = announcement.pawn_tries
                && !squares.is_empty()
            {
                self.count("pawn tries of squares");
            }
            let Try::Move(mv) = entry.tried else { continue };
            let board = position.board();
            let is_own_king = board.king(position.turn()) == mv.from;
            let is_castling = is_own_king && (mv.from.file() as i8 - mv.to.file() as i8).abs() == 2;
            if announcement.verdict != Verdict::Moved {
                if is_castling {
                    self.count("refused castling");
                }
                continue;
            }
            let is_diagonal = mv.from.file() != mv.to.file();
            if board.pieces(Piece::Pawn).has(mv.from) && is_diagonal && !board.occupied().has(mv.to)
            {
                self.count("en passant");
            }
            if is_castling {
                self.count("castling");
            }
            if mv.promotion.is_some() {
                self.count("promotion");
            }
            position.play(mv).expect("the umpire accepted the move");
        }
        let Some(outcome) = game.record().outcome() else { return };
        match outcome.ending {
            Ending::Checkmate => self.count("checkmate"),
            Ending::Stalemate if outcome.winner.is_some() => self.count("stalemate that loses"),
            Ending::Stalemate => self.count("stalemate that is a draw"),
            Ending::FiftyMoves => self.count("fifty moves"),
            Ending::Threefold => self.count("threefold repetition"),
            Ending::InsufficientMaterial => self.count("insufficient material"),
            _ => {}
        }
    }

    fn count(&mut self, event: &'static str) {
        *self.events.entry(event).or_default() += 1;
    }

    /// What must happen and never did.
    pub fn missing(&self) -> Vec<&'static str> {
        REQUIRED.into_iter().filter(|event| !self.events.contains_key(event)).collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tries of {} games without a difference", self.tries, self.games)?;
        for event in REQUIRED {
            let count = self.events.get(event).copied().unwrap_or(0);
            write!(f, "\n{count:>8} {event}")?;
        }
        Ok(())
    }
}
