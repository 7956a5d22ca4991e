//! Where the opponent may be who has nothing but his king: what a listener can know of him, all of it and no more.

use krieg_core::{
    Announcement, BitBoard, Move, Observation, Piece, PieceSet, SenselessTryRule, Square, Try,
    Verdict, View,
};

use crate::Seat;
use crate::lone_king::containment::{Grip, attacked, beside, refused_by};

/// Listens to a game, and from the moment when the opponent has only a king left, keeps the squares on which he may be.
///
/// Every capture is announced, so the enemy men can be counted under every ruleset. Nothing else is used but what was said:
/// * a try of the own king is refused if the other is beside his way, and a pawn's step if he is in its way;
/// * a move that stands may be heard as check, from one direction or two, or as no check;
/// * he moves to a square beside him, or takes and is there;
/// * where the umpire says aloud that he was refused, and nonsense is not called so, a square beside him is barred.
///
/// ```
/// use krieg_time::TimeControl;
/// use krieg_core::{Color, Position, Setup};
/// use krieg_players::{Seat, lone_king::KingTracker};
/// let start = Position::from_fen("8/8/8/3k4/8/8/1R6/K7 w - - 0 1")?;
/// let setup = Setup { start, ..Setup::default() };
/// let seat = Seat { color: Color::White, setup, control: TimeControl::Unlimited, seed: 1 };
/// let king = KingTracker::new(&seat);
/// // On 48 squares he is neither in check nor beside the other king. Where he was put is not looked at.
/// assert_eq!(king.squares().unwrap().len(), 48);
/// # Ok::<(), krieg_core::FenError>(())
/// ```
#[derive(Debug, Clone)]
pub struct KingTracker {
    view: View,
    /// Enemy men that are left, the king among them.
    enemies: u32,
    /// Nothing, while there are others, or after something was heard that cannot be.
    squares: Option<BitBoard>,
    /// How often he was refused this turn, where that tells something.
    refusals: u32,
    /// Plies since a man was taken or an own pawn moved.
    quiet: u16,
}

impl KingTracker {
    /// Sits down. Of the enemy men at the start only the number is looked at.
    pub fn new(seat: &Seat) -> Self {
        let start = &seat.setup.start;
        let mut this = KingTracker {
            view: seat.view(),
            enemies: start.pieces(!seat.color).all().len(),
            squares: None,
            refusals: 0,
            quiet: 0,
        };
        if this.enemies == 1 {
            let opening = start.opening(&seat.setup.ruleset, seat.setup.draws);
            let grip = Grip::new(this.view.pieces());
            this.squares = some(if opening.by == seat.color {
                grip.legal
            } else {
                grip.heard(BitBoard::FULL, opening.checks)
            });
        }
        this
    }

    /// Where he may be, if he is alone.
    pub fn squares(&self) -> Option<BitBoard> {
        self.squares
    }

    /// Plies since a man was taken or an own pawn moved.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Hears what was said.
    pub fn observe(&mut self, line: &Observation) {
        let said = &line.announcement;
        let (men, player) = (*self.view.pieces(), self.view.player());
        self.view.observe(line);
        if said.verdict == Verdict::Moved {
            let is_pawn = |mv: Move| men.piece_on(mv.from) == Some(Piece::Pawn);
            let own_pawn =
                matches!(line.tried, Some(Try::Move(mv)) if said.by == player && is_pawn(mv));
            self.quiet = if said.capture.is_some() || own_pawn { 0 } else { self.quiet + 1 };
        }
        match (said.verdict, line.tried) {
            (Verdict::Moved, Some(Try::Move(mv))) if said.by == player => {
                self.refusals = 0;
                self.own_move(&men, mv, said);
            }
            (Verdict::Refused, Some(Try::Move(mv))) if said.by == player => {
                self.own_refusal(&men, mv);
            }
            (Verdict::Moved, _) => self.his_move(said),
            (Verdict::Refused, _) if said.by != player => self.his_refusal(),
            _ => {}
        }
    }

    fn own_move(&mut self, men: &PieceSet, mv: Move, said: &Announcement) {
        let grip = Grip::new(self.view.pieces());
        if said.capture.is_some() {
            self.enemies = self.enemies.saturating_sub(1);
            if self.enemies == 1 {
                let before = before_capture(men, mv, said);
                self.squares = some(grip.heard(before, said.checks));
            }
        } else if let Some(squares) = self.squares {
            self.squares = some(grip.heard(squares & !refused_by(men, mv), said.checks));
        }
    }

    fn own_refusal(&mut self, men: &PieceSet, mv: Move) {
        let refused_by = refused_by(men, mv);
        // A pawn's diagonal is never legal, and what could be no move at all is refused whatever stands where: neither tells.
        let is_telling = !refused_by.is_empty() && men.tries().contains(mv);
        if let (Some(squares), true) = (self.squares, is_telling) {
            self.squares = some(squares & refused_by);
        }
    }

    fn his_move(&mut self, said: &Announcement) {
        let Some(squares) = self.squares else { return };
        let grip = Grip::new(self.view.pieces());
        self.squares = some(match said.capture {
            Some(capture) => capture.square.bitboard(),
            None => grip.after_moving(squares),
        });
    }

    /// He tried to go where he may not. He does not try the same twice, so each refusal is of another square.
    fn his_refusal(&mut self) {
        let Some(squares) = self.squares else { return };
        if self.view.ruleset().senseless_tries == SenselessTryRule::Refused {
            return;
        }
        self.refusals += 1;
        let grip = Grip::new(self.view.pieces());
        let barred = !(grip.legal | grip.loose);
        let refusals = self.refusals;
        let is_barred = |king: &Square| (beside(king.bitboard()) & barred).len() >= refusals;
        self.squares = some(squares.into_iter().filter(is_barred).collect());
    }
}

/// There is always a square for him. If there is none, somebody has not told the truth, and it is better to know nothing.
fn some(squares: BitBoard) -> Option<BitBoard> {
    (!squares.is_empty()).then_some(squares)
}

/// Where he may have been before his last companion was taken: not in check.
fn before_capture(men: &PieceSet, mv: Move, said: &Announcement) -> BitBoard {
    // Where it is told that a pawn was taken in passing, the square is where the taker landed; else it is the pawn's.
    let in_passing =
        said.capture.is_some_and(|capture| capture.en_passant || capture.square != mv.to);
    let victim = if in_passing { Square::new(mv.to.file(), mv.from.rank()) } else { mv.to };
    let occupied = men.all() | victim.bitboard();
    !(occupied | attacked(men, occupied))
}
