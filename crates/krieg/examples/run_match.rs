//! A match that is stored in a folder and can be resumed: `cargo run --example run_match`.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use krieg_arena::{MatchRunner, ResultFolder, Tournament, report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| std::env::temp_dir().join("krieg-run-match"));
    let players = ["greedy(tablebases=no)", "random"].map(str::parse);
    let players = players.into_iter().collect::<Result<Vec<_>, _>>()?;
    let tournament = Tournament { games_per_pairing: 40, seed: 3, ..Tournament::new(players) };

    // Started a second time with the same folder, the match plays only the games that are missing.
    let results = ResultFolder::open(&folder)?;
    let runner = MatchRunner { concurrency: 2, ..MatchRunner::new(tournament) };
    let outcome = runner.play(Some(&results), &AtomicBool::new(false), |_| {})?;
    results.write_reports(|_| true, outcome.test.as_ref(), false)?;
    print!("{}", report::result_text(&outcome.scoreboard));
    println!("The games and the report are in {}.", folder.display());
    Ok(())
}
