//! What the server is started with.

use std::net::SocketAddr;
use std::path::PathBuf;

/// The configuration of a server.
///
/// ```
/// use krieg_server::ServerConfig;
/// let config = ServerConfig { bot_threads: 2, ..ServerConfig::default() };
/// assert!(config.listen.ip().is_loopback(), "other machines have no access by default");
/// ```
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// The address that the server listens on.
    pub listen: SocketAddr,
    /// The address on which metrics are served, if any. Players must not reach it: the number of
    /// answered tries reveals refused tries that they do not hear.
    pub metrics: Option<SocketAddr>,
    /// The folder with the database and all other files.
    pub data: PathBuf,
    /// The number of threads on which bots and the coach compute.
    pub bot_threads: usize,
    /// Whether a trusted proxy handles TLS and passes on the client's address.
    pub behind_proxy: bool,
    /// Sign-ups and log-ins of one address: the burst, and the number per minute.
    pub sign_ups: (u32, u32),
    /// Actions of one user: the burst, and the number per second.
    pub actions: (u32, u32),
    /// Requests of one address for advice, analyses and uploads: the burst, and the number per
    /// minute.
    pub questions: (u32, u32),
    /// Maximum number of open sockets per address.
    pub sockets: usize,
}

impl Default for ServerConfig {
    fn default() -> Self {
        ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            metrics: None,
            data: PathBuf::from("krieg-data"),
            bot_threads: krieg_chess::cores(),
            behind_proxy: false,
            sign_ups: (30, 20),
            actions: (60, 20),
            questions: (20, 120),
            sockets: 200,
        }
    }
}
