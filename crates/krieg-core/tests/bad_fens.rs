//! A corpus of texts that are no position: each is turned away with its reason.

use krieg_core::Position;

#[test]
fn every_bad_fen_is_turned_away_with_its_reason() {
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
fn a_fen_of_ten_million_letters_is_quoted_only_in_part() {
    let fen = "k".repeat(10_000_000);
    let error = Position::from_fen(&fen).unwrap_err().to_string();
    assert!(error.len() < 300, "{}", error.len());
}
