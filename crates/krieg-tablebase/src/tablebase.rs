//! A folder of tables, and what they say.

use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use krieg_core::{BitBoard, Move};
use thiserror::Error;

use crate::build::Known;
use crate::disposition::Disposition;
use crate::endgame::Endgame;
use crate::file::block::{Entry, Unpacked};
use crate::file::table::{Table, TableError, damaged};
use crate::ground::{Ground, neighbours};
use crate::metaposition::Metaposition;
use crate::steps::Step;
use crate::symmetry::Symmetry;

/// A folder of tables. They are opened when they are first asked.
#[derive(Debug)]
pub struct Tablebase {
    folder: PathBuf,
    open: RwLock<HashMap<Endgame, Arc<Table>>>,
}

/// A sure win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Win {
    /// The most moves, not tries, that mate takes.
    pub distance: u16,
    /// The set of kings in the table that the answer is taken from; those asked about are among them. On the board that was asked about.
    pub kings: BitBoard,
    /// What to try, in order, until one try is legal.
    pub tries: Vec<Move>,
}

/// A question cannot be answered.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The table is not there.
    #[error(
        "there is no table of {endgame} in {folder}: `krieg tablebase build {endgame}{}` makes it",
        elsewhere(folder)
    )]
    Missing {
        /// Which endgame.
        endgame: Endgame,
        /// Where it was looked for.
        folder: String,
    },
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// What a command needs to hear of a folder, if it is not the usual one.
pub(crate) fn elsewhere(folder: &str) -> String {
    match Tablebase::usual_folder().display().to_string() == folder {
        true => String::new(),
        false => format!(" --dir {folder:?}"),
    }
}

impl Tablebase {
    /// The tables in a folder, which need not be there yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Tablebase { folder: folder.into(), open: RwLock::default() }
    }

    /// The folder that is used if nobody names another: `$KRIEG_TABLEBASES`, or `krieg/tablebases` in the user's cache directory.
    pub fn usual_folder() -> PathBuf {
        let from =
            |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        from("KRIEG_TABLEBASES").unwrap_or_else(|| {
            let cache = from("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| from("HOME").map(|home| home.join(".cache")))
                .unwrap_or_else(env::temp_dir);
            cache.join("krieg").join("tablebases")
        })
    }

    /// Where the tables are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the table of an endgame is, or will be.
    pub fn path(&self, endgame: Endgame) -> PathBuf {
        self.folder.join(format!("{endgame}.table"))
    }

    /// Whether the table of an endgame is there.
    pub fn has(&self, endgame: Endgame) -> bool {
        self.path(endgame).is_file()
    }

    /// Whether the table of an endgame is there, and all that it leads to.
    pub fn has_all_for(&self, endgame: Endgame) -> bool {
        Endgame::with_all_needed(&[endgame]).into_iter().all(|needed| self.has(needed))
    }

    /// The endgames whose tables are there, those with fewer men first.
    pub fn endgames(&self) -> Vec<Endgame> {
        let all = (3..=crate::MOST_HELPERS + 2).flat_map(Endgame::with_men);
        all.filter(|&endgame| self.has(endgame)).collect()
    }

    /// The table of an endgame.
    pub fn table(&self, endgame: Endgame) -> Result<Arc<Table>, ProbeError> {
        let known = self.open.read().unwrap_or_else(PoisonError::into_inner).get(&endgame).cloned();
        if let Some(table) = known {
            return Ok(table);
        }
        if !self.has(endgame) {
            let folder = self.folder.display().to_string();
            return Err(ProbeError::Missing { endgame, folder });
        }
        let table = Arc::new(Table::open(&self.path(endgame), endgame)?);
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        Ok(open.entry(endgame).or_insert(table).clone())
    }

    /// Forgets the tables that are open, so that those on disk are opened anew.
    pub(crate) fn close(&self, endgame: Endgame) {
        self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&endgame);
    }

    /// Whether mate is sure, in how many moves, and what to try; `None` if it is not.
    pub fn probe(&self, asked: &Metaposition) -> Result<Option<Win>, ProbeError> {
        let table = self.table(asked.disposition().endgame())?;
        let Some(looked) = Looked::up(&table, asked.disposition(), asked.kings_for_white())? else {
            return Ok(None);
        };
        let steps = looked.filed.steps();
        let tries =
            self.tries(&looked.filed, &steps, &looked.entries, looked.best, looked.asked)?;
        let mv = |mv: Move| {
            let (from, to) = (looked.way.undo_square(mv.from), looked.way.undo_square(mv.to));
            asked.move_on_board(Move { from, to, ..mv })
        };
        Ok(Some(Win {
            distance: looked.best.distance,
            kings: asked.on_board(looked.way.undo_squares(looked.best.kings)),
            tries: tries.into_iter().map(mv).collect(),
        }))
    }

    /// In how many moves mate is sure, if it is, for a set of kings that is not empty.
    pub fn distance(
        &self,
        disposition: &Disposition,
        kings: u64,
    ) -> Result<Option<u16>, ProbeError> {
        let table = self.table(disposition.endgame())?;
        Ok(Looked::up(&table, disposition, kings)?.map(|looked| looked.best.distance))
    }

    /// What to try with these kings, who are all in `found`, each try if the one before was refused. All on the filed board: its steps, and its
    /// entries, up to the distance of what was found at least.
    pub(crate) fn tries(
        &self,
        filed: &Disposition,
        steps: &[Step],
        entries: &Unpacked,
        found: Entry,
        mut kings: u64,
    ) -> Result<Vec<Move>, ProbeError> {
        let mut tried = Vec::new();
        let mut next = Some(usize::from(found.first));
        while let Some(step) = next.and_then(|number| steps.get(number)) {
            tried.push(step.mv);
            kings &= step.refused_by;
            if kings == 0 {
                return Ok(tried);
            }
            // What was tried, or is sure to be refused by those who are left, would tell nothing.
            let fresh = |first: u8| {
                let step = steps.get(usize::from(first));
                step.is_some_and(|step| !tried.contains(&step.mv) && kings & !step.refused_by != 0)
            };
            next = match entries.best(kings, found.distance, fresh) {
                Some(entry) => Some(usize::from(entry.first)),
                // The entry that tells what to do is one of those that a larger one has replaced.
                None => self.any_good_step(steps, &tried, kings, found.distance)?,
            };
        }
        // An entry that nothing wins is in no table that was built.
        let what = format!("its entry for {filed} cannot be played");
        Err(damaged(&self.path(filed.endgame()), filed.endgame(), &what).into())
    }

    /// A step that was not tried yet, and does no harm wherever it is legal.
    fn any_good_step(
        &self,
        steps: &[Step],
        tried: &[Move],
        kings: u64,
        distance: u16,
    ) -> Result<Option<usize>, ProbeError> {
        for (number, step) in steps.iter().enumerate() {
            let is_new = !tried.contains(&step.mv) && kings & !step.refused_by != 0;
            if is_new && self.is_good(step, kings, distance)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether a step keeps the mate within `distance` moves, wherever it is legal.
    pub fn is_good(&self, step: &Step, kings: u64, distance: u16) -> Result<bool, ProbeError> {
        let left = distance.saturating_sub(1);
        let in_time = |to: &Disposition, kings: u64| -> Result<bool, ProbeError> {
            Ok(self.distance(to, kings)?.is_some_and(|distance| distance <= left))
        };
        let ground = Ground::new(&step.to);
        let kings = kings & !step.refused_by;
        if kings & !ground.free != 0 {
            return Ok(false);
        }
        for class in &ground.classes {
            let heard = kings & class;
            let moved = ground.after_moving(heard);
            if moved != 0 && !in_time(&step.to, moved)? {
                return Ok(false);
            }
            for lost in BitBoard(ground.loose & neighbours(heard)) {
                match step.to.without(lost) {
                    Some(rest) if in_time(&rest, lost.bitboard().0)? => {}
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

/// What was found in a table for one question, on the filed board.
struct Looked {
    filed: Disposition,
    way: Symmetry,
    asked: u64,
    best: Entry,
    /// All entries up to the distance of the best.
    entries: Unpacked,
}

impl Looked {
    fn up(
        table: &Table,
        disposition: &Disposition,
        kings: u64,
    ) -> Result<Option<Self>, TableError> {
        let (number, way) = table.catalogue().number(disposition);
        let filed = disposition.turned(way);
        let asked = way.squares(kings);
        let entries = table.read(number, |_, sets| sets.iter().any(|&set| asked & !set == 0))?;
        let best = entries.best(asked, u16::MAX, |_| true);
        Ok(best.map(|best| Looked { filed, way, asked, best, entries }))
    }
}

impl Known for Tablebase {
    fn distance(&self, disposition: &Disposition, king: u64) -> Result<Option<u16>, ProbeError> {
        Tablebase::distance(self, disposition, king)
    }

    fn sets(&self, filed: &Disposition, distance: u16) -> Result<Vec<u64>, ProbeError> {
        let table = self.table(filed.endgame())?;
        let mut wanted = Vec::new();
        table.read(table.catalogue().number(filed).0, |here, sets| {
            if here == distance {
                wanted.extend_from_slice(sets);
            }
            here >= distance
        })?;
        Ok(wanted)
    }

    fn distances(&self, filed: &Disposition) -> Result<Vec<u16>, ProbeError> {
        let table = self.table(filed.endgame())?;
        let mut distances = Vec::new();
        table.read(table.catalogue().number(filed).0, |here, _| {
            distances.push(here);
            false
        })?;
        Ok(distances)
    }
}
