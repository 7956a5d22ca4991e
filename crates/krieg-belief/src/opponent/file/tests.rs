//! Tests of the text format: round trips, version 2, and damaged files.

use super::*;

/// Two types with a few weights, and their hidden layer.
fn two_types() -> (Vec<OpponentType>, HiddenLayer) {
    let mut first = OpponentType::new("first");
    first.prior = 0.25;
    first.penalty_share = 0.5;
    for (feature, weight) in first.feature_weights.iter_mut().enumerate() {
        *weight = feature as f32 / 256.0 - 2.5;
    }
    first.output_weights[7] = 0.125;
    let mut hidden_layer = HiddenLayer::zero();
    hidden_layer.board_weights[3][1] = -0.5;
    hidden_layer.move_weights[MOVE_FEATURES - 1][31] = 1.25;
    (vec![first, OpponentType::new("second")], hidden_layer)
}

fn text_of_two_types() -> String {
    let (types, hidden_layer) = two_types();
    write(&types, &hidden_layer)
}

#[test]
fn written_types_are_read_back() {
    let text = text_of_two_types();
    assert_eq!(read(&text), Ok(two_types()));
    let with_comments = text.replace("type second", "# another one\n\ntype second");
    assert_eq!(read(&with_comments), Ok(two_types()));
}

/// The text with the names of version 2.
fn in_version_2(text: &str) -> String {
    let old_name = |line: &str| {
        let (first, rest) = line.split_once(' ').unwrap();
        let old = VERSION_2_NAMES.iter().find(|(_, name)| *name == first);
        format!("{} {rest}\n", old.map_or(first, |(old, _)| old))
    };
    let body = text.lines().skip(1).map(old_name).collect::<String>();
    format!("{VERSION_2_HEADING}\n{body}")
}

#[test]
fn version_2_is_read() {
    let text = in_version_2(&text_of_two_types());
    for line in ["player first 0.25 0.5", "man -2.5", "far ", "again ", "impressions ", "board 3 "]
    {
        assert!(text.contains(&format!("\n{line}")), "{line}");
    }
    assert_eq!(read(&text), Ok(two_types()));
    let general = text.replace("player second", "player anybody");
    assert_eq!(read(&general).unwrap().0[1].name, GENERAL_TYPE);
}

#[test]
fn every_name_of_version_2_stands_for_another_group() {
    let groups: Vec<&str> = (0..=FEATURE_GROUPS.len()).map(|index| group(index).0).collect();
    for (at, (old, name)) in VERSION_2_NAMES.iter().enumerate() {
        let is_line = [TYPE, BOARD_FEATURE, MOVE_FEATURE].contains(name);
        assert!(is_line || groups.contains(name), "{old} {name}");
        let others = &VERSION_2_NAMES[..at];
        assert!(others.iter().all(|other| other.0 != *old && other.1 != *name), "{old} {name}");
    }
}

#[test]
fn names_of_version_2_are_rejected_in_version_3() {
    let text = in_version_2(&text_of_two_types()).replace(VERSION_2_HEADING, HEADING);
    assert!(matches!(read(&text), Err(OpponentMixtureError::UnknownLine { line: 2, .. })));
}

#[test]
fn damaged_file_is_rejected_with_the_line() {
    use OpponentMixtureError::*;
    let text = text_of_two_types();
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        read(&text.replacen(from, to, 1)).unwrap_err()
    };
    assert_eq!(read("something else"), Err(WrongHeading("something else".to_string())));
    assert_eq!(read(""), Err(WrongHeading(String::new())));
    assert_eq!(read(HEADING), Err(TypeCount(0)));
    let invalid = |line, text: &str| InvalidType { line, text: text.to_string() };
    assert_eq!(changed("type first 0.25 0.5", "type first"), invalid(2, "type first"));
    let name = "type first 0.25 0.5";
    assert_eq!(changed(name, "type first -1"), invalid(2, "type first -1"));
    for share in ["1.5", "-1", "NaN", "0.5 1"] {
        let line = format!("type first 0.25 {share}");
        assert_eq!(changed(name, &line), invalid(2, &line));
    }
    assert_eq!(
        changed("type first 0.25 0.5", "type second 1"),
        invalid(4 + FEATURE_GROUPS.len(), "type second 1")
    );
    assert!(matches!(changed("\nmoved-piece ", "\nmoved "), UnknownLine { line: 3, .. }));
    assert!(matches!(
        changed("\nmoved-piece ", "\nmoved-piece x "),
        WrongNumbers { line: 3, name: "moved-piece", expected: 24, limit: 8 }
    ));
    assert!(matches!(changed("\nmoved-piece ", "\nmoved-piece NaN "), WrongNumbers { .. }));
    assert!(matches!(changed("\nmoved-piece ", "\nmoved-piece 1 "), WrongNumbers { .. }));
    assert!(matches!(changed("\nmoved-piece ", "\n# "), MissingGroup { name: "moved-piece", .. }));
    assert!(matches!(changed("type second 1\n", ""), DuplicateGroup { name: "moved-piece", .. }));
    assert!(matches!(changed("\nboard-feature 3 ", "\nboard-feature 3000 "), UnknownLine { .. }));
    assert!(matches!(
        changed("\nmove-feature 1 ", "\nmove-feature 1 1 "),
        WrongNumbers { name: "move-feature", expected: HIDDEN_UNITS, limit: 8_000, .. }
    ));
    assert!(matches!(
        read(&format!("{HEADING}\nmoved-piece 1\n")),
        Err(UnknownLine { line: 2, .. })
    ));
}

#[test]
fn errors_quote_the_text_and_say_what_is_allowed() {
    assert_eq!(
        read("opponents").unwrap_err().to_string(),
        "line 1: \"opponents\" is not \"krieg opponents 3\""
    );
    assert_eq!(
        read(&format!("{HEADING}\ntype greedy\n")).unwrap_err().to_string(),
        "line 2: \"type greedy\" needs a new name, a prior above 0, and perhaps a share from 0 to \
         1, as in \"type greedy 0.2 0\""
    );
    assert_eq!(
        read(&format!("{HEADING}\ntype greedy 1\npassed-pawn x\n")).unwrap_err().to_string(),
        "line 3: passed-pawn: expected 1 number(s) between -8 and 8"
    );
}
