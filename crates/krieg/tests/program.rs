//! The command line from outside: what it prints, which files it writes, and how it exits.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Folder, complains, krieg, says, text};

const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Ruleset \"icc\"]\n\n\
                    1. e4 {P0:} d5 {P1:} 2. Bb5+ {P0,CL:exf5} c6 {P1:Kd7,Qd6} *\n";

#[test]
fn show_prints_a_game_as_each_side_knows_it() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let umpire = says(&["show", text(&file)], "");
    assert!(umpire.contains("2... Kd7     ✗ Illegal."), "{umpire}");
    assert!(umpire.contains("8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"), "{umpire}");
    let white = says(&["show", text(&file), "--side", "white"], "");
    assert!(white.contains("2. exf5    ✗ Illegal."), "{white}");
    assert!(!white.contains("Kd7") && !white.contains('♚'), "White sees no black pieces: {white}");
    let black = says(&["show", text(&file), "--side", "black", "--ascii"], "");
    assert!(!black.contains("exf5") && black.contains("2. ??"), "{black}");
    assert!(black.contains("8 r n b k q b n r\n"), "the board is drawn from Black's side: {black}");
}

#[test]
fn show_stops_at_a_given_ply() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    for (ply, fen) in [
        ("0", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("3", "rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2"),
    ] {
        let shown = says(&["show", text(&file), "--ply", ply], "");
        assert!(shown.contains(&format!("After ply {ply}:")) && shown.contains(fen), "{shown}");
    }
    let complaint = complains(&["show", text(&file), "--ply", "9"]);
    assert!(complaint.contains("only 4 plies, so there is no ply 9"), "{complaint}");
}

#[test]
fn converting_to_json_and_back_gives_the_same_pgn() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let lines = says(&["convert", text(&file), "--to", "json"], "");
    let again = says(&["convert", "-", "--to", "pgn"], &lines);
    let direct = says(&["convert", text(&file), "--to", "pgn"], "");
    assert_eq!(again, direct);
    let side = says(&["convert", text(&file), "--to", "pgn", "--side", "black"], "");
    assert!(side.contains("1. ?? {P0:??}") && !side.contains("Bb5"), "{side}");
}

#[test]
fn output_file_is_written_completely_or_not_at_all() {
    let folder = Folder::new();
    let good = folder.file("good.pgn", GAME);
    let bad = folder.file("bad.pgn", GAME.replace("Kd7,Qd6", "Kd7,Pz9"));
    let out = folder.file("out.pgn", "previous content");
    let complaint = complains(&["convert", text(&bad), "--to", "pgn", "--out", text(&out)]);
    assert!(complaint.contains("bad.pgn: line 5: \"Pz9\" is not a move"), "{complaint}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "previous content");
    says(&["convert", text(&good), "--to", "pgn", "--out", text(&out)], "");
    assert!(fs::read_to_string(&out).unwrap().contains("2... c6 {P1:Kd7,Qd6}"));
    assert_eq!(folder.names(), ["bad.pgn", "good.pgn", "out.pgn"], "no temporary file is left");
    let nowhere = folder.0.path().join("no/such/folder.pgn");
    complains(&["convert", text(&good), "--to", "pgn", "--out", text(&nowhere)]);
}

#[test]
fn errors_in_files_name_the_file_the_line_and_the_text() {
    let folder = Folder::new();
    for (name, content, reason) in [
        (
            "latin.pgn",
            &b"[White \"Ann\"]\n[Black \"Bj\xf6rn\"]\n\n1. e4 *\n"[..],
            "line 2: not UTF-8: \"[Black",
        ),
        ("empty.pgn", b"", "no game in it"),
        ("torn.jsonl", b"{\"krieg\":\"record\",\"rules", "line 1: EOF"),
        ("torn.pgn", b"1. e4 {P0", "line 1: the comment \"P0\" is not closed"),
        ("noise.pgn", b"\x00\x01\x02", "line 1: "),
    ] {
        let file = folder.file(name, content);
        for command in [&["show"][..], &["convert", "--to", "json"]] {
            let complaint = complains(&[command, &[text(&file)]].concat());
            assert!(complaint.contains(name) && complaint.contains(reason), "{complaint}");
        }
    }
    let complaint = complains(&["show", "no-such-file.pgn"]);
    assert!(complaint.contains("no-such-file.pgn"), "{complaint}");
}

#[test]
fn transcript_cannot_be_converted_to_another_side() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let white = says(&["convert", text(&file), "--to", "pgn", "--side", "white"], "");
    let white = folder.file("white.pgn", white);
    says(&["show", text(&white)], "");
    for side in ["umpire", "black"] {
        let complaint = complains(&["show", text(&white), "--side", side]);
        assert!(complaint.contains("a transcript of what White observed"), "{complaint}");
    }
}

#[test]
fn two_people_can_play_in_one_terminal() {
    let folder = Folder::new();
    let record = folder.0.path().join("played.pgn");
    let command = ["play", "--ruleset", "english", "--record", text(&record)];
    let told = says(&command, "help\ntries\nf3\nKe3\nbanana\ne5\nany?\nquit\n");
    for words in [
        "Type a move, such as e2e4",
        "Nf3",
        "no piece can play \"Ke3\"",
        "is not a move",
        "Any? No.",
        "is saved",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
    let told = says(&command, "resign\nno\ndraw\nno\nresign\nyes\n");
    for words in ["The game continues after 2 moves.", "Any? No.", "White resigned: Black wins."] {
        assert!(told.contains(words), "{words} in {told}");
    }
    let shown = says(&["show", text(&record)], "");
    assert!(shown.contains("1. f3") && shown.contains("White resigned"), "{shown}");
    let output = krieg(&command, "e4\n");
    assert!(!output.status.success(), "a finished game is not overwritten");
    assert_eq!(says(&["show", text(&record)], ""), shown);
}

#[test]
fn person_can_play_against_a_bot() {
    let folder = Folder::new();
    let record = folder.0.path().join("played.pgn");
    let new = ["play", "greedy", "--seed", "5", "--record", text(&record), "--confirm"];
    let told = says(&new, "e4\nundo\nd4\n\nhistory\ndraw\nquit\n");
    for words in [
        "You have White against greedy",
        "e2e4: press Enter to send it, or type undo. Discarded.",
        "d2d4: press Enter to send it, or type undo. White moved.",
        "1... ??        Black moved.",
        "Bots do not agree to draws",
        "is saved",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
    assert!(!told.contains('♟'), "Black's pieces are hidden: {told}");
    // The record names the opponent. A copy of it can be continued as well.
    let saved = folder.0.path().join("saved.pgn");
    let save = format!("c4\nsave {0}\nsave {0}\nno\nsave\nquit\n", text(&saved));
    let told = says(&["play", "--record", text(&record)], &save);
    assert!(told.contains("The game continues after 2 moves."), "{told}");
    for words in ["Saved in", "exists already", "Not saved.", "the file name is missing"] {
        assert!(told.contains(words), "{words} in {told}");
    }
    let told = says(&["play", "--record", text(&saved)], "resign\nyes\n");
    assert!(told.contains("You have White against greedy"), "{told}");
    assert!(told.contains("White resigned: Black wins.") && told.contains('♟'), "{told}");
    let complains = |more: &[&str]| {
        let output = krieg(&[&["play", "--record", text(&record)], more].concat(), "");
        assert!(!output.status.success(), "{more:?} did not fail");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(complains(&["random"]).contains("against greedy"));
    assert!(complains(&["greedy", "--as", "black"]).contains("other settings"));
    assert!(complains(&["greedy", "--seed", "6"]).contains("other settings"));
}

#[test]
fn interrupted_game_continues_with_the_same_moves() {
    let folder = Folder::new();
    let moves = ["e4", "d4", "Nf3", "Bc4", "Nc3", "h3"];
    let record = |name: &str, sessions: &[String]| {
        let path = folder.0.path().join(name);
        let mut args = vec!["play", "greedy", "--seed", "5", "--record", text(&path)];
        for session in sessions {
            says(&args, session);
            args = vec!["play", "--record", text(&path)];
        }
        fs::read_to_string(&path).unwrap()
    };
    let one = record("one.pgn", &[moves.map(|mv| format!("{mv}\n")).concat() + "quit\n"]);
    let many = record("many.pgn", &moves.map(|mv| format!("{mv}\nquit\n")));
    assert_eq!(one, many);
}

#[test]
fn reading_a_record_does_not_start_a_program() {
    let folder = Folder::new();
    let trace = folder.0.path().join("trace");
    let evil = format!(
        "[White \"You\"]\n[Black \"engine(cmd=\\\"touch {}\\\")\"]\n[Result \"*\"]\n\n*\n",
        text(&trace)
    );
    let record = folder.file("evil.pgn", evil);
    assert!(complains(&["play", "--record", text(&record)]).contains("name it"));
    assert!(!trace.exists());
}

#[test]
fn end_of_a_game_shows_the_outcome_and_the_whole_board() {
    let start = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let told = says(&["play", "random", "--fen", start, "--ascii"], "Ra8\n");
    assert!(told.contains("Checkmate: White wins."), "{told}");
    assert!(told.contains("8 R . . . . . k ."), "{told}");
}

#[test]
fn missing_promotion_and_invalid_input_are_reported() {
    let start = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let told = says(&["play", "--fen", start], "a7a8\n\u{7}\na8=N\n");
    assert!(told.contains("the promotion is missing"), "{told}");
    assert!(told.contains("White moved."), "{told}");
}

#[test]
fn unwritable_record_is_reported_before_the_game() {
    let folder = Folder::new();
    let nowhere = folder.0.path().join("no/such/folder/game.pgn");
    let output = krieg(&["play", "--record", text(&nowhere)], "e4\n");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && complaint.contains("cannot write"), "{complaint}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(!told.contains("White moved"), "{told}");
    let precious = folder.file("precious.pgn", "not a game at all {");
    krieg(&["play", "--record", text(&precious)], "e4\n");
    assert_eq!(fs::read_to_string(precious).unwrap(), "not a game at all {");
}

#[cfg(unix)]
#[test]
fn links_permissions_and_pipes_are_preserved() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Folder::new();
    let game = folder.file("game.pgn", GAME);
    let convert =
        |out: &Path| krieg(&["convert", text(&game), "--to", "json", "--out", text(out)], "");

    let target = folder.file("target.json", "old");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.0.path().join("link.json");
    symlink(&target, &link).unwrap();
    assert!(convert(&link).status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "the link is still a link");
    assert!(fs::read_to_string(&target).unwrap().contains("krieg"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);

    fs::set_permissions(&target, fs::Permissions::from_mode(0o440)).unwrap();
    let output = convert(&target);
    assert!(String::from_utf8_lossy(&output.stderr).contains("the file is read-only"));

    let pipe = folder.0.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    assert!(convert(&pipe).status.success());
    assert!(reader.join().unwrap().contains("krieg"), "the reader got the game");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(folder.names(), ["game.pgn", "link.json", "pipe", "target.json"]);
}

#[test]
fn other_games_of_a_file_with_an_invalid_game_can_be_shown() {
    let folder = Folder::new();
    let file = folder.file("games.pgn", format!("{GAME}\n[White \"Eve\"]\n\n1. Nf6 *\n\n{GAME}"));
    assert!(says(&["show", text(&file), "--game", "1"], "").contains("2. exf5"));
    assert!(says(&["show", text(&file), "--game", "3"], "").contains("2. exf5"));
    assert!(complains(&["show", text(&file), "--game", "2"]).contains("Nf6"));
    assert!(complains(&["show", text(&file), "--game", "4"]).contains("has no game 4"));
}

#[test]
fn bench_umpire_reports_the_speed() {
    let line = says(&["bench", "umpire", "--rounds", "1", "--seconds", "0.05", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(value["plies_to_plain_chess"]["median"].as_f64().unwrap() > 0.0);
    assert!(complains(&["bench", "umpire", "--rounds", "0"]).contains("--rounds"));
    assert!(complains(&["bench", "umpire", "--seconds=0"]).contains("--seconds"));
}

#[test]
fn bench_exact_finds_the_true_board_in_every_ruleset() {
    let args = ["bench", "exact", "--games", "1", "--moves", "25", "--ruleset", "all"];
    let few = ["--capacity", "500", "--sample-capacity", "50", "--steps", "100", "--json"];
    let line = says(&[&args[..], &few[..]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    for row in rows {
        assert!(row["checked"].as_u64().unwrap() > 40, "{row}");
        assert!(row["sizes"][0]["unique_per_second"].as_f64().unwrap() > 0.0);
    }
    assert!(complains(&["bench", "exact", "--ruleset", "unknown"]).contains("unknown"));
    assert!(complains(&["bench", "exact", "no-such-folder"]).contains("no-such-folder"));
}

#[test]
fn bench_belief_prints_a_table_and_draws_plots() {
    let folder = tempfile::tempdir().unwrap();
    let plots = folder.path().join("plots.html");
    let plots = plots.to_str().unwrap();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/queen.pgn");
    let args = ["bench", "belief", games, "--capacity", "60"];
    let table = says(&[&args[..], &["--plots", plots]].concat(), "");
    for name in ["pool", "aosp", "los", "hs", "smc-uniform", "smc", "smc-value", "smc-fitted"] {
        assert!(table.lines().any(|line| line.trim().starts_with(name)), "{name}: {table}");
    }
    let page = std::fs::read_to_string(plots).unwrap();
    assert_eq!((page.matches("<svg").count(), page.matches("<polyline").count()), (5, 5 * 8));

    let line = says(&[&args[..], &["--belief", "smc", "--json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5, "four stages, and all of them");
    assert!(rows[0]["log_loss"].as_f64().unwrap() > 1.0 && rows[0]["boards"].as_f64() > Some(1.0));
    assert!(complains(&["bench", "belief", games, "--belief", "hope"]).contains("hope"));
}

#[test]
fn bench_calibration_compares_predictions_with_outcomes() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/queen.pgn");
    let args = ["bench", "calibration", games, "--particles", "60"];
    let tables = says(&args, "");
    assert_eq!(tables.matches("0.9–1.0").count(), 4, "{tables}");
    assert_eq!(tables.matches("log-loss").count(), 4, "{tables}");
    assert_eq!(says(&args, ""), tables, "the same seed, the same tables");

    let line = says(&[&args[..], &["--json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let [legal, recapture] = [0, 1].map(|number| &value["tables"][number]);
    assert!(legal["cases"].as_u64() > recapture["cases"].as_u64(), "{line}");
    let rook = &value["tables"][3];
    assert!(rook["cases"].as_u64() > recapture["cases"].as_u64(), "{line}");
    assert_eq!(legal["bins"].as_array().unwrap().len(), 10);

    assert!(complains(&["bench", "calibration"]).contains("GAMES"));
    let complaint = complains(&[&args[..], &["--for", "unknown"]].concat());
    assert!(complaint.contains("there are no games of such players"), "{complaint}");
    let empty = tempfile::NamedTempFile::with_suffix(".pgn").unwrap();
    let empty = empty.path().to_str().unwrap();
    assert!(complains(&["bench", "calibration", empty]).contains("no game"));
}

#[test]
fn rulesets_are_listed() {
    let listed = says(&["rulesets"], "");
    for name in ["icc", "cincinnati", "berkeley", "berkeley-any", "english", "rand", "dutch"] {
        assert!(listed.lines().any(|line| line.starts_with(name)), "{listed}");
    }
    assert!(complains(&["play", "--ruleset", "icy"]).contains("\"icy\" is not a ruleset"));
}

#[test]
fn referee_answers_every_line() {
    let replies =
        says(&["referee"], "{\"cmd\":\"new\",\"game\":\"g\"}\nhello\n{\"cmd\":\"games\"}\n");
    let lines: Vec<&str> = replies.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].contains("line 2") && lines[2].contains("[\"g\"]"), "{replies}");
}

#[test]
fn uci_engine_searches_and_runs_single_commands() {
    let said = says(&["uci"], "position startpos moves e2e4\ngo nodes 2000\n");
    assert!(said.contains("bestmove "), "{said}");
    let said = says(&["uci", "perft", "3"], "");
    assert!(said.contains("nodes 8902 "), "{said}");
    let said = says(&["uci", "bench", "4"], "");
    assert!(said.contains(" nps "), "{said}");
}

#[test]
fn interrupted_engine_match_continues() {
    let folder = Folder::new();
    let games = folder.file("games.txt", "");
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_krieg"));
    let play = |count: &str| {
        let args = ["bench", "engines", &engine, "--control", "200n", "--games", count];
        says(&[&args[..], &["--out", text(&games), "--our-option", "Hash=1"]].concat(), "")
    };
    assert!(play("2").starts_with("2 games: "));
    // After an interruption in the middle of a line, complete games are kept and the rest is
    // played.
    let mut kept = fs::read_to_string(&games).unwrap();
    let first = kept.lines().next().unwrap().to_string();
    kept.push_str("2 1 w dr");
    fs::write(&games, kept).unwrap();
    assert!(play("4").starts_with("4 games: "));
    let kept = fs::read_to_string(&games).unwrap();
    assert_eq!(kept.lines().count(), 1 + 4, "a heading and four games");
    assert_eq!(kept.lines().next(), Some(first.as_str()));
    // A file of another match is rejected.
    let args = ["bench", "engines", &engine, "--control", "300n", "--out", text(&games)];
    assert!(complains(&args).contains("another match"));
}

#[test]
fn invalid_engine_match_options_are_reported() {
    assert!(
        complains(&["bench", "engines", "no-such-engine"])
            .contains("no-such-engine does not start")
    );
    assert!(complains(&["bench", "engines", "x", "--control", "none"]).contains("time control"));
    assert!(
        complains(&["bench", "engines", "x", "--control", "soon"]).contains("not a time control")
    );
    assert!(complains(&["bench", "engines", "x", "--option", "Hash"]).contains("Name=Value"));
}

#[test]
fn tuning_is_deterministic_and_continues_after_an_interruption() {
    let folder = Folder::new();
    let tune = |name: &str, threads: &str, stop_first: bool| {
        let games = folder.0.path().join(name);
        let play = |count: &str| {
            let args = ["tune", "games", text(&games), "--nodes", "100", "--seed", "5"];
            says(&[&args[..], &["--games", count, "--threads", threads]].concat(), "")
        };
        if stop_first {
            play("2");
            let mut kept = fs::read_to_string(&games).unwrap();
            kept.push_str("1-0 rnbq");
            fs::write(&games, kept).unwrap();
        }
        play("6");
        let weights = folder.0.path().join(format!("{name}.weights"));
        says(&["tune", "weights", text(&games), "--out", text(&weights), "--epochs", "2"], "");
        let network = folder.0.path().join(format!("{name}.network"));
        let args = ["tune", "network", text(&games), "--out", text(&network), "--epochs", "2"];
        says(&[&args[..], &["--threads", threads]].concat(), "");
        let fitted = fs::read_to_string(weights).unwrap();
        (fs::read_to_string(&games).unwrap(), fitted, fs::read(network).unwrap())
    };
    let once = tune("once", "1", false);
    assert_eq!(once, tune("again", "3", true));
    assert_eq!(once.0.lines().count(), 1 + 6, "a heading and six games");
    let games = folder.0.path().join("once");
    let complaint = complains(&["tune", "games", text(&games), "--nodes", "101", "--seed", "5"]);
    assert!(complaint.contains("holds something else"), "{complaint}");
    let complaint = complains(&["tune", "weights", text(&games), "--out", text(&games)]);
    assert!(complaint.contains("another place"), "{complaint}");
    assert!(once.1.starts_with("material "), "{}", once.1);
    let more = folder.0.path().join("more");
    let network = folder.0.path().join("once.network");
    let args = ["tune", "games", text(&more), "--games", "1", "--nodes", "50"];
    says(&[&args[..], &["--evaluation", text(&network)]].concat(), "");
    assert_eq!(fs::read_to_string(more).unwrap().lines().count(), 1 + 1, "one game by the network");
}

#[test]
fn tuning_reports_invalid_files() {
    let folder = Folder::new();
    let games = folder.file("games.txt", "1-0 hello\n");
    let out = folder.0.path().join("weights.txt");
    let complaint = complains(&["tune", "weights", text(&games), "--out", text(&out)]);
    assert!(complaint.contains("line 1") && complaint.contains("is no game"), "{complaint}");
    let weights = folder.file("bad.txt", "material 1/2\n");
    let complaint = complains(&["tune", "games", text(&out), "--evaluation", text(&weights)]);
    assert!(complaint.contains("material needs 5 pairs"), "{complaint}");
    let complaint = complains(&["tune", "network", text(&games), "--out", text(&games)]);
    assert!(complaint.contains("another place"), "{complaint}");
    assert_eq!(folder.names(), ["bad.txt", "games.txt"], "no other file is left");
}
