//! A player that is an external program.
//!
//! Every wait for the program has a deadline. If it exits, hangs, or replies with something that is
//! not a try, it loses the game and is restarted for the next one.

use std::str::FromStr;
use std::time::{Duration, Instant};

use krieg_core::{Observation, View, excerpt};
use krieg_io::{ChildProcess, ProcessError, Program};
use krieg_time::Clock;

use super::messages::{write_go, write_heard, write_newgame};
use crate::{Choice, Parameter, Player, PlayerError, PlayerKind, Seat, SpecError};

/// Time for a program to start, or to reply `readyok`.
const READY_TIMEOUT: Duration = Duration::from_secs(10);
/// Time after its flag has fallen in which a program may still reply.
const FLAG_GRACE: Duration = Duration::from_millis(500);

/// The settings of an external program.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// The program.
    pub program: Program,
    /// Its options, which are set each time it starts.
    pub options: EngineOptions,
    /// How long to wait for an answer, without a clock.
    pub timeout: Timeout,
}

/// Options of a program, written `Depth=3;Style=bold`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineOptions(Vec<(String, String)>);

impl FromStr for EngineOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pairs = text.split(';').filter(|pair| !pair.trim().is_empty());
        let pairs = pairs.map(|pair| match pair.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_string(), value.trim().to_string())),
            None => Err(format!("write an option as Name=Value, not {:?}", excerpt(pair))),
        });
        pairs.collect::<Result<_, _>>().map(EngineOptions)
    }
}

/// A timeout, written in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timeout(Duration);

impl FromStr for Timeout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds: Option<f64> = text.parse().ok();
        match seconds.filter(|seconds| (0.001..=86_400.0).contains(seconds)) {
            Some(seconds) => Ok(Timeout(Duration::from_secs_f64(seconds))),
            None => Err("it must be a number of seconds, at most a day".to_string()),
        }
    }
}

/// A player that is an external program, in its own process.
///
/// ```no_run
/// use krieg_players::PlayerSpec;
/// let spec: PlayerSpec = r#"engine(cmd="python3 examples/bot.py",timeout=5)"#.parse()?;
/// let player = spec.make()?;
/// # let _ = player;
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
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

    /// Starts the program and waits until it is ready.
    pub fn start(settings: EngineSettings) -> Result<Self, PlayerError> {
        let mut engine = Engine { settings, process: None };
        engine.ensure_started()?;
        Ok(engine)
    }

    /// Starts the program, unless it is running.
    fn ensure_started(&mut self) -> Result<(), PlayerError> {
        if self.process.is_some() {
            return Ok(());
        }
        let program = &self.settings.program;
        let process = ChildProcess::start(program)
            .map_err(|error| PlayerError(format!("{program} does not start: {error}")))?;
        self.process = Some(process);
        const ACTIVITY: &str = "starting";
        self.send("krieg", ACTIVITY)?;
        let start = Instant::now();
        let mut known = Vec::new();
        loop {
            let line = self.receive(start, READY_TIMEOUT, ACTIVITY)?;
            if let Some(option) = line.trim().strip_prefix("option name ") {
                known.push(option.split(" type ").next().unwrap_or_default().trim().to_string());
            }
            if line.trim() == "kriegok" {
                break;
            }
        }
        for (name, value) in self.settings.options.0.clone() {
            // Most programs ignore unknown options, and then a match would measure another player.
            if !known.contains(&name) {
                let name = excerpt(&name);
                return Err(PlayerError(format!(
                    "{} has no option {name:?}",
                    self.settings.program
                )));
            }
            self.send(&format!("setoption name {name} value {value}"), ACTIVITY)?;
        }
        self.wait_until_ready(ACTIVITY)
    }

    fn wait_until_ready(&mut self, activity: &str) -> Result<(), PlayerError> {
        self.send("isready", activity)?;
        let start = Instant::now();
        while self.receive(start, READY_TIMEOUT, activity)?.trim() != "readyok" {}
        Ok(())
    }

    fn send(&mut self, line: &str, activity: &str) -> Result<(), PlayerError> {
        let Some(process) = &self.process else { return Err(self.not_running(activity)) };
        let sent = process.send_line(line);
        sent.map_err(|error| self.process_error(&error, activity))
    }

    /// The next line, within `timeout` after `start`.
    fn receive(
        &mut self,
        start: Instant,
        timeout: Duration,
        activity: &str,
    ) -> Result<String, PlayerError> {
        let Some(process) = &self.process else { return Err(self.not_running(activity)) };
        let received = process.receive_line(start, timeout);
        received.map_err(|error| self.process_error(&error, activity))
    }

    /// The error that the process failed. Drops the process, so that the next game starts a new
    /// one.
    fn process_error(&mut self, error: &ProcessError, activity: &str) -> PlayerError {
        self.process = None;
        PlayerError(format!("{}: {error} while {activity}", self.settings.program))
    }

    fn not_running(&self, activity: &str) -> PlayerError {
        PlayerError(format!("{}: it was not running while {activity}", self.settings.program))
    }

    fn ask_for_try(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        const ACTIVITY: &str = "thinking";
        let start = Instant::now();
        let timeout = self.settings.timeout.0;
        let timeout = clock.max_turn_time(view.player()).map_or(timeout, |left| left + FLAG_GRACE);
        // A try that arrives before `readyok` was sent before it was asked for.
        self.send("isready", ACTIVITY)?;
        loop {
            let line = self.receive(start, timeout, ACTIVITY)?;
            match line.split_whitespace().next() {
                Some("readyok") => break,
                Some("try" | "resign") => {
                    let program = &self.settings.program;
                    return Err(PlayerError(format!(
                        "{program} sent {:?} before it was asked",
                        excerpt(&line)
                    )));
                }
                _ => {}
            }
        }
        self.send(&write_go(clock, view), ACTIVITY)?;
        loop {
            let line = self.receive(start, timeout, ACTIVITY)?;
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some("resign"), _) => return Ok(Choice::Resign),
                (Some("try"), word) => {
                    let word = word.unwrap_or_default();
                    return word.parse().map(Choice::Try).map_err(|_| {
                        let program = &self.settings.program;
                        PlayerError(format!(
                            "{program} sent {:?}, which is not a try",
                            excerpt(&line)
                        ))
                    });
                }
                _ => {}
            }
        }
    }
}

impl Player for Engine {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        const ACTIVITY: &str = "beginning a game";
        self.ensure_started().inspect_err(|_| self.process = None)?;
        let opening = seat.setup.start.opening(&seat.setup.ruleset, seat.setup.draws);
        self.send(&write_newgame(seat), ACTIVITY)?;
        self.send(
            &write_heard(&Observation { tried: None, announcement: opening, spent_ms: None }),
            ACTIVITY,
        )?;
        self.wait_until_ready(ACTIVITY)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.send(&write_heard(observation), "receiving an observation")
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        self.ask_for_try(view, clock)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.quit("quit");
        }
    }
}
