//! No hidden information leaves the server: every byte that a player receives depends only on what
//! this player may know.
//!
//! A spy plays against bots and stores every byte that the server sends. For each game the test
//! constructs another one in which the spy makes the same observations while the hidden pieces
//! stand elsewhere. Both games are played again by a client that follows a script. In all three
//! games the spy must receive the same bytes, except for times and for the names of games and
//! opponents.

use std::sync::Arc;

use crate::common::{Client, Connection, TestServer};
use futures_util::future::join_all;
use krieg_core::{Color, Entry, Game, Ruleset, Setup, Try, Verdict};
use krieg_testing::seeded_rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// The number of games, over all rulesets.
const GAMES: usize = 203;
/// The number of games at a time.
const CONCURRENT_GAMES: usize = 24;
/// Maximum number of the spy's tries per game.
const MAX_TRIES: usize = 40;
/// The number of candidate games kept while searching for one with the same observations.
const MAX_CANDIDATES: usize = 40;

/// What the spy did in a game, and what the server sent.
struct SpyGame {
    tries: Vec<Try>,
    /// Every message and every response body.
    received: Vec<String>,
    game: String,
    opponent: String,
}

/// The settings of a game.
#[derive(Clone, Copy)]
struct Case {
    number: usize,
    ruleset: Ruleset,
    spy: Color,
    bot: &'static str,
}

impl Case {
    fn numbered(number: usize) -> Self {
        Case {
            number,
            ruleset: Ruleset::ALL[number % Ruleset::ALL.len()],
            spy: if number.is_multiple_of(2) { Color::White } else { Color::Black },
            bot: ["random", "semi-random", "greedy"][number % 3],
        }
    }

    fn new_game(&self, opponent: Value) -> Value {
        json!({
            "ruleset": self.ruleset.name,
            // With a clock, so that messages contain the clocks.
            "control": "3600+1",
            "color": self.spy_name(),
            "coach": true,
            "opponent": opponent,
        })
    }

    fn spy_name(&self) -> &'static str {
        if self.spy == Color::White { "white" } else { "black" }
    }

    /// Whether the spy asks the coach now. Advice takes long, so few games test it.
    fn asks_coach(&self, tries: usize) -> bool {
        self.number.is_multiple_of(20) && tries % 15 == 5
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn received_bytes_do_not_depend_on_the_hidden_pieces() {
    let server = Arc::new(TestServer::open().await);
    let permits = Arc::new(Semaphore::new(CONCURRENT_GAMES));
    let cases = (0..GAMES).map(|number| {
        let (server, permits) = (server.clone(), permits.clone());
        tokio::spawn(async move {
            let _permit = permits.acquire().await.unwrap();
            compare(&server, Case::numbered(number)).await
        })
    });
    let mut totals = Totals::default();
    for case in join_all(cases).await {
        totals.add(case.unwrap());
    }
    println!("{totals:?}");
    assert_eq!(totals.games, GAMES);
    assert!(totals.altered > GAMES * 8 / 10, "few games have other hidden pieces: {totals:?}");
    assert!(totals.compared_with_bot > 6_000, "few messages were compared: {totals:?}");
}

/// The extent of the comparison. The test fails if it is too small to mean something.
#[derive(Debug, Default, Clone, Copy)]
struct Totals {
    games: usize,
    /// Games in which the hidden pieces stand elsewhere.
    altered: usize,
    messages: usize,
    /// Messages that were also compared with those of the game against the bot.
    compared_with_bot: usize,
    bytes: usize,
}

impl Totals {
    fn add(&mut self, other: Totals) {
        self.games += other.games;
        self.altered += other.altered;
        self.messages += other.messages;
        self.compared_with_bot += other.compared_with_bot;
        self.bytes += other.bytes;
    }
}

async fn compare(server: &TestServer, case: Case) -> Totals {
    let spy = server.guest(&format!("Spy {}", case.number)).await;
    let first = play_against_bot(&spy, case).await;
    let record = umpires_game(&spy, &first, case).await;
    let (entries, other) = indistinguishable_game(&record, case);
    let mut totals = Totals { games: 1, ..Totals::default() };
    totals.altered =
        usize::from(other.umpire().position() != replay(&record, entries).umpire().position());
    let again = |script, name| play_script(server, &spy, case, &first.tries, script, name);
    let original = again(replay(&record, entries), "A").await;
    let altered = again(other, "B").await;
    let [first, original, altered] = [&first, &original, &altered].map(normalized);
    assert_eq!(original.len(), altered.len(), "game {}", case.number);
    // If the bot moved before the spy connected, the first message contains the observations, and
    // there are no messages for them.
    let missed = log_length(&first[0]) - 1;
    for (at, message) in original.iter().enumerate() {
        assert_eq!(message, &altered[at], "game {}, message {at}", case.number);
        // The spy left the first game before its last messages.
        if let Some(first) = at.checked_sub(missed).and_then(|at| first.get(at))
            && (missed == 0 || at > missed)
        {
            assert_eq!(message, first, "game {}, message {at}", case.number);
            totals.compared_with_bot += 1;
        }
        totals.bytes += message.len();
    }
    totals.messages = original.len();
    totals
}

/// Plays a game against a bot with random tries.
async fn play_against_bot(spy: &Client, case: Case) -> SpyGame {
    let bot = json!({ "kind": "bot", "name": case.bot, "ms": 10 });
    let game = spy.create_game(case.new_game(bot)).await;
    let mut rng = seeded_rng(case.number as u64);
    let mut connection = SpyConnection::open(spy, &game).await;
    let mut tries: Vec<Try> = Vec::new();
    while connection.wait_for_turn(case).await && tries.len() < MAX_TRIES {
        let tried = random_try(&connection.view, &mut rng);
        connection.try_move(spy, &game, tried, case, tries.len()).await;
        tries.push(tried);
    }
    let opponent = format!("{}, 10 ms a move", case.bot);
    SpyGame { tries, received: connection.received, game, opponent }
}

/// A random try: mostly sensible, sometimes a question, now and then senseless.
fn random_try(view: &Value, rng: &mut impl Rng) -> Try {
    let tries = view["tries"].as_array().unwrap();
    if view["may_ask"] == true && rng.random_range(0..4) == 0 {
        return Try::Any;
    }
    if rng.random_range(0..12) == 0 {
        return "a1a1".parse().unwrap();
    }
    tries.choose(rng).map_or("a1a1", |tried| tried.as_str().unwrap()).parse().unwrap()
}

/// The spy's connection to a game, with the spy's view and everything that was received.
struct SpyConnection {
    connection: Connection,
    view: Value,
    received: Vec<String>,
    is_over: bool,
}

impl SpyConnection {
    async fn open(spy: &Client, game: &str) -> Self {
        let mut connection = spy.connect(game).await;
        let state = connection.receive().await;
        let received = std::mem::take(&mut connection.received);
        SpyConnection { connection, view: state["view"].clone(), received, is_over: false }
    }

    fn note(&mut self, message: &Value) {
        if message.get("view").is_some() {
            self.view = message["view"].clone();
        }
        self.is_over |= !self.view["end"].is_null();
        self.received.append(&mut self.connection.received);
    }

    /// Waits until it is the spy's turn. `false` if the game is over.
    async fn wait_for_turn(&mut self, case: Case) -> bool {
        while !self.is_over && self.view["turn"] != case.spy_name() {
            let message = self.connection.receive().await;
            self.note(&message);
        }
        !self.is_over
    }

    /// Tries a move, and from time to time sends all other requests about the game. `false` if the
    /// umpire did not process the try.
    async fn try_move(
        &mut self,
        spy: &Client,
        game: &str,
        tried: Try,
        case: Case,
        number: usize,
    ) -> bool {
        if number % 7 == 3 {
            for path in ["/state", "/pgn", "", "/review"] {
                self.get(spy, &format!("/api/games/{game}{path}")).await;
            }
        }
        if case.asks_coach(number) {
            self.get(spy, &format!("/api/games/{game}/coach")).await;
        }
        let reply = self.connection.try_move(&tried.to_string()).await;
        self.note(&reply);
        reply["type"] == "observation"
    }

    async fn get(&mut self, spy: &Client, path: &str) {
        let (_, _, body) = spy.request("GET", path, &[], b"").await;
        self.received.push(body);
    }
}

/// Ends a game and returns it as the umpire saw it.
async fn umpires_game(spy: &Client, played: &SpyGame, case: Case) -> Game {
    let actions = format!("/api/games/{}/actions", played.game);
    spy.post(&actions, json!({ "action": "resign" })).await;
    let (status, review) = spy.get(&format!("/api/games/{}/review", played.game)).await;
    assert_eq!(status, 200, "{review}");
    let mut game = Game::new(Setup { ruleset: case.ruleset, ..Setup::default() });
    let tries = review["steps"].as_array().unwrap().iter().filter_map(|step| step["try"].as_str());
    for tried in tries {
        game.judge(tried.parse().unwrap()).unwrap();
    }
    game
}

fn replay(game: &Game, entries: usize) -> Game {
    game.record().replay(entries)
}

/// Another game with the same observations of the spy, in which the hidden pieces stand elsewhere
/// at the end if that is possible. It may be shorter than the original game; the number is that of
/// the original entries which it corresponds to.
fn indistinguishable_game(original: &Game, case: Case) -> (usize, Game) {
    let mut rng = seeded_rng(1_000 + case.number as u64);
    let entries = original.record().entries();
    let mut truth = Game::new(original.record().setup().clone());
    let mut candidates = vec![truth.clone()];
    let mut best = (0, truth.clone());
    for (at, entry) in entries.iter().enumerate() {
        truth.judge(entry.tried).unwrap();
        let is_observed = entry.announcement.is_observed_by(case.spy);
        if entry.announcement.by == case.spy {
            candidates.retain_mut(|game| game.judge(entry.tried) == Ok(entry.announcement));
        } else if is_observed {
            candidates =
                candidates.iter().flat_map(|game| continuations(game, entry, &mut rng)).collect();
        }
        candidates.shuffle(&mut rng);
        // Games that differ from the truth come first.
        let differs = |game: &Game| game.umpire().position() != truth.umpire().position();
        candidates.sort_by_key(|game| !differs(game));
        candidates.truncate(MAX_CANDIDATES);
        match candidates.first() {
            // An earlier game that differs is better than a later one that does not.
            Some(game) if is_observed && (differs(game) || best.0 == 0) => {
                best = (at + 1, game.clone());
            }
            Some(_) => {}
            None => break,
        }
    }
    best
}

/// Continuations of a game by the opponent with the same announcement as the original entry.
fn continuations(game: &Game, entry: &Entry, rng: &mut impl Rng) -> Vec<Game> {
    let view = game.umpire().view(entry.announcement.by);
    let mut tries: Vec<Try> = match entry.tried {
        Try::Any => vec![Try::Any],
        Try::Move(_) => view.tries().iter().map(Try::Move).collect(),
    };
    if matches!(entry.announcement.verdict, Verdict::Refused | Verdict::Nonsense) {
        tries.push(entry.tried);
    }
    tries.shuffle(rng);
    let same = tries.into_iter().filter_map(|tried| {
        let mut continued = game.clone();
        (continued.judge(tried) == Ok(entry.announcement)).then_some(continued)
    });
    same.take(6).collect()
}

/// Plays a game again: the spy repeats the tries, and a second client follows the script.
async fn play_script(
    server: &TestServer,
    spy: &Client,
    case: Case,
    tried: &[Try],
    script: Game,
    name: &str,
) -> SpyGame {
    let opponent = server.guest(&format!("Script {} {name}", case.number)).await;
    let game = spy.create_game(case.new_game(json!({ "kind": "lobby" }))).await;
    opponent.post(&format!("/api/games/{game}/join"), json!({})).await;
    // The opponent connects first, so that the spy receives no message about it.
    let mut hidden = opponent.connect(&game).await;
    hidden.receive().await;
    let mut connection = SpyConnection::open(spy, &game).await;
    let mut tries = tried.iter().enumerate();
    for entry in script.record().entries() {
        if entry.announcement.by == case.spy {
            assert!(connection.wait_for_turn(case).await);
            // Tries that the umpire did not process are not in the record, but they were answered.
            for (number, tried) in tries.by_ref() {
                if connection.try_move(spy, &game, *tried, case, number).await {
                    assert_eq!(*tried, entry.tried);
                    break;
                }
            }
        } else {
            let reply = hidden.try_move(&entry.tried.to_string()).await;
            assert_eq!(reply["observation"]["text"], entry.announcement.to_string(), "{reply}");
        }
    }
    // The spy's observation of the last move may still be on its way.
    let wait = std::time::Duration::from_millis(100);
    while let Ok(Some(message)) =
        tokio::time::timeout(wait, connection.connection.receive_or_end()).await
    {
        connection.note(&message);
    }
    spy.post(&format!("/api/games/{game}/actions"), json!({ "action": "resign" })).await;
    let (tries, opponent) = (tried.to_vec(), opponent.name);
    SpyGame { tries, received: connection.received, game, opponent }
}

/// The number of observations in a state message.
fn log_length(state: &str) -> usize {
    serde_json::from_str::<Value>(state).unwrap()["log"].as_array().unwrap().len()
}

/// Everything that the spy received, without times and names.
fn normalized(played: &SpyGame) -> Vec<String> {
    played.received.iter().map(|text| normalized_text(text, played)).collect()
}

fn normalized_text(text: &str, played: &SpyGame) -> String {
    let text = text.replace(&played.game, "GAME").replace(&played.opponent, "OPPONENT");
    match serde_json::from_str::<Value>(&text) {
        Ok(mut value) => {
            remove_times(&mut value);
            value.to_string()
        }
        // Extended PGN, with the time of each try in a comment.
        Err(_) => without_times(&text),
    }
}

fn remove_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_opponent = fields.get("name") == Some(&json!("OPPONENT"));
            for (name, value) in fields.iter_mut() {
                let is_time = name == "ms" || name.ends_with("_ms");
                if is_time || is_opponent && ["id", "kind"].contains(&name.as_str()) {
                    *value = Value::Null;
                } else {
                    remove_times(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(remove_times),
        _ => {}
    }
}

fn without_times(text: &str) -> String {
    let mut kept = Vec::new();
    let mut in_comment = false;
    for word in text.split_whitespace() {
        in_comment |= word.contains("[%");
        let is_time = in_comment && word.chars().any(|c| c.is_ascii_digit());
        if !is_time {
            kept.push(word);
        }
        in_comment &= !word.contains(']');
    }
    kept.join(" ")
}
