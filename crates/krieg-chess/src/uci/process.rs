//! An engine's process: how it is started, the threads that carry its lines, and its end.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::{Arc, Mutex, mpsc};

use krieg_core::excerpt;
use krieg_lines::{Line, Lines};
use thiserror::Error;

/// How to start an engine: a program, its arguments, and options to set.
///
/// ```
/// use krieg_chess::uci::EngineCommand;
/// let command: EngineCommand = "gnuchess -u".parse().unwrap();
/// assert_eq!(command.program, "gnuchess");
/// assert_eq!(command.arguments, ["-u"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// UCI options, set each time it starts.
    pub options: Vec<(String, String)>,
}

impl FromStr for EngineCommand {
    type Err = NoProgram;

    fn from_str(text: &str) -> Result<Self, NoProgram> {
        let mut words = text.split_whitespace().map(str::to_string);
        let program = words.next().ok_or(NoProgram)?;
        Ok(EngineCommand { program, arguments: words.collect(), options: Vec::new() })
    }
}

/// An empty command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a command names a program")]
pub struct NoProgram;

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// Lines of an engine that wait to be read. An engine that says more is made to wait.
pub(super) const MOST_WAITING: usize = 4_096;
const LONGEST_LINE: usize = 100_000;
const LAST_WORDS: usize = 3;

/// A running engine, and the threads that carry its lines.
#[derive(Debug)]
pub(super) struct Process {
    pub child: Child,
    /// To the thread that writes: an engine that does not read must not block us.
    pub input: mpsc::Sender<String>,
    pub lines: mpsc::Receiver<String>,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

impl Process {
    /// Starts a program; nothing is said to it yet.
    pub fn start(engine: &EngineCommand) -> io::Result<Self> {
        let mut command = Command::new(&engine.program);
        // A group of its own, so that an engine behind a script ends with the script.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(&engine.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("no pipes"));
        };
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

    /// The end of what it wrote to standard error.
    pub fn last_words(&self) -> String {
        let words = self.last_words.lock().unwrap_or_else(|broken| broken.into_inner());
        words.iter().cloned().collect::<Vec<_>>().join(" / ")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            let group = format!("-{}", self.child.id());
            let _ =
                Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
