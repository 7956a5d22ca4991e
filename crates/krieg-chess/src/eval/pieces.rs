//! What the pieces do: mobility, outposts, threats, attacks on the king, and the way of passed pawns.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

use super::bitboards;
use super::feature_sink::FeatureSink;
use super::pawns::{PawnStructure, files_about};
use super::weights::{
    BEHIND_PAWN, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, HANGING, KING_ATTACK, KING_THREAT,
    KNIGHT_MOBILITY, MINOR_THREAT, OUTPOST, PASSED_FREE, PASSED_OPPONENT_KING, PASSED_OWN_KING,
    PASSED_SAFE, PAWN_THREAT, PUSH_THREAT, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_THREAT,
    SAFE_CHECK, SHELTER, STORM, WEAK_RING, rank_from_side,
};

const MINOR_AND_MAJOR: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// Units of attack that a piece brings against a king's zone, besides one for each square it
/// attacks there.
const ATTACK_UNITS: [usize; 6] = [0, 2, 2, 3, 5, 0];

/// Who attacks what, filled in as the pieces are counted.
struct Attacks {
    by: [[BitBoard; 6]; 2],
    all: [BitBoard; 2],
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

/// Counts everything that needs to see the pieces.
pub(crate) fn count<T: FeatureSink>(board: &Board, facts: &PawnStructure, tally: &mut T) {
    let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
    let kings = Color::ALL.map(|color| board.king(color));
    let mut attacks = Attacks::by_pawns_and_kings(pawns, kings);
    let mut units = [0; 2];
    for color in Color::ALL {
        units[color as usize] = moves(board, color, facts, &mut attacks, tally);
    }
    for color in Color::ALL {
        shelter(color, kings[color as usize], pawns, tally);
        attack_on_king(board, color, units[color as usize], &attacks, tally);
        threats(board, color, &attacks, tally);
        passed_pawns(board, color, facts, &attacks, tally);
    }
}

/// Mobility and posts of one side's pieces; returns the units of their attack on the king.
#[inline(always)]
fn moves<T: FeatureSink>(
    board: &Board,
    color: Color,
    facts: &PawnStructure,
    attacks: &mut Attacks,
    tally: &mut T,
) -> usize {
    let (us, them) = (color as usize, !color as usize);
    let occupied = board.occupied();
    let own_pawns = board.colored_pieces(color, Piece::Pawn);
    let all_pawns = board.pieces(Piece::Pawn);
    // Pawns that cannot step, or have not yet: no good squares for pieces.
    let stuck =
        own_pawns & (bitboards::step(occupied, !color) | bitboards::step(home_rank(color), color));
    let area = !(stuck
        | board.colored_pieces(color, Piece::King)
        | attacks.by[them][Piece::Pawn as usize]);
    let zone = bitboards::king_zone(board.king(!color));
    let held = attacks.by[us][Piece::Pawn as usize] & !facts.reach[them];
    let mut units = 0;
    for piece in MINOR_AND_MAJOR {
        let pieces = board.colored_pieces(color, piece);
        // Sliders look through the men they move with.
        let seen_through = match piece {
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
                Piece::Bishop => get_bishop_moves(square, seen_through),
                Piece::Rook => get_rook_moves(square, seen_through),
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
            tally.add(color, table + mobility, 1);
            let near_king = attacked & zone;
            if !near_king.is_empty() {
                units += ATTACK_UNITS[piece as usize] + near_king.len() as usize;
            }
            match piece {
                Piece::Knight | Piece::Bishop => {
                    if held.has(square) && rank_from_side(square, color) >= 3 {
                        tally.add(color, OUTPOST + (piece == Piece::Bishop) as usize, 1);
                    }
                    if !(bitboards::step(square.bitboard(), color) & all_pawns).is_empty() {
                        tally.add(color, BEHIND_PAWN, 1);
                    }
                }
                Piece::Rook => {
                    let file = square.file().bitboard();
                    if (file & all_pawns).is_empty() {
                        tally.add(color, ROOK_FILE, 1);
                    } else if (file & own_pawns).is_empty() {
                        tally.add(color, ROOK_FILE + 1, 1);
                    }
                }
                _ => {}
            }
            if piece == Piece::Bishop {
                let shade = if BitBoard::LIGHT_SQUARES.has(square) {
                    BitBoard::LIGHT_SQUARES
                } else {
                    !BitBoard::LIGHT_SQUARES
                };
                tally.add(color, BISHOP_PAWNS + (own_pawns & shade).len().min(8) as usize, 1);
            }
        }
        if piece == Piece::Bishop
            && !(pieces & BitBoard::LIGHT_SQUARES).is_empty()
            && !(pieces & !BitBoard::LIGHT_SQUARES).is_empty()
        {
            tally.add(color, BISHOP_PAIR, 1);
        }
    }
    units
}

fn home_rank(color: Color) -> BitBoard {
    cozy_chess::Rank::First.relative_to(color).bitboard()
}

/// The pawns before a king, its own and the enemy's.
#[inline(always)]
fn shelter<T: FeatureSink>(color: Color, king: Square, pawns: [BitBoard; 2], tally: &mut T) {
    let own = pawns[color as usize];
    let opponent = pawns[!color as usize];
    let level = king.rank().bitboard();
    let ahead = bitboards::forward(level, color);
    for (place, file) in files_about(king).into_iter().enumerate() {
        // Whether the file is the board's edge matters more than which side of the king it is on.
        let place = match (place, file) {
            (0, _) => 0,
            (_, File::A | File::H) => 1,
            _ => 2,
        };
        let nearest = |set: BitBoard| match color {
            Color::White => set.next_square(),
            Color::Black => set.0.checked_ilog2().map(|top| Square::index(top as usize)),
        };
        let rank = |set| nearest(set).map_or(0, |square| rank_from_side(square, color));
        tally.add(color, SHELTER + place * 8 + rank(own & file.bitboard() & ahead), 1);
        tally.add(color, STORM + place * 8 + rank(opponent & file.bitboard() & ahead), 1);
    }
}

/// What `color`'s pieces do to the enemy's king.
#[inline(always)]
fn attack_on_king<T: FeatureSink>(
    board: &Board,
    color: Color,
    units: usize,
    attacks: &Attacks,
    tally: &mut T,
) {
    let (us, them) = (color as usize, !color as usize);
    let king = board.king(!color);
    tally.add(color, KING_ATTACK + units.min(39), 1);
    let by = &attacks.by[them];
    let solid = by[Piece::Pawn as usize]
        | by[Piece::Knight as usize]
        | by[Piece::Bishop as usize]
        | by[Piece::Rook as usize];
    let weak_ring = get_king_moves(king) & attacks.all[us] & !solid & !attacks.twice[them];
    tally.add(color, WEAK_RING, weak_ring.len() as i32);

    let weak = !solid & !by[Piece::Queen as usize] & attacks.twice[us] & !attacks.twice[them];
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
            tally.add(color, SAFE_CHECK + i, 1);
        }
    }
}

/// Men of the enemy that stand under attack.
#[inline(always)]
fn threats<T: FeatureSink>(board: &Board, color: Color, attacks: &Attacks, tally: &mut T) {
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
        tally.add(color, PAWN_THREAT + i, (pieces & by[Piece::Pawn as usize]).len() as i32);
        tally.add(color, MINOR_THREAT + i, (pieces & minor).len() as i32);
        tally.add(color, ROOK_THREAT + i, (pieces & by[Piece::Rook as usize]).len() as i32);
    }
    tally.add(color, HANGING, (opponents & attacks.all[us] & undefended).len() as i32);
    tally.add(color, KING_THREAT, (opponents & by[Piece::King as usize] & undefended).len() as i32);

    let own_pawns = board.colored_pieces(color, Piece::Pawn);
    let free = !board.occupied();
    let once = bitboards::step(own_pawns, color) & free;
    let third = bitboards::step(bitboards::step(home_rank(color), color), color);
    let steps = once | (bitboards::step(once & third, color) & free);
    let safe = steps & !attacks.by[them][Piece::Pawn as usize] & (attacks.all[us] | undefended);
    let pieces = opponents & !board.pieces(Piece::Pawn) & !by[Piece::Pawn as usize];
    let pushed = bitboards::pawn_attacks(safe, color) & pieces;
    tally.add(color, PUSH_THREAT, pushed.len() as i32);
}

/// Whether passed pawns can walk, and which king is nearer.
#[inline(always)]
fn passed_pawns<T: FeatureSink>(
    board: &Board,
    color: Color,
    facts: &PawnStructure,
    attacks: &Attacks,
    tally: &mut T,
) {
    for square in facts.passed[color as usize] {
        let rank = rank_from_side(square, color);
        let next = bitboards::step(square.bitboard(), color);
        if (next & board.occupied()).is_empty() {
            tally.add(color, PASSED_FREE + rank, 1);
        }
        if (next & attacks.all[!color as usize]).is_empty() {
            tally.add(color, PASSED_SAFE + rank, 1);
        }
        if rank >= 3 {
            let Some(next) = next.next_square() else { continue };
            tally.add(color, PASSED_OWN_KING + bitboards::distance(next, board.king(color)), 1);
            tally.add(
                color,
                PASSED_OPPONENT_KING + bitboards::distance(next, board.king(!color)),
                1,
            );
        }
    }
}
