//! The walk through the possible games comes to the boards that the exact belief holds, and to no others.

use std::collections::HashSet;

use krieg_belief::{
    Belief, BoardSet, DepthFirstMode, DepthFirstResult, DepthFirstStates, OpponentBoard,
};
use krieg_core::{Color, Entry, Game, Observer, Position, Ruleset, Setup};
use krieg_testing::{TEST_POSITIONS, random_try, seeded_rng};

/// Plays random games under every ruleset from every lively position, and shows a player's exact belief and his stream to `look` after every
/// line he begin_turn, until it has seen enough.
fn watch(
    walk: DepthFirstMode,
    mut look: impl FnMut(&Setup, &BoardSet, &mut DepthFirstStates) -> bool,
) {
    for (seed, (ruleset, fen)) in Ruleset::ALL
        .into_iter()
        .flat_map(|ruleset| TEST_POSITIONS.into_iter().map(move |fen| (ruleset, fen)))
        .enumerate()
    {
        let start = Position::from_fen(fen).unwrap();
        let setup = Setup { ruleset, start, ..Setup::default() };
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut rng = seeded_rng(seed as u64);
        let mut game = Game::new(setup.clone());
        let mut pool = BoardSet::new(&setup, player, 20_000, 0);
        let mut stream = DepthFirstStates::new(&setup, player, walk, seed as u64);
        let mut ear = Observer::new(player);
        for _ in 0..60 {
            let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
            let Ok(said) = game.judge(tried) else { continue };
            if said.end.is_some() {
                break;
            }
            let Some(line) = ear.observe(&Entry { tried, announcement: said, spent_ms: None })
            else {
                continue;
            };
            pool.observe(&line).unwrap();
            stream.observe(&line);
            assert_eq!(stream.view(), pool.view());
            if !pool.is_complete() || !look(&setup, &pool, &mut stream) {
                break;
            }
        }
    }
}

fn hidden(board: &Position, pool: &BoardSet) -> OpponentBoard {
    OpponentBoard::of(board, !pool.view().player())
}

#[test]
fn what_goes_on_to_the_end_sees_every_board() {
    let mut compared = 0;
    watch(DepthFirstMode::Resume, |setup, pool, stream| {
        let mut seen = HashSet::new();
        let mut steps_left = 20_000;
        loop {
            // Little by little, so that walks are cut off, and go on, in all places.
            match stream.next_board(7) {
                DepthFirstResult::Board(board) => drop(seen.insert(hidden(&board, pool))),
                DepthFirstResult::CutOff => {}
                DepthFirstResult::Exhausted => break,
            }
            steps_left -= 1;
            if steps_left == 0 {
                return false;
            }
        }
        assert_eq!(stream.next_board(7), DepthFirstResult::Exhausted);
        let all: HashSet<OpponentBoard> = pool.boards().iter().copied().collect();
        assert_eq!(seen, all, "{}", setup.ruleset);
        compared += 1;
        true
    });
    assert!(compared > 300, "{compared}");
}

#[test]
fn every_board_of_a_stream_fits() {
    let (mut found, mut cut_off) = (0, 0);
    watch(DepthFirstMode::Restart, |setup, pool, stream| {
        let mut again = stream.clone();
        for _ in 0..5 {
            let next = stream.next_board(200);
            assert_eq!(next, again.next_board(200), "the same seed gives the same stream");
            match next {
                DepthFirstResult::Board(board) => {
                    let board = hidden(&board, pool);
                    assert!(pool.boards().contains(&board), "{} {board:?}", setup.ruleset);
                    found += 1;
                }
                DepthFirstResult::CutOff => cut_off += 1,
                DepthFirstResult::Exhausted => {
                    panic!("the game that was played is one of those possible")
                }
            }
        }
        true
    });
    assert!(found > 2_000 && cut_off > 10, "{found} {cut_off}");
}
