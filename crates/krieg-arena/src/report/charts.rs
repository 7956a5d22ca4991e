//! Charts of anything that was measured, on a page of their own.

use super::figures::{figure, legend};
use super::html::escape;
use super::parts::{document, figures};
use super::plot;

/// Lines over something that they have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// A word about it.
    pub caption: String,
    /// What is counted from left to right.
    pub across: String,
    /// Each line's name, and its points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

/// A page of HTML with charts: one file that asks for no other. The table is shown above them as it is.
///
/// ```
/// use krieg_arena::report::{Chart, charts};
/// let chart = Chart {
///     title: "Log-loss".to_string(),
///     caption: "Less is better.".to_string(),
///     across: "moves".to_string(),
///     lines: vec![("hs".to_string(), vec![(5.0, 14.0), (10.0, 21.5)])],
/// };
/// let page = charts("Beliefs", "1 game", "hs  14.0", &[chart]);
/// assert!(page.contains("<title>Beliefs</title>") && page.contains("<polyline"));
/// ```
pub fn charts(title: &str, about: &str, table: &str, charts: &[Chart]) -> String {
    let [title, about, table] = [title, about, table].map(escape);
    let drawn: String = charts.iter().map(Chart::draw).collect();
    let content = format!(
        "<p>{about}</p>\n{}<div class=\"scroll\"><pre>{table}</pre></div>\n",
        figures(&drawn)
    );
    document(&title, &title, "", &content)
}

impl Chart {
    /// The chart as a figure of HTML, with its caption and what each line stands for.
    pub fn draw(&self) -> String {
        let lines: Vec<&[(f64, f64)]> = self.lines.iter().map(|(_, points)| &points[..]).collect();
        let drawing = plot::lines(&self.title, &self.across, &lines);
        let names = legend(self.lines.iter().map(|(name, _)| escape(name)));
        figure(&escape(&self.title), &(drawing + &names), &escape(&self.caption))
    }
}
