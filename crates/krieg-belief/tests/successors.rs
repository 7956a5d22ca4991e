//! The fast way to make the opponent's move finds what the plain way finds.

use std::collections::{HashMap, HashSet};

use krieg_belief::{
    Belief, BoardSet, ObservationModel, OpponentBoard, OpponentTurn, SuccessorGenerator,
    UniqueBoards,
};
use krieg_core::{
    Color, Entry, Game, Observation, Observer, PieceSet, Position, Ruleset, Setup, Verdict,
};
use krieg_testing::{TEST_POSITIONS, cases, random_try, seeded_rng};
use proptest::prelude::*;

/// The boards after the opponent's move, in the plain way and in the fast way.
fn both_ways(
    rules: &ObservationModel,
    turn: &OpponentTurn,
    men: [&PieceSet; 2],
    boards: &[OpponentBoard],
    line: &Observation,
) -> [Vec<OpponentBoard>; 2] {
    let [mut plain, mut fast] = [Vec::new(), Vec::new()];
    let enemy = line.announcement.by;
    let replies = SuccessorGenerator::new(rules, turn, men, &line.announcement).unwrap();
    for board in boards {
        let position = board.position(men[0], enemy).unwrap();
        let found = |_, after: Position| plain.push(OpponentBoard::of(&after, enemy));
        rules.for_each_successor(&position, turn, &line.announcement, || true, found);
        replies.for_each(board, || true, |after| fast.push(after));
    }
    [plain, fast]
}

/// How often each board is there.
fn counted(boards: &[OpponentBoard]) -> HashMap<OpponentBoard, u32> {
    let mut counts = HashMap::new();
    for board in boards {
        *counts.entry(*board).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn both_find_the_same(seed in any::<u64>(), at in 0..TEST_POSITIONS.len(), rules in 0..7usize) {
        let start = Position::from_fen(TEST_POSITIONS[at]).unwrap();
        let setup = Setup { ruleset: Ruleset::ALL[rules], start, ..Setup::default() };
        let rules = ObservationModel::new(&setup);
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut rng = seeded_rng(seed);
        let mut game = Game::new(setup.clone());
        let mut belief = BoardSet::new(&setup, player, 200, seed);
        let mut ear = Observer::new(player);
        let mut turn = OpponentTurn::after(game.record().opening());
        for _ in 0..120 {
            let men = game.umpire().position().pieces(player);
            let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
            let Ok(said) = game.judge(tried) else { continue };
            let Some(line) = ear.observe(&Entry { tried, announcement: said, spent_ms: None }) else { continue };
            let boards = belief.boards().to_vec();
            // A share may come to nothing; then there is nothing to compare any more.
            if belief.observe(&line).is_err() || said.end.is_some() {
                break;
            }
            if said.by == player {
                turn = OpponentTurn::after(&said);
            } else if said.verdict == Verdict::Moved {
                let after = game.umpire().position().pieces(player);
                let [plain, fast] = both_ways(&rules, &turn, [&men, &after], &boards, &line);
                prop_assert_eq!(counted(&plain), counted(&fast), "{} {}", setup.ruleset, said);
            } else {
                turn.observe(&said);
            }
        }
    }
}

#[test]
fn boards_are_told_apart_as_by_a_plain_set() {
    // The boards of a few games, most of them many times, enough for the table to grow.
    let mut boards = Vec::new();
    for seed in 0..30 {
        let mut rng = seeded_rng(seed);
        let mut game = Game::new(Setup::default());
        let mut belief = BoardSet::new(&Setup::default(), Color::White, 3_000, seed);
        let mut ear = Observer::new(Color::White);
        for _ in 0..30 {
            let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
            let Ok(said) = game.judge(tried) else { continue };
            if let Some(line) = ear.observe(&Entry { tried, announcement: said, spent_ms: None }) {
                let _ = belief.observe(&line);
                boards.extend_from_slice(belief.boards());
            }
        }
    }
    let plain: HashSet<OpponentBoard> = boards.iter().copied().collect();
    assert!(plain.len() > 30_000 && boards.len() > plain.len() * 5 / 4, "{}", plain.len());
    let mut one_by_one = UniqueBoards::new();
    let mut at_once = UniqueBoards::new();
    for board in &boards {
        one_by_one.insert(*board);
    }
    boards.chunks(1_000).for_each(|some| at_once.insert_all(some));
    assert_eq!(one_by_one.into_boards(), at_once.clone().into_boards());
    assert!((40.0..=64.0).contains(&at_once.peak_bytes_per_board()));
    assert!(at_once.bytes() <= 56 * at_once.len());
    let found = at_once.into_boards();
    assert_eq!(found.len(), plain.len());
    assert_eq!(found.into_iter().collect::<HashSet<_>>(), plain);
}
