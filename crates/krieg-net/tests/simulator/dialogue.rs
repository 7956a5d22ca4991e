//! The simulator's program `dialogue`: one reply for each request.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

/// A running program.
pub struct Dialogue {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Dialogue {
    pub fn start(program: &str) -> Self {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let requests = child.stdin.take().expect("the input is a pipe");
        let replies = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        Dialogue { child, requests, replies }
    }

    /// Sends all requests and returns their replies. The requests are written while the replies
    /// are read, so that neither pipe fills up.
    pub fn ask(&mut self, requests: &[&str]) -> Vec<String> {
        let mut text = requests.join("\n");
        text.push('\n');
        let Dialogue { requests: input, replies, .. } = self;
        thread::scope(|scope| {
            scope.spawn(|| input.write_all(text.as_bytes()).expect("the program reads requests"));
            let mut lines = replies.lines().take(requests.len());
            let lines: Vec<String> =
                lines.by_ref().map(|line| line.expect("the program replies in lines")).collect();
            assert_eq!(lines.len(), requests.len(), "the program stopped before its last reply");
            lines
        })
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
