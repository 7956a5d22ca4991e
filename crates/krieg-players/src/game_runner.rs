//! Plays one game between two players, with an umpire and a clock.

use std::time::Duration;

use krieg_core::{
    Announcement, Color, Entry, Game, Observation, Observer, Setup, TryError, Verdict, View,
    color_name,
};
use krieg_time::{Clock, FlagFall, ThinkingTime, ThinkingTimer, TimeControl};

use crate::{Choice, Player, PlayerError, Seat, while_pondering};

/// The settings of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSettings {
    /// The ruleset, the draw rules, and the start position.
    pub setup: Setup,
    /// The time control.
    pub control: TimeControl,
    /// How much a player may exceed its remaining time, in each turn, before its flag falls. It
    /// covers delays that no player can control. The time itself is charged.
    pub time_margin: Duration,
    /// Number of moves per side after which the game is adjudicated as a draw; `None` for never.
    pub draw_after: Option<u32>,
    /// Whether each player may think on the opponent's time, in a timed game.
    pub ponder: bool,
}

impl GameSettings {
    /// The default time margin. With three other busy programs on two processors, players
    /// exceeded a time of 100 ms by a few milliseconds (`benches/runs`).
    pub const DEFAULT_TIME_MARGIN: Duration = Duration::from_millis(20);
}

impl Default for GameSettings {
    fn default() -> Self {
        GameSettings {
            setup: Setup::default(),
            control: TimeControl::Unlimited,
            time_margin: GameSettings::DEFAULT_TIME_MARGIN,
            draw_after: None,
            ponder: false,
        }
    }
}

/// Plays one game. Each runner is used once.
///
/// Every try is judged by an umpire, and every player receives the announcements that it may hear.
/// In a timed game a player's clock runs while it chooses a try and while it processes an
/// observation. The clock does not count the time that the player's thread waits for a processor,
/// nor the work of the runner itself.
///
/// ```
/// use krieg_players::{GameRunner, GameSettings, Random};
/// let [white, black] = &mut [Random::new(), Random::new()];
/// let game = GameRunner::new(GameSettings::default(), 3).play([white, black]);
/// let same = GameRunner::new(GameSettings::default(), 3).play([white, black]);
/// assert_eq!(game.record(), same.record());
/// ```
#[derive(Debug)]
pub struct GameRunner {
    settings: GameSettings,
    game: Game,
    clock: Clock,
    /// The time charged in the current turn.
    turn_time: Duration,
    /// How much of the time margin is left in the current turn.
    margin_left: Duration,
    /// Time that each player spent on observations and that is not charged yet. It is charged
    /// before the player's next try.
    observation_time: [Duration; 2],
    /// Total time that the players waited for a processor.
    processor_wait: Duration,
    observers: [Observer; 2],
}

/// A finished game with a measurement that is no part of its record.
#[derive(Debug, Clone)]
pub struct TimedGame {
    /// The game.
    pub game: Game,
    /// How long both players together were ready to think but had no processor. Zero without a
    /// clock.
    pub processor_wait: Duration,
}

/// A player's reply to the request for a try.
struct Reply {
    choice: Result<Choice, PlayerError>,
    /// How long the player thought, in timed games.
    time: Option<ThinkingTime>,
    /// How long the opponent went on pondering after the choice.
    ponder_overrun: Duration,
}

type Players<'a> = [&'a mut dyn Player; 2];

impl GameRunner {
    /// The tag of a record that states why a player lost by forfeit.
    pub const FORFEIT: &'static str = "Forfeit";
    /// The tag of a record that states why a game was adjudicated.
    pub const ADJUDICATION: &'static str = "Adjudication";

    /// Prepares a game. The random numbers of both players are derived from the seed.
    pub fn new(settings: GameSettings, seed: u64) -> Self {
        let mut game = Game::new(settings.setup.clone());
        game.set_seed(Some(seed));
        GameRunner {
            clock: Clock::new(settings.control),
            game,
            turn_time: Duration::ZERO,
            margin_left: settings.time_margin,
            observation_time: [Duration::ZERO; 2],
            processor_wait: Duration::ZERO,
            observers: Color::ALL.map(Observer::new),
            settings,
        }
    }

    /// Plays the game to its end. The first player has White. A player that fails, or that
    /// submits a senseless try, loses by forfeit, and the record states why.
    ///
    /// Every player can know which tries are sensible, and a program that repeats a refused try
    /// would never finish the game.
    pub fn play(self, players: Players) -> Game {
        self.play_timed(players).game
    }

    /// The same as [`play`](GameRunner::play), and also reports how long the players waited for a
    /// processor.
    pub fn play_timed(mut self, mut players: Players) -> TimedGame {
        let seed = self.game.record().seed().unwrap_or_default();
        let started = Color::ALL
            .map(|color| players[color as usize].begin(&Seat::new(color, &self.settings, seed)));
        // Both players have been told of the game before one of them is told of its end.
        for (color, started) in Color::ALL.into_iter().zip(started) {
            if let Err(error) = started {
                self.forfeit(color, &error, &mut players);
            }
        }
        while self.game.umpire().outcome().is_none() {
            self.play_try(&mut players);
        }
        TimedGame { game: self.game, processor_wait: self.processor_wait }
    }

    fn play_try(&mut self, players: &mut Players) {
        let turn = self.game.umpire().turn();
        let moves = self.game.umpire().view(turn).ply() / 2;
        if self.settings.draw_after.is_some_and(|max_moves| moves >= max_moves) {
            let reason = format!("a draw after {moves} moves");
            self.set_tag(GameRunner::ADJUDICATION, &reason);
            return self.end(|game| game.agree_to_draw(), players);
        }
        let observation_time = std::mem::take(&mut self.observation_time[turn as usize]);
        if self.charge(turn, observation_time).is_err() {
            return self.end(|game| game.flag(turn), players);
        }
        let view = self.game.umpire().view(turn);
        let Reply { choice, time, ponder_overrun } = self.request_try(view, players);
        self.observation_time[!turn as usize] += ponder_overrun;
        if let Some(time) = time {
            self.processor_wait += time.processor_wait;
            if self.charge(turn, time.thinking).is_err() {
                if let Err(PlayerError(reason)) = choice {
                    self.set_tag(GameRunner::FORFEIT, &reason);
                }
                return self.end(|game| game.flag(turn), players);
            }
        }
        let tried = match choice {
            Err(error) => return self.forfeit(turn, &error, players),
            Ok(Choice::Resign) => return self.end(|game| game.resign(turn), players),
            Ok(Choice::Try(tried)) => tried,
        };
        if !self.game.umpire().view(turn).is_sensible(tried) {
            let name = color_name(turn);
            let error = PlayerError(format!("{name} tried {tried}, which is not a sensible try"));
            return self.forfeit(turn, &error, players);
        }
        let spent = time.map(|time| time.thinking + observation_time);
        let spent_ms = spent.map(|spent| spent.as_millis().try_into().unwrap_or(u32::MAX));
        let announcement = match self.game.judge_timed(tried, spent_ms) {
            Ok(announcement) => announcement,
            Err(reason) => {
                let error = PlayerError(format!("{tried} is not accepted: {reason}"));
                return self.forfeit(turn, &error, players);
            }
        };
        if announcement.verdict == Verdict::Moved {
            self.clock.press(turn);
            self.turn_time = Duration::ZERO;
            self.margin_left = self.settings.time_margin;
        }
        self.announce(&Entry { tried, announcement, spent_ms }, players);
    }

    /// Charges time to the player whose turn it is. The flag falls when the player has exceeded
    /// its time by more than the margin of this turn.
    fn charge(&mut self, turn: Color, time: Duration) -> Result<(), FlagFall> {
        let charged = self.clock.charge(turn, self.turn_time, time);
        self.turn_time += time;
        match charged {
            Err(flag_fall) if flag_fall.overshoot <= self.margin_left => {
                self.margin_left -= flag_fall.overshoot;
                Ok(())
            }
            charged => charged,
        }
    }

    /// Asks the player with this view for a try. The opponent may ponder meanwhile.
    fn request_try(&self, view: &View, players: &mut Players) -> Reply {
        let [white, black] = players;
        let (mover, opponent) = match view.player() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let mut choose = || {
            let timer = self.is_timed().then(ThinkingTimer::start);
            let choice = mover.choose(view, &self.clock);
            let time = timer.map(ThinkingTimer::stop);
            Reply { choice, time, ponder_overrun: Duration::ZERO }
        };
        if !self.settings.ponder || !self.is_timed() {
            return choose();
        }
        let (reply, ponder_overrun) = while_pondering(&mut **opponent, choose);
        Reply { ponder_overrun, ..reply }
    }

    /// Sends an announcement to the players who may hear it. A player that fails meanwhile loses.
    fn announce(&mut self, entry: &Entry, players: &mut Players) {
        let results = Color::ALL.map(|color| {
            let Some(observation) = self.observers[color as usize].observe(entry) else {
                return Ok(());
            };
            let timer = self.is_timed().then(ThinkingTimer::start);
            let result = players[color as usize].observe(&observation);
            if let Some(time) = timer.map(ThinkingTimer::stop) {
                self.observation_time[color as usize] += time.thinking;
                self.processor_wait += time.processor_wait;
            }
            result
        });
        for (color, result) in Color::ALL.into_iter().zip(results) {
            if let Err(error) = result {
                self.forfeit(color, &error, players);
            }
        }
    }

    /// Without a clock no time is measured: such a game is the same however long it takes.
    fn is_timed(&self) -> bool {
        self.settings.control.is_timed()
    }

    fn forfeit(&mut self, loser: Color, error: &PlayerError, players: &mut Players) {
        if self.game.umpire().outcome().is_some() {
            return;
        }
        self.set_tag(GameRunner::FORFEIT, &error.0);
        self.end(|game| game.abandon(loser), players);
    }

    /// Ends the game by something other than a try, unless it is over already.
    fn end(
        &mut self,
        end: impl FnOnce(&mut Game) -> Result<Announcement, TryError>,
        players: &mut Players,
    ) {
        let Ok(announcement) = end(&mut self.game) else { return };
        let observation = Observation { tried: None, announcement, spent_ms: None };
        for player in players {
            // The game is over, so a player that fails now has nothing more to lose.
            let _ = player.observe(&observation);
        }
    }

    fn set_tag(&mut self, tag: &str, text: &str) {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let text = krieg_core::short_reason(text);
        self.game.set_tag(tag, &text).expect("a text without control characters is a valid tag");
    }
}
