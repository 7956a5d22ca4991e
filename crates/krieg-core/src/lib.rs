//! # The rules of Kriegspiel
//!
//! Kriegspiel is chess in which each player sees only their own pieces. A player *tries* a move.
//! An umpire, who sees the whole board, accepts or refuses the try and makes an announcement. What
//! the umpire announces, and to whom, is the [`Ruleset`]. This crate implements the umpire and
//! everything a player can derive from the announcements, for all common rulesets.
//!
//! One invariant shapes the crate: **a player's [`View`] is a function of that player's
//! [`Observation`]s.** A view starts from the player's own [`PieceSet`] and changes only by
//! [`Announcement`]s. It has no access to the umpire's [`Position`], so the list of sensible
//! [`Tries`] that it offers cannot reveal hidden information. The [`Umpire`] holds the position
//! and one view per player. It asks the mover's view whether a try is sensible before it tests
//! whether the move is legal.
//!
//! ```text
//!   Try ──► Umpire ── is it sensible? ──► View of the mover
//!             │ ───── is it legal? ─────► Position
//!             ▼
//!        Announcement ──► View of the mover
//!                    └──► View of the opponent, if the ruleset makes it public
//! ```
//!
//! A [`Game`] is an umpire together with a [`Record`] of every try and its announcement. A
//! [`Transcript`] is a record filtered to one player's observations.
//!
//! ```
//! use krieg_core::{Color, Game, Ruleset, Setup};
//!
//! let mut game = Game::new(Setup { ruleset: Ruleset::ICC, ..Setup::default() });
//! for tried in ["e2e4", "d7d5", "e4d5"] {
//!     let announcement = game.judge(tried.parse()?)?;
//!     println!("{announcement}");
//! }
//! let record = game.into_record();
//! assert_eq!(record.entries().len(), 3);
//!
//! // Black does not know White's move, but observes the loss of a pawn.
//! let black = record.transcript(Color::Black);
//! let last = &black.observations[2];
//! assert_eq!(last.tried, None);
//! assert_eq!(
//!     last.announcement.to_string(),
//!     "White moved. Pawn on d5 captured. No pawn tries.",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to read on: [`Ruleset`] lists what differs between rulesets, [`Umpire`] judges tries, and
//! [`View`] is a player's knowledge. The rules of chess come from `cozy-chess`; its squares,
//! pieces and bitboards are re-exported.

mod announcement;
mod answer;
mod check;
mod checksum;
mod draws;
mod feature_groups;
mod fen;
mod game;
mod moves;
mod names;
mod outcome;
mod pawn_tries;
mod piece_set;
pub mod placement;
mod position;
mod prepared_try;
mod record;
mod ruleset;
mod ruleset_text;
mod text;
mod transcript;
mod tries;
mod umpire;
mod view;

pub use announcement::{Announcement, Capture, PawnTryAnnouncement, PieceKind, Verdict};
pub use check::{Checks, Direction};
pub use checksum::checksum;
pub use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square, bitboard};
pub use draws::{DrawRules, is_insufficient_material, repetition_key};
pub use feature_groups::FeatureGroup;
pub use fen::FenError;
pub use game::{Game, OutcomeError, Setup};
pub use moves::{Move, MoveError, Promotion};
pub use names::{color_name, piece_name};
pub use outcome::{Ending, Outcome};
pub use pawn_tries::{PawnTries, pawn_diagonals};
pub use piece_set::PieceSet;
pub use position::{IllegalMove, Position};
pub use prepared_try::{PreparedTry, StaleTry};
pub use record::{Entry, Record, TagError};
pub use ruleset::{
    AnyObligation, Audience, PawnTryRule, Ruleset, RulesetTexts, SenselessTryRule, StalemateRule,
    UnknownRuleset,
};
pub use ruleset_text::RuleText;
pub use text::{excerpt, short_reason};
pub use transcript::{Observation, Observer, Transcript};
pub use tries::{Tries, Try};
pub use umpire::{TryError, Umpire};
pub use view::{CapturedCounts, View};
