//! The log of a contest: a line that says what is played, and one for each game as it ends.
//!
//! It is only ever added to while games are played, a whole line at a time, so that an interrupt costs the games under way
//! and nothing else. A game is kept as the tries that were made; all that the umpire said can be had from them again.

use std::fmt::Write as _;
use std::path::Path;

use krieg_chess::clock::TimeControl;
use krieg_core::{
    Color, DrawRules, Ending, Game, Men, Outcome, Piece, Position, Record, Ruleset, Try, checksum,
    excerpt,
};
use krieg_notation::json::Draws;
use krieg_players::{PlayerSpec, Table};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::plan::{Fixture, Form, Plan};

/// The name of the log in a contest's folder.
pub const LOG: &str = "games.jsonl";

/// What is wrong with a log.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// A line is not what it should be.
    #[error("{place}: line {line}: {what}")]
    Line {
        /// Which file.
        place: String,
        /// Which line, counted from one.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    krieg: String,
    version: u32,
    players: Vec<String>,
    form: String,
    seed: u64,
    ruleset: String,
    draws: Draws,
    start: String,
    opening_plies: u32,
    control: String,
    draw_after: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ponder: bool,
}

/// The first line of a plan's log. How many games are wanted is not part of it: more can be played later.
pub fn write_heading(plan: &Plan) -> String {
    let heading = Heading {
        krieg: "contest".to_string(),
        version: 1,
        players: plan.players.iter().map(PlayerSpec::to_string).collect(),
        form: form_name(plan.form).to_string(),
        seed: plan.seed,
        ruleset: plan.ruleset.to_string(),
        draws: plan.draws.into(),
        start: plan.start.to_string(),
        opening_plies: plan.opening_plies,
        control: plan.control.to_string(),
        draw_after: plan.draw_after,
        ponder: plan.ponder,
    };
    serde_json::to_string(&heading).expect("texts and numbers are always JSON")
}

fn form_name(form: Form) -> &'static str {
    match form {
        Form::RoundRobin => "round-robin",
        Form::Gauntlet => "gauntlet",
    }
}

/// The plan of a log with this first line, with no games wanted.
pub fn read_heading(line: &str) -> Result<Plan, String> {
    let heading: Heading = serde_json::from_str(line)
        .map_err(|error| format!("no heading of a contest: {error}: {:?}", excerpt(line)))?;
    if (heading.krieg.as_str(), heading.version) != ("contest", 1) {
        return Err(format!("no log of a contest, version 1: {:?}", excerpt(line)));
    }
    let wrong = |error: &dyn std::fmt::Display| error.to_string();
    let players: Result<Vec<PlayerSpec>, _> =
        heading.players.iter().map(|name| name.parse()).collect();
    let form =
        [Form::RoundRobin, Form::Gauntlet].into_iter().find(|f| form_name(*f) == heading.form);
    let plan = Plan {
        players: players.map_err(|error| wrong(&error))?,
        form: form.ok_or_else(|| format!("{:?} is no form of contest", excerpt(&heading.form)))?,
        games: 0,
        seed: heading.seed,
        ruleset: heading.ruleset.parse::<Ruleset>().map_err(|error| wrong(&error))?,
        draws: DrawRules::from(heading.draws),
        start: Position::from_fen(&heading.start).map_err(|error| wrong(&error))?,
        opening_plies: heading.opening_plies,
        control: heading.control.parse::<TimeControl>().map_err(|error| wrong(&error))?,
        draw_after: heading.draw_after,
        ponder: heading.ponder,
    };
    if plan.players.len() < 2 {
        return Err("a contest has two players at least".to_string());
    }
    Ok(plan)
}

/// No contest has more games than this.
const MOST_NUMBER: u64 = 1 << 40;

/// A game as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedGame {
    /// Its number in the plan.
    #[serde(rename = "game")]
    pub number: u64,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why it ended.
    pub ending: String,
    /// What went wrong, or why it was called off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Moves that stood, of both sides together.
    pub plies: u32,
    /// All tries in order, each with a slash and its milliseconds where a clock ran.
    pub tries: String,
}

impl LoggedGame {
    /// The log's line for a game that is over.
    pub fn of(number: u64, game: &Game) -> Self {
        let record = game.record();
        let mut tries = String::with_capacity(record.entries().len() * 6);
        for entry in record.entries() {
            if !tries.is_empty() {
                tries.push(' ');
            }
            push_try(&mut tries, entry.tried);
            if let Some(ms) = entry.spent_ms {
                let _ = write!(tries, "/{ms}");
            }
        }
        let outcome = record.outcome();
        let tag = |name| record.tags().get(name).cloned();
        LoggedGame {
            number,
            result: outcome.map_or("*", |outcome| outcome.result()).to_string(),
            ending: outcome.map_or("", |outcome| outcome.ending.name()).to_string(),
            why: tag(Table::FORFEIT).or_else(|| tag(Table::ADJUDICATION)),
            plies: game.umpire().view(Color::White).ply(),
            tries,
        }
    }

    /// As a line, without its break.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are always JSON")
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Self, String> {
        let game: LoggedGame = serde_json::from_str(line)
            .map_err(|error| format!("no game of a contest: {error}: {:?}", excerpt(line)))?;
        game.outcome().ok_or_else(|| {
            format!("a game cannot have ended {} by {:?}", game.result, excerpt(&game.ending))
        })?;
        if game.number > MOST_NUMBER {
            return Err(format!("there is no game {}", game.number));
        }
        Ok(game)
    }

    /// How it ended, if it can have.
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = match self.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            _ => return None,
        };
        Outcome::checked(Ending::named(&self.ending)?, winner)
    }

    /// White's half points.
    pub fn white_half_points(&self) -> u8 {
        match self.result.as_str() {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        }
    }

    /// Why it ended, for counting: a forfeit is told apart from other games that were left.
    pub fn reason(&self) -> &str {
        match (self.ending.as_str(), &self.why) {
            ("abandonment", Some(_)) => "forfeit",
            ("agreement", Some(_)) => "adjudication",
            (ending, _) => ending,
        }
    }

    /// The time of each try, where a clock ran.
    pub fn times(&self) -> impl Iterator<Item = u32> + '_ {
        self.tries.split(' ').filter_map(|tried| tried.split_once('/')?.1.parse().ok())
    }

    /// How many tries were made.
    pub fn count_tries(&self) -> u32 {
        if self.tries.is_empty() {
            0
        } else {
            1 + self.tries.bytes().filter(|b| *b == b' ').count() as u32
        }
    }

    /// A number that is the same for the same tries and, most likely, another one for others.
    pub(crate) fn fingerprint(&self) -> u64 {
        // Times are no part of what was played.
        if !self.tries.contains('/') {
            return checksum(self.tries.as_bytes());
        }
        let tries = self.tries.split(' ').filter_map(|tried| tried.split('/').next());
        checksum(tries.collect::<Vec<_>>().join(" ").as_bytes())
    }

    /// Who was so far ahead that only a draw which need not have been kept him from winning: five points or more, and then stalemate, repetition or fifty moves.
    pub fn given_away(&self, plan: &Plan) -> Option<Color> {
        let ending = self.outcome()?.ending;
        if !matches!(ending, Ending::Stalemate | Ending::Threefold | Ending::FiftyMoves)
            || self.white_half_points() != 1
        {
            return None;
        }
        let game = self.umpired(plan).ok()?;
        let position = game.umpire().position();
        let [white, black] = Color::ALL.map(|color| points(&position.men(color)));
        match white - black {
            lead if lead >= CLEARLY_AHEAD => Some(Color::White),
            lead if -lead >= CLEARLY_AHEAD => Some(Color::Black),
            _ => None,
        }
    }

    /// The whole record, umpired again.
    pub fn record(&self, plan: &Plan) -> Result<Record, String> {
        self.umpired(plan).map(Game::into_record)
    }

    fn umpired(&self, plan: &Plan) -> Result<Game, String> {
        let fixture = plan.fixture(self.number);
        let mut game = Game::new(plan.conditions(&fixture).setup);
        game.set_seed(Some(plan.seed_of(&fixture)));
        for (name, text) in self.tags(plan, &fixture) {
            game.set_tag(name, &text).map_err(|error| error.to_string())?;
        }
        for word in self.tries.split(' ').filter(|word| !word.is_empty()) {
            let (tried, ms) = match word.split_once('/') {
                Some((tried, ms)) => (tried, Some(ms)),
                None => (word, None),
            };
            let wrong = || format!("game {}: {:?} is no try", self.number, excerpt(word));
            let tried: Try = tried.parse().map_err(|_| wrong())?;
            let ms = ms.map(str::parse).transpose().map_err(|_| wrong())?;
            game.judge_timed(tried, ms)
                .map_err(|error| format!("game {}: {tried}: {error}", self.number))?;
        }
        let moves = game.umpire().view(Color::White).ply();
        if moves != self.plies {
            return Err(format!(
                "game {}: there are {moves} moves, not {}",
                self.number, self.plies
            ));
        }
        let outcome = self.outcome().ok_or("a game without an end")?;
        game.end_as(outcome).map_err(|error| format!("game {}: {error}", self.number))?;
        Ok(game)
    }

    fn tags(&self, plan: &Plan, fixture: &Fixture) -> Vec<(&'static str, String)> {
        let mut tags = vec![
            ("Event", "Krieg arena".to_string()),
            ("Round", (self.number + 1).to_string()),
            ("White", plan.players[fixture.white].to_string()),
            ("Black", plan.players[fixture.black].to_string()),
            ("TimeControl", plan.control.to_string()),
        ];
        let name = match self.reason() {
            "adjudication" => Table::ADJUDICATION,
            _ => Table::FORFEIT,
        };
        tags.extend(self.why.clone().map(|why| (name, why)));
        tags
    }
}

/// Whoever has so many points more should win.
const CLEARLY_AHEAD: i32 = 5;

/// What these men count for by the old rule, the king for nothing.
fn points(men: &Men) -> i32 {
    let worth = [1, 3, 3, 5, 9, 0];
    Piece::ALL
        .into_iter()
        .zip(worth)
        .map(|(piece, worth)| men.pieces(piece).len() as i32 * worth)
        .sum()
}

/// A try's text, without the detour of formatting: logs are written by the thousand games a second.
fn push_try(text: &mut String, tried: Try) {
    match tried {
        Try::Any => text.push_str("any?"),
        Try::Move(mv) => {
            for square in [mv.from, mv.to] {
                text.push(char::from(b'a' + square.file() as u8));
                text.push(char::from(b'1' + square.rank() as u8));
            }
            if let Some(promotion) = mv.promotion {
                let _ = write!(text, "{}", Piece::from(promotion));
            }
        }
    }
}

/// A log as it is found on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// What was played, with as many games wanted as there are.
    pub plan: Plan,
    /// The games, in the order they stand in.
    pub games: Vec<LoggedGame>,
}

impl Log {
    /// Reads a log; nothing if there is none. Half a line at its end is passed over.
    pub fn open(path: &Path) -> Result<Option<Log>, LogError> {
        let place = path.display().to_string();
        let text =
            krieg_lines::whole_lines(path).map_err(|error| LogError::File(place.clone(), error))?;
        let mut lines = text.lines().enumerate();
        let Some((_, first)) = lines.next() else { return Ok(None) };
        let wrong = |line: usize| {
            let place = place.clone();
            move |what: String| LogError::Line { place, line: line + 1, what }
        };
        let mut plan = read_heading(first).map_err(wrong(0))?;
        let mut games = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (at, line) in lines {
            let game = LoggedGame::read(line).map_err(wrong(at))?;
            if !seen.insert(game.number) {
                return Err(wrong(at)(format!("game {} stands twice", game.number)));
            }
            plan.games = plan.games.max(plan.fixture(game.number).number_in_pairing + 1);
            games.push(game);
        }
        Ok(Some(Log { plan, games }))
    }

    /// How many games are not there, of those up to the last one.
    pub fn missing(&self) -> u64 {
        self.plan.total() - self.games.len() as u64
    }

    /// Umpires every game again. The error says what cannot have been.
    pub fn check(&self) -> Result<(), String> {
        self.games.iter().try_for_each(|game| game.record(&self.plan).map(drop))
    }

    /// The whole log as text, the games in order.
    pub fn write(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        writeln!(out, "{}", write_heading(&self.plan))?;
        let mut games: Vec<&LoggedGame> = self.games.iter().collect();
        games.sort_by_key(|game| game.number);
        games.into_iter().try_for_each(|game| writeln!(out, "{}", game.write()))
    }
}
