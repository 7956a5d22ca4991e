//! Plots as SVG.
//!
//! All plots have the same width in user units, and the page scales them. The colours come from the
//! style sheet, which has one palette for light screens and paper and another for dark screens.

use std::fmt::Write as _;

use super::html::escape;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 240.0;
/// The edges of the plot area.
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 18.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 46.0;
/// Height of a row of a bar chart.
const ROW_HEIGHT: f64 = 26.0;

/// Number of colours, and of dash patterns per colour.
const COLORS: usize = 8;
const DASHES: usize = 3;

/// The CSS classes of a series, in the plot and in the legend.
pub(super) fn style(line: usize) -> String {
    format!("s{} d{}", line % COLORS, line / COLORS % DASHES)
}

/// The score after a number of games.
pub(super) struct ScorePoint {
    pub(super) games: u64,
    pub(super) score: f64,
    pub(super) interval: Option<(f64, f64)>,
}

/// An SVG element that is being written.
struct Drawing(String);

impl Drawing {
    fn new(label: &str, height: f64) -> Self {
        let label = escape(label);
        Drawing(format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">\n"
        ))
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.0,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// A horizontal grid line with its label on the left.
    fn grid_line(&mut self, y: f64, class: &str, text: &str) {
        let _ = writeln!(self.0, "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
        self.text(LEFT - 6.0, y + 4.5, "end", text);
    }

    /// The tick labels and the label of the x axis.
    fn x_axis(&mut self, ticks: impl Iterator<Item = (f64, String)>, label: &str) {
        for (x, text) in ticks {
            self.text(x, BOTTOM + 18.0, "middle", &text);
        }
        self.text((LEFT + RIGHT) / 2.0, HEIGHT - 8.0, "middle", label);
    }

    fn bar(&mut self, [x, y, width, height]: [f64; 4], title: &str) {
        let title = escape(title);
        let _ = writeln!(
            self.0,
            "<rect class=\"s0\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\"><title>{title}</title></rect>"
        );
    }

    fn end(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Maps a value linearly from one range to another. Values outside are clamped and NaN is mapped to
/// the beginning, so that the drawing stays valid.
fn scale(value: f64, (low, high): (f64, f64), (from, to): (f64, f64)) -> f64 {
    let part = (value - low) / (high - low);
    from + (to - from) * if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
}

/// A step between ticks: the smallest of 1, 2 and 5 times a power of ten that divides the span into
/// at most `most` parts and is not below `least`.
fn round_step(span: f64, most: f64, least: f64) -> f64 {
    let wanted = (span / most).clamp(least, 1e18);
    // No logarithms: their last digit may differ between machines.
    let mut power = 1.0;
    while power > wanted {
        power /= 10.0;
    }
    while power * 10.0 <= wanted {
        power *= 10.0;
    }
    let fits = |step: &f64| *step >= wanted * (1.0 - 1e-9);
    [1.0, 2.0, 5.0].map(|by| by * power).into_iter().find(fits).unwrap_or(10.0 * power)
}

/// A short form of a number for a tick label.
fn short(number: f64) -> String {
    match number {
        ..10_000.0 => number.to_string(),
        ..10_000_000.0 => format!("{}k", number / 1e3),
        _ => format!("{}M", number / 1e6),
    }
}

/// Scores over games: one line per series, with a band for its interval if it has one.
pub(super) fn score_chart(label: &str, lines: &[Vec<ScorePoint>]) -> String {
    let mut drawing = Drawing::new(label, HEIGHT);
    let most = lines.iter().flatten().map(|point| point.games).max().unwrap_or(1).max(1) as f64;
    let (low, high) = score_range(lines, most);
    let x = |games: u64| scale(games as f64, (0.0, most), (LEFT, RIGHT));
    let y = |score: f64| scale(score * 100.0, (low as f64, high as f64), (BOTTOM, TOP));
    let every = if high - low > 50 { 25 } else { 10 };
    for percent in (low..=high).filter(|percent| percent % every == 0) {
        let class = if percent == 50 { "even" } else { "grid" };
        drawing.grid_line(y(f64::from(percent) / 100.0), class, &format!("{percent}%"));
    }
    let every = round_step(most, 6.0, 1.0);
    let ticks = (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= most);
    drawing.x_axis(ticks.map(|tick| (x(tick as u64), short(tick))), "games");
    for (index, points) in lines.iter().enumerate() {
        let style = style(index);
        let edge = |edge: fn((f64, f64)) -> f64| {
            move |point: &ScorePoint| point.interval.map(|ends| (point.games, edge(ends)))
        };
        let corner = |(games, score): (u64, f64)| format!("{:.1},{:.1}", x(games), y(score));
        let lower = points.iter().filter_map(edge(|ends| ends.0)).map(corner);
        let upper = points.iter().rev().filter_map(edge(|ends| ends.1)).map(corner);
        let band: Vec<String> = lower.chain(upper).collect();
        if !band.is_empty() {
            let band = band.join(" ");
            let _ = writeln!(drawing.0, "<polygon class=\"band {style}\" points=\"{band}\"/>");
        }
        let line: Vec<String> =
            points.iter().map(|point| corner((point.games, point.score))).collect();
        let line = line.join(" ");
        let _ = writeln!(drawing.0, "<polyline class=\"{style}\" points=\"{line}\"/>");
        if let Some(last) = points.last() {
            let (x, y) = (x(last.games), y(last.score));
            let _ = writeln!(
                drawing.0,
                "<circle class=\"{style}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
            );
        }
    }
    drawing.end()
}

/// A line chart whose y axis begins at zero.
pub(super) fn line_chart(label: &str, x_label: &str, lines: &[&[(f64, f64)]]) -> String {
    let mut drawing = Drawing::new(label, HEIGHT);
    let highest = |of: fn(&(f64, f64)) -> f64| {
        lines.iter().copied().flatten().map(of).fold(0.0, f64::max).max(1e-9)
    };
    let (right, top) = (highest(|point| point.0), highest(|point| point.1));
    let x = |value: f64| scale(value, (0.0, right), (LEFT, RIGHT));
    let y = |value: f64| scale(value, (0.0, top), (BOTTOM, TOP));
    let every = round_step(top, 5.0, 1e-3);
    for tick in (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= top) {
        drawing.grid_line(y(tick), "grid", &short((tick * 1e3).round() / 1e3));
    }
    let every = round_step(right, 8.0, 1.0);
    let ticks = (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= right);
    drawing.x_axis(ticks.map(|tick| (x(tick), short(tick))), x_label);
    for (index, points) in lines.iter().enumerate() {
        let corner = |point: &(f64, f64)| format!("{:.1},{:.1}", x(point.0), y(point.1));
        let corners: Vec<String> = points.iter().map(corner).collect();
        let (style, corners) = (style(index), corners.join(" "));
        let _ = writeln!(drawing.0, "<polyline class=\"{style}\" points=\"{corners}\"/>");
    }
    drawing.end()
}

/// The range of the y axis in whole tens of percent. The first twentieth of the games is left out,
/// because the score still varies widely there.
fn score_range(lines: &[Vec<ScorePoint>], most: f64) -> (i32, i32) {
    let late = lines.iter().flatten().filter(|point| point.games as f64 >= most / 20.0);
    let ends = late.map(|point| point.interval.unwrap_or((point.score, point.score)));
    let (low, high) =
        ends.fold((0.45_f64, 0.55_f64), |(low, high), ends| (low.min(ends.0), high.max(ends.1)));
    ((low * 10.0).floor() as i32 * 10, (high * 10.0).ceil() as i32 * 10)
}

/// A histogram: labels of the bin edges and the count of each bin.
pub(super) struct Histogram {
    edges: Vec<String>,
    counts: Vec<u64>,
}

impl Histogram {
    /// About two dozen bins of equal width, at least `least` wide. The values must be finite.
    pub(super) fn even(values: &[f64], least: f64) -> Self {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let width = round_step(high - low, 24.0, least);
        // A small tolerance: 2.3 / 0.1 is less than 23 in floating point.
        let bin = |value: f64| (value / width + 1e-9).floor();
        let bins = if values.is_empty() { 0 } else { (bin(high) - bin(low)) as usize + 1 };
        let mut counts = vec![0; bins];
        for value in values {
            counts[(bin(*value) - bin(low)) as usize] += 1;
        }
        let digits = usize::from(width < 1.0) + usize::from(width < 0.1);
        let edge = |at: usize| format!("{:.digits$}", (bin(low) + at as f64) * width);
        let edges = if bins == 0 { Vec::new() } else { (0..=bins).map(edge).collect() };
        Histogram { edges, counts }
    }

    /// Bins with these edges, one more than counts. Empty bins at both ends are removed.
    pub(super) fn trimmed(edges: Vec<String>, counts: &[u64]) -> Self {
        let first = counts.iter().position(|count| *count > 0).unwrap_or(0);
        let end = counts.iter().rposition(|count| *count > 0).map_or(first, |last| last + 1);
        let edges = edges.into_iter().skip(first).take(end - first + 1).collect();
        Histogram { edges, counts: counts[first..end].to_vec() }
    }

    /// Draws the bins as vertical bars.
    pub(super) fn draw(&self, label: &str, x_label: &str) -> String {
        let mut drawing = Drawing::new(label, HEIGHT);
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
        let every = round_step(most, 4.0, 1.0);
        let top = (most / every).ceil() * every;
        let y = |count: f64| scale(count, (0.0, top), (BOTTOM, TOP));
        for tick in (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= top) {
            drawing.grid_line(y(tick), "grid", &short(tick));
        }
        let bins = self.counts.len() as f64;
        let x = |edge: usize| scale(edge as f64, (0.0, bins), (LEFT, RIGHT));
        let every = self.counts.len().div_ceil(6).max(1);
        let ticks = self.edges.iter().enumerate().step_by(every);
        drawing.x_axis(ticks.map(|(edge, text)| (x(edge), text.clone())), x_label);
        for (bin, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (from, to) = (&self.edges[bin], &self.edges[bin + 1]);
            let title = format!("{from} to {to} {x_label}: {count}");
            let (left, top) = (x(bin) + 0.5, y(count as f64));
            drawing.bar([left, top, x(bin + 1) - 0.5 - left, BOTTOM - top], &title);
        }
        drawing.end()
    }
}

/// Horizontal bars, each with its name, its count and its share of the total.
pub(super) fn bar_chart(label: &str, rows: &[(&str, u64)]) -> String {
    const NAME_WIDTH: f64 = 158.0;
    const MAX_BAR_WIDTH: f64 = 185.0;
    let mut drawing = Drawing::new(label, ROW_HEIGHT * rows.len() as f64 + 8.0);
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1) as f64;
    let all = rows.iter().map(|row| row.1).sum::<u64>().max(1) as f64;
    for (row, &(name, count)) in rows.iter().enumerate() {
        let top = 4.0 + ROW_HEIGHT * row as f64;
        let name: String = name.chars().take(24).collect();
        let value = format!("{count} ({:.1}%)", count as f64 / all * 100.0);
        let width = scale(count as f64, (0.0, most), (0.0, MAX_BAR_WIDTH));
        drawing.text(NAME_WIDTH - 8.0, top + 17.5, "end", &name);
        drawing.bar([NAME_WIDTH, top + 3.0, width, ROW_HEIGHT - 6.0], &format!("{name}: {value}"));
        drawing.text(NAME_WIDTH + width + 6.0, top + 17.5, "start", &value);
    }
    drawing.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tick_steps_are_round_numbers() {
        let steps = [0.0, 3.0, 9.0, 60.0, 61.0, 1e6].map(|span| round_step(span, 6.0, 0.5));
        assert_eq!(steps, [0.5, 0.5, 2.0, 10.0, 20.0, 200_000.0]);
        assert_eq!(round_step(1.2, 24.0, 0.02), 0.05);
    }

    #[test]
    fn every_value_is_in_the_bin_of_its_edges() {
        let values = [2.3, 1.0, 2.29, 2.4];
        let histogram = Histogram::even(&values, 0.1);
        let (first, last) = (&histogram.edges[0], &histogram.edges[15]);
        assert_eq!((first.as_str(), last.as_str()), ("1.0", "2.5"));
        assert_eq!((histogram.counts[12], histogram.counts[13], histogram.counts[14]), (1, 1, 1));
        assert_eq!(Histogram::even(&[7.0], 1.0).edges, ["7", "8"]);
        assert!(Histogram::even(&[], 1.0).counts.is_empty());
    }

    #[test]
    fn values_out_of_range_do_not_break_the_drawing() {
        assert_eq!(scale(f64::NAN, (0.0, 1.0), (10.0, 20.0)), 10.0);
        assert_eq!(scale(f64::INFINITY, (0.0, 1.0), (10.0, 20.0)), 20.0);
        assert_eq!(scale(3.0, (3.0, 3.0), (10.0, 20.0)), 10.0);
        let nothing = Histogram::trimmed(vec!["0".to_string()], &[]);
        assert!(!nothing.draw("nothing", "ms").contains("NaN"));
    }
}
