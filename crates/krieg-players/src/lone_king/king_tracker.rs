//! The squares on which a lone king may be, as far as a player's observations determine them.

use krieg_core::{
    Announcement, BitBoard, Move, Observation, PieceSet, SenselessTryRule, Square, Try, Verdict,
    View,
};

use krieg_tablebase::{KingSquares, attacked_squares};

use super::attacker::{neighbours, refusing_squares};
use super::containment::Containment;
use crate::Seat;
use crate::draw_guard::is_progress;

/// Follows a game and, once the opponent has only a king left, keeps the set of squares on which it
/// may be. The set is exact: it contains the squares that are consistent with all observations.
///
/// Every ruleset announces captures, so the number of the opponent's pieces is always known. The
/// tracker uses these observations:
///
/// - A try of the player's king is refused if the opponent's king is next to its path, a pawn push
///   if the opponent's king blocks it.
/// - An accepted move is announced with the directions of its checks, or without a check.
/// - The opponent's king moves to a neighbouring square, or captures and is on that square.
/// - If the umpire announces the opponent's refused tries, but no senseless ones, a square next to
///   the king is not available to it.
///
/// ```
/// use krieg_time::TimeControl;
/// use krieg_core::{Color, Position, Setup};
/// use krieg_players::{Seat, lone_king::KingTracker};
/// let start = Position::from_fen("8/8/8/3k4/8/8/1R6/K7 w - - 0 1")?;
/// let setup = Setup { start, ..Setup::default() };
/// let seat = Seat { color: Color::White, setup, control: TimeControl::Unlimited, seed: 1 };
/// let tracker = KingTracker::new(&seat);
/// // On 48 squares the king is neither in check nor next to White's king. Its true square in the
/// // setup is not used.
/// assert_eq!(tracker.squares().unwrap().len(), 48);
/// # Ok::<(), krieg_core::FenError>(())
/// ```
#[derive(Debug, Clone)]
pub struct KingTracker {
    view: View,
    /// Number of the opponent's pieces, with the king.
    opponent_pieces: u32,
    /// `None` while the opponent has other pieces, or after a contradictory observation.
    squares: Option<BitBoard>,
    /// Number of informative refusals in the opponent's present turn.
    opponent_refusals: u32,
    /// Plies since the last capture or the player's last pawn move.
    plies_without_progress: u16,
}

impl KingTracker {
    /// A tracker for a new game. Of the opponent's pieces in the setup it uses only the number.
    #[must_use]
    pub fn new(seat: &Seat) -> Self {
        let start = &seat.setup.start;
        let mut this = KingTracker {
            view: seat.view(),
            opponent_pieces: start.pieces(!seat.color).all().len(),
            squares: None,
            opponent_refusals: 0,
            plies_without_progress: 0,
        };
        if this.opponent_pieces == 1 {
            let opening = start.opening(&seat.setup.ruleset, seat.setup.draws);
            let containment = Containment::new(this.view.pieces());
            this.squares = non_empty(if opening.by == seat.color {
                containment.squares.safe
            } else {
                containment.consistent(BitBoard::FULL, opening.checks)
            });
        }
        this
    }

    /// The squares on which the lone king may be; `None` if the opponent has other pieces.
    #[must_use]
    pub fn squares(&self) -> Option<BitBoard> {
        self.squares
    }

    /// Plies since the last capture or the player's last pawn move.
    #[must_use]
    pub fn plies_without_progress(&self) -> u16 {
        self.plies_without_progress
    }

    /// Updates the squares with an observation.
    pub fn observe(&mut self, observation: &Observation) {
        let announcement = &observation.announcement;
        let (own, player) = (*self.view.pieces(), self.view.player());
        self.view.observe(observation);
        if announcement.verdict == Verdict::Moved {
            self.plies_without_progress = match is_progress(observation, &own) {
                true => 0,
                false => self.plies_without_progress + 1,
            };
        }
        match (announcement.verdict, observation.tried) {
            (Verdict::Moved, Some(Try::Move(mv))) if announcement.by == player => {
                self.opponent_refusals = 0;
                self.observe_own_move(&own, mv, announcement);
            }
            (Verdict::Refused, Some(Try::Move(mv))) if announcement.by == player => {
                self.observe_own_refusal(&own, mv);
            }
            (Verdict::Moved, _) => self.observe_king_move(announcement),
            (Verdict::Refused, _) if announcement.by != player => self.observe_king_refusal(),
            _ => {}
        }
    }

    /// `own` are the player's pieces before the move.
    fn observe_own_move(&mut self, own: &PieceSet, mv: Move, announcement: &Announcement) {
        let containment = Containment::new(self.view.pieces());
        if announcement.capture.is_some() {
            self.opponent_pieces = self.opponent_pieces.saturating_sub(1);
            if self.opponent_pieces == 1 {
                let before = squares_before_capture(own, mv, announcement);
                self.squares = non_empty(containment.consistent(before, announcement.checks));
            }
        } else if let Some(squares) = self.squares {
            let accepting = squares & !refusing_squares(own, mv);
            self.squares = non_empty(containment.consistent(accepting, announcement.checks));
        }
    }

    fn observe_own_refusal(&mut self, own: &PieceSet, mv: Move) {
        let refusing = refusing_squares(own, mv);
        // The diagonal move of a pawn is never legal, and a senseless try is refused wherever the
        // king is. Neither refusal gives information.
        let is_informative = !refusing.is_empty() && own.tries().contains(mv);
        if let (Some(squares), true) = (self.squares, is_informative) {
            self.squares = non_empty(squares & refusing);
        }
    }

    fn observe_king_move(&mut self, announcement: &Announcement) {
        let Some(squares) = self.squares else { return };
        let king_squares = KingSquares::of(self.view.pieces());
        self.squares = non_empty(match announcement.capture {
            Some(capture) => capture.square.bitboard(),
            None => king_squares.successors(squares),
        });
    }

    /// The opponent tried an illegal king move. No try is repeated within a turn, so each refusal
    /// is about another square.
    fn observe_king_refusal(&mut self) {
        let Some(squares) = self.squares else { return };
        if self.view.ruleset().senseless_tries == SenselessTryRule::Refused {
            return;
        }
        self.opponent_refusals += 1;
        let king_squares = KingSquares::of(self.view.pieces());
        let illegal = !(king_squares.safe | king_squares.undefended);
        let refusals = self.opponent_refusals;
        let has_illegal_moves =
            |king: &Square| (neighbours(king.bitboard()) & illegal).len() >= refusals;
        self.squares = non_empty(squares.into_iter().filter(has_illegal_moves).collect());
    }
}

/// The squares, or `None` if there are none: an empty set means that an announcement was wrong,
/// and the squares are no longer known.
fn non_empty(squares: BitBoard) -> Option<BitBoard> {
    (!squares.is_empty()).then_some(squares)
}

/// The squares on which the king may have been before the move that captured the opponent's last
/// other piece: those that were not in check.
fn squares_before_capture(own: &PieceSet, mv: Move, announcement: &Announcement) -> BitBoard {
    // Of an en passant capture, some rulesets announce the target square of the move, others the
    // square of the captured pawn.
    let is_en_passant =
        announcement.capture.is_some_and(|capture| capture.en_passant || capture.square != mv.to);
    let victim = if is_en_passant { Square::new(mv.to.file(), mv.from.rank()) } else { mv.to };
    let occupied = own.all() | victim.bitboard();
    !(occupied | attacked_squares(own, occupied))
}
