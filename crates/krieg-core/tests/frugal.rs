//! Judging a try allocates nothing: neither the umpire nor the views ask for memory in a game.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use krieg_core::{Position, Ruleset, Umpire};
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
            let mut umpire = Umpire::new(ruleset, Position::from_fen(fen).unwrap());
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
