//! Building blocks of HTML pages, so that all pages have the same style.
//!
//! All functions except [`escape`] expect HTML: text from outside goes through [`escape`] first.

use krieg_players::PlayerSpec;

const STYLE: &str = include_str!("page.css");

/// Escapes text for use in an element or in a quoted attribute.
///
/// ```
/// use krieg_arena::report::html::escape;
/// assert_eq!(escape("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
/// ```
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // HTML does not allow most control characters, not even escaped.
            _ if letter.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Escaped text that is isolated from the writing direction of the text around it.
pub(super) fn isolated(text: &str) -> String {
    format!("<bdi>{}</bdi>", escape(text))
}

/// A player's name, shortened if it is very long.
pub(super) fn player_name(player: &PlayerSpec) -> String {
    isolated(&krieg_core::excerpt(&player.to_string()))
}

/// A complete page without external resources. `style` is appended to the common style sheet.
///
/// ```
/// use krieg_arena::report::html::{document, section};
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

/// A section with a heading.
pub fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{content}</section>\n")
}

/// A table with two columns: names and values.
pub fn key_value_table(rows: &[(&str, String)]) -> String {
    let row = |(key, value): &(&str, String)| {
        format!("<tr><th scope=\"row\">{key}</th><td class=\"text\">{value}</td></tr>\n")
    };
    format!("<table>\n{}</table>\n", rows.iter().map(row).collect::<String>())
}

/// What a table contains in all columns but the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Text, left-aligned.
    Text,
    /// Numbers, right-aligned.
    Number,
}

/// A table with a header row that scrolls sideways on narrow screens. The rows are HTML from
/// `<tr>` to `</tr>`.
pub fn table(label: &str, cells: CellKind, headings: &[&str], rows: &str) -> String {
    let class = match cells {
        CellKind::Text => "scroll",
        CellKind::Number => "scroll numbers",
    };
    let heading = |text: &&str| format!("<th scope=\"col\">{text}</th>");
    format!(
        "<div class=\"{class}\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">\n\
         <table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        headings.iter().map(heading).collect::<String>()
    )
}

/// Figures side by side where the screen is wide enough.
pub fn figure_grid(figures: &str) -> String {
    format!("<div class=\"figures\">\n{figures}</div>\n")
}

/// A figure with a title and a caption.
pub(super) fn figure(title: &str, drawing: &str, caption: &str) -> String {
    format!(
        "<figure>\n<figcaption><strong>{title}.</strong> {caption}</figcaption>\n\
         {drawing}</figure>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_with_a_meaning_in_html_are_escaped() {
        assert_eq!(escape("<b a=\"1\">&'\0"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39;\u{fffd}");
        assert_eq!(escape("±½ é"), "±½ é");
    }
}
