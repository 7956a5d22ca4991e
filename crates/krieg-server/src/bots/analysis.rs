//! Finished games, looked at again: what each player could have known, and what the umpire saw.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use krieg_chess::{Budget, evaluate_batch};
use krieg_core::{Color, Observer, Position, Record, Try, Verdict, View};
use krieg_notation::json::ColorJson;
use krieg_players::Seat;
use krieg_players::marshal::{Explanation, opponent_map_json};
use krieg_time::TimeControl;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, oneshot};

use super::coach::Adviser;
use crate::domain::move_number;

/// How far an analysis is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Moments looked at.
    pub done: usize,
    /// Of so many.
    pub of: usize,
}

/// Whoever analyses finished games, one at a time.
#[derive(Debug, Clone)]
pub struct Analyst {
    at_work: Arc<Mutex<HashMap<String, Progress>>>,
    one_at_a_time: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
}

/// For each board the umpire's engine may look at so many nodes. With a tenth of them it overlooks retreats.
const NODES: u64 = 40_000;
/// Whoever gave away this much of a point, and could have known, is told.
const MUCH: f64 = 0.1;

impl Default for Analyst {
    fn default() -> Self {
        Analyst {
            at_work: Arc::default(),
            one_at_a_time: Arc::new(Semaphore::new(1)),
            stop: Arc::default(),
        }
    }
}

impl Analyst {
    /// How far the analysis of this game is; nothing, if nobody is at it.
    pub fn progress(&self, game: &str) -> Option<Progress> {
        self.at_work.lock().expect("nobody panics with it").get(game).copied()
    }

    /// How many games are being analysed or wait for it.
    pub fn waiting(&self) -> usize {
        self.at_work.lock().expect("nobody panics with it").len()
    }

    /// Takes on a game. `false` if somebody is at it already.
    pub fn take_on(&self, game: &str) -> bool {
        let mut at_work = self.at_work.lock().expect("nobody panics with it");
        if at_work.contains_key(game) {
            return false;
        }
        at_work.insert(game.to_string(), Progress::default());
        true
    }

    /// A game is done with.
    pub fn done(&self, game: &str) {
        self.at_work.lock().expect("nobody panics with it").remove(game);
    }

    /// Analyses a game. Nothing, if the server stops.
    pub async fn analyse(&self, game: &str, record: Record) -> Option<Value> {
        let turn = self.one_at_a_time.acquire().await;
        let (tell, found) = oneshot::channel();
        let (analyst, name) = (self.clone(), game.to_string());
        let work = move || {
            let note = |progress| {
                let mut at_work = analyst.at_work.lock().expect("nobody panics with it");
                at_work.insert(name.clone(), progress);
            };
            let _ = tell.send(analyse(&record, note, &analyst.stop));
        };
        let thread = std::thread::Builder::new().name("analyst".into()).spawn(work);
        let found = if thread.is_ok() { found.await.ok().flatten() } else { None };
        drop(turn);
        found
    }

    /// The analysis at hand is broken off; it begins anew another time.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// All that is to be found out about a game. `None` if it was broken off.
fn analyse(record: &Record, mut note: impl FnMut(Progress), stop: &AtomicBool) -> Option<Value> {
    let of = record.entries().len();
    let mut progress = Progress { done: 0, of };
    note(progress);
    let balance = balance(record);
    let mut sides = [Vec::new(), Vec::new()];
    let mut watchers = Color::ALL.map(|color| Watcher::new(record, color));
    for (at, entry) in record.entries().iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let by = entry.announcement.by;
        if let Try::Move(_) = entry.tried {
            sides[by as usize].push(watchers[by as usize].look(at, record, entry.tried));
        }
        for watcher in &mut watchers {
            watcher.observe(entry);
        }
        progress.done = at + 1;
        note(progress);
    }
    let mut moments: Vec<Value> = Vec::new();
    for (side, color) in sides.iter().zip(Color::ALL) {
        moments.extend(side.iter().filter_map(|moment| worth_a_word(moment, color)));
    }
    moments.sort_by_key(|moment| moment["at"].as_u64());
    let [white, black] = sides;
    Some(json!({ "balance": balance, "white": white, "black": black, "moments": moments }))
}

/// White's expected score as the umpire's engine sees it, at the start and after each step.
fn balance(record: &Record) -> Vec<f64> {
    let mut umpire = record.replay(0).umpire().clone();
    let mut boards: Vec<Position> = vec![umpire.position().clone()];
    for entry in record.entries() {
        let _ = umpire.judge(entry.tried);
        boards.push(umpire.position().clone());
    }
    // A refused try leaves the board as it is; it is looked at once.
    let mut distinct = boards.clone();
    distinct.dedup();
    let values = evaluate_batch(&distinct, Budget::NodesPerBoard(NODES));
    let scores: Vec<f64> = distinct
        .iter()
        .zip(values)
        .map(|(board, moves)| {
            match moves.iter().map(|known| known.score.expected_score()).reduce(f64::max) {
                Some(own) if board.turn() == Color::White => own,
                Some(own) => 1.0 - own,
                None => ended(board, record),
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

/// White's score where there is nothing to be moved.
fn ended(board: &Position, record: &Record) -> f64 {
    let is_mate = !board.board().checkers().is_empty();
    match record.outcome().and_then(|outcome| outcome.winner) {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None if is_mate => f64::from(u8::from(board.turn() == Color::Black)),
        None => 0.5,
    }
}

/// A player's knowledge as the game goes on, and Marshal who shares it.
struct Watcher {
    adviser: Adviser,
    ear: Observer,
    view: View,
    lines: Vec<krieg_core::Observation>,
}

impl Watcher {
    fn new(record: &Record, color: Color) -> Self {
        let setup = record.setup().clone();
        let seat = Seat { color, setup, control: TimeControl::Unlimited, seed: 1 };
        Watcher {
            adviser: Adviser::sit_down(&seat),
            ear: Observer::new(color),
            view: seat.view(),
            lines: Vec::new(),
        }
    }

    fn observe(&mut self, entry: &krieg_core::Entry) {
        if let Some(line) = self.ear.observe(entry) {
            self.view.observe(&line);
            self.lines.push(line);
        }
    }

    /// What could be known before a try, and what was made of it.
    fn look(&mut self, at: usize, record: &Record, tried: Try) -> Value {
        let told = self.adviser.explain(&self.lines, &self.view);
        let Try::Move(played) = tried else { unreachable!("questions are not looked at") };
        let known = told.of(played);
        let best = told.preferred.and_then(|mv| told.of(mv));
        let loss =
            match (best.and_then(|best| best.expected), known.and_then(|known| known.expected)) {
                (Some(best), Some(played)) => Some((best - played).max(0.0)),
                _ => None,
            };
        let name = |mv| told.name(mv);
        json!({
            "at": at,
            "move": move_number(&record.setup().start, self.view.ply()),
            "expected": told.expected().map(round),
            "boards": told.boards,
            "opponent_pieces": coarse(&told),
            "preferred": best.map(|best| json!({
                "try": best.mv.to_string(), "name": name(best.mv), "expected": best.expected.map(round),
            })),
            "played": {
                "try": played.to_string(), "name": name(played),
                "expected": known.and_then(|known| known.expected).map(round),
            },
            "loss": loss.map(round),
            "reasons": told.reasons_against(played),
        })
    }
}

/// The map of the other side, with what is hardly likely left out: there is one for every moment.
fn coarse(told: &Explanation) -> Value {
    let mut enemy = opponent_map_json(&told.map);
    if let Value::Object(squares) = &mut enemy {
        for kinds in squares.values_mut().filter_map(Value::as_object_mut) {
            kinds.retain(|_, chance| chance.as_f64().is_some_and(|chance| chance >= 0.01));
            for chance in kinds.values_mut() {
                *chance = ((chance.as_f64().unwrap_or(0.0) * 100.0).round() / 100.0).into();
            }
        }
        squares.retain(|_, kinds| kinds.as_object().is_some_and(|kinds| !kinds.is_empty()));
    }
    enemy
}

/// A moment at which much was given away that could be known.
fn worth_a_word(moment: &Value, color: Color) -> Option<Value> {
    let loss = moment["loss"].as_f64().filter(|loss| *loss >= MUCH)?;
    let why: Vec<&str> = moment["reasons"].as_array()?.iter().filter_map(Value::as_str).collect();
    Some(json!({
        "side": ColorJson::from(color), "at": moment["at"], "move": moment["move"], "loss": loss, "text": why.join(" "),
    }))
}

fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

/// Whether anything can be said about a game at all.
pub fn can_be_analysed(record: &Record) -> bool {
    record.entries().iter().any(|entry| entry.announcement.verdict == Verdict::Moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    #[test]
    fn whoever_lets_a_knight_hang_is_told_if_he_could_know() {
        let start = Position::from_fen("4k3/8/8/8/8/3r4/2P5/4K1N1 w - - 0 1").unwrap();
        let mut game = Game::new(Setup { start, ..Setup::default() });
        // The pawn could take the rook, and White knows: it is not taken, and the rook takes the knight's pawn.
        for tried in ["g1h3", "d3h3"] {
            game.judge(tried.parse().unwrap()).unwrap();
        }
        let mut seen = Vec::new();
        let found = analyse(game.record(), |p| seen.push(p), &AtomicBool::new(false)).unwrap();
        assert_eq!(seen.last(), Some(&Progress { done: 2, of: 2 }));
        let balance: Vec<f64> =
            found["balance"].as_array().unwrap().iter().map(|b| b.as_f64().unwrap()).collect();
        assert_eq!(balance.len(), 3);
        assert!(balance[0] > 0.6 && balance[2] < 0.3, "{balance:?}");
        let moments = found["moments"].as_array().unwrap();
        assert_eq!(moments[0]["side"], "white", "{moments:?}");
        assert!(
            moments[0]["text"]
                .as_str()
                .unwrap()
                .starts_with("cxd3 has a higher expected score than Nh3"),
            "{moments:?}"
        );
        assert_eq!(found["white"][0]["opponent_pieces"]["d3"]["rook"], 1.0);
        assert!(analyse(game.record(), |_| (), &AtomicBool::new(true)).is_none());
    }
}
