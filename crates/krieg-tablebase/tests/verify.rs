//! The second opinion: it finds nothing wrong with a table that was built, and whatever is wrong with one that was altered.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use krieg_core::{Color, Ending, Square};
use krieg_tablebase::verify::{
    Check, Defence, Fault, Findings, Inspection, PlayError, contest, inspect, play_out,
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

fn look(tables: &Tablebase, inspection: &Inspection) -> Findings {
    inspect(tables, krk(), inspection, &AtomicBool::new(false), &mut |_, _| {}).unwrap()
}

/// What is found in a table that ends with mates in five, when somebody has altered it. Of what takes longer, forward play misses the first mates in six,
/// and nothing else does.
fn after(change: impl FnOnce(&mut [Vec<Entry>])) -> Findings {
    let table = built().table(krk()).unwrap();
    let mut blocks: Vec<Vec<Entry>> =
        (0..table.catalogue().len()).map(|number| table.entries(number).unwrap()).collect();
    for block in &mut blocks {
        block.retain(|entry| entry.distance <= 5);
    }
    change(&mut blocks);
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    tables.write(krk(), blocks).unwrap();
    look(&tables, &Inspection { sample: 1000, seed: 1, all: true })
}

/// The entry of this distance with the most kings: its disposition, and its place there.
fn largest(blocks: &[Vec<Entry>], distance: u16) -> (usize, usize) {
    let all = blocks.iter().enumerate();
    all.flat_map(|(number, block)| (0..block.len()).map(move |place| (number, place)))
        .filter(|&(number, place)| blocks[number][place].distance == distance)
        .max_by_key(|&(number, place)| blocks[number][place].kings.count_ones())
        .unwrap()
}

/// Every square on which the lone king may be.
fn legal(number: usize) -> u64 {
    let disposition = built().table(krk()).unwrap().catalogue().disposition(number).unwrap();
    Metaposition::knowing_nothing(disposition).kings().0
}

#[test]
fn nothing_is_wrong_with_king_and_rook() {
    let mut told = (0, 0);
    let inspection = Inspection { sample: 2000, ..Inspection::default() };
    let stop = AtomicBool::new(false);
    let findings =
        inspect(built(), krk(), &inspection, &stop, &mut |done, total| told = (done, total))
            .unwrap();
    assert!(findings.is_clean() && !findings.stopped, "{findings}");
    let heading = *built().table(krk()).unwrap().heading();
    for check in [Check::Antichain, Check::Sound, Check::FirstTry] {
        assert_eq!(findings.checked(check), heading.entries, "{check:?}");
    }
    for check in [Check::Optimal, Check::Maximal, Check::Random, Check::Lookup, Check::Complete] {
        assert!(findings.checked(check) > 100, "{check:?}");
    }
    assert_eq!(findings.checked(Check::Heading), 1);
    assert_eq!(told, (heading.dispositions as usize, heading.dispositions as usize));
    assert!(findings.to_string().ends_with("No fault was found."), "{findings}");
}

#[test]
fn it_stops_when_it_is_told_to() {
    let stop = AtomicBool::new(true);
    let findings = inspect(built(), krk(), &Inspection::default(), &stop, &mut |_, _| {}).unwrap();
    assert!(findings.stopped && findings.checked(Check::Sound) == 0);
    let defence = Defence::default();
    let contest = contest(built(), krk(), &defence, &stop, &mut |_, _| {}).unwrap();
    assert!(contest.stopped && contest.games == 0);
}

#[test]
fn only_what_is_not_there_is_missed_in_a_table_that_was_cut_off() {
    let findings = after(|_| {});
    for check in Check::ALL.into_iter().filter(|&check| check != Check::Random) {
        assert_eq!(findings.faults.of(check), 0, "{findings}");
    }
}

#[test]
fn a_king_too_many_is_noticed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        let missing = legal(number) & !blocks[number][place].kings;
        blocks[number][place].kings |= missing & missing.wrapping_neg();
    });
    let unsound = |fault: &&Fault| fault.check == Check::Sound;
    let fault = findings.faults.kept.iter().find(unsound).unwrap();
    assert!(fault.entry.ends_with(" 3"), "{findings}");
}

#[test]
fn a_king_where_none_can_be_is_noticed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        let table = built().table(krk()).unwrap();
        let king = table.catalogue().disposition(number).unwrap().king();
        blocks[number][place].kings |= king.bitboard().0;
    });
    assert!(findings.faults.of(Check::Antichain) > 0, "{findings}");
}

#[test]
fn a_distance_too_small_is_noticed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        blocks[number][place].distance = 2;
    });
    assert!(findings.faults.of(Check::Sound) > 0, "{findings}");
    assert!(findings.faults.of(Check::FirstTry) > 0, "{findings}");
}

#[test]
fn a_distance_too_great_is_noticed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        blocks[number][place].distance = 4;
    });
    assert!(findings.faults.of(Check::Optimal) > 0, "{findings}");
}

#[test]
fn an_entry_that_others_need_is_missed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        blocks[number].remove(place);
    });
    assert!(findings.faults.of(Check::Sound) > 0, "{findings}");
}

#[test]
fn mates_that_are_missing_everywhere_are_found_by_a_search_without_tables() {
    // Whoever has no entries cannot be unsound.
    let findings = after(|blocks| blocks.iter_mut().for_each(Vec::clear));
    assert!(findings.faults.of(Check::Complete) > 0, "{findings}");
    assert_eq!(findings.faults.of(Check::Sound), 0, "{findings}");
}

#[test]
fn an_entry_within_another_is_noticed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        let mut entry = blocks[number][place];
        entry.kings &= entry.kings - 1;
        blocks[number].push(entry);
    });
    assert_eq!(findings.faults.of(Check::Antichain), 1, "{findings}");
}

#[test]
fn an_entry_that_is_too_small_is_noticed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        blocks[number][place].kings &= blocks[number][place].kings - 1;
    });
    assert_eq!(findings.faults.of(Check::Maximal), 1, "{findings}");
}

#[test]
fn a_first_try_that_does_not_win_is_noticed() {
    let findings = after(|blocks| {
        let (number, place) = largest(blocks, 3);
        blocks[number][place].first = 127;
        let (number, place) = largest(blocks, 1);
        let first = &mut blocks[number][place].first;
        *first = if *first == 0 { 1 } else { 0 };
    });
    assert_eq!(findings.faults.of(Check::FirstTry), 2, "{findings}");
    assert_eq!(findings.faults.of(Check::Sound), 0, "{findings}");
}

#[test]
fn games_end_in_mate_and_in_time() {
    let defence = Defence { games: 150, ..Defence::default() };
    let stop = AtomicBool::new(false);
    let contest = contest(built(), krk(), &defence, &stop, &mut |_, _| {}).unwrap();
    assert!(contest.faults.is_empty() && !contest.stopped, "{contest}");
    assert_eq!(contest.games, 300);
    assert!(contest.starts > 200, "about half of all dispositions: {contest}");
    assert!(contest.longest > 20 && contest.to_the_last > 0, "{contest}");
}

/// Boyce's starting position, mate in 26 by the literature (Favini 2010, figure 8.5).
#[test]
fn boyce_is_played_out_wherever_the_king_is() {
    let boyce: Metaposition = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4".parse().unwrap();
    for king in boyce.kings() {
        let played = play_out(built(), &boyce, king).unwrap();
        assert!(played.moves <= played.stated && played.stated <= 26);
        let end = played.record.outcome().unwrap();
        assert_eq!((end.ending, end.winner), (Ending::Checkmate, Some(Color::White)));
    }
}

#[test]
fn what_cannot_be_played_is_said_and_not_tried() {
    let start: Metaposition = "7k/8/8/8/8/8/R7/K7".parse().unwrap();
    let error = play_out(built(), &start, Square::D4).unwrap_err();
    assert!(matches!(&error, PlayError::Fault(fault) if fault.what.contains("d4")), "{error}");
    let open: Metaposition = "k6k/8/8/8/3R4/8/8/K7".parse().unwrap();
    if let Err(error) = play_out(built(), &open, Square::H8) {
        assert!(error.to_string().contains("won"), "{error}");
    }
}
