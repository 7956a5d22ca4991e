//! What is known of one disposition while tables are built.

use crate::build::antichain::Antichain;
use crate::build::holders::Holders;
use crate::disposition::Disposition;
use crate::ground::Ground;

/// One disposition: the largest sets of kings that are won so far, and what follows for whoever may move here.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// The largest won sets, with the attacker to move.
    pub won: Vec<u64>,
    /// For each thing the umpire may say on arriving here, the largest sets of squares from which the lone king must go into a won set. The fresh
    /// ones are new since the depth before.
    pub components: Vec<Antichain>,
    /// For each helper that nobody guards, his square, and the depth from which on the king that took him is mated all the same.
    pub losses: Vec<(u8, u16)>,
}

/// As late as never.
pub const NEVER: u16 = u16::MAX;

impl Node {
    /// A node of which nothing is known but the mates. `losses` tells when the loss of each loose helper is made good.
    pub fn new(ground: &Ground, losses: Vec<(u8, u16)>) -> Self {
        let components = vec![Antichain::default(); ground.classes.len()];
        let mut node = Node { won: Vec::new(), components, losses };
        node.add_components(ground, 0, 1);
        node
    }

    /// How many sets it holds.
    pub fn held(&self) -> usize {
        self.won.len() + self.components.iter().map(|chain| chain.sets().len()).sum::<usize>()
    }

    /// Whether the next depth may bring something because of this node, or a later one.
    pub fn goes_on(&self, depth: u16) -> bool {
        self.is_fresh() || self.losses.iter().any(|&(_, when)| when != NEVER && when > depth)
    }

    /// The squares of helpers who must not be taken, if mate is to follow within `depth` moves after that.
    fn bad(&self, depth: u16) -> u64 {
        self.losses.iter().filter(|&&(_, when)| when > depth).fold(0, |set, &(at, _)| set | 1 << at)
    }

    fn add_components(&mut self, ground: &Ground, won: u64, depth: u16) {
        let driven = ground.driven_into(won, self.bad(depth - 1));
        for (chain, class) in self.components.iter_mut().zip(&ground.classes) {
            let component = driven & class;
            if component != 0 {
                chain.add(component);
            }
        }
    }

    /// Whether anything is new for those who may move here.
    pub fn is_fresh(&self) -> bool {
        self.components.iter().any(Antichain::is_fresh)
    }

    /// Whether something changes after `depth`, though nothing new is won here: a loss is made good.
    fn awaits(&self, depth: u16) -> bool {
        self.losses.iter().any(|&(_, when)| when == depth)
    }

    /// The sets that were found to be won within `depth` moves are added, and the next depth is made ready.
    pub fn advance(&mut self, disposition: &Disposition, found: &[u64], depth: u16) {
        for chain in &mut self.components {
            chain.settle();
        }
        let is_regained = self.awaits(depth);
        if found.is_empty() && !is_regained {
            return;
        }
        if !found.is_empty() {
            let mut holders = Holders::default();
            holders.reset(found.len());
            for &set in found {
                holders.add(set);
            }
            let mut room = Vec::new();
            self.won.retain(|&old| !holders.any_holds(old, None, &mut room));
            self.won.extend_from_slice(found);
        }
        let ground = Ground::new(disposition);
        if is_regained {
            // Every set does more now.
            self.add_components(&ground, 0, depth + 1);
            for i in 0..self.won.len() {
                self.add_components(&ground, self.won[i], depth + 1);
            }
        } else {
            for &set in found {
                self.add_components(&ground, set, depth + 1);
            }
        }
    }
}
