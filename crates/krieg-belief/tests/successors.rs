//! The fast successor generator and board set agree with the plain versions.

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

/// The boards after the opponent's move, by the plain and by the fast version.
fn both_ways(
    rules: &ObservationModel,
    turn: &OpponentTurn,
    own: [&PieceSet; 2],
    boards: &[OpponentBoard],
    observation: &Observation,
) -> [Vec<OpponentBoard>; 2] {
    let [mut plain, mut fast] = [Vec::new(), Vec::new()];
    let opponent = observation.announcement.by;
    let generator = SuccessorGenerator::new(rules, turn, own, &observation.announcement).unwrap();
    for board in boards {
        let position = board.position(own[0], opponent).unwrap();
        let found = |_, after: Position| plain.push(OpponentBoard::of(&after, opponent));
        rules.for_each_successor(&position, turn, &observation.announcement, || true, found);
        generator.for_each(board, || true, |after| fast.push(after));
    }
    [plain, fast]
}

/// The number of occurrences of each board.
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
    fn both_versions_find_the_same_boards(
        seed in any::<u64>(),
        at in 0..TEST_POSITIONS.len(),
        rules in 0..7usize,
    ) {
        let start = Position::from_fen(TEST_POSITIONS[at]).unwrap();
        let setup = Setup { ruleset: Ruleset::ALL[rules], start, ..Setup::default() };
        let rules = ObservationModel::new(&setup);
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut rng = seeded_rng(seed);
        let mut game = Game::new(setup.clone());
        let mut belief = BoardSet::new(&setup, player, 200, seed);
        let mut observer = Observer::new(player);
        let mut turn = OpponentTurn::after(game.record().opening());
        for _ in 0..120 {
            let own = game.umpire().position().pieces(player);
            let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
            let Ok(announcement) = game.judge(tried) else { continue };
            let entry = Entry { tried, announcement, spent_ms: None };
            let Some(observation) = observer.observe(&entry) else { continue };
            let boards = belief.boards().to_vec();
            // A sample may become empty; then there is nothing left to compare.
            if belief.observe(&observation).is_err() || announcement.end.is_some() {
                break;
            }
            if announcement.by == player {
                turn = OpponentTurn::after(&announcement);
            } else if announcement.verdict == Verdict::Moved {
                let after = game.umpire().position().pieces(player);
                let [plain, fast] = both_ways(&rules, &turn, [&own, &after], &boards, &observation);
                prop_assert_eq!(counted(&plain), counted(&fast), "{}", setup.ruleset);
            } else {
                turn.observe(&announcement);
            }
        }
    }
}

#[test]
fn unique_boards_agree_with_a_hash_set() {
    // The boards of a few games with many duplicates, enough for the table to grow.
    let mut boards = Vec::new();
    for seed in 0..30 {
        let mut rng = seeded_rng(seed);
        let mut game = Game::new(Setup::default());
        let mut belief = BoardSet::new(&Setup::default(), Color::White, 3_000, seed);
        let mut observer = Observer::new(Color::White);
        for _ in 0..30 {
            let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
            let Ok(announcement) = game.judge(tried) else { continue };
            if let Some(observation) =
                observer.observe(&Entry { tried, announcement, spent_ms: None })
            {
                let _ = belief.observe(&observation);
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
