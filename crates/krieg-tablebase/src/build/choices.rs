//! For one try, what may be combined: one set of each class.

use crate::build::antichain::{Antichain, is_within};
use crate::build::holders::Holders;
use crate::symmetry::Symmetry;

/// One set of a class; fresh ones are new since the depth before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The squares.
    pub set: u64,
    /// Whether it is new.
    pub fresh: bool,
}

/// The sets of a class that may stand here before the move, the largest of them; empty if there is none.
pub fn choices_within(chain: &Antichain, way: Symmetry, room: u64, kept: &mut Vec<Choice>) {
    kept.clear();
    let mut is_cut = false;
    for (i, &set) in chain.sets().iter().enumerate() {
        let turned = way.undo_squares(set);
        let set = turned & room;
        is_cut |= set != turned;
        if set == 0 {
            continue;
        }
        // As long as nothing is cut off, none lies within another.
        if is_cut {
            // The fresh ones come last, so what is fresh is dropped if it is nothing new here.
            if kept.iter().any(|known| is_within(set, known.set)) {
                continue;
            }
            kept.retain(|known| !is_within(known.set, set));
        }
        kept.push(Choice { set, fresh: i >= chain.first_fresh() });
    }
}

/// For one try, what may be combined.
#[derive(Debug, Default)]
pub struct Choices {
    /// The sets, class by class.
    classes: Vec<Vec<Choice>>,
    /// How many classes there are; what is behind them is room to be used again.
    len: usize,
    /// All squares of the classes from each one on.
    rest: Vec<u64>,
    /// Whether one of the classes from each one on has a fresh set.
    fresh: Vec<bool>,
    /// For each class, who holds what is chosen up to there.
    frames: Vec<Vec<u64>>,
}

impl Choices {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Room for one more class; it counts if anything is put there.
    pub fn class(&mut self, fill: impl FnOnce(&mut Vec<Choice>)) {
        if self.len == self.classes.len() {
            self.classes.push(Vec::new());
        }
        let class = &mut self.classes[self.len];
        class.clear();
        fill(class);
        self.len += usize::from(!class.is_empty());
    }

    /// Whether a combination can have anything new.
    pub fn has_fresh(&self) -> bool {
        self.classes[..self.len].iter().flatten().any(|choice| choice.fresh)
    }

    /// Adds to `new` every combination with something fresh in it that nobody holds.
    pub fn combine(&mut self, holders: &Holders, new: &mut Vec<u64>) {
        // The class with the most sets first: it tells the most.
        self.classes[..self.len].sort_by_key(|class| std::cmp::Reverse(class.len()));
        self.rest.clear();
        self.rest.resize(self.len + 1, 0);
        self.fresh.clear();
        self.fresh.resize(self.len + 1, false);
        for i in (0..self.len).rev() {
            let class = &self.classes[i];
            self.rest[i] = class.iter().fold(self.rest[i + 1], |all, choice| all | choice.set);
            self.fresh[i] = self.fresh[i + 1] || class.iter().any(|choice| choice.fresh);
        }
        // One frame for each class, one for looking ahead.
        self.frames.resize_with(self.frames.len().max(self.len + 2), Vec::new);
        holders.everybody(&mut self.frames[0]);
        for frame in &mut self.frames[1..] {
            frame.clear();
            frame.resize(holders.width(), 0);
        }
        let mut frames = std::mem::take(&mut self.frames);
        self.walk(holders, &mut frames, 0, 0, false, new);
        self.frames = frames;
    }

    /// Walks the combinations from a class on; the first frame holds those who hold what is chosen so far.
    fn walk(
        &self,
        holders: &Holders,
        frames: &mut [Vec<u64>],
        level: usize,
        union: u64,
        is_fresh: bool,
        new: &mut Vec<u64>,
    ) {
        if level == self.len {
            return;
        }
        for choice in &self.classes[level] {
            let is_fresh = is_fresh || choice.fresh;
            if !is_fresh && !self.fresh[level + 1] {
                continue;
            }
            let union = union | choice.set;
            let [above, here, ahead, ..] = frames else { return };
            here.copy_from_slice(above);
            if !holders.keep(here, choice.set) {
                self.all(level + 1, union, is_fresh, new);
                continue;
            }
            ahead.copy_from_slice(here);
            if !holders.keep(ahead, self.rest[level + 1] & !union) {
                self.walk(holders, &mut frames[1..], level + 1, union, is_fresh, new);
            }
        }
    }

    /// All combinations from a class on, where nobody holds what is chosen so far.
    fn all(&self, level: usize, union: u64, is_fresh: bool, new: &mut Vec<u64>) {
        if level == self.len {
            new.push(union);
            return;
        }
        for choice in &self.classes[level] {
            let is_fresh = is_fresh || choice.fresh;
            if is_fresh || self.fresh[level + 1] {
                self.all(level + 1, union | choice.set, is_fresh, new);
            }
        }
    }
}
