//! The options of `krieg tune`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use krieg_learn::evaluation::{NetworkTraining, WeightTraining};

use super::{plies, positive};

#[derive(Debug, Subcommand)]
pub enum TuneCommand {
    /// Play self-play games into a file; an interrupted run is continued
    Games(TuneGamesOptions),
    /// Train the weights of the classical evaluation on games
    Weights(TuneWeightsOptions),
    /// Train a network on games
    Network(TuneNetworkOptions),
}

#[derive(Debug, Args)]
pub struct TuneGamesOptions {
    /// The file of games
    pub out: PathBuf,
    /// Total number of games in the file
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub games: u64,
    /// Nodes per move
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub nodes: u64,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Number of random plies at the start; with fewer, openings are more like those people play
    #[arg(long, value_name = "N|N-M", default_value = "8", value_parser = plies)]
    pub random_plies: (u32, u32),
    /// Number of simultaneous games [default: one per core]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
    /// The evaluation: `network`, `classical`, `first-guess`, or a file
    #[arg(long, value_name = "NAME|FILE", default_value = "network")]
    pub evaluation: PathBuf,
}

#[derive(Debug, Args)]
pub struct TuneWeightsOptions {
    /// Files of games made by `krieg tune games`
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of passes through the training set
    #[arg(long, value_name = "N", default_value_t = WeightTraining::default().epochs)]
    pub epochs: u32,
    /// Weight of the game's outcome in the target, from 0 to 1; the rest is the search's value
    #[arg(long, value_name = "X", default_value_t = WeightTraining::default().outcome_weight)]
    pub outcome_weight: f32,
    /// L2 penalty on the distance from the initial weights
    #[arg(long, value_name = "X", default_value_t = WeightTraining::default().regularization)]
    pub regularization: f64,
    /// Seed of the order of samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The initial weights: `first-guess`, `classical`, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "first-guess")]
    pub start: PathBuf,
}

#[derive(Debug, Args)]
pub struct TuneNetworkOptions {
    /// Files of games made by `krieg tune games`
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The file of the network to write
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of passes through the training set
    #[arg(
        long,
        value_name = "N",
        default_value_t = NetworkTraining::default().epochs,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub epochs: u32,
    /// Weight of the game's outcome in the target, from 0 to 1; the rest is the search's value
    #[arg(long, value_name = "X", default_value_t = NetworkTraining::default().outcome_weight)]
    pub outcome_weight: f32,
    /// Seed of the initial parameters and of the order of samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The initial network: `network`, or a file [default: random parameters]
    #[arg(long, value_name = "NAME|FILE")]
    pub start: Option<PathBuf>,
    /// Learning rate of the first step; smaller with an initial network
    #[arg(long, value_name = "X", default_value_t = NetworkTraining::default().learning_rate)]
    pub learning_rate: f32,
    /// Number of samples per step
    #[arg(
        long,
        value_name = "N",
        default_value_t = NetworkTraining::default().batch_size,
        value_parser = positive
    )]
    pub batch_size: usize,
    /// Number of threads, at most eight; the result does not depend on it [default: one per core]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
}
