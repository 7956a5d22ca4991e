//! A program and its arguments, read from one command line.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A program and its arguments.
///
/// The text form follows the shell: words are separated by spaces, and quotes enclose a word that
/// contains spaces.
///
/// ```
/// use krieg_io::Program;
/// let program: Program = "python3 'my bot.py' --fast".parse().unwrap();
/// assert_eq!(program.name, "python3");
/// assert_eq!(program.arguments, ["my bot.py", "--fast"]);
/// assert_eq!(program.to_string().parse(), Ok(program));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Name of the program, looked up on the `PATH`, or the path to it.
    pub name: String,
    /// Arguments, without the program name.
    pub arguments: Vec<String>,
}

/// The text is not a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseProgramError {
    /// The text has no words.
    #[error("a command must name a program")]
    Empty,
    /// A quote is opened and not closed.
    #[error("a quote is not closed")]
    OpenQuote,
}

impl FromStr for Program {
    type Err = ParseProgramError;

    fn from_str(text: &str) -> Result<Self, ParseProgramError> {
        let mut words = split_words(text)?.into_iter();
        let name = words.next().ok_or(ParseProgramError::Empty)?;
        Ok(Program { name, arguments: words.collect() })
    }
}

fn split_words(text: &str) -> Result<Vec<String>, ParseProgramError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(ParseProgramError::OpenQuote) } else { Ok(words) }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(f, &self.name)?;
        self.arguments.iter().try_for_each(|argument| {
            f.write_str(" ")?;
            write_word(f, argument)
        })
    }
}

fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let is_plain =
        !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"".contains(c));
    match is_plain {
        true => f.write_str(word),
        // A single quote is written in double quotes, between two parts in single quotes.
        false => write!(f, "'{}'", word.replace('\'', "'\"'\"'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_enclose_words_with_spaces() {
        let program: Program = r#"./bot "a b" c'd e' '' "it's""#.parse().unwrap();
        assert_eq!(program.arguments, ["a b", "cd e", "", "it's"]);
        assert_eq!(program.to_string().parse(), Ok(program));
        let both = Program { name: "bot".to_string(), arguments: vec![r#"'a' "b""#.to_string()] };
        assert_eq!(both.to_string().parse(), Ok(both));
        assert_eq!("  ".parse::<Program>(), Err(ParseProgramError::Empty));
        assert_eq!("bot 'half".parse::<Program>(), Err(ParseProgramError::OpenQuote));
    }
}
