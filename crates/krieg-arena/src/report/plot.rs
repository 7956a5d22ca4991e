//! The plots of a contest's page, drawn as SVG.
//!
//! All are of one width in units of their own, and the page scales them. Colours are left to its style sheet, which
//! has one set of them for bright screens and paper and another for dark screens.

use std::fmt::Write as _;

use super::html::escape;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 240.0;
/// What is between the axes.
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 18.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 46.0;
/// One line of text, and the bar beside it.
const ROW: f64 = 26.0;

/// How many colours there are, and how many ways to dash a line of the same colour.
const COLORS: usize = 8;
const DASHES: usize = 3;

/// The style of a line, for it and for its place in a legend.
pub(super) fn style(line: usize) -> String {
    format!("s{} d{}", line % COLORS, line / COLORS % DASHES)
}

/// A score as it was after so many games.
pub(super) struct Step {
    pub(super) games: u64,
    pub(super) share: f64,
    pub(super) interval: Option<(f64, f64)>,
}

/// A drawing under way.
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

    /// A line across, with what it stands for at its left.
    fn rule(&mut self, y: f64, class: &str, text: &str) {
        let _ = writeln!(self.0, "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
        self.text(LEFT - 6.0, y + 4.5, "end", text);
    }

    /// What is said below the axis of x: numbers, and what they count.
    fn below(&mut self, ticks: impl Iterator<Item = (f64, String)>, what: &str) {
        for (x, text) in ticks {
            self.text(x, BOTTOM + 18.0, "middle", &text);
        }
        self.text((LEFT + RIGHT) / 2.0, HEIGHT - 8.0, "middle", what);
    }

    fn bar(&mut self, [x, y, width, height]: [f64; 4], title: &str) {
        let title = escape(title);
        let _ = writeln!(
            self.0,
            "<rect class=\"s0\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
             <title>{title}</title></rect>"
        );
    }

    fn end(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Where a value of a range comes to stand in another. Whatever is outside stands at the edge, and what is no number
/// at the beginning: a drawing must not break for it.
fn place(value: f64, (low, high): (f64, f64), (from, to): (f64, f64)) -> f64 {
    let part = (value - low) / (high - low);
    from + (to - from) * if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
}

/// The least of 1, 2 and 5 times a power of ten that goes into a span at most so many times.
fn round_step(span: f64, most: f64, least: f64) -> f64 {
    let wanted = (span / most).clamp(least, 1e18);
    // Without logarithms, which may differ in their last digit from machine to machine.
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

/// A number beside an axis, where there is little room.
fn short(number: f64) -> String {
    match number {
        ..10_000.0 => number.to_string(),
        ..10_000_000.0 => format!("{}k", number / 1e3),
        _ => format!("{}M", number / 1e6),
    }
}

/// Scores over games, one line each, and the band of its interval where it has one.
pub(super) fn scores(label: &str, lines: &[Vec<Step>]) -> String {
    let mut drawing = Drawing::new(label, HEIGHT);
    let most = lines.iter().flatten().map(|step| step.games).max().unwrap_or(1).max(1) as f64;
    let (low, high) = range(lines, most);
    let x = |games: u64| place(games as f64, (0.0, most), (LEFT, RIGHT));
    let y = |share: f64| place(share * 100.0, (low as f64, high as f64), (BOTTOM, TOP));
    let every = if high - low > 50 { 25 } else { 10 };
    for percent in (low..=high).filter(|percent| percent % every == 0) {
        let class = if percent == 50 { "even" } else { "grid" };
        drawing.rule(y(f64::from(percent) / 100.0), class, &format!("{percent}%"));
    }
    let every = round_step(most, 6.0, 1.0);
    let ticks = (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= most);
    drawing.below(ticks.map(|tick| (x(tick as u64), short(tick))), "games");
    for (at, steps) in lines.iter().enumerate() {
        let style = style(at);
        let edge = |edge: fn((f64, f64)) -> f64| {
            move |step: &Step| step.interval.map(|ends| (step.games, edge(ends)))
        };
        let corner = |(games, share): (u64, f64)| format!("{:.1},{:.1}", x(games), y(share));
        let lower = steps.iter().filter_map(edge(|ends| ends.0)).map(corner);
        let upper = steps.iter().rev().filter_map(edge(|ends| ends.1)).map(corner);
        let band: Vec<String> = lower.chain(upper).collect();
        if !band.is_empty() {
            let band = band.join(" ");
            let _ = writeln!(drawing.0, "<polygon class=\"band {style}\" points=\"{band}\"/>");
        }
        let line: Vec<String> = steps.iter().map(|step| corner((step.games, step.share))).collect();
        let line = line.join(" ");
        let _ = writeln!(drawing.0, "<polyline class=\"{style}\" points=\"{line}\"/>");
        if let Some(last) = steps.last() {
            let (x, y) = (x(last.games), y(last.share));
            let _ = writeln!(
                drawing.0,
                "<circle class=\"{style}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
            );
        }
    }
    drawing.end()
}

/// Lines of points, from nought upwards.
pub(super) fn lines(label: &str, across: &str, lines: &[&[(f64, f64)]]) -> String {
    let mut drawing = Drawing::new(label, HEIGHT);
    let highest = |of: fn(&(f64, f64)) -> f64| {
        lines.iter().copied().flatten().map(of).fold(0.0, f64::max).max(1e-9)
    };
    let (right, top) = (highest(|point| point.0), highest(|point| point.1));
    let x = |value: f64| place(value, (0.0, right), (LEFT, RIGHT));
    let y = |value: f64| place(value, (0.0, top), (BOTTOM, TOP));
    let every = round_step(top, 5.0, 1e-3);
    for tick in (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= top) {
        drawing.rule(y(tick), "grid", &short((tick * 1e3).round() / 1e3));
    }
    let every = round_step(right, 8.0, 1.0);
    let ticks = (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= right);
    drawing.below(ticks.map(|tick| (x(tick), short(tick))), across);
    for (at, points) in lines.iter().enumerate() {
        let corner = |(across, up): &(f64, f64)| format!("{:.1},{:.1}", x(*across), y(*up));
        let corners: Vec<String> = points.iter().map(corner).collect();
        let (style, corners) = (style(at), corners.join(" "));
        let _ = writeln!(drawing.0, "<polyline class=\"{style}\" points=\"{corners}\"/>");
    }
    drawing.end()
}

/// From where to where scores are shown, in whole tens of percent: all but the first twentieth of the games, in which
/// a score still jumps from one end to the other.
fn range(lines: &[Vec<Step>], most: f64) -> (i32, i32) {
    let late = lines.iter().flatten().filter(|step| step.games as f64 >= most / 20.0);
    let ends = late.map(|step| step.interval.unwrap_or((step.share, step.share)));
    let (low, high) =
        ends.fold((0.45_f64, 0.55_f64), |(low, high), ends| (low.min(ends.0), high.max(ends.1)));
    ((low * 10.0).floor() as i32 * 10, (high * 10.0).ceil() as i32 * 10)
}

/// How many of something lie between each two edges.
pub(super) struct Histogram {
    edges: Vec<String>,
    counts: Vec<u64>,
}

impl Histogram {
    /// Some two dozen bins of equal width, none narrower than `least`. The values must be finite.
    pub(super) fn even(values: &[f64], least: f64) -> Self {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let width = round_step(high - low, 24.0, least);
        // A hair more, or 2.3 would fall below 23 times 0.1.
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

    /// Bins with these edges, of which there is one more than counts. Empty ones at both ends are left out.
    pub(super) fn trimmed(edges: Vec<String>, counts: &[u64]) -> Self {
        let first = counts.iter().position(|count| *count > 0).unwrap_or(0);
        let end = counts.iter().rposition(|count| *count > 0).map_or(first, |last| last + 1);
        let edges = edges.into_iter().skip(first).take(end - first + 1).collect();
        Histogram { edges, counts: counts[first..end].to_vec() }
    }

    /// As bars side by side, with what the edges measure below them.
    pub(super) fn draw(&self, label: &str, what: &str) -> String {
        let mut drawing = Drawing::new(label, HEIGHT);
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
        let every = round_step(most, 4.0, 1.0);
        let top = (most / every).ceil() * every;
        let y = |count: f64| place(count, (0.0, top), (BOTTOM, TOP));
        for tick in (0..).map(|tick| f64::from(tick) * every).take_while(|tick| *tick <= top) {
            drawing.rule(y(tick), "grid", &short(tick));
        }
        let bins = self.counts.len() as f64;
        let x = |edge: usize| place(edge as f64, (0.0, bins), (LEFT, RIGHT));
        let every = self.counts.len().div_ceil(6).max(1);
        let ticks = self.edges.iter().enumerate().step_by(every);
        drawing.below(ticks.map(|(edge, text)| (x(edge), text.clone())), what);
        for (at, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let title = format!("{} to {} {what}: {count}", self.edges[at], self.edges[at + 1]);
            let (left, top) = (x(at) + 0.5, y(count as f64));
            drawing.bar([left, top, x(at + 1) - 0.5 - left, BOTTOM - top], &title);
        }
        drawing.end()
    }
}

/// Bars one below the other, each with its name, its count, and its part of all.
pub(super) fn bars(label: &str, rows: &[(&str, u64)]) -> String {
    const NAMES: f64 = 158.0;
    const LONGEST: f64 = 185.0;
    let mut drawing = Drawing::new(label, ROW * rows.len() as f64 + 8.0);
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1) as f64;
    let all = rows.iter().map(|row| row.1).sum::<u64>().max(1) as f64;
    for (at, &(name, count)) in rows.iter().enumerate() {
        let top = 4.0 + ROW * at as f64;
        let name: String = name.chars().take(24).collect();
        let says = format!("{count} ({:.1}%)", count as f64 / all * 100.0);
        let width = place(count as f64, (0.0, most), (0.0, LONGEST));
        drawing.text(NAMES - 8.0, top + 17.5, "end", &name);
        drawing.bar([NAMES, top + 3.0, width, ROW - 6.0], &format!("{name}: {says}"));
        drawing.text(NAMES + width + 6.0, top + 17.5, "start", &says);
    }
    drawing.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
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
    fn what_cannot_be_placed_breaks_no_drawing() {
        assert_eq!(place(f64::NAN, (0.0, 1.0), (10.0, 20.0)), 10.0);
        assert_eq!(place(f64::INFINITY, (0.0, 1.0), (10.0, 20.0)), 20.0);
        assert_eq!(place(3.0, (3.0, 3.0), (10.0, 20.0)), 10.0);
        let nothing = Histogram::trimmed(vec!["0".to_string()], &[]);
        assert!(!nothing.draw("nothing", "ms").contains("NaN"));
    }
}
