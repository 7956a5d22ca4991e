//! Piece features: mobility, outposts, threats, king safety, and the path of passed pawns.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

use super::bitboards;
use super::feature_sink::FeatureSink;
use super::pawns::{PawnStructure, files_around};
use super::weights::{
    BEHIND_PAWN, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, HANGING, KING_ATTACK, KING_THREAT,
    KNIGHT_MOBILITY, MINOR_THREAT, OUTPOST, PASSED_FREE, PASSED_OPPONENT_KING, PASSED_OWN_KING,
    PASSED_SAFE, PAWN_THREAT, PUSH_THREAT, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_THREAT,
    SAFE_CHECK, SHELTER, STORM, WEAK_RING, relative_rank,
};

const MINOR_AND_MAJOR: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// Attack units of a piece that attacks the king zone, by piece type. It adds one more for each
/// square of the zone that it attacks.
const ATTACK_UNITS: [usize; 6] = [0, 2, 2, 3, 5, 0];

/// The squares that each side attacks, filled in while the pieces are counted.
struct Attacks {
    /// By colour and piece type.
    by: [[BitBoard; 6]; 2],
    all: [BitBoard; 2],
    /// Squares attacked by two pieces or more.
    twice: [BitBoard; 2],
}

impl Attacks {
    fn by_pawns_and_kings(pawns: [BitBoard; 2], kings: [Square; 2]) -> Self {
        let mut attacks = Attacks {
            by: [[BitBoard::EMPTY; 6]; 2],
            all: [BitBoard::EMPTY; 2],
            twice: [BitBoard::EMPTY; 2],
        };
        for color in Color::ALL {
            let side = color as usize;
            attacks.record(color, Piece::Pawn, bitboards::pawn_attacks(pawns[side], color));
            attacks.twice[side] |= bitboards::double_pawn_attacks(pawns[side], color);
            attacks.record(color, Piece::King, get_king_moves(kings[side]));
        }
        attacks
    }

    #[inline(always)]
    fn record(&mut self, color: Color, piece: Piece, attacked: BitBoard) {
        let side = color as usize;
        self.twice[side] |= self.all[side] & attacked;
        self.all[side] |= attacked;
        self.by[side][piece as usize] |= attacked;
    }
}

/// Counts the features of both sides' pieces.
pub(crate) fn count<T: FeatureSink>(board: &Board, structure: &PawnStructure, sink: &mut T) {
    let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
    let kings = Color::ALL.map(|color| board.king(color));
    let mut attacks = Attacks::by_pawns_and_kings(pawns, kings);
    let mut units = [0; 2];
    for color in Color::ALL {
        units[color as usize] = mobility(board, color, structure, &mut attacks, sink);
    }
    for color in Color::ALL {
        shelter(color, kings[color as usize], pawns, sink);
        king_attack(board, color, units[color as usize], &attacks, sink);
        threats(board, color, &attacks, sink);
        passed_pawns(board, color, structure, &attacks, sink);
    }
}

/// Counts mobility and placement of one side's pieces. Returns the attack units against the
/// opposing king.
#[inline(always)]
fn mobility<T: FeatureSink>(
    board: &Board,
    color: Color,
    structure: &PawnStructure,
    attacks: &mut Attacks,
    sink: &mut T,
) -> usize {
    let (us, them) = (color as usize, !color as usize);
    let occupied = board.occupied();
    let own_pawns = board.colored_pieces(color, Piece::Pawn);
    let all_pawns = board.pieces(Piece::Pawn);
    // The mobility area excludes blocked and unmoved own pawns, the own king, and squares attacked
    // by opposing pawns.
    let immobile_pawns =
        own_pawns & (bitboards::step(occupied, !color) | bitboards::step(home_rank(color), color));
    let area = !(immobile_pawns
        | board.colored_pieces(color, Piece::King)
        | attacks.by[them][Piece::Pawn as usize]);
    let zone = bitboards::king_zone(board.king(!color));
    let outposts = attacks.by[us][Piece::Pawn as usize] & !structure.attack_spans[them];
    let mut units = 0;
    for piece in MINOR_AND_MAJOR {
        let pieces = board.colored_pieces(color, piece);
        // X-ray attacks: sliders attack through own sliders that move alike.
        let blockers = match piece {
            Piece::Bishop => occupied ^ board.colored_pieces(color, Piece::Queen),
            Piece::Rook => {
                occupied
                    ^ board.colored_pieces(color, Piece::Queen)
                    ^ board.colored_pieces(color, Piece::Rook)
            }
            _ => occupied,
        };
        for square in pieces {
            let attacked = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, blockers),
                Piece::Rook => get_rook_moves(square, blockers),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
            attacks.record(color, piece, attacked);
            let mobility = (attacked & area).len() as usize;
            let table = match piece {
                Piece::Knight => KNIGHT_MOBILITY,
                Piece::Bishop => BISHOP_MOBILITY,
                Piece::Rook => ROOK_MOBILITY,
                _ => QUEEN_MOBILITY,
            };
            sink.add(color, table + mobility, 1);
            let near_king = attacked & zone;
            if !near_king.is_empty() {
                units += ATTACK_UNITS[piece as usize] + near_king.len() as usize;
            }
            match piece {
                Piece::Knight | Piece::Bishop => {
                    if outposts.has(square) && relative_rank(square, color) >= 3 {
                        sink.add(color, OUTPOST + (piece == Piece::Bishop) as usize, 1);
                    }
                    if !(bitboards::step(square.bitboard(), color) & all_pawns).is_empty() {
                        sink.add(color, BEHIND_PAWN, 1);
                    }
                }
                Piece::Rook => {
                    let file = square.file().bitboard();
                    if (file & all_pawns).is_empty() {
                        sink.add(color, ROOK_FILE, 1);
                    } else if (file & own_pawns).is_empty() {
                        sink.add(color, ROOK_FILE + 1, 1);
                    }
                }
                _ => {}
            }
            if piece == Piece::Bishop {
                let same_colour = if BitBoard::LIGHT_SQUARES.has(square) {
                    BitBoard::LIGHT_SQUARES
                } else {
                    !BitBoard::LIGHT_SQUARES
                };
                sink.add(color, BISHOP_PAWNS + (own_pawns & same_colour).len().min(8) as usize, 1);
            }
        }
        if piece == Piece::Bishop
            && !(pieces & BitBoard::LIGHT_SQUARES).is_empty()
            && !(pieces & !BitBoard::LIGHT_SQUARES).is_empty()
        {
            sink.add(color, BISHOP_PAIR, 1);
        }
    }
    units
}

fn home_rank(color: Color) -> BitBoard {
    cozy_chess::Rank::First.relative_to(color).bitboard()
}

/// Counts the pawn shelter of a king and the pawn storm against it.
#[inline(always)]
fn shelter<T: FeatureSink>(color: Color, king: Square, pawns: [BitBoard; 2], sink: &mut T) {
    let own = pawns[color as usize];
    let opponent = pawns[!color as usize];
    let level = king.rank().bitboard();
    let ahead = bitboards::forward(level, color);
    for (place, file) in files_around(king).into_iter().enumerate() {
        // 0 for the king's file, 1 for an edge file, 2 for another file.
        let place = match (place, file) {
            (0, _) => 0,
            (_, File::A | File::H) => 1,
            _ => 2,
        };
        let nearest = |set: BitBoard| match color {
            Color::White => set.next_square(),
            Color::Black => set.0.checked_ilog2().map(|top| Square::index(top as usize)),
        };
        let rank = |set| nearest(set).map_or(0, |square| relative_rank(square, color));
        sink.add(color, SHELTER + place * 8 + rank(own & file.bitboard() & ahead), 1);
        sink.add(color, STORM + place * 8 + rank(opponent & file.bitboard() & ahead), 1);
    }
}

/// Counts the attack of `color` on the opposing king.
#[inline(always)]
fn king_attack<T: FeatureSink>(
    board: &Board,
    color: Color,
    units: usize,
    attacks: &Attacks,
    sink: &mut T,
) {
    let (us, them) = (color as usize, !color as usize);
    let king = board.king(!color);
    sink.add(color, KING_ATTACK + units.min(39), 1);
    let by = &attacks.by[them];
    // Squares defended by a piece other than king and queen.
    let defended = by[Piece::Pawn as usize]
        | by[Piece::Knight as usize]
        | by[Piece::Bishop as usize]
        | by[Piece::Rook as usize];
    let weak_ring = get_king_moves(king) & attacks.all[us] & !defended & !attacks.twice[them];
    sink.add(color, WEAK_RING, weak_ring.len() as i32);

    let weak = !defended & !by[Piece::Queen as usize] & attacks.twice[us] & !attacks.twice[them];
    let safe = !board.colors(color) & (!attacks.all[them] | weak);
    let occupied = board.occupied() ^ board.colored_pieces(!color, Piece::Queen);
    let diagonals = get_bishop_moves(king, occupied);
    let lines = get_rook_moves(king, occupied);
    for (i, (piece, from)) in [
        (Piece::Knight, get_knight_moves(king)),
        (Piece::Bishop, diagonals),
        (Piece::Rook, lines),
        (Piece::Queen, diagonals | lines),
    ]
    .into_iter()
    .enumerate()
    {
        let checks = from & attacks.by[us][piece as usize] & safe;
        if !checks.is_empty() {
            sink.add(color, SAFE_CHECK + i, 1);
        }
    }
}

/// Counts threats against the opponent's pieces.
#[inline(always)]
fn threats<T: FeatureSink>(board: &Board, color: Color, attacks: &Attacks, sink: &mut T) {
    let (us, them) = (color as usize, !color as usize);
    let by = &attacks.by[us];
    let minor = by[Piece::Knight as usize] | by[Piece::Bishop as usize];
    let opponents = board.colors(!color);
    let undefended = !attacks.all[them];
    for (i, piece) in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .enumerate()
    {
        let pieces = board.colored_pieces(!color, piece);
        sink.add(color, PAWN_THREAT + i, (pieces & by[Piece::Pawn as usize]).len() as i32);
        sink.add(color, MINOR_THREAT + i, (pieces & minor).len() as i32);
        sink.add(color, ROOK_THREAT + i, (pieces & by[Piece::Rook as usize]).len() as i32);
    }
    sink.add(color, HANGING, (opponents & attacks.all[us] & undefended).len() as i32);
    sink.add(color, KING_THREAT, (opponents & by[Piece::King as usize] & undefended).len() as i32);

    let own_pawns = board.colored_pieces(color, Piece::Pawn);
    let free = !board.occupied();
    let once = bitboards::step(own_pawns, color) & free;
    let third = bitboards::step(bitboards::step(home_rank(color), color), color);
    let steps = once | (bitboards::step(once & third, color) & free);
    let safe = steps & !attacks.by[them][Piece::Pawn as usize] & (attacks.all[us] | undefended);
    let pieces = opponents & !board.pieces(Piece::Pawn) & !by[Piece::Pawn as usize];
    let pushed = bitboards::pawn_attacks(safe, color) & pieces;
    sink.add(color, PUSH_THREAT, pushed.len() as i32);
}

/// Counts how free the path of passed pawns is, and how near the kings are to it.
#[inline(always)]
fn passed_pawns<T: FeatureSink>(
    board: &Board,
    color: Color,
    structure: &PawnStructure,
    attacks: &Attacks,
    sink: &mut T,
) {
    for square in structure.passed[color as usize] {
        let rank = relative_rank(square, color);
        let stop = bitboards::step(square.bitboard(), color);
        if (stop & board.occupied()).is_empty() {
            sink.add(color, PASSED_FREE + rank, 1);
        }
        if (stop & attacks.all[!color as usize]).is_empty() {
            sink.add(color, PASSED_SAFE + rank, 1);
        }
        if rank >= 3 {
            let Some(stop) = stop.next_square() else { continue };
            sink.add(color, PASSED_OWN_KING + bitboards::distance(stop, board.king(color)), 1);
            sink.add(
                color,
                PASSED_OPPONENT_KING + bitboards::distance(stop, board.king(!color)),
                1,
            );
        }
    }
}
