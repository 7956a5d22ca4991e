//! A folder of tablebases in which missing tables are built on demand.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use krieg_core::{BitBoard, Piece, PieceSet};
use krieg_tablebase::{Endgame, Metaposition, ProbeError, Tablebase, Win};

use super::material_subset::{mating_subsets, subset_endgames};

/// Endgames with more helpers than this are not built: that takes hours, even in the background.
const MAX_HELPERS_BUILT: usize = 2;
/// The endgames whose tables are built in seconds. Without a clock the player waits for these only;
/// other endgames with two helpers have enough material to be won without a table.
const BUILT_ON_DEMAND: [&str; 5] = ["kqk", "krk", "kpk", "kbbk", "kbnk"];

/// A folder of tablebases. A table that is needed and missing is built, at most once per process.
#[derive(Debug)]
pub struct TablebaseProvider {
    tablebase: Tablebase,
    builds: Mutex<HashMap<Endgame, BuildState>>,
}

/// The state of a table that was missing.
#[derive(Debug, Clone)]
enum BuildState {
    Running,
    /// The build is not repeated: in a folder without write permission each attempt would cost
    /// time.
    Failed(String),
}

/// Whether the player waits for a missing table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuildPolicy {
    /// Wait until the table is built. Used without a clock, where a game must be the same on every
    /// machine, whatever tables it has.
    Wait,
    /// Build the table in the background. Used with a clock.
    InBackground,
}

impl TablebaseProvider {
    /// The provider that is shared in this process, with the default folder.
    #[must_use]
    pub fn shared() -> Arc<TablebaseProvider> {
        static SHARED: OnceLock<Arc<TablebaseProvider>> = OnceLock::new();
        SHARED.get_or_init(|| TablebaseProvider::in_folder(Tablebase::default_folder())).clone()
    }

    /// A provider with this folder, which need not exist yet.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Arc<TablebaseProvider> {
        let tablebase = Tablebase::new(folder);
        Arc::new(TablebaseProvider { tablebase, builds: Mutex::default() })
    }

    /// The tables in the folder.
    #[must_use]
    pub fn tablebase(&self) -> &Tablebase {
        &self.tablebase
    }

    fn builds(&self) -> MutexGuard<'_, HashMap<Endgame, BuildState>> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes sure that the table of these pieces exists. The error says why it does not.
    pub(crate) fn ensure(
        self: &Arc<Self>,
        pieces: &PieceSet,
        policy: BuildPolicy,
    ) -> Result<(), String> {
        let all = pieces.all().into_iter().filter_map(|square| pieces.piece_on(square));
        let helpers = all.filter(|&piece| piece != Piece::King);
        let endgame = Endgame::new(helpers).ok_or("there are no tables for so many pieces")?;
        self.ensure_table(endgame, policy)
    }

    /// Makes sure that the tables of all mating subsets of these pieces exist, and returns whether
    /// they do.
    pub(crate) fn ensure_subsets(self: &Arc<Self>, pieces: &PieceSet, policy: BuildPolicy) -> bool {
        let endgames = subset_endgames(pieces);
        // Every table is requested, because the request starts the build of a missing one.
        let ensure = |name: &&str| self.ensure_table(name.parse().ok()?, policy).ok();
        let existing = endgames.iter().filter_map(ensure).count();
        !endgames.is_empty() && existing == endgames.len()
    }

    fn ensure_table(self: &Arc<Self>, endgame: Endgame, policy: BuildPolicy) -> Result<(), String> {
        let failed = match self.builds().get(&endgame) {
            Some(BuildState::Failed(why)) => Some(why.clone()),
            _ => None,
        };
        if let Some(why) = failed {
            return Err(why);
        }
        let is_supported = match policy {
            // A large table is not used even if it exists: a machine without it must play the same
            // game.
            BuildPolicy::Wait => BUILT_ON_DEMAND.contains(&endgame.to_string().as_str()),
            BuildPolicy::InBackground => {
                endgame.non_king_count() <= MAX_HELPERS_BUILT || self.tablebase.has(endgame)
            }
        };
        if !is_supported {
            return Err(format!("{endgame} is played without a table"));
        }
        if self.tablebase.has_with_dependencies(endgame) {
            return Ok(());
        }
        match policy {
            BuildPolicy::Wait => self.build(endgame),
            BuildPolicy::InBackground => {
                self.build_in_background(endgame);
                Err(format!("the table of {endgame} is being built"))
            }
        }
    }

    fn build(&self, endgame: Endgame) -> Result<(), String> {
        let built = self.tablebase.build(endgame, &AtomicBool::new(false), &mut |_| {});
        let built = built.map_err(|error| error.to_string());
        match &built {
            Ok(()) => self.builds().remove(&endgame),
            Err(why) => self.builds().insert(endgame, BuildState::Failed(why.clone())),
        };
        built
    }

    fn build_in_background(self: &Arc<Self>, endgame: Endgame) {
        if self.builds().insert(endgame, BuildState::Running).is_some() {
            return;
        }
        let this = self.clone();
        let spawned = thread::Builder::new().name(format!("building {endgame}")).spawn(move || {
            // One worker thread, because players are searching. It inherits the priority of this
            // thread. The result is kept in `builds`.
            lower_priority();
            match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => drop(pool.install(|| this.build(endgame))),
                Err(_) => drop(this.build(endgame)),
            }
        });
        if let Err(error) = spawned {
            self.builds().insert(endgame, BuildState::Failed(error.to_string()));
        }
    }

    /// A certain win, if the table has one. The error says why the table cannot be probed.
    pub(crate) fn win(&self, pieces: &PieceSet, kings: BitBoard) -> Result<Option<Win>, String> {
        let metaposition = Metaposition::from_pieces(pieces, kings)?;
        self.tablebase.probe(&metaposition).map_err(|error| self.fail(&metaposition, error))
    }

    /// The number of moves to a certain mate.
    pub(crate) fn distance(&self, pieces: &PieceSet, kings: BitBoard) -> Option<u16> {
        let metaposition = Metaposition::from_pieces(pieces, kings).ok()?;
        let kings = metaposition.kings_as_white();
        self.tablebase.distance(metaposition.placement(), kings).ok()?
    }

    /// The smallest number of moves in which a mating subset would mate if it were alone.
    pub(crate) fn subset_distance(&self, pieces: &PieceSet, kings: BitBoard) -> Option<u16> {
        mating_subsets(pieces).iter().filter_map(|subset| self.distance(subset, kings)).min()
    }

    /// Records that a table cannot be read, so that it is not probed again.
    fn fail(&self, metaposition: &Metaposition, error: ProbeError) -> String {
        let why = error.to_string();
        let endgame = metaposition.placement().endgame();
        self.builds().insert(endgame, BuildState::Failed(why.clone()));
        why
    }
}

/// Gives this thread the lowest scheduling priority: a table can wait, a player whose clock runs
/// cannot. Only Linux has priorities per thread.
fn lower_priority() {
    // If that is not permitted, the table is built anyway.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 19);
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position, Square};

    fn white_pieces(board: &str) -> PieceSet {
        Position::from_fen(&format!("{board} w - - 0 1")).unwrap().pieces(Color::White)
    }

    #[test]
    fn the_subset_distance_ignores_the_other_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let provider = TablebaseProvider::in_folder(folder.path());
        let many = white_pieces("k7/8/8/8/1R6/2K5/PPPP4/8");
        assert!(provider.ensure(&many, BuildPolicy::Wait).is_err(), "no table for so many pieces");
        assert!(provider.ensure_subsets(&many, BuildPolicy::Wait));
        let kings = Square::A8.bitboard() | Square::A7.bitboard();
        let alone = provider.distance(&white_pieces("k7/8/8/8/1R6/2K5/8/8"), kings);
        assert!(alone.is_some());
        assert_eq!(provider.subset_distance(&many, kings), alone);
        // Two knights cannot mate, so they have no table.
        let knights = white_pieces("k7/8/8/8/8/2K5/3NN3/8");
        assert!(!provider.ensure_subsets(&knights, BuildPolicy::Wait));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_background_build_and_its_workers_have_low_priority() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let builder = thread::spawn(move || {
            lower_priority();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            (priority(), pool.install(priority))
        });
        assert_eq!(builder.join().unwrap(), (19, 19));
        assert_eq!(priority(), before);
    }
}
