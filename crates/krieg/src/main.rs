//! x
#[path = "bench/playouts.rs"]
mod playouts;
use rand::SeedableRng;
use std::time::Duration;
fn main() {
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..4 {
        let a = playouts::bare_chess(Duration::from_secs(1), &mut rng);
        let b = playouts::umpired(krieg_core::Ruleset::ICC, Duration::from_secs(1), &mut rng);
        println!(
            "bare {:.0} plies/s ({} plies/game), umpire {:.0} plies/s {:.0} attempts/s ratio {:.3}, {} plies/game",
            a.plies_per_second(),
            a.plies / a.games,
            b.plies_per_second(),
            b.attempts_per_second(),
            b.plies_per_second() / a.plies_per_second(),
            b.plies / b.games
        );
    }
}
