//! Tests of the player with a small random network, or with an output of the network made by hand.

use std::sync::Arc;

use krieg_core::{
    Color, Ending, Game as UmpiredGame, Observer, Piece, Position, Rank, Ruleset, Setup, Square,
    View,
};
use krieg_net::{Evaluation, Network};
use krieg_testing::{TEST_POSITIONS, random_network_file};
use krieg_time::{Clock, TimeControl};

use super::*;
use crate::lone_king::{LoneKingController, TablebaseProvider};
use crate::{Choice, Exclusion, GameRunner, Player, Random, Settings, opponent_map_json};

fn learned(temperature: f32) -> Learned {
    let network = Arc::new(Network::read(&random_network_file(1, 16, 1, 1)).unwrap());
    Learned::new(LearnedSettings { temperature, network, ..LearnedSettings::default() })
}

fn settings(ruleset: Ruleset, fen: &str) -> GameSettings {
    let setup = Setup { ruleset, start: Position::from_fen(fen).unwrap(), ..Setup::default() };
    GameSettings { setup, draw_after: Some(60), ..GameSettings::default() }
}

/// White's player after these tries from this position, and White's view.
fn after(fen: &str, tries: &[&str]) -> (Learned, View) {
    let settings = settings(Ruleset::ICC, fen);
    let mut game = UmpiredGame::new(settings.setup.clone());
    let mut player = learned(0.0);
    player.begin(&Seat::new(Color::White, &settings, 1)).unwrap();
    let mut observer = Observer::new(Color::White);
    for tried in tries {
        game.judge(tried.parse().unwrap()).unwrap();
        let entry = game.record().entries().last().unwrap();
        if let Some(observation) = observer.observe(entry) {
            player.observe(&observation).unwrap();
        }
    }
    (player, game.umpire().view(Color::White).clone())
}

/// An output of the network: this value, this belief, and a policy that prefers one try.
fn output(value: [f32; 3], pieces: &[(Piece, Square, f32)], preferred: &str) -> Box<Evaluation> {
    let mut evaluation = Box::new(Evaluation {
        pair_logits: [[0.0; 64]; 64],
        promotion_logits: [[0.0; 4]; 64],
        any_logit: 0.0,
        value,
        belief: [[0.0; 6]; 64],
    });
    for (piece, square, probability) in pieces {
        evaluation.belief[*square as usize][*piece as usize] = *probability;
    }
    let mv: Move = preferred.parse().unwrap();
    evaluation.pair_logits[mv.from as usize][mv.to as usize] = 5.0;
    evaluation
}

const WINNING: [f32; 3] = [0.9, 0.1, 0.0];
const LOSING: [f32; 3] = [0.0, 0.1, 0.9];

/// The try that White's player makes if the network has this output.
fn decide(player: &mut Learned, view: &View, output: Box<Evaluation>) -> String {
    player.game.evaluation = Some(output);
    player.decide(view, None).unwrap().to_string()
}

#[test]
fn tries_are_sensible_and_the_same_for_a_seed_with_a_new_or_used_player() {
    let mut used = learned(1.0);
    for ruleset in Ruleset::ALL {
        for (seed, fen) in (0..).zip(TEST_POSITIONS) {
            let play = |player: &mut Learned| {
                let runner = GameRunner::new(settings(ruleset, fen), seed);
                runner.play([player, &mut Random::new()])
            };
            let (game, again) = (play(&mut learned(1.0)), play(&mut used));
            // A try that is not sensible would have been a forfeit.
            assert_eq!(game.record().tags().get(GameRunner::FORFEIT), None, "{ruleset}, {fen}");
            assert_eq!(game.record(), again.record(), "{ruleset}, {fen}");
        }
    }
}

#[test]
fn only_the_best_try_is_made_at_temperature_0() {
    let first_tries = |temperature: f32| {
        let mut player = learned(temperature);
        let mut tries: Vec<Choice> = (0..30)
            .map(|seed| {
                let seat = Seat::new(Color::White, &GameSettings::default(), seed);
                player.begin(&seat).unwrap();
                player.choose(&seat.view(), &Clock::new(TimeControl::Unlimited)).unwrap()
            })
            .collect();
        tries.sort_by_key(|choice| format!("{choice:?}"));
        tries.dedup();
        tries.len()
    };
    assert_eq!(first_tries(0.0), 1);
    assert!(first_tries(1.0) > 5);
}

#[test]
fn the_memory_is_the_same_if_another_player_chooses_the_tries() {
    let settings = GameSettings { draw_after: Some(60), ..GameSettings::default() };
    let mut player = learned(1.0);
    let game = GameRunner::new(settings.clone(), 3).play([&mut player, &mut Random::new()]);
    let mut observer = learned(1.0);
    observer.begin(&Seat::new(Color::White, &settings, 3)).unwrap();
    let transcript = game.record().transcript(Color::White);
    let mut chosen = 0;
    let mut view = View::new(Ruleset::ICC, *observer.game.view.pieces(), &transcript.opening);
    for observation in &transcript.observations {
        if let Some(tried) = observation.tried.filter(|_| view.is_my_turn()) {
            // Half of the tries are asked for; the memory is updated for the others too.
            chosen += 1;
            if chosen % 2 == 0 {
                let choice = observer.choose(&view, &Clock::new(TimeControl::Unlimited));
                assert_eq!(choice, Ok(Choice::Try(tried)));
            }
        }
        view.observe(observation);
        observer.observe(observation).unwrap();
    }
    assert!(chosen > 20, "{chosen} tries");
}

#[test]
fn stalemate_is_avoided_only_when_ahead() {
    let belief = [(Piece::King, Square::H8, 1.0), (Piece::Pawn, Square::A5, 1.0)];
    let fen = "7k/8/8/p7/P2K4/8/6Q1/8 w - - 0 1";
    let stalemate = "g2g6";
    let (mut player, view) = after(fen, &[]);
    assert_ne!(decide(&mut player, &view, output(WINNING, &belief, stalemate)), stalemate);
    assert_eq!(decide(&mut player, &view, output(LOSING, &belief, stalemate)), stalemate);
    player.game.evaluation = Some(output(WINNING, &belief, stalemate));
    let explanation = player.explain(&view);
    let best = explanation.tries[0].clone();
    assert_eq!(
        (best.tried.to_string().as_str(), best.exclusion),
        (stalemate, Some(Exclusion::Stalemate))
    );
    assert_ne!(explanation.preferred, Some(best.tried));
}

#[test]
fn the_third_repetition_is_avoided_only_when_ahead() {
    let belief = [
        (Piece::King, Square::H8, 0.5),
        (Piece::King, Square::G8, 0.5),
        (Piece::Rook, Square::A8, 1.0),
    ];
    let fen = "r6k/8/8/8/8/8/3R4/3QK3 w - - 0 1";
    let shuffle = ["e1e2", "h8g8", "e2e1", "g8h8", "e1e2", "h8g8"];
    let (mut player, view) = after(fen, &shuffle);
    assert_ne!(decide(&mut player, &view, output(WINNING, &belief, "e2e1")), "e2e1");
    assert_eq!(decide(&mut player, &view, output(LOSING, &belief, "e2e1")), "e2e1");
    let (mut player, view) = after(fen, &shuffle[..2]);
    assert_eq!(decide(&mut player, &view, output(WINNING, &belief, "e2e1")), "e2e1");
}

#[test]
fn an_improbable_try_is_made_if_all_others_would_stalemate() {
    // After each king move Black would have no move.
    let fen = "k7/2Q5/8/p7/P7/8/8/7K w - - 0 1";
    let belief = [(Piece::King, Square::A8, 1.0), (Piece::Pawn, Square::A5, 1.0)];
    let (mut player, view) = after(fen, &[]);
    let king_move = decide(&mut player, &view, output(WINNING, &belief, "h1h2"));
    assert!(king_move.starts_with("c7"), "the queen leaves: {king_move}");
}

#[test]
fn a_mate_is_made_if_it_is_sure() {
    let pawns = [Square::F7, Square::G7, Square::H7].map(|square| (Piece::Pawn, square, 1.0));
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let belief = |kings: &[(Square, f32)]| {
        let kings = kings.iter().map(|&(square, p)| (Piece::King, square, p));
        kings.chain(pawns).collect::<Vec<_>>()
    };
    let (mut player, view) = after(fen, &[]);
    let sure = belief(&[(Square::G8, 0.6), (Square::H8, 0.4)]);
    assert_eq!(decide(&mut player, &view, output(LOSING, &sure, "a1a2")), "d1d8");
    let unsure = belief(&[(Square::G8, 0.6), (Square::E7, 0.4)]);
    assert_eq!(decide(&mut player, &view, output(LOSING, &unsure, "a1a2")), "a1a2");
    player.game.evaluation = Some(output(LOSING, &sure, "a1a2"));
    let explanation = player.explain(&view);
    assert_eq!(
        (explanation.preferred, explanation.is_sure_mate),
        (Some("d1d8".parse().unwrap()), true)
    );
}

#[test]
fn drawn_boards_fit_the_announcements_and_the_number_of_pieces() {
    // White hears of one pawn try: the pawn that moved stands beside the white pawn.
    let (player, view) = after("4k3/3p1p2/8/8/4P3/8/8/4K3 w - - 0 1", &["e1e2", "d7d5"]);
    let mut belief = [[0.0; Square::NUM]; Piece::NUM];
    for square in Rank::Seventh.bitboard() | Rank::Fifth.bitboard() {
        belief[Piece::Pawn as usize][square as usize] = 0.125;
    }
    for square in Rank::Eighth.bitboard() {
        belief[Piece::King as usize][square as usize] = 0.125;
    }
    let map = OpponentMap::new(belief);
    let boards = player.game.boards(&map, &mut player.game.random_numbers());
    assert!(boards.len() > 20, "{} boards", boards.len());
    let beside = Square::D5.bitboard() | Square::F5.bitboard();
    for board in &boards {
        let black = board.pieces(Color::Black);
        assert_eq!(black.all().len(), 3);
        assert_eq!((black.all() & beside).len(), 1, "{board:?}");
        assert_eq!(board.pieces(Color::White), *view.pieces());
    }
    // A refused capture must be illegal on every board.
    let (player, _) = after("4k3/3p1p2/8/8/4P3/8/8/4K3 w - - 0 1", &["e1e2", "d7d5", "e4f5"]);
    let boards = player.game.boards(&map, &mut player.game.random_numbers());
    assert!(!boards.is_empty());
    assert!(boards.iter().all(|board| board.pieces(Color::Black).all().has(Square::D5)));
}

#[test]
fn a_lone_king_is_mated_by_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let tablebases = TablebaseProvider::in_folder(folder.path());
    let mut player = LoneKingController::with_tablebases(Box::new(learned(0.3)), tablebases);
    for seed in 0..3 {
        let settings = settings(Ruleset::ICC, "8/8/3k4/8/8/8/1Q6/K7 w - - 0 1");
        let game = GameRunner::new(settings, seed).play([&mut player, &mut Random::new()]);
        let outcome = game.record().outcome().unwrap();
        assert_eq!((outcome.ending, outcome.winner), (Ending::Checkmate, Some(Color::White)));
    }
}

#[test]
fn an_explanation_has_all_tries_and_the_belief() {
    let mut player = learned(0.3);
    let seat = Seat::new(Color::Black, &GameSettings::default(), 1);
    player.begin(&seat).unwrap();
    player.game.evaluation = Some(output(WINNING, &[(Piece::King, Square::E8, 1.0)], "e2e4"));
    // In the orientation of Black, e8 is White's e1.
    let mut game = UmpiredGame::new(seat.setup.clone());
    game.judge("e2e4".parse().unwrap()).unwrap();
    let view = game.umpire().view(Color::Black);
    let explanation = player.explain(view);
    assert_eq!(explanation.map.probability(Piece::King, Square::E1), 1.0);
    assert_eq!(explanation.tries.len(), 20);
    assert_eq!(explanation.tries[0].tried, "e7e5".parse().unwrap());
    assert_eq!(explanation.name(explanation.tries[0].tried), "e5");
    let sum: f64 = explanation.tries.iter().map(|known| known.probability).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    assert!((explanation.expected() - 0.95).abs() < 1e-6);
    let json = explanation.to_json();
    assert_eq!(json["value"]["win"], 0.9);
    assert_eq!(json["opponent_pieces"], opponent_map_json(&explanation.map));
    assert_eq!(json["tries"][0]["try"], "e7e5");
    assert_eq!(json["preferred"], "e7e5");
}

#[test]
fn a_bad_network_file_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.net");
    let error = |bytes: Option<&[u8]>| {
        if let Some(bytes) = bytes {
            std::fs::write(&path, bytes).unwrap();
        }
        let given = [("network".to_string(), path.to_str().unwrap().to_string())];
        let settings = Settings::new("learned", Learned::KIND.parameters, &given);
        LearnedSettings::from_parameters(&settings).map(|_| ()).unwrap_err().to_string()
    };
    let missing = error(None);
    assert!(missing.contains("give the path of a file that ends in .net"), "{missing}");
    let good = random_network_file(1, 16, 1, 1);
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    assert!(error(Some(&damaged)).contains("copy the file again"));
    assert!(error(Some(&good[..good.len() - 100])).contains("copy the file again"));
    assert!(error(Some(b"text")).contains("use a file that ends in .net"));
    assert!(error(Some(&random_network_file(1, 24, 1, 1))).contains("use a width"));
    let given = [("temperature".to_string(), "-1".to_string())];
    let settings = Settings::new("learned", Learned::KIND.parameters, &given);
    let error = LearnedSettings::from_parameters(&settings).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("a number of at least 0"), "{error}");
}
