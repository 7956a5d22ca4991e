//! Load on a server of its own: hundreds of games at once over real sockets, the server killed among them, and what became of each.
//!
//! ```text
//! cargo build --release -p krieg && cargo run --release -p krieg-server --example load -- --games 500 --seconds 20
//! ```
//!
//! It starts `krieg serve` on a free port of this machine, seats two guests at every game, and has them try whatever is sensible, so many
//! tries a second. Half-way it kills the server (`kill -9`), starts it again, and compares what every player is told then with what he
//! had heard before. It fails if anything is different, or if a game does not go on.

mod check;
mod games;
mod http;
mod report;
mod rounds;
mod seat;
mod server;
mod table;
mod tally;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;

use games::Lobby;
use report::Report;
use rounds::Room;
use server::Server;

/// Plays many games at once on a server of its own, kills it half-way, and checks that no game is lost.
#[derive(Debug, Parser)]
struct Options {
    /// The program to put under load
    #[arg(long, value_name = "PATH", default_value = "target/release/krieg")]
    krieg: PathBuf,
    /// Where the server keeps its games; by default a folder that is deleted afterwards
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// How many games are played at once
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=5_000))]
    games: u32,
    /// How many more games are begun in which nobody does anything
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(0..=50_000))]
    idle: u32,
    /// How long to play
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=300))]
    seconds: u64,
    /// How many tries a second to make in all games together; 0 is as many as will go
    #[arg(long, value_name = "N", default_value_t = 2_500)]
    rate: u32,
    /// Where the random tries are taken from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Kill the server half-way (it is by default)
    #[arg(long, overrides_with = "no_kill")]
    kill: bool,
    /// Let the server live
    #[arg(long, overrides_with = "kill")]
    no_kill: bool,
    /// One line of JSON in place of the report
    #[arg(long)]
    json: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let measured = tokio::select! {
        measured = measure(&options) => measured,
        () = interrupted() => Err(anyhow::anyhow!("interrupted")),
    };
    match measured {
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

/// The server is a child of this program, and should not outlive it.
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

/// Everything, from an empty server to the report.
async fn measure(options: &Options) -> Result<Report> {
    let temporary = tempfile::tempdir().context("no temporary folder could be made")?;
    let data = options.data.clone().unwrap_or_else(|| temporary.path().to_path_buf());
    if data.join("krieg.sqlite").exists() {
        bail!("{} holds games already: choose a folder that is empty", data.display());
    }
    let (games, idle) = (options.games as usize, options.idle as usize);
    let mut server = Server::start(&options.krieg, &data).await?;
    let mut report = Report::new(options.games, options.idle, options.rate);

    let lobby = Lobby::open(&server, 2 * games).await?;
    report.memory.before = server.memory()?;
    let begun = lobby.begin(games + idle).await?;
    let (played, waiting) = begun.split_at(games);
    report.memory.without_sockets = server.memory()?;
    report.games_in_memory = lobby.games_in_memory().await?;

    let mut room = Room::open(server.address(), played, options.rate, options.seed).await?;
    report.memory.with_sockets = server.memory()?;

    let seconds = Duration::from_secs(options.seconds);
    if options.no_kill {
        report.add(room.play(&server, seconds).await?);
    } else {
        report.add(room.play_until_killed(&mut server, seconds / 2).await?);
        report.after_kill = Some(room.come_back(&mut server).await?);
        report.memory.after_restart = Some(server.memory()?);
        report.add(room.play(&server, seconds / 2).await?);
        report.faults.extend(room.stuck());
        report.faults.extend(lobby.look_after(&room.finished(), "over").await?);
        report.faults.extend(lobby.look_after(waiting, "playing").await?);
    }
    report.memory.after = server.memory()?;
    report.faults.extend(room.faults());
    report.server_answers_ms = lobby.mean_answer_ms().await?;
    Ok(report)
}
