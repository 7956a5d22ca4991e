//! A folder of tables, and probing them.

use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use krieg_core::{BitBoard, Move};
use thiserror::Error;

use crate::attack_map::{AttackMap, neighbours};
use crate::attacker_tries::AttackerTry;
use crate::endgame::{Endgame, MAX_NON_KING_PIECES};
use crate::file::block::{DecodedBlock, Entry};
use crate::file::table::{Table, TableError, damaged};
use crate::metaposition::Metaposition;
use crate::placement::Placement;
use crate::retrograde::SolvedEndgames;
use crate::symmetry::Symmetry;

/// A folder of tables. Each table is opened when it is first probed.
///
/// ```
/// use krieg_tablebase::{Metaposition, Tablebase};
/// let folder = tempfile::tempdir()?;
/// let tables = Tablebase::new(folder.path());
/// tables.build("krk".parse()?, &false.into(), &mut |_| {})?;
///
/// let asked: Metaposition = "k7/8/1K6/8/8/8/8/7R".parse()?;
/// let win = tables.probe(&asked)?.expect("mate on the eighth rank");
/// assert_eq!((win.distance, win.tries[0].to_string()), (1, "h1h8".to_string()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tablebase {
    folder: PathBuf,
    open: RwLock<HashMap<Endgame, Arc<Table>>>,
}

/// A forced win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Win {
    /// Maximum number of moves to mate; refused tries are not counted.
    pub distance: u16,
    /// The king set of the table entry that was used, which contains the set in question, on the
    /// actual board.
    pub kings: BitBoard,
    /// The tries to make, in order, until one is accepted.
    pub tries: Vec<Move>,
}

/// A probe failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The table does not exist.
    #[error(
        "there is no table of {endgame} in {folder}: build it with \
         `krieg tablebase build {endgame}{}`",
        dir_option(folder)
    )]
    Missing {
        /// The endgame.
        endgame: Endgame,
        /// The folder that was searched.
        folder: String,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The option that a command needs for a folder, which is empty for the default one.
pub(crate) fn dir_option(folder: &str) -> String {
    match Tablebase::default_folder().display().to_string() == folder {
        true => String::new(),
        false => format!(" --dir {folder:?}"),
    }
}

impl Tablebase {
    /// The tables in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Tablebase { folder: folder.into(), open: RwLock::default() }
    }

    /// The default folder: `$KRIEG_TABLEBASES`, or `krieg/tablebases` in the user's cache
    /// directory.
    pub fn default_folder() -> PathBuf {
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

    /// The folder of the tables.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of an endgame's table, whether or not it exists.
    pub fn path(&self, endgame: Endgame) -> PathBuf {
        self.folder.join(format!("{endgame}.table"))
    }

    /// Whether the table of an endgame exists.
    pub fn has(&self, endgame: Endgame) -> bool {
        self.path(endgame).is_file()
    }

    /// Whether the tables of an endgame and of everything it leads to exist.
    pub fn has_with_dependencies(&self, endgame: Endgame) -> bool {
        Endgame::with_dependencies(&[endgame]).into_iter().all(|needed| self.has(needed))
    }

    /// The endgames whose tables exist, those with fewer pieces first.
    pub fn endgames(&self) -> Vec<Endgame> {
        let all = (3..=MAX_NON_KING_PIECES + 2).flat_map(Endgame::with_pieces);
        all.filter(|&endgame| self.has(endgame)).collect()
    }

    /// The table of an endgame, opened if necessary.
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

    /// Drops an open table, so that the next probe opens the file again.
    pub(crate) fn close(&self, endgame: Endgame) {
        self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&endgame);
    }

    /// The distance to mate and the tries to make; `None` if the win is not forced.
    pub fn probe(&self, asked: &Metaposition) -> Result<Option<Win>, ProbeError> {
        let table = self.table(asked.placement().endgame())?;
        let Some(lookup) = Lookup::find(&table, asked.placement(), asked.kings_as_white())? else {
            return Ok(None);
        };
        let all_tries = lookup.canonical.tries();
        let tries = self.tries_until_accepted(
            &lookup.canonical,
            &all_tries,
            &lookup.block,
            lookup.best,
            lookup.kings,
        )?;
        let symmetry = lookup.symmetry;
        let to_board = |mv: Move| {
            let (from, to) = (symmetry.unmap_square(mv.from), symmetry.unmap_square(mv.to));
            asked.move_to_board(Move { from, to, ..mv })
        };
        Ok(Some(Win {
            distance: lookup.best.distance,
            kings: asked.to_board(symmetry.unmap_set(lookup.best.kings)),
            tries: tries.into_iter().map(to_board).collect(),
        }))
    }

    /// The distance to mate for a non-empty king set; `None` if the win is not forced.
    pub fn distance(&self, placement: &Placement, kings: u64) -> Result<Option<u16>, ProbeError> {
        let table = self.table(placement.endgame())?;
        Ok(Lookup::find(&table, placement, kings)?.map(|lookup| lookup.best.distance))
    }

    /// The tries for these kings, a subset of `entry`, each made if those before were refused.
    ///
    /// `canonical`, its `all_tries` and its `block` belong together. The block must be decoded at
    /// least up to the distance of the entry.
    pub(crate) fn tries_until_accepted(
        &self,
        canonical: &Placement,
        all_tries: &[AttackerTry],
        block: &DecodedBlock,
        entry: Entry,
        mut kings: u64,
    ) -> Result<Vec<Move>, ProbeError> {
        let mut tried = Vec::new();
        let mut next = Some(usize::from(entry.first_try));
        while let Some(current) = next.and_then(|number| all_tries.get(number)) {
            tried.push(current.mv);
            kings &= current.refused_by;
            if kings == 0 {
                return Ok(tried);
            }
            // A repeated try, or one that all remaining kings refuse, would give no information.
            let is_useful = |number: u8| {
                let next = all_tries.get(usize::from(number));
                next.is_some_and(|next| !tried.contains(&next.mv) && kings & !next.refused_by != 0)
            };
            next = match block.best_superset(kings, entry.distance, is_useful) {
                Some(entry) => Some(usize::from(entry.first_try)),
                // The entry with the right try is not stored, since a larger set replaced it.
                None => self.other_winning_try(all_tries, &tried, kings, entry.distance)?,
            };
        }
        // A table that was built has a winning continuation for every entry.
        let problem = format!("no tries win its entry for {canonical} in time");
        let endgame = canonical.endgame();
        Err(damaged(&self.path(endgame), endgame, &problem).into())
    }

    /// The number of a new try that keeps the mate within `distance` moves.
    fn other_winning_try(
        &self,
        all_tries: &[AttackerTry],
        tried: &[Move],
        kings: u64,
        distance: u16,
    ) -> Result<Option<usize>, ProbeError> {
        for (number, next) in all_tries.iter().enumerate() {
            let is_useful = !tried.contains(&next.mv) && kings & !next.refused_by != 0;
            if is_useful && self.wins_within(next, kings, distance)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether a try, wherever it is accepted, keeps the mate within `distance` moves.
    pub fn wins_within(
        &self,
        tried: &AttackerTry,
        kings: u64,
        distance: u16,
    ) -> Result<bool, ProbeError> {
        let left = distance.saturating_sub(1);
        let is_in_time = |placement: &Placement, kings: u64| -> Result<bool, ProbeError> {
            Ok(self.distance(placement, kings)?.is_some_and(|distance| distance <= left))
        };
        let map = AttackMap::new(&tried.successor);
        let kings = kings & !tried.refused_by;
        if kings & !map.defender_to_move != 0 {
            return Ok(false);
        }
        for class in &map.announcement_classes {
            let kings = kings & class;
            let kings_after = map.successors(kings);
            if kings_after != 0 && !is_in_time(&tried.successor, kings_after)? {
                return Ok(false);
            }
            for captured in BitBoard(map.undefended & neighbours(kings)) {
                match tried.successor.without(captured) {
                    Some(rest) if is_in_time(&rest, captured.bitboard().0)? => {}
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

/// The result of a successful lookup, on the board of the canonical placement.
struct Lookup {
    canonical: Placement,
    symmetry: Symmetry,
    kings: u64,
    best: Entry,
    /// The entries up to the distance of the best one.
    block: DecodedBlock,
}

impl Lookup {
    fn find(table: &Table, placement: &Placement, kings: u64) -> Result<Option<Self>, TableError> {
        let (number, symmetry) = table.placements().number(placement);
        let canonical = placement.transformed(symmetry);
        let kings = symmetry.map_set(kings);
        let block = table.decode(number, |_, sets| sets.iter().any(|&set| kings & !set == 0))?;
        let best = block.best_superset(kings, u16::MAX, |_| true);
        Ok(best.map(|best| Lookup { canonical, symmetry, kings, best, block }))
    }
}

impl SolvedEndgames for Tablebase {
    fn distance(&self, placement: &Placement, kings: u64) -> Result<Option<u16>, ProbeError> {
        Tablebase::distance(self, placement, kings)
    }

    fn sets(&self, canonical: &Placement, distance: u16) -> Result<Vec<u64>, ProbeError> {
        let table = self.table(canonical.endgame())?;
        let mut wanted = Vec::new();
        table.decode(table.placements().number(canonical).0, |here, sets| {
            if here == distance {
                wanted.extend_from_slice(sets);
            }
            here >= distance
        })?;
        Ok(wanted)
    }

    fn distances(&self, canonical: &Placement) -> Result<Vec<u16>, ProbeError> {
        let table = self.table(canonical.endgame())?;
        let mut distances = Vec::new();
        table.decode(table.placements().number(canonical).0, |here, _| {
            distances.push(here);
            false
        })?;
        Ok(distances)
    }
}
