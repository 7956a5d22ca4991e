//! Evidence: when the player last learned something of each square.

use krieg_core::{BitBoard, Square};

use super::decay::{FAST, MAX_AGE, SLOW};

/// The kinds of evidence, in the order of their planes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// An own piece passed over the square, or left it.
    Empty,
    /// The path of a refused try led over the square.
    Blocked,
    /// A step of the own king to the square was refused.
    KingRefused,
    /// A single step of an own pawn to the square was refused.
    PushRefused,
    /// A pawn capture on the square was refused.
    CaptureRefused,
    /// A try of a knight, bishop, rook or queen to the square was refused.
    TargetRefused,
    /// The player captured on the square.
    Captured,
    /// The opponent captured on the square.
    Lost,
    /// An announced check on the player may come from the square.
    CheckLine,
    /// An announced own pawn try may be a capture on the square.
    PawnTry,
    /// No own pawn has a capture on the square.
    NoPawnTry,
    /// An announced pawn try of the opponent may be from the square.
    OpponentPawnTry,
    /// A pawn of the opponent was announced on the square.
    OpponentPawn,
    /// No pawn of the opponent has a capture from the square.
    NoOpponentPawnTry,
    /// The opponent's king may be on the square, because the own move gave check.
    KingLine,
}

impl Evidence {
    /// Number of kinds.
    pub const COUNT: usize = Evidence::KingLine as usize + 1;
}

/// When each square was last marked with each kind of evidence.
#[derive(Debug, Clone)]
pub struct Marks {
    /// One more than the number of moves at the time; 0 for squares that were never marked.
    stamps: [[u32; Evidence::COUNT]; Square::NUM],
}

impl Marks {
    /// No marks.
    pub const NONE: Marks = Marks { stamps: [[0; Evidence::COUNT]; Square::NUM] };

    /// Marks squares, after `now` moves.
    pub fn mark(&mut self, evidence: Evidence, squares: BitBoard, now: u32) {
        for square in squares {
            self.stamps[square as usize][evidence as usize] = now.saturating_add(1);
        }
    }

    /// Writes the two bytes of each kind of evidence of a square, after `now` moves.
    pub fn write(&self, square: Square, now: u32, planes: &mut [u8]) {
        let stamps = &self.stamps[square as usize];
        for (stamp, bytes) in stamps.iter().zip(planes.as_chunks_mut::<2>().0) {
            if *stamp > 0 {
                let age = (now.saturating_add(1) - stamp).min(MAX_AGE as u32) as usize;
                *bytes = [FAST[age], SLOW[age]];
            }
        }
    }
}
