//! Invalid game files: each is rejected with an error that names the line and quotes the text.

use std::fs;
use std::path::Path;

use krieg_core::{Color, Game, Setup};
use krieg_notation::{json, pgn};

/// The first line of each file in `tests/bad` is a comment with the expected start of the error.
#[test]
fn every_invalid_game_is_rejected_with_line_and_text() {
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
fn game_after_an_invalid_one_is_read() {
    let text = "[White \"Ann\"]\n\n1. Nf6 *\n\n[White \"Bob\"]\n\n1. Nf3 *\n";
    let games: Vec<_> = pgn::read(text).collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_err() && games[1].is_ok());
}

/// A valid line with one part replaced.
fn replace_once(good: &str, from: &str, to: &str) -> String {
    assert!(good.contains(from), "{from} is in {good}");
    good.replacen(from, to, 1)
}

#[test]
fn invalid_json_lines_are_rejected_with_number_and_text() {
    let mut game = Game::new(Setup::default());
    game.judge("e2e4".parse().unwrap()).unwrap();
    let good = json::write_record(game.record());
    let with = |from: &str, to: &str| replace_once(&good, from, to);
    for (line, reason) in [
        ("nonsense".into(), "expected ident"),
        ("[]".into(), "in \"[]\""),
        ("{}".into(), "missing field `krieg`"),
        (good[..good.len() / 2].into(), "in \"{\\\"krieg\\\""),
        (with("\"icc\"", "\"icy\""), "\"icy\" is not a ruleset"),
        (with("e2e4", "e2e9"), "try 1: \"e2e9\" is not a move"),
        (
            with("e2e4", "e2e5"),
            "but the umpire announces {\"by\":\"white\",\"verdict\":\"refused\"",
        ),
        (with("\"pawn_tries\":0", "\"pawn_tries\":1"), "but the umpire announces"),
        (with("\"try\":\"e2e4\",", ""), "try 1 of a record is missing"),
        (
            with("\"end\":null", "\"end\":{\"ending\":\"checkmate\",\"winner\":\"white\"}"),
            "is impossible here",
        ),
        (
            with("\"end\":null", "\"end\":{\"ending\":\"tea\",\"winner\":null}"),
            "\"tea\" is not an ending",
        ),
        (
            with("\"end\":null", "\"end\":null,\"tags\":{\"Result\":\"1-0\"}"),
            "\"Result\" cannot be set",
        ),
        (with("\"end\":null", "\"fin\":null"), "unknown field `fin`"),
        (with("[\"white\",\"black\"]", "[\"black\"]"), "heard_by is neither"),
        (with("w KQkq", "x KQkq"), "\"x\" is neither w nor b"),
    ] {
        let text = format!("{good}\n\n{line}\n{good}\n");
        let games: Vec<_> = json::read(&text).collect();
        assert_eq!(games.len(), 3, "the valid lines are read");
        assert!(games[0].is_ok() && games[2].is_ok());
        let error = games[1].as_ref().expect_err(&line).to_string();
        assert!(error.starts_with("line 3: ") && error.contains(reason), "{error}\n{reason}");
        assert!(error.len() < 400, "{error}");
    }
}

/// Transcripts with announcements that no umpire of the ruleset makes.
#[test]
fn impossible_transcript_is_rejected() {
    let mut game = Game::new(Setup::default());
    for tried in ["e2e4", "d7d5", "e4f5", "e4d5"] {
        game.judge(tried.parse().unwrap()).unwrap();
    }
    let good = json::write_transcript(&game.record().transcript(Color::White));
    assert!(json::read(&good).all(|game| game.is_ok()));
    let with = |from: &str, to: &str| replace_once(&good, from, to);
    let refusal = r#""verdict":"refused","heard_by":["white"]"#;
    for (line, reason) in [
        (with("e2e4", "e2e5"), "\"White moved. No pawn tries.\" is not an answer to e2e5"),
        (with("\"try\":\"e2e4\",", ""), "the player's own try is missing"),
        (
            with(
                "{\"announcement\":{\"by\":\"black\"",
                "{\"try\":\"d7d5\",\"announcement\":{\"by\":\"black\"",
            ),
            "not known to this player",
        ),
        (
            with(refusal, "\"verdict\":\"nonsense\",\"heard_by\":[\"white\"]"),
            "is not an answer to e4f5",
        ),
        (
            with(refusal, "\"verdict\":\"refused\",\"heard_by\":[\"white\",\"black\"]"),
            "not announced under icc rules",
        ),
        (
            with(refusal, "\"verdict\":\"yes\",\"heard_by\":[\"white\",\"black\"]"),
            "not announced under icc rules",
        ),
        (with(refusal, &format!("{refusal},\"promoted\":true")), "not announced under icc rules"),
        (with("\"pawn_tries\":1", "\"pawn_tries\":255"), "not announced under icc rules"),
        (with("\"pawn_tries\":1", "\"pawn_tries\":[\"e4\"]"), "not announced under icc rules"),
        (with("\"pawn_tries\":1", "\"pawn_tries\":true"), "not announced under icc rules"),
        (
            with("\"victim\":\"pawn\"", "\"victim\":\"pawn\",\"en_passant\":true"),
            "not announced under icc rules",
        ),
        (
            with("\"end\":null", "\"end\":{\"ending\":\"checkmate\",\"winner\":null}"),
            "cannot have this winner",
        ),
        (
            with("\"end\":null", "\"end\":{\"ending\":\"stalemate\",\"winner\":null}"),
            "do not agree",
        ),
        (with("\"end\":null", "\"end\":null,\"seed\":7"), "unknown field `seed`"),
    ] {
        let error = json::read(&line).next().unwrap().expect_err(&line).to_string();
        assert!(error.contains(reason), "{error}\n{reason}");
    }
}

#[test]
fn ten_megabyte_lines_give_a_short_error() {
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
