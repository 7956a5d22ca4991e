//! Tests of `krieg show` and `krieg convert`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Folder, error_of, krieg, stdout_of, text};

const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Ruleset \"icc\"]\n\n\
                    1. e4 {P0:} d5 {P1:} 2. Bb5+ {P0,CL:exf5} c6 {P1:Kd7,Qd6} *\n";

#[test]
fn show_prints_a_game_as_each_side_knows_it() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let umpire = stdout_of(&["show", text(&file)], "");
    assert!(umpire.contains("2... Kd7     ✗ Illegal."), "{umpire}");
    assert!(umpire.contains("8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"), "{umpire}");
    let white = stdout_of(&["show", text(&file), "--side", "white"], "");
    assert!(white.contains("2. exf5    ✗ Illegal."), "{white}");
    assert!(!white.contains("Kd7") && !white.contains('♚'), "White sees no black pieces: {white}");
    let black = stdout_of(&["show", text(&file), "--side", "black", "--ascii"], "");
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
        let shown = stdout_of(&["show", text(&file), "--ply", ply], "");
        assert!(shown.contains(&format!("After ply {ply}:")) && shown.contains(fen), "{shown}");
    }
    let error = error_of(&["show", text(&file), "--ply", "9"]);
    assert!(error.contains("only 4 plies, so there is no ply 9"), "{error}");
}

#[test]
fn converting_to_json_and_back_gives_the_same_pgn() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let lines = stdout_of(&["convert", text(&file), "--to", "json"], "");
    let again = stdout_of(&["convert", "-", "--to", "pgn"], &lines);
    let direct = stdout_of(&["convert", text(&file), "--to", "pgn"], "");
    assert_eq!(again, direct);
    let side = stdout_of(&["convert", text(&file), "--to", "pgn", "--side", "black"], "");
    assert!(side.contains("1. ?? {P0:??}") && !side.contains("Bb5"), "{side}");
}

#[test]
fn output_file_is_written_completely_or_not_at_all() {
    let folder = Folder::new();
    let good = folder.file("good.pgn", GAME);
    let bad = folder.file("bad.pgn", GAME.replace("Kd7,Qd6", "Kd7,Pz9"));
    let out = folder.file("out.pgn", "previous content");
    let error = error_of(&["convert", text(&bad), "--to", "pgn", "--out", text(&out)]);
    assert!(error.contains("bad.pgn: line 5: \"Pz9\" is not a move"), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "previous content");
    stdout_of(&["convert", text(&good), "--to", "pgn", "--out", text(&out)], "");
    assert!(fs::read_to_string(&out).unwrap().contains("2... c6 {P1:Kd7,Qd6}"));
    assert_eq!(folder.names(), ["bad.pgn", "good.pgn", "out.pgn"], "no temporary file is left");
    let nowhere = folder.0.path().join("no/such/folder.pgn");
    error_of(&["convert", text(&good), "--to", "pgn", "--out", text(&nowhere)]);
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
            let error = error_of(&[command, &[text(&file)]].concat());
            assert!(error.contains(name) && error.contains(reason), "{error}");
        }
    }
    let error = error_of(&["show", "no-such-file.pgn"]);
    assert!(error.contains("no-such-file.pgn"), "{error}");
}

#[test]
fn transcript_cannot_be_converted_to_another_side() {
    let folder = Folder::new();
    let file = folder.file("game.pgn", GAME);
    let white = stdout_of(&["convert", text(&file), "--to", "pgn", "--side", "white"], "");
    let white = folder.file("white.pgn", white);
    stdout_of(&["show", text(&white)], "");
    for side in ["umpire", "black"] {
        let error = error_of(&["show", text(&white), "--side", side]);
        assert!(error.contains("a transcript of what White observed"), "{error}");
    }
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
    assert!(stdout_of(&["show", text(&file), "--game", "1"], "").contains("2. exf5"));
    assert!(stdout_of(&["show", text(&file), "--game", "3"], "").contains("2. exf5"));
    assert!(error_of(&["show", text(&file), "--game", "2"]).contains("Nf6"));
    assert!(error_of(&["show", text(&file), "--game", "4"]).contains("has no game 4"));
}
