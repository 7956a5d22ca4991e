//! Progress bars of long commands.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar on standard error in the format of an `indicatif` template. It is hidden if
/// `is_quiet` is set or standard error is not a terminal.
pub fn new_progress_bar(template: &str, is_quiet: bool) -> ProgressBar {
    let target = match is_quiet || !io::stderr().is_terminal() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
