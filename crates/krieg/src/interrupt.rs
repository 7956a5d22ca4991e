//! Interrupts that stop a long run, and messages on standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// Returns a flag that is set by the first interrupt, which also prints `message`. The second
/// interrupt ends the process and its child processes at once.
pub fn stop_on_interrupt(message: &'static str) -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            krieg_io::kill_all();
            std::process::exit(130);
        }
        note(format!("\n{message}"));
    })
    .context("cannot listen for interrupts")?;
    Ok(stop)
}

/// Prints a message on standard error. A failure is ignored: the message is not worth stopping for.
pub fn note(message: impl Display) {
    let _ = writeln!(io::stderr(), "{message}");
}
