//! Messages round trip through text, and invalid ones are rejected.

use super::*;
use krieg_testing::{cases, random_game, random_setup, seeded_rng};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn observations_round_trip_through_text(seed in any::<u64>()) {
        let setup = random_setup(&mut seeded_rng(seed));
        let game = random_game(setup.clone(), seed, 120);
        for color in Color::ALL {
            for line in game.record().transcript(color).observations {
                let text = write_heard(&line);
                prop_assert_eq!(read_heard(&text, &setup.ruleset), Ok(line), "{}", text);
            }
        }
        let seat = Seat { color: Color::Black, setup, control: TimeControl::Nodes(5), seed };
        prop_assert_eq!(read_newgame(&write_newgame(&seat)), Ok(seat));
    }

    #[test]
    fn no_line_makes_the_reader_panic(
        text in concat!(
            r"(heard|newgame)( (white|black|moved|refused|yes|try|e2e4|any\?|capture|d5|",
            r"victim|pawn|check|file|pawns|0|999|end|draw|threefold|ms|fen|color|seed|",
            r"control|draws|\PC{1,3})){0,9}",
        ),
    ) {
        let _ = read_heard(&text, &Ruleset::ENGLISH);
        let _ = read_newgame(&text);
    }
}

#[test]
fn clocks_round_trip_through_text() {
    for control in ["60", "60+1", "60d5", "40/60", "0.05/move", "500n", "none"] {
        let mut clock = Clock::new(control.parse().unwrap());
        for who in [Color::White, Color::Black, Color::White] {
            let read = read_go(&write_clocks(&clock, who), clock.control(), who).unwrap();
            assert_eq!(read.remaining(who), clock.remaining(who), "{control}");
            assert_eq!(read.reading(who), clock.reading(who), "{control}");
            clock.record_move(who, Duration::from_millis(20)).unwrap();
        }
    }
    let unlimited = TimeControl::Unlimited;
    assert!(read_go("go fast 3", unlimited, Color::White).is_err());
    assert!(read_go("go wtime", unlimited, Color::White).is_err());
}

#[test]
fn errors_quote_the_invalid_word() {
    let error = |line: &str| read_heard(line, &Ruleset::ICC).unwrap_err().to_string();
    assert_eq!(error("heard green moved"), r#""green" is not a colour"#);
    assert_eq!(error("heard white moved capture z9"), r#""z9" is not a square"#);
    assert_eq!(error("heard white moved victim pawn"), "victim comes before any capture");
    assert_eq!(
        error("heard white moved end checkmate draw"),
        "a game cannot end by checkmate with this result"
    );
    assert_eq!(error("heard white"), "nothing follows heard");
    let error = read_newgame("newgame ruleset chess").unwrap_err();
    assert_eq!(error.to_string(), r#""chess" is not a ruleset"#);
}
