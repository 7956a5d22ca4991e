//! Tests of the UCI client with engines that misbehave: each failure is detected in time and
//! reported, and the engine is restarted.

use std::time::{Duration, Instant};

use krieg_chess::uci::{Client, EngineCommand, EngineError, Go, Timeouts};
use krieg_core::{Move, Position};
use krieg_io::Program;

/// An engine made of a few lines of shell. `on_go` is its reaction to `go`.
fn engine(on_go: &str) -> EngineCommand {
    let script = format!(
        "while read line; do case $line in \
           uci) echo id name Shell; echo uciok;; \
           isready) echo readyok;; \
           quit) exit;; \
           go*) {on_go};; \
         esac; done"
    );
    let arguments = vec!["-c".to_string(), script];
    let program = Program { name: "sh".to_string(), arguments };
    EngineCommand { program, options: vec![] }
}

fn short_timeouts() -> Timeouts {
    Timeouts {
        grace: Duration::from_millis(300),
        untimed: Duration::from_millis(300),
        ..Timeouts::default()
    }
}

fn best_move(client: &mut Client) -> Result<Option<Move>, EngineError> {
    client.go(&Position::start(), &[], &Go::Depth(1)).map(|result| result.best_move)
}

fn e2e4() -> Option<Move> {
    Some("e2e4".parse().unwrap())
}

#[test]
fn an_answer_is_parsed() {
    let on_go = "echo info depth 7 nodes 1234 score cp -15 pv e2e4; \
                 echo info string score cp 900; echo bestmove e2e4 ponder e7e5";
    let mut client = Client::start(engine(on_go), Timeouts::default()).unwrap();
    assert_eq!(client.name(), "Shell");
    let result = client.go(&Position::start(), &[], &Go::Depth(7)).unwrap();
    assert_eq!(result.best_move, e2e4());
    assert_eq!(result.score.unwrap().to_string(), "cp -15");
    assert_eq!((result.depth, result.nodes), (7, 1234));
    assert_eq!(client.restarts(), 0);
}

#[test]
fn an_engine_that_hangs_is_restarted() {
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("marker");
    // The first time it never answers; the second time it does.
    let on_go = format!(
        "if test -e {0}; then echo bestmove e2e4; else touch {0}; sleep 1000; fi",
        marker.display()
    );
    let mut client = Client::start(engine(&on_go), short_timeouts()).unwrap();
    assert!(matches!(best_move(&mut client), Err(EngineError::TimedOut { .. })));
    assert_eq!(client.restarts(), 1);
    assert_eq!(best_move(&mut client), Ok(e2e4()));
}

#[test]
fn an_engine_that_crashes_is_reported_and_restarted() {
    let mut client =
        Client::start(engine("echo out of cheese >&2; exit 3"), short_timeouts()).unwrap();
    for restarts in 1..=2 {
        let error = best_move(&mut client).unwrap_err();
        assert!(matches!(error, EngineError::Crashed { .. }), "{error}");
        assert!(error.to_string().contains("out of cheese"), "{error}");
        assert_eq!(client.restarts(), restarts);
    }
}

#[test]
fn endless_output_without_an_answer_is_a_timeout() {
    let mut client =
        Client::start(engine("while :; do echo info depth 1; done"), short_timeouts()).unwrap();
    assert!(matches!(best_move(&mut client), Err(EngineError::TimedOut { .. })));
}

#[test]
fn an_illegal_move_is_an_error() {
    for answer in ["e2e5", "banana", ""] {
        let mut client =
            Client::start(engine(&format!("echo bestmove {answer}")), short_timeouts()).unwrap();
        assert!(matches!(best_move(&mut client), Err(EngineError::IllegalMove { .. })), "{answer}");
    }
}

#[test]
fn an_invalid_request_does_not_restart_the_engine() {
    let mut client = Client::start(engine("echo bestmove e2e4"), short_timeouts()).unwrap();
    let moves = ["e2e5".parse().unwrap()];
    let error = client.go(&Position::start(), &moves, &Go::Depth(1)).unwrap_err();
    assert!(matches!(error, EngineError::InvalidRequest(_)), "{error}");
    assert_eq!(client.restarts(), 0);
}

#[test]
fn an_unknown_option_is_an_error() {
    let mut command = engine("echo bestmove e2e4");
    command.options.push(("UCI_LimitStrenght".to_string(), "true".to_string()));
    let error = Client::start(command, short_timeouts()).unwrap_err();
    assert!(error.to_string().contains("Shell has no option \"UCI_LimitStrenght\""), "{error}");
}

#[test]
fn child_processes_of_an_engine_are_killed_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let heartbeat = folder.path().join("heartbeat");
    // A child of the script that writes as long as it runs.
    let on_go =
        format!("(while :; do date +%s%N > {}; sleep 0.01; done) & wait", heartbeat.display());
    let mut client = Client::start(engine(&on_go), short_timeouts()).unwrap();
    assert!(matches!(best_move(&mut client), Err(EngineError::TimedOut { .. })));
    drop(client);
    // The kill needs a moment to take effect. The deadline is far longer, for busy machines.
    let deadline = Instant::now() + Duration::from_secs(30);
    let read = || std::fs::read_to_string(&heartbeat).unwrap();
    loop {
        let last = read();
        // Thirty heartbeats of a child that is still alive.
        std::thread::sleep(Duration::from_millis(300));
        if read() == last {
            break;
        }
        assert!(Instant::now() < deadline, "the child process is still running");
    }
}

#[test]
fn a_program_that_is_not_an_engine_is_not_started() {
    let missing = "no-such-engine-anywhere".parse().unwrap();
    assert!(matches!(
        Client::start(missing, short_timeouts()),
        Err(EngineError::NotStarted { .. })
    ));
    let deadlines = Timeouts { ready: Duration::from_millis(200), ..short_timeouts() };
    // It starts, but neither reads nor writes, so the test waits for the whole timeout.
    let silent = "sleep 1000".parse().unwrap();
    assert!(matches!(Client::start(silent, deadlines), Err(EngineError::TimedOut { .. })));
    let exits = "true".parse().unwrap();
    assert!(matches!(Client::start(exits, deadlines), Err(EngineError::Crashed { .. })));
}

#[test]
fn an_engine_that_does_not_read_does_not_block_the_client() {
    // It writes all expected answers at once and then sleeps. A long game fills its input pipe.
    let script = "echo uciok; echo readyok; sleep 1000".to_string();
    let program = Program { name: "sh".to_string(), arguments: vec!["-c".to_string(), script] };
    let command = EngineCommand { program, options: vec![] };
    let mut client = Client::start(command, short_timeouts()).unwrap();
    let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse::<Move>().unwrap());
    let moves: Vec<Move> = there_and_back.into_iter().cycle().take(40_000).collect();
    let error = client.go(&Position::start(), &moves, &Go::Depth(1)).unwrap_err();
    assert!(matches!(error, EngineError::TimedOut { .. }), "{error}");
}
