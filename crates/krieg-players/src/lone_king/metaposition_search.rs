//! What to try against a lone king where no table says it: a look one or two own moves ahead, over all squares he may be on.
//!
//! After Favini's thesis (2010), chapter 6, with two differences: what may be heard is not thought to be the worst, but counts by the number
//! of squares on which it would be said; and where tables are at hand they are asked about what may come.

use std::collections::HashMap;

use krieg_core::{BitBoard, Move, PieceSet, Promotion, Square};

use crate::lone_king::containment::{Grip, after, beside, can_mate, refused_by, without};
use crate::lone_king::evaluation::promise;

/// Asks for the moves to a sure mate.
pub(crate) type Oracle<'a> = &'a dyn Fn(&PieceSet, BitBoard) -> Option<u16>;

/// What was on the board in this game with the own side to move: men and possible kings, and how often.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    seen: HashMap<(PieceSet, u64), u32>,
    stood: HashMap<PieceSet, u32>,
}

impl Memory {
    pub fn note(&mut self, men: &PieceSet, kings: BitBoard) {
        *self.seen.entry((*men, kings.0)).or_default() += 1;
        *self.stood.entry(*men).or_default() += 1;
    }

    /// The squares of the king's on which this try may bring a position about for the third time: the men would stand as they have stood twice, and he is not mated there.
    pub fn at_risk(&self, men: &PieceSet, kings: BitBoard, mv: Move) -> BitBoard {
        let next = after(men, mv);
        if self.stood.get(&next).is_none_or(|times| *times < 2) {
            return BitBoard::EMPTY;
        }
        kings & !refused_by(men, mv) & !Grip::new(&next).mated()
    }

    /// What coming back costs. The umpire counts positions, of which one knows the own half; so the own half is worth a change, too.
    fn tedium(&self, men: &PieceSet, kings: BitBoard) -> f64 {
        let times = |count: Option<&u32>| f64::from(count.copied().unwrap_or(0));
        0.05 * times(self.seen.get(&(*men, kings.0))) + 0.02 * times(self.stood.get(men))
    }
}

/// What a try is worth: first the squares on which it throws the win away, then the value, from nought to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outlook {
    /// Of so many squares, on so many it is stalemate, or a man is lost without whom there is no mate.
    pub thrown_away: u32,
    /// The mean over all squares.
    pub value: f64,
}

impl Outlook {
    fn is_better_than(&self, other: &Outlook) -> bool {
        (other.thrown_away, self.value) > (self.thrown_away, other.value)
    }
}

/// Mate is sure. What is less sure is worth less than that, whatever it is.
pub(crate) const SURE: f64 = 0.9;
/// It is sure by the table of a part of the men.
pub(crate) const SURE_FOR_A_PART: f64 = 0.89;
/// Each move to a sure mate costs this.
const MOVE: f64 = 0.001;
/// The best that may be hoped for where nothing is sure.
const HOPE: f64 = 0.8;
/// What is left of a hope when a man is lost without whom there can still be mate.
const AFTER_LOSS: f64 = 0.5;
/// So many of the best tries are looked at again, a move further ahead.
const LOOKED_AT_AGAIN: usize = 6;

/// Chooses tries.
pub(crate) struct Progress<'a> {
    /// The tables, if there are any, and what it is worth that they say that mate is sure.
    pub oracle: Option<(Oracle<'a>, f64)>,
    /// What was there already.
    pub memory: &'a Memory,
    /// Whether stalemate is a win.
    pub stalemate_wins: bool,
    /// Whether a position that stands for the third time is a draw.
    pub repetition_draws: bool,
}

impl Progress<'_> {
    /// The best of these tries, if any of them may be legal.
    pub fn choose(
        &self,
        men: &PieceSet,
        kings: BitBoard,
        tries: &[Move],
    ) -> Option<(Move, Outlook)> {
        let mut rated: Vec<(Move, Outlook)> = tries
            .iter()
            .filter(|&&mv| is_worth_a_try(men, mv) && !kings.is_subset(refused_by(men, mv)))
            .map(|&mv| (mv, self.outlook(men, kings, mv, tries)))
            .map(|(mv, outlook)| (mv, self.with_repetition(men, kings, mv, outlook)))
            .collect();
        // The first of equals stays the first, so that the choice is the same everywhere.
        rated.sort_by(|(_, a), (_, b)| {
            a.thrown_away.cmp(&b.thrown_away).then(b.value.total_cmp(&a.value))
        });
        let least = rated.first()?.1.thrown_away;
        let again = rated.iter().take_while(|(_, outlook)| outlook.thrown_away == least);
        let mut best: Option<(Move, Outlook)> = None;
        for &(mv, first) in again.take(LOOKED_AT_AGAIN) {
            let further = self.legal_part(men, kings & !refused_by(men, mv), mv, true);
            let value = (first.value + further.value) / 2.0;
            let outlook = Outlook { value, ..first };
            if best.is_none_or(|(_, best)| outlook.is_better_than(&best)) {
                best = Some((mv, outlook));
            }
        }
        best
    }

    /// Whoever lets his men stand as they have stood twice throws the win away wherever the king may have come back, too, unless he is mated there.
    fn with_repetition(
        &self,
        men: &PieceSet,
        kings: BitBoard,
        mv: Move,
        outlook: Outlook,
    ) -> Outlook {
        if !self.repetition_draws {
            return outlook;
        }
        let at_risk = self.memory.at_risk(men, kings, mv);
        Outlook { thrown_away: outlook.thrown_away.max(at_risk.len()), ..outlook }
    }

    /// What a try is worth, be it legal or not: a refusal costs nothing, and tells where the king is.
    fn outlook(&self, men: &PieceSet, kings: BitBoard, mv: Move, tries: &[Move]) -> Outlook {
        let refused = kings & refused_by(men, mv);
        let legal = self.legal_part(men, kings & !refused, mv, false);
        if refused.is_empty() {
            return legal;
        }
        let others = tries.iter().filter(|&&other| other != mv && is_worth_a_try(men, other));
        let next = match self.sure(men, refused) {
            Some(value) => Some(Outlook { thrown_away: 0, value }),
            None => best_of(others.filter_map(|&other| {
                let left = refused & !refused_by(men, other);
                let is_sure = left == refused;
                is_sure.then(|| self.legal_part(men, left, other, false))
            })),
        };
        let next = next.unwrap_or(Outlook { thrown_away: refused.len(), value: 0.0 });
        let share = refused.len() as f64 / kings.len() as f64;
        Outlook {
            thrown_away: legal.thrown_away + next.thrown_away,
            value: legal.value * (1.0 - share) + next.value * share,
        }
    }

    /// What a move is worth that is legal with the king on any of these squares.
    fn legal_part(&self, men: &PieceSet, kings: BitBoard, mv: Move, further: bool) -> Outlook {
        let men = after(men, mv);
        let grip = Grip::new(&men);
        let stalemated = kings & grip.stalemated();
        let mut sum = (kings & grip.mated()).len() as f64;
        let mut thrown_away = 0;
        match self.stalemate_wins {
            true => sum += stalemated.len() as f64,
            false => thrown_away += stalemated.len(),
        }
        for class in grip.classes(kings) {
            let moved = grip.after_moving(class);
            let goes_on = match moved.is_empty() {
                true => 1.0,
                false => self.future(&men, moved, further),
            };
            let takers = class & beside(grip.loose);
            sum += goes_on * (class & !takers).len() as f64;
            for taker in takers {
                let after_loss = self.after_loss(&men, beside(taker.bitboard()) & grip.loose);
                thrown_away += u32::from(after_loss == 0.0);
                sum += goes_on.min(after_loss);
            }
        }
        Outlook { thrown_away, value: sum / kings.len().max(1) as f64 }
    }

    /// The worst that comes of losing one of these men; nought if no mate is left.
    fn after_loss(&self, men: &PieceSet, loose: BitBoard) -> f64 {
        let left = |lost: Square| {
            let rest = without(men, lost);
            match can_mate(&rest) {
                true => match self.sure(&rest, lost.bitboard()) {
                    Some(value) => value,
                    None => AFTER_LOSS * HOPE * promise(&rest, lost.bitboard()),
                },
                false => 0.0,
            }
        };
        loose.into_iter().map(left).fold(1.0, f64::min)
    }

    fn sure(&self, men: &PieceSet, kings: BitBoard) -> Option<f64> {
        let (ask, worth) = self.oracle?;
        Some(worth - MOVE * f64::from(ask(men, kings)?))
    }

    /// What a metaposition is worth with the own side to move.
    fn future(&self, men: &PieceSet, kings: BitBoard, further: bool) -> f64 {
        if let Some(value) = self.sure(men, kings) {
            return value;
        }
        let blind = Progress { oracle: None, ..*self };
        let looked = further.then(|| {
            let tries = men.tries();
            let legal = tries
                .iter()
                .filter(|&mv| is_worth_a_try(men, mv) && kings.is_disjoint(refused_by(men, mv)));
            // Nobody goes on to where he throws the win away.
            let safe = legal.map(|mv| blind.legal_part(men, kings, mv, false));
            best_of(safe.filter(|outlook| outlook.thrown_away == 0))
        });
        let value = match looked {
            Some(Some(outlook)) => outlook.value,
            Some(None) => 0.0,
            None => HOPE * promise(men, kings),
        };
        (value - self.memory.tedium(men, kings)).max(0.0)
    }
}

fn best_of(outlooks: impl Iterator<Item = Outlook>) -> Option<Outlook> {
    outlooks.reduce(|best, other| if other.is_better_than(&best) { other } else { best })
}

/// A pawn's diagonal is never legal against a lone king, and that a pawn becomes a bishop or a knight is left out.
fn is_worth_a_try(men: &PieceSet, mv: Move) -> bool {
    let is_heavy = matches!(mv.promotion, None | Some(Promotion::Queen | Promotion::Rook));
    is_heavy && !men.is_pawn_capture(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position};

    /// Without tables, where repetition draws.
    fn by_oneself(memory: &Memory, stalemate_wins: bool) -> Progress<'_> {
        Progress { oracle: None, memory, stalemate_wins, repetition_draws: true }
    }

    /// What is chosen with the king where he stands, or on one of these squares as well.
    fn chosen(fen: &str, more_kings: &[Square], stalemate_wins: bool) -> (String, Outlook) {
        let board = Position::from_fen(fen).unwrap();
        let men = board.pieces(board.turn());
        let mut kings = board.pieces(!board.turn()).all();
        more_kings.iter().for_each(|king| kings |= king.bitboard());
        let memory = Memory::default();
        let progress = by_oneself(&memory, stalemate_wins);
        let tries: Vec<Move> = men.tries().iter().collect();
        let (mv, outlook) = progress.choose(&men, kings, &tries).unwrap();
        (mv.to_string(), outlook)
    }

    #[test]
    fn a_mate_is_given() {
        assert_eq!(chosen("k7/8/1K6/8/8/8/8/7R w - - 0 1", &[], false).0, "h1h8");
        assert_eq!(chosen("7r/8/8/8/8/1k6/8/K7 b - - 0 1", &[], false).0, "h8h1");
    }

    #[test]
    fn a_pawn_becomes_a_rook_where_a_queen_would_be_stalemate() {
        let men =
            Position::from_fen("8/5P1k/8/5K2/8/8/8/8 w - - 0 1").unwrap().pieces(Color::White);
        let memory = Memory::default();
        let tries = ["f7f8q", "f7f8r"].map(|tried| tried.parse().unwrap());
        for (stalemate_wins, expected) in [(false, "f7f8r"), (true, "f7f8q")] {
            let progress = by_oneself(&memory, stalemate_wins);
            let (mv, _) = progress.choose(&men, Square::H7.bitboard(), &tries).unwrap();
            assert_eq!(mv.to_string(), expected);
        }
    }

    #[test]
    fn nothing_is_thrown_away_that_can_be_kept() {
        // The king may be beside the rook, on either side.
        let kings = [Square::F3, Square::H3, Square::H1];
        let (mv, outlook) = chosen("8/8/8/8/8/5k2/6R1/K7 w - - 0 1", &kings, false);
        assert_eq!(outlook.thrown_away, 0, "{mv}");
        assert!(mv.starts_with("g2"), "{mv}");
    }

    #[test]
    fn nobody_stands_still_until_the_umpire_calls_it_a_draw() {
        // King, knight and two pawns: no table tells the way, and pieces could go to and fro for ever.
        let board = Position::from_fen("8/8/8/4k3/8/P1K5/P7/1N6 w - - 0 1").unwrap();
        let (men, kings) = (board.pieces(Color::White), BitBoard(0x0000_3c3c_3c00_0000));
        let tries: Vec<Move> = men.tries().iter().collect();
        let mut memory = Memory::default();
        let mut stood = Vec::new();
        for _ in 0..8 {
            let progress = by_oneself(&memory, false);
            let (mv, outlook) = progress.choose(&men, kings, &tries).unwrap();
            assert!(outlook.thrown_away == 0 && !stood.contains(&mv), "{mv} after {stood:?}");
            stood.push(mv);
            (0..2).for_each(|_| memory.note(&after(&men, mv), kings));
        }
    }

    #[test]
    fn a_mate_is_given_though_the_men_have_stood_so_before() {
        let board = Position::from_fen("k7/8/1K6/8/8/8/8/7R w - - 0 1").unwrap();
        let (men, kings) = (board.pieces(Color::White), Square::A8.bitboard());
        let tries: Vec<Move> = men.tries().iter().collect();
        let mut memory = Memory::default();
        let mate: Move = "h1h8".parse().unwrap();
        (0..2).for_each(|_| memory.note(&after(&men, mate), kings));
        let progress = by_oneself(&memory, false);
        assert_eq!(progress.choose(&men, kings, &tries).unwrap().0, mate);
    }

    #[test]
    fn what_was_there_already_is_worth_less() {
        let board = Position::from_fen("8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1").unwrap();
        let (men, kings) = (board.pieces(Color::White), board.pieces(Color::Black).all());
        let mut memory = Memory::default();
        let fresh = memory.tedium(&men, kings);
        memory.note(&men, kings);
        assert!(fresh == 0.0 && memory.tedium(&men, kings) > memory.tedium(&men, BitBoard::FULL));
    }
}
