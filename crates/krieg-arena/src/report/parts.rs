//! The parts that pages for the browser are made of, so that all have one look.
//!
//! What they are handed is HTML: texts from outside go through [`escape`] first.

pub use super::html::escape;

const STYLE: &str = include_str!("page.css");

/// A whole page, one file that asks for no other. `style` is added to the style sheet that all pages have.
///
/// ```
/// use krieg_arena::report::parts::{document, section};
/// let page = document("Tables", "Tables", "", &section("KRK", "<p>37 moves.</p>\n"));
/// assert!(page.contains("<title>Tables</title>") && page.ends_with("</html>\n"));
/// ```
pub fn document(title: &str, heading: &str, style: &str, content: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n\
         <h1>{heading}</h1>\n{content}</body>\n</html>\n"
    )
}

/// A part of a page under its own title.
pub fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{content}</section>\n")
}

/// A table of two columns, of which the first says what the second is.
pub fn facts(rows: &[(&str, String)]) -> String {
    let row = |(what, is): &(&str, String)| {
        format!("<tr><th scope=\"row\">{what}</th><td class=\"text\">{is}</td></tr>\n")
    };
    format!("<table>\n{}</table>\n", rows.iter().map(row).collect::<String>())
}

/// What is in a table but for its first column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Texts, from the left.
    Texts,
    /// Numbers, to the right.
    Numbers,
}

/// A table under a row of headings, that can be moved sideways where the screen is narrow. The rows are HTML from `<tr>` to `</tr>`.
pub fn table(label: &str, cells: Cells, headings: &[&str], rows: &str) -> String {
    let class = match cells {
        Cells::Texts => "scroll",
        Cells::Numbers => "scroll numbers",
    };
    let heading = |text: &&str| format!("<th scope=\"col\">{text}</th>");
    format!(
        "<div class=\"{class}\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">\n\
         <table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        headings.iter().map(heading).collect::<String>()
    )
}

/// Figures side by side where there is room.
pub fn figures(drawn: &str) -> String {
    format!("<div class=\"figures\">\n{drawn}</div>\n")
}
