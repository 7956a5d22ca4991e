//! One game of a game log: its line of JSON, and what can be derived by replaying it.

use std::fmt::Write as _;

use krieg_core::{Color, Ending, Game, Outcome, Piece, PieceSet, Record, Try, checksum, excerpt};
use krieg_players::{GameRunner, TimedGame};
use serde::{Deserialize, Serialize};

use crate::tournament::{ScheduledGame, Tournament};

/// Largest accepted game number.
const MAX_NUMBER: u64 = 1 << 40;

/// A finished game as the log stores it.
///
/// ```
/// use krieg_arena::LoggedGame;
/// let line = r#"{"game":4,"result":"1-0","ending":"flag","plies":1,"tries":"e2e4/12 e7e5/130"}"#;
/// let game = LoggedGame::read(line)?;
/// assert_eq!((game.number, game.count_tries()), (4, 2));
/// assert_eq!(game.try_times().collect::<Vec<_>>(), [12, 130]);
/// assert_eq!(game.write(), line);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedGame {
    /// Its number in the tournament.
    #[serde(rename = "game")]
    pub number: u64,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// How it ended.
    pub ending: String,
    /// The reason of a forfeit or of an adjudication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Number of moves of both sides together.
    pub plies: u32,
    /// How long both players together were ready to think but had no processor, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub processor_wait_ms: u64,
    /// All tries in order. In timed games each is followed by a slash and its milliseconds.
    pub tries: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl LoggedGame {
    /// The log entry of a finished game.
    pub fn of(number: u64, timed: &TimedGame) -> Self {
        let game = &timed.game;
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
            why: tag(GameRunner::FORFEIT).or_else(|| tag(GameRunner::ADJUDICATION)),
            plies: game.umpire().view(Color::White).ply(),
            processor_wait_ms: timed.processor_wait.as_millis() as u64,
            tries,
        }
    }

    /// The line of JSON, without a line break.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers always serialize")
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Self, String> {
        let game: LoggedGame = serde_json::from_str(line)
            .map_err(|error| format!("not a game of a game log: {error}: {:?}", excerpt(line)))?;
        game.outcome().ok_or_else(|| {
            format!("a game cannot have ended {} by {:?}", game.result, excerpt(&game.ending))
        })?;
        if game.number > MAX_NUMBER {
            return Err(format!("there is no game {}", game.number));
        }
        Ok(game)
    }

    /// How it ended; `None` if such an end is impossible.
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = match self.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            _ => return None,
        };
        Outcome::checked(Ending::from_name(&self.ending)?, winner)
    }

    /// White's points, in halves.
    pub fn white_half_points(&self) -> u8 {
        match self.result.as_str() {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        }
    }

    /// The ending for statistics: forfeits and adjudications are counted separately from other
    /// abandoned and agreed games.
    pub fn reason(&self) -> &str {
        match (self.ending.as_str(), &self.why) {
            ("abandonment", Some(_)) => "forfeit",
            ("agreement", Some(_)) => "adjudication",
            (ending, _) => ending,
        }
    }

    /// The milliseconds of each try, in timed games.
    pub fn try_times(&self) -> impl Iterator<Item = u32> + '_ {
        self.tries.split(' ').filter_map(|tried| tried.split_once('/')?.1.parse().ok())
    }

    /// The number of tries.
    pub fn count_tries(&self) -> u32 {
        if self.tries.is_empty() {
            0
        } else {
            1 + self.tries.bytes().filter(|b| *b == b' ').count() as u32
        }
    }

    /// A hash of the tries; times are not part of it.
    pub(crate) fn fingerprint(&self) -> u64 {
        if !self.tries.contains('/') {
            return checksum(self.tries.as_bytes());
        }
        let tries = self.tries.split(' ').filter_map(|tried| tried.split('/').next());
        checksum(tries.collect::<Vec<_>>().join(" ").as_bytes())
    }

    /// The player who lost on time.
    pub fn lost_on_time(&self, tournament: &Tournament) -> Option<Color> {
        let outcome = self.outcome().filter(|outcome| outcome.ending == Ending::Flag)?;
        match outcome.winner {
            Some(winner) => Some(!winner),
            // The opponent could not have mated: the game is drawn, and the flag is the mover's.
            None => Some(self.replay(tournament).ok()?.umpire().turn()),
        }
    }

    /// The player who was at least five points of material ahead when the game was drawn by
    /// stalemate, repetition or the fifty-move rule.
    pub fn unconverted_lead(&self, tournament: &Tournament) -> Option<Color> {
        let ending = self.outcome()?.ending;
        if !matches!(ending, Ending::Stalemate | Ending::Threefold | Ending::FiftyMoves)
            || self.white_half_points() != 1
        {
            return None;
        }
        let game = self.replay(tournament).ok()?;
        let position = game.umpire().position();
        let [white, black] = Color::ALL.map(|color| material(&position.pieces(color)));
        match white - black {
            lead if lead >= CLEAR_LEAD => Some(Color::White),
            lead if -lead >= CLEAR_LEAD => Some(Color::Black),
            _ => None,
        }
    }

    /// The full record, from replaying the tries.
    pub fn record(&self, tournament: &Tournament) -> Result<Record, String> {
        self.replay(tournament).map(Game::into_record)
    }

    fn replay(&self, tournament: &Tournament) -> Result<Game, String> {
        let scheduled = tournament.game(self.number);
        let mut game = Game::new(tournament.game_settings(&scheduled).setup);
        game.set_seed(Some(tournament.game_seed(&scheduled)));
        for (name, text) in self.tags(tournament, &scheduled) {
            game.set_tag(name, &text).map_err(|error| error.to_string())?;
        }
        for word in self.tries.split(' ').filter(|word| !word.is_empty()) {
            let (tried, ms) = match word.split_once('/') {
                Some((tried, ms)) => (tried, Some(ms)),
                None => (word, None),
            };
            let invalid = || format!("game {}: {:?} is not a try", self.number, excerpt(word));
            let tried: Try = tried.parse().map_err(|_| invalid())?;
            let ms = ms.map(str::parse).transpose().map_err(|_| invalid())?;
            game.judge_timed(tried, ms)
                .map_err(|error| format!("game {}: {tried}: {error}", self.number))?;
        }
        let plies = game.umpire().view(Color::White).ply();
        if plies != self.plies {
            return Err(format!(
                "game {}: there are {plies} moves, not {}",
                self.number, self.plies
            ));
        }
        let outcome = self.outcome().ok_or("the game has no result")?;
        game.claim_outcome(outcome).map_err(|error| format!("game {}: {error}", self.number))?;
        Ok(game)
    }

    fn tags(
        &self,
        tournament: &Tournament,
        scheduled: &ScheduledGame,
    ) -> Vec<(&'static str, String)> {
        let mut tags = vec![
            ("Event", "Krieg arena".to_string()),
            ("Round", (self.number + 1).to_string()),
            ("White", tournament.players[scheduled.white].to_string()),
            ("Black", tournament.players[scheduled.black].to_string()),
            ("TimeControl", tournament.control.to_string()),
        ];
        let name = match self.reason() {
            "adjudication" => GameRunner::ADJUDICATION,
            _ => GameRunner::FORFEIT,
        };
        tags.extend(self.why.clone().map(|why| (name, why)));
        tags
    }
}

/// Material lead in points that should win the game.
const CLEAR_LEAD: i32 = 5;

/// Material in points: pawn 1, knight and bishop 3, rook 5, queen 9, king 0.
fn material(pieces: &PieceSet) -> i32 {
    let values = [1, 3, 3, 5, 9, 0];
    Piece::ALL
        .into_iter()
        .zip(values)
        .map(|(piece, value)| pieces.pieces(piece).len() as i32 * value)
        .sum()
}

/// Appends the text of a try without the formatting machinery: logs are written at thousands of
/// games per second.
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
