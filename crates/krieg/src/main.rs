//! `krieg`, the Kriegspiel workbench: parses the command line, calls the crates, prints.

mod board;
mod cli;
mod convert;
mod explain;
mod files;
mod interrupt;
mod learn;
mod matches;
mod play;
mod players;
mod progress_bar;
mod ratings;
mod serve;
mod show;
mod tablebase;
mod tune;

use std::io;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use krieg_referee::{Referee, serve};

use cli::{Cli, Command, LearnCommand, TuneCommand};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("krieg: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<()> {
    match cli.command.unwrap_or_default() {
        Command::Serve(options) => serve::serve(&options),
        Command::Play(options) => play::play(&options),
        Command::Referee { max_games } => {
            let mut referee = Referee::new(max_games);
            serve(&mut referee, io::stdin(), io::stdout()).context("cannot read or write a line")
        }
        Command::Show(options) => show::show(&options),
        Command::Convert(options) => convert::convert(&options),
        Command::Explain(options) => explain::explain(&options),
        Command::Uci { command } if command.is_empty() => {
            krieg_chess::uci::serve(io::stdin(), io::stdout())
                .context("cannot read or write a line")
        }
        Command::Uci { command } => {
            let line = command.join(" ") + "\n";
            krieg_chess::uci::serve(line.as_bytes(), io::stdout())
                .context("cannot read or write a line")
        }
        Command::Rulesets => show::list_rulesets(),
        Command::Players { name } => players::list(name.as_deref()),
        Command::Engine { player } => players::serve(&player),
        Command::Match(options) => matches::play_match(&options),
        Command::Tournament(options) => matches::play_tournament(&options),
        Command::Merge { into, folders } => matches::merge(&into, &folders),
        Command::Report { folder, pgn } => matches::report(&folder, pgn),
        Command::Ratings { folders, glicko, json } => ratings::rate(&folders, glicko, json),
        Command::Learn(LearnCommand::Densities { games, out }) => learn::densities(&games, &out),
        Command::Learn(LearnCommand::Opponent(options)) => learn::opponent(&options),
        Command::Learn(LearnCommand::Value(options)) => learn::value(&options),
        Command::Tablebase(command) => tablebase::run(&command),
        Command::Tune(TuneCommand::Games(options)) => tune::games(&options),
        Command::Tune(TuneCommand::Weights(options)) => tune::weights(&options),
        Command::Tune(TuneCommand::Network(options)) => tune::network(&options),
        Command::Bench(command) => krieg_bench::run(&command),
    }
}

/// Whether the reader of our output has closed it, as `head` does. This is not reported.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
