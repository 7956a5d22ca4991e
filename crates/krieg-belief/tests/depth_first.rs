//! The depth-first search finds the boards of the exact belief, and no others.

use std::collections::HashSet;

use krieg_belief::{
    Belief, BoardSet, DepthFirstMode, DepthFirstResult, DepthFirstStates, OpponentBoard,
};
use krieg_core::{Color, Entry, Game, Observer, Position, Ruleset, Setup};
use krieg_testing::{TEST_POSITIONS, random_try, seeded_rng};

/// Plays random games under every ruleset from every test position, and calls `look` with a
/// player's exact belief and search after every observation, until it returns false.
fn follow(
    mode: DepthFirstMode,
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
        let mut exact = BoardSet::new(&setup, player, 20_000, 0);
        let mut states = DepthFirstStates::new(&setup, player, mode, seed as u64);
        let mut observer = Observer::new(player);
        for _ in 0..60 {
            let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
            let Ok(announcement) = game.judge(tried) else { continue };
            if announcement.end.is_some() {
                break;
            }
            let Some(observation) =
                observer.observe(&Entry { tried, announcement, spent_ms: None })
            else {
                continue;
            };
            exact.observe(&observation).unwrap();
            states.observe(&observation);
            assert_eq!(states.view(), exact.view());
            if !exact.is_complete() || !look(&setup, &exact, &mut states) {
                break;
            }
        }
    }
}

fn opponent_board(board: &Position, exact: &BoardSet) -> OpponentBoard {
    OpponentBoard::of(board, !exact.view().player())
}

#[test]
fn resuming_until_the_end_finds_every_board() {
    let mut compared = 0;
    follow(DepthFirstMode::Resume, |setup, exact, states| {
        let mut found = HashSet::new();
        let mut steps_left = 20_000;
        loop {
            // A small limit, so that the search stops and resumes in all places.
            match states.next_board(7) {
                DepthFirstResult::Board(board) => drop(found.insert(opponent_board(&board, exact))),
                DepthFirstResult::CutOff => {}
                DepthFirstResult::Exhausted => break,
            }
            steps_left -= 1;
            if steps_left == 0 {
                return false;
            }
        }
        assert_eq!(states.next_board(7), DepthFirstResult::Exhausted);
        let all: HashSet<OpponentBoard> = exact.boards().iter().copied().collect();
        assert_eq!(found, all, "{}", setup.ruleset);
        compared += 1;
        true
    });
    assert!(compared > 300, "{compared}");
}

#[test]
fn every_board_found_fits() {
    let (mut found, mut cut_off) = (0, 0);
    follow(DepthFirstMode::Restart, |setup, exact, states| {
        let mut again = states.clone();
        for _ in 0..5 {
            let next = states.next_board(200);
            assert_eq!(next, again.next_board(200), "the search is reproducible");
            match next {
                DepthFirstResult::Board(board) => {
                    let board = opponent_board(&board, exact);
                    assert!(exact.boards().contains(&board), "{} {board:?}", setup.ruleset);
                    found += 1;
                }
                DepthFirstResult::CutOff => cut_off += 1,
                DepthFirstResult::Exhausted => {
                    panic!("the played game itself is possible")
                }
            }
        }
        true
    });
    assert!(found > 2_000 && cut_off > 10, "{found} {cut_off}");
}
