//! What a contest's games are told as: lines of text, JSON, and a page for the browser.

mod charts;
mod figures;
mod html;
mod json;
mod page;
pub mod parts;
mod plot;
mod text;

pub use charts::{Chart, charts};
pub use json::summary;
pub use page::page;
pub use text::{aligned, crosstable, standing_lines, trial_line};
