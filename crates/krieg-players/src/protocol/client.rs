//! A player that is a program of somebody else's.
//!
//! It is a stranger, as every engine is: every wait has a deadline. Whoever dies, hangs or answers what is no try
//! has lost the game; for the next one it is started anew.

use std::str::FromStr;
use std::time::{Duration, Instant};

use krieg_core::{Observation, View, excerpt};
use krieg_io::{ChildProcess, ProcessError, Program};
use krieg_time::Clock;

use super::messages::{write_go, write_heard, write_newgame};
use crate::{Choice, Parameter, Player, PlayerError, PlayerKind, Seat, SpecError};

/// How long a program may take to start, and to say that it is ready.
const READY: Duration = Duration::from_secs(10);
/// How long after its flag has fallen an answer is still waited for.
const GRACE: Duration = Duration::from_millis(500);

/// How a program is started and treated.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// The program.
    pub program: Program,
    /// Options, set each time it starts.
    pub options: EngineOptions,
    /// How long to wait where no clock runs.
    pub timeout: Timeout,
}

/// Options to set, written `Depth=3;Style=bold`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineOptions(Vec<(String, String)>);

impl FromStr for EngineOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pairs = text.split(';').filter(|pair| !pair.trim().is_empty());
        let pairs = pairs.map(|pair| match pair.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_string(), value.trim().to_string())),
            None => Err(format!("an option is Name=Value, not {:?}", excerpt(pair))),
        });
        pairs.collect::<Result<_, _>>().map(EngineOptions)
    }
}

/// How long to wait, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timeout(Duration);

impl FromStr for Timeout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds: Option<f64> = text.parse().ok();
        match seconds.filter(|seconds| (0.001..=86_400.0).contains(seconds)) {
            Some(seconds) => Ok(Timeout(Duration::from_secs_f64(seconds))),
            None => Err("a number of seconds, up to a day, is needed".to_string()),
        }
    }
}

/// A program of somebody else's, in a process of its own.
#[derive(Debug)]
pub struct Engine {
    settings: EngineSettings,
    process: Option<ChildProcess>,
}

impl Engine {
    /// The entry of `engine` in the registry of players.
    pub const KIND: PlayerKind = PlayerKind {
        name: "engine",
        about: "an external program that speaks the protocol of `krieg engine`",
        parameters: &[
            Parameter::required("cmd", "the command that starts it, as cmd=\"python3 bot.py\"")
                .as_command(),
            Parameter::new("options", "its options, as options=\"Depth=3;Style=bold\"", ""),
            Parameter::new("timeout", "seconds to wait for an answer, without a clock", "60"),
        ],
        make: |settings| {
            let engine = Engine::start(EngineSettings {
                program: settings.get("cmd")?,
                options: settings.get("options")?,
                timeout: settings.get("timeout")?,
            });
            Ok(Box::new(engine.map_err(SpecError::StartFailed)?))
        },
    };

    /// Starts the program, and waits until it is ready.
    pub fn start(settings: EngineSettings) -> Result<Self, PlayerError> {
        let mut engine = Engine { settings, process: None };
        engine.revive()?;
        Ok(engine)
    }

    fn revive(&mut self) -> Result<(), PlayerError> {
        if self.process.is_some() {
            return Ok(());
        }
        let program = &self.settings.program;
        let process = ChildProcess::start(program)
            .map_err(|error| PlayerError(format!("{program} does not start: {error}")))?;
        self.process = Some(process);
        const DOING: &str = "starting";
        self.tell("krieg", DOING)?;
        let asked = Instant::now();
        let mut known = Vec::new();
        loop {
            let line = self.hear_by(asked, READY, DOING)?;
            if let Some(option) = line.trim().strip_prefix("option name ") {
                known.push(option.split(" type ").next().unwrap_or_default().trim().to_string());
            }
            if line.trim() == "kriegok" {
                break;
            }
        }
        for (name, value) in self.settings.options.0.clone() {
            // A misspelt option would be passed over, and quite another player be measured.
            if !known.contains(&name) {
                let name = excerpt(&name);
                return Err(PlayerError(format!(
                    "{} has no option {name:?}",
                    self.settings.program
                )));
            }
            self.tell(&format!("setoption name {name} value {value}"), DOING)?;
        }
        self.ready(DOING)
    }

    fn ready(&mut self, doing: &str) -> Result<(), PlayerError> {
        self.tell("isready", doing)?;
        let asked = Instant::now();
        while self.hear_by(asked, READY, doing)?.trim() != "readyok" {}
        Ok(())
    }

    fn tell(&mut self, line: &str, doing: &str) -> Result<(), PlayerError> {
        let Some(process) = &self.process else { return Err(self.gone(doing)) };
        let told = process.send_line(line);
        told.map_err(|silence| self.fault(&silence, doing))
    }

    fn hear_by(
        &mut self,
        asked: Instant,
        allowed: Duration,
        doing: &str,
    ) -> Result<String, PlayerError> {
        let Some(process) = &self.process else { return Err(self.gone(doing)) };
        let heard = process.receive_line(asked, allowed);
        heard.map_err(|silence| self.fault(&silence, doing))
    }

    /// What is wrong; and away with the process, so that the next game finds a fresh one.
    fn fault(&mut self, silence: &ProcessError, doing: &str) -> PlayerError {
        self.process = None;
        PlayerError(format!("{}: {silence} while {doing}", self.settings.program))
    }

    fn gone(&self, doing: &str) -> PlayerError {
        PlayerError(format!("{}: it was gone while {doing}", self.settings.program))
    }

    fn answer(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        const DOING: &str = "thinking";
        let asked = Instant::now();
        let timeout = self.settings.timeout.0;
        let allowed = clock.max_turn_time(view.player()).map_or(timeout, |left| left + GRACE);
        // What it says before this is no answer to the question that follows.
        self.tell("isready", DOING)?;
        loop {
            let line = self.hear_by(asked, allowed, DOING)?;
            match line.split_whitespace().next() {
                Some("readyok") => break,
                Some("try" | "resign") => {
                    let program = &self.settings.program;
                    return Err(PlayerError(format!(
                        "{program} said {:?} unasked",
                        excerpt(&line)
                    )));
                }
                _ => {}
            }
        }
        self.tell(&write_go(clock, view), DOING)?;
        loop {
            let line = self.hear_by(asked, allowed, DOING)?;
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some("resign"), _) => return Ok(Choice::Resign),
                (Some("try"), word) => {
                    let word = word.unwrap_or_default();
                    return word.parse().map(Choice::Try).map_err(|_| {
                        let program = &self.settings.program;
                        PlayerError(format!("{program} tried {:?}, which is no try", excerpt(word)))
                    });
                }
                _ => {}
            }
        }
    }
}

impl Player for Engine {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        const DOING: &str = "beginning a game";
        self.revive().inspect_err(|_| self.process = None)?;
        let opening = seat.setup.start.opening(&seat.setup.ruleset, seat.setup.draws);
        self.tell(&write_newgame(seat), DOING)?;
        self.tell(
            &write_heard(&Observation { tried: None, announcement: opening, spent_ms: None }),
            DOING,
        )?;
        self.ready(DOING)
    }

    fn observe(&mut self, line: &Observation) -> Result<(), PlayerError> {
        self.tell(&write_heard(line), "hearing what was said")
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        self.answer(view, clock)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.quit("quit");
        }
    }
}
