//! A corpus of invalid FENs: each is rejected with the expected reason.

use krieg_core::Position;

#[test]
fn invalid_fens_are_rejected_with_a_reason() {
    let corpus = include_str!("bad_fens.txt");
    let mut count = 0;
    for line in corpus.lines().filter(|line| !line.starts_with('#')) {
        let (fen, reason) = line.split_once(" | ").expect("a FEN, a bar and a reason");
        let error = Position::from_fen(fen).expect_err(fen);
        assert!(error.reason.contains(reason), "{fen:?}: {error}");
        assert_eq!(error.fen, krieg_core::excerpt(fen), "the error quotes the text");
        count += 1;
    }
    assert!(count > 35, "the corpus was read");
}

#[test]
fn long_text_is_quoted_only_in_part() {
    let fen = "k".repeat(10_000_000);
    let error = Position::from_fen(&fen).unwrap_err().to_string();
    assert!(error.len() < 300, "{}", error.len());
}
