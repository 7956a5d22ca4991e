//! One look at a board for all of the opponent's moves on it: who guards what, and who can take where.

use cozy_chess::{
    BitBoard, Board, Color, Move as BoardMove, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use super::feature_groups as f;
use crate::OpponentContext;

/// The first turns of the later stages of a game.
const STAGES: [u16; 3] = [6, 15, 40];
/// The first turns are the opening.
const OPENING: u16 = 12;
/// With fewer men than this on the board there are few.
const FEW_MEN: u32 = 12;

/// What is the same for all moves on a board. "He" is to move; "they" are the men that he does not see.
///
/// That he does not see them is no reason to leave them out: whoever has a good picture of the board plays as if he saw a part of it,
/// and how large a part is for the fit to say.
pub struct MoveFeatures<'a> {
    board: &'a Board,
    situation: &'a OpponentContext,
    he: Color,
    his: BitBoard,
    theirs: BitBoard,
    stage: usize,
    /// What he aims at from each square.
    aims: [BitBoard; Square::NUM],
    /// What at least one, two, three of his men aim at.
    held: [BitBoard; 3],
    /// Where they can take: with anything; and, for each kind of man of his, with something less.
    taken: BitBoard,
    taken_by_less: [BitBoard; Piece::NUM],
    /// For each kind of man of his, those that are worth more.
    dearer: [BitBoard; Piece::NUM],
    /// Who stands on each square where somebody stands.
    men: [Piece; Square::NUM],
    checkers: BitBoard,
    their_king: Square,
    /// The least of his men that can take back.
    least: Option<Piece>,
    /// Where the number of men on the board puts the features that depend on it.
    few: usize,
}

/// What a man aims at.
pub fn reach(piece: Piece, square: Square, color: Color, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(square, color),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}

/// Once or not at all. Where a guess of the processor's would often be wrong, adding nothing is faster than a branch.
fn truth(is_so: bool) -> i16 {
    i16::from(is_so)
}

/// By the king's steps.
fn distance(a: Square, b: Square) -> i32 {
    let files = a.file() as i32 - b.file() as i32;
    let ranks = a.rank() as i32 - b.rank() as i32;
    files.abs().max(ranks.abs())
}

impl<'a> MoveFeatures<'a> {
    /// Looks at a board on which these are his legal moves.
    pub fn new(board: &'a Board, situation: &'a OpponentContext, moves: &[BoardMove]) -> Self {
        let he = board.side_to_move();
        let (his, theirs) = (board.colors(he), board.colors(!he));
        let occupied = board.occupied();
        let mut aims = [BitBoard::EMPTY; Square::NUM];
        let mut held = [BitBoard::EMPTY; 3];
        let mut taken = [BitBoard::EMPTY; Piece::NUM];
        let mut who = [Piece::Pawn; Square::NUM];
        for piece in Piece::ALL {
            let men = board.pieces(piece);
            for square in men & his {
                who[square as usize] = piece;
                let reach = reach(piece, square, he, occupied);
                aims[square as usize] = reach;
                held[2] |= held[1] & reach;
                held[1] |= held[0] & reach;
                held[0] |= reach;
            }
            for square in men & theirs {
                who[square as usize] = piece;
                taken[piece as usize] |= reach(piece, square, !he, occupied);
            }
        }
        let [pawns, knights, bishops, rooks, queens, king] = taken;
        let (minors, none) = (knights | bishops, BitBoard::EMPTY);
        let heavier = pawns | minors | rooks;
        let queen = board.pieces(Piece::Queen);
        let major = queen | board.pieces(Piece::Rook);
        let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
        let taking_back = |square| moves.iter().filter(move |mv| mv.to == square);
        let least = |square| taking_back(square).map(|mv| who[mv.from as usize]).min();
        MoveFeatures {
            board,
            situation,
            he,
            his,
            theirs,
            stage: STAGES.iter().filter(|first| situation.move_count >= **first).count(),
            aims,
            held,
            taken: heavier | queens | king,
            taken_by_less: [none, pawns, pawns, pawns | minors, heavier, none],
            dearer: [major | minor, major, major, queen, none, none],
            men: who,
            checkers: board.checkers(),
            their_king: board.king(!he),
            least: situation.lost_on().and_then(least),
            few: usize::from(occupied.len() < FEW_MEN) * Piece::NUM,
        }
    }

    /// Names every feature of a move, with how many times it is there; it may name some that are not there at all.
    #[inline(always)]
    pub fn for_each_feature(&self, mv: BoardMove, mut name: impl FnMut(usize, i16)) {
        let piece = self.men[mv.from as usize];
        let kind = piece as usize;
        name(f::MOVED_PIECE + self.stage * Piece::NUM + kind, 1);
        if self.his.has(mv.to) {
            let is_long = mv.to.file() < mv.from.file();
            return name(f::CASTLES + usize::from(is_long), 1);
        }
        name(f::to(piece, mv.to, self.he), 1);
        if self.situation.move_count < OPENING {
            name(f::early_to(piece, mv.to, self.he), 1);
        }
        name(f::from(piece, mv.from, self.he), 1);
        self.notice_way(mv, piece, &mut name);
        self.notice_memories(mv, kind, &mut name);
        let victim = self.notice_capture(mv, piece, &mut name);
        self.notice_new_place(mv, piece, victim, &mut name);
    }

    /// How he goes.
    #[inline(always)]
    fn notice_way(&self, mv: BoardMove, piece: Piece, name: &mut impl FnMut(usize, i16)) {
        let kind = piece as usize;
        let rank = |square: Square| square.rank().relative_to(self.he) as i32;
        let forward = rank(mv.to) - rank(mv.from);
        name(f::RETREATS + kind, truth(forward < 0));
        match piece {
            Piece::Pawn => {
                if forward == 2 {
                    name(f::DOUBLE_STEP, 1);
                }
                match mv.promotion {
                    Some(Piece::Queen) => name(f::PROMOTES, 1),
                    Some(_) => name(f::PROMOTES + 1, 1),
                    None => {}
                }
                let file = mv.from.file();
                let ahead = (file.adjacent() | file.bitboard()) & self.beyond(mv.from.rank());
                if (ahead & self.theirs & self.board.pieces(Piece::Pawn)).is_empty() {
                    name(f::PASSED, 1);
                }
            }
            Piece::Bishop | Piece::Rook | Piece::Queen => {
                let steps = distance(mv.from, mv.to);
                name(f::FAR + 3 * usize::from(steps > 3) + kind - 2, truth(steps > 1));
            }
            Piece::Knight | Piece::King => {}
        }
        let rights = self.board.castle_rights(self.he);
        if piece == Piece::King && (rights.short.is_some() || rights.long.is_some()) {
            name(f::LOSES_CASTLING, 1);
        }
        if piece == Piece::Rook && mv.from.rank() == Rank::First.relative_to(self.he) {
            let file = Some(mv.from.file());
            if rights.short == file || rights.long == file {
                name(f::LOSES_CASTLING + 1, 1);
            }
        }
    }

    /// The ranks that lie before him beyond this one.
    fn beyond(&self, rank: Rank) -> BitBoard {
        match self.he {
            Color::White => BitBoard((!0u64 << 8) << (8 * rank as u32)),
            Color::Black => BitBoard((!0u64 >> 8) >> (8 * (7 - rank as u32))),
        }
    }

    /// What he remembers.
    #[inline(always)]
    fn notice_memories(&self, mv: BoardMove, kind: usize, name: &mut impl FnMut(usize, i16)) {
        let situation = self.situation;
        if let Some(last) = situation.last_move
            && last.to == mv.from
        {
            name(f::AGAIN + kind, 1);
            if last.from == mv.to {
                name(f::UNDOES + kind, 1);
            }
        }
        if situation.captured_on == Some(mv.from) {
            name(f::TOOK, 1);
        }
        for (turn, lost) in situation.losses.iter().skip(1).enumerate() {
            if *lost == Some(mv.to) {
                let is_empty = !self.theirs.has(mv.to);
                name(f::OLD_LOSS + turn + 3 * usize::from(is_empty), 1);
            }
        }
    }

    /// What he takes, which is returned.
    #[inline(always)]
    fn notice_capture(
        &self,
        mv: BoardMove,
        piece: Piece,
        name: &mut impl FnMut(usize, i16),
    ) -> Option<Piece> {
        let kind = piece as usize;
        let by_pawn = piece == Piece::Pawn && mv.from.file() != mv.to.file();
        if by_pawn {
            name(f::PAWN_CAPTURE + usize::from(!self.situation.has_pawn_try), 1);
        }
        if self.situation.lost_on() == Some(mv.to) {
            name(f::TAKES_BACK + kind, 1);
            if self.least == Some(piece) {
                name(f::LEAST, 1);
            }
        }
        // A pawn that takes in passing lands on an empty square.
        let victim = self.theirs.has(mv.to).then(|| self.men[mv.to as usize]);
        let victim = victim.or(by_pawn.then_some(Piece::Pawn));
        if let Some(victim) = victim {
            if self.situation.lost_on() != Some(mv.to) {
                name(f::TAKES + kind * 5 + (victim as usize).min(4), 1);
            }
            if self.taken.has(mv.to) {
                let is_loss = victim < piece;
                name(f::TAKES_GUARDED + if is_loss { 1 + kind } else { 0 }, 1);
            }
        }
        if !self.checkers.is_empty() {
            let way = match (piece, self.checkers.has(mv.to)) {
                (Piece::King, _) => 0,
                (_, true) => 1,
                (_, false) => 2,
            };
            name(f::CHECKED + way, 1);
        }
        victim
    }

    /// What he leaves, and what he finds where he comes to stand.
    #[inline(always)]
    fn notice_new_place(
        &self,
        mv: BoardMove,
        piece: Piece,
        victim: Option<Piece>,
        name: &mut impl FnMut(usize, i16),
    ) {
        let kind = piece as usize;
        let left = self.aims[mv.from as usize];
        let man = mv.promotion.unwrap_or(piece);
        let after = (self.board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
        let found = reach(man, mv.to, self.he, after);
        let held_by = |square: Square, but: bool| {
            let men = self.held.iter().filter(|held| held.has(square)).count();
            men - usize::from(but && men > 0)
        };
        let can_be_taken = self.taken.has(mv.to);
        if piece != Piece::King {
            // The man itself aims at where it goes, and is no guard of it there; but a pawn that steps does not.
            let guards = held_by(mv.to, left.has(mv.to));
            name(f::GUARDED + kind + 5 * usize::from(guards > 1), truth(guards > 0));
            // What is taken and guarded has been named as that.
            let is_exposed = can_be_taken && victim.is_none();
            name(f::EXPOSED + kind + 5 * usize::from(guards > 0), truth(is_exposed));
            name(f::TO_LESSER + kind, truth(self.taken_by_less[kind].has(mv.to)));
            if self.taken.has(mv.from) {
                let is_guarded = held_by(mv.from, false) > 0;
                name(f::LEAVES + kind + 5 * usize::from(is_guarded), 1);
                name(f::LEAVES + 10 + kind, truth(self.taken_by_less[kind].has(mv.from)));
            }
        }
        let pawns = self.board.pieces(Piece::Pawn);
        let others = self.his - mv.from.bitboard() - self.board.pieces(Piece::King);
        let mut of_both = |feature: usize, men: BitBoard| {
            name(feature, (men & pawns).len() as i16);
            name(feature + 1, (men - pawns).len() as i16);
        };
        of_both(f::UNGUARDS, (left - found) & (others - self.held[1]));
        of_both(f::GUARDS, found & (others - self.held[0]));
        let threatened = (found - left) & (self.theirs - mv.to.bitboard());
        name(f::THREATENS + kind, (threatened - self.taken).len() as i16);
        let dearer = threatened & self.taken & self.dearer[kind];
        name(f::THREATENS + Piece::NUM + kind, dearer.len() as i16);
        if threatened.has(self.their_king) {
            name(f::CHECKS + kind + Piece::NUM * usize::from(can_be_taken), 1);
            // Checks are few, so there is time to look for a way out of one.
            name(f::MATES, truth(mates(self.board, mv)));
        }
        let aims_at =
            |lost: &Option<Square>| lost.is_some_and(|square| found.has(square) && square != mv.to);
        let [just_lost, before @ ..] = &self.situation.losses;
        name(f::AIMS + kind, truth(aims_at(just_lost)));
        name(f::AIMS + Piece::NUM + kind, truth(before.iter().any(aims_at)));
        let freedom = found.len() as i16 - left.len() as i16;
        name(f::FREEDOM + kind, (freedom + 2) >> 2);
        let nearer = distance(mv.from, self.their_king) - distance(mv.to, self.their_king);
        name(f::NEARER + self.few + kind, nearer as i16);
    }
}

/// Whether nothing can be done against a check that this move gives.
fn mates(board: &Board, mv: BoardMove) -> bool {
    let mut after = board.clone();
    after.play_unchecked(mv);
    !after.generate_moves(|_| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Position;

    /// The names of what is noticed about a move, each with its place in its group.
    fn noticed(fen: &str, mv: &str, situation: &OpponentContext) -> Vec<(&'static str, usize)> {
        let position = Position::from_fen(fen).unwrap();
        let mut moves = Vec::new();
        position.board().generate_moves(|of_one_man| {
            moves.extend(of_one_man);
            false
        });
        let mv = position.board_move(mv.parse().unwrap());
        assert!(moves.contains(&mv));
        let mut names = Vec::new();
        MoveFeatures::new(position.board(), situation, &moves).for_each_feature(
            mv,
            |feature, times| {
                if times == 0 {
                    return;
                }
                let holds = |group: &&krieg_core::FeatureGroup| {
                    (group.start..group.start + group.len).contains(&feature)
                };
                let group = f::FEATURE_GROUPS.iter().find(holds).unwrap();
                names.push((group.name, feature - group.start));
            },
        );
        names
    }

    #[test]
    fn a_recapture_is_a_recapture() {
        // On d4 a bishop has just taken a knight; pawn and queen can take it.
        let fen = "4k3/8/8/8/3b4/4P3/3Q4/4K3 w - - 0 1";
        let mut situation = OpponentContext::default();
        situation.begin_turn(Some(Square::D4), true);
        let by_pawn = noticed(fen, "e3d4", &situation);
        assert!(by_pawn.contains(&("takes-back", 0)), "{by_pawn:?}");
        assert!(by_pawn.contains(&("takes-back-with-the-least", 0)));
        assert!(by_pawn.contains(&("pawn-captures", 0)), "he was told of it");
        let by_queen = noticed(fen, "d2d4", &situation);
        assert!(by_queen.contains(&("takes-back", 4)), "{by_queen:?}");
        assert!(!by_queen.contains(&("takes-back-with-the-least", 0)));
        // Two turns later it is an old loss.
        situation.begin_turn(None, true);
        situation.begin_turn(None, false);
        let late = noticed(fen, "d2d4", &situation);
        assert!(late.contains(&("goes-to-old-losses", 1)), "{late:?}");
        assert!(late.contains(&("takes", 4 * 5 + 2)), "a bishop is taken by a queen");
    }

    #[test]
    fn a_man_left_unguarded_is_noticed() {
        // The knight alone guards the bishop; the king walks away, or the knight does.
        let fen = "7k/8/8/8/4B3/8/3N4/7K w - - 0 1";
        let plain = OpponentContext::default();
        assert!(noticed(fen, "d2b1", &plain).contains(&("unguards", 1)));
        assert!(!noticed(fen, "h1g1", &plain).contains(&("unguards", 1)));
        // The bishop steps to where the knight still guards it, or to where nobody does.
        assert!(noticed(fen, "e4f3", &plain).contains(&("guarded", 2)));
        assert!(!noticed(fen, "e4a8", &plain).iter().any(|(name, _)| *name == "guarded"));
    }

    #[test]
    fn a_man_goes_where_it_can_be_taken_or_leaves_such_a_place() {
        let fen = "4k3/8/2p5/8/3N4/8/8/r3K1n1 w - - 0 1";
        let plain = OpponentContext::default();
        // In check, and the knight cannot help: what is noticed of the king's ways out.
        assert!(noticed(fen, "e1d2", &plain).contains(&("checked", 0)));
        let fen = "4k3/8/2p5/8/3N3r/8/8/4K3 w - - 0 1";
        let to_a_pawn = noticed(fen, "d4b5", &plain);
        assert!(to_a_pawn.contains(&("exposed", 1)), "{to_a_pawn:?}");
        assert!(to_a_pawn.contains(&("exposed-to-lesser", 1)));
        assert!(to_a_pawn.contains(&("leaves-danger", 1)), "the rook aims at it");
        let taking = noticed(fen, "d4c6", &plain);
        assert!(taking.contains(&("takes", 5)), "{taking:?}");
        assert!(!taking.contains(&("takes-guarded", 2)));
    }

    #[test]
    fn castling_is_seen_as_castling_and_undoing_as_undoing() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let situation = OpponentContext {
            last_move: Some("h2h1".parse().unwrap()),
            move_count: 20,
            ..OpponentContext::default()
        };
        assert_eq!(noticed(fen, "e1g1", &situation), [("man", 17), ("castles", 0)]);
        assert_eq!(noticed(fen, "e1c1", &situation), [("man", 17), ("castles", 1)]);
        assert!(noticed(fen, "e1e2", &situation).contains(&("loses-castling", 0)));
        let back = noticed(fen, "h1h2", &situation);
        assert!(back.contains(&("undoes", 3)) && back.contains(&("loses-castling", 1)), "{back:?}");
        assert!(noticed(fen, "h1h8", &situation).contains(&("checks", 3)));
    }

    #[test]
    fn a_mate_is_noticed_and_a_check_or_a_stalemate_is_none() {
        let plain = OpponentContext::default();
        let is_mate = |fen: &str, mv| noticed(fen, mv, &plain).contains(&("mates", 0));
        let fen = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
        assert!(is_mate(fen, "f2f8"));
        assert!(!is_mate(fen, "f2h2") && !is_mate(fen, "f2f7"));
        assert!(is_mate("6k1/4Pppp/8/8/8/8/8/4K3 w - - 0 1", "e7e8r"));
        assert!(!is_mate("6k1/4Pppp/8/8/8/8/8/4K3 w - - 0 1", "e7e8n"));
    }

    #[test]
    fn a_passed_pawn_is_passed_for_either_side() {
        let plain = OpponentContext::default();
        let is_passed = |fen: &str, mv| noticed(fen, mv, &plain).contains(&("passed", 0));
        assert!(is_passed("4k3/8/8/p3P3/8/8/8/4K3 w - - 0 1", "e5e6"));
        assert!(!is_passed("4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1", "e5e6"));
        assert!(is_passed("4k3/8/4P3/3p4/8/8/8/4K3 b - - 0 1", "d5d4"));
        assert!(!is_passed("4k3/8/8/3p4/8/8/4P3/4K3 b - - 0 1", "d5d4"));
    }
}
