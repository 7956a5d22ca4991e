//! What one's men leave to a lone king: where he may stand, where he may go, and what is said of him there.

use super::material_subset::is_pair;
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use krieg_core::{BitBoard, Checks, Direction, File, Move, Piece, PieceSet, Rank, Square};

/// The hold that the men of one side have on the board, when the other side has a king and nothing else. There may be any
/// number of them; the grounds of the tables are the same for few.
///
/// Attacks are made on a board without the lone king: a line goes on behind him, and he does not hide from a rook by stepping back.
#[derive(Debug, Clone)]
pub(crate) struct Grip {
    men: PieceSet,
    /// Where he may be when it is not his turn, and where he may go: neither occupied nor attacked.
    pub legal: BitBoard,
    /// PieceSet that he may take: nobody guards them.
    pub loose: BitBoard,
    /// Where he may be when it is his turn.
    pub standing: BitBoard,
}

impl Grip {
    pub fn new(men: &PieceSet) -> Self {
        let attacked = attacked(men, men.all());
        let kings = men.pieces(Piece::King);
        let beside =
            kings.into_iter().fold(BitBoard::EMPTY, |set, king| set | get_king_moves(king));
        Grip {
            men: *men,
            legal: !(men.all() | attacked),
            loose: men.all() & !attacked & !kings,
            standing: !(men.all() | beside),
        }
    }

    /// Where a lone king has a move.
    pub fn mobile(&self) -> BitBoard {
        beside(self.legal | self.loose)
    }

    /// Where he is mated.
    pub fn mated(&self) -> BitBoard {
        self.standing & !self.mobile() & !self.legal
    }

    /// Where he is stalemated.
    pub fn stalemated(&self) -> BitBoard {
        self.standing & !self.mobile() & self.legal
    }

    /// The checks that the umpire announces to a lone king on this square; `None` if they come from three men, which no game leads to.
    fn checks(&self, square: Square) -> Option<Checks> {
        let (men, all) = (&self.men, self.men.all());
        let queens = men.pieces(Piece::Queen);
        let checkers = get_rook_moves(square, all) & (men.pieces(Piece::Rook) | queens)
            | get_bishop_moves(square, all) & (men.pieces(Piece::Bishop) | queens)
            | get_knight_moves(square) & men.pieces(Piece::Knight)
            | get_pawn_attacks(square, !men.color()) & men.pieces(Piece::Pawn);
        let directions = checkers.into_iter().map(|checker| Direction::between(square, checker));
        (checkers.len() <= 2).then(|| Checks::new(directions))
    }

    /// Of these squares, those where a lone king to move would hear this and the game goes on.
    pub fn heard(&self, kings: BitBoard, checks: Checks) -> BitBoard {
        let kings = kings & self.standing & self.mobile();
        if checks.is_empty() {
            return kings & self.legal;
        }
        (kings & !self.legal)
            .into_iter()
            .filter(|&king| self.checks(king) == Some(checks))
            .collect()
    }

    /// Of these squares, those where the game goes on, by what is said there: no two sets sound the same.
    pub fn classes(&self, kings: BitBoard) -> Vec<BitBoard> {
        let kings = kings & self.standing & self.mobile();
        let mut classes = Vec::new();
        if !kings.is_disjoint(self.legal) {
            classes.push(kings & self.legal);
        }
        let mut checked: Vec<(Checks, BitBoard)> = Vec::new();
        for king in kings & !self.legal {
            let Some(checks) = self.checks(king) else { continue };
            match checked.iter_mut().find(|(known, _)| *known == checks) {
                Some((_, set)) => *set |= king.bitboard(),
                None => checked.push((checks, king.bitboard())),
            }
        }
        classes.extend(checked.into_iter().map(|(_, set)| set));
        classes
    }

    /// Where a lone king on one of these squares may be after a move that takes nothing.
    pub fn after_moving(&self, kings: BitBoard) -> BitBoard {
        beside(kings) & self.legal
    }

    /// Where he can get to in any number of moves, if nobody else moves.
    pub fn roaming(&self, kings: BitBoard) -> BitBoard {
        let mut reached = kings;
        loop {
            let further = reached | self.after_moving(reached);
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }
}

/// The squares beside these.
pub(crate) fn beside(squares: BitBoard) -> BitBoard {
    BitBoard(krieg_tablebase::neighbours(squares.0))
}

/// What these men attack, where so much of the board is occupied.
pub(crate) fn attacked(men: &PieceSet, occupied: BitBoard) -> BitBoard {
    let mut attacked = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for from in men.pieces(piece) {
            attacked |= match piece {
                Piece::Pawn => get_pawn_attacks(from, men.color()),
                Piece::Knight => get_knight_moves(from),
                Piece::Bishop => get_bishop_moves(from, occupied),
                Piece::Rook => get_rook_moves(from, occupied),
                Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
                Piece::King => get_king_moves(from),
            };
        }
    }
    attacked
}

/// Where a lone king makes this try of these men illegal: beside the square the king goes to, or where he castles through, or in the
/// way of a pawn. PieceSet that strike far are in nobody's way: a king in theirs would be in check.
pub(crate) fn refused_by(men: &PieceSet, mv: Move) -> BitBoard {
    let way = get_between_rays(mv.from, mv.to) | mv.to.bitboard();
    match men.piece_on(mv.from) {
        Some(Piece::King) => beside(way),
        Some(Piece::Pawn) if mv.from.file() == mv.to.file() => way,
        _ => BitBoard::EMPTY,
    }
}

/// The men after a move of theirs that takes nothing.
pub(crate) fn after(men: &PieceSet, mv: Move) -> PieceSet {
    let Some(piece) = men.piece_on(mv.from) else { return *men };
    let mut squares = Piece::ALL.map(|piece| men.pieces(piece));
    squares[piece as usize] ^= mv.from.bitboard();
    squares[mv.promotion.map_or(piece, Piece::from) as usize] ^= mv.to.bitboard();
    let (mut short, mut long) = men.castling();
    let file = |square: Square| square.file() as i32;
    if piece == Piece::King {
        if (file(mv.from) - file(mv.to)).abs() == 2 {
            let home = mv.from.rank();
            let is_short = mv.to.file() == File::G;
            let (from, to) = if is_short { (File::H, File::F) } else { (File::A, File::D) };
            for file in [from, to] {
                squares[Piece::Rook as usize] ^= Square::new(file, home).bitboard();
            }
        }
        (short, long) = (false, false);
    } else if piece == Piece::Rook && mv.from.rank() == home_rank(men) {
        // A rook that left its corner castles no more.
        short &= mv.from.file() != File::H;
        long &= mv.from.file() != File::A;
    }
    PieceSet::new(men.color(), squares, (short, long))
}

fn home_rank(men: &PieceSet) -> Rank {
    Rank::First.relative_to(men.color())
}

/// The men without the one on this square.
pub(crate) fn without(men: &PieceSet, lost: Square) -> PieceSet {
    let squares = Piece::ALL.map(|piece| men.pieces(piece) & !lost.bitboard());
    let (short, long) = men.castling();
    let is_corner = |file| lost == Square::new(file, home_rank(men));
    PieceSet::new(men.color(), squares, (short && !is_corner(File::H), long && !is_corner(File::A)))
}

/// Whether these men can mate a lone king at all.
pub(crate) fn can_mate(men: &PieceSet) -> bool {
    let heavy = men.pieces(Piece::Queen) | men.pieces(Piece::Rook) | men.pieces(Piece::Pawn);
    let (bishops, knights) = (men.pieces(Piece::Bishop), men.pieces(Piece::Knight));
    let is_mixed = !bishops.is_empty() && !knights.is_empty();
    !heavy.is_empty() || is_pair(bishops) || is_mixed || knights.len() > 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, DrawRules, Ending, Position, Ruleset};
    use krieg_tablebase::{Disposition, Ground};

    /// Some with more men than there are tables for, of either colour.
    const PLACEMENTS: [&str; 7] = [
        "8/8/8/8/3Q4/2K5/8/8",
        "8/8/8/2BB4/8/8/1K6/8",
        "8/8/1K6/7R/8/8/5P2/8",
        "8/3P4/3QK3/8/8/8/8/8",
        "8/8/2kr4/8/5p2/2q4p/p7/8",
        "8/2n5/1r1k4/8/4b3/8/pp4r1/8",
        "8/3N4/1K2P1P1/8/2B2N2/8/8/8",
    ];

    fn men_of(placement: &str) -> PieceSet {
        let letters = |upper: bool| {
            placement
                .chars()
                .filter(move |c| c.is_alphabetic() && c.is_uppercase() == upper)
                .count()
        };
        let color = if letters(true) > letters(false) { Color::White } else { Color::Black };
        let mut squares = [BitBoard::EMPTY; Piece::NUM];
        krieg_core::placement::read(placement, |square, letter| {
            if letter.is_uppercase() == (color == Color::White) {
                let piece = Piece::try_from(letter.to_ascii_lowercase()).unwrap();
                squares[piece as usize] |= square.bitboard();
            }
            Ok::<(), String>(())
        })
        .unwrap();
        PieceSet::new(color, squares, (false, false))
    }

    fn with_king(men: &PieceSet, king: Square, turn: Color) -> Option<Position> {
        if men.all().has(king) {
            return None;
        }
        let lone = if men.color() == Color::White { 'k' } else { 'K' };
        let board = krieg_core::placement::write(|square| {
            if square == king { Some(lone) } else { men.letter(square) }
        });
        let turn = if turn == Color::White { 'w' } else { 'b' };
        Position::from_fen(&format!("{board} {turn} - - 0 1")).ok()
    }

    #[test]
    fn the_umpire_says_of_every_square_what_the_grip_says() {
        for placement in PLACEMENTS {
            let men = men_of(placement);
            let grip = Grip::new(&men);
            let (mated, stalemated) = (grip.mated(), grip.stalemated());
            for king in Square::ALL {
                let at_rest = with_king(&men, king, men.color());
                assert_eq!(grip.legal.has(king), at_rest.is_some(), "{placement}, {king}");
                let Some(board) = with_king(&men, king, !men.color()) else {
                    // Nobody is in check from three men, and no position is read in which he is.
                    assert!(
                        !grip.standing.has(king) || !grip.legal.has(king),
                        "{placement}, {king}"
                    );
                    continue;
                };
                let said = board.opening(&Ruleset::BERKELEY, DrawRules::NONE);
                let ending = said.end.map(|outcome| outcome.ending);
                assert_eq!(
                    mated.has(king),
                    ending == Some(Ending::Checkmate),
                    "{placement} {king}"
                );
                let is_stalemate = ending == Some(Ending::Stalemate);
                assert_eq!(stalemated.has(king), is_stalemate, "{placement} {king}");
                if ending.is_none() {
                    assert!(
                        grip.heard(BitBoard::FULL, said.checks).has(king),
                        "{placement} {king}"
                    );
                }
            }
        }
    }

    #[test]
    fn few_men_hold_what_the_grounds_of_the_tables_say() {
        for placement in &PLACEMENTS[..4] {
            let men = men_of(placement);
            let grip = Grip::new(&men);
            let list: Vec<_> = men
                .all()
                .into_iter()
                .map(|square| (square, men.piece_on(square).unwrap()))
                .collect();
            let ground = Ground::new(&Disposition::from_men(&list).unwrap());
            assert_eq!(grip.legal.0, ground.legal);
            assert_eq!(grip.loose.0, ground.loose);
            let mut classes: Vec<u64> =
                grip.classes(BitBoard::FULL).into_iter().map(|class| class.0).collect();
            let on = grip.mobile().0;
            let mut known: Vec<u64> =
                ground.classes.iter().map(|class| class & on).filter(|&class| class != 0).collect();
            classes.sort_unstable();
            known.sort_unstable();
            assert_eq!(classes, known, "{placement}");
        }
    }

    #[test]
    fn men_move_castle_promote_and_are_lost() {
        let start = Position::from_fen("8/P7/8/6k1/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for tried in ["e1g1", "e1c1", "a7a8q", "a7a8r", "h1h3", "a1d1", "e1d2"] {
            let mut board = start.clone();
            let mv = tried.parse().unwrap();
            let known = after(&board.pieces(Color::White), mv);
            let said = board.answer(mv, &Ruleset::ICC, DrawRules::NONE);
            assert_eq!(said.verdict, krieg_core::Verdict::Moved, "{tried}");
            assert_eq!(known, board.pieces(Color::White), "{tried}");
        }
        let left = without(&start.pieces(Color::White), Square::H1);
        assert_eq!((left.all().len(), left.castling()), (3, (false, true)));
    }

    #[test]
    fn who_can_mate() {
        for (placement, can) in [
            ("8/8/8/8/8/8/1K6/N7", false),
            ("8/8/8/8/8/8/1K6/NN6", false),
            ("8/8/8/8/8/8/1K6/B1B5", false),
            ("8/8/8/8/8/8/1K6/BB6", true),
            ("8/8/8/8/8/8/1K6/BN6", true),
            ("8/8/8/8/8/P7/1K6/8", true),
            ("8/8/8/8/8/8/1K6/R7", true),
        ] {
            assert_eq!(can_mate(&men_of(placement)), can, "{placement}");
        }
    }
}
