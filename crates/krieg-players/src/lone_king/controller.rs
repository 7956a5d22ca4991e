//! A player who leaves the game to another, until a lone king is to be mated.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use krieg_core::{BitBoard, Move, Observation, PieceSet, StalemateRule, Try, Verdict, View};
use krieg_time::Clock;

use crate::lone_king::containment::can_mate;
use crate::lone_king::metaposition_search::{Memory, Progress, SURE, SURE_FOR_A_PART};
use crate::lone_king::tablebase_provider::Patience;
use crate::lone_king::{KingTracker, TablebaseProvider};
use crate::{Choice, Fault, Player, Seat};

/// Plays as another player does, until the opponent has only his king left and there are men to mate him. From there on it plays by the
/// tables, or towards them; the other player hears everything, and goes on if the men are lost.
///
/// Without a clock a missing table is built on the spot, so that a game is the same wherever tables can be written; with one it is built in the
/// background.
///
/// ```
/// use krieg_players::{Random, lone_king::LoneKingController};
/// let patient = LoneKingController::new(Box::new(Random::new()));
/// # let _ = patient;
/// ```
pub struct LoneKingController {
    player: Box<dyn Player>,
    shelf: Arc<TablebaseProvider>,
    king: Option<KingTracker>,
    /// What to try next if it is refused, and within how many moves it is mate.
    plan: (Vec<Move>, u16),
    memory: Memory,
    repetition_draws: bool,
    /// Empty, if the other player has chosen.
    remark: String,
}

impl LoneKingController {
    /// Finishes the games of this player with the tables of the usual folder.
    pub fn new(player: Box<dyn Player>) -> Self {
        LoneKingController::with_shelf(player, TablebaseProvider::usual())
    }

    /// Finishes the games of this player with these tables.
    pub fn with_shelf(player: Box<dyn Player>, shelf: Arc<TablebaseProvider>) -> Self {
        LoneKingController {
            player,
            shelf,
            king: None,
            plan: Default::default(),
            memory: Memory::default(),
            repetition_draws: true,
            remark: String::new(),
        }
    }

    /// Where the opponent's king may be, if he has nothing else.
    fn kings(&self, view: &View) -> Option<BitBoard> {
        self.king.as_ref()?.squares().filter(|_| can_mate(view.pieces()))
    }

    fn finish(&mut self, view: &View, clock: &Clock) -> Option<Move> {
        let kings = self.kings(view)?;
        if view.refusals() == 0 {
            self.memory.note(view.pieces(), kings);
        }
        let patience = if clock.remaining(view.player()).is_some() {
            Patience::None
        } else {
            Patience::Endless
        };
        let by_table = self.shelf.fetch(view.pieces(), patience).and_then(|()| {
            self.planned(view).map_or_else(|| self.by_table(view, kings), |mv| Ok(Some(mv)))
        });
        let why = match by_table {
            // A table knows nothing of the game before: it may lead to the same squares three times, each time knowing more.
            Ok(Some(mv)) if self.may_repeat(view, kings, mv) => {
                self.plan.0.clear();
                Ok("the men have stood twice as the table would have it")
            }
            Ok(Some(mv)) => return Some(mv),
            Ok(None) => Ok("no mate is sure"),
            Err(why) => Err(why),
        };
        self.by_progress(view, kings, patience, why)
    }

    /// Whether this may be a draw by repetition.
    fn may_repeat(&self, view: &View, kings: BitBoard, mv: Move) -> bool {
        self.repetition_draws && !self.memory.at_risk(view.pieces(), kings, mv).is_empty()
    }

    /// Whether nothing has come of looking ahead, and there are tables for a part of the men.
    fn is_stuck(&self, view: &View, patience: Patience) -> bool {
        let is_quiet = self.king.as_ref().is_some_and(|king| king.quiet() >= STUCK);
        is_quiet && self.shelf.fetch_for_a_part(view.pieces(), patience)
    }

    /// What comes next after a refusal.
    fn planned(&mut self, view: &View) -> Option<Move> {
        while !self.plan.0.is_empty() {
            let mv = self.plan.0.remove(0);
            if view.is_sensible(Try::Move(mv)) {
                self.remark = sure_mate(self.plan.1);
                return Some(mv);
            }
        }
        None
    }

    fn by_table(&mut self, view: &View, kings: BitBoard) -> Result<Option<Move>, String> {
        let Some(win) = self.shelf.win(view.pieces(), kings)? else { return Ok(None) };
        self.plan = (win.tries, win.distance);
        Ok(self.planned(view))
    }

    fn by_progress(
        &mut self,
        view: &View,
        kings: BitBoard,
        patience: Patience,
        tables: Result<&'static str, String>,
    ) -> Option<Move> {
        let of_all = |men: &PieceSet, kings: BitBoard| self.shelf.distance(men, kings);
        let of_a_part =
            |men: &PieceSet, kings: BitBoard| self.shelf.distance_for_a_part(men, kings);
        let progress = Progress {
            oracle: match tables {
                Ok(_) => Some((&of_all, SURE)),
                Err(_) if self.is_stuck(view, patience) => Some((&of_a_part, SURE_FOR_A_PART)),
                Err(_) => None,
            },
            memory: &self.memory,
            stalemate_wins: view.ruleset().stalemate == StalemateRule::Loses,
            repetition_draws: self.repetition_draws,
        };
        let tries: Vec<Move> = view.tries().iter().collect();
        let is_by_a_part = tables.is_err() && progress.oracle.is_some();
        let (mv, outlook) = progress.choose(view.pieces(), kings, &tries)?;
        let why = match &tables {
            Ok(why) => why,
            Err(_) if is_by_a_part => {
                "for long nothing has happened, and some of the men would mate"
            }
            Err(why) => why.as_str(),
        };
        let count = kings.len();
        let squares = if count == 1 { "one square" } else { &format!("one of {count} squares") };
        self.remark =
            format!("the king is on {squares}, {mv} looks like {:.3}; {why}", outlook.value);
        Some(mv)
    }
}

/// Plies without progress after which another way is tried. By itself, progress without a table gets stuck in about one of a hundred endings with a pawn and lesser men.
const STUCK: u16 = 50;

fn sure_mate(distance: u16) -> String {
    match distance {
        1 => "mate in 1, wherever the king is".to_string(),
        _ => format!("mate in {distance} or sooner, wherever the king is"),
    }
}

impl Player for LoneKingController {
    fn meet(&mut self, opponent: &str) {
        self.player.meet(opponent);
    }

    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.king = Some(KingTracker::new(seat));
        self.plan = Default::default();
        self.memory = Memory::default();
        self.repetition_draws = seat.setup.draws.threefold;
        self.remark.clear();
        self.player.begin(seat)
    }

    fn observe(&mut self, line: &Observation) -> Result<(), Fault> {
        if let Some(king) = &mut self.king {
            king.observe(line);
        }
        if line.announcement.verdict == Verdict::Moved {
            self.plan.0.clear();
        }
        self.player.observe(line)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, Fault> {
        self.remark.clear();
        match self.finish(view, clock) {
            Some(mv) => Ok(Try::Move(mv).into()),
            None => self.player.choose(view, clock),
        }
    }

    fn ponder(&mut self, stop: &AtomicBool) {
        // While a lone king is hunted, nothing that the other player finds out is used.
        if self.remark.is_empty() {
            self.player.ponder(stop);
        }
    }

    fn would_draw(&self) -> bool {
        // Nobody who hunts a lone king is content with that.
        self.remark.is_empty() && self.player.would_draw()
    }

    fn remark(&self) -> Option<String> {
        match self.remark.is_empty() {
            true => self.player.remark(),
            false => Some(self.remark.clone()),
        }
    }
}
