//! `krieg tablebase` on the command line.

mod common;

use std::fs;

use common::{Folder, error_of, krieg, stdout_of, text};

#[test]
fn a_table_is_built_probed_exported_imported_and_verified() {
    let folder = Folder::new();
    let dir = folder.0.path().join("tables of endgames");
    let built = stdout_of(&["tablebase", "build", "krk", "--dir", text(&dir)], "");
    assert!(built.contains("635968 as the literature counts"), "{built}");
    assert_eq!(
        stdout_of(&["tablebase", "build", "krk", "--dir", text(&dir)], ""),
        "",
        "the table exists"
    );

    let fen = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4";
    let plan = stdout_of(&["tablebase", "probe", fen, "--dir", text(&dir)], "");
    assert!(plan.contains("White mates in 26 moves at most"), "{plan}");
    assert!(plan.contains("If that is refused, try Kc3-d4:"), "{plan}");
    let json = stdout_of(&["tablebase", "probe", fen, "--json", "--dir", text(&dir)], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["distance"], &json["tries"][0]), (&26.into(), &"c3d3".into()));
    let attacked = "8/8/8/8/8/6k1/7R/K7";
    let won = stdout_of(&["tablebase", "probe", attacked, "--dir", text(&dir)], "");
    assert!(won.contains("White mates"), "White is to move: the rook escapes\n{won}");
    let everywhere = "kkkk1kkk/kkkk1kkk/kkkk1kkk/4R3/kkkk1kkk/kkkk1kkk/2kk1kkk/K1kk1kkk";
    let not_won = stdout_of(&["tablebase", "probe", everywhere, "--dir", text(&dir)], "");
    assert!(not_won.contains("White has no forced win"), "the rook is undefended\n{not_won}");

    let lines = folder.0.path().join("krk.txt");
    stdout_of(&["tablebase", "export", "krk", "--dir", text(&dir), "--out", text(&lines)], "");
    let again = folder.0.path().join("again");
    stdout_of(&["tablebase", "import", "krk", text(&lines), "--dir", text(&again)], "");
    let table = |folder: &std::path::Path| fs::read(folder.join("krk.table")).unwrap();
    assert!(table(&dir) == table(&again), "the imported table differs");
    let error = error_of(&["tablebase", "import", "krk", text(&lines), "--dir", text(&again)]);
    assert!(error.contains("--replace"), "{error}");

    let pages = folder.0.path().join("pages");
    let stats = stdout_of(&["tablebase", "stats", "--dir", text(&dir), "--html", text(&pages)], "");
    assert!(stats.contains("635968"), "{stats}");
    let page = fs::read_to_string(pages.join("krk.html")).unwrap();
    assert!(page.contains("<svg"), "the page has charts");
    let verified = stdout_of(
        &["tablebase", "verify", "--sample", "50", "--play", "5", "--dir", text(&dir)],
        "",
    );
    assert_eq!(verified.matches("No fault was found.").count(), 2, "{verified}");
}

#[test]
fn a_player_with_tables_mates_every_king_that_the_table_mates() {
    let args = ["bench", "lone-king", "greedy", "--endgame", "krk", "--games", "60"];
    let played = stdout_of(&args, "");
    let row: Vec<&str> = played.lines().last().unwrap().split_whitespace().collect();
    let [endgame, starts, won, mated, _, longest, _] = row[..] else { panic!("{played}") };
    assert_eq!((endgame, starts, won), ("krk", "60", mated), "{played}");
    let number = |text: &str| text.parse::<u32>().unwrap();
    assert!(number(won) > 10 && number(longest) < 50, "{played}");
    // A player without tables fails.
    let failed = krieg(&["bench", "lone-king", "random", "--endgame", "krk", "--games", "60"], "");
    let error = String::from_utf8_lossy(&failed.stderr);
    assert!(!failed.status.success() && error.contains("no mate from"), "{error}");
}

#[test]
fn invalid_input_is_rejected_with_the_reason() {
    let folder = Folder::new();
    let dir = text(folder.0.path()).to_string();
    for (args, reason) in [
        (["tablebase", "build", "kxk"], "is not an endgame with a table"),
        (["tablebase", "probe", "8/8/8/8/8/8/1k6/K6R"], "b2, next to the other king"),
        (["tablebase", "probe", "k6R/8/8/8/8/8/8/K7"], "it would be in check"),
        (["tablebase", "probe", "k7/8/8/8/8/8/8/KNNN4"], "it takes long"),
        (["tablebase", "export", "krk"], "krieg tablebase build krk"),
        (["tablebase", "verify", "krk"], "krieg tablebase build krk"),
        (["tablebase", "stats", "krk"], "krieg tablebase build krk"),
    ] {
        let error = error_of(&[&args[..], &["--dir", &dir]].concat());
        assert!(error.contains(reason), "{args:?}: {error}");
    }
    let empty = error_of(&["tablebase", "verify", "--dir", &dir]);
    assert!(empty.contains("there are no tables"), "{empty}");
    let broken = folder.file("krk.table", b"KRIEG-TB and then nonsense, nonsense, nonsense");
    let error = error_of(&["tablebase", "probe", "k7/8/8/8/8/8/8/K5R1", "--dir", &dir]);
    assert!(error.contains("--rebuild"), "{error}");
    stdout_of(&["tablebase", "build", "krk", "--rebuild", "--quiet", "--dir", &dir], "");
    assert!(fs::metadata(broken).unwrap().len() > 1_000_000);
}
