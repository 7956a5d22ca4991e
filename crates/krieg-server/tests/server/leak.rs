//! The screen holds over the wire: every byte that a player is sent depends on what he may know, and on nothing else.
//!
//! A spy plays against bots and keeps every byte he is sent. For each game another is found that sounds the same to him, while the
//! hidden men stand elsewhere; both are played again, by somebody who has the moves written down. All three times the spy must be
//! sent the same bytes, but for times of day and the names that games and opponents have.

use std::sync::Arc;

use crate::common::{House, Seat, User};
use futures_util::future::join_all;
use krieg_core::{Color, Game, Ruleset, Setup, Try, Verdict};
use krieg_testing::seeded_rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// So many games, over all rulesets.
const GAMES: usize = 203;
/// So many are played at the same time.
const AT_ONCE: usize = 24;
/// After so many tries of the spy's the game has told enough.
const TRIES: usize = 40;
/// So many worlds are kept while one is looked for in which everything sounds the same.
const WORLDS: usize = 40;

/// What the spy does in a game, and what he is sent.
struct Spied {
    tries: Vec<Try>,
    /// Every message and every answer, as it came.
    bytes: Vec<String>,
    game: String,
    opponent: String,
}

/// Who sits where, under which rules.
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

    fn wanted(&self, opponent: Value) -> Value {
        let color = if self.spy == Color::White { "white" } else { "black" };
        // A clock, so that what is told of time is looked at too.
        json!({ "ruleset": self.ruleset.name, "control": "3600+1", "color": color, "coach": true, "opponent": opponent })
    }

    /// Whether the coach is asked: he thinks long, so now and then must do.
    fn asks_coach(&self, tries: usize) -> bool {
        self.number.is_multiple_of(20) && tries % 15 == 5
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_men_put_elsewhere_change_no_byte_that_a_player_is_sent() {
    let house = Arc::new(House::open().await);
    let seats = Arc::new(Semaphore::new(AT_ONCE));
    let cases = (0..GAMES).map(|number| {
        let (house, seats) = (house.clone(), seats.clone());
        tokio::spawn(async move {
            let _seat = seats.acquire().await.unwrap();
            compare(&house, Case::numbered(number)).await
        })
    });
    let mut told = Told::default();
    for case in join_all(cases).await {
        told.add(case.unwrap());
    }
    println!("{told:?}");
    assert_eq!(told.games, GAMES);
    assert!(told.elsewhere > GAMES * 8 / 10, "the hidden men hardly moved: {told:?}");
    assert!(told.against_bot > 6_000, "hardly anything was compared: {told:?}");
}

/// What was compared, so that the test is seen to test.
#[derive(Debug, Default, Clone, Copy)]
struct Told {
    games: usize,
    /// In so many games the hidden men stood elsewhere.
    elsewhere: usize,
    messages: usize,
    /// So many of them are compared with what was sent in the game against the bot, too.
    against_bot: usize,
    bytes: usize,
}

impl Told {
    fn add(&mut self, other: Told) {
        self.games += other.games;
        self.elsewhere += other.elsewhere;
        self.messages += other.messages;
        self.against_bot += other.against_bot;
        self.bytes += other.bytes;
    }
}

async fn compare(house: &House, case: Case) -> Told {
    let spy = house.guest(&format!("Spy {}", case.number)).await;
    let first = play_against_bot(&spy, case).await;
    let record = spied_record(&spy, &first, case).await;
    let (entries, other) = twin(&record, case);
    let mut told = Told { games: 1, ..Told::default() };
    told.elsewhere =
        usize::from(other.umpire().position() != replay(&record, entries).umpire().position());
    let again = |script, name| play_again(house, &spy, case, &first.tries, script, name);
    let original = again(replay(&record, entries), "A").await;
    let altered = again(other, "B").await;
    let plain = [&first, &original, &altered].map(normalised);
    assert_eq!(plain[1].len(), plain[2].len(), "game {}", case.number);
    // A bot may have moved before the spy sat down: then what it said is in the first message, and not in messages of its own.
    let missed = lines_in(&plain[0][0]) - 1;
    for (at, message) in plain[1].iter().enumerate() {
        assert_eq!(message, &plain[2][at], "game {}, message {at}", case.number);
        // The spy did not stay to hear the very last of the first game.
        if let Some(first) = at.checked_sub(missed).and_then(|at| plain[0].get(at))
            && (missed == 0 || at > missed)
        {
            assert_eq!(message, first, "game {}, message {at}", case.number);
            told.against_bot += 1;
        }
        told.bytes += message.len();
    }
    told.messages = plain[1].len();
    told
}

/// A game against a bot, with tries drawn from a hat.
async fn play_against_bot(spy: &User, case: Case) -> Spied {
    let bot = json!({ "kind": "bot", "name": case.bot, "ms": 10 });
    let game = spy.begin(case.wanted(bot)).await;
    let mut rng = seeded_rng(case.number as u64);
    let mut eyes = Eyes::open(spy, &game).await;
    let mut tries: Vec<Try> = Vec::new();
    while eyes.wait_for_turn(case).await && tries.len() < TRIES {
        let drawn = draw(&eyes.seen, &mut rng);
        eyes.try_it(spy, &game, drawn, case, tries.len()).await;
        tries.push(drawn);
    }
    let opponent = format!("{}, 10 ms a move", case.bot);
    Spied { tries, bytes: eyes.bytes, game, opponent }
}

/// Something to try: mostly sensible, sometimes a question, now and then nonsense.
fn draw(seen: &Value, rng: &mut impl Rng) -> Try {
    let tries = seen["tries"].as_array().unwrap();
    if seen["may_ask"] == true && rng.random_range(0..4) == 0 {
        return Try::Any;
    }
    if rng.random_range(0..12) == 0 {
        return "a1a1".parse().unwrap();
    }
    tries.choose(rng).map_or("a1a1", |tried| tried.as_str().unwrap()).parse().unwrap()
}

/// The spy at a table: what he sees, and all he was sent.
struct Eyes {
    seat: Seat,
    seen: Value,
    bytes: Vec<String>,
    over: bool,
}

impl Eyes {
    async fn open(spy: &User, game: &str) -> Self {
        let mut seat = spy.sit(game).await;
        let state = seat.hear().await;
        let bytes = std::mem::take(&mut seat.received);
        Eyes { seat, seen: state["view"].clone(), bytes, over: false }
    }

    fn note(&mut self, message: &Value) {
        if message.get("view").is_some() {
            self.seen = message["view"].clone();
        }
        self.over |= !self.seen["end"].is_null();
        self.bytes.append(&mut self.seat.received);
    }

    /// Listens until it is the spy's turn. `false` when the game is over.
    async fn wait_for_turn(&mut self, case: Case) -> bool {
        let own = if case.spy == Color::White { "white" } else { "black" };
        while !self.over && self.seen["turn"] != own {
            let message = self.seat.hear().await;
            self.note(&message);
        }
        !self.over
    }

    /// Tries something, and now and then looks at all else that can be asked for. `false` if the umpire did not take the try.
    async fn try_it(
        &mut self,
        spy: &User,
        game: &str,
        tried: Try,
        case: Case,
        number: usize,
    ) -> bool {
        if number % 7 == 3 {
            for what in ["state", "pgn"] {
                let (_, _, body) =
                    spy.send("GET", &format!("/api/games/{game}/{what}"), &[], b"").await;
                self.bytes.push(body);
            }
            let (_, _, body) = spy.send("GET", &format!("/api/games/{game}"), &[], b"").await;
            self.bytes.push(body);
            let (_, _, body) =
                spy.send("GET", &format!("/api/games/{game}/review"), &[], b"").await;
            self.bytes.push(body);
        }
        if case.asks_coach(number) {
            let (_, _, body) = spy.send("GET", &format!("/api/games/{game}/coach"), &[], b"").await;
            self.bytes.push(body);
        }
        let answer = self.seat.try_it(&tried.to_string()).await;
        self.note(&answer);
        answer["type"] == "observation"
    }
}

/// The game as the umpire saw it.
async fn spied_record(spy: &User, spied: &Spied, case: Case) -> Game {
    let actions = format!("/api/games/{}/actions", spied.game);
    spy.post(&actions, json!({ "action": "resign" })).await;
    let (status, review) = spy.get(&format!("/api/games/{}/review", spied.game)).await;
    assert_eq!(status, 200, "{review}");
    let mut game = Game::new(Setup { ruleset: case.ruleset, ..Setup::default() });
    let tries = review["steps"].as_array().unwrap().iter().filter_map(|step| step["try"].as_str());
    for tried in tries {
        game.judge(tried.parse().unwrap()).unwrap();
    }
    game
}

fn replay(record: &Game, entries: usize) -> Game {
    record.record().replay(entries)
}

/// Another game that sounds the same to the spy, as far as there is one in which the hidden men stand elsewhere at the end; and how
/// many tries of the true one that is.
fn twin(record: &Game, case: Case) -> (usize, Game) {
    let mut rng = seeded_rng(1_000 + case.number as u64);
    let entries = record.record().entries();
    let mut truth = Game::new(record.record().setup().clone());
    let mut worlds = vec![truth.clone()];
    let mut found = (0, truth.clone());
    for (at, entry) in entries.iter().enumerate() {
        truth.judge(entry.tried).unwrap();
        if entry.announcement.by == case.spy {
            worlds.retain_mut(|world| world.judge(entry.tried) == Ok(entry.announcement));
        } else if entry.announcement.is_observed_by(case.spy) {
            worlds =
                worlds.iter().flat_map(|world| sounding_like(world, entry, &mut rng)).collect();
        }
        worlds.shuffle(&mut rng);
        // Those that differ from the truth come first.
        worlds.sort_by_key(|world| world.umpire().position() == truth.umpire().position());
        worlds.truncate(WORLDS);
        match worlds.first() {
            Some(world) if entry.announcement.is_observed_by(case.spy) => {
                let differs = world.umpire().position() != truth.umpire().position();
                // Where nothing can differ any more, what was found before is worth more.
                if differs || found.0 == 0 {
                    found = (at + 1, world.clone());
                }
            }
            Some(_) => {}
            None => break,
        }
    }
    found
}

/// All that the opponent may do in a world of which the spy hears the same.
fn sounding_like(world: &Game, entry: &krieg_core::Entry, rng: &mut impl Rng) -> Vec<Game> {
    let view = world.umpire().view(entry.announcement.by);
    let mut candidates: Vec<Try> = match entry.tried {
        Try::Any => vec![Try::Any],
        Try::Move(_) => view.tries().iter().map(Try::Move).collect(),
    };
    if matches!(entry.announcement.verdict, Verdict::Refused | Verdict::Nonsense) {
        candidates.push(entry.tried);
    }
    candidates.shuffle(rng);
    let same = candidates.into_iter().filter_map(|tried| {
        let mut other = world.clone();
        (other.judge(tried) == Ok(entry.announcement)).then_some(other)
    });
    same.take(6).collect()
}

/// Plays a game again: the spy does what he did, and somebody else what is written down.
async fn play_again(
    house: &House,
    spy: &User,
    case: Case,
    tried: &[Try],
    script: Game,
    name: &str,
) -> Spied {
    let opponent = house.guest(&format!("Script {} {name}", case.number)).await;
    let game = spy.begin(case.wanted(json!({ "kind": "lobby" }))).await;
    opponent.post(&format!("/api/games/{game}/join"), json!({})).await;
    // He sits down first, so that nobody sees him come.
    let mut hidden = opponent.sit(&game).await;
    hidden.hear().await;
    let mut eyes = Eyes::open(spy, &game).await;
    let mut tries = tried.iter().enumerate();
    for entry in script.record().entries() {
        if entry.announcement.by == case.spy {
            assert!(eyes.wait_for_turn(case).await);
            // What the umpire did not take is in no record, but it was sent and answered.
            for (number, tried) in tries.by_ref() {
                if eyes.try_it(spy, &game, *tried, case, number).await {
                    assert_eq!(*tried, entry.tried);
                    break;
                }
            }
        } else {
            let answer = hidden.try_it(&entry.tried.to_string()).await;
            assert_eq!(answer["observation"]["text"], entry.announcement.to_string(), "{answer}");
        }
    }
    // What the spy hears of the last move is on its way.
    while let Ok(message) =
        tokio::time::timeout(std::time::Duration::from_millis(100), eyes.seat.hear_or_end()).await
    {
        let Some(message) = message else { break };
        eyes.note(&message);
    }
    spy.post(&format!("/api/games/{game}/actions"), json!({ "action": "resign" })).await;
    Spied { tries: tried.to_vec(), bytes: eyes.bytes, game, opponent: opponent.name }
}

/// How many lines there are in the log of a state.
fn lines_in(state: &str) -> usize {
    serde_json::from_str::<Value>(state).unwrap()["log"].as_array().unwrap().len()
}

/// What was sent, without times of day and names.
fn normalised(spied: &Spied) -> Vec<String> {
    spied.bytes.iter().map(|text| plain(text, spied)).collect()
}

fn plain(text: &str, spied: &Spied) -> String {
    let text = text.replace(&spied.game, "GAME").replace(&spied.opponent, "OPPONENT");
    match serde_json::from_str::<Value>(&text) {
        Ok(mut value) => {
            forget_times(&mut value);
            value.to_string()
        }
        // A record as text: its comments tell how long each try took.
        Err(_) => without_times(&text),
    }
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_opponent = fields.get("name") == Some(&json!("OPPONENT"));
            for (name, value) in fields.iter_mut() {
                let is_time = name == "ms" || name.ends_with("_ms");
                if is_time || is_opponent && ["id", "kind"].contains(&name.as_str()) {
                    *value = Value::Null;
                } else {
                    forget_times(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}

fn without_times(text: &str) -> String {
    let words = text.split_whitespace();
    let mut plain = Vec::new();
    let mut in_time = false;
    for word in words {
        in_time |= word.contains("[%");
        let is_time = in_time && word.chars().any(|c| c.is_ascii_digit());
        if !is_time {
            plain.push(word);
        }
        in_time &= !word.contains(']');
    }
    plain.join(" ")
}
