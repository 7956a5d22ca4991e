//! Tables as text: out, in again, and what is not let in.

use std::fs;
use std::path::Path;

use krieg_core::{BitBoard, Color, Move};
use krieg_notation::MultiKingFen;
use krieg_tablebase::{
    Disposition, Endgame, ExportError, ImportError, Metaposition, Symmetry, Tablebase,
};

fn krk() -> Endgame {
    "krk".parse().unwrap()
}

fn export(tables: &Tablebase) -> String {
    let mut text = Vec::new();
    let mut heard = 0;
    let lines = tables
        .export(krk(), &mut text, &false.into(), &mut |done| {
            assert!(heard <= done.lines && done.lines <= done.of);
            heard = done.lines;
        })
        .unwrap();
    assert_eq!(lines, heard);
    String::from_utf8(text).unwrap()
}

/// The same line, with the board turned. PieceSet who are their own image across the diagonal stay: turned, the line would be the other of two twins.
fn turned(text: &str, way: Symmetry) -> String {
    let line: MultiKingFen = text.parse().unwrap();
    let asked = Metaposition::new(Color::White, line.pieces(), line.king_squares()).unwrap();
    if asked.disposition().turned(Symmetry::TRANSPOSED) == *asked.disposition() {
        return text.to_string();
    }
    let men = line.pieces().iter().map(|&(square, piece)| (way.square(square), piece)).collect();
    let kings = BitBoard(way.squares(line.king_squares().0));
    let turn = |mv: &Move| Move { from: way.square(mv.from), to: way.square(mv.to), ..*mv };
    let tries = line.tries.iter().map(turn).collect();
    MultiKingFen::new(men, kings, line.moves_to_mate, tries).to_string()
}

#[test]
fn king_and_rook_go_out_and_come_back_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path().join("built"));
    tables.build(krk(), &false.into(), &mut |_| {}).unwrap();
    let text = export(&tables);
    assert_eq!(text.lines().count(), 507_285);
    let table = fs::read(tables.path(krk())).unwrap();
    assert_lines_are_probed(&tables, &text);

    let again = Tablebase::new(folder.path().join("again"));
    let made = again.import(None, text.as_bytes(), &false.into(), &mut |_| {}).unwrap();
    assert_eq!((made.endgame, made.lines), (krk(), 507_285));
    assert!(fs::read(again.path(krk())).unwrap() == table, "the table is another");
    assert!(export(&again) == text, "the lines are others");

    // Some of them from the end, each board turned in another way.
    let few: Vec<&str> = text.lines().step_by(7).collect();
    let other: Vec<String> = few
        .iter()
        .rev()
        .zip(Symmetry::ALL.iter().cycle())
        .map(|(l, way)| turned(l, *way))
        .collect();
    let read = |lines: &str| {
        again.import(Some(krk()), lines.as_bytes(), &false.into(), &mut |_| {}).unwrap();
        fs::read(again.path(krk())).unwrap()
    };
    assert!(read(&few.join("\n")) == read(&other.join("\r\n")), "turned, it is another");
}

/// Of every hundredth line: it says what a probe says, each try may be legal, and together they leave no king.
fn assert_lines_are_probed(tables: &Tablebase, text: &str) {
    for line in text.lines().step_by(100) {
        let line: MultiKingFen = line.parse().unwrap();
        let asked = Metaposition::new(Color::White, line.pieces(), line.king_squares()).unwrap();
        let win = tables.probe(&asked).unwrap().unwrap();
        assert_eq!(u32::from(win.distance), line.moves_to_mate, "{line}");
        assert_eq!((win.kings, &win.tries), (line.king_squares(), &line.tries), "{line}");
        let steps = asked.disposition().steps();
        let left = line.tries.iter().fold(line.king_squares().0, |kings, tried| {
            let step = steps.iter().find(|step| step.mv == *tried).unwrap();
            assert!(kings & !step.refused_by != 0, "{tried} is sure to be refused: {line}");
            kings & step.refused_by
        });
        assert_eq!(BitBoard(left), BitBoard::EMPTY, "{line}");
    }
}

fn import(folder: &Path, text: &[u8]) -> Result<u64, ImportError> {
    let tables = Tablebase::new(folder);
    tables.import(None, text, &false.into(), &mut |_| {}).map(|made| made.lines)
}

#[test]
fn bad_lines_are_refused_and_the_reason_said() {
    let good = "8/8/8/8/8/1K6/7R/k7 1 Rh2-h1";
    let long = "x".repeat(100_000);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(import(folder.path(), good.as_bytes()).unwrap(), 1);
    let table = fs::read(Tablebase::new(folder.path()).path(krk())).unwrap();
    for (bad, why) in [
        ("", "\"\": the line is empty"),
        ("# krk", "has 1 ranks"),
        (&long, "it is too long"),
        ("8/8/8/8/8/1K6/7Q/k7 1 Qh2-h1", "this is kqk, and the table is of krk"),
        ("8/8/8/8/8/1K6/8/k7 1 Kb3-c3", "nobody but his king"),
        ("8/8/8/8/8/1K6/3RRRRR/k7 1 Rh2-h1", "more men than there are tables for"),
        ("8/8/8/8/8/1K6/8/k6P 1 h1-h2", "cannot stand like that"),
        ("8/8/8/8/8/1K6/7r/k7 1 Kb3-c3", "'r' is neither a piece of the attacker nor k"),
        ("8/8/8/8/8/1K6/7R/8 1 Rh2-h1", "no lone king"),
        ("8/8/8/8/8/1K6/k6R/8 1 Rh2-h1", "a2, beside the other king"),
        ("8/8/8/8/7k/1K6/7R/k7 1 Rh2-h1", "h4: he would be in check"),
        ("8/8/8/8/8/1K6/6R1/k7", "moves to mate are missing"),
        ("8/8/8/8/8/1K6/6R1/k7 1.5 Rg2-g1", "\"1.5\" is not a number of moves"),
        ("8/8/8/8/8/1K6/6R1/k7 0 Rg2-g1", "is not a number of moves"),
        ("8/8/8/8/8/1K6/6R1/k7 70000 Rg2-g1", "no mate takes 70000 moves"),
        ("8/8/8/8/8/1K6/6R1/k7 1", "nothing to try"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2g1", "\"Rg2g1\" is not a move like"),
        ("8/8/8/8/8/1K6/6R1/k7 1  Rg2-g1", "\"\" is not a move like"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rh2-h1", "is not on that square"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2-h1", "\"Rg2-h1\" is no move of that man"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2-g1 Kb3-b5", "\"Kb3-b5\" is no move of that man"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2-g1 Rg2-g1", "\"Rg2-g1\" is tried twice"),
        ("8/8/8/8/8/1K6/7R/k7 1 Rh2-h1", "line 1 has the same kings and the same distance"),
        ("8/8/8/8/8/1K6/7R/k7 1 Rh2-g2", "line 1 has the same kings and the same distance"),
        ("8/8/8/8/8/1K6/7R/k7 2 Rh2-g2", "line 1 has the same kings, and that mates in 1"),
        // The same men, mirrored.
        ("8/8/8/8/8/6K1/R7/7k 2 Ra2-b2", "line 1 has the same kings, and that mates in 1"),
    ] {
        let text = format!("{good}\n{bad}\n");
        let error = import(folder.path(), text.as_bytes()).unwrap_err().to_string();
        let shown: String = bad.chars().take(20).collect();
        assert!(error.starts_with(&format!("line 2: \"{shown}")), "{error}");
        assert!(error.contains(why), "{error}");
        assert!(error.len() < 500, "{error}");
    }
    assert_eq!(fs::read(Tablebase::new(folder.path()).path(krk())).unwrap(), table);
}

#[test]
fn the_entry_that_is_within_another_is_the_one_named() {
    let folder = tempfile::tempdir().unwrap();
    let small = "8/8/8/8/8/1K6/7R/k7 3 Rh2-h1";
    let large = "8/8/8/8/8/1K6/7R/kk6 3 Rh2-h1";
    let near = "8/8/8/8/8/1K6/7R/k7 1 Rh2-h1";
    for (text, says) in [
        (
            format!("{small}\n{large}"),
            "line 1: \"8/8/8/8/8/1K6/7R/k7 3\": all its kings are in line 2",
        ),
        (
            format!("{large}\n{small}"),
            "line 2: \"8/8/8/8/8/1K6/7R/k7 3\": all its kings are in line 1",
        ),
    ] {
        let error = import(folder.path(), text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(says), "{error}");
    }
    // A smaller set that is mated sooner is worth knowing.
    assert_eq!(import(folder.path(), format!("{large}\n{near}").as_bytes()).unwrap(), 2);
}

#[test]
fn nothing_is_a_table_only_if_it_is_said_of_what() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    let error = tables.import(None, &b""[..], &false.into(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ImportError::Nothing));
    let made = tables.import(Some(krk()), &b""[..], &false.into(), &mut |_| {}).unwrap();
    assert_eq!((made.endgame, made.lines), (krk(), 0));
    let line = &b"8/8/8/8/8/1K6/7Q/k7 1 Qh2-h1"[..];
    let error = tables.import(Some(krk()), line, &false.into(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("line 1: ") && error.to_string().contains("kqk"));
    let error = tables.import(None, &b"\xff\n"[..], &false.into(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("no text"), "{error}");
}

#[test]
fn whoever_is_stopped_writes_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    let line = &b"8/8/8/8/8/1K6/7R/k7 1 Rh2-h1\n"[..];
    let error = tables.import(None, line, &true.into(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ImportError::Interrupted) && !tables.has(krk()));
    tables.import(None, line, &false.into(), &mut |_| {}).unwrap();
    let error = tables.export(krk(), &mut Vec::new(), &true.into(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ExportError::Interrupted(_)));
}

#[test]
fn a_disposition_is_read_as_it_is_written() {
    for text in ["Kd4 Re4", "Ka1 Bb1 Nc3", "Kh8 Pa2"] {
        assert_eq!(text.parse::<Disposition>().unwrap().to_string(), text);
    }
    for text in ["", "Kd4", "kd4 re4", "Kd4 Rd4", "Kd4 Re9", "Kd4 ♖e4", "Kd4 Pe1", "Kd4 Ke6 Ra1"]
    {
        let error = text.parse::<Disposition>().unwrap_err();
        assert!(error.to_string().contains("Kd4 Re4"), "{error}");
    }
}
