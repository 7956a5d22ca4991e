//! The complete board set contains exactly the boards that fit all observations.

use std::collections::HashSet;

use krieg_belief::{Belief, BoardSet, OpponentBoard};
use krieg_core::{Color, Entry, Game, Observer, Ruleset, Setup, Try};
use krieg_testing::{TEST_POSITIONS, cases, random_try, seeded_rng};
use proptest::prelude::*;

/// Plays a random game, and calls `look` with the game and each player's belief after every try.
fn follow(
    setup: &Setup,
    seed: u64,
    tries: usize,
    capacity: usize,
    mut look: impl FnMut(&Game, Color, &BoardSet),
) {
    let mut rng = seeded_rng(seed);
    let mut game = Game::new(setup.clone());
    let mut beliefs = Color::ALL.map(|color| BoardSet::new(setup, color, capacity, seed));
    let mut observers = Color::ALL.map(Observer::new);
    for _ in 0..tries {
        if game.umpire().outcome().is_some() {
            break;
        }
        let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let Ok(announcement) = game.judge(tried) else { continue };
        let entry = Entry { tried, announcement, spent_ms: None };
        for color in Color::ALL {
            if let Some(observation) = observers[color as usize].observe(&entry) {
                let belief = &mut beliefs[color as usize];
                let observed = belief.observe(&observation);
                assert!(
                    observed.is_ok() || !belief.is_complete(),
                    "{} {observed:?}",
                    setup.ruleset
                );
                look(&game, color, belief);
            }
        }
    }
}

fn setups() -> impl Iterator<Item = Setup> {
    Ruleset::ALL.into_iter().flat_map(|ruleset| {
        TEST_POSITIONS.into_iter().map(move |fen| {
            let start = krieg_core::Position::from_fen(fen).unwrap();
            Setup { ruleset, start, ..Setup::default() }
        })
    })
}

#[test]
fn a_complete_set_contains_the_true_board() {
    let mut checked = 0;
    for (seed, setup) in setups().enumerate() {
        follow(&setup, seed as u64, 60, 3_000, |game, color, belief| {
            if game.umpire().outcome().is_some() || !belief.is_complete() {
                return;
            }
            let truth = OpponentBoard::of(game.umpire().position(), !color);
            assert!(
                belief.boards().contains(&truth),
                "{} {}",
                setup.ruleset,
                game.umpire().position()
            );
            assert_eq!(belief.view(), game.umpire().view(color));
            checked += 1;
        });
    }
    assert!(checked > 800, "{checked}");
}

/// The possible boards by brute force: an umpire continues every possible game with every possible
/// try.
struct BruteForce {
    player: Color,
    games: Vec<Game>,
}

impl BruteForce {
    fn observe(&mut self, entry: &Entry) {
        let mut observer = Observer::new(self.player);
        let Some(observed) = observer.observe(entry) else { return };
        let mut next = Vec::new();
        for game in &self.games {
            if entry.announcement.by == self.player {
                let mut game = game.clone();
                if game.judge(entry.tried) == Ok(entry.announcement) {
                    next.push(game);
                }
                continue;
            }
            let view = game.umpire().view(!self.player);
            let mut tries: Vec<Try> = view.tries().iter().map(Try::Move).collect();
            if view.can_ask_any() {
                tries.push(Try::Any);
            }
            // A senseless try, which some rulesets refuse like any other illegal try.
            let king = view.pieces().pieces(krieg_core::Piece::King).next_square().unwrap();
            tries.push(Try::Move(krieg_core::Move::new(king, king)));
            for tried in tries {
                let mut game = game.clone();
                if game.judge(tried) == Ok(observed.announcement) {
                    next.push(game);
                }
            }
        }
        let mut seen = HashSet::new();
        next.retain(|game| {
            // The tries that were refused in this turn are part of the state too.
            let view = game.umpire().view(!self.player);
            let tries: Vec<String> = view.tries().iter().map(|mv| mv.to_string()).collect();
            let position = game.umpire().position().to_string();
            let without_clocks = position.split(' ').take(4).collect::<Vec<_>>().join(" ");
            seen.insert((without_clocks, tries))
        });
        self.games = next;
    }

    fn boards(&self) -> HashSet<OpponentBoard> {
        self.games
            .iter()
            .map(|game| OpponentBoard::of(game.umpire().position(), !self.player))
            .collect()
    }
}

#[test]
fn brute_force_finds_the_same_boards() {
    let mut compared = 0;
    for (seed, setup) in setups().enumerate() {
        // Public refusals multiply the games that brute force has to keep.
        let draws = krieg_core::DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        let setup = Setup { draws, ..setup };
        let mut game = Game::new(setup.clone());
        let mut rng = seeded_rng(seed as u64);
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut set = BoardSet::new(&setup, player, 1_000_000, 0);
        let mut brute_force = BruteForce { player, games: vec![game.clone()] };
        let mut observer = Observer::new(player);
        while game.umpire().outcome().is_none() && brute_force.games.len() < 300 {
            let view = game.umpire().view(game.umpire().turn());
            let drawn = random_try(view, &mut rng);
            let tried = if view.is_sensible(drawn) { drawn } else { continue };
            let announcement = game.judge(tried).unwrap();
            let entry = Entry { tried, announcement, spent_ms: None };
            brute_force.observe(&entry);
            if let Some(observation) = observer.observe(&entry) {
                set.observe(&observation).unwrap();
            }
            if announcement.end.is_some() {
                break;
            }
            // During the opponent's turn the board set waits for the accepted move.
            if announcement.verdict != krieg_core::Verdict::Moved && announcement.by != player {
                continue;
            }
            let boards: HashSet<OpponentBoard> = set.boards().iter().copied().collect();
            assert_eq!(boards.len(), set.len(), "no duplicates");
            assert_eq!(
                boards,
                brute_force.boards(),
                "{} after {tried}: {announcement}",
                setup.ruleset
            );
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_sample_is_a_subset_of_the_complete_set(
        seed in any::<u64>(),
        at in 0..12usize,
        rules in 0..7usize,
    ) {
        let start = krieg_core::Position::from_fen(TEST_POSITIONS[at]).unwrap();
        let setup = Setup { ruleset: Ruleset::ALL[rules], start, ..Setup::default() };
        let mut complete_sets: Vec<HashSet<OpponentBoard>> = Vec::new();
        follow(&setup, seed, 12, 10_000, |_, _, belief| {
            let boards = belief.boards().iter().filter(|_| belief.is_complete());
            complete_sets.push(boards.copied().collect());
        });
        let mut complete_sets = complete_sets.into_iter();
        follow(&setup, seed, 12, 40, |_, _, belief| {
            let complete = complete_sets.next().unwrap();
            assert_is_subset(belief, &complete);
        });
    }
}

fn assert_is_subset(belief: &BoardSet, complete: &HashSet<OpponentBoard>) {
    assert!(belief.len() <= 40);
    if !complete.is_empty() {
        assert!(belief.boards().iter().all(|board| complete.contains(board)));
        assert!(belief.is_complete() <= (belief.len() == complete.len()));
    }
}
