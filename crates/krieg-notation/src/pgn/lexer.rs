//! The PGN lexer: splits text into games, tags, moves and comments, each with its line number.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

use krieg_core::excerpt;

use super::{PgnError, at};

/// A game as written in the file; its moves are not checked yet.
#[derive(Debug)]
pub(super) struct RawGame {
    /// The line where the game starts.
    pub line: usize,
    pub tags: BTreeMap<String, (usize, String)>,
    pub items: Vec<Item>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, if the moves end with one.
    pub result: Option<String>,
}

impl RawGame {
    /// The line of the last item.
    pub fn last_line(&self) -> usize {
        self.items.last().map_or(self.line, |item| item.line)
    }
}

#[derive(Debug)]
pub(super) struct Item {
    pub line: usize,
    pub text: ItemText,
}

#[derive(Debug)]
pub(super) enum ItemText {
    Move(String),
    Comment(String),
}

pub(super) struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
    at_line_start: bool,
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lexer { chars: text.chars().peekable(), line: 1, at_line_start: true }
    }

    fn error<T>(&self, line: usize, reason: impl Into<String>) -> Result<T, PgnError> {
        Err(at(line)(reason.into()))
    }

    fn next_char(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        self.at_line_start = c == '\n';
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    fn skip_line(&mut self) {
        while self.next_char().is_some_and(|c| c != '\n') {}
    }

    /// Skips white space, comments from `;` to the end of the line, and lines that start with `%`.
    fn skip_blank(&mut self) {
        while let Some(&c) = self.chars.peek() {
            match c {
                '%' if self.at_line_start => self.skip_line(),
                ';' => self.skip_line(),
                _ if c.is_whitespace() => {
                    self.next_char();
                }
                _ => break,
            }
        }
    }

    /// The next game, or `None` at the end of the text.
    pub fn game(&mut self) -> Result<Option<RawGame>, PgnError> {
        self.skip_blank();
        if self.chars.peek().is_none() {
            return Ok(None);
        }
        let mut game =
            RawGame { line: self.line, tags: BTreeMap::new(), items: Vec::new(), result: None };
        while self.chars.peek() == Some(&'[') {
            let line = self.line;
            let (name, value) = self.tag()?;
            if game.tags.insert(name.clone(), (line, value)).is_some() {
                return self.error(line, format!("tag {:?} occurs twice", excerpt(&name)));
            }
            self.skip_blank();
        }
        self.moves(&mut game)?;
        Ok(Some(game))
    }

    fn tag(&mut self) -> Result<(String, String), PgnError> {
        let line = self.line;
        self.next_char();
        self.skip_blank();
        let mut name = String::new();
        while let Some(&c) = self.chars.peek() {
            if !(c.is_ascii_alphanumeric() || c == '_') {
                break;
            }
            name.push(c);
            self.next_char();
        }
        self.skip_blank();
        if name.is_empty() || self.next_char() != Some('"') {
            return self.error(line, format!("tag {:?} has no name or no value", excerpt(&name)));
        }
        let mut value = String::new();
        loop {
            match self.next_char() {
                Some('"') => break,
                // A backslash before any other character stands for itself.
                Some('\\') if matches!(self.chars.peek(), Some('"' | '\\')) => {
                    value.extend(self.next_char());
                }
                Some('\t') => value.push(' '),
                Some(c) if c != '\n' => value.push(c),
                _ => {
                    let value = excerpt(&value);
                    return self.error(line, format!("tag {name:?}: {value:?} is not closed"));
                }
            }
        }
        self.skip_blank();
        match self.next_char() {
            Some(']') => Ok((name, value)),
            _ => self.error(line, format!("tag {name:?} is not closed by ]")),
        }
    }

    fn moves(&mut self, game: &mut RawGame) -> Result<(), PgnError> {
        let mut depth = 0usize;
        let mut opened_at = self.line;
        loop {
            self.skip_blank();
            let line = self.line;
            match self.chars.peek() {
                None => break,
                // The tags of the next game: this one has no result.
                Some('[') if depth == 0 => break,
                Some('{') => {
                    let text = self.comment()?;
                    if depth == 0 {
                        game.items.push(Item { line, text: ItemText::Comment(text) });
                    }
                }
                Some('(') => {
                    self.next_char();
                    depth += 1;
                    opened_at = line;
                }
                Some(')') => {
                    self.next_char();
                    match depth.checked_sub(1) {
                        Some(less) => depth = less,
                        None => return self.error(line, "\")\" closes no variation"),
                    }
                }
                Some('$') => {
                    self.next_char();
                    self.word();
                }
                Some(_) => {
                    let word = self.word();
                    if depth > 0 {
                        continue;
                    }
                    if RESULTS.contains(&word.as_str()) {
                        game.result = Some(word);
                        return Ok(());
                    }
                    let text = without_number(&word);
                    if !text.is_empty() && text != "e.p." {
                        let text = ItemText::Move(text.to_string());
                        game.items.push(Item { line, text });
                    }
                }
            }
        }
        match depth {
            0 => Ok(()),
            _ => self.error(opened_at, "a variation that begins here is not closed"),
        }
    }

    fn comment(&mut self) -> Result<String, PgnError> {
        let line = self.line;
        self.next_char();
        let mut text = String::new();
        loop {
            match self.next_char() {
                Some('}') => return Ok(text),
                Some(c) => text.push(c),
                None => {
                    let beginning = excerpt(text.trim_end());
                    return self.error(line, format!("the comment {beginning:?} is not closed"));
                }
            }
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(&c) = self.chars.peek() {
            if c.is_whitespace() || (!word.is_empty() && "{}()[];$*".contains(c)) {
                break;
            }
            word.push(c);
            self.next_char();
            if c == '*' {
                break;
            }
        }
        word
    }
}

/// Removes the move number from `12.e4` and `12...e5`; `12.` and `12` become empty.
fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_digits.is_empty() || after_digits.starts_with('.') {
        after_digits.trim_start_matches('.')
    } else {
        word
    }
}
