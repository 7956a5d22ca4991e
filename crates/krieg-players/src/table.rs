//! One game: two players, an umpire between them, a clock beside them.

use std::time::{Duration, Instant};

use krieg_core::{
    Announcement, Color, Entry, Game, Observation, Observer, Setup, TryError, Verdict, View,
    color_name,
};
use krieg_time::{Clock, TimeControl};

use crate::{Choice, Fault, Player, Seat, while_pondering};

/// What a game is played under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditions {
    /// The ruleset, the draws, and where the game begins.
    pub setup: Setup,
    /// The time control.
    pub control: TimeControl,
    /// After so many moves of each side the game is called a draw; never, unless one says so.
    pub draw_after: Option<u32>,
    /// Whether both may think at the same time, where a clock runs: each on a core of his own.
    pub ponder: bool,
}

impl Default for Conditions {
    fn default() -> Self {
        Conditions {
            setup: Setup::default(),
            control: TimeControl::Unlimited,
            draw_after: None,
            ponder: false,
        }
    }
}

/// A table at which one game is played.
///
/// ```
/// use krieg_players::{Conditions, Random, Table};
/// let [white, black] = &mut [Random::new(), Random::new()];
/// let once = Table::new(Conditions::default(), 3).play([white, black]);
/// let again = Table::new(Conditions::default(), 3).play([white, black]);
/// assert_eq!(once.record(), again.record());
/// ```
#[derive(Debug)]
pub struct Table {
    conditions: Conditions,
    game: Game,
    clock: Clock,
    /// How much of the turn has passed.
    turn_used: Duration,
    /// What each player has thought while hearing, on no clock yet: it goes on his own, before his next try.
    heard_for: [Duration; 2],
    ears: [Observer; 2],
}

/// What a player answered.
struct Asked {
    choice: Result<Choice, Fault>,
    /// How long he took, where that counts.
    took: Option<Duration>,
    /// How long the other went on thinking after that.
    late: Duration,
}

type Players<'a> = [&'a mut dyn Player; 2];

impl Table {
    /// The tag of a record that says why a player lost away from the board.
    pub const FORFEIT: &'static str = "Forfeit";
    /// The tag of a record that says why a game was called off.
    pub const ADJUDICATION: &'static str = "Adjudication";

    /// Lays the table. Both players' random numbers come from the seed.
    pub fn new(conditions: Conditions, seed: u64) -> Self {
        let mut game = Game::new(conditions.setup.clone());
        game.set_seed(Some(seed));
        Table {
            clock: Clock::new(conditions.control),
            game,
            conditions,
            turn_used: Duration::ZERO,
            heard_for: [Duration::ZERO; 2],
            ears: Color::ALL.map(Observer::new),
        }
    }

    /// Plays the game to its end, White first. A player that fails or cheats loses, and the record says why.
    ///
    /// A try that is not sensible is cheating: every player can know what is, and a program that repeats what
    /// was refused would never come to an end.
    pub fn play(mut self, mut players: Players) -> Game {
        let seed = self.game.record().seed().unwrap_or_default();
        let begun = Color::ALL
            .map(|color| players[color as usize].begin(&Seat::new(color, &self.conditions, seed)));
        // Both have sat down before anybody hears that the game is over already.
        for (color, begun) in Color::ALL.into_iter().zip(begun) {
            if let Err(fault) = begun {
                self.forfeit(color, &fault, &mut players);
            }
        }
        while self.game.umpire().outcome().is_none() {
            self.step(&mut players);
        }
        self.game
    }

    fn step(&mut self, players: &mut Players) {
        let umpire = self.game.umpire();
        let turn = umpire.turn();
        let view = umpire.view(turn);
        if self.conditions.draw_after.is_some_and(|moves| view.ply() / 2 >= moves) {
            let why = format!("a draw after {} moves", view.ply() / 2);
            self.note(Table::ADJUDICATION, &why);
            return self.end(|game| game.agree_to_draw(), players);
        }
        let heard_for = std::mem::take(&mut self.heard_for[turn as usize]);
        if self.clock.used(turn, self.turn_used, heard_for).is_err() {
            return self.end(|game| game.flag(turn), players);
        }
        self.turn_used += heard_for;
        let Asked { choice, took, late } = self.ask(view, players);
        self.heard_for[!turn as usize] += late;
        if let Some(took) = took
            && self.clock.used(turn, self.turn_used, took).is_err()
        {
            if let Err(Fault(why)) = choice {
                self.note(Table::FORFEIT, &why);
            }
            return self.end(|game| game.flag(turn), players);
        }
        let tried = match choice {
            Err(fault) => return self.forfeit(turn, &fault, players),
            Ok(Choice::Resign) => return self.end(|game| game.resign(turn), players),
            Ok(Choice::Try(tried)) => tried,
        };
        if !view.is_sensible(tried) {
            let fault = Fault(format!("{} tried {tried}, which makes no sense", color_name(turn)));
            return self.forfeit(turn, &fault, players);
        }
        let spent = took.map(|took| took + heard_for);
        let spent_ms = spent.map(|spent| spent.as_millis().try_into().unwrap_or(u32::MAX));
        let said = match self.game.judge_timed(tried, spent_ms) {
            Ok(said) => said,
            Err(reason) => {
                let fault = Fault(format!("{tried} is not accepted: {reason}"));
                return self.forfeit(turn, &fault, players);
            }
        };
        self.turn_used += took.unwrap_or_default();
        if said.verdict == Verdict::Moved {
            self.clock.pressed(turn);
            self.turn_used = Duration::ZERO;
        }
        self.tell(&Entry { tried, announcement: said, spent_ms }, players);
    }

    /// Asks whoever has this view what he does. The other may think, too.
    fn ask(&self, view: &View, players: &mut Players) -> Asked {
        let [white, black] = players;
        let (mover, other) = match view.player() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let mut answer = || {
            let asked = self.look_at_clock();
            let choice = mover.choose(view, &self.clock);
            Asked { choice, took: asked.map(|asked| asked.elapsed()), late: Duration::ZERO }
        };
        if !self.conditions.ponder || self.look_at_clock().is_none() {
            return answer();
        }
        let (asked, late) = while_pondering(&mut **other, answer);
        Asked { late, ..asked }
    }

    /// Tells what was said to those who may hear it; and then, if one of them could not hear it, that he has lost.
    fn tell(&mut self, entry: &Entry, players: &mut Players) {
        let heard = Color::ALL.map(|color| {
            let Some(line) = self.ears[color as usize].observe(entry) else { return Ok(()) };
            let begun = self.look_at_clock();
            let heard = players[color as usize].observe(&line);
            self.heard_for[color as usize] += begun.map_or(Duration::ZERO, |b| b.elapsed());
            heard
        });
        for (color, heard) in Color::ALL.into_iter().zip(heard) {
            if let Err(fault) = heard {
                self.forfeit(color, &fault, players);
            }
        }
    }

    /// The time, where it counts. Without a clock nobody looks at one: a game must be the same however long it took.
    fn look_at_clock(&self) -> Option<Instant> {
        self.clock.left(Color::White).map(|_| Instant::now())
    }

    fn forfeit(&mut self, loser: Color, fault: &Fault, players: &mut Players) {
        if self.game.umpire().outcome().is_some() {
            return;
        }
        self.note(Table::FORFEIT, &fault.0);
        self.end(|game| game.abandon(loser), players);
    }

    /// Ends the game away from the board, if nothing on it has.
    fn end(
        &mut self,
        how: impl FnOnce(&mut Game) -> Result<Announcement, TryError>,
        players: &mut Players,
    ) {
        let Ok(said) = how(&mut self.game) else { return };
        let line = Observation { tried: None, announcement: said, spent_ms: None };
        for player in players {
            // Whoever cannot hear that the game is over has nothing more to lose.
            let _ = player.observe(&line);
        }
    }

    fn note(&mut self, tag: &str, text: &str) {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.game.set_tag(tag, &krieg_core::reason(text)).expect("a plain text under a plain name");
    }
}
