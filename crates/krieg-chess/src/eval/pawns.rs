//! Pawn structure: the features that depend on the pawns alone.
//!
//! The pawn structure changes seldom, so its value is cached in a [`PawnHashTable`].

use cozy_chess::{BitBoard, Color, File, Square};

use super::feature_sink::{FeatureSink, WeightedSum};
use super::weights::{
    BACKWARD, DEFENDED, DOUBLED, ISOLATED, PASSED, PASSED_DEFENDED, PHALANX, Weights, relative_rank,
};
use super::{TaperedValue, bitboards};

/// Pawn properties that other parts of the evaluation need, for White and for Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PawnStructure {
    /// Passed pawns.
    pub passed: [BitBoard; 2],
    /// Squares that the pawns attack now or can attack after advancing (attack spans).
    pub attack_spans: [BitBoard; 2],
}

/// Counts the pawn features of both sides.
pub(crate) fn count<T: FeatureSink>(pawns: [BitBoard; 2], sink: &mut T) -> PawnStructure {
    let attacks = Color::ALL.map(|color| bitboards::pawn_attacks(pawns[color as usize], color));
    let attack_spans = Color::ALL.map(|color| bitboards::forward(attacks[color as usize], color));
    let mut passed = [BitBoard::EMPTY; 2];
    for color in Color::ALL {
        let (own, opponent) = (pawns[color as usize], pawns[!color as usize]);
        let stopped = attack_spans[!color as usize]
            | bitboards::forward(bitboards::step(opponent, !color), !color)
            | bitboards::forward(bitboards::step(own, !color), !color);
        passed[color as usize] = own & !stopped;
        for square in own {
            let rank = relative_rank(square, color);
            let neighbours = square.file().adjacent() & own;
            if neighbours.is_empty() {
                let file = square.file() as usize;
                sink.add(color, ISOLATED + file.min(7 - file), 1);
            }
            if !(bitboards::forward(bitboards::step(square.bitboard(), color), color) & own)
                .is_empty()
            {
                sink.add(color, DOUBLED, 1);
            }
            let is_defended = attacks[color as usize].has(square);
            if is_defended {
                sink.add(color, DEFENDED + rank, 1);
            }
            let beside = square.rank().bitboard() & square.file().adjacent();
            if !(beside & own).is_empty() {
                sink.add(color, PHALANX + rank, 1);
            } else if !is_defended && !neighbours.is_empty() {
                // A pawn is backward if its neighbours are ahead of it and an opposing pawn attacks
                // its stop square.
                let rank_here = beside | square.bitboard();
                let behind = bitboards::forward(rank_here, !color) & square.file().adjacent();
                let stop = bitboards::step(square.bitboard(), color);
                if (behind & own).is_empty() && !(stop & attacks[!color as usize]).is_empty() {
                    sink.add(color, BACKWARD, 1);
                }
            }
            if passed[color as usize].has(square) {
                sink.add(color, PASSED + rank, 1);
                if is_defended {
                    sink.add(color, PASSED_DEFENDED + rank, 1);
                }
            }
        }
    }
    PawnStructure { passed, attack_spans }
}

#[derive(Debug, Clone, Copy)]
struct PawnEntry {
    pawns: [BitBoard; 2],
    structure: PawnStructure,
    value: TaperedValue,
}

/// A cache of pawn structures. It affects speed only, not values.
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

    /// The structure and the value of these pawns, White's minus Black's.
    pub fn look_up(
        &mut self,
        pawns: [BitBoard; 2],
        weights: &Weights,
    ) -> (PawnStructure, TaperedValue) {
        let hash = (pawns[0].0 ^ pawns[1].0.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &mut self.0[(hash >> (64 - Self::BITS)) as usize];
        if entry.pawns != pawns {
            *entry = Self::count(pawns, weights);
        }
        (entry.structure, entry.value)
    }
}

/// The file of the king and the two beside it. For a king on the a-file or h-file, those of the
/// next file inward.
pub(crate) fn files_around(king: Square) -> [File; 3] {
    let centre = (king.file() as usize).clamp(1, 6);
    [centre, centre - 1, centre + 1].map(File::index)
}
