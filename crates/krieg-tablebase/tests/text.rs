//! Tables as text: export, import, and text that is rejected.

use std::fs;
use std::path::Path;

use krieg_core::{BitBoard, Color, Move};
use krieg_notation::MultiKingFen;
use krieg_tablebase::{
    Endgame, ExportError, ImportError, Metaposition, Placement, Symmetry, Tablebase,
};

fn krk() -> Endgame {
    "krk".parse().unwrap()
}

fn export(tables: &Tablebase) -> String {
    let mut text = Vec::new();
    let mut reported = 0;
    let lines = tables
        .export(krk(), &mut text, &false.into(), &mut |progress| {
            assert!(reported <= progress.lines && progress.lines <= progress.total);
            reported = progress.lines;
        })
        .unwrap();
    assert_eq!(lines, reported);
    String::from_utf8(text).unwrap()
}

/// The line with its board transformed. A placement that equals its own mirror image across the
/// diagonal is left alone: the transformed line would be a different entry.
fn transformed(text: &str, symmetry: Symmetry) -> String {
    let line: MultiKingFen = text.parse().unwrap();
    let asked = Metaposition::new(Color::White, line.pieces(), line.king_squares()).unwrap();
    if asked.placement().transformed(Symmetry::TRANSPOSE) == *asked.placement() {
        return text.to_string();
    }
    let map = |square| symmetry.map_square(square);
    let pieces = line.pieces().iter().map(|&(square, piece)| (map(square), piece)).collect();
    let kings = BitBoard(symmetry.map_set(line.king_squares().0));
    let tries = line.tries.iter().map(|mv| Move { from: map(mv.from), to: map(mv.to), ..*mv });
    MultiKingFen::new(pieces, kings, line.moves_to_mate, tries.collect()).to_string()
}

#[test]
fn an_exported_table_is_imported_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path().join("built"));
    tables.build(krk(), &false.into(), &mut |_| {}).unwrap();
    let text = export(&tables);
    assert_eq!(text.lines().count(), 507_285);
    let table = fs::read(tables.path(krk())).unwrap();
    assert_lines_agree_with_probes(&tables, &text);

    let again = Tablebase::new(folder.path().join("again"));
    let summary = again.import(None, text.as_bytes(), &false.into(), &mut |_| {}).unwrap();
    assert_eq!((summary.endgame, summary.lines), (krk(), 507_285));
    assert!(fs::read(again.path(krk())).unwrap() == table, "the table differs");
    assert!(export(&again) == text, "the lines differ");

    // Some of the lines in reverse order, each transformed by another symmetry.
    let some: Vec<&str> = text.lines().step_by(7).collect();
    let other: Vec<String> = some
        .iter()
        .rev()
        .zip(Symmetry::ALL.iter().cycle())
        .map(|(line, symmetry)| transformed(line, *symmetry))
        .collect();
    let import = |lines: &str| {
        again.import(Some(krk()), lines.as_bytes(), &false.into(), &mut |_| {}).unwrap();
        fs::read(again.path(krk())).unwrap()
    };
    assert!(import(&some.join("\n")) == import(&other.join("\r\n")), "the table differs");
}

/// Checks every hundredth line: it agrees with a probe, each try may be accepted, and no king
/// refuses all of them.
fn assert_lines_agree_with_probes(tables: &Tablebase, text: &str) {
    for line in text.lines().step_by(100) {
        let line: MultiKingFen = line.parse().unwrap();
        let asked = Metaposition::new(Color::White, line.pieces(), line.king_squares()).unwrap();
        let win = tables.probe(&asked).unwrap().unwrap();
        assert_eq!(u32::from(win.distance), line.moves_to_mate, "{line}");
        assert_eq!((win.kings, &win.tries), (line.king_squares(), &line.tries), "{line}");
        let tries = asked.placement().tries();
        let left = line.tries.iter().fold(line.king_squares().0, |kings, mv| {
            let tried = tries.iter().find(|tried| tried.mv == *mv).unwrap();
            assert!(kings & !tried.refused_by != 0, "{mv} is always refused: {line}");
            kings & tried.refused_by
        });
        assert_eq!(BitBoard(left), BitBoard::EMPTY, "{line}");
    }
}

fn import(folder: &Path, text: &[u8]) -> Result<u64, ImportError> {
    let tables = Tablebase::new(folder);
    tables.import(None, text, &false.into(), &mut |_| {}).map(|summary| summary.lines)
}

#[test]
fn bad_lines_are_rejected_with_the_reason() {
    let good = "8/8/8/8/8/1K6/7R/k7 1 Rh2-h1";
    let long = "x".repeat(100_000);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(import(folder.path(), good.as_bytes()).unwrap(), 1);
    let table = fs::read(Tablebase::new(folder.path()).path(krk())).unwrap();
    for (bad, reason) in [
        ("", "\"\": the line is empty"),
        ("# krk", "has 1 ranks"),
        (&long, "the line is too long"),
        ("8/8/8/8/8/1K6/7Q/k7 1 Qh2-h1", "an entry of kqk, the table is of krk"),
        ("8/8/8/8/8/1K6/8/k7 1 Kb3-c3", "only a king"),
        ("8/8/8/8/8/1K6/3RRRRR/k7 1 Rh2-h1", "too many pieces"),
        ("8/8/8/8/8/1K6/8/k6P 1 h1-h2", "on the first or last rank"),
        ("8/8/8/8/8/1K6/7r/k7 1 Kb3-c3", "'r' is neither a piece of the attacker nor k"),
        ("8/8/8/8/8/1K6/7R/8 1 Rh2-h1", "no lone king"),
        ("8/8/8/8/8/1K6/k6R/8 1 Rh2-h1", "a2, next to the other king"),
        ("8/8/8/8/7k/1K6/7R/k7 1 Rh2-h1", "h4: it would be in check"),
        ("8/8/8/8/8/1K6/6R1/k7", "moves to mate are missing"),
        ("8/8/8/8/8/1K6/6R1/k7 1.5 Rg2-g1", "\"1.5\" is not a number of moves"),
        ("8/8/8/8/8/1K6/6R1/k7 0 Rg2-g1", "is not a number of moves"),
        ("8/8/8/8/8/1K6/6R1/k7 70000 Rg2-g1", "no mate takes 70000 moves"),
        ("8/8/8/8/8/1K6/6R1/k7 1", "the tries are missing"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2g1", "\"Rg2g1\" is not a move like"),
        ("8/8/8/8/8/1K6/6R1/k7 1  Rg2-g1", "\"\" is not a move like"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rh2-h1", "is not on that square"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2-h1", "\"Rg2-h1\" is not a move of that piece"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2-g1 Kb3-b5", "\"Kb3-b5\" is not a move of that piece"),
        ("8/8/8/8/8/1K6/6R1/k7 1 Rg2-g1 Rg2-g1", "\"Rg2-g1\" is repeated"),
        ("8/8/8/8/8/1K6/7R/k7 1 Rh2-h1", "line 1 has the same kings and the same distance"),
        ("8/8/8/8/8/1K6/7R/k7 1 Rh2-g2", "line 1 has the same kings and the same distance"),
        ("8/8/8/8/8/1K6/7R/k7 2 Rh2-g2", "line 1 has the same kings, and that mates in 1"),
        // The mirror image of the same placement.
        ("8/8/8/8/8/6K1/R7/7k 2 Ra2-b2", "line 1 has the same kings, and that mates in 1"),
    ] {
        let text = format!("{good}\n{bad}\n");
        let error = import(folder.path(), text.as_bytes()).unwrap_err().to_string();
        let shown: String = bad.chars().take(20).collect();
        assert!(error.starts_with(&format!("line 2: \"{shown}")), "{error}");
        assert!(error.contains(reason), "{error}");
        assert!(error.len() < 500, "{error}");
    }
    assert_eq!(fs::read(Tablebase::new(folder.path()).path(krk())).unwrap(), table);
}

#[test]
fn the_dominated_entry_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let small = "8/8/8/8/8/1K6/7R/k7 3 Rh2-h1";
    let large = "8/8/8/8/8/1K6/7R/kk6 3 Rh2-h1";
    let near = "8/8/8/8/8/1K6/7R/k7 1 Rh2-h1";
    for (text, message) in [
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
        assert!(error.starts_with(message), "{error}");
    }
    // A subset with a smaller distance is not dominated.
    assert_eq!(import(folder.path(), format!("{large}\n{near}").as_bytes()).unwrap(), 2);
}

#[test]
fn an_empty_table_is_imported_only_with_an_endgame() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    let error = tables.import(None, &b""[..], &false.into(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ImportError::Empty));
    let summary = tables.import(Some(krk()), &b""[..], &false.into(), &mut |_| {}).unwrap();
    assert_eq!((summary.endgame, summary.lines), (krk(), 0));
    let line = &b"8/8/8/8/8/1K6/7Q/k7 1 Qh2-h1"[..];
    let error = tables.import(Some(krk()), line, &false.into(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("line 1: ") && error.to_string().contains("kqk"));
    let error = tables.import(None, &b"\xff\n"[..], &false.into(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("not UTF-8 text"), "{error}");
}

#[test]
fn an_interrupted_import_or_export_stops() {
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
fn placements_are_parsed_as_they_are_written() {
    for text in ["Kd4 Re4", "Ka1 Bb1 Nc3", "Kh8 Pa2"] {
        assert_eq!(text.parse::<Placement>().unwrap().to_string(), text);
    }
    for text in ["", "Kd4", "kd4 re4", "Kd4 Rd4", "Kd4 Re9", "Kd4 ♖e4", "Kd4 Pe1", "Kd4 Ke6 Ra1"]
    {
        let error = text.parse::<Placement>().unwrap_err();
        assert!(error.to_string().contains("Kd4 Re4"), "{error}");
    }
}
