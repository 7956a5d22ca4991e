//! Shortens text that is quoted in error messages.

/// Maximum number of characters that [`excerpt`] keeps.
const EXCERPT_CHARS: usize = 60;

/// Maximum number of characters that [`short_reason`] keeps.
const REASON_CHARS: usize = 300;

/// The beginning of a text, short enough to be quoted in an error message.
///
/// ```
/// use krieg_core::excerpt;
/// assert_eq!(excerpt("e2e4"), "e2e4");
/// assert_eq!(excerpt(&"x".repeat(100)).chars().count(), 61);
/// ```
pub fn excerpt(text: &str) -> String {
    shorten(text, EXCERPT_CHARS)
}

/// An error's text, cut to at most 300 characters so that a log line stays readable even if the
/// error quotes a large input.
///
/// ```
/// use krieg_core::short_reason;
/// assert_eq!(short_reason("has 7 ranks"), "has 7 ranks");
/// assert!(short_reason("x".repeat(1_000_000)).len() < 400);
/// ```
pub fn short_reason(error: impl ToString) -> String {
    shorten(&error.to_string(), REASON_CHARS)
}

/// The first `max_chars` characters, followed by an ellipsis if there are more.
fn shorten(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
