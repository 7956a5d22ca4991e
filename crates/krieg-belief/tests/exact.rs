//! The belief with room for all boards holds exactly those on which everything would have sounded the same.

use std::collections::HashSet;

use krieg_belief::{Belief, BoardSet, OpponentBoard};
use krieg_core::{Color, Entry, Game, Observer, Ruleset, Setup, Try};
use krieg_testing::{TEST_POSITIONS, cases, random_try, seeded_rng};
use proptest::prelude::*;

/// Plays a random game and shows each player's belief, and the game, to `look` after every try.
fn watch(
    setup: &Setup,
    seed: u64,
    tries: usize,
    most: usize,
    mut look: impl FnMut(&Game, Color, &BoardSet),
) {
    let mut rng = seeded_rng(seed);
    let mut game = Game::new(setup.clone());
    let mut beliefs = Color::ALL.map(|color| BoardSet::new(setup, color, most, seed));
    let mut ears = Color::ALL.map(Observer::new);
    for _ in 0..tries {
        if game.umpire().outcome().is_some() {
            break;
        }
        let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let Ok(said) = game.judge(tried) else { continue };
        let entry = Entry { tried, announcement: said, spent_ms: None };
        for color in Color::ALL {
            if let Some(line) = ears[color as usize].observe(&entry) {
                let belief = &mut beliefs[color as usize];
                let heard = belief.observe(&line);
                assert!(heard.is_ok() || !belief.is_complete(), "{} {heard:?}", setup.ruleset);
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
fn the_true_board_is_always_among_them() {
    let mut looked = 0;
    for (seed, setup) in setups().enumerate() {
        watch(&setup, seed as u64, 60, 3_000, |game, color, belief| {
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
            looked += 1;
        });
    }
    assert!(looked > 800, "{looked}");
}

/// All boards on which a player would have heard what he heard, by brute force: every game is played on from every board with every try that
/// somebody could have made, by an umpire.
struct Slow {
    player: Color,
    worlds: Vec<Game>,
}

impl Slow {
    fn observe(&mut self, entry: &Entry) {
        let mut ear = Observer::new(self.player);
        let Some(heard) = ear.observe(entry) else { return };
        let mut next = Vec::new();
        for world in &self.worlds {
            if entry.announcement.by == self.player {
                let mut world = world.clone();
                if world.judge(entry.tried) == Ok(entry.announcement) {
                    next.push(world);
                }
                continue;
            }
            let view = world.umpire().view(!self.player);
            let mut tries: Vec<Try> = view.tries().iter().map(Try::Move).collect();
            if view.can_ask_any() {
                tries.push(Try::Any);
            }
            // Nonsense, which some umpires refuse as they refuse anything.
            let king = view.pieces().pieces(krieg_core::Piece::King).next_square().unwrap();
            tries.push(Try::Move(krieg_core::Move::new(king, king)));
            for tried in tries {
                let mut world = world.clone();
                if world.judge(tried) == Ok(heard.announcement) {
                    next.push(world);
                }
            }
        }
        let mut seen = HashSet::new();
        next.retain(|world| {
            // What the opponent has tried in vain this turn is part of the world, too.
            let view = world.umpire().view(!self.player);
            let tries: Vec<String> = view.tries().iter().map(|mv| mv.to_string()).collect();
            let position = world.umpire().position().to_string();
            let without_clocks = position.split(' ').take(4).collect::<Vec<_>>().join(" ");
            seen.insert((without_clocks, tries))
        });
        self.worlds = next;
    }

    fn boards(&self) -> HashSet<OpponentBoard> {
        self.worlds
            .iter()
            .map(|world| OpponentBoard::of(world.umpire().position(), !self.player))
            .collect()
    }
}

#[test]
fn brute_force_finds_the_same_boards() {
    let mut compared = 0;
    for (seed, setup) in setups().enumerate() {
        // Refusals that everybody begin_turn multiply the worlds that brute force has to keep.
        let draws = krieg_core::DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        let setup = Setup { draws, ..setup };
        let mut game = Game::new(setup.clone());
        let mut rng = seeded_rng(seed as u64);
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut fast = BoardSet::new(&setup, player, 1_000_000, 0);
        let mut slow = Slow { player, worlds: vec![game.clone()] };
        let mut ear = Observer::new(player);
        while game.umpire().outcome().is_none() && slow.worlds.len() < 300 {
            let view = game.umpire().view(game.umpire().turn());
            let drawn = random_try(view, &mut rng);
            let tried = if view.is_sensible(drawn) { drawn } else { continue };
            let said = game.judge(tried).unwrap();
            let entry = Entry { tried, announcement: said, spent_ms: None };
            slow.observe(&entry);
            if let Some(line) = ear.observe(&entry) {
                fast.observe(&line).unwrap();
            }
            if said.end.is_some() {
                break;
            }
            // In the middle of the opponent's turn the fast one waits for a move before it draws conclusions.
            if said.verdict != krieg_core::Verdict::Moved && said.by != player {
                continue;
            }
            let boards: HashSet<OpponentBoard> = fast.boards().iter().copied().collect();
            assert_eq!(boards.len(), fast.len(), "each board once");
            assert_eq!(boards, slow.boards(), "{} after {tried}: {said}", setup.ruleset);
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_share_holds_only_what_the_whole_holds(seed in any::<u64>(), at in 0..12usize, rules in 0..7usize) {
        let start = krieg_core::Position::from_fen(TEST_POSITIONS[at]).unwrap();
        let setup = Setup { ruleset: Ruleset::ALL[rules], start, ..Setup::default() };
        let mut wholes: Vec<HashSet<OpponentBoard>> = Vec::new();
        watch(&setup, seed, 12, 10_000, |_, _, belief| {
            wholes.push(if belief.is_complete() { belief.boards().iter().copied().collect() } else { HashSet::new() });
        });
        let mut wholes = wholes.into_iter();
        watch(&setup, seed, 12, 40, |_, _, belief| {
            let whole = wholes.next().unwrap();
            prop_assert_all(belief, &whole);
        });
    }
}

fn prop_assert_all(belief: &BoardSet, whole: &HashSet<OpponentBoard>) {
    assert!(belief.len() <= 40);
    if !whole.is_empty() {
        assert!(belief.boards().iter().all(|board| whole.contains(board)));
        assert!(belief.is_complete() <= (belief.len() == whole.len()));
    }
}
