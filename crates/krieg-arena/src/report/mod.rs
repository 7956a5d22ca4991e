//! Reports of a tournament: lines of text, JSON, and a page for the browser.

mod chart;
mod figures;
pub mod html;
mod json;
mod match_page;
mod plot;
mod text;

pub use chart::{Chart, chart_page};
pub use json::result_json;
pub use match_page::match_page;
pub use text::{align_columns, crosstable_text, result_text, sprt_line};
