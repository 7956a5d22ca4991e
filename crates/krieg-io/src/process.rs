//! External programs: starting one, exchanging lines with it under a timeout, and ending it.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

use krieg_core::excerpt;
use thiserror::Error;

use crate::{InputLine, LineReader, Program};

/// Why no line could be exchanged with a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProcessError {
    /// The program has exited or closed its output.
    #[error("it exited{}", quote(.stderr_tail))]
    Exited {
        /// The last lines that the program wrote to standard error.
        stderr_tail: String,
    },
    /// The program did not send a line in time.
    #[error("it did not answer in time")]
    TimedOut,
}

fn quote(stderr_tail: &str) -> String {
    if stderr_tail.is_empty() {
        String::new()
    } else {
        format!("; its last error output: {stderr_tail:?}")
    }
}

/// Maximum number of unread output lines. When it is reached, the program's next write blocks.
const MAX_PENDING_LINES: usize = 4_096;

/// Maximum length of an output line in bytes; longer lines are dropped.
const MAX_LINE_BYTES: usize = 100_000;

/// Number of lines of standard error that are kept for error messages.
const STDERR_TAIL_LINES: usize = 3;

/// Time to wait for the last lines of standard error after the output has ended.
const STDERR_DELAY: Duration = Duration::from_millis(20);

/// Time that a program has to end by itself after it was asked to quit.
const QUIT_TIMEOUT: Duration = Duration::from_millis(100);

/// A running external program, with the threads that carry its input and output lines.
///
/// The program is not trusted: it may exit at any moment, never read its input, or write without
/// end, and none of that blocks the caller. Dropping the value kills the program and every process
/// it has started.
///
/// ```
/// use krieg_io::{ChildProcess, Program};
/// use std::time::{Duration, Instant};
/// let program: Program = "cat".parse()?;
/// let process = ChildProcess::start(&program)?;
/// process.send_line("hello")?;
/// let line = process.receive_line(Instant::now(), Duration::from_secs(20))?;
/// assert_eq!(line, "hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChildProcess {
    child: Child,
    /// Leads to the writer thread, so that a program that does not read cannot block the caller.
    input: mpsc::Sender<String>,
    output: mpsc::Receiver<String>,
    stderr_tail: Arc<Mutex<VecDeque<String>>>,
}

impl ChildProcess {
    /// Starts a program; nothing is sent to it yet.
    pub fn start(program: &Program) -> io::Result<Self> {
        let mut command = Command::new(&program.name);
        // The program gets its own process group, so that a program started by a wrapper script is
        // killed together with the script.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("no pipes"));
        };
        running_groups().push(child.id());
        let (input, lines_to_send) = mpsc::channel::<String>();
        std::thread::spawn(move || {
            let mut stdin = BufWriter::new(stdin);
            for line in lines_to_send {
                if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (send, output) = mpsc::sync_channel(MAX_PENDING_LINES);
        std::thread::spawn(move || {
            let mut stdout = LineReader::new(stdout, MAX_LINE_BYTES);
            while let Ok(Some(line)) = stdout.read() {
                if let InputLine::Text(text) = line
                    && send.send(text.to_string()).is_err()
                {
                    break;
                }
            }
        });
        let stderr_tail = Arc::new(Mutex::new(VecDeque::new()));
        let tail = stderr_tail.clone();
        std::thread::spawn(move || {
            let mut stderr = LineReader::new(stderr, MAX_LINE_BYTES);
            while let Ok(Some(line)) = stderr.read() {
                let (InputLine::Text(text), Ok(mut tail)) = (line, tail.lock()) else { continue };
                tail.push_back(excerpt(text));
                if tail.len() > STDERR_TAIL_LINES {
                    tail.pop_front();
                }
            }
        });
        Ok(ChildProcess { child, input, output, stderr_tail })
    }

    /// Sends a line, given without its line break.
    pub fn send_line(&self, line: &str) -> Result<(), ProcessError> {
        self.input.send(line.to_string()).map_err(|_| self.exited())
    }

    /// Receives the next line, if it arrives before `timeout` has passed since `start`.
    pub fn receive_line(&self, start: Instant, timeout: Duration) -> Result<String, ProcessError> {
        // The deadline is checked first, so that a program that writes without end cannot keep the
        // caller reading past it.
        let left = timeout.checked_sub(start.elapsed()).ok_or(ProcessError::TimedOut)?;
        self.output.recv_timeout(left).map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => ProcessError::TimedOut,
            mpsc::RecvTimeoutError::Disconnected => self.exited(),
        })
    }

    /// Discards the lines that have arrived and were not read.
    pub fn discard_pending_lines(&self) {
        self.output.try_iter().take(MAX_PENDING_LINES).for_each(drop);
    }

    /// Sends the line that asks the program to quit, and waits a moment for it to exit by itself.
    pub fn quit(&mut self, line: &str) {
        let start = Instant::now();
        if self.send_line(line).is_ok() {
            // The output ends when the program exits. Waiting for the exit status instead would
            // release the process id, which is also the id of the group that is killed later.
            while self.receive_line(start, QUIT_TIMEOUT).is_ok() {}
        }
    }

    fn exited(&self) -> ProcessError {
        // The last lines of standard error may not have arrived yet.
        std::thread::sleep(STDERR_DELAY);
        let tail = self.stderr_tail.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let stderr_tail = tail.iter().cloned().collect::<Vec<_>>().join(" / ");
        ProcessError::Exited { stderr_tail }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        running_groups().retain(|id| *id != self.child.id());
    }
}

/// Process ids of all running programs. Each is also the id of the program's process group.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running_groups() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Kills every program started by this process, for an immediate exit that runs no destructors.
pub fn kill_all() {
    running_groups().iter().for_each(|id| kill_group(*id));
}

/// Kills a program and every process in its group. The id cannot have been reused as long as the
/// exit status has not been read.
fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(id) {
        let group = nix::unistd::Pid::from_raw(id);
        // Fails if no process of the group is left.
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_before_exit_is_received() {
        let program: Program = "sh -c 'echo one; echo why >&2; exit 3'".parse().unwrap();
        let process = ChildProcess::start(&program).unwrap();
        let (now, long) = (Instant::now(), Duration::from_secs(20));
        assert_eq!(process.receive_line(now, long), Ok("one".to_string()));
        let exited = ProcessError::Exited { stderr_tail: "why".to_string() };
        assert_eq!(process.receive_line(now, long), Err(exited));
    }

    #[cfg(unix)]
    #[test]
    fn grandchildren_are_killed_with_the_program() {
        let program: Program = "sh -c 'sleep 1000 & echo $!; wait'".parse().unwrap();
        let process = ChildProcess::start(&program).unwrap();
        let child = process.receive_line(Instant::now(), Duration::from_secs(20)).unwrap();
        drop(process);
        // The system may need a moment; the deadline of ten seconds is generous.
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
    fn silent_program_times_out() {
        let process = ChildProcess::start(&"cat".parse().unwrap()).unwrap();
        let short = Duration::from_millis(30);
        assert_eq!(process.receive_line(Instant::now(), short), Err(ProcessError::TimedOut));
        process.send_line("echo").unwrap();
        let long = Duration::from_secs(20);
        assert_eq!(process.receive_line(Instant::now(), long), Ok("echo".to_string()));
    }
}
