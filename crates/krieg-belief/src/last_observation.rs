//! Boards that fit the last observation: pieces are placed at random by piece densities (LOS:
//! Parker, Nau, Subrahmanian, 2005; with densities, Favini, 2010, section 5.6, and Foret, 2021,
//! section 5.4.1).

use cozy_chess::{BitBoard, Color, Piece, Square};
use krieg_core::{Announcement, Observation, PieceSet, Position, Setup, Verdict, View};
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};

use crate::{Belief, Contradiction, Densities, ObservationModel, OpponentBoard, OpponentMap};

/// A belief without memory: it knows the number of the opponent's pieces and the last announcement.
#[derive(Debug, Clone)]
pub struct LastObservation {
    rules: ObservationModel,
    view: View,
    /// The opponent's pieces at the start of the game.
    opponent: PieceSet,
    densities: Densities,
    /// The announcement at the start of the player's turn.
    last: Option<Announcement>,
    /// Number of own pieces lost. Each capture may have brought a pawn to another file.
    lost: u32,
    first_move: u32,
}

/// Maximum number of attempts per requested board.
const ATTEMPTS_PER_BOARD: usize = 20;
/// Number of boards drawn for [`Belief::marginals`].
const MARGINAL_BOARDS: usize = 200;

impl LastObservation {
    /// The belief of a player at the start of a game.
    #[must_use]
    pub fn new(setup: &Setup, player: Color, densities: Densities) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        LastObservation {
            rules: ObservationModel::new(setup),
            view: View::new(setup.ruleset, setup.start.pieces(player), &opening),
            opponent: setup.start.pieces(!player),
            densities,
            last: None,
            lost: 0,
            first_move: u32::from(setup.start.board().fullmove_number()),
        }
    }

    /// Draws one board. `attempts` is the maximum number of attempts, and is reduced by those made.
    /// On the opponent's turn only the number of pieces is known.
    pub fn draw(&self, attempts: &mut usize, rng: &mut dyn Rng) -> Option<Position> {
        while *attempts > 0 {
            *attempts -= 1;
            let board = self.place_all(rng);
            let position = board.and_then(|b| b.position(self.view.pieces(), self.view.turn()));
            let fits = |board: &Position| {
                self.last.as_ref().is_none_or(|last| self.rules.is_consistent(board, last))
            };
            if let Some(board) = position.filter(fits) {
                return Some(board);
            }
        }
        None
    }

    fn place_all(&self, rng: &mut dyn Rng) -> Option<OpponentBoard> {
        let mut placement = Placement {
            belief: self,
            free: !self.view.pieces().all(),
            by_piece: [BitBoard::EMPTY; Piece::NUM],
            doubled_pawns: 0,
        };
        let mut pieces = self.remaining_pieces(rng);
        // The piece that made the last capture still stands there.
        if let Some(square) = self.last.and_then(|last| last.capture).map(|capture| capture.square)
            && placement.free.has(square)
        {
            let weight = |piece: Piece| self.weight(piece, square);
            let at =
                draw_index(&pieces.iter().map(|&piece| weight(piece)).collect::<Vec<_>>(), rng)?;
            placement.put(pieces.swap_remove(at), square);
        }
        // The king first, because it must be placed, then pawns, which have the fewest squares.
        pieces.sort_by_key(|piece| match piece {
            Piece::King => 0,
            Piece::Pawn => 1,
            _ => 2,
        });
        for piece in pieces {
            placement.place(piece, rng)?;
        }
        let is_home = |file, piece: Piece| {
            let square =
                Square::new(file, cozy_chess::Rank::First.relative_to(self.opponent.color()));
            placement.by_piece[piece as usize].has(square)
        };
        let king = is_home(cozy_chess::File::E, Piece::King);
        let castling = (
            king && is_home(cozy_chess::File::H, Piece::Rook),
            king && is_home(cozy_chess::File::A, Piece::Rook),
        );
        Some(OpponentBoard::new(&PieceSet::new(
            self.opponent.color(),
            placement.by_piece,
            castling,
        )))
    }

    /// The opponent's remaining pieces. Captured pieces of unknown kind are drawn at random.
    fn remaining_pieces(&self, rng: &mut dyn Rng) -> Vec<Piece> {
        let of = |piece| std::iter::repeat_n(piece, self.opponent.pieces(piece).len() as usize);
        let mut pawns: Vec<Piece> = of(Piece::Pawn).collect();
        let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let mut pieces: Vec<Piece> = kinds.into_iter().flat_map(of).collect();
        pieces.shuffle(rng);
        let captured = self.view.captured();
        let (mut fewer_pawns, mut fewer_pieces) =
            (captured.pawns as usize, captured.pieces as usize);
        for _ in 0..captured.unknown {
            let pawns_left = pawns.len().saturating_sub(fewer_pawns);
            let pieces_left = pieces.len().saturating_sub(fewer_pieces);
            if rng.random_range(0..(pawns_left + pieces_left).max(1)) < pawns_left {
                fewer_pawns += 1;
            } else {
                fewer_pieces += 1;
            }
        }
        // If more pieces were captured than there were at the start, some were promoted pawns.
        let promoted = fewer_pieces.saturating_sub(pieces.len());
        pawns.truncate(pawns.len().saturating_sub(fewer_pawns + promoted));
        pieces.truncate(pieces.len().saturating_sub(fewer_pieces));
        std::iter::once(Piece::King).chain(pawns).chain(pieces).collect()
    }

    fn weight(&self, piece: Piece, square: Square) -> f64 {
        let number = self.first_move + self.view.ply() / 2;
        self.densities.probability(self.opponent.color(), number, piece, square)
    }
}

/// A board to which pieces are being added.
struct Placement<'a> {
    belief: &'a LastObservation,
    free: BitBoard,
    by_piece: [BitBoard; Piece::NUM],
    /// Number of pawns on a file with another pawn.
    doubled_pawns: u32,
}

impl Placement<'_> {
    fn put(&mut self, piece: Piece, square: Square) {
        if piece == Piece::Pawn && !self.pawns_on_file(square).is_empty() {
            self.doubled_pawns += 1;
        }
        self.by_piece[piece as usize] |= square.bitboard();
        self.free &= !square.bitboard();
    }

    fn pawns_on_file(&self, square: Square) -> BitBoard {
        self.by_piece[Piece::Pawn as usize] & square.file().bitboard()
    }

    fn place(&mut self, piece: Piece, rng: &mut dyn Rng) -> Option<()> {
        let mut squares = self.free;
        if piece == Piece::Pawn {
            squares &= !(cozy_chess::Rank::First.bitboard() | cozy_chess::Rank::Eighth.bitboard());
            // A pawn changes its file only by capturing.
            if self.doubled_pawns >= self.belief.lost {
                squares =
                    squares.into_iter().filter(|&s| self.pawns_on_file(s).is_empty()).collect();
            }
        }
        // An array, because this runs up to sixteen times for each of thousands of boards.
        let mut weights = [0.0; Square::NUM];
        for square in squares {
            weights[square as usize] = self.belief.weight(piece, square);
        }
        let square = Square::index(draw_index(&weights, rng)?);
        self.put(piece, square);
        Some(())
    }
}

/// A random index, drawn by weight; `None` if all weights are 0.
#[must_use]
pub fn draw_index(weights: &[f64], rng: &mut dyn Rng) -> Option<usize> {
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        return None;
    }
    let mut at = rng.random_range(0.0..sum);
    let is_drawn = |weight: &f64| {
        at -= weight;
        at < 0.0
    };
    // Rounding errors may leave a remainder. An item without weight is never drawn.
    let last = || weights.iter().rposition(|weight| *weight > 0.0);
    weights.iter().position(is_drawn).or_else(last)
}

impl Belief for LastObservation {
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction> {
        let is_own = observation.announcement.by == self.view.player();
        if observation.announcement.verdict == Verdict::Moved {
            self.lost += u32::from(!is_own && observation.announcement.capture.is_some());
            self.last = (!is_own).then_some(observation.announcement);
        }
        self.view.observe(observation);
        Ok(())
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        let mut attempts = count * ATTEMPTS_PER_BOARD;
        (0..count).map_while(|_| self.draw(&mut attempts, rng)).collect()
    }

    fn marginals(&self) -> OpponentMap {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(u64::from(self.view.ply()));
        let mut attempts = MARGINAL_BOARDS * ATTEMPTS_PER_BOARD;
        let boards = (0..MARGINAL_BOARDS).map_while(|_| self.draw(&mut attempts, &mut rng));
        OpponentMap::of(boards.map(|board| (OpponentBoard::of(&board, self.opponent.color()), 1.0)))
    }
}
