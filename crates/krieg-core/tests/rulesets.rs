//! What each ruleset announces, and to whom, in short games.

use krieg_core::{
    Announcement, Audience, Color, DrawRules, Ending, Position, Ruleset, Try, TryError, Umpire,
    Verdict,
};

/// An umpired game, driven by moves in text form.
struct Scenario(Umpire);

impl Scenario {
    fn new(ruleset: Ruleset, fen: &str) -> Self {
        Scenario(Umpire::new(ruleset, Position::from_fen(fen).unwrap()))
    }

    fn start(ruleset: Ruleset) -> Self {
        Scenario(Umpire::new(ruleset, Position::start()))
    }

    fn judge(&mut self, tried: &str) -> Result<Announcement, TryError> {
        self.0.judge(tried.parse::<Try>().unwrap())
    }

    /// The text of the announcement.
    fn announce(&mut self, tried: &str) -> String {
        self.judge(tried).unwrap().to_string()
    }

    fn is_sensible(&self, mv: &str) -> bool {
        self.0.view(self.0.turn()).tries().contains(mv.parse().unwrap())
    }
}

const ONE_TRY: &str = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
const NO_TRY: &str = "4k3/8/3p4/8/4P3/8/8/4K3 w - - 0 1";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

#[test]
fn pawn_tries_are_announced_as_the_ruleset_says() {
    let opening = |ruleset, fen| Scenario::new(ruleset, fen).0.opening().to_string();
    assert_eq!(opening(Ruleset::ICC, ONE_TRY), "White to move. 1 pawn try.");
    assert_eq!(opening(Ruleset::ICC, NO_TRY), "White to move. No pawn tries.");
    assert_eq!(opening(Ruleset::CINCINNATI, ONE_TRY), "White to move. There is a pawn try.");
    assert_eq!(opening(Ruleset::RAND, ONE_TRY), "White to move. Pawn tries from e4.");
    for ruleset in [Ruleset::BERKELEY, Ruleset::BERKELEY_ANY, Ruleset::ENGLISH, Ruleset::DUTCH] {
        assert_eq!(opening(ruleset, ONE_TRY), "White to move.");
    }
}

#[test]
fn pawn_captures_are_sensible_unless_the_announcement_excludes_them() {
    for ruleset in Ruleset::ALL {
        let with = Scenario::new(ruleset, ONE_TRY);
        assert!(
            with.is_sensible("e4d5") && with.is_sensible("e4f5"),
            "{ruleset}: White does not know which"
        );
        let without = Scenario::new(ruleset, NO_TRY);
        let is_silent = matches!(
            ruleset,
            Ruleset::BERKELEY | Ruleset::BERKELEY_ANY | Ruleset::ENGLISH | Ruleset::DUTCH
        );
        assert_eq!(without.is_sensible("e4d5"), is_silent, "{ruleset}");
    }
    // RAND announces the pawns, so captures by another pawn are not sensible.
    let rand = Scenario::new(Ruleset::RAND, "4k3/8/8/3p4/P3P3/8/8/4K3 w - - 0 1");
    assert!(rand.is_sensible("e4f5") && !rand.is_sensible("a4b5"));
    let icc = Scenario::new(Ruleset::ICC, "4k3/8/8/3p4/P3P3/8/8/4K3 w - - 0 1");
    assert!(icc.is_sensible("a4b5"), "ICC announces only the number");
}

#[test]
fn refusals_are_private_under_icc_and_public_elsewhere() {
    for ruleset in Ruleset::ALL {
        let mut game = Scenario::new(ruleset, "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1");
        let announcement = game.judge("e1f2").unwrap();
        assert_eq!(announcement.verdict, Verdict::Refused);
        let audience = if ruleset == Ruleset::ICC { Audience::Mover } else { Audience::Both };
        assert_eq!(announcement.audience, audience, "{ruleset}");
        assert_eq!(game.0.view(Color::White).refusals(), 1);
        let observed = u16::from(audience == Audience::Both);
        assert_eq!(game.0.view(Color::Black).refusals(), observed, "{ruleset}");
        assert!(!game.is_sensible("e1f2"), "{ruleset}: a refused try is not sensible again");
        assert!(game.is_sensible("e1d2"));
    }
}

#[test]
fn senseless_tries_are_answered_as_the_ruleset_says() {
    for (ruleset, verdict) in [
        (Ruleset::ICC, Some((Verdict::Refused, Audience::Mover))),
        (Ruleset::CINCINNATI, Some((Verdict::Nonsense, Audience::Both))),
        (Ruleset::BERKELEY, None),
        (Ruleset::BERKELEY_ANY, None),
        (Ruleset::ENGLISH, Some((Verdict::Refused, Audience::Both))),
        (Ruleset::RAND, Some((Verdict::Nonsense, Audience::Both))),
    ] {
        let mut game = Scenario::start(ruleset);
        let before = game.0.view(Color::Black).clone();
        match (game.judge("b1b5"), verdict) {
            (Ok(announcement), Some(expected)) => {
                assert_eq!((announcement.verdict, announcement.audience), expected)
            }
            (Err(TryError::Senseless), None) => {
                assert_eq!(game.0.view(Color::Black), &before, "nothing was announced");
            }
            (answer, _) => panic!("{ruleset}: {answer:?}"),
        }
        // A try that was refused before is treated like an impossible move.
        let mut game = Scenario::new(ruleset, "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1");
        game.judge("e1f2").unwrap();
        match (game.judge("e1f2"), verdict) {
            (Ok(announcement), Some(expected)) => {
                assert_eq!((announcement.verdict, announcement.audience), expected)
            }
            (Err(TryError::Senseless), None) => {}
            (answer, _) => panic!("{ruleset}: {answer:?}"),
        }
    }
}

#[test]
fn captures_announce_what_the_ruleset_allows() {
    for (ruleset, words) in [
        (Ruleset::ICC, "White moved. Pawn on d5 captured. No pawn tries."),
        (Ruleset::CINCINNATI, "White moved. Pawn on d5 captured. No pawn tries."),
        (Ruleset::BERKELEY, "White moved. Capture on d5."),
        (Ruleset::BERKELEY_ANY, "White moved. Capture on d5."),
        (Ruleset::ENGLISH, "White moved. Capture on d5."),
        (Ruleset::RAND, "White moved. Pawn on d5 captured. No pawn tries."),
        (Ruleset::DUTCH, "White moved. Capture on d5 by a pawn."),
    ] {
        assert_eq!(Scenario::new(ruleset, ONE_TRY).announce("e4d5"), words, "{ruleset}");
    }
    let mut dutch = Scenario::new(Ruleset::DUTCH, "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1");
    assert_eq!(dutch.announce("e1d2"), "White moved. Capture on d2 by a piece.");
}

#[test]
fn en_passant_names_the_landing_square_only_in_english_and_dutch() {
    for ruleset in Ruleset::ALL {
        let mut game = Scenario::new(ruleset, EN_PASSANT);
        let announcement = game.judge("e5d6").unwrap().to_string();
        let words = match ruleset {
            Ruleset::ENGLISH => "Captured en passant, landing on d6.",
            Ruleset::DUTCH => "Captured en passant, landing on d6 by a pawn.",
            Ruleset::BERKELEY | Ruleset::BERKELEY_ANY => "Capture on d5.",
            _ => "Pawn on d5 captured.",
        };
        assert!(announcement.contains(words), "{ruleset}: {announcement}");
        assert_eq!(
            game.0.view(Color::Black).pieces().all().len(),
            1,
            "{ruleset}: the pawn is gone"
        );
        let is_known = !matches!(ruleset, Ruleset::BERKELEY | Ruleset::BERKELEY_ANY);
        let pawns = game.0.view(Color::White).captured().pawns;
        assert_eq!(
            pawns,
            u8::from(is_known),
            "{ruleset}: a capture en passant is known to be of a pawn"
        );
    }
}

#[test]
fn only_rand_announces_promotions() {
    for ruleset in Ruleset::ALL {
        let mut game = Scenario::new(ruleset, "8/P7/8/8/8/8/7k/4K3 w - - 0 1");
        let announcement = game.judge("a7a8n").unwrap();
        assert_eq!(announcement.promoted, ruleset == Ruleset::RAND, "{ruleset}");
        let pieces = game.0.view(Color::White).pieces();
        assert_eq!(pieces.pieces(krieg_core::Piece::Knight).len(), 1);
        assert!(pieces.pieces(krieg_core::Piece::Pawn).is_empty());
    }
}

#[test]
fn promotions_of_one_capture_count_once_but_are_refused_separately() {
    let mut game = Scenario::new(Ruleset::ICC, "1n5k/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(game.0.opening().to_string(), "White to move. 1 pawn try.");
    // Nothing blocks the pawn on a8, so both the advance and the capture are sensible.
    assert!(game.is_sensible("a7b8q") && game.is_sensible("a7b8n") && game.is_sensible("a7a8r"));
    assert!(!game.is_sensible("a7a8"), "a promotion is required");
    assert_eq!(
        game.announce("a7b8q"),
        "White moved. Piece on b8 captured. Rank check. No pawn tries."
    );

    let mut blocked = Scenario::new(Ruleset::ICC, "n6k/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(blocked.announce("a7a8q"), "Illegal.");
    assert!(!blocked.is_sensible("a7a8q") && blocked.is_sensible("a7a8n"));
}

#[test]
fn berkeley_any_obliges_until_a_capture_is_legal() {
    let mut game = Scenario::new(Ruleset::BERKELEY_ANY, "4k3/8/8/3p4/4P2P/8/8/4K3 w - - 0 1");
    assert_eq!(game.announce("any?"), "Any? Yes.");
    assert!(!game.is_sensible("e1e2"));
    assert_eq!(game.judge("e1e2"), Err(TryError::PawnCaptureRequired));
    assert_eq!(game.judge("any?"), Err(TryError::AnyNotAllowed));
    assert_eq!(game.announce("h4g5"), "Illegal.");
    assert_eq!(game.judge("h4g5"), Err(TryError::Senseless), "refused before");
    assert_eq!(game.judge("e1e2"), Err(TryError::PawnCaptureRequired), "the obligation remains");
    assert_eq!(game.announce("e4f5"), "Illegal.");
    assert_eq!(game.announce("e4d5"), "White moved. Capture on d5.");
}

#[test]
fn english_any_obliges_to_one_try_and_is_allowed_once_per_turn() {
    let mut game = Scenario::new(Ruleset::ENGLISH, "4k3/8/8/3p4/4P2P/3r4/8/4K3 w - - 0 1");
    assert_eq!(game.announce("e1d2"), "Illegal.");
    assert_eq!(game.announce("any?"), "Any? Yes.");
    assert_eq!(game.judge("e1e2"), Err(TryError::PawnCaptureRequired));
    assert_eq!(game.announce("h4g5"), "Illegal.");
    assert!(game.is_sensible("e1e2"), "the obligation is fulfilled");
    assert!(!game.is_sensible("e1d2"), "earlier refusals remain");
    assert_eq!(game.judge("any?"), Err(TryError::AnyNotAllowed));
    assert_eq!(game.announce("e1e2"), "White moved.");
    assert!(game.0.view(Color::Black).can_ask_any(), "the opponent may ask in the next turn");
}

#[test]
fn after_no_pawn_captures_are_not_sensible() {
    for ruleset in [Ruleset::BERKELEY_ANY, Ruleset::ENGLISH] {
        let mut game = Scenario::new(ruleset, NO_TRY);
        assert!(game.is_sensible("e4d5"));
        let announcement = game.judge("any?").unwrap();
        assert_eq!(
            (announcement.verdict, announcement.audience),
            (Verdict::Any(false), Audience::Both)
        );
        assert!(!game.is_sensible("e4d5") && game.is_sensible("e4e5"));
        assert_eq!(game.0.view(Color::Black).any_answer(), Some(false), "the answer is public");
    }
}

#[test]
fn any_cannot_be_asked_under_other_rulesets() {
    for ruleset in [Ruleset::ICC, Ruleset::CINCINNATI, Ruleset::BERKELEY, Ruleset::RAND] {
        assert_eq!(
            Scenario::start(ruleset).judge("any?"),
            Err(TryError::AnyNotAllowed),
            "{ruleset}"
        );
    }
}

#[test]
fn checks_are_announced_by_direction_and_checkmate_as_the_end() {
    let after = |fen, tried| Scenario::new(Ruleset::BERKELEY, fen).announce(tried);
    assert_eq!(after("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "White moved. Rank check.");
    assert_eq!(after("4k3/8/8/8/8/8/8/R2K4 w - - 0 1", "a1a2"), "White moved.");
    assert_eq!(after("4k3/8/8/8/8/8/R7/3K4 w - - 0 1", "a2e2"), "White moved. File check.");
    let knight = "4k3/8/8/8/4N3/8/8/R3K3 w - - 0 1";
    assert_eq!(after(knight, "e4d6"), "White moved. Knight check.");
    // A pawn checks along a diagonal: from e8, d7 is on the long one and f7 on the short one.
    let pawns = "4k3/8/3P1P2/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(after(pawns, "d6d7"), "White moved. Long-diagonal check.");
    assert_eq!(after(pawns, "f6f7"), "White moved. Short-diagonal check.");
    // The bishop opens the rook's file and gives check itself.
    let double = "4k3/8/8/8/4B3/8/8/K3R3 w - - 0 1";
    let words = "White moved. File check. Long-diagonal check.";
    assert_eq!(after(double, "e4c6"), words);
    let mate = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    assert_eq!(after(mate, "h1h8"), "White moved. Checkmate: White wins.");
}

#[test]
fn check_does_not_restrict_sensible_tries() {
    let game = Scenario::new(Ruleset::ICC, "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1");
    assert_eq!(game.0.opening().to_string(), "White to move. File check. No pawn tries.");
    assert!(game.is_sensible("h1h8") && game.is_sensible("e1g1"));
}

#[test]
fn castling_is_sensible_across_unseen_pieces_and_is_not_announced() {
    let mut game = Scenario::new(Ruleset::ICC, "4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1");
    assert!(game.is_sensible("e1g1") && game.is_sensible("e1c1"));
    assert_eq!(game.announce("e1g1"), "Illegal.");
    assert!(!game.is_sensible("e1g1") && game.is_sensible("e1c1"));
    assert_eq!(game.announce("e1c1"), "White moved. No pawn tries.");
    let rooks = game.0.view(Color::White).pieces().pieces(krieg_core::Piece::Rook);
    assert!(rooks.has(krieg_core::Square::D1) && rooks.has(krieg_core::Square::H1));
}

#[test]
fn king_to_rook_square_is_not_castling() {
    // `cozy-chess` would accept this as castling.
    let mut game = Scenario::new(Ruleset::ICC, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(!game.is_sensible("e1h1"));
    assert_eq!(game.announce("e1h1"), "Illegal.");
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    assert!(!position.is_legal("e1h1".parse().unwrap()));
    assert!(position.is_legal("e1g1".parse().unwrap()));
}

#[test]
fn capturing_a_rook_removes_the_castling_right() {
    let mut game = Scenario::new(Ruleset::ICC, "4k3/1b6/8/8/8/8/8/R3K2R b KQ - 0 1");
    assert_eq!(game.announce("b7h1"), "Black moved. Piece on h1 captured. No pawn tries.");
    assert_eq!(game.0.view(Color::White).pieces().castling(), (false, true));
    assert!(!game.is_sensible("e1g1") && game.is_sensible("e1c1"));
}

#[test]
fn stalemate_is_a_draw_but_loses_under_rand() {
    for ruleset in Ruleset::ALL {
        let mut game = Scenario::new(ruleset, "7k/8/6Q1/6K1/8/8/8/8 w - - 0 1");
        let announcement = game.judge("g6f7").unwrap();
        let end = announcement.end.unwrap();
        assert_eq!(end.ending, Ending::Stalemate);
        let winner = if ruleset == Ruleset::RAND { Some(Color::White) } else { None };
        assert_eq!(end.winner, winner, "{ruleset}");
        assert_eq!(game.judge("h8g8"), Err(TryError::GameOver));
    }
}

#[test]
fn threefold_repetition_is_a_draw_if_the_rule_applies() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut game = Scenario::start(Ruleset::ICC);
    for (number, tried) in shuffle.iter().cycle().take(8).enumerate() {
        let announcement = game.judge(tried).unwrap();
        assert_eq!(announcement.end.is_some(), number == 7, "after {} plies", number + 1);
    }
    assert_eq!(game.0.outcome().unwrap().ending, Ending::Threefold);

    let draws = DrawRules { threefold: false, ..DrawRules::ALL };
    let mut game = Scenario(Umpire::with_draws(Ruleset::ICC, draws, Position::start()));
    for tried in shuffle.iter().cycle().take(12) {
        assert_eq!(game.judge(tried).unwrap().end, None);
    }
}

#[test]
fn en_passant_square_distinguishes_positions_only_if_the_capture_is_legal() {
    // White has just played e2e4, but no en passant capture is legal: the position is repeated.
    let mut game = Scenario::new(Ruleset::ICC, "r3k3/8/8/8/4P3/8/8/R3K3 b - e3 0 1");
    for tried in ["a8b8", "a1b1", "b8a8", "b1a1", "a8b8", "a1b1", "b8a8"] {
        assert_eq!(game.judge(tried).unwrap().end, None, "{tried}");
    }
    assert_eq!(game.judge("b1a1").unwrap().end.unwrap().ending, Ending::Threefold);
}

#[test]
fn fifty_move_rule_applies_at_one_hundred_plies() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 98 90";
    let mut game = Scenario::new(Ruleset::ICC, fen);
    assert_eq!(game.judge("a1b1").unwrap().end, None);
    assert_eq!(game.judge("e8e7").unwrap().end.unwrap().ending, Ending::FiftyMoves);

    let draws = DrawRules { fifty_moves: false, ..DrawRules::ALL };
    let start = Position::from_fen(fen).unwrap();
    let mut game = Scenario(Umpire::with_draws(Ruleset::ICC, draws, start));
    for tried in ["a1b1", "e8e7", "b1c1", "e7e8", "c1b1"] {
        assert_eq!(game.judge(tried).unwrap().end, None, "{tried}");
    }
}

#[test]
fn checkmate_has_precedence_over_the_fifty_move_rule() {
    let mut game = Scenario::new(Ruleset::ICC, "k7/8/1K6/8/8/8/8/7R w - - 99 90");
    assert_eq!(game.judge("h1h8").unwrap().end.unwrap().ending, Ending::Checkmate);
}

#[test]
fn bare_kings_are_drawn_immediately() {
    let mut game = Scenario::new(Ruleset::ICC, "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1");
    let announcement = game.judge("e1d2").unwrap();
    let words = "White moved. Piece on d2 captured. Insufficient material: a draw.";
    assert_eq!(announcement.to_string(), words);
}

#[test]
fn resignation_is_announced_to_both_players() {
    for player in [Color::White, Color::Black] {
        let mut game = Scenario::start(Ruleset::ICC);
        let end = game.0.resign(player).unwrap().end.unwrap();
        assert_eq!((end.ending, end.winner), (Ending::Resignation, Some(!player)));
        for color in [Color::White, Color::Black] {
            assert_eq!(game.0.view(color).outcome(), Some(end));
            assert!(game.0.view(color).tries().is_empty());
        }
        assert_eq!(game.judge("e2e4"), Err(TryError::GameOver));
        assert_eq!(game.0.flag(player), Err(TryError::GameOver));
    }
}

#[test]
fn flag_fall_against_a_bare_king_is_a_draw() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let flagged = |player| Scenario::new(Ruleset::ICC, fen).0.flag(player).unwrap().end.unwrap();
    assert_eq!(flagged(Color::White).winner, None);
    assert_eq!(flagged(Color::Black).winner, Some(Color::White));
}

#[test]
fn game_can_start_in_a_final_position() {
    let mated = Scenario::new(Ruleset::ICC, "k6R/8/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!(mated.0.outcome().unwrap().ending, Ending::Checkmate);
    assert_eq!(mated.0.opening().to_string(), "Black to move. Checkmate: White wins.");
}
