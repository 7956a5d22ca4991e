//! Interrupts that ask a long run to stop, and words to whoever looks.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// The first interrupt raises the flag and says these words; the second ends the program at once.
pub fn stop_on_interrupt(words: &'static str) -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            krieg_io::kill_all();
            std::process::exit(130);
        }
        note(format!("\n{words}"));
    })
    .context("cannot listen for interrupts")?;
    Ok(stop)
}

/// A word to whoever looks; if nobody can, that is no reason to stop.
pub fn note(words: impl Display) {
    let _ = writeln!(io::stderr(), "{words}");
}
