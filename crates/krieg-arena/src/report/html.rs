//! Texts from outside, made fit for HTML and SVG.

use krieg_players::PlayerSpec;

/// A text as HTML shows it, within an element or within quotes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // HTML has no place for most of these, not even escaped.
            _ if letter.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A text whose direction of writing does not turn what stands around it.
pub(super) fn apart(text: &str) -> String {
    format!("<bdi>{}</bdi>", escape(text))
}

/// A player's name, cut where it is very long.
pub(super) fn name(player: &PlayerSpec) -> String {
    apart(&krieg_core::excerpt(&player.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_means_something_to_html_is_left() {
        assert_eq!(escape("<b a=\"1\">&'\0"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39;\u{fffd}");
        assert_eq!(escape("±½ é"), "±½ é");
    }
}
