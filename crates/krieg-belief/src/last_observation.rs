//! Boards that fit what was heard last: men placed by how often such men stand where (LOS: Parker, Nau, Subrahmanian, 2005; with
//! densities, Favini, 2010, section 5.6, and Foret, 2021, section 5.4.1).

use cozy_chess::{BitBoard, Color, Piece, Square};
use krieg_core::{Announcement, Observation, PieceSet, Position, Setup, Verdict, View};
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};

use crate::{Belief, Contradiction, Densities, ObservationModel, OpponentBoard, OpponentMap};

/// A belief without memory: it knows how many men the other side has left, and what was said last.
#[derive(Debug, Clone)]
pub struct LastObservation {
    rules: ObservationModel,
    view: View,
    /// The men of the other side as the game began.
    enemy: PieceSet,
    densities: Densities,
    /// What was said as the player's turn began.
    last: Option<Announcement>,
    /// How many men the player has lost: each may have brought a pawn to another file.
    lost: u32,
    first_move: u32,
}

/// How often a board is put together, on the average of those wanted, before it is given up.
const MOST_ATTEMPTS: usize = 20;

impl LastObservation {
    /// The belief of a player as a game begins.
    pub fn new(setup: &Setup, player: Color, densities: Densities) -> Self {
        let opening = setup.start.opening(&setup.ruleset, setup.draws);
        LastObservation {
            rules: ObservationModel::new(setup),
            view: View::new(setup.ruleset, setup.start.pieces(player), &opening),
            enemy: setup.start.pieces(!player),
            densities,
            last: None,
            lost: 0,
            first_move: u32::from(setup.start.board().fullmove_number()),
        }
    }

    /// One board, if one is found within so many attempts, which are counted down. When the opponent is to move nothing is known of
    /// his board but the number of men.
    pub fn draw(&self, attempts: &mut usize, rng: &mut dyn Rng) -> Option<Position> {
        while *attempts > 0 {
            *attempts -= 1;
            let hidden = self.place_all(rng);
            let position = hidden.and_then(|h| h.position(self.view.pieces(), self.view.turn()));
            let fits = |board: &Position| {
                self.last.as_ref().is_none_or(|said| self.rules.is_consistent(board, said))
            };
            if let Some(board) = position.filter(fits) {
                return Some(board);
            }
        }
        None
    }

    fn place_all(&self, rng: &mut dyn Rng) -> Option<OpponentBoard> {
        let mut placing = Placing {
            belief: self,
            free: !self.view.pieces().all(),
            by_piece: [BitBoard::EMPTY; Piece::NUM],
            doubled: 0,
        };
        let mut men = self.men_left(rng);
        // Whoever captured last still stands there.
        if let Some(square) = self.last.and_then(|said| said.capture).map(|capture| capture.square)
            && placing.free.has(square)
        {
            let weight = |piece: Piece| self.weight(piece, square);
            let at = pick(&men.iter().map(|&piece| weight(piece)).collect::<Vec<_>>(), rng)?;
            placing.put(men.swap_remove(at), square);
        }
        // Pawns have the fewest squares to choose from, and a king must stand somewhere.
        men.sort_by_key(|piece| match piece {
            Piece::King => 0,
            Piece::Pawn => 1,
            _ => 2,
        });
        for piece in men {
            placing.place(piece, rng)?;
        }
        let home = |file, rank_of: Piece| {
            let square = Square::new(file, cozy_chess::Rank::First.relative_to(self.enemy.color()));
            placing.by_piece[rank_of as usize].has(square)
        };
        let king = home(cozy_chess::File::E, Piece::King);
        let castling = (
            king && home(cozy_chess::File::H, Piece::Rook),
            king && home(cozy_chess::File::A, Piece::Rook),
        );
        Some(OpponentBoard::new(&PieceSet::new(self.enemy.color(), placing.by_piece, castling)))
    }

    /// The men that are left, as far as one was told which were captured; the others are drawn.
    fn men_left(&self, rng: &mut dyn Rng) -> Vec<Piece> {
        let of = |piece| std::iter::repeat_n(piece, self.enemy.pieces(piece).len() as usize);
        let mut pawns: Vec<Piece> = of(Piece::Pawn).collect();
        let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let mut pieces: Vec<Piece> = kinds.into_iter().flat_map(of).collect();
        pieces.shuffle(rng);
        let taken = self.view.captured();
        let (mut fewer_pawns, mut fewer_pieces) = (taken.pawns as usize, taken.pieces as usize);
        for _ in 0..taken.unknown {
            let pawns_left = pawns.len().saturating_sub(fewer_pawns);
            let pieces_left = pieces.len().saturating_sub(fewer_pieces);
            if rng.random_range(0..(pawns_left + pieces_left).max(1)) < pawns_left {
                fewer_pawns += 1;
            } else {
                fewer_pieces += 1;
            }
        }
        // More pieces gone than there were: pawns have promoted, and those are gone.
        let promoted = fewer_pieces.saturating_sub(pieces.len());
        pawns.truncate(pawns.len().saturating_sub(fewer_pawns + promoted));
        pieces.truncate(pieces.len().saturating_sub(fewer_pieces));
        std::iter::once(Piece::King).chain(pawns).chain(pieces).collect()
    }

    fn weight(&self, piece: Piece, square: Square) -> f64 {
        let number = self.first_move + self.view.ply() / 2;
        self.densities.probability(self.enemy.color(), number, piece, square)
    }
}

/// A board that is being put together.
struct Placing<'a> {
    belief: &'a LastObservation,
    free: BitBoard,
    by_piece: [BitBoard; Piece::NUM],
    /// Pawns on a file where there is another one.
    doubled: u32,
}

impl Placing<'_> {
    fn put(&mut self, piece: Piece, square: Square) {
        if piece == Piece::Pawn && !self.pawns_beside(square).is_empty() {
            self.doubled += 1;
        }
        self.by_piece[piece as usize] |= square.bitboard();
        self.free &= !square.bitboard();
    }

    fn pawns_beside(&self, square: Square) -> BitBoard {
        self.by_piece[Piece::Pawn as usize] & square.file().bitboard()
    }

    fn place(&mut self, piece: Piece, rng: &mut dyn Rng) -> Option<()> {
        let mut squares = self.free;
        if piece == Piece::Pawn {
            squares &= !(cozy_chess::Rank::First.bitboard() | cozy_chess::Rank::Eighth.bitboard());
            // A pawn comes to another's file only by capturing.
            if self.doubled >= self.belief.lost {
                squares =
                    squares.into_iter().filter(|&s| self.pawns_beside(s).is_empty()).collect();
            }
        }
        // In place: this is done sixteen times for each of thousands of boards.
        let mut weights = [0.0; Square::NUM];
        for square in squares {
            weights[square as usize] = self.belief.weight(piece, square);
        }
        let square = Square::index(pick(&weights, rng)?);
        self.put(piece, square);
        Some(())
    }
}

/// The number of one of these, each as likely as its weight says.
fn pick(weights: &[f64], rng: &mut dyn Rng) -> Option<usize> {
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        return None;
    }
    let mut at = rng.random_range(0.0..sum);
    let passes = |weight: &f64| {
        at -= weight;
        at < 0.0
    };
    // Rounding may leave a little over; what weighs nothing is never taken.
    let last = || weights.iter().rposition(|weight| *weight > 0.0);
    weights.iter().position(passes).or_else(last)
}

impl Belief for LastObservation {
    fn observe(&mut self, line: &Observation) -> Result<(), Contradiction> {
        let is_own = line.announcement.by == self.view.player();
        if line.announcement.verdict == Verdict::Moved {
            self.lost += u32::from(!is_own && line.announcement.capture.is_some());
            self.last = (!is_own).then_some(line.announcement);
        }
        self.view.observe(line);
        Ok(())
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        let mut attempts = count * MOST_ATTEMPTS;
        (0..count).map_while(|_| self.draw(&mut attempts, rng)).collect()
    }

    fn marginals(&self) -> OpponentMap {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(u64::from(self.view.ply()));
        let mut attempts = 200 * MOST_ATTEMPTS;
        let boards = (0..200).map_while(|_| self.draw(&mut attempts, &mut rng));
        OpponentMap::of(boards.map(|board| (OpponentBoard::of(&board, self.enemy.color()), 1.0)))
    }
}
