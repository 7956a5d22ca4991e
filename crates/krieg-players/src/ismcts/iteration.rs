//! One iteration: selection on a sampled board, the value of the leaf, and backup.

use krieg_core::{Color, Position, Setup, Try, Umpire, Verdict, View};

use super::leaf::LeafEvaluator;
use super::rollout::play_semi_random_move;
use super::selection::SelectionParams;
use super::tree::{AnnouncementsHash, InfoSetId, InfoSetTree, PathStep, ROOT};
use crate::random::TrySampler;
use crate::semi_random::SemiRandomPolicy;

/// A tree with the path of the present iteration.
struct TreeWithPath {
    tree: InfoSetTree,
    node: InfoSetId,
    path: Vec<PathStep>,
}

impl TreeWithPath {
    /// Moves to the node after these announcements. Returns whether it was visited before.
    fn observe(&mut self, observed: AnnouncementsHash) -> bool {
        let from = self.path.last().copied().unwrap_or(PathStep::Node(ROOT));
        let Some(node) = self.tree.observe(from, observed) else { return false };
        self.node = node;
        self.path.push(PathStep::Node(node));
        self.tree.visits(node) > 0
    }
}

/// The trees of a turn: the player's own, and with multiple observers the opponent's.
pub struct ObserverTrees {
    trees: [Option<TreeWithPath>; Color::NUM],
    selection: SelectionParams,
}

impl ObserverTrees {
    /// Empty trees. `capacity` limits the nodes and tries of each.
    pub fn new(
        player: Color,
        with_opponent: bool,
        capacity: usize,
        selection: SelectionParams,
    ) -> Self {
        let trees = Color::ALL.map(|color| {
            let has_tree = color == player || with_opponent;
            has_tree.then(|| TreeWithPath {
                tree: InfoSetTree::new(capacity),
                node: ROOT,
                path: Vec::new(),
            })
        });
        ObserverTrees { trees, selection }
    }

    /// Clears the trees for another turn.
    pub fn clear(&mut self) {
        self.trees.iter_mut().flatten().for_each(|observer| observer.tree.clear());
    }

    /// A player's tree.
    pub fn of(&self, color: Color) -> Option<&InfoSetTree> {
        self.trees[color as usize].as_ref().map(|observer| &observer.tree)
    }

    /// Runs one iteration on a board on which the player with this view is to move. Returns false,
    /// and changes no value, if the board contradicts the view.
    pub fn iterate(
        &mut self,
        board: Position,
        view: &View,
        setup: &Setup,
        leaf: &mut LeafEvaluator,
        sampler: &mut TrySampler,
    ) -> bool {
        let player = view.player();
        if view.any_answer().is_some_and(|yes| yes != (board.pawn_tries().count > 0)) {
            return false;
        }
        let mut umpire = Umpire::with_draws(setup.ruleset, setup.draws, board);
        if umpire.outcome().is_some() {
            return false;
        }
        let mut policies = Color::ALL.map(SemiRandomPolicy::new);
        for observer in self.trees.iter_mut().flatten() {
            observer.node = ROOT;
            observer.path.clear();
            observer.path.push(PathStep::Node(ROOT));
        }
        // In the first turn the player's view knows better which tries are sensible than that of a
        // new umpire.
        let first = self.play_move(&mut umpire, Some(view), &mut policies, sampler);
        let Some(mut is_in_trees) = first else { return false };
        while is_in_trees && umpire.outcome().is_none() {
            let next = self.play_move(&mut umpire, None, &mut policies, sampler);
            is_in_trees = next.unwrap_or(false);
        }
        let value = leaf.value(&mut umpire, &mut policies, sampler, player);
        for (color, observer) in Color::ALL.into_iter().zip(&mut self.trees) {
            if let Some(observer) = observer {
                let value = if color == player { value } else { 1.0 - value };
                observer.tree.backup(&observer.path, value);
            }
        }
        true
    }

    /// Plays one move, and follows its announcements in every tree. Returns whether all trees reach
    /// a node that was visited before; `None` if no move was made.
    fn play_move(
        &mut self,
        umpire: &mut Umpire,
        known_view: Option<&View>,
        policies: &mut [SemiRandomPolicy; 2],
        sampler: &mut TrySampler,
    ) -> Option<bool> {
        let mover = umpire.turn();
        let moved = match &mut self.trees[mover as usize] {
            None => play_semi_random_move(umpire, policies, sampler)?,
            Some(observer) => {
                let view = known_view.unwrap_or(umpire.view(mover));
                let board = umpire.position();
                let legal = view.tries().iter().filter(|&mv| board.is_legal(mv));
                let tree = &mut observer.tree;
                let selected = tree.select(observer.node, legal, self.selection, sampler)?;
                observer.path.push(PathStep::Try(selected));
                let announcement = umpire.judge(tree.try_at(selected).into()).ok()?;
                if announcement.verdict != Verdict::Moved {
                    return None;
                }
                policies.iter_mut().for_each(|policy| policy.observe(&announcement));
                announcement
            }
        };
        // A player who may ask "any?" asks at once, and both players hear the answer.
        let may_ask = umpire.view(umpire.turn()).can_ask_any();
        let answer = may_ask.then(|| umpire.judge(Try::Any).ok()).flatten();
        let observed = AnnouncementsHash::new(std::iter::once(&moved).chain(&answer));
        let mut were_visited = true;
        for observer in self.trees.iter_mut().flatten() {
            were_visited &= observer.observe(observed);
        }
        Some(were_visited)
    }
}
