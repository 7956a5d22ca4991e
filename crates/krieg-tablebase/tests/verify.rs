//! The verifier finds no fault in a table that was built, and the faults in altered ones.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use krieg_core::{Color, Ending, Square};
use krieg_tablebase::verify::{
    Fault, PlaySettings, PlayoutError, Property, VerifyReport, VerifySettings, playout,
    verify_by_play, verify_table,
};
use krieg_tablebase::{Endgame, Entry, Metaposition, Tablebase};
use tempfile::TempDir;

fn krk() -> Endgame {
    "krk".parse().unwrap()
}

/// The table of king and rook, built once for all tests.
fn built() -> &'static Tablebase {
    static BUILT: OnceLock<(TempDir, Tablebase)> = OnceLock::new();
    let (_, tables) = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(folder.path());
        tables.build(krk(), &AtomicBool::new(false), &mut |_| {}).unwrap();
        (folder, tables)
    });
    tables
}

fn verify(tables: &Tablebase, settings: &VerifySettings) -> VerifyReport {
    verify_table(tables, krk(), settings, &AtomicBool::new(false), &mut |_, _| {}).unwrap()
}

/// The report for an altered table that was cut off after the mates in five. Only the check of
/// random sets notices the cut: forward search finds mates in six that the table lacks.
fn report_after(change: impl FnOnce(&mut [Vec<Entry>])) -> VerifyReport {
    let table = built().table(krk()).unwrap();
    let mut blocks: Vec<Vec<Entry>> =
        (0..table.placements().len()).map(|number| table.entries(number).unwrap()).collect();
    for block in &mut blocks {
        block.retain(|entry| entry.distance <= 5);
    }
    change(&mut blocks);
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    tables.write(krk(), blocks).unwrap();
    verify(&tables, &VerifySettings { sample: 1000, seed: 1, all: true })
}

/// The entry with this distance and the most kings: the number of its placement, and its index.
fn largest(blocks: &[Vec<Entry>], distance: u16) -> (usize, usize) {
    let all = blocks.iter().enumerate();
    all.flat_map(|(number, block)| (0..block.len()).map(move |index| (number, index)))
        .filter(|&(number, index)| blocks[number][index].distance == distance)
        .max_by_key(|&(number, index)| blocks[number][index].kings.count_ones())
        .unwrap()
}

/// The legal squares of the lone king.
fn legal(number: usize) -> u64 {
    let placement = built().table(krk()).unwrap().placements().placement(number).unwrap();
    Metaposition::king_anywhere(placement).kings().0
}

#[test]
fn king_and_rook_has_no_fault() {
    let mut progress = (0, 0);
    let settings = VerifySettings { sample: 2000, ..VerifySettings::default() };
    let stop = AtomicBool::new(false);
    let report =
        verify_table(built(), krk(), &settings, &stop, &mut |done, total| progress = (done, total))
            .unwrap();
    assert!(report.is_clean() && !report.stopped, "{report}");
    let header = *built().table(krk()).unwrap().header();
    for property in [Property::Antichain, Property::Sound, Property::FirstTry] {
        assert_eq!(report.checked(property), header.entries, "{property:?}");
    }
    for property in [
        Property::Optimal,
        Property::Maximal,
        Property::RandomSets,
        Property::Lookup,
        Property::Exhaustive,
    ] {
        assert!(report.checked(property) > 100, "{property:?}");
    }
    assert_eq!(report.checked(Property::Header), 1);
    assert_eq!(progress, (header.placements as usize, header.placements as usize));
    assert!(report.to_string().ends_with("No fault was found."), "{report}");
}

#[test]
fn verification_can_be_stopped() {
    let stop = AtomicBool::new(true);
    let settings = VerifySettings::default();
    let report = verify_table(built(), krk(), &settings, &stop, &mut |_, _| {}).unwrap();
    assert!(report.stopped && report.checked(Property::Sound) == 0);
    let settings = PlaySettings::default();
    let report = verify_by_play(built(), krk(), &settings, &stop, &mut |_, _| {}).unwrap();
    assert!(report.stopped && report.games == 0);
}

#[test]
fn a_truncated_table_lacks_only_long_mates() {
    let report = report_after(|_| {});
    for property in Property::ALL.into_iter().filter(|&property| property != Property::RandomSets) {
        assert_eq!(report.faults.of(property), 0, "{report}");
    }
}

#[test]
fn an_extra_king_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        let missing = legal(number) & !blocks[number][index].kings;
        blocks[number][index].kings |= missing & missing.wrapping_neg();
    });
    let unsound = |fault: &&Fault| fault.property == Property::Sound;
    let fault = report.faults.kept.iter().find(unsound).unwrap();
    assert!(fault.entry.ends_with(" 3"), "{report}");
}

#[test]
fn an_illegal_king_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        let table = built().table(krk()).unwrap();
        let king = table.placements().placement(number).unwrap().king();
        blocks[number][index].kings |= king.bitboard().0;
    });
    assert!(report.faults.of(Property::Antichain) > 0, "{report}");
}

#[test]
fn a_distance_that_is_too_small_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        blocks[number][index].distance = 2;
    });
    assert!(report.faults.of(Property::Sound) > 0, "{report}");
    assert!(report.faults.of(Property::FirstTry) > 0, "{report}");
}

#[test]
fn a_distance_that_is_too_large_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        blocks[number][index].distance = 4;
    });
    assert!(report.faults.of(Property::Optimal) > 0, "{report}");
}

#[test]
fn a_missing_entry_that_others_need_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        blocks[number].remove(index);
    });
    assert!(report.faults.of(Property::Sound) > 0, "{report}");
}

#[test]
fn missing_mates_are_detected_by_the_exhaustive_search() {
    // A table without entries is sound.
    let report = report_after(|blocks| blocks.iter_mut().for_each(Vec::clear));
    assert!(report.faults.of(Property::Exhaustive) > 0, "{report}");
    assert_eq!(report.faults.of(Property::Sound), 0, "{report}");
}

#[test]
fn a_subset_of_another_entry_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        let mut entry = blocks[number][index];
        entry.kings &= entry.kings - 1;
        blocks[number].push(entry);
    });
    assert_eq!(report.faults.of(Property::Antichain), 1, "{report}");
}

#[test]
fn an_entry_that_is_not_maximal_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        blocks[number][index].kings &= blocks[number][index].kings - 1;
    });
    assert_eq!(report.faults.of(Property::Maximal), 1, "{report}");
}

#[test]
fn a_first_try_that_does_not_win_is_detected() {
    let report = report_after(|blocks| {
        let (number, index) = largest(blocks, 3);
        blocks[number][index].first_try = 127;
        let (number, index) = largest(blocks, 1);
        let first = &mut blocks[number][index].first_try;
        *first = if *first == 0 { 1 } else { 0 };
    });
    assert_eq!(report.faults.of(Property::FirstTry), 2, "{report}");
    assert_eq!(report.faults.of(Property::Sound), 0, "{report}");
}

#[test]
fn games_end_in_mate_and_in_time() {
    let settings = PlaySettings { games: 150, ..PlaySettings::default() };
    let stop = AtomicBool::new(false);
    let report = verify_by_play(built(), krk(), &settings, &stop, &mut |_, _| {}).unwrap();
    assert!(report.faults.is_empty() && !report.stopped, "{report}");
    assert_eq!(report.games, 300);
    assert!(report.starts > 200, "about half of all placements: {report}");
    assert!(report.longest > 20 && report.full_length > 0, "{report}");
}

/// Boyce's starting position, a mate in 26 in the literature (Favini 2010, figure 8.5).
#[test]
fn boyces_position_is_won_wherever_the_king_is() {
    let boyce: Metaposition = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4".parse().unwrap();
    for king in boyce.kings() {
        let played = playout(built(), &boyce, king).unwrap();
        assert!(played.moves <= played.stated && played.stated <= 26);
        let end = played.record.outcome().unwrap();
        assert_eq!((end.ending, end.winner), (Ending::Checkmate, Some(Color::White)));
    }
}

#[test]
fn a_start_that_cannot_be_played_is_an_error() {
    let start: Metaposition = "7k/8/8/8/8/8/R7/K7".parse().unwrap();
    let error = playout(built(), &start, Square::D4).unwrap_err();
    assert!(
        matches!(&error, PlayoutError::Fault(fault) if fault.problem.contains("d4")),
        "{error}"
    );
    let open: Metaposition = "k6k/8/8/8/3R4/8/8/K7".parse().unwrap();
    if let Err(error) = playout(built(), &open, Square::H8) {
        assert!(error.to_string().contains("won"), "{error}");
    }
}
