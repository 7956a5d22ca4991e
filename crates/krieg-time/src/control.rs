//! Time controls and their text notation.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use krieg_core::excerpt;
use thiserror::Error;

/// A time control: the limit on thinking time that the players agree on before the game.
///
/// | text | meaning |
/// | --- | --- |
/// | `300` | sudden death: 300 seconds for the game |
/// | `300+5` | 300 seconds for the game, and an increment of 5 seconds after each move |
/// | `300d5` | 300 seconds for the game, and a delay: the first 5 seconds of each move are free |
/// | `40/5400` | 5400 seconds for every 40 moves; `40/5400+30` with an increment |
/// | `1/move` | one second for each move |
/// | `5000n` | 5000 nodes for each move, without a clock: results are reproducible |
/// | `none` | no limit |
///
/// Times are in seconds, with decimals; `100ms`, `5m` and `2h` are accepted too.
///
/// ```
/// use std::time::Duration;
/// use krieg_time::TimeControl;
/// let control: TimeControl = "3m+0.01".parse()?;
/// assert_eq!(
///     control,
///     TimeControl::Game { time: Duration::from_secs(180), increment: Duration::from_millis(10) }
/// );
/// assert_eq!(control.to_string(), "180+0.01");
/// assert!("40/".parse::<TimeControl>().is_err());
/// # Ok::<(), krieg_time::TimeControlError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeControl {
    /// A time for the whole game, and an increment after each move, which may be zero.
    Game {
        /// The time for the whole game.
        time: Duration,
        /// The increment after each move.
        increment: Duration,
    },
    /// A time for the whole game; in each move the clock starts after a delay.
    Delay {
        /// The time for the whole game.
        time: Duration,
        /// The delay in each move.
        delay: Duration,
    },
    /// A time for each period of a number of moves. Unused time is carried over.
    Period {
        /// The number of moves in a period, at least one.
        moves: u32,
        /// The time for each period.
        time: Duration,
        /// The increment after each move.
        increment: Duration,
    },
    /// A time for each move. Unused time is lost.
    Move(Duration),
    /// A number of search nodes for each move.
    Nodes(u64),
    /// No limit.
    Unlimited,
}

impl TimeControl {
    /// Whether a clock runs.
    pub fn is_timed(&self) -> bool {
        !matches!(self, TimeControl::Nodes(_) | TimeControl::Unlimited)
    }
}

/// The text is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a time control: write 300, 300+5, 300d5, 40/5400, 1/move, 5000n or none")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        read(text.trim()).ok_or_else(|| TimeControlError(excerpt(text)))
    }
}

fn read(text: &str) -> Option<TimeControl> {
    if text == "none" {
        return Some(TimeControl::Unlimited);
    }
    if let Some(time) = text.strip_suffix("/move") {
        return Some(TimeControl::Move(positive(time)?));
    }
    if let Some(nodes) = text.strip_suffix('n') {
        let nodes: u64 = nodes.parse().ok()?;
        return (nodes > 0).then_some(TimeControl::Nodes(nodes));
    }
    if let Some((moves, rest)) = text.split_once('/') {
        let moves: u32 = moves.parse().ok()?;
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let control =
            TimeControl::Period { moves, time: positive(time)?, increment: seconds(increment)? };
        return (moves > 0).then_some(control);
    }
    if let Some((time, delay)) = text.split_once('d') {
        return Some(TimeControl::Delay { time: positive(time)?, delay: seconds(delay)? });
    }
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(TimeControl::Game { time: positive(time)?, increment: seconds(increment)? })
}

fn positive(text: &str) -> Option<Duration> {
    seconds(text).filter(|time| !time.is_zero())
}

fn seconds(text: &str) -> Option<Duration> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0)];
    let (number, unit) = units
        .into_iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))
        .unwrap_or((text, 1.0));
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let seconds = number.parse::<f64>().ok()? * unit;
    // A time above 30 days is taken for a mistake.
    (seconds <= 2_592_000.0).then(|| Duration::from_micros((seconds * 1e6).round() as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write_increment =
            |f: &mut fmt::Formatter<'_>, increment: &Duration| match increment.is_zero() {
                true => Ok(()),
                false => write!(f, "+{}", increment.as_secs_f64()),
            };
        match self {
            TimeControl::Game { time, increment } => {
                write!(f, "{}", time.as_secs_f64())?;
                write_increment(f, increment)
            }
            TimeControl::Delay { time, delay } => {
                write!(f, "{}d{}", time.as_secs_f64(), delay.as_secs_f64())
            }
            TimeControl::Period { moves, time, increment } => {
                write!(f, "{moves}/{}", time.as_secs_f64())?;
                write_increment(f, increment)
            }
            TimeControl::Move(time) => write!(f, "{}/move", time.as_secs_f64()),
            TimeControl::Nodes(nodes) => write!(f, "{nodes}n"),
            TimeControl::Unlimited => f.write_str("none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in
            ["300", "300+5", "0.1+0.01", "300d5", "40/5400", "40/60+1", "0.1/move", "9n", "none"]
        {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        assert_eq!("100ms/move".parse(), Ok(TimeControl::Move(Duration::from_millis(100))));
    }

    #[test]
    fn invalid_text_is_rejected() {
        for text in [
            "",
            "+",
            "0",
            "-5",
            "5+",
            "d",
            "/",
            "0/60",
            "x/move",
            "0n",
            "1e9",
            "inf",
            "NaN",
            "5+-1",
            "999999999h",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
