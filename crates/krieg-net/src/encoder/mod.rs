//! The input of the network from the observations of one player.
//!
//! The encoder keeps the player's [`View`], the marks of evidence, and what was announced about
//! the last moves. `learning/OBSERVATION.md` describes what it writes.

mod decay;
mod evidence;
mod lines;
mod mask;
mod planes;
mod scalars;

use krieg_core::{
    Announcement, BitBoard, Checks, Color, Move, Observation, PawnTryAnnouncement, Piece,
    PieceKind, PieceSet, Rank, Setup, Square, Try, Verdict, View,
};

pub use self::mask::MASK_WORDS;

use self::evidence::{Evidence, Marks};
use self::scalars::{constant_scalars, write_scalars};
use crate::{Input, OpponentKind, Orientation, SCALARS, SQUARE_PLANES};

/// What a player heard of a turn before its move.
#[derive(Debug, Clone, Copy)]
struct Turn {
    pawn_tries: PawnTryAnnouncement,
    any_answer: Option<bool>,
    refusals: u16,
}

impl Turn {
    /// The values before the first turn.
    const NONE: Turn =
        Turn { pawn_tries: PawnTryAnnouncement::Silent, any_answer: None, refusals: 0 };

    /// The turn of the side to move, so far.
    fn of(view: &View) -> Self {
        Turn {
            pawn_tries: view.pawn_tries(),
            any_answer: view.any_answer(),
            refusals: view.refusals(),
        }
    }
}

/// Follows one player's observations and computes the input of the network.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// use krieg_net::Encoder;
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// let transcript = game.record().transcript(Color::Black);
/// let mut encoder = Encoder::new(Color::Black, &transcript.setup);
/// for observation in &transcript.observations {
///     encoder.observe(observation);
/// }
/// let input = encoder.encode(None);
/// assert_eq!(input.planes[4][5], 255, "the own king stands on e8, which is square 4 for Black");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Encoder {
    view: View,
    /// The scalars that do not change in the game.
    constant: [u8; SCALARS],
    /// The number of pieces that the opponent had at the start.
    opponent_pieces: u32,
    marks: Marks,
    /// Own refused tries of this turn, by origin and by target.
    refused: [[u8; 2]; Square::NUM],
    own_move: Option<Move>,
    own_announcement: Option<Announcement>,
    opponent_announcement: Option<Announcement>,
    opponent_turn: Turn,
    /// The number of moves when a capture was last announced or an own pawn last moved.
    last_progress: u32,
    memory: [[u8; 6]; Square::NUM],
}

impl Encoder {
    /// The encoder of a player at the start of a game. Both players know the start position, so it
    /// is the memory of the network at first.
    pub fn new(player: Color, setup: &Setup) -> Self {
        let Setup { ruleset, draws, start } = setup;
        let opening = start.opening(ruleset, *draws);
        let opponent = start.pieces(!player);
        let orientation = Orientation::of(player);
        let mut memory = [[0; 6]; Square::NUM];
        for square in opponent.all() {
            if let Some(piece) = opponent.piece_on(square) {
                memory[orientation.index(square)][piece as usize] = 255;
            }
        }
        let mut encoder = Encoder {
            view: View::new(*ruleset, start.pieces(player), &opening),
            constant: constant_scalars(player, ruleset, *draws),
            opponent_pieces: opponent.all().len(),
            marks: Marks::NONE,
            refused: [[0; 2]; Square::NUM],
            own_move: None,
            own_announcement: None,
            opponent_announcement: None,
            opponent_turn: Turn::NONE,
            last_progress: 0,
            memory,
        };
        if opening.by == player {
            encoder.mark_check_lines(opening.checks);
        }
        encoder.mark_pawn_tries(opening.by, opening.pawn_tries);
        encoder
    }

    /// Takes the player's next observation.
    pub fn observe(&mut self, observation: &Observation) {
        let announcement = &observation.announcement;
        let own_try = observation.tried.filter(|_| announcement.by == self.view.player());
        let was_sensible = own_try.is_some_and(|tried| self.view.is_sensible(tried));
        let before = *self.view.pieces();
        let turn = Turn::of(&self.view);
        self.view.observe(observation);
        match (announcement.verdict, own_try) {
            (Verdict::Moved, Some(Try::Move(mv))) => {
                self.observe_own_move(mv, before, announcement)
            }
            (Verdict::Moved, _) => {
                self.opponent_turn = turn;
                self.observe_opponent_move(before, announcement);
            }
            (Verdict::Refused | Verdict::Nonsense, Some(Try::Move(mv))) => {
                self.count_refusal(mv);
                if was_sensible {
                    self.mark_refusal(mv);
                }
            }
            (Verdict::Any(yes), _) => {
                self.mark_pawn_tries(announcement.by, PawnTryAnnouncement::Whether(yes));
            }
            _ => {}
        }
    }

    fn observe_own_move(&mut self, mv: Move, before: PieceSet, announcement: &Announcement) {
        let now = self.view.ply();
        self.refused = [[0; 2]; Square::NUM];
        self.own_move = Some(mv);
        self.own_announcement = Some(*announcement);
        if let Some(piece) = before.piece_on(mv.from) {
            let empty = lines::path(piece, mv) | mv.from.bitboard();
            self.marks.mark(Evidence::Empty, empty, now);
            if piece == Piece::Pawn {
                self.last_progress = now;
            }
        }
        if let Some(capture) = announcement.capture {
            self.last_progress = now;
            let square =
                if capture.en_passant { passed_pawn(capture.square) } else { capture.square };
            self.marks.mark(Evidence::Captured, square.bitboard(), now);
        }
        for direction in announcement.checks.iter() {
            let line = lines::king_line(self.view.pieces(), direction);
            self.marks.mark(Evidence::KingLine, line, now);
        }
        self.announce_turn(announcement);
    }

    fn observe_opponent_move(&mut self, before: PieceSet, announcement: &Announcement) {
        let now = self.view.ply();
        self.opponent_announcement = Some(*announcement);
        if let Some(capture) = announcement.capture {
            self.last_progress = now;
            let lost = before.all() & !self.view.pieces().all();
            self.marks.mark(Evidence::Lost, lost, now);
            if capture.en_passant || capture.capturer == Some(PieceKind::Pawn) {
                self.marks.mark(Evidence::OpponentPawn, capture.square.bitboard(), now);
            }
        }
        self.mark_check_lines(announcement.checks);
        self.announce_turn(announcement);
    }

    /// Marks the announced pawn tries of the side that is to move after this announcement of a
    /// move. The end of the game announces none.
    fn announce_turn(&mut self, announcement: &Announcement) {
        self.mark_pawn_tries(!announcement.by, announcement.pawn_tries);
    }

    fn mark_check_lines(&mut self, checks: Checks) {
        for direction in checks.iter() {
            let line = lines::check_line(self.view.pieces(), direction);
            self.marks.mark(Evidence::CheckLine, line, self.view.ply());
        }
    }

    /// Marks what was announced about the pawn tries of a player, "any?" included.
    fn mark_pawn_tries(&mut self, of: Color, announced: PawnTryAnnouncement) {
        if announced == PawnTryAnnouncement::Silent {
            return;
        }
        let (pieces, now) = (self.view.pieces(), self.view.ply());
        if of == pieces.color() {
            let pawns = pieces.pieces(Piece::Pawn);
            let with_try = match announced {
                PawnTryAnnouncement::From(squares) => pawns & squares,
                _ if announced.has_pawn_try() => pawns,
                _ => BitBoard::EMPTY,
            };
            let (yes, no) = (
                lines::pawn_targets(pieces, with_try),
                lines::pawn_targets(pieces, pawns & !with_try),
            );
            self.marks.mark(Evidence::PawnTry, yes, now);
            self.marks.mark(Evidence::NoPawnTry, no, now);
            return;
        }
        let squares = lines::opponent_pawn_squares(pieces);
        match announced {
            _ if !announced.has_pawn_try() => {
                self.marks.mark(Evidence::NoOpponentPawnTry, squares, now);
            }
            PawnTryAnnouncement::From(pawns) => {
                self.marks.mark(Evidence::OpponentPawn, pawns, now);
            }
            _ => self.marks.mark(Evidence::OpponentPawnTry, squares, now),
        }
    }

    fn count_refusal(&mut self, mv: Move) {
        let [from, _] = &mut self.refused[mv.from as usize];
        *from = from.saturating_add(1);
        let [_, to] = &mut self.refused[mv.to as usize];
        *to = to.saturating_add(1);
    }

    /// Marks what follows from the refusal of a sensible try.
    fn mark_refusal(&mut self, mv: Move) {
        let now = self.view.ply();
        let Some(piece) = self.view.pieces().piece_on(mv.from) else { return };
        let (path, target) = (lines::path(piece, mv), mv.to.bitboard());
        let is_double_step = piece == Piece::Pawn && !path.is_empty();
        let evidence = match piece {
            Piece::King if lines::is_castling(piece, mv) => None,
            Piece::King => Some(Evidence::KingRefused),
            Piece::Pawn if is_double_step => None,
            Piece::Pawn if mv.from.file() == mv.to.file() => Some(Evidence::PushRefused),
            Piece::Pawn => Some(Evidence::CaptureRefused),
            _ => Some(Evidence::TargetRefused),
        };
        let blocked = if is_double_step { path | target } else { path };
        self.marks.mark(Evidence::Blocked, blocked, now);
        if let Some(evidence) = evidence {
            self.marks.mark(evidence, target, now);
        }
    }

    /// Stores what the network believed: the probability of each of the opponent's pieces on each
    /// square, in the orientation of the player. Own pieces exclude pieces of the opponent.
    pub fn remember(&mut self, belief: &[[f32; 6]; 64]) {
        let orientation = self.orientation();
        for (memory, belief) in self.memory.iter_mut().zip(belief) {
            *memory = belief.map(|probability| (255.0 * probability + 0.5) as u8);
        }
        for square in self.view.pieces().all() {
            self.memory[orientation.index(square)] = [0; 6];
        }
    }

    /// The input of the network, before a try of the player. The kind of the opponent is given if
    /// it is known.
    pub fn encode(&self, opponent: Option<OpponentKind>) -> Input {
        let mut input = Input { planes: [[0; SQUARE_PLANES]; 64], scalars: self.constant };
        self.write_planes(&mut input.planes);
        write_scalars(self, opponent, &mut input.scalars);
        input
    }

    /// The player's view of the game.
    pub fn view(&self) -> &View {
        &self.view
    }

    fn orientation(&self) -> Orientation {
        Orientation::of(self.view.player())
    }
}

/// The square of the pawn that was captured en passant, given where the capturing pawn landed.
fn passed_pawn(landing: Square) -> Square {
    let rank = if landing.rank() == Rank::Sixth { Rank::Fifth } else { Rank::Fourth };
    Square::new(landing.file(), rank)
}
