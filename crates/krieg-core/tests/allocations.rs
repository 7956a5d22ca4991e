//! Judging a try does not allocate: neither the umpire nor the views use the heap during a game.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use krieg_core::{DrawRules, Position, Ruleset, Umpire};
use krieg_testing::{TEST_POSITIONS, random_try, seeded_rng};

/// The system allocator, with a count of allocations per thread.
struct CountingAllocator;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is forwarded unchanged to the system allocator, and the thread-local counter
// never allocates.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

#[test]
fn judging_a_game_does_not_allocate() {
    let before = allocations();
    drop(vec![1, 2, 3]);
    assert!(allocations() > before, "the counter counts");

    for ruleset in Ruleset::ALL {
        for fen in TEST_POSITIONS {
            // A clone, as a search makes it, does not allocate either.
            let mut umpire = Umpire::new(ruleset, Position::from_fen(fen).unwrap()).clone();
            let mut rng = seeded_rng(11);
            let before = allocations();
            for _ in 0..600 {
                if umpire.outcome().is_some() {
                    break;
                }
                let tried = random_try(umpire.view(umpire.turn()), &mut rng);
                let _ = umpire.judge(tried);
            }
            assert_eq!(allocations(), before, "{ruleset}: {fen}");
        }
    }
}

#[test]
fn endless_game_does_not_allocate_without_the_threefold_rule() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    let mut umpire = Umpire::with_draws(Ruleset::ICC, DrawRules::NONE, start);
    let mut rng = seeded_rng(11);
    let before = allocations();
    for _ in 0..5_000 {
        let _ = umpire.judge(random_try(umpire.view(umpire.turn()), &mut rng));
    }
    assert_eq!(umpire.outcome(), None);
    assert_eq!(allocations(), before);
}
