//! # The server
//!
//! Kriegspiel in the browser: people and bots at tables, with an umpire at each.
//!
//! ```text
//!  browser / program ── HTTP, WebSocket ──► http ──► Hall ── one Sitting a game ──► Umpire
//!                                                     │            │
//!                            Store (SQLite) ◄── every event ───────┘
//!                            Thinkers ◄── bots, the coach, analyses
//! ```
//!
//! Three ideas carry it:
//!
//! - **A game is its events.** A sitting changes by events alone, by the same code when they happen and when they are read
//!   again. An event is on disk before anybody hears of it; so the server may be killed at any moment, and every game goes on.
//! - **A player is sent what his view and his ear hold**, and nothing else: messages are made of `View` and `Observation`, which
//!   cannot know what he was not told. Of a try that he does not hear, not even an empty message reaches him.
//! - **Whoever thinks does so elsewhere**: on a bounded number of threads apart from those that serve connections.

mod hall;
mod http;
mod metrics;
mod refusal;
mod secrets;
mod sitting;
mod store;
mod thinking;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::watch;

use hall::Hall;
use http::{App, Limits, Pace};
use metrics::Metrics;
use store::Store;

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Where what is counted can be read, if anywhere: it is not for players.
    pub metrics: Option<SocketAddr>,
    /// The folder with all that outlives it.
    pub data: PathBuf,
    /// How many bots think at the same time.
    pub thinkers: usize,
    /// Whether a proxy of one's own stands before it, which speaks TLS and tells where requests come from.
    pub behind_proxy: bool,
    /// So many may sign up or in from one address at once, and so many a minute.
    pub sign_ups: (u32, u32),
    /// So many actions may one person do at once, and so many a second.
    pub actions: (u32, u32),
    /// So often may the coach, an analysis or room for an uploaded game be asked for from one address at once, and so often a minute.
    pub questions: (u32, u32),
    /// So many sockets may be open from one address.
    pub sockets: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            metrics: None,
            data: PathBuf::from("krieg-data"),
            thinkers: krieg_chess::cores(),
            behind_proxy: false,
            sign_ups: (30, 20),
            actions: (60, 20),
            questions: (20, 120),
            sockets: 200,
        }
    }
}

/// A server that listens, and will serve when it is told to.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    counted: Option<TcpListener>,
    app: App,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Opens the store and the door. Games that were being played go on from here.
    pub async fn open(settings: Settings) -> Result<Self> {
        std::fs::create_dir_all(&settings.data)
            .with_context(|| format!("cannot make the folder {}", settings.data.display()))?;
        let file = settings.data.join("krieg.sqlite");
        let listener = TcpListener::bind(settings.listen)
            .await
            .with_context(|| format!("cannot listen at {}", settings.listen))?;
        let counted = match settings.metrics {
            Some(address) => Some(
                TcpListener::bind(address)
                    .await
                    .with_context(|| format!("cannot listen at {address}"))?,
            ),
            None => None,
        };
        let store =
            Store::open(&file).with_context(|| format!("cannot open {}", file.display()))?;
        let metrics = Arc::new(Metrics::default());
        let hall = Hall::open(store, settings.thinkers, metrics.clone()).await?;
        let (stop, stops) = watch::channel(false);
        let pace = |(burst, many): (u32, u32), seconds: f64| Pace {
            burst: burst.into(),
            a_second: f64::from(many) / seconds,
        };
        let limits = Limits::new(
            pace(settings.sign_ups, 60.0),
            pace(settings.actions, 1.0),
            pace(settings.questions, 60.0),
            settings.sockets,
        );
        let app =
            App { hall, limits: Arc::new(limits), metrics, settings: Arc::new(settings), stops };
        Ok(Server { listener, counted, app, stop })
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().context("the address is not known")
    }

    /// Serves until `until` says so; then finishes what was begun, and closes.
    pub async fn serve(self, until: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        let Server { listener, counted, app, stop } = self;
        let hall = app.hall.clone();
        let chores = tokio::spawn(do_chores(hall.clone()));
        let counted = counted.map(|listener| {
            let router = http::counted(app.clone());
            tokio::spawn(async move { axum::serve(listener, router).await })
        });
        let mut stops = app.stops.clone();
        let until = async move {
            until.await;
            // Sockets would keep the server from ending.
            let _ = stop.send(true);
        };
        let service = http::router(app).into_make_service_with_connect_info::<SocketAddr>();
        // A move is a small message, and nobody wants to wait until there are more.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let serving = axum::serve(listener, service).with_graceful_shutdown(until);
        let served = tokio::select! {
            served = serving => served,
            // Somebody who has sent half a request does not keep the server from ending.
            _ = async {
                let _ = stops.changed().await;
                tokio::time::sleep(LAST_REQUESTS).await;
            } => Ok(()),
        };
        chores.abort();
        counted.inspect(|counted| counted.abort());
        hall.close().await;
        served.context("the server failed")
    }
}

/// When the server stops, requests have so long to come to their end.
const LAST_REQUESTS: Duration = Duration::from_secs(3);

/// What has to be done from time to time.
async fn do_chores(hall: Hall) {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    for second in 0u64.. {
        seconds.tick().await;
        if let Err(error) = hall.beat().await {
            tracing::error!(%error, "the hour could not be noted");
        }
        hall.store().tidy_up().await;
        if second % 60 == 59 {
            hall.tidy_up();
        }
    }
}

/// The time of day, in milliseconds since 1970.
fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
