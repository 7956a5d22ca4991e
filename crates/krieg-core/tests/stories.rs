//! Small games, told as an umpire would tell them: what each ruleset says, and to whom.

use krieg_core::{
    Announcement, Audience, Color, DrawRules, Ending, NotAccepted, Position, Ruleset, Try, Umpire,
    Verdict,
};

/// A game from a position, for telling stories with.
struct Table(Umpire);

impl Table {
    fn new(ruleset: Ruleset, fen: &str) -> Self {
        Table(Umpire::new(ruleset, Position::from_fen(fen).unwrap()))
    }

    fn start(ruleset: Ruleset) -> Self {
        Table(Umpire::new(ruleset, Position::start()))
    }

    fn tries(&mut self, tried: &str) -> Result<Announcement, NotAccepted> {
        self.0.judge(tried.parse::<Try>().unwrap())
    }

    /// What is said to the try, in words.
    fn says(&mut self, tried: &str) -> String {
        self.tries(tried).unwrap().to_string()
    }

    fn offers(&self, mv: &str) -> bool {
        self.0.view(self.0.turn()).tries().contains(mv.parse().unwrap())
    }
}

const ONE_TRY: &str = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
const NO_TRY: &str = "4k3/8/3p4/8/4P3/8/8/4K3 w - - 0 1";
const PASSING: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

#[test]
fn each_ruleset_speaks_of_pawn_tries_in_its_own_way() {
    let opening = |ruleset, fen| Table::new(ruleset, fen).0.opening().to_string();
    assert_eq!(opening(Ruleset::ICC, ONE_TRY), "White to move. 1 pawn try.");
    assert_eq!(opening(Ruleset::ICC, NO_TRY), "White to move. No pawn tries.");
    assert_eq!(opening(Ruleset::CINCINNATI, ONE_TRY), "White to move. There is a pawn try.");
    assert_eq!(opening(Ruleset::RAND, ONE_TRY), "White to move. Pawn tries from e4.");
    for ruleset in [Ruleset::BERKELEY, Ruleset::BERKELEY_ANY, Ruleset::ENGLISH, Ruleset::DUTCH] {
        assert_eq!(opening(ruleset, ONE_TRY), "White to move.");
    }
}

#[test]
fn diagonals_are_worth_a_try_where_there_may_be_one() {
    for ruleset in Ruleset::ALL {
        let with = Table::new(ruleset, ONE_TRY);
        assert!(with.offers("e4d5") && with.offers("e4f5"), "{ruleset}: White cannot see which");
        let without = Table::new(ruleset, NO_TRY);
        let is_silent = matches!(
            ruleset,
            Ruleset::BERKELEY | Ruleset::BERKELEY_ANY | Ruleset::ENGLISH | Ruleset::DUTCH
        );
        assert_eq!(without.offers("e4d5"), is_silent, "{ruleset}");
    }
    // RAND names the pawns, so another pawn's diagonals are not worth it.
    let rand = Table::new(Ruleset::RAND, "4k3/8/8/3p4/P3P3/8/8/4K3 w - - 0 1");
    assert!(rand.offers("e4f5") && !rand.offers("a4b5"));
    let icc = Table::new(Ruleset::ICC, "4k3/8/8/3p4/P3P3/8/8/4K3 w - - 0 1");
    assert!(icc.offers("a4b5"), "ICC only counts");
}

#[test]
fn a_refused_try_is_heard_by_the_mover_alone_on_icc_and_by_both_elsewhere() {
    for ruleset in Ruleset::ALL {
        let mut table = Table::new(ruleset, "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1");
        let said = table.tries("e1f2").unwrap();
        assert_eq!(said.verdict, Verdict::Refused);
        let audience = if ruleset == Ruleset::ICC { Audience::Mover } else { Audience::Both };
        assert_eq!(said.audience, audience, "{ruleset}");
        assert_eq!(table.0.view(Color::White).refusals(), 1);
        let heard = u16::from(audience == Audience::Both);
        assert_eq!(table.0.view(Color::Black).refusals(), heard, "{ruleset}");
        assert!(!table.offers("e1f2"), "{ruleset}: no try is sensible twice");
        assert!(table.offers("e1d2"));
    }
}

#[test]
fn what_becomes_of_nonsense_is_the_rulesets_affair() {
    for (ruleset, verdict) in [
        (Ruleset::ICC, Some((Verdict::Refused, Audience::Mover))),
        (Ruleset::CINCINNATI, Some((Verdict::Nonsense, Audience::Both))),
        (Ruleset::BERKELEY, None),
        (Ruleset::BERKELEY_ANY, None),
        (Ruleset::ENGLISH, Some((Verdict::Refused, Audience::Both))),
        (Ruleset::RAND, Some((Verdict::Nonsense, Audience::Both))),
    ] {
        let mut table = Table::start(ruleset);
        let before = table.0.view(Color::Black).clone();
        match (table.tries("b1b5"), verdict) {
            (Ok(said), Some(expected)) => assert_eq!((said.verdict, said.audience), expected),
            (Err(NotAccepted::Senseless), None) => {
                assert_eq!(table.0.view(Color::Black), &before, "nobody heard anything");
            }
            (answer, _) => panic!("{ruleset}: {answer:?}"),
        }
        // A try that was refused before is as senseless as the knight that slides.
        let mut table = Table::new(ruleset, "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1");
        table.tries("e1f2").unwrap();
        match (table.tries("e1f2"), verdict) {
            (Ok(said), Some(expected)) => assert_eq!((said.verdict, said.audience), expected),
            (Err(NotAccepted::Senseless), None) => {}
            (answer, _) => panic!("{ruleset}: {answer:?}"),
        }
    }
}

#[test]
fn a_capture_tells_what_the_ruleset_lets_it() {
    for (ruleset, words) in [
        (Ruleset::ICC, "White moved. Pawn on d5 captured. No pawn tries."),
        (Ruleset::CINCINNATI, "White moved. Pawn on d5 captured. No pawn tries."),
        (Ruleset::BERKELEY, "White moved. Man on d5 captured."),
        (Ruleset::BERKELEY_ANY, "White moved. Man on d5 captured."),
        (Ruleset::ENGLISH, "White moved. Man on d5 captured."),
        (Ruleset::RAND, "White moved. Pawn on d5 captured. No pawn tries."),
        (Ruleset::DUTCH, "White moved. Man on d5 captured by a pawn."),
    ] {
        assert_eq!(Table::new(ruleset, ONE_TRY).says("e4d5"), words, "{ruleset}");
    }
    let mut dutch = Table::new(Ruleset::DUTCH, "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1");
    assert_eq!(dutch.says("e1d2"), "White moved. Man on d2 captured by a piece.");
}

#[test]
fn a_pawn_taken_in_passing_dies_where_it_stands_except_in_english_words() {
    for ruleset in Ruleset::ALL {
        let mut table = Table::new(ruleset, PASSING);
        let said = table.tries("e5d6").unwrap().to_string();
        let words = match ruleset {
            Ruleset::ENGLISH => "Captured en passant, landing on d6.",
            Ruleset::DUTCH => "Captured en passant, landing on d6 by a pawn.",
            Ruleset::BERKELEY | Ruleset::BERKELEY_ANY => "Man on d5 captured.",
            _ => "Pawn on d5 captured.",
        };
        assert!(said.contains(words), "{ruleset}: {said}");
        assert_eq!(table.0.view(Color::Black).men().all().len(), 1, "{ruleset}: Black lost it");
        let is_told = !matches!(ruleset, Ruleset::BERKELEY | Ruleset::BERKELEY_ANY);
        let pawns = table.0.view(Color::White).taken().pawns;
        assert_eq!(
            pawns,
            u8::from(is_told),
            "{ruleset}: said to be en passant is said to be a pawn"
        );
    }
}

#[test]
fn only_rand_tells_of_promotions() {
    for ruleset in Ruleset::ALL {
        let mut table = Table::new(ruleset, "8/P7/8/8/8/8/7k/4K3 w - - 0 1");
        let said = table.tries("a7a8n").unwrap();
        assert_eq!(said.promoted, ruleset == Ruleset::RAND, "{ruleset}");
        let men = table.0.view(Color::White).men();
        assert_eq!(men.pieces(krieg_core::Piece::Knight).len(), 1);
        assert!(men.pieces(krieg_core::Piece::Pawn).is_empty());
    }
}

#[test]
fn the_four_promotions_of_one_capture_count_once_and_are_refused_one_by_one() {
    let mut table = Table::new(Ruleset::ICC, "1n5k/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(table.0.opening().to_string(), "White to move. 1 pawn try.");
    // A knight on a8 would block the pawn; here nothing does, and both ways are open.
    assert!(table.offers("a7b8q") && table.offers("a7b8n") && table.offers("a7a8r"));
    assert!(!table.offers("a7a8"), "a pawn on the last rank becomes something");
    assert_eq!(
        table.says("a7b8q"),
        "White moved. Piece on b8 captured. Rank check. No pawn tries."
    );

    let mut blocked = Table::new(Ruleset::ICC, "n6k/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(blocked.says("a7a8q"), "Illegal.");
    assert!(!blocked.offers("a7a8q") && blocked.offers("a7a8n"));
}

#[test]
fn berkeley_any_binds_until_a_capture_is_legal() {
    let mut table = Table::new(Ruleset::BERKELEY_ANY, "4k3/8/8/3p4/4P2P/8/8/4K3 w - - 0 1");
    assert_eq!(table.says("any?"), "Any? Yes.");
    assert!(!table.offers("e1e2"));
    assert_eq!(table.tries("e1e2"), Err(NotAccepted::PawnCaptureOwed));
    assert_eq!(table.tries("any?"), Err(NotAccepted::NoAny));
    assert_eq!(table.says("h4g5"), "Illegal.");
    assert_eq!(table.tries("h4g5"), Err(NotAccepted::Senseless), "refused before");
    assert_eq!(table.tries("e1e2"), Err(NotAccepted::PawnCaptureOwed), "still bound");
    assert_eq!(table.says("e4f5"), "Illegal.");
    assert_eq!(table.says("e4d5"), "White moved. Man on d5 captured.");
}

#[test]
fn english_any_costs_one_try_and_may_not_be_asked_again() {
    let mut table = Table::new(Ruleset::ENGLISH, "4k3/8/8/3p4/4P2P/3r4/8/4K3 w - - 0 1");
    assert_eq!(table.says("e1d2"), "Illegal.");
    assert_eq!(table.says("any?"), "Any? Yes.");
    assert_eq!(table.tries("e1e2"), Err(NotAccepted::PawnCaptureOwed));
    assert_eq!(table.says("h4g5"), "Illegal.");
    assert!(table.offers("e1e2"), "the price is paid");
    assert!(!table.offers("e1d2"), "what was refused before stays refused");
    assert_eq!(table.tries("any?"), Err(NotAccepted::NoAny));
    assert_eq!(table.says("e1e2"), "White moved.");
    assert!(table.0.view(Color::Black).may_ask(), "the other side may ask in its turn");
}

#[test]
fn after_no_the_diagonals_are_closed() {
    for ruleset in [Ruleset::BERKELEY_ANY, Ruleset::ENGLISH] {
        let mut table = Table::new(ruleset, NO_TRY);
        assert!(table.offers("e4d5"));
        let said = table.tries("any?").unwrap();
        assert_eq!((said.verdict, said.audience), (Verdict::Any(false), Audience::Both));
        assert!(!table.offers("e4d5") && table.offers("e4e5"));
        assert_eq!(table.0.view(Color::Black).any_answer(), Some(false), "both hear the answer");
    }
}

#[test]
fn any_is_no_question_where_the_rules_do_not_have_it() {
    for ruleset in [Ruleset::ICC, Ruleset::CINCINNATI, Ruleset::BERKELEY, Ruleset::RAND] {
        assert_eq!(Table::start(ruleset).tries("any?"), Err(NotAccepted::NoAny), "{ruleset}");
    }
}

#[test]
fn checks_are_told_by_direction_and_mate_as_mate() {
    let after = |fen, tried| Table::new(Ruleset::BERKELEY, fen).says(tried);
    assert_eq!(after("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "White moved. Rank check.");
    assert_eq!(after("4k3/8/8/8/8/8/8/R2K4 w - - 0 1", "a1a2"), "White moved.");
    assert_eq!(after("4k3/8/8/8/8/8/R7/3K4 w - - 0 1", "a2e2"), "White moved. File check.");
    let knight = "4k3/8/8/8/4N3/8/8/R3K3 w - - 0 1";
    assert_eq!(after(knight, "e4d6"), "White moved. Knight check.");
    // A pawn checks along a diagonal: from e8, d7 is on the long one and f7 on the short one.
    let pawns = "4k3/8/3P1P2/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(after(pawns, "d6d7"), "White moved. Long-diagonal check.");
    assert_eq!(after(pawns, "f6f7"), "White moved. Short-diagonal check.");
    // The bishop leaves the rook's file and checks by itself.
    let double = "4k3/8/8/8/4B3/8/8/K3R3 w - - 0 1";
    let words = "White moved. File check. Long-diagonal check.";
    assert_eq!(after(double, "e4c6"), words);
    let mate = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    assert_eq!(after(mate, "h1h8"), "White moved. Checkmate: White wins.");
}

#[test]
fn being_in_check_makes_no_other_try_senseless() {
    let table = Table::new(Ruleset::ICC, "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1");
    assert_eq!(table.0.opening().to_string(), "White to move. File check. No pawn tries.");
    assert!(table.offers("h1h8") && table.offers("e1g1"));
}

#[test]
fn castling_is_offered_over_unseen_men_and_told_to_nobody() {
    let mut table = Table::new(Ruleset::ICC, "4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1");
    assert!(table.offers("e1g1") && table.offers("e1c1"));
    assert_eq!(table.says("e1g1"), "Illegal.");
    assert!(!table.offers("e1g1") && table.offers("e1c1"));
    assert_eq!(table.says("e1c1"), "White moved. No pawn tries.");
    let rooks = table.0.view(Color::White).men().pieces(krieg_core::Piece::Rook);
    assert!(rooks.has(krieg_core::Square::D1) && rooks.has(krieg_core::Square::H1));
}

#[test]
fn a_king_that_names_its_rooks_square_does_not_castle() {
    // The chess library would read this as castling.
    let mut table = Table::new(Ruleset::ICC, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(!table.offers("e1h1"));
    assert_eq!(table.says("e1h1"), "Illegal.");
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    assert!(!position.is_legal("e1h1".parse().unwrap()));
    assert!(position.is_legal("e1g1".parse().unwrap()));
}

#[test]
fn a_captured_rook_castles_no_more() {
    let mut table = Table::new(Ruleset::ICC, "4k3/1b6/8/8/8/8/8/R3K2R b KQ - 0 1");
    assert_eq!(table.says("b7h1"), "Black moved. Piece on h1 captured. No pawn tries.");
    assert_eq!(table.0.view(Color::White).men().castling(), (false, true));
    assert!(!table.offers("e1g1") && table.offers("e1c1"));
}

#[test]
fn stalemate_is_a_draw_but_loses_at_rand() {
    for ruleset in Ruleset::ALL {
        let mut table = Table::new(ruleset, "7k/8/6Q1/6K1/8/8/8/8 w - - 0 1");
        let said = table.tries("g6f7").unwrap();
        let end = said.end.unwrap();
        assert_eq!(end.ending, Ending::Stalemate);
        let winner = if ruleset == Ruleset::RAND { Some(Color::White) } else { None };
        assert_eq!(end.winner, winner, "{ruleset}");
        assert_eq!(table.tries("h8g8"), Err(NotAccepted::GameOver));
    }
}

#[test]
fn the_same_position_three_times_is_a_draw_unless_it_is_not() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut table = Table::start(Ruleset::ICC);
    for (number, tried) in shuffle.iter().cycle().take(8).enumerate() {
        let said = table.tries(tried).unwrap();
        assert_eq!(said.end.is_some(), number == 7, "after {} plies", number + 1);
    }
    assert_eq!(table.0.outcome().unwrap().ending, Ending::Threefold);

    let draws = DrawRules { threefold: false, ..DrawRules::ALL };
    let mut table = Table(Umpire::with_draws(Ruleset::ICC, draws, Position::start()));
    for tried in shuffle.iter().cycle().take(12) {
        assert_eq!(table.tries(tried).unwrap().end, None);
    }
}

#[test]
fn a_double_step_makes_another_position_only_if_somebody_may_take_in_passing() {
    // White has just played e2e4, but nobody can take in passing: the position comes back.
    let mut table = Table::new(Ruleset::ICC, "r3k3/8/8/8/4P3/8/8/R3K3 b - e3 0 1");
    for tried in ["a8b8", "a1b1", "b8a8", "b1a1", "a8b8", "a1b1", "b8a8"] {
        assert_eq!(table.tries(tried).unwrap().end, None, "{tried}");
    }
    assert_eq!(table.tries("b1a1").unwrap().end.unwrap().ending, Ending::Threefold);
}

#[test]
fn fifty_moves_and_not_one_more() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 98 90";
    let mut table = Table::new(Ruleset::ICC, fen);
    assert_eq!(table.tries("a1b1").unwrap().end, None);
    assert_eq!(table.tries("e8e7").unwrap().end.unwrap().ending, Ending::FiftyMoves);

    let draws = DrawRules { fifty_moves: false, ..DrawRules::ALL };
    let start = Position::from_fen(fen).unwrap();
    let mut table = Table(Umpire::with_draws(Ruleset::ICC, draws, start));
    for tried in ["a1b1", "e8e7", "b1c1", "e7e8", "c1b1"] {
        assert_eq!(table.tries(tried).unwrap().end, None, "{tried}");
    }
}

#[test]
fn mate_comes_before_the_fifty_moves() {
    let mut table = Table::new(Ruleset::ICC, "k7/8/1K6/8/8/8/8/7R w - - 99 90");
    assert_eq!(table.tries("h1h8").unwrap().end.unwrap().ending, Ending::Checkmate);
}

#[test]
fn bare_kings_are_a_draw_at_once() {
    let mut table = Table::new(Ruleset::ICC, "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1");
    let said = table.tries("e1d2").unwrap();
    let words = "White moved. Piece on d2 captured. Insufficient material: a draw.";
    assert_eq!(said.to_string(), words);
}

#[test]
fn the_players_may_end_it_and_both_hear_it() {
    for player in [Color::White, Color::Black] {
        let mut table = Table::start(Ruleset::ICC);
        let end = table.0.resign(player).unwrap().end.unwrap();
        assert_eq!((end.ending, end.winner), (Ending::Resignation, Some(!player)));
        for color in [Color::White, Color::Black] {
            assert_eq!(table.0.view(color).outcome(), Some(end));
            assert!(table.0.view(color).tries().is_empty());
        }
        assert_eq!(table.tries("e2e4"), Err(NotAccepted::GameOver));
        assert_eq!(table.0.flag(player), Err(NotAccepted::GameOver));
    }
}

#[test]
fn time_cannot_be_lost_to_a_bare_king() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let flagged = |player| Table::new(Ruleset::ICC, fen).0.flag(player).unwrap().end.unwrap();
    assert_eq!(flagged(Color::White).winner, None);
    assert_eq!(flagged(Color::Black).winner, Some(Color::White));
}

#[test]
fn a_game_may_begin_where_it_ends() {
    let mated = Table::new(Ruleset::ICC, "k6R/8/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!(mated.0.outcome().unwrap().ending, Ending::Checkmate);
    assert_eq!(mated.0.opening().to_string(), "Black to move. Checkmate: White wins.");
}
