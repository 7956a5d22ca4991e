//! The player `greedy`: a heuristic player that remembers where the opponent's pieces may be.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_knight_moves,
    get_rook_moves,
};
use krieg_core::{Capture, Move, Observation, PieceSet, Promotion, Try, Verdict, View};
use krieg_time::Clock;

use crate::random::TrySampler;
use crate::semi_random::has_pawn_try;
use crate::{Choice, Parameter, Player, PlayerError, PlayerKind, Seat};

/// Makes the try with the highest heuristic value. It promotes, uses pawn tries, captures where an
/// opponent's piece is likely, and moves its pieces out of reach of a piece that has just captured.
/// Between tries of equal value it chooses at random.
///
/// For each square it keeps an occupancy estimate, in percent. The square of a capture by the
/// opponent becomes certain, squares that blocked a refused try nearly so, and every move of the
/// opponent reduces all estimates.
#[derive(Debug, Clone)]
pub struct Greedy {
    sampler: TrySampler,
    /// The player's pieces at the last choice.
    own: PieceSet,
    /// How likely a piece of the opponent is on each square, in percent.
    occupancy: [i32; Square::NUM],
    /// The square on which the opponent has just captured.
    capturer: Option<Square>,
    last_move: Option<Move>,
    remark: String,
}

// These values are guesses and were not tuned. The results of matches are in benches/runs.

/// The value of an unknown piece, in centipawns.
const UNKNOWN_PIECE: i32 = 300;
/// The value of a pawn capture after an announced pawn try, in centipawns.
const PAWN_CAPTURE: i32 = 350;
/// The value of a promotion to a queen, in centipawns.
const PROMOTION: i32 = 800;
/// Percentage of the capturing piece's value that is expected to be lost by a recapture.
const RECAPTURE_RISK: i32 = 25;
/// Percentage of a piece's value that is at risk within reach of the opponent's capturing piece.
const REACH_RISK: i32 = 15;
/// Percentage of an occupancy estimate that remains after a move of the opponent.
const OCCUPANCY_DECAY: i32 = 60;

/// Occupancy of a square on which the opponent has just captured, in percent.
const CERTAIN: i32 = 100;
/// Occupancy of the squares that may have blocked a refused try, in percent.
const NEARLY_CERTAIN: i32 = 80;

/// The value of a piece, in centipawns.
fn piece_value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        // A king is never captured: the umpire refuses to let it move into check.
        Piece::King => 0,
    }
}

impl Greedy {
    /// The entry of `greedy` in the registry of players.
    pub const KIND: PlayerKind = PlayerKind {
        name: "greedy",
        about: "promotes, uses pawn tries, captures where a piece is likely, and avoids recaptures",
        parameters: &[Parameter::TABLEBASES],
        make: |settings| settings.with_tablebases(Greedy::new()),
    };

    /// A player that waits for its first game.
    #[must_use]
    pub fn new() -> Self {
        let own = krieg_core::Position::start().pieces(Color::White);
        Greedy::with(TrySampler::new(0), own)
    }

    fn with(sampler: TrySampler, own: PieceSet) -> Self {
        Greedy {
            sampler,
            own,
            occupancy: [0; Square::NUM],
            capturer: None,
            last_move: None,
            remark: String::new(),
        }
    }

    /// Raises the occupancy estimate of a square to at least this percentage.
    fn raise_occupancy(&mut self, square: Square, percent: i32) {
        let occupancy = &mut self.occupancy[square as usize];
        *occupancy = percent.max(*occupancy);
    }

    fn observe_opponent_move(&mut self, capture: Option<Capture>) {
        for occupancy in &mut self.occupancy {
            *occupancy = *occupancy * OCCUPANCY_DECAY / 100;
        }
        self.capturer = capture.map(|capture| capture.square);
        let Some(capture) = capture else { return };
        self.raise_occupancy(capture.square, CERTAIN);
        let last_move = self.last_move;
        if let Some(passed) = last_move.and_then(|mv| passed_square(&self.own, mv, capture)) {
            // The pawn may have been captured en passant; then the capturer is behind it.
            self.raise_occupancy(passed, NEARLY_CERTAIN);
        }
    }

    fn observe_own_refusal(&mut self, mv: Move) {
        let between = get_between_rays(mv.from, mv.to);
        let is_push = self.own.pieces(Piece::Pawn).has(mv.from) && mv.from.file() == mv.to.file();
        let blocked = if is_push { between | mv.to.bitboard() } else { between };
        for square in blocked {
            self.raise_occupancy(square, NEARLY_CERTAIN / blocked.len() as i32);
        }
    }

    fn observe_own_move(&mut self, mv: Move) {
        for square in get_between_rays(mv.from, mv.to) | mv.to.bitboard() | mv.from.bitboard() {
            self.occupancy[square as usize] = 0;
        }
        self.last_move = Some(mv);
    }

    /// The heuristic value of a try, in centipawns. `reach` are the squares that the opponent's
    /// capturing piece may reach.
    fn value(&self, view: &View, mv: Move, reach: BitBoard) -> i32 {
        let own = view.pieces();
        let Some(piece) = own.piece_on(mv.from) else { return 0 };
        let mut value = match mv.promotion {
            Some(Promotion::Queen) => PROMOTION,
            Some(_) => PROMOTION / 4,
            None => 0,
        };
        if own.is_pawn_capture(mv) {
            // Without an announced pawn try the capture is a guess, which has no value.
            if has_pawn_try(view) {
                value += PAWN_CAPTURE;
            }
        } else if piece != Piece::Pawn {
            let gain = UNKNOWN_PIECE - piece_value(piece) * RECAPTURE_RISK / 100;
            value += self.occupancy[mv.to as usize] * gain / 100;
        }
        let at_risk = piece_value(piece) * REACH_RISK / 100;
        if piece != Piece::Pawn && mv.to != self.capturer.unwrap_or(mv.from) {
            match (reach.has(mv.from), reach.has(mv.to)) {
                (true, false) => value += at_risk,
                (false, true) => value -= at_risk,
                _ => {}
            }
        }
        value
    }

    /// The squares to which the piece that has just captured may move, if it can be any piece but a
    /// pawn or a king.
    fn capturer_reach(&self, own: &PieceSet) -> BitBoard {
        match self.capturer {
            None => BitBoard::EMPTY,
            Some(capturer) => {
                get_rook_moves(capturer, own.all())
                    | get_bishop_moves(capturer, own.all())
                    | get_knight_moves(capturer)
            }
        }
    }
}

/// The square that the player's pawn passed over, if it made a double step and was captured at
/// once. `own` are the player's pieces before the double step.
fn passed_square(own: &PieceSet, last: Move, capture: Capture) -> Option<Square> {
    let steps = (last.from.rank() as i32 - last.to.rank() as i32).abs();
    let was_pawn = own.pieces(Piece::Pawn).has(last.from);
    let is_captured_double_step = was_pawn && steps == 2 && last.to == capture.square;
    is_captured_double_step.then(|| {
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
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        *self = Greedy::with(TrySampler::new(seat.seed), seat.setup.start.pieces(seat.color));
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        let announcement = &observation.announcement;
        let is_own = announcement.by == self.own.color();
        match (announcement.verdict, observation.tried) {
            (Verdict::Moved, Some(Try::Move(mv))) if is_own => self.observe_own_move(mv),
            (Verdict::Refused, Some(Try::Move(mv))) if is_own => self.observe_own_refusal(mv),
            (Verdict::Moved, _) => self.observe_opponent_move(announcement.capture),
            _ => {}
        }
        Ok(())
    }

    fn choose(&mut self, view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
        self.own = *view.pieces();
        if view.can_ask_any() {
            self.remark = "asking \"any?\" costs nothing".to_string();
            return Ok(Try::Any.into());
        }
        let reach = self.capturer_reach(view.pieces());
        let mut sampler = self.sampler.clone();
        let best = sampler.draw_best(view, |mv| self.value(view, mv, reach));
        self.sampler = sampler;
        Ok(match best {
            Some((mv, value)) => {
                self.remark.clear();
                if value != 0 {
                    self.remark = format!("{mv}: heuristic value {:+.2}", f64::from(value) / 100.0);
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

    /// The first accepted tries of a game against the random player.
    fn moves(fen: &str, seed: u64, white_is_greedy: bool) -> Vec<String> {
        let setup = Setup { start: Position::from_fen(fen).unwrap(), ..Setup::default() };
        let settings = GameSettings { setup, draw_after: Some(10), ..GameSettings::default() };
        let (mut greedy, mut random) = (Greedy::new(), Random::new());
        let runner = GameRunner::new(settings, seed);
        let game = match white_is_greedy {
            true => runner.play([&mut greedy, &mut random]),
            false => runner.play([&mut random, &mut greedy]),
        };
        let moved = |entry: &&krieg_core::Entry| entry.announcement.verdict == Verdict::Moved;
        let entries = game.record().entries().iter().filter(moved);
        entries.map(|entry| entry.tried.to_string()).collect()
    }

    #[test]
    fn a_promotion_is_preferred() {
        for seed in 0..10 {
            assert_eq!(moves("4k3/8/8/8/8/8/p5K1/8 b - - 0 1", seed, false)[0], "a2a1q");
        }
    }

    #[test]
    fn a_piece_that_blocks_a_pawn_is_captured() {
        // The pawn push is refused, so the square is occupied: the bishop captures there.
        let start = Position::from_fen("4k3/8/8/8/3n4/3P4/8/4K1B1 w - - 0 1").unwrap();
        let mut umpire = krieg_core::Umpire::new(krieg_core::Ruleset::ICC, start);
        let clock = Clock::new(krieg_time::TimeControl::Unlimited);
        let mut greedy = Greedy::with(TrySampler::new(1), *umpire.view(Color::White).pieces());
        let tried: Try = "d3d4".parse().unwrap();
        let announcement = umpire.judge(tried).unwrap();
        greedy.observe(&Observation { tried: Some(tried), announcement, spent_ms: None }).unwrap();
        let choice = greedy.choose(umpire.view(Color::White), &clock);
        assert_eq!(choice, Ok(Choice::Try("g1d4".parse().unwrap())));
    }

    #[test]
    fn the_square_behind_a_captured_double_step_is_suspected() {
        let start = Position::from_fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1").unwrap();
        let mut umpire = krieg_core::Umpire::new(krieg_core::Ruleset::ICC, start);
        let clock = Clock::new(krieg_time::TimeControl::Unlimited);
        let mut greedy = Greedy::with(TrySampler::new(1), *umpire.view(Color::White).pieces());
        greedy.choose(umpire.view(Color::White), &clock).unwrap();
        let own: Try = "e2e4".parse().unwrap();
        let announcement = umpire.judge(own).unwrap();
        greedy.observe(&Observation { tried: Some(own), announcement, spent_ms: None }).unwrap();
        let announcement = umpire.judge("d4e3".parse().unwrap()).unwrap();
        greedy.observe(&Observation { tried: None, announcement, spent_ms: None }).unwrap();
        let occupancy = |square: Square| greedy.occupancy[square as usize];
        assert_eq!((occupancy(Square::E4), occupancy(Square::E3)), (CERTAIN, NEARLY_CERTAIN));
    }

    #[test]
    fn a_try_with_a_value_has_a_remark() {
        let mut greedy = Greedy::new();
        let start = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let umpire = krieg_core::Umpire::new(krieg_core::Ruleset::ICC, start);
        let clock = Clock::new(krieg_time::TimeControl::Unlimited);
        greedy.choose(umpire.view(Color::White), &clock).unwrap();
        assert_eq!(greedy.remark().unwrap(), "a7a8q: heuristic value +8.00");
    }
}
