//! The options of `krieg serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser};

#[derive(Debug, Args)]
pub struct ServeOptions {
    /// Where to listen. From other machines too, with 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The folder in which games, people and ratings are kept; by default one in your home
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// How many bots think at the same time; by default, one for each core
    #[arg(long, value_name = "N")]
    pub bot_threads: Option<usize>,
    /// A proxy stands before the server: it speaks TLS, and its X-Forwarded-For is believed
    #[arg(long)]
    pub behind_proxy: bool,
    /// How many may sign up or in from one address in a minute
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub sign_ups: u32,
    /// How many tries and other actions one person may make in a second
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub actions: u32,
    /// How often the coach, an analysis or an upload may be asked for from one address in a minute
    #[arg(long, value_name = "N", default_value_t = 120)]
    pub questions: u32,
    /// How many sockets may be open from one address
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub sockets: usize,
    /// Where Prometheus finds what is counted, at /metrics; nowhere by default, for it tells more than players may know
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub metrics: Option<SocketAddr>,
    /// Write the log as lines of JSON
    #[arg(long)]
    pub json_log: bool,
}

impl Default for ServeOptions {
    /// What `krieg serve` alone means: the options above are the one place where that stands.
    fn default() -> Self {
        #[derive(Parser)]
        struct Alone {
            #[command(flatten)]
            options: ServeOptions,
        }
        Alone::parse_from(["krieg"]).options
    }
}
