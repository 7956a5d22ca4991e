//! The server under test: a child process that can be killed and restarted.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::http::HttpClient;

/// Maximum time until the server answers.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// The kernel measures processor time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// `krieg serve` on this machine.
pub struct ServerProcess {
    program: PathBuf,
    data: PathBuf,
    address: SocketAddr,
    metrics: SocketAddr,
    child: Child,
    /// When the current process was started.
    started_at: Instant,
}

impl ServerProcess {
    /// Starts a server on a free port.
    pub async fn start(program: &Path, data: &Path) -> Result<Self> {
        let bind = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free");
        let free = [bind()?, bind()?];
        let (address, metrics) = (free[0].local_addr()?, free[1].local_addr()?);
        drop(free);
        let child = spawn(program, data, address, metrics)?;
        let (program, data) = (program.to_path_buf(), data.to_path_buf());
        let started_at = Instant::now();
        let mut server = ServerProcess { program, data, address, metrics, child, started_at };
        server.wait_until_ready().await?;
        Ok(server)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the metrics.
    pub fn metrics(&self) -> SocketAddr {
        self.metrics
    }

    /// When the current process was started.
    pub fn started_at(&self) -> Instant {
        self.started_at
    }

    /// Kills the process as `kill -9` does. Returns a time before the kill: a connection that broke
    /// earlier did so for another reason.
    pub fn kill(&mut self) -> Result<Instant> {
        let killed_at = Instant::now();
        self.child.kill().context("the server cannot be killed")?;
        self.child.wait().context("the server does not end")?;
        Ok(killed_at)
    }

    /// Starts the server again with the same port and folder.
    pub async fn restart(&mut self) -> Result<()> {
        self.started_at = Instant::now();
        self.child = spawn(&self.program, &self.data, self.address, self.metrics)?;
        self.wait_until_ready().await
    }

    async fn wait_until_ready(&mut self) -> Result<()> {
        let client = HttpClient::new(self.address);
        while self.started_at.elapsed() < START_TIMEOUT {
            if let Some(status) = self.child.try_wait()? {
                bail!("the server ended with {status} after its start");
            }
            if client.text("/healthz").await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("the server does not answer at {} after {START_TIMEOUT:?}", self.address)
    }

    /// Resident memory, in KiB.
    pub fn memory(&self) -> Result<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = fs::read_to_string(&path).with_context(|| format!("no {path}"))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = resident.and_then(|text| text.trim().strip_suffix("kB"));
        number
            .and_then(|text| text.trim().parse().ok())
            .with_context(|| format!("no VmRSS in {path}"))
    }

    /// Processor time of the current process.
    pub fn processor_time(&self) -> Result<Duration> {
        processor_time(&self.child.id().to_string())
    }
}

/// Processor time of this program.
pub fn own_processor_time() -> Result<Duration> {
    processor_time("self")
}

fn processor_time(process: &str) -> Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let stat = fs::read_to_string(&path).with_context(|| format!("no {path}"))?;
    // The name of the program is in brackets and may contain anything; numbers follow it. The 12th
    // and 13th are the ticks in user mode and in the kernel.
    let numbers = stat.rsplit_once(')').map_or("", |(_, numbers)| numbers);
    let ticks: Vec<u32> =
        numbers.split_whitespace().skip(11).take(2).filter_map(|text| text.parse().ok()).collect();
    match ticks[..] {
        [user, kernel] => Ok(TICK * (user + kernel)),
        _ => bail!("{path} is not as expected"),
    }
}

fn spawn(program: &Path, data: &Path, address: SocketAddr, metrics: SocketAddr) -> Result<Child> {
    let no_limit = "1000000";
    Command::new(program)
        .args(["serve", "--no-open", "--listen", &address.to_string()])
        .args(["--metrics", &metrics.to_string()])
        .arg("--data")
        .arg(data)
        .args(["--sign-ups", no_limit, "--actions", no_limit, "--sockets", no_limit])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be started", program.display()))
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
