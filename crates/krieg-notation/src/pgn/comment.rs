//! The comments of extended PGN.
//!
//! Source: Favini 2010, appendix B. The comment after a move is
//! `{umpire's messages:refused tries}`. Information without a code in the appendix follows in the
//! same comment, as commands in the syntax that PGN files use for clock times. There is one comment
//! after a move, because some readers (chess.js) reject a second one; reading accepts several:
//!
//! | command | meaning |
//! | --- | --- |
//! | `[%ms 120,80,300]` | milliseconds for each try of the turn, in order, `-` where unknown |
//! | `[%any 2]` | "any?" was asked after two refused tries; without it, before the first try |
//! | `[%tried A0:Nf3]` | the last turn, without a move: messages and refused tries |
//! | `[%victim pawn]`, `[%capturer piece]` | the announced details of a capture |
//! | `[%passant]` | the capture was announced as en passant |
//! | `[%promoted]` | a promotion was announced |
//!
//! The last four occur only in a player's transcript: in the umpire's record they follow from the
//! moves.

use std::fmt;

use krieg_core::{
    Announcement, BitBoard, Direction, PawnTryAnnouncement, PieceKind, Square, Verdict, excerpt,
};

/// The code of an umpire message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// `P2`: number of pawn tries of the next side; 0 or 1 if only their existence is announced.
    Pawns(u8),
    /// `Pe5`: the pawn on e5 has a try.
    PawnOn(Square),
    /// `A1` or `A0`: the mover asked "any?" and the answer was yes or no.
    Any(bool),
    /// `CR`, `CF`, `CL`, `CS`, `CN`: a check from this direction.
    Check(Direction),
    /// `Xe5`: a capture on e5.
    Capture(Square),
    /// `??`: a message that the narrator does not know.
    Unknown,
}

impl Code {
    fn direction_letter(direction: Direction) -> char {
        match direction {
            Direction::Rank => 'R',
            Direction::File => 'F',
            Direction::LongDiagonal => 'L',
            Direction::ShortDiagonal => 'S',
            Direction::Knight => 'N',
        }
    }

    /// The codes of an announcement.
    pub fn of(announcement: &Announcement) -> Vec<Code> {
        let mut codes = Vec::new();
        if let Verdict::Any(yes) = announcement.verdict {
            codes.push(Code::Any(yes));
        }
        match announcement.pawn_tries {
            PawnTryAnnouncement::Silent => {}
            PawnTryAnnouncement::Count(count) => codes.push(Code::Pawns(count)),
            PawnTryAnnouncement::Whether(there_is) => codes.push(Code::Pawns(there_is.into())),
            PawnTryAnnouncement::From(BitBoard::EMPTY) => codes.push(Code::Pawns(0)),
            PawnTryAnnouncement::From(squares) => {
                codes.extend(squares.into_iter().map(Code::PawnOn))
            }
        }
        codes.extend(announcement.checks.iter().map(Code::Check));
        codes.extend(announcement.capture.map(|capture| Code::Capture(capture.square)));
        codes
    }

    fn parse(text: &str) -> Option<Code> {
        if text == "??" {
            return Some(Code::Unknown);
        }
        let (letter, rest) = (text.get(..1)?, text.get(1..)?);
        let number = || {
            let plain = !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
            if plain { rest.parse::<u8>().ok() } else { None }
        };
        match letter {
            "P" => number().map(Code::Pawns).or_else(|| rest.parse().ok().map(Code::PawnOn)),
            "A" => match rest {
                "yes" | "y" => Some(Code::Any(true)),
                "no" | "n" => Some(Code::Any(false)),
                _ => number().map(|count| Code::Any(count > 0)),
            },
            "C" => {
                let mut letters = rest.chars();
                let letter = letters.next().filter(|_| letters.next().is_none())?;
                Direction::ALL
                    .into_iter()
                    .find(|&direction| Code::direction_letter(direction) == letter)
                    .map(Code::Check)
            }
            "X" => rest.parse().ok().map(Code::Capture),
            _ => None,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Pawns(count) => write!(f, "P{count}"),
            Code::PawnOn(square) => write!(f, "P{square}"),
            Code::Any(yes) => write!(f, "A{}", u8::from(*yes)),
            Code::Check(direction) => write!(f, "C{}", Code::direction_letter(*direction)),
            Code::Capture(square) => write!(f, "X{square}"),
            Code::Unknown => f.write_str("??"),
        }
    }
}

/// The contents of the comments after one move.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Comments {
    pub codes: Vec<Code>,
    /// The refused tries as they are written.
    pub refused: Vec<String>,
    pub ms: Vec<Option<u32>>,
    /// Number of refused tries before "any?" was asked.
    pub any_after: usize,
    pub victim: Option<PieceKind>,
    pub capturer: Option<PieceKind>,
    pub en_passant: bool,
    pub promoted: bool,
}

impl Comments {
    /// Adds one comment. Text that is neither messages nor commands is a remark and is ignored. A
    /// `[%tried]` goes to `unfinished`, because it belongs to the turn after this one.
    pub fn add(&mut self, text: &str, unfinished: &mut Option<Comments>) -> Result<(), String> {
        let (text, commands) = text.split_at(text.find("[%").unwrap_or(text.len()));
        if let Some((before, _)) = text.split_once(':')
            && words(before).next().is_none_or(looks_like_a_code)
        {
            self.add_messages(text)?;
        }
        self.add_commands(commands, unfinished)
    }

    fn add_messages(&mut self, text: &str) -> Result<(), String> {
        let (codes, refused) = text.split_once(':').unwrap_or((text, ""));
        for word in words(codes) {
            let error = || format!("{:?} is not an umpire message", excerpt(word));
            self.codes.push(Code::parse(word).ok_or_else(error)?);
        }
        self.refused.extend(words(refused).map(str::to_string));
        Ok(())
    }

    fn add_commands(
        &mut self,
        text: &str,
        unfinished: &mut Option<Comments>,
    ) -> Result<(), String> {
        for command in text.split("[%").skip(1) {
            let Some((command, _)) = command.split_once(']') else {
                return Err(format!("the command {:?} is not closed", excerpt(command)));
            };
            let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
            // Commands after `tried` belong to that unfinished turn.
            let turn: &mut Comments = match unfinished {
                Some(turn) => turn,
                None => self,
            };
            let error =
                || format!("{:?} is not a valid command", excerpt(&format!("[%{command}]")));
            match name {
                "tried" => {
                    let mut turn = Comments::default();
                    turn.add_messages(rest)?;
                    *unfinished = Some(turn);
                }
                "ms" => {
                    for word in words(rest) {
                        let ms = if word == "-" {
                            None
                        } else {
                            Some(word.parse().map_err(|_| error())?)
                        };
                        turn.ms.push(ms);
                    }
                }
                "any" => turn.any_after = rest.trim().parse().map_err(|_| error())?,
                "victim" => turn.victim = Some(parse_kind(rest).ok_or_else(error)?),
                "capturer" => turn.capturer = Some(parse_kind(rest).ok_or_else(error)?),
                "passant" => turn.en_passant = true,
                "promoted" => turn.promoted = true,
                // Commands of other programs, such as clock times, evaluations and arrows.
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that there is a time for each of the `tries`, or for none.
    pub fn check_times(&self, tries: usize) -> Result<(), String> {
        match self.ms.len() {
            0 => Ok(()),
            count if count == tries => Ok(()),
            count => Err(format!("{count} times for {tries} tries")),
        }
    }

    /// The time of the `n`th try of the turn in milliseconds.
    pub fn ms_of(&self, n: usize) -> Option<u32> {
        self.ms.get(n).copied().flatten()
    }

    /// The answer to "any?", if it was asked.
    pub fn any(&self) -> Option<bool> {
        self.codes.iter().find_map(|code| match code {
            Code::Any(yes) => Some(*yes),
            _ => None,
        })
    }
}

/// Whether the word was meant as an umpire message, valid or not.
fn looks_like_a_code(word: &str) -> bool {
    word == "??" || (word.len() <= 4 && word.starts_with(['P', 'A', 'C', 'X']))
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|word| !word.is_empty())
}

fn parse_kind(text: &str) -> Option<PieceKind> {
    [PieceKind::Pawn, PieceKind::Piece].into_iter().find(|kind| kind.name() == text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_appendix_b_are_parsed() {
        for text in ["P0", "P12", "A1", "A0", "CR", "CF", "CL", "CS", "CN", "Xa1", "Pe5", "??"] {
            assert_eq!(Code::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Code::parse("Ayes"), Some(Code::Any(true)));
        for text in ["", "P", "Pz9", "P999", "C", "CQ", "CRF", "Xi9", "X", "e4", "P+1", "é"] {
            assert_eq!(Code::parse(text), None, "{text}");
        }
    }

    #[test]
    fn remarks_are_ignored() {
        let mut comments = Comments::default();
        let mut unfinished = None;
        for remark in ["a brave try", "Best by test: e4", "Why: look [%clk 0:05:00]"] {
            comments.add(remark, &mut unfinished).unwrap();
            assert_eq!(comments, Comments::default(), "{remark}");
        }
        comments.add(" P0, CF : Nf3 , Bb5 ", &mut unfinished).unwrap();
        assert_eq!(comments.codes, [Code::Pawns(0), Code::Check(Direction::File)]);
        assert_eq!(comments.refused, ["Nf3", "Bb5"]);
        let error = comments.add("Pz9:", &mut unfinished).unwrap_err();
        assert_eq!(error, "\"Pz9\" is not an umpire message");
    }
}
