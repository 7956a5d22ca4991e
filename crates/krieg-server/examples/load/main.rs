//! A load test: starts a server, plays hundreds of games at once over real sockets, kills the
//! server in the middle, and checks every game.
//!
//! ```text
//! cargo build --release -p krieg
//! cargo run --release -p krieg-server --example load -- --games 500 --seconds 20
//! ```
//!
//! It starts `krieg serve` on a free port of this machine. Two guests play each game with random
//! sensible tries, at a fixed rate. Half-way it kills the server (`kill -9`), starts it again, and
//! compares what the server sends to each player with what the player knew before. The test fails
//! if anything is different, or if a game does not continue.

mod check;
mod client_pool;
mod game_client;
mod guests;
mod http;
mod measurements;
mod player_client;
mod report;
mod server;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;

use client_pool::ClientPool;
use guests::Guests;
use report::Report;
use server::ServerProcess;

/// Plays many games at once on a new server, kills it half-way, and checks that no game is lost
#[derive(Debug, Parser)]
struct Options {
    /// The program to test
    #[arg(long, value_name = "PATH", default_value = "target/release/krieg")]
    krieg: PathBuf,
    /// The data folder of the server; by default a temporary folder
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The number of games that are played at once
    #[arg(long, value_name = "N", default_value_t = 500,
        value_parser = clap::value_parser!(u32).range(1..=5_000))]
    games: u32,
    /// The number of additional games without connections and without moves
    #[arg(long, value_name = "N", default_value_t = 2_000,
        value_parser = clap::value_parser!(u32).range(0..=50_000))]
    idle: u32,
    /// How long to play
    #[arg(long, value_name = "S", default_value_t = 20,
        value_parser = clap::value_parser!(u64).range(1..=300))]
    seconds: u64,
    /// The number of tries per second in all games together; 0 is as many as possible
    #[arg(long, value_name = "N", default_value_t = 2_500)]
    rate: u32,
    /// The seed of the random tries
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Kill the server half-way (the default)
    #[arg(long, overrides_with = "no_kill")]
    kill: bool,
    /// Do not kill the server
    #[arg(long, overrides_with = "kill")]
    no_kill: bool,
    /// Print the report as one line of JSON
    #[arg(long)]
    json: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let result = tokio::select! {
        result = run(&options) => result,
        () = interrupted() => Err(anyhow::anyhow!("interrupted")),
    };
    match result {
        Ok(report) => {
            if options.json {
                println!("{}", report.json());
            } else {
                print!("{}", report.text());
            }
            if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Waits for an interrupt. Returning from `main` then kills the server, which is a child process.
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        },
        Err(_) => drop(tokio::signal::ctrl_c().await),
    }
}

/// Runs the whole test.
async fn run(options: &Options) -> Result<Report> {
    let temporary = tempfile::tempdir().context("cannot create a temporary folder")?;
    let data = options.data.clone().unwrap_or_else(|| temporary.path().to_path_buf());
    if data.join("krieg.sqlite").exists() {
        bail!("{} already contains games: choose an empty folder", data.display());
    }
    let (games, idle) = (options.games as usize, options.idle as usize);
    let mut server = ServerProcess::start(&options.krieg, &data).await?;
    let mut report = Report::new(options.games, options.idle, options.rate);

    let guests = Guests::sign_up(&server, 2 * games).await?;
    report.memory.before = server.memory()?;
    let created = guests.create_games(games + idle).await?;
    let (played, idle_games) = created.split_at(games);
    report.memory.without_sockets = server.memory()?;
    report.games_in_memory = guests.games_in_memory().await?;

    let mut pool =
        ClientPool::connect(server.address(), played, options.rate, options.seed).await?;
    report.memory.with_sockets = server.memory()?;

    let duration = Duration::from_secs(options.seconds);
    if options.no_kill {
        report.add(pool.play(&server, duration).await?);
    } else {
        report.add(pool.play_until_killed(&mut server, duration / 2).await?);
        report.after_kill = Some(pool.reconnect(&mut server).await?);
        report.memory.after_restart = Some(server.memory()?);
        report.add(pool.play(&server, duration / 2).await?);
        report.faults.extend(pool.stuck_games());
        report.faults.extend(guests.check_status(&pool.finished_games(), "over").await?);
        report.faults.extend(guests.check_status(idle_games, "playing").await?);
    }
    report.memory.after = server.memory()?;
    report.faults.extend(pool.into_faults());
    report.mean_server_answer_ms = guests.mean_answer_ms().await?;
    Ok(report)
}
