//! Tree search on boards sampled from the belief (POMCP: Silver and Veness, 2010).
//!
//! | file | contents |
//! | --- | --- |
//! | [`puct_tree`], [`edge`], [`hash`] | the tree: nodes, edges, PUCT selection, backup |
//! | [`prior`] | prior probabilities of tries |
//! | [`simulation`], [`transition`] | one simulation, and the model of the game it steps through |
//! | [`any_obligation`] | the opponent's obligation after asking "any?" |
//! | [`sequential_halving`] | the last part of the budget: the best tries in rounds |
//! | [`tree_search`], [`budget`] | one search thread: its tree, its node, its limits |

mod any_obligation;
mod budget;
mod edge;
mod hash;
mod prior;
mod puct_tree;
mod sequential_halving;
mod simulation;
mod transition;
mod tree_search;

pub(crate) use any_obligation::apply_obligation;
pub(super) use budget::SearchBudget;
pub(super) use edge::{Edge, rank_by_lower_bound};
pub(super) use simulation::{FIFTY_MOVE_PLIES, Simulator};
pub(super) use transition::AnnouncementSummary;
pub(super) use tree_search::{SearchRoot, TreeSearch};
