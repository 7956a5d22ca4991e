//! A search over metapositions, one or two own moves ahead, for endgames that no table decides.
//!
//! It follows Favini's thesis (2010), chapter 6, with two differences. Announcements are not
//! assumed to be the worst possible, but are weighted by the number of king squares on which they
//! would be made. And where there are tables, they are asked about the resulting metapositions.

use std::collections::HashMap;

use krieg_core::{BitBoard, Move, PieceSet, Promotion, Square};
use krieg_tablebase::KingSquares;

use super::attacker::{
    after_move, has_mating_material, neighbours, refusing_squares, without_piece,
};
use super::containment::Containment;
use super::evaluation::evaluate;

/// Looks up the number of moves to a certain mate.
pub(crate) type DistanceProbe<'a> = &'a dyn Fn(&PieceSet, BitBoard) -> Option<u16>;

/// How often each metaposition, and each arrangement of the player's pieces, occurred in this game
/// with the player to move.
#[derive(Debug, Clone, Default)]
pub(crate) struct RepetitionHistory {
    metapositions: HashMap<(PieceSet, u64), u32>,
    arrangements: HashMap<PieceSet, u32>,
}

/// Penalty for each earlier occurrence of the metaposition.
const METAPOSITION_PENALTY: f64 = 0.05;
/// Penalty for each earlier occurrence of the player's pieces. The umpire counts positions, of
/// which the player knows only the own pieces, so a change of these is worth something by itself.
const ARRANGEMENT_PENALTY: f64 = 0.02;

impl RepetitionHistory {
    /// Counts a metaposition at the start of a turn.
    pub fn record(&mut self, pieces: &PieceSet, kings: BitBoard) {
        *self.metapositions.entry((*pieces, kings.0)).or_default() += 1;
        *self.arrangements.entry(*pieces).or_default() += 1;
    }

    /// The king squares on which the try may repeat a position for the third time: the player's
    /// pieces would be as they were twice before, and the king would not be mated.
    pub fn repetition_squares(&self, pieces: &PieceSet, kings: BitBoard, mv: Move) -> BitBoard {
        let next = after_move(pieces, mv);
        if self.arrangements.get(&next).is_none_or(|count| *count < 2) {
            return BitBoard::EMPTY;
        }
        kings & !refusing_squares(pieces, mv) & !KingSquares::of(&next).mated()
    }

    /// The penalty for a metaposition that occurred before.
    fn penalty(&self, pieces: &PieceSet, kings: BitBoard) -> f64 {
        let count = |count: Option<&u32>| f64::from(count.copied().unwrap_or(0));
        METAPOSITION_PENALTY * count(self.metapositions.get(&(*pieces, kings.0)))
            + ARRANGEMENT_PENALTY * count(self.arrangements.get(pieces))
    }
}

/// The evaluation of a try. Tries are compared by `spoiled` first, then by `value`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TryEvaluation {
    /// Number of king squares on which the try may give the win away: by stalemate, by the loss of
    /// mating material, or by repetition.
    pub spoiled: u32,
    /// Mean value over all king squares, from 0 to 1.
    pub value: f64,
}

impl TryEvaluation {
    fn is_better_than(&self, other: &TryEvaluation) -> bool {
        (other.spoiled, self.value) > (self.spoiled, other.value)
    }
}

/// The value of a metaposition that a table wins, before [`MOVE_PENALTY`]. No other metaposition
/// has a higher value.
pub(crate) const WON: f64 = 0.9;
/// The value of a metaposition that the table of a material subset wins.
pub(crate) const WON_BY_SUBSET: f64 = 0.89;
/// Penalty for each move to a certain mate.
const MOVE_PENALTY: f64 = 0.001;
/// The upper bound of values that come from the heuristic evaluation.
const MAX_HEURISTIC: f64 = 0.8;
/// Factor for a heuristic value after the loss of a piece.
const LOSS_FACTOR: f64 = 0.5;
/// Number of the best tries that are searched one move deeper.
const DEEPER_TRIES: usize = 6;

/// The search.
pub(crate) struct MetapositionSearch<'a> {
    /// A tablebase, if there is one, and the value of a metaposition that it wins.
    pub probe: Option<(DistanceProbe<'a>, f64)>,
    /// The earlier metapositions of the game.
    pub history: &'a RepetitionHistory,
    /// Whether stalemate is a win for the attacker.
    pub stalemate_wins: bool,
    /// Whether the third repetition of a position is a draw.
    pub has_repetition_draws: bool,
}

impl MetapositionSearch<'_> {
    /// The best of these tries; `None` if none of them can be legal.
    pub fn choose(
        &self,
        pieces: &PieceSet,
        kings: BitBoard,
        tries: &[Move],
    ) -> Option<(Move, TryEvaluation)> {
        let mut rated: Vec<(Move, TryEvaluation)> = tries
            .iter()
            .filter(|&&mv| {
                is_candidate(pieces, mv) && !kings.is_subset(refusing_squares(pieces, mv))
            })
            .map(|&mv| (mv, self.evaluate_try(pieces, kings, mv, tries)))
            .map(|(mv, evaluation)| (mv, self.with_repetition(pieces, kings, mv, evaluation)))
            .collect();
        // The sort is stable, so the choice between equal tries is reproducible.
        rated.sort_by(|(_, a), (_, b)| a.spoiled.cmp(&b.spoiled).then(b.value.total_cmp(&a.value)));
        let least = rated.first()?.1.spoiled;
        let candidates = rated.iter().take_while(|(_, evaluation)| evaluation.spoiled == least);
        let mut best: Option<(Move, TryEvaluation)> = None;
        for &(mv, shallow) in candidates.take(DEEPER_TRIES) {
            let accepting = kings & !refusing_squares(pieces, mv);
            let deep = self.evaluate_accepted(pieces, accepting, mv, true);
            let value = (shallow.value + deep.value) / 2.0;
            let evaluation = TryEvaluation { value, ..shallow };
            if best.is_none_or(|(_, best)| evaluation.is_better_than(&best)) {
                best = Some((mv, evaluation));
            }
        }
        best
    }

    /// Counts the squares on which the try may repeat a position for the third time as spoiled.
    fn with_repetition(
        &self,
        pieces: &PieceSet,
        kings: BitBoard,
        mv: Move,
        evaluation: TryEvaluation,
    ) -> TryEvaluation {
        if !self.has_repetition_draws {
            return evaluation;
        }
        let repeating = self.history.repetition_squares(pieces, kings, mv);
        TryEvaluation { spoiled: evaluation.spoiled.max(repeating.len()), ..evaluation }
    }

    /// Evaluates a try over the squares on which it is accepted and those on which it is refused. A
    /// refusal costs no turn and gives information.
    fn evaluate_try(
        &self,
        pieces: &PieceSet,
        kings: BitBoard,
        mv: Move,
        tries: &[Move],
    ) -> TryEvaluation {
        let refused = kings & refusing_squares(pieces, mv);
        let accepted = self.evaluate_accepted(pieces, kings & !refused, mv, false);
        if refused.is_empty() {
            return accepted;
        }
        let others = tries.iter().filter(|&&other| other != mv && is_candidate(pieces, other));
        let next = match self.tablebase_value(pieces, refused) {
            Some(value) => Some(TryEvaluation { spoiled: 0, value }),
            None => best_of(others.filter_map(|&other| {
                let accepting = refused & !refusing_squares(pieces, other);
                let is_certain = accepting == refused;
                is_certain.then(|| self.evaluate_accepted(pieces, accepting, other, false))
            })),
        };
        let next = next.unwrap_or(TryEvaluation { spoiled: refused.len(), value: 0.0 });
        let share = refused.len() as f64 / kings.len() as f64;
        TryEvaluation {
            spoiled: accepted.spoiled + next.spoiled,
            value: accepted.value * (1.0 - share) + next.value * share,
        }
    }

    /// Evaluates a move over king squares on which it is legal. `is_deep` adds another own move.
    fn evaluate_accepted(
        &self,
        pieces: &PieceSet,
        kings: BitBoard,
        mv: Move,
        is_deep: bool,
    ) -> TryEvaluation {
        let pieces = after_move(pieces, mv);
        let containment = Containment::new(&pieces);
        let stalemated = kings & containment.squares.stalemated();
        let mut sum = (kings & containment.squares.mated()).len() as f64;
        let mut spoiled = 0;
        match self.stalemate_wins {
            true => sum += stalemated.len() as f64,
            false => spoiled += stalemated.len(),
        }
        for class in containment.announcement_classes(kings) {
            let moved = containment.squares.successors(class);
            let continuation = match moved.is_empty() {
                true => 1.0,
                false => self.continuation_value(&pieces, moved, is_deep),
            };
            let capturing = class & neighbours(containment.squares.undefended);
            sum += continuation * (class & !capturing).len() as f64;
            for king in capturing {
                let victims = neighbours(king.bitboard()) & containment.squares.undefended;
                let after_loss = self.value_after_loss(&pieces, victims);
                spoiled += u32::from(after_loss == 0.0);
                sum += continuation.min(after_loss);
            }
        }
        TryEvaluation { spoiled, value: sum / kings.len().max(1) as f64 }
    }

    /// The lowest value after the loss of one of these pieces; 0 without mating material.
    fn value_after_loss(&self, pieces: &PieceSet, victims: BitBoard) -> f64 {
        let value = |victim: Square| {
            let rest = without_piece(pieces, victim);
            match has_mating_material(&rest) {
                true => match self.tablebase_value(&rest, victim.bitboard()) {
                    Some(value) => value,
                    None => LOSS_FACTOR * MAX_HEURISTIC * evaluate(&rest, victim.bitboard()),
                },
                false => 0.0,
            }
        };
        victims.into_iter().map(value).fold(1.0, f64::min)
    }

    /// The value of a metaposition that a table wins.
    fn tablebase_value(&self, pieces: &PieceSet, kings: BitBoard) -> Option<f64> {
        let (probe, won) = self.probe?;
        Some(won - MOVE_PENALTY * f64::from(probe(pieces, kings)?))
    }

    /// The value of a metaposition with the attacker to move.
    fn continuation_value(&self, pieces: &PieceSet, kings: BitBoard, is_deep: bool) -> f64 {
        if let Some(value) = self.tablebase_value(pieces, kings) {
            return value;
        }
        let without_probe = MetapositionSearch { probe: None, ..*self };
        let best_move = is_deep.then(|| {
            let tries = pieces.tries();
            let certain = tries.iter().filter(|&mv| {
                is_candidate(pieces, mv) && kings.is_disjoint(refusing_squares(pieces, mv))
            });
            // Moves that may give the win away are not counted on.
            let evaluated =
                certain.map(|mv| without_probe.evaluate_accepted(pieces, kings, mv, false));
            best_of(evaluated.filter(|evaluation| evaluation.spoiled == 0))
        });
        let value = match best_move {
            Some(Some(evaluation)) => evaluation.value,
            Some(None) => 0.0,
            None => MAX_HEURISTIC * evaluate(pieces, kings),
        };
        (value - self.history.penalty(pieces, kings)).max(0.0)
    }
}

fn best_of(evaluations: impl Iterator<Item = TryEvaluation>) -> Option<TryEvaluation> {
    evaluations.reduce(|best, other| if other.is_better_than(&best) { other } else { best })
}

/// Whether a try is searched. Diagonal pawn moves are never legal against a lone king; promotions
/// to bishop or knight are left out.
fn is_candidate(pieces: &PieceSet, mv: Move) -> bool {
    let is_major = matches!(mv.promotion, None | Some(Promotion::Queen | Promotion::Rook));
    is_major && !pieces.is_pawn_capture(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position};

    /// A search without tables, with draws by repetition.
    fn without_tables(history: &RepetitionHistory, stalemate_wins: bool) -> MetapositionSearch<'_> {
        MetapositionSearch { probe: None, history, stalemate_wins, has_repetition_draws: true }
    }

    /// The choice with the king on its square in the FEN or on one of these squares.
    fn choice(fen: &str, more_kings: &[Square], stalemate_wins: bool) -> (String, TryEvaluation) {
        let board = Position::from_fen(fen).unwrap();
        let pieces = board.pieces(board.turn());
        let mut kings = board.pieces(!board.turn()).all();
        more_kings.iter().for_each(|king| kings |= king.bitboard());
        let history = RepetitionHistory::default();
        let search = without_tables(&history, stalemate_wins);
        let tries: Vec<Move> = pieces.tries().iter().collect();
        let (mv, evaluation) = search.choose(&pieces, kings, &tries).unwrap();
        (mv.to_string(), evaluation)
    }

    #[test]
    fn mate_in_one_is_played() {
        assert_eq!(choice("k7/8/1K6/8/8/8/8/7R w - - 0 1", &[], false).0, "h1h8");
        assert_eq!(choice("7r/8/8/8/8/1k6/8/K7 b - - 0 1", &[], false).0, "h8h1");
    }

    #[test]
    fn a_pawn_promotes_to_a_rook_where_a_queen_would_stalemate() {
        let position = Position::from_fen("8/5P1k/8/5K2/8/8/8/8 w - - 0 1").unwrap();
        let pieces = position.pieces(Color::White);
        let history = RepetitionHistory::default();
        let tries = ["f7f8q", "f7f8r"].map(|tried| tried.parse().unwrap());
        for (stalemate_wins, expected) in [(false, "f7f8r"), (true, "f7f8q")] {
            let search = without_tables(&history, stalemate_wins);
            let (mv, _) = search.choose(&pieces, Square::H7.bitboard(), &tries).unwrap();
            assert_eq!(mv.to_string(), expected);
        }
    }

    #[test]
    fn a_rook_that_may_be_attacked_is_moved_to_safety() {
        // The king may be next to the rook, on either side.
        let kings = [Square::F3, Square::H3, Square::H1];
        let (mv, evaluation) = choice("8/8/8/8/8/5k2/6R1/K7 w - - 0 1", &kings, false);
        assert_eq!(evaluation.spoiled, 0, "{mv}");
        assert!(mv.starts_with("g2"), "{mv}");
    }

    #[test]
    fn arrangements_that_occurred_twice_are_avoided() {
        // King, knight and two pawns: no table shows the way, and pieces could move back and forth.
        let board = Position::from_fen("8/8/8/4k3/8/P1K5/P7/1N6 w - - 0 1").unwrap();
        let (pieces, kings) = (board.pieces(Color::White), BitBoard(0x0000_3c3c_3c00_0000));
        let tries: Vec<Move> = pieces.tries().iter().collect();
        let mut history = RepetitionHistory::default();
        let mut chosen = Vec::new();
        for _ in 0..8 {
            let search = without_tables(&history, false);
            let (mv, evaluation) = search.choose(&pieces, kings, &tries).unwrap();
            assert!(evaluation.spoiled == 0 && !chosen.contains(&mv), "{mv} after {chosen:?}");
            chosen.push(mv);
            (0..2).for_each(|_| history.record(&after_move(&pieces, mv), kings));
        }
    }

    #[test]
    fn mate_is_played_even_if_the_arrangement_occurred_twice() {
        let board = Position::from_fen("k7/8/1K6/8/8/8/8/7R w - - 0 1").unwrap();
        let (pieces, kings) = (board.pieces(Color::White), Square::A8.bitboard());
        let tries: Vec<Move> = pieces.tries().iter().collect();
        let mut history = RepetitionHistory::default();
        let mate: Move = "h1h8".parse().unwrap();
        (0..2).for_each(|_| history.record(&after_move(&pieces, mate), kings));
        let search = without_tables(&history, false);
        assert_eq!(search.choose(&pieces, kings, &tries).unwrap().0, mate);
    }

    #[test]
    fn a_metaposition_that_occurred_before_is_penalized() {
        let board = Position::from_fen("8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1").unwrap();
        let (pieces, kings) = (board.pieces(Color::White), board.pieces(Color::Black).all());
        let mut history = RepetitionHistory::default();
        let new = history.penalty(&pieces, kings);
        history.record(&pieces, kings);
        let seen = history.penalty(&pieces, kings);
        assert!(new == 0.0 && seen > history.penalty(&pieces, BitBoard::FULL));
    }
}
