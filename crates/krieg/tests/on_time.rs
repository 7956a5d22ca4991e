//! Players do not lose on time. This test has its own program, so that no other test runs beside
//! it: it measures real time on purpose.

mod common;

use std::time::Duration;

use common::{all_players, play};
use krieg_core::{Color, Ending, Ruleset, Setup};
use krieg_players::GameSettings;
use krieg_time::TimeControl;

#[test]
fn players_do_not_lose_on_time_at_50_ms_per_move() {
    let control = TimeControl::Move(Duration::from_millis(50));
    // By default this player plays at once.
    let searching = "learned(simulations=1000,tablebases=no)".parse().unwrap();
    for spec in all_players().into_iter().chain([searching]) {
        let mut player = spec.make().unwrap();
        let mut late = 0;
        for ruleset in Ruleset::ALL {
            let setup = Setup { ruleset, ..Setup::default() };
            let settings =
                GameSettings { setup, control, draw_after: Some(40), ..GameSettings::default() };
            for (seed, color) in (0..).zip(Color::ALL) {
                let game = play(&mut *player, color, settings.clone(), seed);
                let outcome = game.record().outcome().unwrap();
                late += u32::from(outcome.ending == Ending::Flag && outcome.winner != Some(color));
            }
        }
        // A busy machine can delay a player by more than the margin, but hardly in three games of
        // fourteen.
        assert!(late <= 2, "{spec} was late in {late} games");
    }
}
