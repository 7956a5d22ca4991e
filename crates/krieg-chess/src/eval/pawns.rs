//! Pawn structure: what can be said of the pawns without looking at anything else.
//!
//! Pawns move seldom, so the answer is kept: a [`PawnHashTable`] remembers it by the pawns themselves.

use cozy_chess::{BitBoard, Color, File, Square};

use super::feature_sink::{FeatureSink, WeightedSum};
use super::weights::{
    BACKWARD, DEFENDED, DOUBLED, ISOLATED, PASSED, PASSED_DEFENDED, PHALANX, Weights,
    rank_from_side,
};
use super::{TaperedValue, bitboards};

/// What the rest of the evaluation wants to know about the pawns, for White and for Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PawnStructure {
    /// Pawns that no enemy pawn can stop or capture.
    pub passed: [BitBoard; 2],
    /// Squares that pawns attack now or may attack further on.
    pub reach: [BitBoard; 2],
}

/// Counts the structure of both sides' pawns.
pub(crate) fn count<T: FeatureSink>(pawns: [BitBoard; 2], tally: &mut T) -> PawnStructure {
    let attacks = Color::ALL.map(|color| bitboards::pawn_attacks(pawns[color as usize], color));
    let reach = Color::ALL.map(|color| bitboards::forward(attacks[color as usize], color));
    let mut passed = [BitBoard::EMPTY; 2];
    for color in Color::ALL {
        let (own, opponent) = (pawns[color as usize], pawns[!color as usize]);
        let stopped = reach[!color as usize]
            | bitboards::forward(bitboards::step(opponent, !color), !color)
            | bitboards::forward(bitboards::step(own, !color), !color);
        passed[color as usize] = own & !stopped;
        for square in own {
            let rank = rank_from_side(square, color);
            let neighbours = square.file().adjacent() & own;
            if neighbours.is_empty() {
                let file = square.file() as usize;
                tally.add(color, ISOLATED + file.min(7 - file), 1);
            }
            if !(bitboards::forward(bitboards::step(square.bitboard(), color), color) & own)
                .is_empty()
            {
                tally.add(color, DOUBLED, 1);
            }
            let is_defended = attacks[color as usize].has(square);
            if is_defended {
                tally.add(color, DEFENDED + rank, 1);
            }
            let beside = square.rank().bitboard() & square.file().adjacent();
            if !(beside & own).is_empty() {
                tally.add(color, PHALANX + rank, 1);
            } else if !is_defended && !neighbours.is_empty() {
                // Every neighbour has gone ahead, and an enemy pawn guards the next step.
                let level = beside | square.bitboard();
                let behind = bitboards::forward(level, !color) & square.file().adjacent();
                let next = bitboards::step(square.bitboard(), color);
                if (behind & own).is_empty() && !(next & attacks[!color as usize]).is_empty() {
                    tally.add(color, BACKWARD, 1);
                }
            }
            if passed[color as usize].has(square) {
                tally.add(color, PASSED + rank, 1);
                if is_defended {
                    tally.add(color, PASSED_DEFENDED + rank, 1);
                }
            }
        }
    }
    PawnStructure { passed, reach }
}

#[derive(Debug, Clone, Copy)]
struct PawnEntry {
    pawns: [BitBoard; 2],
    structure: PawnStructure,
    value: TaperedValue,
}

/// A small memory of pawn structures. It changes no value, only how soon it is known.
#[derive(Debug, Clone)]
pub(crate) struct PawnHashTable(Box<[PawnEntry]>);

impl PawnHashTable {
    const BITS: u32 = 12;

    pub fn new(weights: &Weights) -> Self {
        let no_pawns = Self::count([BitBoard::EMPTY; 2], weights);
        PawnHashTable(vec![no_pawns; 1 << Self::BITS].into_boxed_slice())
    }

    fn count(pawns: [BitBoard; 2], weights: &Weights) -> PawnEntry {
        let mut sum = WeightedSum::new(&weights.0);
        let structure = count(pawns, &mut sum);
        PawnEntry { pawns, structure, value: sum.total }
    }

    /// The facts and the value of these pawns, White's minus Black's.
    pub fn look_up(
        &mut self,
        pawns: [BitBoard; 2],
        weights: &Weights,
    ) -> (PawnStructure, TaperedValue) {
        let mixed = (pawns[0].0 ^ pawns[1].0.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let kept = &mut self.0[(mixed >> (64 - Self::BITS)) as usize];
        if kept.pawns != pawns {
            *kept = Self::count(pawns, weights);
        }
        (kept.structure, kept.value)
    }
}

/// The three files about a king, moved inwards at the edge, and how each lies to it: 0 for the
/// king's own.
pub(crate) fn files_about(king: Square) -> [File; 3] {
    let middle = (king.file() as usize).clamp(1, 6);
    [middle, middle - 1, middle + 1].map(File::index)
}
