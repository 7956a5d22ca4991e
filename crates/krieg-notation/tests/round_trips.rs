//! What is written can be read back: records and transcripts, PGN and JSON, any ruleset.

use krieg_core::{Color, Game, Record, Transcript};
use krieg_notation::{Told, json, pgn};
use krieg_testing::{draw_game, draw_setup, hat};
use proptest::prelude::*;

fn any_game() -> impl Strategy<Value = Game> {
    (any::<u64>(), 0usize..160)
        .prop_map(|(seed, tries)| draw_game(draw_setup(&mut hat(seed)), seed, tries))
}

fn only(told: impl Iterator<Item = Result<Told, impl std::fmt::Display>>, text: &str) -> Told {
    let mut games: Vec<Told> =
        told.map(|told| told.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn record_of(told: Told) -> Record {
    match told {
        Told::Record(record) => *record,
        Told::Transcript(_) => panic!("a record came back as one player's transcript"),
    }
}

fn transcript_of(told: Told) -> Transcript {
    match told {
        Told::Transcript(transcript) => *transcript,
        Told::Record(_) => panic!("a transcript came back as a full record"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_umpires_record_goes_through_pgn(game in any_game()) {
        let text = pgn::write_record(game.record());
        prop_assert_eq!(&record_of(only(pgn::read(&text), &text)), game.record());
    }

    #[test]
    fn the_umpires_record_goes_through_json(game in any_game()) {
        let text = json::write_record(game.record());
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(&record_of(only(json::read(&text), &text)), game.record());
    }

    #[test]
    fn a_players_transcript_goes_through_pgn(game in any_game()) {
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let text = pgn::write_transcript(&transcript);
            prop_assert_eq!(transcript_of(only(pgn::read(&text), &text)), transcript);
        }
    }

    #[test]
    fn a_players_transcript_goes_through_json(game in any_game()) {
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let text = json::write_transcript(&transcript);
            prop_assert_eq!(transcript_of(only(json::read(&text), &text)), transcript);
        }
    }

    #[test]
    fn many_games_in_one_file_stay_apart(games in prop::collection::vec(any_game(), 1..4)) {
        let records: Vec<&Record> = games.iter().map(Game::record).collect();
        let text: String = records.iter().map(|record| pgn::write_record(record) + "\n").collect();
        let again: Vec<Record> =
            pgn::read(&text).map(|told| record_of(told.expect("a game"))).collect();
        prop_assert_eq!(again.iter().collect::<Vec<_>>(), records);
    }

    #[test]
    fn reading_never_panics(text in "[\\[\\]{}()%$;:\"\\\\ a-hNBRQKOPCXA0-9.=+#?*/\n-]{0,200}") {
        let _ = pgn::read(&text).count();
        let _ = json::read(&text).count();
    }

    #[test]
    fn a_torn_file_gives_an_error_or_a_shorter_game(game in any_game(), tear in 0.0..1.0f64) {
        let text = pgn::write_record(game.record());
        let end = text.floor_char_boundary((text.len() as f64 * tear) as usize);
        let _ = pgn::read(&text[..end]).count();
        let line = json::write_record(game.record());
        let end = line.floor_char_boundary((line.len() as f64 * tear) as usize);
        if end > 0 {
            let error = json::read(&line[..end]).next().unwrap().unwrap_err();
            prop_assert!(error.to_string().starts_with("line 1: "));
        }
    }
}
