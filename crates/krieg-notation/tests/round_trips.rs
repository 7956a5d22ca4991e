//! What is written can be read back: records and transcripts, PGN and JSON, any ruleset.

use krieg_core::{
    BitBoard, Color, DrawRules, Ending, Game, Move, PawnNews, Piece, Position, Record, Ruleset,
    Setup, Square, Transcript,
};
use krieg_notation::{KingsLine, Told, json, pgn};
use krieg_testing::{LIVELY, cases, draw_game, draw_setup, hat, lead_twin_games};
use proptest::prelude::*;
use rand::RngExt;

fn any_game() -> impl Strategy<Value = Game> {
    (any::<u64>(), 0usize..160)
        .prop_map(|(seed, tries)| draw_game(draw_setup(&mut hat(seed)), seed, tries))
}

fn only(told: impl Iterator<Item = Result<Told, impl std::fmt::Display>>, text: &str) -> Told {
    let mut games: Vec<Told> =
        told.map(|told| told.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn record_of(told: Told) -> Record {
    match told {
        Told::Record(record) => *record,
        Told::Transcript(_) => panic!("a record came back as one player's transcript"),
    }
}

fn transcript_of(told: Told) -> Transcript {
    match told {
        Told::Transcript(transcript) => *transcript,
        Told::Record(_) => panic!("a transcript came back as a full record"),
    }
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn the_umpires_record_goes_through_pgn(game in any_game()) {
        let text = pgn::write_record(game.record());
        prop_assert_eq!(&record_of(only(pgn::read(&text), &text)), game.record());
    }

    #[test]
    fn the_umpires_record_goes_through_json(game in any_game()) {
        let text = json::write_record(game.record());
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(&record_of(only(json::read(&text), &text)), game.record());
    }

    #[test]
    fn a_players_transcript_goes_through_pgn(game in any_game()) {
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let text = pgn::write_transcript(&transcript);
            prop_assert_eq!(transcript_of(only(pgn::read(&text), &text)), transcript);
        }
    }

    #[test]
    fn a_players_transcript_goes_through_json(game in any_game()) {
        for player in [Color::White, Color::Black] {
            let transcript = game.record().transcript(player);
            let text = json::write_transcript(&transcript);
            prop_assert_eq!(transcript_of(only(json::read(&text), &text)), transcript);
        }
    }

    #[test]
    fn many_games_in_one_file_stay_apart(games in prop::collection::vec(any_game(), 1..4)) {
        let records: Vec<&Record> = games.iter().map(Game::record).collect();
        let text: String = records.iter().map(|record| pgn::write_record(record) + "\n").collect();
        let again: Vec<Record> =
            pgn::read(&text).map(|told| record_of(told.expect("a game"))).collect();
        prop_assert_eq!(again.iter().collect::<Vec<_>>(), records);
    }

    #[test]
    fn reading_never_panics(text in "[\\[\\]{}()%$;:\"\\\\ a-hNBRQKOPCXA0-9.=+#?*/\n-]{0,200}") {
        let _ = pgn::read(&text).count();
        let _ = json::read(&text).count();
    }

    /// Wherever a file was torn off before its last word, it does not read as a whole game.
    #[test]
    fn a_torn_file_is_an_error(game in any_game(), tear in 0.0..1.0f64) {
        let text = pgn::write_record(game.record());
        let last_word = text.trim_end().rfind(char::is_whitespace).unwrap() + 1;
        let end = text.floor_char_boundary(1 + ((last_word - 1) as f64 * tear) as usize);
        prop_assert!(pgn::read(&text[..end]).any(|told| told.is_err()), "{}", &text[..end]);
        let line = json::write_record(game.record());
        let end = line.floor_char_boundary(1 + ((line.len() - 1) as f64 * tear) as usize);
        let error = json::read(&line[..end]).next().unwrap().unwrap_err();
        prop_assert!(error.to_string().starts_with("line 1: "));
    }

    #[test]
    fn a_line_of_a_tablebase_reads_back(seed in any::<u64>()) {
        let mut rng = hat(seed);
        let mut square = || Square::index(rng.random_range(0..Square::NUM));
        let (king, rook) = (square(), square());
        prop_assume!(king != rook);
        let men = vec![(king, Piece::King), (rook, Piece::Rook)];
        let mut kings: BitBoard = (0..5).map(|_| square()).collect();
        kings &= !(king.bitboard() | rook.bitboard());
        prop_assume!(!kings.is_empty());
        let line = KingsLine::new(men, kings, 26, vec![Move::new(rook, square())]);
        let again: KingsLine = line.to_string().parse().unwrap();
        prop_assert_eq!(again.to_string(), line.to_string());
        prop_assert_eq!((again.kings(), &again.tries), (line.kings(), &line.tries));
    }
}

/// Appendix B lets a narrator leave open what he does not know: `??`.
#[test]
fn a_narrator_may_not_know_what_was_said() {
    let text =
        "[Ruleset \"icc\"]\n[Narrator \"White\"]\n\n1. e4 {??:} 1... ?? {??:??} 2. exf5 {??:} *\n";
    let transcript = transcript_of(only(pgn::read(text), text));
    assert_eq!(transcript.lines[0].said.pawns, PawnNews::Silent);
    let again = pgn::write_transcript(&transcript);
    assert!(again.contains("1. e4 {??:} 1... ?? {??:??} 2. exf5 {??:} *"), "{again}");
    assert_eq!(transcript_of(only(pgn::read(&again), &again)), transcript);
}

#[test]
fn a_narrated_mate_needs_no_tag() {
    let text = "[Ruleset \"icc\"]\n[Narrator \"White\"]\n[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh8# 1-0\n";
    let transcript = transcript_of(only(pgn::read(text), text));
    assert_eq!(transcript.outcome.unwrap().ending, Ending::Checkmate);
}

/// A game as other programs write it: annotations, variations, clocks, remarks, and a tag that tells the
/// opening, which is nothing for a player's ears.
#[test]
fn ordinary_chess_reads_as_a_game_without_refused_tries() {
    let text = "\u{feff}[Event \"Casual\"]\r\n[White \"Ann\"]\r\n[Black \"Bob\"]\r\n[Result \"1-0\"]\r\n\
        [ECO \"C20\"]\r\n[Termination \"Time forfeit\"]\r\n\r\n\
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

/// What one player's side of a game reads like depends on nothing he was not told.
#[test]
fn a_transcript_gives_nothing_away() {
    let mut compared = 0;
    for (number, ruleset) in Ruleset::ALL.into_iter().enumerate() {
        for (place, fen) in LIVELY.iter().enumerate() {
            for player in [Color::White, Color::Black] {
                let start = Position::from_fen(fen).unwrap();
                let setup = Setup { ruleset, draws: DrawRules::NONE, start };
                let seed = (number * 100 + place) as u64;
                lead_twin_games(setup, player, seed, |one, other| {
                    let told = |game: &Game| {
                        let transcript = game.record().transcript(player);
                        (pgn::write_transcript(&transcript), json::write_transcript(&transcript))
                    };
                    assert_eq!(told(one), told(other), "{ruleset}: {fen}");
                    compared += u32::from(one.umpire().position() != other.umpire().position());
                });
            }
        }
    }
    assert!(compared > 500, "the worlds hardly differed: {compared}");
}
