//! Former names of public items, kept while other crates are converted.
#![allow(missing_docs)]

use krieg_core::{BitBoard, Observation, Piece, PieceSet, Square};

use crate::{MultiKingFen, Narrator, SavedGame};

#[deprecated(note = "renamed to SavedGame")]
pub type Told = SavedGame;
#[deprecated(note = "renamed to Narrator")]
pub type Teller = Narrator;
#[deprecated(note = "renamed to TranscriptBuilder")]
pub type Telling = crate::TranscriptBuilder;
#[deprecated(note = "renamed to MultiKingFen")]
pub type KingsLine = MultiKingFen;
#[deprecated(note = "renamed to MultiKingFenError")]
pub type KingsError = crate::MultiKingFenError;

impl SavedGame {
    #[doc(hidden)]
    #[deprecated(note = "renamed to observations")]
    pub fn lines(&self) -> Vec<Observation> {
        self.observations()
    }
}

impl Narrator {
    #[doc(hidden)]
    #[deprecated(note = "renamed to new")]
    pub fn of(game: &SavedGame) -> Self {
        Narrator::new(game)
    }

    #[doc(hidden)]
    #[deprecated(note = "renamed to try_text")]
    pub fn name(&self, observation: &Observation) -> String {
        self.try_text(observation)
    }

    #[doc(hidden)]
    #[deprecated(note = "renamed to piece_sets")]
    pub fn men(&self) -> Vec<PieceSet> {
        self.piece_sets()
    }
}

impl MultiKingFen {
    #[doc(hidden)]
    #[deprecated(note = "renamed to pieces")]
    pub fn men(&self) -> &[(Square, Piece)] {
        self.pieces()
    }

    #[doc(hidden)]
    #[deprecated(note = "renamed to king_squares")]
    pub fn kings(&self) -> BitBoard {
        self.king_squares()
    }
}
