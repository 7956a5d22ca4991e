//! The player who takes what he can: semi-random with a memory for where enemies stand.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_knight_moves,
    get_rook_moves,
};
use krieg_core::{Capture, Move, Observation, PieceSet, Promotion, Try, Verdict, View};
use krieg_time::Clock;

use crate::random::TrySampler;
use crate::semi_random::has_pawn_try;
use crate::{Choice, Fault, Player, Seat};

/// Promotes when it can, uses its pawn tries, takes back, takes where a man must stand, and does not leave its
/// better men within reach of one that has just captured. Where none of that is to be had, it plays at random.
///
/// What it remembers is a suspicion for each square: how sure it is, in hundredths, that an enemy stands there.
/// A capture by the enemy makes it sure; a push that is refused, nearly so; each move of the enemy makes it less
/// sure again.
#[derive(Debug, Clone)]
pub struct Greedy {
    sampler: TrySampler,
    /// The own men before the last try was answered.
    men: PieceSet,
    suspicion: [i32; Square::NUM],
    /// Where an enemy captured a moment ago, and may capture on from.
    raider: Option<Square>,
    last_move: Option<Move>,
    remark: String,
}

// Guesses, none of them tuned; what they are worth together is in benches/runs.

/// A man that is not known, in hundredths of a pawn.
const SOME_MAN: i32 = 300;
const PAWN_CAPTURE: i32 = 350;
const QUEENING: i32 = 800;
/// Of the value of whoever captures, so much in a hundred is lost to those who take back.
const TAKEN_BACK: i32 = 25;
/// Of the value of whoever stands within reach of a raider, so much in a hundred.
const RAIDED: i32 = 15;
/// What is left of a suspicion, in a hundred, after a move of the enemy.
const REMEMBERED: i32 = 60;

const SURE: i32 = 100;
const NEARLY_SURE: i32 = 80;

fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        // A king is never taken: where he could be, the umpire does not let him go.
        Piece::King => 0,
    }
}

impl Greedy {
    /// A player that waits for its first game.
    pub fn new() -> Self {
        Greedy::with(TrySampler::new(0), krieg_core::Position::start().pieces(Color::White))
    }

    fn with(sampler: TrySampler, men: PieceSet) -> Self {
        Greedy {
            sampler,
            men,
            suspicion: [0; Square::NUM],
            raider: None,
            last_move: None,
            remark: String::new(),
        }
    }

    fn suspect(&mut self, square: Square, sureness: i32) {
        let suspicion = &mut self.suspicion[square as usize];
        *suspicion = sureness.max(*suspicion);
    }

    fn enemy_moved(&mut self, capture: Option<Capture>) {
        for suspicion in &mut self.suspicion {
            *suspicion = *suspicion * REMEMBERED / 100;
        }
        self.raider = capture.map(|capture| capture.square);
        let Some(capture) = capture else { return };
        self.suspect(capture.square, SURE);
        if let Some(passed) = self.last_move.and_then(|mv| passed_square(&self.men, mv, capture)) {
            // Taken in passing, perhaps: then the taker stands behind.
            self.suspect(passed, NEARLY_SURE);
        }
    }

    fn own_refused(&mut self, mv: Move) {
        let between = get_between_rays(mv.from, mv.to);
        let is_push = self.men.pieces(Piece::Pawn).has(mv.from) && mv.from.file() == mv.to.file();
        let blocked = if is_push { between | mv.to.bitboard() } else { between };
        for square in blocked {
            self.suspect(square, NEARLY_SURE / blocked.len() as i32);
        }
    }

    fn own_moved(&mut self, mv: Move) {
        for square in get_between_rays(mv.from, mv.to) | mv.to.bitboard() | mv.from.bitboard() {
            self.suspicion[square as usize] = 0;
        }
        self.last_move = Some(mv);
    }

    /// How good a try looks, in hundredths of a pawn.
    fn value(&self, view: &View, mv: Move, raided: BitBoard) -> i32 {
        let men = view.pieces();
        let Some(piece) = men.piece_on(mv.from) else { return 0 };
        let mut value = match mv.promotion {
            Some(Promotion::Queen) => QUEENING,
            Some(_) => QUEENING / 4,
            None => 0,
        };
        if men.is_pawn_capture(mv) {
            // Where nobody told, it is a shot in the dark: a refusal costs nothing but gives nothing.
            if has_pawn_try(view) {
                value += PAWN_CAPTURE;
            }
        } else if piece != Piece::Pawn {
            let suspicion = self.suspicion[mv.to as usize];
            value += suspicion * (SOME_MAN - worth(piece) * TAKEN_BACK / 100) / 100;
        }
        let at_risk = worth(piece) * RAIDED / 100;
        if piece != Piece::Pawn && mv.to != self.raider.unwrap_or(mv.from) {
            match (raided.has(mv.from), raided.has(mv.to)) {
                (true, false) => value += at_risk,
                (false, true) => value -= at_risk,
                _ => {}
            }
        }
        value
    }

    /// Where the man that has just captured may go next, whatever it is.
    fn raided(&self, men: &PieceSet) -> BitBoard {
        match self.raider {
            None => BitBoard::EMPTY,
            Some(raider) => {
                get_rook_moves(raider, men.all())
                    | get_bishop_moves(raider, men.all())
                    | get_knight_moves(raider)
            }
        }
    }
}

/// Behind a pawn that made a double step and was captured at once.
fn passed_square(men: &PieceSet, last: Move, capture: Capture) -> Option<Square> {
    let steps = (last.from.rank() as i32 - last.to.rank() as i32).abs();
    // The men are those of the last choice, before the pawn moved.
    let was_pawn = men.pieces(Piece::Pawn).has(last.from);
    let is_it = was_pawn && steps == 2 && last.to == capture.square;
    is_it.then(|| {
        let rank = if last.to.rank() == Rank::Fourth { Rank::Third } else { Rank::Sixth };
        Square::new(last.to.file(), rank)
    })
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy::new()
    }
}

impl Player for Greedy {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        *self = Greedy::with(TrySampler::new(seat.seed), seat.setup.start.pieces(seat.color));
        Ok(())
    }

    fn observe(&mut self, line: &Observation) -> Result<(), Fault> {
        let is_own = line.announcement.by == self.men.color();
        match (line.announcement.verdict, line.tried) {
            (Verdict::Moved, Some(Try::Move(mv))) if is_own => self.own_moved(mv),
            (Verdict::Refused, Some(Try::Move(mv))) if is_own => self.own_refused(mv),
            (Verdict::Moved, _) => self.enemy_moved(line.announcement.capture),
            _ => {}
        }
        Ok(())
    }

    fn choose(&mut self, view: &View, _clock: &Clock) -> Result<Choice, Fault> {
        self.men = *view.pieces();
        if view.can_ask_any() {
            self.remark = "it costs nothing to ask".to_string();
            return Ok(Try::Any.into());
        }
        let raided = self.raided(view.pieces());
        let mut sampler = self.sampler.clone();
        let best = sampler.draw_best(view, |mv| self.value(view, mv, raided));
        self.sampler = sampler;
        Ok(match best {
            Some((mv, value)) => {
                self.remark.clear();
                if value != 0 {
                    self.remark = format!("{mv} looks like {:+.2}", f64::from(value) / 100.0);
                }
                Try::Move(mv).into()
            }
            None => Choice::Resign,
        })
    }

    fn remark(&self) -> Option<String> {
        (!self.remark.is_empty()).then(|| self.remark.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameRunner, GameSettings, Random};
    use krieg_core::{Position, Setup};

    /// The first moves of a game against the random player that stood.
    fn moves(fen: &str, seed: u64, white_is_greedy: bool) -> Vec<String> {
        let setup = Setup { start: Position::from_fen(fen).unwrap(), ..Setup::default() };
        let conditions = GameSettings { setup, draw_after: Some(10), ..GameSettings::default() };
        let (mut greedy, mut random) = (Greedy::new(), Random::new());
        let table = GameRunner::new(conditions, seed);
        let game = match white_is_greedy {
            true => table.play([&mut greedy, &mut random]),
            false => table.play([&mut random, &mut greedy]),
        };
        let moved = |entry: &&krieg_core::Entry| entry.announcement.verdict == Verdict::Moved;
        let entries = game.record().entries().iter().filter(moved);
        entries.map(|entry| entry.tried.to_string()).collect()
    }

    #[test]
    fn a_pawn_that_can_becomes_a_queen() {
        for seed in 0..10 {
            assert_eq!(moves("4k3/8/8/8/8/8/p5K1/8 b - - 0 1", seed, false)[0], "a2a1q");
        }
    }

    #[test]
    fn who_blocks_a_pawn_is_taken() {
        // The pawn's step is refused, so somebody must stand there: the bishop takes him.
        let start = Position::from_fen("4k3/8/8/8/3n4/3P4/8/4K1B1 w - - 0 1").unwrap();
        let mut umpire = krieg_core::Umpire::new(krieg_core::Ruleset::ICC, start);
        let clock = Clock::new(krieg_time::TimeControl::Unlimited);
        let mut greedy = Greedy::with(TrySampler::new(1), *umpire.view(Color::White).pieces());
        let tried: Try = "d3d4".parse().unwrap();
        let said = umpire.judge(tried).unwrap();
        greedy
            .observe(&Observation { tried: Some(tried), announcement: said, spent_ms: None })
            .unwrap();
        let choice = greedy.choose(umpire.view(Color::White), &clock);
        assert_eq!(choice, Ok(Choice::Try("g1d4".parse().unwrap())));
    }

    #[test]
    fn who_captured_in_passing_is_looked_for_behind() {
        let start = Position::from_fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1").unwrap();
        let mut umpire = krieg_core::Umpire::new(krieg_core::Ruleset::ICC, start);
        let clock = Clock::new(krieg_time::TimeControl::Unlimited);
        let mut greedy = Greedy::with(TrySampler::new(1), *umpire.view(Color::White).pieces());
        greedy.choose(umpire.view(Color::White), &clock).unwrap();
        let own: Try = "e2e4".parse().unwrap();
        let said = umpire.judge(own).unwrap();
        greedy
            .observe(&Observation { tried: Some(own), announcement: said, spent_ms: None })
            .unwrap();
        let said = umpire.judge("d4e3".parse().unwrap()).unwrap();
        greedy.observe(&Observation { tried: None, announcement: said, spent_ms: None }).unwrap();
        let suspicion = |square: Square| greedy.suspicion[square as usize];
        assert_eq!((suspicion(Square::E4), suspicion(Square::E3)), (SURE, NEARLY_SURE));
    }

    #[test]
    fn every_choice_of_value_has_a_word() {
        let mut greedy = Greedy::new();
        let start = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let umpire = krieg_core::Umpire::new(krieg_core::Ruleset::ICC, start);
        let clock = Clock::new(krieg_time::TimeControl::Unlimited);
        greedy.choose(umpire.view(Color::White), &clock).unwrap();
        assert_eq!(greedy.remark().unwrap(), "a7a8q looks like +8.00");
    }
}
