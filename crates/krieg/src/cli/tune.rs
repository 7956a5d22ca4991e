//! The options of tuning and training.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use krieg_learn::evaluation::{Fit, Training};

use super::{plies, positive};

#[derive(Debug, Subcommand)]
pub enum TuneCommand {
    /// Play games, one a line; a file that has some of them already is continued
    Games(TuneGamesOptions),
    /// Fit the weights of the classical evaluation to games
    Weights(TuneWeightsOptions),
    /// Train a network on games
    Network(TuneNetworkOptions),
}

#[derive(Debug, Args)]
pub struct TuneGamesOptions {
    /// Where the games go
    pub out: PathBuf,
    /// How many games the file should have in the end
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub games: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Where the openings come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Random plies before the engine takes over; with fewer, openings are more like those people play
    #[arg(long, value_name = "N|N-M", default_value = "8", value_parser = plies)]
    pub random_plies: (u32, u32),
    /// Games at a time; by default, one for each core
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
    /// What the engine plays with: `network`, `classical`, `first-guess`, or a file of either kind
    #[arg(long, value_name = "NAME|FILE", default_value = "network")]
    pub evaluation: PathBuf,
}

#[derive(Debug, Args)]
pub struct TuneWeightsOptions {
    /// Files of games made by `krieg tune games`
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Where the weights go
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Times through all positions
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    pub epochs: u32,
    /// How much a game's result counts against what the search thought, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = Fit::default().blend)]
    pub blend: f32,
    /// How strongly weights are held to where they begin
    #[arg(long, value_name = "X", default_value_t = Fit::default().prior)]
    pub prior: f64,
    /// Where the order of positions comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What to begin with: `first-guess`, `classical`, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "first-guess")]
    pub start: PathBuf,
}

#[derive(Debug, Args)]
pub struct TuneNetworkOptions {
    /// Files of games made by `krieg tune games`
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Where the network goes
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Times through all positions
    #[arg(long, value_name = "N", default_value_t = Training::default().epochs, value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// How much a game's result counts against what the search thought, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = Training::default().blend)]
    pub blend: f32,
    /// Where the first numbers and the order of positions come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A network to go on from: `network`, or a file; by default, training begins from nothing
    #[arg(long, value_name = "NAME|FILE")]
    pub start: Option<PathBuf>,
    /// How far a step goes in the beginning; a network to go on from wants less
    #[arg(long, value_name = "X", default_value_t = Training::default().rate)]
    pub rate: f32,
    /// Positions to a step
    #[arg(long, value_name = "N", default_value_t = Training::default().batch, value_parser = positive)]
    pub batch: usize,
    /// Threads, of which eight are of use; by default, one for each core. The network is the same on any number
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
}
