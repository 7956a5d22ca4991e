//! One simulation: selection down the tree on one sampled board, the value of the leaf, and backup.

use cozy_chess::Move as BoardMove;
use krieg_belief::{OpponentContext, OpponentPolicy};
use krieg_core::{
    Announcement, AnyObligation, Audience, Color, DrawRules, Move, Outcome, PawnTryAnnouncement,
    Piece, Position, Ruleset, Setup, Try, Verdict, View,
};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::prior::heuristic_priors;
use super::puct_tree::{NodeIndex, PuctParams, PuctTree};
use super::transition::{AnnouncementSummary, TurnObservation, TurnResult, has_pawn_try};
use crate::marshal::value::{ValueContext, ValueFunction};

/// A board sampled from the belief, with what else determines the rest of a simulation.
#[derive(Debug, Clone)]
pub struct SampledState {
    pub board: Position,
    /// What the opponent knows on this board.
    pub context: OpponentContext,
    /// Plies since the last capture or the player's last pawn move.
    pub plies_without_progress: u16,
}

/// The models and parameters of simulations.
pub struct Simulator<M> {
    pub player: Color,
    pub(super) ruleset: Ruleset,
    pub(super) draws: DrawRules,
    /// Whether fifty moves without progress are a draw.
    has_fifty_move_rule: bool,
    /// The opponent model.
    pub model: M,
    value_model: Box<dyn ValueFunction>,
    params: PuctParams,
    /// Maximum number of own moves per simulation.
    depth: usize,
    /// The node and the index of the edge at each step of the present simulation.
    path: Vec<(NodeIndex, usize)>,
    pub(super) moves: Vec<BoardMove>,
    pub(super) weights: Vec<f64>,
}

/// Discount per own move, towards the value of a draw: of two ways to win the shorter one has the
/// higher value.
const DISCOUNT: f64 = 0.995;
/// Plies without progress after which a game is drawn by the fifty-move rule.
pub const FIFTY_MOVE_PLIES: u16 = 100;

impl<M: OpponentPolicy> Simulator<M> {
    pub fn new(
        setup: &Setup,
        player: Color,
        model: M,
        value_model: Box<dyn ValueFunction>,
        params: PuctParams,
        depth: usize,
    ) -> Self {
        // A sampled board has no history, so draws that depend on it are left out.
        let draws = DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        Simulator {
            player,
            ruleset: setup.ruleset,
            draws,
            has_fifty_move_rule: setup.draws.fifty_moves,
            model,
            value_model,
            params,
            depth: depth.max(1),
            path: Vec::new(),
            moves: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Runs a simulation from the opponent's turn, after an accepted own move at node `from` and
    /// its announcement. Used while pondering.
    pub fn simulate_after_own_move(
        &mut self,
        tree: &mut PuctTree,
        from: NodeIndex,
        (mv, own): (Move, &Announcement),
        mut state: SampledState,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        if self.ruleset.any().is_some() {
            state.context.has_pawn_try |= has_pawn_try(&state.board);
        }
        let result = self.play_reply(&mut state.board, own, &mut state.context, rng);
        let TurnResult::NextTurn(observed) = result else { return };
        state.plies_without_progress = if observed.summary.recapture_square.is_some() {
            0
        } else {
            state.plies_without_progress + 1
        };
        let Some((node, _)) = tree.child_after_turn(from, mv, observed.hash) else { return };
        self.expand(tree, node, &state.board, &observed);
        self.simulate(tree, node, None, state, rng);
    }

    /// Runs a simulation from a node on a board on which the player is to move. The first edge is
    /// the given one, or else selected by PUCT.
    pub fn simulate(
        &mut self,
        tree: &mut PuctTree,
        mut node: NodeIndex,
        mut first: Option<usize>,
        state: SampledState,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        let SampledState { mut board, mut context, mut plies_without_progress } = state;
        self.path.clear();
        let mut depth = 0;
        let value = loop {
            let number = first.take().or_else(|| tree.select(node, self.params));
            let Some(number) = number else {
                break self.value(&board, AnnouncementSummary::default(), plies_without_progress);
            };
            self.path.push((node, number));
            let mv = tree.edges(node)[number].mv;
            if !board.is_legal(mv) {
                let Some(child) = self.child_after_refusal(tree, node, &board, mv) else {
                    let announced = AnnouncementSummary::default();
                    break self.value(&board, announced, plies_without_progress);
                };
                node = child;
                continue;
            }
            depth += 1;
            let is_pawn = board.board().pieces(Piece::Pawn).has(mv.from);
            let observed = match self.play_turn(&mut board, mv, &mut context, rng) {
                TurnResult::GameOver(outcome) => break score(outcome, self.player),
                TurnResult::NextTurn(observed) => observed,
            };
            let is_progress = is_pawn
                || context.lost_on().is_some()
                || observed.summary.recapture_square.is_some();
            plies_without_progress = if is_progress { 0 } else { plies_without_progress + 2 };
            if self.has_fifty_move_rule && plies_without_progress >= FIFTY_MOVE_PLIES {
                break 0.5;
            }
            let next = tree.child_after_turn(node, mv, observed.hash);
            let Some((next, false)) = next.filter(|_| depth < self.depth) else {
                break self.value(&board, observed.summary, plies_without_progress);
            };
            self.expand(tree, next, &board, &observed);
            node = next;
        };
        let value = 0.5 + (value - 0.5) * DISCOUNT.powi(depth as i32);
        tree.backup(&self.path, value);
    }

    /// Gives a node its edges, if it has none yet.
    fn expand(
        &self,
        tree: &mut PuctTree,
        node: NodeIndex,
        board: &Position,
        observed: &TurnObservation,
    ) {
        if tree.edges(node).is_empty() {
            let view = self.view(board, observed.pawns, observed.any);
            tree.set_edges(node, heuristic_priors(&view, observed.summary));
        }
    }

    /// The node after a refusal.
    fn child_after_refusal(
        &self,
        tree: &mut PuctTree,
        node: NodeIndex,
        board: &Position,
        mv: Move,
    ) -> Option<NodeIndex> {
        let child = tree.child_after_refusal(node, mv)?;
        // After the one pawn try owed for "any?" all other tries become possible.
        let is_obligation_met =
            self.ruleset.any() == Some(AnyObligation::OneTry) && tree.is_first_of_turn(node);
        if is_obligation_met && tree.visits(child) == 0 && board.pawn_tries().count > 0 {
            let mut view = self.view(board, PawnTryAnnouncement::Silent, Some(true));
            let refused = Announcement::plain(self.player, Verdict::Refused, Audience::Both);
            view.observe_answer(Try::Move(mv), &refused);
            if view.tries().len() > tree.edges(child).len() {
                tree.set_edges(child, heuristic_priors(&view, AnnouncementSummary::default()));
            }
        }
        Some(child)
    }

    /// The player's view at the start of a turn.
    fn view(&self, board: &Position, pawns: PawnTryAnnouncement, any: Option<bool>) -> View {
        let plain = |verdict| Announcement::plain(self.player, verdict, Audience::Both);
        let opening = Announcement { pawn_tries: pawns, ..plain(Verdict::Begun) };
        let mut view = View::new(self.ruleset, board.pieces(self.player), &opening);
        if let Some(yes) = any {
            view.observe_answer(Try::Any, &plain(Verdict::Any(yes)));
        }
        view
    }

    /// The value of a leaf.
    fn value(
        &mut self,
        board: &Position,
        announced: AnnouncementSummary,
        plies_without_progress: u16,
    ) -> f64 {
        let AnnouncementSummary { recapture_square, has_pawn_try } = announced;
        let context = ValueContext { recapture_square, has_pawn_try, plies_without_progress };
        self.value_model.value(board.board(), self.player, &context)
    }
}

/// The player's score of a finished game: 1, ½ or 0.
fn score(outcome: Outcome, player: Color) -> f64 {
    match outcome.winner {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == player)),
    }
}
