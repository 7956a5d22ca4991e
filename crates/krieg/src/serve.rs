//! `krieg serve`: starts the server, prints its address, and opens the page in a browser.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use krieg_server::{Server, ServerConfig};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use crate::cli::ServeOptions;

pub fn serve(options: &ServeOptions) -> Result<()> {
    start_log(options.json_log);
    let settings = ServerConfig {
        listen: options.listen,
        metrics: options.metrics,
        data: options.data.clone().unwrap_or_else(default_data_folder),
        bot_threads: options.bot_threads.unwrap_or_else(krieg_chess::cores),
        behind_proxy: options.behind_proxy,
        sign_ups: (options.sign_ups.saturating_mul(3) / 2, options.sign_ups),
        actions: (options.actions.saturating_mul(3), options.actions),
        questions: (options.questions / 6 + 1, options.questions),
        sockets: options.sockets,
    };
    let runtime = tokio::runtime::Runtime::new().context("the server cannot start")?;
    runtime.block_on(async {
        let data = settings.data.display().to_string();
        let server = Server::open(settings).await.context(
            "the server cannot start (--listen ADDRESS:PORT selects another address, --data DIR \
             another folder)",
        )?;
        let address = format!("http://{}", server.address()?);
        writeln!(
            io::stdout(),
            "Krieg runs at {address}. Games are stored in {data}. Press Ctrl-C to stop."
        )?;
        if !options.no_open {
            open_browser(&address);
        }
        server
            .serve(async {
                wait_for_stop_signal().await;
                // A second interrupt ends the process at once.
                tokio::spawn(async {
                    wait_for_stop_signal().await;
                    std::process::exit(130);
                });
            })
            .await
    })?;
    // The process does not wait for bots that are still thinking.
    runtime.shutdown_background();
    Ok(())
}

/// The folder of games if `--data` is not given.
fn default_data_folder() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let data = set("XDG_DATA_HOME").or_else(|| set("APPDATA"));
    let data = data.or_else(|| Some(set("HOME")?.join(".local/share")));
    data.map_or_else(|| PathBuf::from("krieg-data"), |data| data.join("krieg"))
}

/// Starts the log on standard error: warnings and errors, or what `KRIEG_LOG` asks for, for example
/// `KRIEG_LOG=debug` or `KRIEG_LOG=krieg_server=trace`.
fn start_log(json: bool) {
    let filter = std::env::var("KRIEG_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(LevelFilter::TRACE);
    // Initialization fails only if the process has a log already, which then stays.
    let _ = if json {
        log.json().finish().with(filter).try_init()
    } else {
        log.finish().with(filter).try_init()
    };
}

/// Waits for an interrupt or a termination signal.
async fn wait_for_stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

/// Opens the page in a browser if there is a display. A failure is ignored, because the address
/// has been printed.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()) {
        ("xdg-open", &[])
    } else {
        return;
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
