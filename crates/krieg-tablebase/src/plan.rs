//! A forced win as a plan: what to try, and what the attacker knows after each announcement.

use std::cmp::Reverse;

use krieg_core::{BitBoard, Checks, Color, Direction, Move, Square};

use crate::attack_map::{AttackMap, neighbours};
use crate::attacker_tries::AttackerTry;
use crate::king_squares::piece_attacks;
use crate::metaposition::Metaposition;
use crate::placement::Placement;
use crate::tablebase::{ProbeError, Tablebase, Win};

/// A forced win, with what may happen on each try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The result of the probe.
    pub win: Win,
    /// The tries of the win, in order.
    pub tries: Vec<PlannedTry>,
    /// Every try that may come first without delaying the mate, those of the plan included.
    pub optimal_tries: Vec<Move>,
}

/// One try of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedTry {
    /// The try.
    pub mv: Move,
    /// Squares of the lone king on which the try is refused.
    pub refused: BitBoard,
    /// The possible announcements if the try is accepted, those with the longest mates first.
    pub branches: Vec<PlanBranch>,
}

/// One possible announcement after an accepted try, and what the attacker knows then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanBranch {
    /// The announced checks.
    pub checks: Checks,
    /// Squares of the lone king on which this is announced.
    pub kings: BitBoard,
    /// Where the lone king may be after a non-capturing reply; empty if it is mated or can only
    /// capture.
    pub kings_after: BitBoard,
    /// Maximum number of moves to mate after a non-capturing reply; 0 if there is none.
    pub distance: u16,
    /// Squares of pieces that the lone king may capture instead, with the maximum number of moves
    /// to mate after the capture.
    pub captures: Vec<(Square, u16)>,
}

impl Tablebase {
    /// The plan for a metaposition; `None` if the win is not forced.
    pub fn plan(&self, asked: &Metaposition) -> Result<Option<Plan>, ProbeError> {
        let Some(win) = self.probe(asked)? else { return Ok(None) };
        let all_tries = asked.placement().tries();
        let to_board = |tried: &AttackerTry| asked.move_to_board(tried.mv);
        let mut kings = asked.kings_as_white();
        let mut tries = Vec::new();
        for &mv in &win.tries {
            let Some(tried) = all_tries.iter().find(|tried| to_board(tried) == mv) else {
                continue;
            };
            let refused = kings & tried.refused_by;
            let branches = self.branches(asked, tried, kings & !refused)?;
            tries.push(PlannedTry { mv, refused: asked.to_board(refused), branches });
            kings = refused;
        }
        // Refused tries cost no move, and the kings left after a refusal are a subset of a won set.
        let mut optimal_tries = Vec::new();
        for tried in &all_tries {
            let kings = asked.kings_as_white();
            let may_be_accepted = kings & !tried.refused_by != 0;
            if may_be_accepted && self.wins_within(tried, kings, win.distance)? {
                optimal_tries.push(to_board(tried));
            }
        }
        Ok(Some(Plan { win, tries, optimal_tries }))
    }

    fn branches(
        &self,
        asked: &Metaposition,
        tried: &AttackerTry,
        kings: u64,
    ) -> Result<Vec<PlanBranch>, ProbeError> {
        let map = AttackMap::new(&tried.successor);
        let has_reply = neighbours(map.safe | map.undefended);
        let mut branches = Vec::new();
        for class in &map.announcement_classes {
            // The umpire announces a mate, which separates mated kings from the others.
            for kings in [kings & class & !has_reply, kings & class & has_reply] {
                if kings != 0 {
                    branches.push(self.branch(asked, tried, &map, kings)?);
                }
            }
        }
        branches.sort_by_key(|branch| Reverse(branch.distance));
        Ok(branches)
    }

    /// The branch for a try after which the umpire announces the same for all these kings.
    fn branch(
        &self,
        asked: &Metaposition,
        tried: &AttackerTry,
        map: &AttackMap,
        kings: u64,
    ) -> Result<PlanBranch, ProbeError> {
        let kings_after = map.successors(kings);
        let distance = match kings_after {
            0 => 0,
            _ => self.distance(&tried.successor, kings_after)?.unwrap_or(u16::MAX),
        };
        let mut captures = Vec::new();
        for square in BitBoard(map.undefended & neighbours(kings)) {
            if let Some(left) = tried.successor.without(square) {
                let distance = self.distance(&left, square.bitboard().0)?.unwrap_or(u16::MAX);
                captures.push((square_to_board(asked, square), distance));
            }
        }
        let kings = asked.to_board(kings);
        let checks = kings
            .next_square()
            .map_or(Checks::NONE, |king| checks_on(asked, &tried.successor, king));
        let kings_after = asked.to_board(kings_after);
        Ok(PlanBranch { checks, kings, kings_after, distance, captures })
    }
}

/// Converts a square between the board on which the attacker is White and the actual board.
fn square_to_board(asked: &Metaposition, square: Square) -> Square {
    asked.move_to_board(Move::new(square, square)).from
}

/// The checks on a king, on the actual board. The placement is oriented as if the attacker were
/// White.
fn checks_on(asked: &Metaposition, placement: &Placement, king: Square) -> Checks {
    let oriented_king = square_to_board(asked, king);
    let occupied = BitBoard(placement.occupied());
    let checkers = placement.non_king_pieces().filter(|&(piece, square)| {
        piece_attacks(piece, Color::White, square, occupied).has(oriented_king)
    });
    Checks::new(
        checkers.map(|(_, square)| Direction::between(king, square_to_board(asked, square))),
    )
}
