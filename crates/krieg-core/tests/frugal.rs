//! Judging a try allocates nothing: neither the umpire nor the views ask for memory in a game.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use krieg_core::{DrawRules, Position, Ruleset, Umpire};
use krieg_testing::{LIVELY, draw_try, hat};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator unchanged; counting touches only a
// thread-local number that itself never allocates.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

#[test]
fn a_whole_game_is_judged_without_asking_for_memory() {
    let before = allocations();
    drop(vec![1, 2, 3]);
    assert!(allocations() > before, "the counter counts");

    for ruleset in Ruleset::ALL {
        for fen in LIVELY {
            // A copy, as a search would make, is as frugal as the original.
            let mut umpire = Umpire::new(ruleset, Position::from_fen(fen).unwrap()).clone();
            let mut rng = hat(11);
            let before = allocations();
            for _ in 0..600 {
                if umpire.outcome().is_some() {
                    break;
                }
                let tried = draw_try(umpire.view(umpire.turn()), &mut rng);
                let _ = umpire.judge(tried);
            }
            assert_eq!(allocations(), before, "{ruleset}: {fen}");
        }
    }
}

#[test]
fn a_game_without_end_needs_no_more_memory_than_another() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    let mut umpire = Umpire::with_draws(Ruleset::ICC, DrawRules::NONE, start);
    let mut rng = hat(11);
    let before = allocations();
    for _ in 0..5_000 {
        let _ = umpire.judge(draw_try(umpire.view(umpire.turn()), &mut rng));
    }
    assert_eq!(umpire.outcome(), None);
    assert_eq!(allocations(), before);
}
