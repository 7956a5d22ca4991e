//! What to do, and what may then be heard.

use krieg_core::{BitBoard, Checks, Direction, Move, Square};

use crate::disposition::Disposition;
use crate::ground::{Ground, neighbours};
use crate::metaposition::Metaposition;
use crate::steps::Step;
use crate::tablebase::{ProbeError, Tablebase, Win};

/// A sure win, try by try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The win.
    pub win: Win,
    /// What may follow each of its tries.
    pub turns: Vec<Turn>,
    /// Every try that may begin a mate in as many moves, those of the plan among them.
    pub as_good: Vec<Move>,
}

/// One try and what may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The try.
    pub mv: Move,
    /// Squares of the lone king on which it is refused.
    pub refused: BitBoard,
    /// What may be heard if it is legal.
    pub heard: Vec<Heard>,
}

/// Something that may be heard after a legal try, and what is then known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The checks that are announced.
    pub checks: Checks,
    /// Where the lone king may be as it is said.
    pub kings: BitBoard,
    /// Where he may be after his move; nowhere, if it is mate.
    pub then: BitBoard,
    /// The most moves that mate takes from there; 0 if he has no such move.
    pub distance: u16,
    /// Helpers that he may take instead, and the most moves that mate takes then.
    pub taken: Vec<(Square, u16)>,
}

impl Tablebase {
    /// What to do, and what may then be heard; `None` if mate is not sure.
    pub fn plan(&self, asked: &Metaposition) -> Result<Option<Plan>, ProbeError> {
        let Some(win) = self.probe(asked)? else { return Ok(None) };
        let steps = asked.disposition().steps();
        let on_board = |step: &Step| asked.move_on_board(step.mv);
        let mut kings = asked.kings_for_white();
        let mut turns = Vec::new();
        for &mv in &win.tries {
            let Some(step) = steps.iter().find(|step| on_board(step) == mv) else { continue };
            let refused = kings & step.refused_by;
            let heard = self.heard(asked, step, kings & !refused)?;
            turns.push(Turn { mv, refused: asked.on_board(refused), heard });
            kings = refused;
        }
        // Tries are free, and what is left after a refusal is won in time as all of it is.
        let mut as_good = Vec::new();
        for step in &steps {
            let kings = asked.kings_for_white();
            let is_of_use = kings & !step.refused_by != 0;
            if is_of_use && self.is_good(step, kings, win.distance)? {
                as_good.push(on_board(step));
            }
        }
        Ok(Some(Plan { win, turns, as_good }))
    }

    fn heard(
        &self,
        asked: &Metaposition,
        step: &Step,
        kings: u64,
    ) -> Result<Vec<Heard>, ProbeError> {
        let ground = Ground::new(&step.to);
        let movable = neighbours(ground.legal | ground.loose);
        let mut all = Vec::new();
        for class in &ground.classes {
            // Of those who are mated the umpire says so, and they are told apart.
            for here in [kings & class & !movable, kings & class & movable] {
                if here != 0 {
                    all.push(self.what_follows(asked, step, &ground, here)?);
                }
            }
        }
        all.sort_by_key(|heard| std::cmp::Reverse(heard.distance));
        Ok(all)
    }

    /// What follows a step that leaves the lone king on one of these squares, of which the umpire says the same.
    fn what_follows(
        &self,
        asked: &Metaposition,
        step: &Step,
        ground: &Ground,
        kings: u64,
    ) -> Result<Heard, ProbeError> {
        let then = ground.after_moving(kings);
        let distance = match then {
            0 => 0,
            _ => self.distance(&step.to, then)?.unwrap_or(u16::MAX),
        };
        let mut taken = Vec::new();
        for at in BitBoard(ground.loose & neighbours(kings)) {
            if let Some(left) = step.to.without(at) {
                let distance = self.distance(&left, at.bitboard().0)?.unwrap_or(u16::MAX);
                taken.push((on_real(asked, at), distance));
            }
        }
        let kings = asked.on_board(kings);
        let checks =
            kings.next_square().map_or(Checks::NONE, |king| checks_on(asked, &step.to, king));
        Ok(Heard { checks, kings, then: asked.on_board(then), distance, taken })
    }
}

fn on_real(asked: &Metaposition, square: Square) -> Square {
    asked.move_on_board(Move::new(square, square)).from
}

/// The checks on a king who stands here, all on the real board; the helpers stand as if the attacker were White.
fn checks_on(asked: &Metaposition, helpers: &Disposition, king: Square) -> Checks {
    let white_king = on_real(asked, king);
    let occupied = BitBoard(helpers.occupied());
    let checkers = helpers.helpers().filter(|&(piece, square)| {
        crate::ground::attacks_of(piece, square, occupied) & white_king.bitboard().0 != 0
    });
    Checks::new(checkers.map(|(_, square)| Direction::between(king, on_real(asked, square))))
}
