//! Starts the server, runs its periodic tasks, and shuts it down.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::config::ServerConfig;
use crate::http::{self, App, Rate, RateLimits};
use crate::metrics::Metrics;
use crate::service::GameService;
use crate::store::Store;

/// Time that running requests have to finish when the server stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

/// A server that listens. [`Server::serve`] answers requests.
#[derive(Debug)]
#[must_use = "a server answers requests only while `serve` runs"]
pub struct Server {
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    app: App,
    shutdown: watch::Sender<bool>,
}

impl Server {
    /// Opens the database, binds the addresses, and resumes all running games.
    pub async fn open(config: ServerConfig) -> Result<Self> {
        std::fs::create_dir_all(&config.data)
            .with_context(|| format!("cannot create the folder {}", config.data.display()))?;
        let listener = bind(config.listen).await?;
        let metrics_listener = match config.metrics {
            Some(address) => Some(bind(address).await?),
            None => None,
        };
        let file = config.data.join("krieg.sqlite");
        let store =
            Store::open(&file).with_context(|| format!("cannot open {}", file.display()))?;
        let metrics = Arc::new(Metrics::default());
        let service = GameService::open(store, config.bot_threads, metrics.clone()).await?;
        let (shutdown, shutdown_signal) = watch::channel(false);
        let per_second = |(burst, count): (u32, u32)| Rate::per_second(burst, count);
        let per_minute = |(burst, count): (u32, u32)| Rate::per_minute(burst, count);
        let limits = RateLimits::new(
            per_minute(config.sign_ups),
            per_second(config.actions),
            per_minute(config.questions),
            config.sockets,
        );
        let app = App {
            service,
            limits: Arc::new(limits),
            metrics,
            config: Arc::new(config),
            shutdown: shutdown_signal,
        };
        Ok(Server { listener, metrics_listener, app, shutdown })
    }

    /// The address that the server listens on.
    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().context("the server's address is unknown")
    }

    /// Answers requests until `stop` completes, then finishes running requests and shuts down.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        let Server { listener, metrics_listener, app, shutdown } = self;
        let service = app.service.clone();
        let periodic = tokio::spawn(run_periodic_tasks(service.clone()));
        let metrics = metrics_listener.map(|listener| {
            let router = http::metrics_router(app.clone());
            tokio::spawn(async move { axum::serve(listener, router).await })
        });
        let mut stopping = app.shutdown.clone();
        let stop = async move {
            stop.await;
            // Open sockets would keep the server from ending.
            let _ = shutdown.send(true);
        };
        let router = http::router(app).into_make_service_with_connect_info::<SocketAddr>();
        // Messages are small and must not wait for more data.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let serving = axum::serve(listener, router).with_graceful_shutdown(stop);
        let served = tokio::select! {
            served = serving => served,
            // A client that has sent half a request does not keep the server from ending.
            _ = async {
                let _ = stopping.changed().await;
                tokio::time::sleep(SHUTDOWN_GRACE).await;
            } => Ok(()),
        };
        periodic.abort();
        if let Some(metrics) = metrics {
            metrics.abort();
        }
        service.shut_down().await;
        served.context("the server failed")
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

/// Writes the heartbeat and checkpoints the database every second, and removes idle sessions every
/// minute.
async fn run_periodic_tasks(service: GameService) {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    for second in 0u64.. {
        seconds.tick().await;
        if let Err(error) = service.write_heartbeat().await {
            tracing::error!(%error, "the heartbeat was not written");
        }
        service.store().checkpoint().await;
        if second % 60 == 59 {
            service.evict_idle_sessions();
        }
    }
}
