//! One iteration: down the trees on one imagined board, a look at where that leads, and back up.

use krieg_core::{Color, Position, Setup, Try, Umpire, Verdict, View};

use super::leaf::Leaf;
use super::rollout::move_by_instinct;
use super::selection::SelectionParams;
use super::tree::{Heard, NodeId, Place, ROOT, Tree};
use crate::random::TrySampler;
use crate::semi_random::SemiRandomPolicy;

/// A tree and the way that was taken down it.
struct Way {
    tree: Tree,
    at: NodeId,
    path: Vec<Place>,
}

impl Way {
    /// Goes on to what follows after this was heard; tells whether anybody was there before.
    fn hear(&mut self, heard: Heard) -> bool {
        let from = self.path.last().copied().unwrap_or(Place::Node(ROOT));
        let Some(node) = self.tree.observe(from, heard) else { return false };
        self.at = node;
        self.path.push(Place::Node(node));
        self.tree.visits(node) > 0
    }
}

/// The trees of a turn: the player's own, and the opponent's, if he is thought to think.
pub struct Trees {
    ways: [Option<Way>; Color::NUM],
    selection: SelectionParams,
}

impl Trees {
    /// Trees without anything in them, each with so much room.
    pub fn new(
        player: Color,
        with_opponent: bool,
        room: usize,
        selection: SelectionParams,
    ) -> Self {
        let ways = Color::ALL.map(|color| {
            let is_there = color == player || with_opponent;
            is_there.then(|| Way { tree: Tree::new(room), at: ROOT, path: Vec::new() })
        });
        Trees { ways, selection }
    }

    /// Ready for another turn.
    pub fn clear(&mut self) {
        self.ways.iter_mut().flatten().for_each(|way| way.tree.clear());
    }

    /// A player's tree.
    pub fn of(&self, color: Color) -> Option<&Tree> {
        self.ways[color as usize].as_ref().map(|way| &way.tree)
    }

    /// Descends on a board on which it is the turn of the player with this view. Nothing comes of a board that does not go with the
    /// view; whether something did is told.
    pub fn descend(
        &mut self,
        board: Position,
        view: &View,
        setup: &Setup,
        leaf: &mut Leaf,
        sampler: &mut TrySampler,
    ) -> bool {
        let player = view.player();
        let asked = view.any_answer();
        if asked.is_some_and(|yes| yes != (board.pawn_tries().count > 0)) {
            return false;
        }
        let mut umpire = Umpire::with_draws(setup.ruleset, setup.draws, board);
        if umpire.outcome().is_some() {
            return false;
        }
        let mut policies = Color::ALL.map(SemiRandomPolicy::new);
        for way in self.ways.iter_mut().flatten() {
            way.at = ROOT;
            way.path.clear();
            way.path.push(Place::Node(ROOT));
        }
        // What is sensible now the player knows better than an umpire who has just arrived.
        let Some(mut goes_on) = self.step(&mut umpire, Some(view), &mut policies, sampler) else {
            return false;
        };
        while goes_on && umpire.outcome().is_none() {
            goes_on = self.step(&mut umpire, None, &mut policies, sampler).unwrap_or(false);
        }
        let value = leaf.value(&mut umpire, &mut policies, sampler, player);
        for (color, way) in Color::ALL.into_iter().zip(&mut self.ways) {
            if let Some(way) = way {
                way.tree.back_up(&way.path, if color == player { value } else { 1.0 - value });
            }
        }
        true
    }

    /// One move, and in every tree what is heard of it. Tells whether all trees go on from there; nothing, if nobody moved.
    fn step(
        &mut self,
        umpire: &mut Umpire,
        known: Option<&View>,
        policies: &mut [SemiRandomPolicy; 2],
        sampler: &mut TrySampler,
    ) -> Option<bool> {
        let mover = umpire.turn();
        let said = match &mut self.ways[mover as usize] {
            None => move_by_instinct(umpire, policies, sampler)?,
            Some(way) => {
                let (view, board) = (known.unwrap_or(umpire.view(mover)), umpire.position());
                let legal = view.tries().iter().filter(|&mv| board.is_legal(mv));
                let arm = way.tree.choose(way.at, legal, self.selection, sampler)?;
                way.path.push(Place::Arm(arm));
                let said = umpire.judge(way.tree.tried(arm).into()).ok()?;
                if said.verdict != Verdict::Moved {
                    return None;
                }
                policies.iter_mut().for_each(|policy| policy.observe(&said));
                said
            }
        };
        // Whoever may ask does, at once; both hear what is answered, as both have heard of the move.
        let may_ask = umpire.view(umpire.turn()).can_ask_any();
        let asked = may_ask.then(|| umpire.judge(Try::Any).ok()).flatten();
        let heard = Heard::new(std::iter::once(&said).chain(&asked));
        let mut goes_on = true;
        for way in self.ways.iter_mut().flatten() {
            goes_on &= way.hear(heard);
        }
        Some(goes_on)
    }
}
