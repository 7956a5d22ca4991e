//! Round trips: every record and transcript that is written can be read, in PGN and JSON, for every
//! ruleset.

use krieg_core::{
    BitBoard, Color, DrawRules, Ending, Game, Move, PawnTryAnnouncement, Piece, Position, Record,
    Ruleset, Setup, Square, Transcript,
};
use krieg_notation::{MultiKingFen, SavedGame, json, pgn};
use krieg_testing::{
    TEST_POSITIONS, cases, play_indistinguishable_games, random_game, random_setup, seeded_rng,
};
use proptest::prelude::*;
use rand::RngExt;

fn any_game() -> impl Strategy<Value = Game> {
    (any::<u64>(), 0usize..160)
        .prop_map(|(seed, tries)| random_game(random_setup(&mut seeded_rng(seed)), seed, tries))
}

fn only(
    games: impl Iterator<Item = Result<SavedGame, impl std::fmt::Display>>,
    text: &str,
) -> SavedGame {
    let mut games: Vec<SavedGame> =
        games.map(|game| game.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn record_of(game: SavedGame) -> Record {
    match game {
        SavedGame::Record(record) => *record,
        SavedGame::Transcript(_) => panic!("a record was read as a transcript"),
    }
}

fn transcript_of(game: SavedGame) -> Transcript {
    match game {
        SavedGame::Transcript(transcript) => *transcript,
        SavedGame::Record(_) => panic!("a transcript was read as a record"),
    }
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn record_round_trips_through_pgn(game in any_game()) {
        let text = pgn::write_record(game.record());
        prop_assert_eq!(&record_of(only(pgn::read(&text), &text)), game.record());
    }

    #[test]
    fn record_round_trips_through_json(game in any_game()) {
        let text = json::write_record(game.record());
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(&record_of(only(json::read(&text), &text)), game.record());
    }

    #[test]
    fn transcript_round_trips_through_pgn(game in any_game()) {
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let text = pgn::write_transcript(&transcript);
            prop_assert_eq!(transcript_of(only(pgn::read(&text), &text)), transcript);
        }
    }

    #[test]
    fn transcript_round_trips_through_json(game in any_game()) {
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let text = json::write_transcript(&transcript);
            prop_assert_eq!(transcript_of(only(json::read(&text), &text)), transcript);
        }
    }

    #[test]
    fn several_games_in_one_file_are_read_separately(
        games in prop::collection::vec(any_game(), 1..4)
    ) {
        let records: Vec<&Record> = games.iter().map(Game::record).collect();
        let text: String = records.iter().map(|record| pgn::write_record(record) + "\n").collect();
        let again: Vec<Record> =
            pgn::read(&text).map(|game| record_of(game.expect("a game"))).collect();
        prop_assert_eq!(again.iter().collect::<Vec<_>>(), records);
    }

    #[test]
    fn reading_never_panics(text in "[\\[\\]{}()%$;:\"\\\\ a-hNBRQKOPCXA0-9.=+#?*/\n-]{0,200}") {
        let _ = pgn::read(&text).count();
        let _ = json::read(&text).count();
    }

    /// A file that is truncated anywhere before its last word is an error.
    #[test]
    fn truncated_file_is_an_error(game in any_game(), cut in 0.0..1.0f64) {
        let text = pgn::write_record(game.record());
        let last_word = text.trim_end().rfind(char::is_whitespace).unwrap() + 1;
        let end = text.floor_char_boundary(1 + ((last_word - 1) as f64 * cut) as usize);
        prop_assert!(pgn::read(&text[..end]).any(|game| game.is_err()), "{}", &text[..end]);
        let line = json::write_record(game.record());
        let end = line.floor_char_boundary(1 + ((line.len() - 1) as f64 * cut) as usize);
        let error = json::read(&line[..end]).next().unwrap().unwrap_err();
        prop_assert!(error.to_string().starts_with("line 1: "));
    }

    #[test]
    fn multi_king_fen_round_trips(seed in any::<u64>()) {
        let mut rng = seeded_rng(seed);
        let mut square = || Square::index(rng.random_range(0..Square::NUM));
        let (king, rook) = (square(), square());
        prop_assume!(king != rook);
        let pieces = vec![(king, Piece::King), (rook, Piece::Rook)];
        let mut king_squares: BitBoard = (0..5).map(|_| square()).collect();
        king_squares &= !(king.bitboard() | rook.bitboard());
        prop_assume!(!king_squares.is_empty());
        let line = MultiKingFen::new(pieces, king_squares, 26, vec![Move::new(rook, square())]);
        let again: MultiKingFen = line.to_string().parse().unwrap();
        prop_assert_eq!(again.to_string(), line.to_string());
        prop_assert_eq!((again.king_squares(), &again.tries), (line.king_squares(), &line.tries));
    }
}

/// In appendix B, `??` in a list of messages stands for what the narrator does not know.
#[test]
fn unknown_messages_round_trip() {
    let text =
        "[Ruleset \"icc\"]\n[Narrator \"White\"]\n\n1. e4 {??:} 1... ?? {??:??} 2. exf5 {??:} *\n";
    let transcript = transcript_of(only(pgn::read(text), text));
    assert_eq!(transcript.observations[0].announcement.pawn_tries, PawnTryAnnouncement::Silent);
    let again = pgn::write_transcript(&transcript);
    assert!(again.contains("1. e4 {??:} 1... ?? {??:??} 2. exf5 {??:} *"), "{again}");
    assert_eq!(transcript_of(only(pgn::read(&again), &again)), transcript);
}

#[test]
fn mate_in_a_transcript_needs_no_ending_tag() {
    let text = "[Ruleset \"icc\"]\n[Narrator \"White\"]\n\
                [FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh8# 1-0\n";
    let transcript = transcript_of(only(pgn::read(text), text));
    assert_eq!(transcript.outcome.unwrap().ending, Ending::Checkmate);
}

/// A game as other programs write it: annotations, variations, clock times, remarks, and an `ECO`
/// tag, which must not be part of a transcript because it reveals the opening.
#[test]
fn ordinary_chess_is_read_as_a_game_without_refused_tries() {
    let text = "\u{feff}[Event \"Casual\"]\r\n[White \"Ann\"]\r\n[Black \"Bob\"]\r\n\
        [Result \"1-0\"]\r\n[ECO \"C20\"]\r\n[Termination \"Time forfeit\"]\r\n\r\n\
        % a line for another program\r\n\
        1. e4 $1 { [%clk 0:05:00] } 1... e5 ; the usual\r\n\
        2.Nf3 {Better than this: f4} (2. f4 exf4 (2... d5 $6) 3. Nf3) 2...Nc6 !? 3. Bc4!? Nf6??\r\n\
        4. O-O Be7 1-0\r\n";
    let record = record_of(only(pgn::read(text), text));
    assert_eq!((record.moves(), record.entries().len()), (8, 8));
    assert_eq!(record.outcome().unwrap().to_string(), "Black's time ran out: White wins.");
    assert_eq!(record.tags()["ECO"], "C20");
    assert!(!record.transcript(Color::Black).tags.contains_key("ECO"));
}

/// A transcript depends only on what was announced to its player.
#[test]
fn transcript_reveals_no_hidden_information() {
    let mut compared = 0;
    for (number, ruleset) in Ruleset::ALL.into_iter().enumerate() {
        for (place, fen) in TEST_POSITIONS.iter().enumerate() {
            for player in [Color::White, Color::Black] {
                let start = Position::from_fen(fen).unwrap();
                let setup = Setup { ruleset, draws: DrawRules::NONE, start };
                let seed = (number * 100 + place) as u64;
                play_indistinguishable_games(setup, player, seed, |one, other| {
                    let texts = |game: &Game| {
                        let transcript = game.record().transcript(player);
                        (pgn::write_transcript(&transcript), json::write_transcript(&transcript))
                    };
                    assert_eq!(texts(one), texts(other), "{ruleset}: {fen}");
                    compared += u32::from(one.umpire().position() != other.umpire().position());
                });
            }
        }
    }
    assert!(compared > 500, "the positions of the paired games hardly differed: {compared}");
}
