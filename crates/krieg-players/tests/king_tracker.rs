//! The squares of a lone king, compared with what the umpire would announce on each of them.

use std::collections::BTreeSet;

use krieg_core::{
    BitBoard, Color, DrawRules, Entry, Game, Move, Observer, Piece, PieceSet, Position, Ruleset,
    SenselessTryRule, Setup, Square, Try, Verdict,
};
use krieg_players::{Seat, lone_king::KingTracker};
use krieg_testing::{cases, random_try, seeded_rng};
use krieg_time::TimeControl;
use proptest::prelude::*;
use rand::{Rng, RngExt};

fn seat(setup: &Setup, color: Color) -> Seat {
    Seat { color, setup: setup.clone(), control: TimeControl::Unlimited, seed: 1 }
}

/// The position with these pieces and a lone king on this square, if it is possible.
fn position_with_king(pieces: &PieceSet, king: Square, turn: Color) -> Option<Position> {
    if pieces.all().has(king) {
        return None;
    }
    let (lone, rights) = match pieces.color() {
        Color::White => ('k', ["K", "Q"]),
        Color::Black => ('K', ["k", "q"]),
    };
    let placed = krieg_core::placement::write(|square| {
        if square == king { Some(lone) } else { pieces.letter(square) }
    });
    let (short, long) = pieces.castling();
    let mut castling = String::new();
    for (has, right) in [short, long].into_iter().zip(rights) {
        castling += if has { right } else { "" };
    }
    let castling = if castling.is_empty() { "-" } else { &castling };
    let turn = if turn == Color::White { 'w' } else { 'b' };
    Position::from_fen(&format!("{placed} {turn} {castling} - 0 1")).ok()
}

/// The reference: every square is tested by itself against the umpire.
struct ReferenceTracker {
    squares: BTreeSet<Square>,
    refusals: usize,
}

impl ReferenceTracker {
    fn new(setup: &Setup, color: Color) -> Self {
        let turn = setup.start.turn();
        let opening = setup.start.opening(&setup.ruleset, DrawRules::NONE);
        let pieces = setup.start.pieces(color);
        let agrees = |&king: &Square| {
            position_with_king(&pieces, king, turn).is_some_and(|position| {
                position.opening(&setup.ruleset, DrawRules::NONE) == opening
            })
        };
        ReferenceTracker { squares: Square::ALL.into_iter().filter(agrees).collect(), refusals: 0 }
    }

    fn observe(&mut self, pieces: &PieceSet, entry: &Entry, is_sensible: bool, ruleset: &Ruleset) {
        let announcement = &entry.announcement;
        let Try::Move(tried) = entry.tried else { return };
        let answers = |king: Square, mv: Move| {
            let mut position =
                position_with_king(pieces, king, announcement.by).expect("a possible square");
            let answer = position.answer(mv, ruleset, DrawRules::NONE);
            (
                answer == *announcement,
                answer.verdict,
                position.pieces(!pieces.color()).all().next_square(),
            )
        };
        let squares = std::mem::take(&mut self.squares);
        if announcement.by == pieces.color() {
            self.refusals = 0;
            let agrees = |&king: &Square| !is_sensible || answers(king, tried).0;
            self.squares = squares.into_iter().filter(agrees).collect();
            return;
        }
        let steps = |king: Square| {
            cozy_chess::get_king_moves(king).into_iter().map(move |to| Move::new(king, to))
        };
        self.refusals += usize::from(announcement.verdict == Verdict::Refused);
        self.squares = match announcement.verdict {
            Verdict::Moved => squares
                .into_iter()
                .flat_map(steps)
                .filter_map(|mv| Some(answers(mv.from, mv)).filter(|answer| answer.0)?.2)
                .collect(),
            Verdict::Refused if ruleset.senseless_tries != SenselessTryRule::Refused => squares
                .into_iter()
                .filter(|&king| {
                    let refused = steps(king).filter(|&mv| answers(king, mv).1 == Verdict::Refused);
                    refused.count() >= self.refusals
                })
                .collect(),
            _ => squares,
        };
    }
}

/// A random position with a lone king against one to six helpers, or against two rooks that can
/// castle and more helpers.
fn draw_start(rng: &mut impl Rng, color: Color) -> Position {
    let helpers =
        [Piece::Pawn, Piece::Pawn, Piece::Rook, Piece::Queen, Piece::Bishop, Piece::Knight];
    loop {
        let mut squares = [BitBoard::EMPTY; Piece::NUM];
        let mut taken = BitBoard::EMPTY;
        let mut place = |piece: Piece, square: Square| {
            if !taken.has(square) {
                taken |= square.bitboard();
                squares[piece as usize] |= square.bitboard();
            }
        };
        let castles = rng.random_range(0..4) == 0;
        let home = krieg_core::Rank::First.relative_to(color);
        if castles {
            place(Piece::King, Square::new(krieg_core::File::E, home));
            place(Piece::Rook, Square::new(krieg_core::File::A, home));
            place(Piece::Rook, Square::new(krieg_core::File::H, home));
        } else {
            place(Piece::King, Square::index(rng.random_range(0..64)));
        }
        for _ in 0..rng.random_range(1..7) {
            let piece = helpers[rng.random_range(0..helpers.len())];
            let last = [krieg_core::Rank::First, krieg_core::Rank::Eighth];
            let square = Square::index(rng.random_range(0..64));
            if piece != Piece::Pawn || !last.contains(&square.rank()) {
                place(piece, square);
            }
        }
        let pieces = PieceSet::new(color, squares, (castles, castles));
        let turn = if rng.random() { Color::White } else { Color::Black };
        if let Some(start) =
            position_with_king(&pieces, Square::index(rng.random_range(0..64)), turn)
        {
            return start;
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn the_tracker_agrees_with_the_umpire(seed: u64) {
        let mut rng = seeded_rng(seed);
        let color = if rng.random() { Color::White } else { Color::Black };
        let ruleset = Ruleset::ALL[rng.random_range(0..Ruleset::ALL.len())];
        let start = draw_start(&mut rng, color);
        let setup = Setup { ruleset, draws: DrawRules::NONE, start };
        let mut tracker = KingTracker::new(&seat(&setup, color));
        let mut reference = ReferenceTracker::new(&setup, color);
        let mut observer = Observer::new(color);
        let mut game = Game::new(setup);
        for _ in 0..120 {
            if game.umpire().outcome().is_some() {
                break;
            }
            let known: BitBoard = reference.squares.iter().copied().collect();
            prop_assert_eq!(tracker.squares(), Some(known), "{}", game.umpire().position());
            let truth = game.umpire().position().pieces(!color).all();
            prop_assert!(truth.is_subset(known));
            let view = game.umpire().view(game.umpire().turn()).clone();
            let pieces = *game.umpire().view(color).pieces();
            let tried = random_try(&view, &mut rng);
            if game.judge(tried).is_err() {
                continue;
            }
            let entry = game.record().entries().last().copied().expect("the try was judged");
            if let Some(observation) = observer.observe(&entry) {
                tracker.observe(&observation);
                if entry.announcement.end.is_none() {
                    reference.observe(&pieces, &entry, view.is_sensible(tried), &ruleset);
                }
            }
        }
    }

    /// When the last other piece is captured, the true square of the king is among the tracked
    /// ones.
    #[test]
    fn the_king_is_tracked_after_the_last_other_piece_is_captured(seed: u64) {
        let mut rng = seeded_rng(seed);
        let boards = [
            "8/3k4/8/2p5/3P4/8/4Q3/R3K2R w KQ - 0 1",
            "r3k2r/8/4q3/8/3p4/2P1N3/8/3K4 b kq - 0 1",
            "8/8/8/3pP3/8/1k6/8/K6R w - d6 0 1",
            "2k5/8/8/1n6/3Q4/2P5/1P1B4/K7 w - - 0 1",
            "k7/8/7b/8/3pP1q1/8/2K5/6r1 b - e3 0 1",
        ];
        let start = Position::from_fen(boards[rng.random_range(0..boards.len())]).unwrap();
        let color = start.turn();
        let ruleset = Ruleset::ALL[rng.random_range(0..Ruleset::ALL.len())];
        let setup = Setup { ruleset, draws: DrawRules::NONE, start };
        let mut tracker = KingTracker::new(&seat(&setup, color));
        let mut observer = Observer::new(color);
        let mut game = Game::new(setup);
        for _ in 0..150 {
            if game.umpire().outcome().is_some() {
                break;
            }
            let opponent = game.umpire().position().pieces(!color).all();
            match tracker.squares() {
                Some(squares) => {
                    prop_assert_eq!(opponent.len(), 1);
                    prop_assert!(opponent.is_subset(squares), "{}", game.umpire().position());
                }
                None => prop_assert!(opponent.len() > 1),
            }
            let view = game.umpire().view(game.umpire().turn()).clone();
            // The attacker captures if it can; otherwise few pieces would be captured.
            let capture = view.tries().iter().find(|mv| opponent.has(mv.to));
            let tried = match capture {
                Some(mv) if view.player() == color => Try::Move(mv),
                _ => random_try(&view, &mut rng),
            };
            if game.judge(tried).is_ok() {
                let entry = game.record().entries().last().copied().expect("the try was judged");
                if let Some(observation) = observer.observe(&entry) {
                    tracker.observe(&observation);
                }
            }
        }
    }
}
