//! The server under load: a child process that can be killed and started again, and what the kernel knows of it.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::http::Requests;

/// No server takes longer than this to be there.
const PATIENCE: Duration = Duration::from_secs(60);
/// The kernel counts a process's time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// `krieg serve`, on this machine and for nobody else.
pub struct Server {
    program: PathBuf,
    data: PathBuf,
    address: SocketAddr,
    /// Where what is counted can be read.
    counted: SocketAddr,
    child: Child,
    /// When the process that runs now was started.
    started_at: Instant,
}

impl Server {
    /// Starts one at a port that is free.
    pub async fn start(program: &Path, data: &Path) -> Result<Self> {
        let bind = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free");
        let free = [bind()?, bind()?];
        let (address, counted) = (free[0].local_addr()?, free[1].local_addr()?);
        drop(free);
        let child = spawn(program, data, address, counted)?;
        let (program, data) = (program.to_path_buf(), data.to_path_buf());
        let started_at = Instant::now();
        let mut server = Server { program, data, address, counted, child, started_at };
        server.wait().await?;
        Ok(server)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where what is counted can be read.
    pub fn counted(&self) -> SocketAddr {
        self.counted
    }

    /// When the process that runs now was started.
    pub fn started_at(&self) -> Instant {
        self.started_at
    }

    /// `kill -9`, and when: no connection breaks of it before.
    pub fn kill(&mut self) -> Result<Instant> {
        let at = Instant::now();
        self.child.kill().context("the server cannot be killed")?;
        self.child.wait().context("the server does not end")?;
        Ok(at)
    }

    /// Starts it again where it was.
    pub async fn restart(&mut self) -> Result<()> {
        self.started_at = Instant::now();
        self.child = spawn(&self.program, &self.data, self.address, self.counted)?;
        self.wait().await
    }

    /// Until it answers.
    async fn wait(&mut self) -> Result<()> {
        let requests = Requests::to(self.address);
        while self.started_at.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                bail!("the server ended with {status} as soon as it was started");
            }
            if requests.text("/healthz").await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("the server does not answer at {} after {PATIENCE:?}", self.address)
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

    /// How long the processor has worked for it.
    pub fn processor_time(&self) -> Result<Duration> {
        processor_time(&self.child.id().to_string())
    }
}

/// How long the processor has worked for this program itself.
pub fn own_processor_time() -> Result<Duration> {
    processor_time("self")
}

fn processor_time(process: &str) -> Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let stat = fs::read_to_string(&path).with_context(|| format!("no {path}"))?;
    // The name, in brackets, may hold anything; what follows it are numbers. The 12th and 13th are time in the program and in the kernel.
    let numbers = stat.rsplit_once(')').map_or("", |(_, numbers)| numbers);
    let ticks: Vec<u32> =
        numbers.split_whitespace().skip(11).take(2).filter_map(|text| text.parse().ok()).collect();
    match ticks[..] {
        [user, kernel] => Ok(TICK * (user + kernel)),
        _ => bail!("{path} is not as expected"),
    }
}

fn spawn(program: &Path, data: &Path, address: SocketAddr, counted: SocketAddr) -> Result<Child> {
    let many = "1000000";
    Command::new(program)
        .args(["serve", "--no-open", "--listen", &address.to_string()])
        .args(["--metrics", &counted.to_string()])
        .arg("--data")
        .arg(data)
        .args(["--sign-ups", many, "--actions", many, "--sockets", many])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be started", program.display()))
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
