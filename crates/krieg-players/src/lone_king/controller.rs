//! A player that wraps another one and takes over when the opponent has only a king left.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use krieg_core::{BitBoard, Move, Observation, PieceSet, StalemateRule, Try, Verdict, View};
use krieg_time::Clock;

use super::attacker::has_mating_material;
use super::metaposition_search::{MetapositionSearch, RepetitionHistory, WON, WON_BY_SUBSET};
use super::tablebase_provider::BuildPolicy;
use super::{KingTracker, TablebaseProvider};
use crate::{Choice, Player, PlayerError, Seat};

/// Plays as the wrapped player until the opponent has only a king left and the player's pieces can
/// mate it. Then it plays by the tablebases, or towards a position that they win.
///
/// The wrapped player still receives every observation. It continues if the mating material is
/// lost.
///
/// Without a clock, the controller waits until a missing table is built, so that games are
/// reproducible on every machine that can write tables. With a clock, tables are built in the
/// background.
///
/// ```
/// use krieg_players::{Random, lone_king::LoneKingController};
/// let player = LoneKingController::new(Box::new(Random::new()));
/// # let _ = player;
/// ```
pub struct LoneKingController {
    player: Box<dyn Player>,
    tablebases: Arc<TablebaseProvider>,
    tracker: Option<KingTracker>,
    plan: Plan,
    history: RepetitionHistory,
    has_repetition_draws: bool,
    /// Empty if the wrapped player chose the last try.
    remark: String,
}

/// The tries of a tablebase win that are left in this turn.
#[derive(Debug, Default)]
struct Plan {
    /// Each try is for the case that the one before is refused.
    tries: Vec<Move>,
    /// Maximum number of moves to mate.
    distance: u16,
}

/// Number of plies without progress after which the tables of material subsets are used. The search
/// without a table gets stuck in about one of a hundred endgames with a pawn and minor pieces.
const STUCK_PLIES: u16 = 50;

impl LoneKingController {
    /// Wraps a player, with the tablebases in the default folder.
    #[must_use]
    pub fn new(player: Box<dyn Player>) -> Self {
        LoneKingController::with_tablebases(player, TablebaseProvider::shared())
    }

    /// Wraps a player, with these tablebases.
    #[must_use]
    pub fn with_tablebases(player: Box<dyn Player>, tablebases: Arc<TablebaseProvider>) -> Self {
        LoneKingController {
            player,
            tablebases,
            tracker: None,
            plan: Plan::default(),
            history: RepetitionHistory::default(),
            has_repetition_draws: true,
            remark: String::new(),
        }
    }

    /// The squares on which the lone king may be; `None` if the opponent has other pieces or the
    /// player cannot mate.
    fn king_squares(&self, view: &View) -> Option<BitBoard> {
        self.tracker.as_ref()?.squares().filter(|_| has_mating_material(view.pieces()))
    }

    /// The try against a lone king; `None` if the wrapped player is to choose.
    fn choose_against_lone_king(&mut self, view: &View, clock: &Clock) -> Option<Move> {
        let kings = self.king_squares(view)?;
        if view.refusals() == 0 {
            self.history.record(view.pieces(), kings);
        }
        let policy = if clock.remaining(view.player()).is_some() {
            BuildPolicy::InBackground
        } else {
            BuildPolicy::Wait
        };
        let from_table = self.tablebases.ensure(view.pieces(), policy).and_then(|()| {
            self.next_planned(view).map_or_else(|| self.probe(view, kings), |mv| Ok(Some(mv)))
        });
        let why = match from_table {
            // A table does not know the history of the game. Its moves may repeat a position, each
            // time with more knowledge.
            Ok(Some(mv)) if self.may_repeat(view, kings, mv) => {
                self.plan.tries.clear();
                Ok("the tablebase move would repeat the position")
            }
            Ok(Some(mv)) => return Some(mv),
            Ok(None) => Ok("mate is not certain yet"),
            Err(why) => Err(why),
        };
        self.search(view, kings, policy, why)
    }

    /// Whether the try may cause a draw by repetition.
    fn may_repeat(&self, view: &View, kings: BitBoard, mv: Move) -> bool {
        self.has_repetition_draws
            && !self.history.repetition_squares(view.pieces(), kings, mv).is_empty()
    }

    /// Whether the search makes no progress and there are tables for subsets of the pieces.
    fn can_use_subsets(&self, view: &View, policy: BuildPolicy) -> bool {
        let is_stuck = |tracker: &KingTracker| tracker.plies_without_progress() >= STUCK_PLIES;
        self.tracker.as_ref().is_some_and(is_stuck)
            && self.tablebases.ensure_subsets(view.pieces(), policy)
    }

    /// The next try of the plan that is still sensible.
    fn next_planned(&mut self, view: &View) -> Option<Move> {
        while !self.plan.tries.is_empty() {
            let mv = self.plan.tries.remove(0);
            if view.is_sensible(Try::Move(mv)) {
                self.remark = mate_remark(self.plan.distance);
                return Some(mv);
            }
        }
        None
    }

    /// Looks the metaposition up. The error says why there is no answer.
    fn probe(&mut self, view: &View, kings: BitBoard) -> Result<Option<Move>, String> {
        let Some(win) = self.tablebases.win(view.pieces(), kings)? else { return Ok(None) };
        self.plan = Plan { tries: win.tries, distance: win.distance };
        Ok(self.next_planned(view))
    }

    /// The best try by search. `tables` says why no table decided: with `Ok` there is a table, with
    /// `Err` there is none.
    fn search(
        &mut self,
        view: &View,
        kings: BitBoard,
        policy: BuildPolicy,
        tables: Result<&'static str, String>,
    ) -> Option<Move> {
        let distance = |pieces: &PieceSet, kings: BitBoard| self.tablebases.distance(pieces, kings);
        let subset_distance =
            |pieces: &PieceSet, kings: BitBoard| self.tablebases.subset_distance(pieces, kings);
        let search = MetapositionSearch {
            probe: match tables {
                Ok(_) => Some((&distance, WON)),
                Err(_) if self.can_use_subsets(view, policy) => {
                    Some((&subset_distance, WON_BY_SUBSET))
                }
                Err(_) => None,
            },
            history: &self.history,
            stalemate_wins: view.ruleset().stalemate == StalemateRule::Loses,
            has_repetition_draws: self.has_repetition_draws,
        };
        let tries: Vec<Move> = view.tries().iter().collect();
        let uses_subsets = tables.is_err() && search.probe.is_some();
        let (mv, evaluation) = search.choose(view.pieces(), kings, &tries)?;
        let why = match &tables {
            Ok(why) => why,
            Err(_) if uses_subsets => "no progress so far, so tables of fewer pieces are used",
            Err(why) => why.as_str(),
        };
        let count = kings.len();
        let squares = if count == 1 { "one square" } else { &format!("one of {count} squares") };
        self.remark =
            format!("the king is on {squares}, {mv} has value {:.3}; {why}", evaluation.value);
        Some(mv)
    }
}

fn mate_remark(distance: u16) -> String {
    match distance {
        1 => "mate in 1 for every square of the king".to_string(),
        _ => format!("mate in {distance} or fewer for every square of the king"),
    }
}

impl Player for LoneKingController {
    fn set_opponent(&mut self, opponent: &str) {
        self.player.set_opponent(opponent);
    }

    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.tracker = Some(KingTracker::new(seat));
        self.plan = Plan::default();
        self.history = RepetitionHistory::default();
        self.has_repetition_draws = seat.setup.draws.threefold;
        self.remark.clear();
        self.player.begin(seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        if let Some(tracker) = &mut self.tracker {
            tracker.observe(observation);
        }
        if observation.announcement.verdict == Verdict::Moved {
            self.plan.tries.clear();
        }
        self.player.observe(observation)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        self.remark.clear();
        match self.choose_against_lone_king(view, clock) {
            Some(mv) => Ok(Try::Move(mv).into()),
            None => self.player.choose(view, clock),
        }
    }

    fn ponder(&mut self, stop: &AtomicBool) {
        // Against a lone king the results of the wrapped player are not used.
        if self.remark.is_empty() {
            self.player.ponder(stop);
        }
    }

    fn accepts_draw(&self) -> bool {
        // Against a lone king the player plays for a win.
        self.remark.is_empty() && self.player.accepts_draw()
    }

    fn remark(&self) -> Option<String> {
        match self.remark.is_empty() {
            true => self.player.remark(),
            false => Some(self.remark.clone()),
        }
    }
}
