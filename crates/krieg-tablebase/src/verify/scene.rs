//! One disposition on real boards: what the umpire says to every try, wherever the lone king is, and to every reply.

use krieg_core::{
    Announcement, BitBoard, Color, DrawRules, Ending, Move, Piece, PieceSet, Position, Ruleset,
    Square, Verdict,
};

use crate::disposition::Disposition;

/// Rules that tell no more than others do of a lone king. How long a game may last is not for the tables to say.
pub const RULES: Ruleset = Ruleset::ICC;
/// The draws that a board shows by itself; fifty moves and repetitions are left out.
pub const DRAWS: DrawRules = DrawRules { insufficient_material: true, ..DrawRules::NONE };

/// What may happen next at one disposition, with White to move.
#[derive(Debug)]
pub struct Scene {
    /// Where the lone king may be.
    pub legal: u64,
    /// White's tries, in the order in which tables number them.
    pub tries: Vec<Tried>,
}

/// One try, whatever square the lone king is on.
#[derive(Debug)]
pub struct Tried {
    /// The try.
    pub mv: Move,
    /// Kings by which it is refused.
    pub refused: u64,
    /// Kings that it mates.
    pub mated: u64,
    /// Kings that have a draw after it, at once or by their reply.
    pub spoiled: u64,
    /// What White may hear otherwise.
    pub heard: Vec<Heard>,
}

/// One thing White may hear: the answer to his try, and what is said of the reply.
#[derive(Debug)]
pub struct Heard {
    /// The umpire's words to the try, and to the reply.
    words: (Announcement, Announcement),
    /// Where White's men stand after that.
    pub to: Disposition,
    /// Kings of which this may be heard.
    pub kings: u64,
    /// By their square, where they may be after that.
    next: Box<[u64; 64]>,
}

impl Heard {
    /// Where the lone king may be after this was heard, if he was on one of these squares.
    pub fn after(&self, kings: u64) -> u64 {
        BitBoard(kings & self.kings).into_iter().fold(0, |all, king| all | self.next[king as usize])
    }
}

impl Scene {
    /// Sets up every board and asks the umpire.
    pub fn of(disposition: &Disposition) -> Scene {
        let men = white_men(disposition);
        let boards: Vec<(Square, Position)> =
            Square::ALL.into_iter().filter_map(|king| Some((king, board(&men, king)?))).collect();
        let legal = boards.iter().fold(0, |set, (king, _)| set | king.bitboard().0);
        let tries = tries(disposition, &men).into_iter().map(|mv| Tried::on(mv, &boards)).collect();
        Scene { legal, tries }
    }
}

impl Tried {
    fn on(mv: Move, boards: &[(Square, Position)]) -> Tried {
        let mut tried = Tried { mv, refused: 0, mated: 0, spoiled: 0, heard: Vec::new() };
        for (king, board) in boards {
            let here = king.bitboard().0;
            let mut board = board.clone();
            let said = board.answer(mv, &RULES, DRAWS);
            match (said.verdict, said.end) {
                (Verdict::Moved, Some(end)) if end.ending == Ending::Checkmate => {
                    tried.mated |= here
                }
                (Verdict::Moved, Some(_)) => tried.spoiled |= here,
                (Verdict::Moved, None) => tried.hear_replies(*king, said, &board),
                _ => tried.refused |= here,
            }
        }
        tried
    }

    fn hear_replies(&mut self, king: Square, said: Announcement, board: &Position) {
        for reply in board.legal_moves() {
            let mut after = board.clone();
            let then = after.answer(reply, &RULES, DRAWS);
            // A lone king mates nobody: if the game ends by what he does, it is drawn.
            let heard = if then.end.is_none() { self.heard((said, then), &after) } else { None };
            let Some(heard) = heard else {
                self.spoiled |= king.bitboard().0;
                continue;
            };
            heard.kings |= king.bitboard().0;
            heard.next[king as usize] |= reply.to.bitboard().0;
        }
    }

    /// The place for what was heard; `None` if White has nobody left to win with.
    fn heard(
        &mut self,
        words: (Announcement, Announcement),
        after: &Position,
    ) -> Option<&mut Heard> {
        let known = self.heard.iter().position(|heard| heard.words == words);
        let place = match known {
            Some(place) => place,
            None => {
                let to = disposition_of(after)?;
                self.heard.push(Heard { words, to, kings: 0, next: Box::new([0; 64]) });
                self.heard.len() - 1
            }
        };
        self.heard.get_mut(place)
    }
}

/// The men of a disposition, White's.
pub fn white_men(disposition: &Disposition) -> PieceSet {
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    for (piece, square) in disposition.men() {
        squares[piece as usize] |= square.bitboard();
    }
    PieceSet::new(Color::White, squares, (false, false))
}

/// A king and nobody else.
pub fn lone_king(color: Color, square: Square) -> PieceSet {
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    squares[Piece::King as usize] = square.bitboard();
    PieceSet::new(color, squares, (false, false))
}

/// White's men and a lone king, White to move; `None` if that cannot be.
fn board(men: &PieceSet, king: Square) -> Option<Position> {
    Position::from_pieces(men, &lone_king(Color::Black, king), Color::White, None)
}

/// Where the lone king may be, by the umpire's boards.
pub fn legal_kings(disposition: &Disposition) -> u64 {
    let men = white_men(disposition);
    let stands = |king: &Square| board(&men, *king).is_some();
    Square::ALL.into_iter().filter(stands).fold(0, |set, king| set | king.bitboard().0)
}

/// Where White's men stand on a board; `None` if that is no endgame.
fn disposition_of(board: &Position) -> Option<Disposition> {
    let men = board.pieces(Color::White);
    let list: Vec<(Square, Piece)> =
        men.all().into_iter().filter_map(|square| Some((square, men.piece_on(square)?))).collect();
    Disposition::from_men(&list)
}

/// What White may try, in the order in which tables number tries: man by man, the king first, and by the square he goes to. A pawn takes nobody:
/// a king whom it could take would be in check with White to move.
fn tries(disposition: &Disposition, men: &PieceSet) -> Vec<Move> {
    let man = |from: Square| disposition.men().position(|(_, square)| square == from);
    let mut tries: Vec<Move> = men.tries().iter().filter(|&mv| !men.is_pawn_capture(mv)).collect();
    tries.sort_by_key(|mv| (man(mv.from), mv.to, mv.promotion));
    tries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disposition::Catalogue;

    fn scene(men: &[(Square, Piece)]) -> Scene {
        Scene::of(&Disposition::from_men(men).unwrap())
    }

    fn tried(scene: &Scene, mv: &str) -> usize {
        scene.tries.iter().position(|tried| tried.mv.to_string() == mv).unwrap()
    }

    #[test]
    fn mates_stalemates_and_refusals_are_told_apart() {
        let scene = scene(&[(Square::F7, Piece::King), (Square::G1, Piece::Queen)]);
        let stalemates = &scene.tries[tried(&scene, "g1g6")];
        assert_eq!(stalemates.spoiled, Square::H8.bitboard().0);
        for mates in ["g1h1", "g1h2", "g1g7"] {
            let mated = BitBoard(scene.tries[tried(&scene, mates)].mated);
            assert_eq!(mated, Square::H7.bitboard() | Square::H8.bitboard(), "{mates}");
        }
        assert!(scene.legal & Square::D7.bitboard().0 != 0);
        assert!(scene.tries[tried(&scene, "f7e7")].refused & Square::D7.bitboard().0 != 0);
    }

    #[test]
    fn a_man_who_is_taken_is_missed() {
        let scene = scene(&[
            (Square::A1, Piece::King),
            (Square::E4, Piece::Bishop),
            (Square::H1, Piece::Rook),
        ]);
        let steps_up = &scene.tries[tried(&scene, "a1a2")];
        let taken = steps_up
            .heard
            .iter()
            .find(|heard| heard.to.endgame().to_string() == "krk")
            .expect("nobody guards the bishop");
        assert_eq!(taken.after(scene.legal), Square::E4.bitboard().0);
        let quiet = steps_up.heard.iter().find(|heard| heard.to.endgame().men() == 4).unwrap();
        assert!(quiet.after(scene.legal) & Square::E4.bitboard().0 == 0);
    }

    /// The one thing that is common to both: how a table names a try.
    #[test]
    fn tries_are_numbered_as_in_tables() {
        for name in ["krk", "kqk", "kbnk", "knnk", "kpk", "kppk"] {
            let catalogue = Catalogue::new(name.parse().unwrap());
            for number in (0..catalogue.len()).step_by(97) {
                let disposition = catalogue.disposition(number).unwrap();
                let mine = tries(&disposition, &white_men(&disposition));
                let theirs: Vec<Move> =
                    disposition.steps().into_iter().map(|step| step.mv).collect();
                assert_eq!(mine, theirs, "{disposition}");
            }
        }
    }
}
