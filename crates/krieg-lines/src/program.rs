//! Programs of others in processes of their own: how one is started, spoken to, and ended.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

use krieg_core::excerpt;
use thiserror::Error;

use crate::{Line, Lines};

/// A program and its arguments.
///
/// It is written as in a shell: words apart, quotes around what has spaces in it.
///
/// ```
/// use krieg_lines::Program;
/// let program: Program = "python3 'my bot.py' --fast".parse().unwrap();
/// assert_eq!(program.name, "python3");
/// assert_eq!(program.arguments, ["my bot.py", "--fast"]);
/// assert_eq!(program.to_string().parse(), Ok(program));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program's name, or the path to it.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Why a text is no command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoProgram {
    /// There is nothing in it.
    #[error("a command names a program")]
    Empty,
    /// A quote is opened and not closed.
    #[error("a quote is not closed")]
    OpenQuote,
}

impl FromStr for Program {
    type Err = NoProgram;

    fn from_str(text: &str) -> Result<Self, NoProgram> {
        let mut words = split(text)?.into_iter();
        let name = words.next().ok_or(NoProgram::Empty)?;
        Ok(Program { name, arguments: words.collect() })
    }
}

fn split(text: &str) -> Result<Vec<String>, NoProgram> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(NoProgram::OpenQuote) } else { Ok(words) }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(f, &self.name)?;
        self.arguments.iter().try_for_each(|argument| {
            f.write_str(" ")?;
            write_word(f, argument)
        })
    }
}

fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let is_plain =
        !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"".contains(c));
    match is_plain {
        true => f.write_str(word),
        // A single quote stands in double ones, between two parts in single ones.
        false => write!(f, "'{}'", word.replace('\'', "'\"'\"'")),
    }
}

/// Why a program is not heard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Silence {
    /// It has ended.
    #[error("it ended{}", quote(.last_words))]
    Ended {
        /// The end of what it wrote to standard error.
        last_words: String,
    },
    /// It did not answer in time.
    #[error("it did not answer")]
    Late,
}

fn quote(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("; its last words: {words:?}") }
}

/// Lines of a program that wait to be read. One that says more is made to wait.
const MOST_WAITING: usize = 4_096;
const LONGEST_LINE: usize = 100_000;
const LAST_WORDS: usize = 3;

/// A running program, and the threads that carry its lines. It is a stranger: it may die at any moment,
/// read nothing, or talk without end, and none of that holds us up. It ends when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// To the thread that writes: a program that does not read must not block us.
    input: mpsc::Sender<String>,
    lines: mpsc::Receiver<String>,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

impl Process {
    /// Starts a program; nothing is said to it yet.
    pub fn start(program: &Program) -> io::Result<Self> {
        let mut command = Command::new(&program.name);
        // A group of its own, so that a program behind a script ends with the script.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("no pipes"));
        };
        running().push(child.id());
        let (told, to_tell) = mpsc::channel::<String>();
        std::thread::spawn(move || {
            let mut input = BufWriter::new(input);
            for line in to_tell {
                if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        let (send, lines) = mpsc::sync_channel(MOST_WAITING);
        std::thread::spawn(move || {
            let mut output = Lines::new(output, LONGEST_LINE);
            while let Ok(Some(line)) = output.read() {
                if let Line::Text(text) = line
                    && send.send(text.to_string()).is_err()
                {
                    break;
                }
            }
        });
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let heard = last_words.clone();
        std::thread::spawn(move || {
            let mut errors = Lines::new(errors, LONGEST_LINE);
            while let Ok(Some(line)) = errors.read() {
                let (Line::Text(text), Ok(mut heard)) = (line, heard.lock()) else { continue };
                heard.push_back(excerpt(text));
                if heard.len() > LAST_WORDS {
                    heard.pop_front();
                }
            }
        });
        Ok(Process { child, input: told, lines, last_words })
    }

    /// Sends a line, given without its break.
    pub fn tell(&self, line: &str) -> Result<(), Silence> {
        self.input.send(line.to_string()).map_err(|_| self.ended())
    }

    /// The next line, if it comes before `allowed` has passed since `asked`.
    pub fn hear(&self, asked: Instant, allowed: Duration) -> Result<String, Silence> {
        // Whoever talks without end must not be listened to without end.
        let left = allowed.checked_sub(asked.elapsed()).ok_or(Silence::Late)?;
        self.lines.recv_timeout(left).map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => Silence::Late,
            mpsc::RecvTimeoutError::Disconnected => self.ended(),
        })
    }

    /// Passes over what it said unasked.
    pub fn skip_unasked(&self) {
        self.lines.try_iter().take(MOST_WAITING).for_each(drop);
    }

    /// Asks it to end by itself, and waits a moment for that.
    pub fn quit(&mut self, word: &str) {
        let asked = Instant::now();
        if self.tell(word).is_ok() {
            // Its output ends with it. Asking for its exit status would free its number, which the group still needs.
            while self.hear(asked, Duration::from_millis(100)).is_ok() {}
        }
    }

    fn ended(&self) -> Silence {
        // Its last words may still be on their way.
        std::thread::sleep(Duration::from_millis(20));
        let words = self.last_words.lock().unwrap_or_else(|broken| broken.into_inner());
        Silence::Ended { last_words: words.iter().cloned().collect::<Vec<_>>().join(" / ") }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        running().retain(|id| *id != self.child.id());
    }
}

/// Every program that runs, by its number, which is also that of its group.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Ends every program that was started here, at once: for whoever leaves without waiting for anything.
pub fn end_all() {
    running().iter().for_each(|id| end_group(*id));
}

/// Ends a program and whatever it has started. As long as nobody has asked for its exit status, the number is its own.
fn end_group(id: u32) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(id) {
        let group = nix::unistd::Pid::from_raw(id);
        // There may be nobody left.
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together() {
        let program: Program = r#"./bot "a b" c'd e' '' "it's""#.parse().unwrap();
        assert_eq!(program.arguments, ["a b", "cd e", "", "it's"]);
        assert_eq!(program.to_string().parse(), Ok(program));
        let both = Program { name: "bot".to_string(), arguments: vec![r#"'a' "b""#.to_string()] };
        assert_eq!(both.to_string().parse(), Ok(both));
        assert_eq!("  ".parse::<Program>(), Err(NoProgram::Empty));
        assert_eq!("bot 'half".parse::<Program>(), Err(NoProgram::OpenQuote));
    }

    #[test]
    fn a_program_that_dies_is_heard_out() {
        let program: Program = "sh -c 'echo one; echo why >&2; exit 3'".parse().unwrap();
        let process = Process::start(&program).unwrap();
        let (now, long) = (Instant::now(), Duration::from_secs(20));
        assert_eq!(process.hear(now, long), Ok("one".to_string()));
        let ended = Silence::Ended { last_words: "why".to_string() };
        assert_eq!(process.hear(now, long), Err(ended));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_has_started_ends_with_it() {
        let program: Program = "sh -c 'sleep 1000 & echo $!; wait'".parse().unwrap();
        let process = Process::start(&program).unwrap();
        let child = process.hear(Instant::now(), Duration::from_secs(20)).unwrap();
        drop(process);
        // It may take the system a moment.
        let is_gone = || {
            let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        };
        let waited = (0..2_000).find(|_| {
            std::thread::sleep(Duration::from_millis(5));
            is_gone()
        });
        assert!(waited.is_some());
    }

    #[test]
    fn a_program_that_says_nothing_is_late() {
        let process = Process::start(&"cat".parse().unwrap()).unwrap();
        let short = Duration::from_millis(30);
        assert_eq!(process.hear(Instant::now(), short), Err(Silence::Late));
        process.tell("echo").unwrap();
        assert_eq!(process.hear(Instant::now(), Duration::from_secs(20)), Ok("echo".to_string()));
    }
}
