//! Analyses of finished games: what each player could have known before each move, and White's
//! expected score on the umpire's board.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use krieg_chess::{Budget, evaluate_batch};
use krieg_core::{Color, Entry, Move, Observation, Observer, Position, Record, Try, Verdict, View};
use krieg_notation::json::ColorJson;
use krieg_players::marshal::Explanation;
use krieg_players::{Seat, opponent_map_json};
use krieg_time::TimeControl;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, oneshot};

use super::coach::Adviser;
use crate::domain::move_number;
use crate::lock;

/// The progress of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// The number of analyzed tries.
    pub done: usize,
    /// The number of tries; 0 while the analysis waits.
    pub total: usize,
}

/// Analyzes finished games, one at a time. Clones share the queue.
#[derive(Debug, Clone)]
pub struct Analyzer {
    /// The games that are being analyzed or wait.
    games: Arc<Mutex<HashMap<String, Progress>>>,
    permit: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
}

/// Search nodes per board for White's expected score. With a tenth of them the engine overlooks
/// retreats.
const NODES: u64 = 40_000;
/// The loss of expected score from which a move is listed as a moment.
const MOMENT_LOSS: f64 = 0.1;
/// Pieces with a smaller probability on a square are left out of the result, because it contains a
/// map for every move.
const MIN_PROBABILITY: f64 = 0.01;

impl Default for Analyzer {
    fn default() -> Self {
        Analyzer {
            games: Arc::default(),
            permit: Arc::new(Semaphore::new(1)),
            stop: Arc::default(),
        }
    }
}

impl Analyzer {
    /// The progress of a game's analysis; `None` if it neither runs nor waits.
    pub fn progress(&self, game: &str) -> Option<Progress> {
        lock(&self.games).get(game).copied()
    }

    /// The number of games that are being analyzed or wait.
    pub fn len(&self) -> usize {
        lock(&self.games).len()
    }

    /// Registers a game. `false` if it was registered before.
    pub fn register(&self, game: &str) -> bool {
        let mut games = lock(&self.games);
        if games.contains_key(game) {
            return false;
        }
        games.insert(game.to_string(), Progress::default());
        true
    }

    /// Removes a game whose analysis has ended.
    pub fn remove(&self, game: &str) {
        lock(&self.games).remove(game);
    }

    /// Analyzes a registered game. `None` if the server stops.
    pub async fn analyze(&self, game: &str, record: Record) -> Option<Value> {
        let _permit = self.permit.acquire().await;
        let (reply, analysis) = oneshot::channel();
        let (analyzer, id) = (self.clone(), game.to_string());
        let work = move || {
            let report = |progress| {
                lock(&analyzer.games).insert(id.clone(), progress);
            };
            let _ = reply.send(analyze(&record, report, &analyzer.stop));
        };
        std::thread::Builder::new().name("analyzer".into()).spawn(work).ok()?;
        analysis.await.ok().flatten()
    }

    /// Aborts the running analysis. It can be requested again later.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Whether a game has moves to analyze.
pub fn can_be_analyzed(record: &Record) -> bool {
    record.entries().iter().any(|entry| entry.announcement.verdict == Verdict::Moved)
}

/// Analyzes a game, as `docs/api.md` describes the result. `None` if it was aborted.
fn analyze(record: &Record, mut report: impl FnMut(Progress), stop: &AtomicBool) -> Option<Value> {
    let total = record.entries().len();
    let mut progress = Progress { done: 0, total };
    report(progress);
    let balance = balance(record);
    let mut sides = [Vec::new(), Vec::new()];
    let mut players = Color::ALL.map(|color| AnalyzedPlayer::new(record, color));
    for (at, entry) in record.entries().iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let by = entry.announcement.by as usize;
        if let Try::Move(mv) = entry.tried {
            sides[by].push(players[by].analyze(at, record, mv));
        }
        for player in &mut players {
            player.observe(entry);
        }
        progress.done = at + 1;
        report(progress);
    }
    let mut moments: Vec<Value> = Vec::new();
    for (side, color) in sides.iter().zip(Color::ALL) {
        moments.extend(side.iter().filter_map(|analyzed| moment(analyzed, color)));
    }
    moments.sort_by_key(|moment| moment["at"].as_u64());
    let [white, black] = sides;
    Some(json!({ "balance": balance, "white": white, "black": black, "moments": moments }))
}

/// White's expected score on the umpire's board, at the start and after each try.
fn balance(record: &Record) -> Vec<f64> {
    let mut umpire = record.replay(0).umpire().clone();
    let mut boards: Vec<Position> = vec![umpire.position().clone()];
    for entry in record.entries() {
        let _ = umpire.judge(entry.tried);
        boards.push(umpire.position().clone());
    }
    // A refused try does not change the board, so the board is evaluated once.
    let mut distinct = boards.clone();
    distinct.dedup();
    let values = evaluate_batch(&distinct, Budget::NodesPerBoard(NODES));
    let scores: Vec<f64> = distinct
        .iter()
        .zip(values)
        .map(|(board, moves)| {
            match moves.iter().map(|evaluated| evaluated.score.expected_score()).reduce(f64::max) {
                Some(own) if board.turn() == Color::White => own,
                Some(own) => 1.0 - own,
                None => final_score(board, record),
            }
        })
        .collect();
    let mut at = 0;
    let mut balance = Vec::with_capacity(boards.len());
    for (n, board) in boards.iter().enumerate() {
        if n > 0 && *board != boards[n - 1] {
            at += 1;
        }
        balance.push(round(scores[at]));
    }
    balance
}

/// White's score on a board without legal moves.
fn final_score(board: &Position, record: &Record) -> f64 {
    let is_mate = !board.board().checkers().is_empty();
    match record.outcome().and_then(|outcome| outcome.winner) {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None if is_mate => f64::from(u8::from(board.turn() == Color::Black)),
        None => 0.5,
    }
}

/// One player's knowledge in the course of the game, with an adviser who has the same knowledge.
struct AnalyzedPlayer {
    adviser: Adviser,
    observer: Observer,
    view: View,
    observations: Vec<Observation>,
}

impl AnalyzedPlayer {
    fn new(record: &Record, color: Color) -> Self {
        let setup = record.setup().clone();
        let seat = Seat { color, setup, control: TimeControl::Unlimited, seed: 1 };
        AnalyzedPlayer {
            adviser: Adviser::start(&seat),
            observer: Observer::new(color),
            view: seat.view(),
            observations: Vec::new(),
        }
    }

    fn observe(&mut self, entry: &Entry) {
        if let Some(observation) = self.observer.observe(entry) {
            self.view.observe(&observation);
            self.observations.push(observation);
        }
    }

    /// What the player could know before a move, compared with the move that was tried.
    fn analyze(&mut self, at: usize, record: &Record, played: Move) -> Value {
        let explanation = self.adviser.explain(&self.observations, &self.view);
        let known = explanation.of(played);
        let best = explanation.preferred.and_then(|mv| explanation.of(mv));
        let played_score = known.and_then(|known| known.expected);
        let best_score = best.and_then(|best| best.expected);
        let loss = best_score.zip(played_score).map(|(best, played)| (best - played).max(0.0));
        let name = |mv| explanation.name(mv);
        json!({
            "at": at,
            "move": move_number(&record.setup().start, self.view.ply()),
            "expected": explanation.expected().map(round),
            "boards": explanation.boards,
            "opponent_pieces": likely_pieces(&explanation),
            "preferred": best.map(|best| json!({
                "try": best.mv.to_string(),
                "name": name(best.mv),
                "expected": best.expected.map(round),
            })),
            "played": {
                "try": played.to_string(),
                "name": name(played),
                "expected": played_score.map(round),
            },
            "loss": loss.map(round),
            "reasons": explanation.reasons_against(played),
        })
    }
}

/// The map of the opponent's pieces, rounded and without unlikely pieces.
fn likely_pieces(explanation: &Explanation) -> Value {
    let mut map = opponent_map_json(&explanation.map);
    if let Value::Object(squares) = &mut map {
        for pieces in squares.values_mut().filter_map(Value::as_object_mut) {
            pieces.retain(|_, value| value.as_f64().is_some_and(|it| it >= MIN_PROBABILITY));
            for value in pieces.values_mut() {
                *value = ((value.as_f64().unwrap_or(0.0) * 100.0).round() / 100.0).into();
            }
        }
        squares.retain(|_, pieces| pieces.as_object().is_some_and(|pieces| !pieces.is_empty()));
    }
    map
}

/// An analyzed move as a moment, if the player could have known a much better one.
fn moment(analyzed: &Value, color: Color) -> Option<Value> {
    let loss = analyzed["loss"].as_f64().filter(|loss| *loss >= MOMENT_LOSS)?;
    let reasons = analyzed["reasons"].as_array()?;
    let reasons: Vec<&str> = reasons.iter().filter_map(Value::as_str).collect();
    Some(json!({
        "side": ColorJson::from(color),
        "at": analyzed["at"],
        "move": analyzed["move"],
        "loss": loss,
        "text": reasons.join(" "),
    }))
}

fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    #[test]
    fn avoidable_loss_of_a_knight_is_listed_as_a_moment() {
        let start = Position::from_fen("4k3/8/8/8/8/3r4/2P5/4K1N1 w - - 0 1").unwrap();
        let mut game = Game::new(Setup { start, ..Setup::default() });
        // White knows from the pawn tries that the pawn can capture the rook. Instead the knight
        // moves to h3, where the rook captures it.
        for tried in ["g1h3", "d3h3"] {
            game.judge(tried.parse().unwrap()).unwrap();
        }
        let mut reports = Vec::new();
        let analysis =
            analyze(game.record(), |p| reports.push(p), &AtomicBool::new(false)).unwrap();
        assert_eq!(reports.last(), Some(&Progress { done: 2, total: 2 }));
        let balance: Vec<f64> =
            analysis["balance"].as_array().unwrap().iter().map(|b| b.as_f64().unwrap()).collect();
        assert_eq!(balance.len(), 3);
        assert!(balance[0] > 0.6 && balance[2] < 0.3, "{balance:?}");
        let moments = analysis["moments"].as_array().unwrap();
        assert_eq!(moments[0]["side"], "white", "{moments:?}");
        assert!(
            moments[0]["text"]
                .as_str()
                .unwrap()
                .starts_with("cxd3 has a higher expected score than Nh3"),
            "{moments:?}"
        );
        assert_eq!(analysis["white"][0]["opponent_pieces"]["d3"]["rook"], 1.0);
        assert!(analyze(game.record(), |_| (), &AtomicBool::new(true)).is_none());
    }
}
