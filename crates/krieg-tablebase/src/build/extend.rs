//! One disposition, one move deeper: which sets of kings are won now that were not before.

use crate::build::antichain::Antichain;
use crate::build::choices::{Choice, Choices, choices_within};
use crate::build::holders::Holders;
use crate::build::node::Node;
use crate::disposition::Disposition;
use crate::ground::Ground;
use crate::symmetry::Symmetry;

/// A set of kings newly won, and a try that begins to win it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The kings.
    pub kings: u64,
    /// What to try first: its number among the steps of the disposition.
    pub first: u8,
}

/// A try that may be refused, while its disposition is worked on.
#[derive(Debug)]
struct Doubtful {
    first: u8,
    refused_by: u64,
    /// What may be heard if it is legal.
    classes: Vec<Vec<Choice>>,
    /// What may be left when it is refused: parts of sets that are won anyway.
    refused: Antichain,
    /// So many of the sets found were looked at for that.
    seen: usize,
}

/// The work on one disposition, with room that is used again for the next.
#[derive(Debug, Default)]
pub struct Worker {
    found: Vec<Found>,
    /// Of all that is won here, who holds what.
    holders: Holders,
    choices: Choices,
    new: Vec<u64>,
    room: Vec<u64>,
}

/// Where a try leads: what is known there, and how the board is turned.
pub type Arrival<'a> = (&'a Node, Symmetry);

impl Worker {
    /// The sets newly won at `disposition`, where `node` is known. `arrive` finds what is known after a step.
    pub fn extend<'a>(
        &mut self,
        disposition: &Disposition,
        node: &Node,
        arrive: impl Fn(&Disposition) -> Arrival<'a>,
    ) -> Vec<Found> {
        let mut legal = None;
        let mut doubtful = Vec::new();
        let mut sure = Vec::new();
        let mut is_fresh = false;
        let mut next = 0_u8;
        disposition.each_step(|step| {
            let first = next;
            next += 1;
            let arrival = arrive(&step.to);
            let is_fresh_there = arrival.0.is_fresh();
            is_fresh |= is_fresh_there;
            if step.refused_by == 0 {
                if is_fresh_there {
                    sure.push((first, arrival));
                }
                return;
            }
            let legal = *legal.get_or_insert_with(|| Ground::new(disposition).legal);
            match step.refused_by & legal {
                0 if is_fresh_there => sure.push((first, arrival)),
                0 => {}
                refused_by => doubtful.push((first, arrival, refused_by)),
            }
        });
        // A refusal leaves sets that are won here: without anything new, it adds nothing.
        if !is_fresh {
            return Vec::new();
        }
        let legal = legal.unwrap_or_else(|| Ground::new(disposition).legal);
        self.found.clear();
        self.holders.reset(node.won.len() * 3 / 2);
        for &set in &node.won {
            self.holders.add(set);
        }
        let mut doubtful: Vec<Doubtful> = doubtful
            .into_iter()
            .map(|(first, arrival, refused_by)| doubt(first, arrival, refused_by, legal, &node.won))
            .collect();
        // Where several tries win the same set, one that may be refused comes first: a refusal costs nothing and tells something.
        self.go_round(&mut doubtful);
        for (first, (there, way)) in sure {
            self.choices.clear();
            for chain in &there.components {
                self.choices.class(|class| choices_within(chain, way, legal, class));
            }
            self.combine(first);
        }
        while self.go_round(&mut doubtful) {}
        self.largest()
    }

    /// Combines what is new for each try that may be refused. Says whether that won anything more.
    fn go_round(&mut self, doubtful: &mut [Doubtful]) -> bool {
        let before = self.found.len();
        for tried in doubtful.iter_mut() {
            for found in &self.found[tried.seen..] {
                tried.refused.add(found.kings & tried.refused_by);
            }
            tried.seen = self.found.len();
            self.choices.clear();
            for known in &tried.classes {
                self.choices.class(|class| class.extend_from_slice(known));
            }
            self.choices.class(|class| {
                let first_fresh = tried.refused.first_fresh();
                let sets = tried.refused.sets().iter().enumerate();
                let choices = sets.map(|(i, &set)| Choice { set, fresh: i >= first_fresh });
                class.extend(choices.filter(|choice| choice.set != 0));
            });
            self.combine(tried.first);
            tried.refused.settle();
            for choice in tried.classes.iter_mut().flatten() {
                choice.fresh = false;
            }
        }
        self.found.len() > before
    }

    /// Adds every combination that is not within a set already won.
    fn combine(&mut self, first: u8) {
        if !self.choices.has_fresh() {
            return;
        }
        self.new.clear();
        self.choices.combine(&self.holders, &mut self.new);
        for &kings in &self.new {
            self.holders.add(kings);
            self.found.push(Found { kings, first });
        }
    }

    /// What was found, without what lies within something found later.
    fn largest(&mut self) -> Vec<Found> {
        self.holders.reset(self.found.len());
        for found in &self.found {
            self.holders.add(found.kings);
        }
        let (holders, room) = (&self.holders, &mut self.room);
        let all = self.found.iter().enumerate();
        all.filter(|(i, found)| !holders.any_holds(found.kings, Some(*i), room))
            .map(|(_, found)| *found)
            .collect()
    }
}

fn doubt(first: u8, (there, way): Arrival, refused_by: u64, legal: u64, won: &[u64]) -> Doubtful {
    let mut classes = vec![Vec::new(); there.components.len()];
    for (chain, class) in there.components.iter().zip(&mut classes) {
        choices_within(chain, way, legal & !refused_by, class);
    }
    let mut refused = Antichain::default();
    for &set in won {
        refused.add(set & refused_by);
    }
    refused.settle();
    Doubtful { first, refused_by, classes, refused, seen: 0 }
}
