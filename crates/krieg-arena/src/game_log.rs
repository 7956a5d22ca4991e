//! The game log: one line that describes the tournament, then one line per finished game.
//!
//! While games are played the file is only appended to, a complete line at a time, so an
//! interruption costs only the games in progress. A game is stored as its tries; replaying them
//! gives everything the umpire announced.

use std::path::Path;
use std::time::Duration;

use krieg_core::{DrawRules, Position, Ruleset, excerpt};
use krieg_notation::json::DrawRulesJson;
use krieg_players::{PlayerRegistry, PlayerSpec};
use krieg_time::TimeControl;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::logged_game::LoggedGame;
use crate::tournament::{Tournament, TournamentFormat};

/// The name of the game log in a result folder.
pub const GAME_LOG_FILE: &str = "games.jsonl";

/// Why a game log cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameLogError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// A line is invalid.
    #[error("{place}: line {line}: {reason}")]
    Line {
        /// The file.
        place: String,
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// The first line of the log. Its keys are a file format: they keep their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    krieg: String,
    version: u32,
    players: Vec<String>,
    #[serde(rename = "form")]
    format: String,
    seed: u64,
    ruleset: String,
    draws: DrawRulesJson,
    start: String,
    opening_plies: u32,
    control: String,
    /// Only in timed tournaments. Logs of earlier versions have none, and their margin was zero.
    #[serde(default, skip_serializing_if = "is_zero")]
    time_margin_ms: u64,
    draw_after: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ponder: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The value of `krieg` and `version` in the header of every game log.
const LOG_KIND: (&str, u32) = ("contest", 1);

/// How the first line of every game log begins.
pub(crate) const LOG_PREFIX: &str = "{\"krieg\":\"contest\"";

/// The first line of the tournament's log. The number of games is not part of it: more games can
/// be played later.
pub(crate) fn write_header(tournament: &Tournament) -> String {
    let header = Header {
        krieg: LOG_KIND.0.to_string(),
        version: LOG_KIND.1,
        players: tournament.players.iter().map(PlayerSpec::to_string).collect(),
        format: format_name(tournament.format).to_string(),
        seed: tournament.seed,
        ruleset: tournament.ruleset.to_string(),
        draws: tournament.draws.into(),
        start: tournament.start.to_string(),
        opening_plies: tournament.opening_plies,
        control: tournament.control.to_string(),
        time_margin_ms: match tournament.control.is_timed() {
            true => tournament.time_margin.as_millis() as u64,
            false => 0,
        },
        draw_after: tournament.draw_after,
        ponder: tournament.ponder,
    };
    serde_json::to_string(&header).expect("strings and numbers always serialize")
}

fn format_name(format: TournamentFormat) -> &'static str {
    match format {
        TournamentFormat::RoundRobin => "round-robin",
        TournamentFormat::Gauntlet => "gauntlet",
    }
}

/// The tournament described by the first line of a log, with no games.
fn read_header(line: &str, registry: &PlayerRegistry) -> Result<Tournament, String> {
    let header: Header = serde_json::from_str(line)
        .map_err(|error| format!("not the header of a game log: {error}: {:?}", excerpt(line)))?;
    if (header.krieg.as_str(), header.version) != LOG_KIND {
        return Err(format!("not a game log of version 1: {:?}", excerpt(line)));
    }
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let players: Result<Vec<PlayerSpec>, _> =
        header.players.iter().map(|name| registry.parse_saved(name)).collect();
    let format = [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet]
        .into_iter()
        .find(|format| format_name(*format) == header.format);
    let tournament = Tournament {
        format: format
            .ok_or_else(|| format!("{:?} is not a tournament format", excerpt(&header.format)))?,
        games_per_pairing: 0,
        seed: header.seed,
        ruleset: header.ruleset.parse::<Ruleset>().map_err(|error| text(&error))?,
        draws: DrawRules::from(header.draws),
        start: Position::from_fen(&header.start).map_err(|error| text(&error))?,
        opening_plies: header.opening_plies,
        control: header.control.parse::<TimeControl>().map_err(|error| text(&error))?,
        time_margin: Duration::from_millis(header.time_margin_ms),
        draw_after: header.draw_after,
        ponder: header.ponder,
        ..Tournament::new(players.map_err(|error| text(&error))?)
    };
    if tournament.players.len() < 2 {
        return Err("a tournament has at least two players".to_string());
    }
    Ok(tournament)
}

/// A game log read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLog {
    /// The tournament, with as many games as the log has.
    pub tournament: Tournament,
    /// The games, in the order of the file.
    pub games: Vec<LoggedGame>,
}

impl GameLog {
    /// Reads a log; `None` if there is no such file. An incomplete last line is ignored.
    pub fn open(path: &Path) -> Result<Option<GameLog>, GameLogError> {
        GameLog::open_with(path, &PlayerRegistry::default())
    }

    /// The same with the players of a registry.
    pub fn open_with(
        path: &Path,
        registry: &PlayerRegistry,
    ) -> Result<Option<GameLog>, GameLogError> {
        let place = path.display().to_string();
        let text = krieg_io::read_complete_lines(path)
            .map_err(|error| GameLogError::File(place.clone(), error))?;
        let mut lines = text.lines().enumerate();
        let Some((_, first)) = lines.next() else { return Ok(None) };
        let invalid = |line: usize| {
            let place = place.clone();
            move |reason: String| GameLogError::Line { place, line: line + 1, reason }
        };
        let mut tournament = read_header(first, registry).map_err(invalid(0))?;
        let mut games = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (index, line) in lines {
            let game = LoggedGame::read(line).map_err(invalid(index))?;
            if !seen.insert(game.number) {
                let reason = format!("game {} is in the log twice", game.number);
                return Err(invalid(index)(reason));
            }
            let number_in_pairing = tournament.game(game.number).number_in_pairing;
            tournament.games_per_pairing = tournament.games_per_pairing.max(number_in_pairing + 1);
            games.push(game);
        }
        Ok(Some(GameLog { tournament, games }))
    }

    /// The number of games missing before the last one.
    pub fn missing(&self) -> u64 {
        self.tournament.total_games() - self.games.len() as u64
    }

    /// Replays every game. The error describes the first game that is impossible.
    pub fn check(&self) -> Result<(), String> {
        self.games.iter().try_for_each(|game| game.record(&self.tournament).map(drop))
    }

    /// Writes the whole log as text, with the games in order.
    pub fn write(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        writeln!(out, "{}", write_header(&self.tournament))?;
        let mut games: Vec<&LoggedGame> = self.games.iter().collect();
        games.sort_by_key(|game| game.number);
        games.into_iter().try_for_each(|game| writeln!(out, "{}", game.write()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_names_of_earlier_versions_are_read() {
        let mut tournament = Tournament::new(
            ["marshal(particles=500,movetime=20)", "greedy(tablebases=no)"]
                .map(|name| name.parse().unwrap())
                .to_vec(),
        );
        tournament.games_per_pairing = 0;
        let current = write_header(&tournament);
        let former = current
            .replace("particles=500,movetime=20", "boards=500,ms=20")
            .replace("tablebases=no", "tables=no");
        assert_ne!(former, current);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(GAME_LOG_FILE);
        std::fs::write(&path, former + "\n").unwrap();
        let log = GameLog::open(&path).unwrap().unwrap();
        assert_eq!(log.tournament.players, tournament.players);
        assert_eq!(write_header(&log.tournament), current);
    }
}
