//! Where the tables of endgames stand, and who sees to it that one is there when it is wanted.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use krieg_core::{BitBoard, Piece, PieceSet};
use krieg_tablebase::{Endgame, Metaposition, ProbeError, Tablebase, Win};

use super::material_subset;

/// Endgames with more helpers than this take hours to build, even in the background.
const MOST_HELPERS_BUILT: usize = 2;
/// Endgames whose tables are built in seconds: nobody waits for others. Where two helpers are stronger, progress is made without a table.
const WAITED_FOR: [&str; 5] = ["kqk", "krk", "kpk", "kbbk", "kbnk"];

/// A folder of tables that fills by itself: a table that is asked for and missing is built, once in a process.
#[derive(Debug)]
pub struct TablebaseProvider {
    tables: Tablebase,
    work: Mutex<HashMap<Endgame, Work>>,
}

/// What became of a table that was not there.
#[derive(Debug, Clone)]
enum Work {
    Underway,
    /// Nobody tries again: a folder that cannot be written to would cost time at every move.
    Failed(String),
}

/// Whether somebody waits for a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Until it is built. Where no clock runs a game must be the same on every machine, whatever tables it has.
    Endless,
    /// Not at all: a clock runs.
    None,
}

impl TablebaseProvider {
    /// The shelf of this process, in the usual folder.
    pub fn usual() -> Arc<TablebaseProvider> {
        static USUAL: OnceLock<Arc<TablebaseProvider>> = OnceLock::new();
        USUAL.get_or_init(|| TablebaseProvider::in_folder(Tablebase::usual_folder())).clone()
    }

    /// A shelf in a folder, which need not be there yet.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Arc<TablebaseProvider> {
        Arc::new(TablebaseProvider { tables: Tablebase::new(folder), work: Mutex::default() })
    }

    /// The tables on it.
    pub fn tables(&self) -> &Tablebase {
        &self.tables
    }

    fn work(&self) -> MutexGuard<'_, HashMap<Endgame, Work>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sees to it that the table of the endgame of these men is there. If it is not, the words say why.
    pub(crate) fn fetch(
        self: &Arc<Self>,
        men: &PieceSet,
        patience: Patience,
    ) -> Result<(), String> {
        let men_on = men.all().into_iter().filter_map(|square| men.piece_on(square));
        let helpers = men_on.filter(|&man| man != Piece::King);
        let endgame = Endgame::new(helpers).ok_or("there are no tables for so many men")?;
        self.fetch_table(endgame, patience)
    }

    /// Sees to it that all tables are there for the parts of these men that can mate, and says whether they are.
    pub(crate) fn fetch_for_a_part(self: &Arc<Self>, men: &PieceSet, patience: Patience) -> bool {
        let endgames = material_subset::endgames(men);
        // All are asked for, since those that are missing are built from now on.
        let fetch = |name: &&str| self.fetch_table(name.parse().ok()?, patience).ok();
        let here = endgames.iter().filter_map(fetch).count();
        !endgames.is_empty() && here == endgames.len()
    }

    fn fetch_table(self: &Arc<Self>, endgame: Endgame, patience: Patience) -> Result<(), String> {
        let failed = match self.work().get(&endgame) {
            Some(Work::Failed(why)) => Some(why.clone()),
            _ => None,
        };
        if let Some(why) = failed {
            return Err(why);
        }
        let is_served = match patience {
            // Who has a large table may not use it here: whoever has none must play the same game.
            Patience::Endless => WAITED_FOR.contains(&endgame.to_string().as_str()),
            Patience::None => endgame.len() <= MOST_HELPERS_BUILT || self.tables.has(endgame),
        };
        if !is_served {
            return Err(format!("{endgame} is played without a table"));
        }
        if self.tables.has_all_for(endgame) {
            return Ok(());
        }
        match patience {
            Patience::Endless => self.build(endgame),
            Patience::None => {
                self.build_meanwhile(endgame);
                Err(format!("the table of {endgame} is being built"))
            }
        }
    }

    fn build(&self, endgame: Endgame) -> Result<(), String> {
        let built = self.tables.build(endgame, &AtomicBool::new(false), &mut |_| {});
        let built = built.map_err(|error| error.to_string());
        match &built {
            Ok(()) => self.work().remove(&endgame),
            Err(why) => self.work().insert(endgame, Work::Failed(why.clone())),
        };
        built
    }

    fn build_meanwhile(self: &Arc<Self>, endgame: Endgame) {
        if self.work().insert(endgame, Work::Underway).is_some() {
            return;
        }
        let this = self.clone();
        let begun = thread::Builder::new().name(format!("building {endgame}")).spawn(move || {
            // One thread, since others are thinking; it inherits that it gives way. What became of it is noted, for whoever asks next.
            give_way();
            match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(one) => drop(one.install(|| this.build(endgame))),
                Err(_) => drop(this.build(endgame)),
            }
        });
        if let Err(error) = begun {
            self.work().insert(endgame, Work::Failed(error.to_string()));
        }
    }

    /// A sure win, if the table knows one. The words say why it could not be asked.
    pub(crate) fn win(&self, men: &PieceSet, kings: BitBoard) -> Result<Option<Win>, String> {
        let asked = Metaposition::of_men(men, kings)?;
        self.tables.probe(&asked).map_err(|error| self.failed(&asked, error))
    }

    /// In how many moves mate is sure, if it is.
    pub(crate) fn distance(&self, men: &PieceSet, kings: BitBoard) -> Option<u16> {
        let asked = Metaposition::of_men(men, kings).ok()?;
        self.tables.distance(asked.disposition(), asked.kings_for_white()).ok()?
    }

    /// In how many moves a part of these men would mate surely, if the others were not there; the fewest, if several parts would.
    pub(crate) fn distance_for_a_part(&self, men: &PieceSet, kings: BitBoard) -> Option<u16> {
        material_subset::each_that_mates(men)
            .iter()
            .filter_map(|part| self.distance(part, kings))
            .min()
    }

    /// A table that cannot be read is not asked again.
    fn failed(&self, asked: &Metaposition, error: ProbeError) -> String {
        let why = error.to_string();
        self.work().insert(asked.disposition().endgame(), Work::Failed(why.clone()));
        why
    }
}

/// Leaves the processor to everybody else who wants it: a table can wait, and a player whose clock runs cannot. Other systems than Linux know no such
/// thing for one thread.
fn give_way() {
    // Where that is not allowed, tables are built all the same.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 19);
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position, Square};

    fn men(board: &str) -> PieceSet {
        Position::from_fen(&format!("{board} w - - 0 1")).unwrap().pieces(Color::White)
    }

    #[test]
    fn a_rook_mates_as_if_the_pawns_were_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = TablebaseProvider::in_folder(folder.path());
        let many = men("k7/8/8/8/1R6/2K5/PPPP4/8");
        assert!(shelf.fetch(&many, Patience::Endless).is_err(), "there is no table for so many");
        assert!(shelf.fetch_for_a_part(&many, Patience::Endless));
        let kings = Square::A8.bitboard() | Square::A7.bitboard();
        let alone = shelf.distance(&men("k7/8/8/8/1R6/2K5/8/8"), kings);
        assert!(alone.is_some());
        assert_eq!(shelf.distance_for_a_part(&many, kings), alone);
        // Two knights do not mate, and no table says otherwise.
        assert!(!shelf.fetch_for_a_part(&men("k7/8/8/8/8/2K5/3NN3/8"), Patience::Endless));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn whoever_builds_a_table_gives_way_and_his_helpers_too_but_nobody_else() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let of_builder = thread::spawn(move || {
            give_way();
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            (priority(), one.install(priority))
        });
        assert_eq!(of_builder.join().unwrap(), (19, 19));
        assert_eq!(priority(), before);
    }
}
