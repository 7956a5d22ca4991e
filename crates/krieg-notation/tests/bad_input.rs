//! A corpus of bad game files: each gets an error that names the line and quotes the text.

use std::fs;
use std::path::Path;

use krieg_core::{Color, Game, Setup};
use krieg_notation::{json, pgn};

/// The first line of each file of `tests/bad` is a comment with how the error must begin.
#[test]
fn every_bad_game_is_turned_away_with_its_line_and_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().unwrap().strip_prefix("% ").unwrap();
        let error = pgn::read(&text).find_map(Result::err);
        let error = error.unwrap_or_else(|| panic!("{}: no error", path.display())).to_string();
        assert!(error.starts_with(expected), "{}:\n{error}\n{expected}", path.display());
        count += 1;
    }
    assert!(count > 30, "the corpus was read");
}

#[test]
fn a_bad_game_does_not_spoil_the_next_one() {
    let text = "[White \"Ann\"]\n\n1. Nf6 *\n\n[White \"Bob\"]\n\n1. Nf3 *\n";
    let games: Vec<_> = pgn::read(text).collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_err() && games[1].is_ok());
}

/// A good line with one thing in it replaced.
fn spoil(good: &str, from: &str, to: &str) -> String {
    assert!(good.contains(from), "{from} is in {good}");
    good.replacen(from, to, 1)
}

#[test]
fn bad_lines_of_json_are_turned_away_with_their_number_and_text() {
    let mut game = Game::new(Setup::default());
    game.judge("e2e4".parse().unwrap()).unwrap();
    let good = json::write_record(game.record());
    let spoil = |from: &str, to: &str| spoil(&good, from, to);
    for (line, reason) in [
        ("nonsense".into(), "expected ident"),
        ("[]".into(), "in \"[]\""),
        ("{}".into(), "missing field `krieg`"),
        (good[..good.len() / 2].into(), "in \"{\\\"krieg\\\""),
        (spoil("\"icc\"", "\"icy\""), "\"icy\" is no ruleset"),
        (spoil("e2e4", "e2e9"), "try 1: \"e2e9\" is no move"),
        (spoil("e2e4", "e2e5"), "where the umpire says {\"by\":\"white\",\"verdict\":\"refused\""),
        (spoil("\"pawn_tries\":0", "\"pawn_tries\":1"), "where the umpire says"),
        (spoil("\"try\":\"e2e4\",", ""), "try 1 of a record is missing"),
        (
            spoil("\"end\":null", "\"end\":{\"ending\":\"checkmate\",\"winner\":\"white\"}"),
            "cannot be",
        ),
        (
            spoil("\"end\":null", "\"end\":{\"ending\":\"tea\",\"winner\":null}"),
            "\"tea\" is no ending",
        ),
        (
            spoil("\"end\":null", "\"end\":null,\"tags\":{\"Result\":\"1-0\"}"),
            "\"Result\" is not to be set",
        ),
        (spoil("\"end\":null", "\"fin\":null"), "unknown field `fin`"),
        (spoil("[\"white\",\"black\"]", "[\"black\"]"), "heard_by is neither"),
        (spoil("w KQkq", "x KQkq"), "\"x\" is neither w nor b"),
    ] {
        let text = format!("{good}\n\n{line}\n{good}\n");
        let games: Vec<_> = json::read(&text).collect();
        assert_eq!(games.len(), 3, "the good ones are read all the same");
        assert!(games[0].is_ok() && games[2].is_ok());
        let error = games[1].as_ref().expect_err(&line).to_string();
        assert!(error.starts_with("line 3: ") && error.contains(reason), "{error}\n{reason}");
        assert!(error.len() < 400, "{error}");
    }
}

/// What no umpire of the ruleset can have told a player.
#[test]
fn a_transcript_that_nobody_can_have_lived_through_is_turned_away() {
    let mut game = Game::new(Setup::default());
    for tried in ["e2e4", "d7d5", "e4f5", "e4d5"] {
        game.judge(tried.parse().unwrap()).unwrap();
    }
    let good = json::write_transcript(&game.record().transcript(Color::White));
    assert!(json::read(&good).all(|told| told.is_ok()));
    let spoil = |from: &str, to: &str| spoil(&good, from, to);
    let refusal = r#""verdict":"refused","heard_by":["white"]"#;
    for (line, reason) in [
        (spoil("e2e4", "e2e5"), "\"White moved. No pawn tries.\" is no answer to e2e5"),
        (spoil("\"try\":\"e2e4\",", ""), "an own try is missing"),
        (
            spoil("{\"said\":{\"by\":\"black\"", "{\"try\":\"d7d5\",\"said\":{\"by\":\"black\""),
            "not known to this player",
        ),
        (
            spoil(refusal, "\"verdict\":\"nonsense\",\"heard_by\":[\"white\"]"),
            "is no answer to e4f5",
        ),
        (
            spoil(refusal, "\"verdict\":\"refused\",\"heard_by\":[\"white\",\"black\"]"),
            "not what is said under icc rules",
        ),
        (
            spoil(refusal, "\"verdict\":\"yes\",\"heard_by\":[\"white\",\"black\"]"),
            "not what is said under icc rules",
        ),
        (
            spoil(refusal, &format!("{refusal},\"promoted\":true")),
            "not what is said under icc rules",
        ),
        (spoil("\"pawn_tries\":1", "\"pawn_tries\":255"), "not what is said under icc rules"),
        (spoil("\"pawn_tries\":1", "\"pawn_tries\":[\"e4\"]"), "not what is said under icc rules"),
        (spoil("\"pawn_tries\":1", "\"pawn_tries\":true"), "not what is said under icc rules"),
        (
            spoil("\"victim\":\"pawn\"", "\"victim\":\"pawn\",\"en_passant\":true"),
            "not what is said under icc rules",
        ),
        (
            spoil("\"end\":null", "\"end\":{\"ending\":\"checkmate\",\"winner\":null}"),
            "cannot have this winner",
        ),
        (
            spoil("\"end\":null", "\"end\":{\"ending\":\"stalemate\",\"winner\":null}"),
            "do not agree",
        ),
        (spoil("\"end\":null", "\"end\":null,\"seed\":7"), "unknown field `seed`"),
    ] {
        let error = json::read(&line).next().unwrap().expect_err(&line).to_string();
        assert!(error.contains(reason), "{error}\n{reason}");
    }
}

#[test]
fn lines_of_ten_megabytes_neither_hang_nor_flood_the_error() {
    let long = "x".repeat(10_000_000);
    for text in [
        long.clone(),
        format!("1. {long} *"),
        format!("{{{long}"),
        format!("[White \"{long}"),
        format!("[Ruleset \"icc\"]\n1. e4 {{P0:{long}}} *"),
        format!("[Ruleset \"icc\"]\n1. e4 {{P0,{long}:}} *"),
        format!("[Variant \"{long}\"]\n*"),
        format!("[Seed \"{long}\"]\n*"),
        format!("[Ruleset \"icc\"]\n[Narrator \"{long}\"]\n*"),
        format!("[Ending \"{long}\"]\n1-0"),
        format!("[Result \"{long}\"]\n1-0"),
        format!("[{long} \"a\"]\n[{long} \"a\"]\n*"),
        format!("[FEN \"{long}/8/8/8/8/8/8/8 w - - 0 1\"]\n*"),
        format!("{{\"krieg\":\"record\",\"{long}\":1}}"),
        "(".repeat(10_000_000),
        "{\"krieg\":".repeat(1_000_000),
    ] {
        let error = pgn::read(&text).find_map(Result::err).expect("an error").to_string();
        assert!(error.starts_with("line ") && error.len() < 400, "{}", error.len());
        let error = json::read(&text).find_map(Result::err).expect("an error").to_string();
        assert!(error.starts_with("line ") && error.len() < 400, "{}", error.len());
    }
}
