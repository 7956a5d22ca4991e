//! Line charts of measurements, on a page of their own.

use super::figures::legend;
use super::html::{document, escape, figure, figure_grid};
use super::plot;

/// A line chart with several series over a common x axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// The label of the x axis.
    pub x_label: String,
    /// The name and the points of each series.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// A page of HTML with charts, without external resources. The table is shown above them as
/// preformatted text.
///
/// ```
/// use krieg_arena::report::{Chart, chart_page};
/// let chart = Chart {
///     title: "Log-loss".to_string(),
///     caption: "Lower is better.".to_string(),
///     x_label: "moves".to_string(),
///     series: vec![("hs".to_string(), vec![(5.0, 14.0), (10.0, 21.5)])],
/// };
/// let page = chart_page("Beliefs", "1 game", "hs  14.0", &[chart]);
/// assert!(page.contains("<title>Beliefs</title>") && page.contains("<polyline"));
/// ```
pub fn chart_page(title: &str, about: &str, table: &str, charts: &[Chart]) -> String {
    let [title, about, table] = [title, about, table].map(escape);
    let drawn: String = charts.iter().map(Chart::draw).collect();
    let content = format!(
        "<p>{about}</p>\n{}<div class=\"scroll\"><pre>{table}</pre></div>\n",
        figure_grid(&drawn)
    );
    document(&title, &title, "", &content)
}

impl Chart {
    /// The chart as an HTML figure with caption and legend.
    pub fn draw(&self) -> String {
        let series: Vec<&[(f64, f64)]> =
            self.series.iter().map(|(_, points)| &points[..]).collect();
        let drawing = plot::line_chart(&self.title, &self.x_label, &series);
        let names = legend(self.series.iter().map(|(name, _)| escape(name)));
        figure(&escape(&self.title), &(drawing + &names), &escape(&self.caption))
    }
}
