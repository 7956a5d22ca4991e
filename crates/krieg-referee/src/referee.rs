//! The open games, and the answer to each request.

use std::collections::BTreeMap;

use krieg_core::{Announcement, Color, Game, Position, Ruleset, Setup, Try, TryError, color_name};
use krieg_notation::json::{AnnouncementJson, ColorJson, OutcomeJson, ViewJson};
use krieg_notation::{json, pgn};
use serde::Serialize;
use serde_json::{Map, Value, json as value};

use crate::request::{Format, ParsedLine, Request};

/// Umpires many games of Kriegspiel, controlled by JSON lines.
///
/// ```
/// use krieg_referee::Referee;
/// let mut referee = Referee::new(10);
/// let _ = referee.answer(1, r#"{"cmd":"new","game":"g"}"#);
/// let reply = referee.answer(2, r#"{"cmd":"try","game":"g","move":"e2e4"}"#);
/// assert!(reply.text.contains(r#""text":"White moved. No pawn tries.""#), "{}", reply.text);
/// let reply = referee.answer(3, r#"{"cmd":"try","game":"h","move":"e2e4"}"#);
/// assert_eq!(reply.text, r#"{"ok":false,"error":"line 3: there is no game \"h\""}"#);
/// ```
#[derive(Debug)]
pub struct Referee {
    games: BTreeMap<String, Game>,
    max_games: usize,
}

/// The reply to a request line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "the client waits for the reply"]
#[non_exhaustive]
pub struct Reply {
    /// The reply line, without its line break.
    pub text: String,
    /// Whether the request was `quit`.
    pub is_last: bool,
}

/// Maximum length of the name of a game in bytes.
const MAX_NAME_BYTES: usize = 200;

/// Maximum number of refused tries per turn. A position has fewer than half as many sensible tries;
/// without a limit, a client could make a record grow without end.
const MAX_REFUSALS: u16 = 1000;

/// The fields of a reply, or what is wrong with the request.
type Answer = Result<Map<String, Value>, String>;

impl Referee {
    /// A referee for at most `max_games` open games.
    pub fn new(max_games: usize) -> Self {
        Referee { games: BTreeMap::new(), max_games }
    }

    /// Answers a request line; `number` is its line number, for error messages. No line makes this
    /// function panic, and a request about one game does not change another.
    pub fn answer(&mut self, number: usize, line: &str) -> Reply {
        let parsed = ParsedLine::parse(line);
        let is_last = matches!(parsed.request, Ok(Request::Quit {}));
        let answer = parsed.request.and_then(|request| self.serve(request));
        Reply { text: reply(parsed.id, number, answer), is_last }
    }

    /// The reply to a line that could not be read, because it is too long or not text.
    pub fn refuse(number: usize, reason: &str) -> String {
        reply(None, number, Err(reason.to_string()))
    }

    fn serve(&mut self, request: Request) -> Answer {
        match request {
            Request::New { game, ruleset, fen, draws, seed, tags } => {
                let setup = Setup {
                    ruleset: match ruleset {
                        Some(name) => name.parse::<Ruleset>().map_err(|e| e.to_string())?,
                        None => Ruleset::default(),
                    },
                    draws: draws.into(),
                    start: match fen {
                        Some(fen) => Position::from_fen(&fen).map_err(|e| e.to_string())?,
                        None => Position::start(),
                    },
                };
                self.open(game, setup, seed, tags)
            }
            Request::Try { game, mv, player, spent_ms } => {
                let mv = mv.parse().map_err(|e: krieg_core::MoveError| e.to_string())?;
                self.judge(&game, Try::Move(mv), player, spent_ms)
            }
            Request::Ask { game, player, spent_ms } => {
                self.judge(&game, Try::Any, player, spent_ms)
            }
            Request::Resign { game, player } => self.end(&game, |g| g.resign(player.into())),
            Request::Flag { game, player } => self.end(&game, |g| g.flag(player.into())),
            Request::Abandon { game, player } => self.end(&game, |g| g.abandon(player.into())),
            Request::Draw { game } => self.end(&game, Game::agree_to_draw),
            Request::View { game, player } => {
                let view = ViewJson::from(self.game(&game)?.umpire().view(player.into()));
                Ok(fields([("game", game.into()), ("view", to_value(&view))]))
            }
            Request::Position { game } => {
                let open_game = self.game(&game)?;
                let fen = open_game.umpire().position().to_string();
                let (turn, end) =
                    (turn(open_game), open_game.umpire().outcome().map(OutcomeJson::from));
                Ok(fields([
                    ("game", game.into()),
                    ("fen", fen.into()),
                    ("turn", turn),
                    ("end", to_value(&end)),
                ]))
            }
            Request::Record { game, player, format } => {
                let record = self.game(&game)?.record();
                let record = match (player.map(Color::from), format) {
                    (None, Format::Json) => ("record", json::record_value(record)),
                    (None, Format::Pgn) => ("pgn", pgn::write_record(record).into()),
                    (Some(player), Format::Json) => {
                        ("record", json::transcript_value(&record.transcript(player)))
                    }
                    (Some(player), Format::Pgn) => {
                        ("pgn", pgn::write_transcript(&record.transcript(player)).into())
                    }
                };
                Ok(fields([("game", game.into()), record]))
            }
            Request::Close { game } => {
                self.game(&game)?;
                self.games.remove(&game);
                Ok(fields([("game", game.into())]))
            }
            Request::Games {} => {
                let names: Vec<&String> = self.games.keys().collect();
                Ok(fields([("games", to_value(&names))]))
            }
            Request::Rulesets {} => {
                let rulesets: Vec<Value> = Ruleset::ALL
                    .iter()
                    .map(|ruleset| value!({"name": ruleset.name, "about": ruleset.about}))
                    .collect();
                Ok(fields([("rulesets", rulesets.into())]))
            }
            Request::Quit {} => Ok(Map::new()),
        }
    }

    fn open(
        &mut self,
        name: String,
        setup: Setup,
        seed: Option<u64>,
        tags: BTreeMap<String, String>,
    ) -> Answer {
        if name.len() > MAX_NAME_BYTES {
            return Err(format!("the name of a game has at most {MAX_NAME_BYTES} bytes"));
        }
        if self.games.contains_key(&name) {
            return Err(format!("there is already a game {name:?}"));
        }
        if self.games.len() >= self.max_games {
            return Err(format!("{} games are open already; close some", self.games.len()));
        }
        let mut game = Game::new(setup);
        game.set_seed(seed);
        for (tag, text) in &tags {
            game.set_tag(tag, text).map_err(|e| e.to_string())?;
        }
        let opening = game.umpire().opening();
        let mut answer = fields([("game", name.clone().into()), ("turn", turn(&game))]);
        insert_announcement(&mut answer, &opening);
        self.games.insert(name, game);
        Ok(answer)
    }

    fn judge(
        &mut self,
        name: &str,
        tried: Try,
        player: Option<ColorJson>,
        spent_ms: Option<u32>,
    ) -> Answer {
        let game = self.game_mut(name)?;
        let turn = game.umpire().turn();
        let is_running = game.umpire().outcome().is_none();
        if let Some(player) = player.map(Color::from)
            && is_running
            && player != turn
        {
            return Err(format!("it is {}'s turn in game {name:?}", color_name(turn)));
        }
        if game.umpire().view(turn).refusals() >= MAX_REFUSALS {
            return Err(format!("{MAX_REFUSALS} tries were refused this turn, which is the limit"));
        }
        let announcement = game.judge_timed(tried, spent_ms);
        Ok(verdict(name, game, announcement))
    }

    fn end(
        &mut self,
        name: &str,
        how: impl FnOnce(&mut Game) -> Result<Announcement, TryError>,
    ) -> Answer {
        let game = self.game_mut(name)?;
        let announcement = how(game);
        Ok(verdict(name, game, announcement))
    }

    fn game(&self, name: &str) -> Result<&Game, String> {
        self.games.get(name).ok_or_else(|| no_game(name))
    }

    fn game_mut(&mut self, name: &str) -> Result<&mut Game, String> {
        self.games.get_mut(name).ok_or_else(|| no_game(name))
    }
}

fn no_game(name: &str) -> String {
    format!("there is no game {:?}", krieg_core::excerpt(name))
}

fn verdict(
    name: &str,
    game: &Game,
    announcement: Result<Announcement, TryError>,
) -> Map<String, Value> {
    let mut answer = fields([
        ("game", name.into()),
        ("accepted", announcement.is_ok().into()),
        ("turn", turn(game)),
    ]);
    match announcement {
        Ok(announcement) => insert_announcement(&mut answer, &announcement),
        Err(reason) => drop(answer.insert("reason".into(), reason.to_string().into())),
    }
    answer
}

/// The player to move, or `null` when the game is over.
fn turn(game: &Game) -> Value {
    match game.umpire().outcome() {
        Some(_) => Value::Null,
        None => to_value(&ColorJson::from(game.umpire().turn())),
    }
}

fn insert_announcement(answer: &mut Map<String, Value>, announcement: &Announcement) {
    answer.insert("announcement".into(), to_value(&AnnouncementJson::from(announcement)));
    answer.insert("text".into(), announcement.to_string().into());
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

fn to_value(thing: &impl Serialize) -> Value {
    serde_json::to_value(thing).expect("the value can always be serialized")
}

fn reply(id: Option<Value>, number: usize, answer: Answer) -> String {
    let mut text = fields([("ok", answer.is_ok().into())]);
    if let Some(id) = id {
        text.insert("id".into(), id);
    }
    match answer {
        Ok(answer) => text.extend(answer),
        Err(reason) => {
            let error = format!("line {number}: {reason}");
            text.insert("error".into(), error.into());
        }
    }
    Value::Object(text).to_string()
}
