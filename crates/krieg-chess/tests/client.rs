//! Engines that misbehave: every one is found out in time, reported, and started anew.

use std::time::Duration;

use krieg_chess::uci::{Client, EngineCommand, EngineError, Go, Timeouts};
use krieg_core::{Move, Position};
use krieg_io::Program;

/// An engine made of a few lines of shell. `on_go` is what it does when it is asked.
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

fn impatient() -> Timeouts {
    Timeouts {
        grace: Duration::from_millis(300),
        untimed: Duration::from_millis(300),
        ..Timeouts::default()
    }
}

fn ask(client: &mut Client) -> Result<Option<Move>, EngineError> {
    client.go(&Position::start(), &[], &Go::Depth(1)).map(|answer| answer.best_move)
}

fn e2e4() -> Option<Move> {
    Some("e2e4".parse().unwrap())
}

#[test]
fn an_answer_is_understood() {
    let on_go = "echo info depth 7 nodes 1234 score cp -15 pv e2e4; \
                 echo info string score cp 900; echo bestmove e2e4 ponder e7e5";
    let mut client = Client::start(engine(on_go), Timeouts::default()).unwrap();
    assert_eq!(client.name(), "Shell");
    let answer = client.go(&Position::start(), &[], &Go::Depth(7)).unwrap();
    assert_eq!(answer.best_move, e2e4());
    assert_eq!(answer.score.unwrap().to_string(), "cp -15");
    assert_eq!((answer.depth, answer.nodes), (7, 1234));
    assert_eq!(client.restarts(), 0);
}

#[test]
fn who_hangs_once_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let been_here = folder.path().join("been-here");
    // The first time it never answers; the second time it does.
    let on_go = format!(
        "if test -e {0}; then echo bestmove e2e4; else touch {0}; sleep 1000; fi",
        been_here.display()
    );
    let mut client = Client::start(engine(&on_go), impatient()).unwrap();
    assert!(matches!(ask(&mut client), Err(EngineError::TimedOut { .. })));
    assert_eq!(client.restarts(), 1);
    assert_eq!(ask(&mut client), Ok(e2e4()));
}

#[test]
fn who_crashes_is_quoted_and_started_anew() {
    let mut client = Client::start(engine("echo out of cheese >&2; exit 3"), impatient()).unwrap();
    for times in 1..=2 {
        let failure = ask(&mut client).unwrap_err();
        assert!(matches!(failure, EngineError::Crashed { .. }), "{failure}");
        assert!(failure.to_string().contains("out of cheese"), "{failure}");
        assert_eq!(client.restarts(), times);
    }
}

#[test]
fn who_talks_without_end_does_not_answer() {
    let mut client =
        Client::start(engine("while :; do echo info depth 1; done"), impatient()).unwrap();
    assert!(matches!(ask(&mut client), Err(EngineError::TimedOut { .. })));
}

#[test]
fn an_illegal_answer_is_none() {
    for answer in ["e2e5", "banana", ""] {
        let mut client =
            Client::start(engine(&format!("echo bestmove {answer}")), impatient()).unwrap();
        assert!(matches!(ask(&mut client), Err(EngineError::IllegalMove { .. })), "{answer}");
    }
}

#[test]
fn a_senseless_question_is_not_the_engines_fault() {
    let mut client = Client::start(engine("echo bestmove e2e4"), impatient()).unwrap();
    let moves = ["e2e5".parse().unwrap()];
    let failure = client.go(&Position::start(), &moves, &Go::Depth(1)).unwrap_err();
    assert!(matches!(failure, EngineError::InvalidRequest(_)), "{failure}");
    assert_eq!(client.restarts(), 0);
}

#[test]
fn a_misspelt_option_is_not_passed_over() {
    let mut command = engine("echo bestmove e2e4");
    command.options.push(("UCI_LimitStrenght".to_string(), "true".to_string()));
    let failure = Client::start(command, impatient()).unwrap_err();
    assert!(failure.to_string().contains("Shell has no option \"UCI_LimitStrenght\""), "{failure}");
}

#[test]
fn an_engine_behind_a_script_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let heart = folder.path().join("heart");
    // A child of the script that writes for as long as it lives.
    let on_go = format!("(while :; do date +%s%N > {}; sleep 0.01; done) & wait", heart.display());
    let mut client = Client::start(engine(&on_go), impatient()).unwrap();
    assert!(matches!(ask(&mut client), Err(EngineError::TimedOut { .. })));
    drop(client);
    let beat = || std::fs::read_to_string(&heart).unwrap();
    let last = beat();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(beat(), last);
}

#[test]
fn who_is_no_engine_is_not_started() {
    let missing = "no-such-engine-anywhere".parse().unwrap();
    assert!(matches!(Client::start(missing, impatient()), Err(EngineError::NotStarted { .. })));
    let deadlines = Timeouts { ready: Duration::from_millis(200), ..impatient() };
    // It starts, but neither reads nor says anything.
    let silent = "sleep 1000".parse().unwrap();
    assert!(matches!(Client::start(silent, deadlines), Err(EngineError::TimedOut { .. })));
    let over = "true".parse().unwrap();
    assert!(matches!(Client::start(over, deadlines), Err(EngineError::Crashed { .. })));
}

#[test]
fn an_engine_that_does_not_read_blocks_nobody() {
    // It says all the right words at once and then sleeps; a long game fills its pipe.
    let script = "echo uciok; echo readyok; sleep 1000".to_string();
    let program = Program { name: "sh".to_string(), arguments: vec!["-c".to_string(), script] };
    let command = EngineCommand { program, options: vec![] };
    let mut client = Client::start(command, impatient()).unwrap();
    let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse::<Move>().unwrap());
    let moves: Vec<Move> = there_and_back.into_iter().cycle().take(40_000).collect();
    let failure = client.go(&Position::start(), &moves, &Go::Depth(1)).unwrap_err();
    assert!(matches!(failure, EngineError::TimedOut { .. }), "{failure}");
}
