//! The squares of a lone king, compared with what the umpire would have said of every one of them.

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

/// The board with these men and a lone king, if it can be.
fn board(men: &PieceSet, king: Square, turn: Color) -> Option<Position> {
    if men.all().has(king) {
        return None;
    }
    let (lone, rights) = match men.color() {
        Color::White => ('k', ["K", "Q"]),
        Color::Black => ('K', ["k", "q"]),
    };
    let placed =
        krieg_core::placement::write(
            |square| if square == king { Some(lone) } else { men.letter(square) },
        );
    let (short, long) = men.castling();
    let mut castling = String::new();
    for (has, right) in [short, long].into_iter().zip(rights) {
        castling += if has { right } else { "" };
    }
    let castling = if castling.is_empty() { "-" } else { &castling };
    let turn = if turn == Color::White { 'w' } else { 'b' };
    Position::from_fen(&format!("{placed} {turn} {castling} - 0 1")).ok()
}

/// Every square, each asked about by itself.
struct EverySquare {
    squares: BTreeSet<Square>,
    refusals: usize,
}

impl EverySquare {
    fn new(setup: &Setup, color: Color) -> Self {
        let turn = setup.start.turn();
        let opening = setup.start.opening(&setup.ruleset, DrawRules::NONE);
        let men = setup.start.pieces(color);
        let agrees = |&king: &Square| {
            board(&men, king, turn)
                .is_some_and(|board| board.opening(&setup.ruleset, DrawRules::NONE) == opening)
        };
        EverySquare { squares: Square::ALL.into_iter().filter(agrees).collect(), refusals: 0 }
    }

    fn observe(&mut self, men: &PieceSet, entry: &Entry, is_sensible: bool, ruleset: &Ruleset) {
        let said = &entry.announcement;
        let Try::Move(tried) = entry.tried else { return };
        let answers = |king: Square, mv: Move| {
            let mut board = board(men, king, said.by).expect("it was thought possible");
            let answer = board.answer(mv, ruleset, DrawRules::NONE);
            (answer == *said, answer.verdict, board.pieces(!men.color()).all().next_square())
        };
        let squares = std::mem::take(&mut self.squares);
        if said.by == men.color() {
            self.refusals = 0;
            let agrees = |&king: &Square| !is_sensible || answers(king, tried).0;
            self.squares = squares.into_iter().filter(agrees).collect();
            return;
        }
        let steps = |king: Square| {
            cozy_chess::get_king_moves(king).into_iter().map(move |to| Move::new(king, to))
        };
        self.refusals += usize::from(said.verdict == Verdict::Refused);
        self.squares = match said.verdict {
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

/// A position with a lone king and any helpers, from few to many, now and then ready to castle.
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
        let men = PieceSet::new(color, squares, (castles, castles));
        let turn = if rng.random() { Color::White } else { Color::Black };
        if let Some(start) = board(&men, Square::index(rng.random_range(0..64)), turn) {
            return start;
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn what_is_known_of_a_lone_king_is_all_that_was_said(seed: u64) {
        let mut rng = seeded_rng(seed);
        let color = if rng.random() { Color::White } else { Color::Black };
        let ruleset = Ruleset::ALL[rng.random_range(0..Ruleset::ALL.len())];
        let start = draw_start(&mut rng, color);
        let setup = Setup { ruleset, draws: DrawRules::NONE, start };
        let mut king = KingTracker::new(&seat(&setup, color));
        let mut every = EverySquare::new(&setup, color);
        let mut ear = Observer::new(color);
        let mut game = Game::new(setup);
        for _ in 0..120 {
            if game.umpire().outcome().is_some() {
                break;
            }
            let known: BitBoard = every.squares.iter().copied().collect();
            prop_assert_eq!(king.squares(), Some(known), "{}", game.umpire().position());
            let truth = game.umpire().position().pieces(!color).all();
            prop_assert!(truth.is_subset(known));
            let view = game.umpire().view(game.umpire().turn()).clone();
            let men = *game.umpire().view(color).pieces();
            let tried = random_try(&view, &mut rng);
            if game.judge(tried).is_err() {
                continue;
            }
            let entry = game.record().entries().last().copied().expect("it was judged");
            if let Some(line) = ear.observe(&entry) {
                king.observe(&line);
                if entry.announcement.end.is_none() {
                    every.observe(&men, &entry, view.is_sensible(tried), &ruleset);
                }
            }
        }
    }

    /// Whoever was there before the last companion fell is among the squares after.
    #[test]
    fn he_is_found_when_his_last_companion_falls(seed: u64) {
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
        let mut king = KingTracker::new(&seat(&setup, color));
        let mut ear = Observer::new(color);
        let mut game = Game::new(setup);
        for _ in 0..150 {
            if game.umpire().outcome().is_some() {
                break;
            }
            let enemies = game.umpire().position().pieces(!color).all();
            match king.squares() {
                Some(squares) => {
                    prop_assert_eq!(enemies.len(), 1);
                    prop_assert!(enemies.is_subset(squares), "{}", game.umpire().position());
                }
                None => prop_assert!(enemies.len() > 1),
            }
            let view = game.umpire().view(game.umpire().turn()).clone();
            // Whoever can take, takes: otherwise few companions would fall.
            let taking = view.tries().iter().find(|mv| enemies.has(mv.to));
            let tried = match taking {
                Some(mv) if view.player() == color => Try::Move(mv),
                _ => random_try(&view, &mut rng),
            };
            if game.judge(tried).is_ok() {
                let entry = game.record().entries().last().copied().expect("it was judged");
                if let Some(line) = ear.observe(&entry) {
                    king.observe(&line);
                }
            }
        }
    }
}
