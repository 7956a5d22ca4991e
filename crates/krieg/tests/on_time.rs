//! The battery's last part, in a program of its own, so that no other test runs beside it: nobody loses on time.

mod common;

use std::time::Duration;

use common::{everybody, play};
use krieg_core::{Color, Ending, Ruleset, Setup};
use krieg_players::GameSettings;
use krieg_time::TimeControl;

#[test]
fn nobody_loses_on_time_at_50_ms_a_move() {
    let control = TimeControl::Move(Duration::from_millis(50));
    for spec in everybody() {
        let mut player = spec.make().unwrap();
        let mut late = 0;
        for ruleset in Ruleset::ALL {
            let setup = Setup { ruleset, ..Setup::default() };
            let conditions =
                GameSettings { setup, control, draw_after: Some(40), ..GameSettings::default() };
            for (seed, color) in (0..).zip(Color::ALL) {
                let game = play(&mut *player, color, conditions.clone(), seed);
                let outcome = game.record().outcome().unwrap();
                late += u32::from(outcome.ending == Ending::Flag && outcome.winner != Some(color));
            }
        }
        // A busy machine may stop anybody for longer than that; hardly in three games of fourteen.
        assert!(late <= 2, "{spec} was late in {late} games");
    }
}
