//! The options of `krieg serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser};

#[derive(Debug, Args)]
pub struct ServeOptions {
    /// The address to listen on; 0.0.0.0:8080 admits other machines
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The folder for games, accounts and ratings; by default a folder in your home
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// The number of threads for bots and the coach; by default one per core
    #[arg(long, value_name = "N")]
    pub bot_threads: Option<usize>,
    /// A trusted proxy handles TLS and sends the client's address in X-Forwarded-For
    #[arg(long)]
    pub behind_proxy: bool,
    /// Sign-ups and log-ins per address and minute
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub sign_ups: u32,
    /// Tries and other actions per user and second
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub actions: u32,
    /// Requests for advice, analyses and uploads per address and minute
    #[arg(long, value_name = "N", default_value_t = 120)]
    pub questions: u32,
    /// Open sockets per address
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub sockets: usize,
    /// The address for Prometheus metrics at /metrics; none by default. Players must not reach it,
    /// because metrics reveal refused tries
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub metrics: Option<SocketAddr>,
    /// Write the log as lines of JSON
    #[arg(long)]
    pub json_log: bool,
}

impl Default for ServeOptions {
    /// The options of `krieg serve` without arguments, as declared above.
    fn default() -> Self {
        #[derive(Parser)]
        struct Defaults {
            #[command(flatten)]
            options: ServeOptions,
        }
        Defaults::parse_from(["krieg"]).options
    }
}
