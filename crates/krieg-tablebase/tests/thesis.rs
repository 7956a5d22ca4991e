//! The tables reproduce the results of the literature (Favini 2010, chapters 7 and 8).

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use krieg_core::Move;
use krieg_tablebase::{Metaposition, Tablebase};
use tempfile::TempDir;

/// The tables, shared by all tests.
fn tables() -> &'static Tablebase {
    static TABLES: OnceLock<(TempDir, Tablebase)> = OnceLock::new();
    let (_, tables) = TABLES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(folder.path());
        (folder, tables)
    });
    tables
}

fn build(name: &str) {
    tables().build(name.parse().unwrap(), &AtomicBool::new(false), &mut |_| {}).unwrap();
}

fn asked(fen: &str) -> Metaposition {
    fen.parse().unwrap()
}

fn distance(fen: &str) -> Option<u16> {
    tables().probe(&asked(fen)).unwrap().map(|win| win.distance)
}

#[test]
fn king_and_rook_as_in_the_sample_line() {
    build("krk");
    let fen = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4";
    let plan = tables().plan(&asked(fen)).unwrap().unwrap();
    assert_eq!(plan.win.distance, 26);
    let names: Vec<String> = plan.win.tries.iter().map(Move::to_string).collect();
    assert_eq!(names[..2], ["c3d3", "c3d4"]);
    assert!(names[2].starts_with("h7"));
    // The thesis continues with Rh7-h5, our table with another rook move. Both mate in time.
    let left = asked("8/7R/8/8/4k3/2K1k3/8/8");
    let tries = left.placement().tries();
    let fifth_rank = tries.iter().find(|tried| tried.mv.to_string() == "h7h5").unwrap();
    assert!(tables().wins_within(fifth_rank, left.kings_as_white(), 26).unwrap());
}

/// Table 8.1: two bishops. The moves of the thesis are among the optimal ones.
#[test]
fn two_bishops_against_ferguson() {
    build("kbbk");
    let header = *tables().table("kbbk".parse().unwrap()).unwrap().header();
    assert_eq!((header.longest_mate, header.entries_with_mirrors), (43, 7_887_562));
    for (fen, moves, first) in [
        ("k6B/k1K5/8/8/2B5/8/8/8", 4, "c7b6"),
        ("k7/k1K5/3B4/8/2B5/8/8/8", 5, "d6e7"),
        ("k1B5/k7/8/1K2B3/8/8/8/8", 7, "b5c6"),
        ("kk6/1k1K4/8/8/2BB4/8/8/8", 9, "d7c6"),
        ("8/8/k1B5/k1B5/2K5/8/8/8", 11, "c4d5"),
        ("kkkkk3/8/2K5/2B5/2B5/8/8/8", 14, "c6d7"),
        ("8/8/k7/kk1B4/kk1B4/k2K4/8/8", 14, "d3c3"),
        ("8/k7/kk1B4/kk1B4/k2K4/8/8/8", 13, "d4c4"),
        ("kkkk4/1kkk1K2/2kk4/8/2BB4/8/8/8", 16, "f7e7"),
        ("kk6/kk1K4/kk6/1kk5/8/1BB5/8/1kk5", 15, "d7c6"),
    ] {
        let plan = tables().plan(&asked(fen)).unwrap().unwrap();
        assert_eq!(plan.win.distance, moves, "{fen}");
        let names: Vec<String> = plan.optimal_tries.iter().map(Move::to_string).collect();
        assert!(names.contains(&first.to_string()), "{fen}: {first} is not among {names:?}");
    }
}

#[test]
fn a_queen_mates_from_anywhere_within_eighteen_moves() {
    build("kqk");
    let table = tables().table("kqk".parse().unwrap()).unwrap();
    assert_eq!(table.header().longest_mate, 18);
    for number in 0..table.placements().len() {
        let placement = table.placements().placement(number).unwrap();
        let start = Metaposition::king_anywhere(placement);
        let win = tables().probe(&start).unwrap();
        assert!(win.is_some_and(|win| win.distance <= 18), "{start}");
    }
}

#[test]
fn a_single_bishop_or_knight_never_mates_and_two_knights_only_in_one() {
    build("knnk");
    build("kbk");
    let entries = |name: &str| tables().table(name.parse().unwrap()).unwrap().header().entries;
    assert_eq!((entries("kbk"), entries("knk")), (0, 0));
    let two_knights = *tables().table("knnk".parse().unwrap()).unwrap().header();
    assert_eq!(two_knights.longest_mate, 1, "mates in one that cannot be forced");
}

#[test]
fn a_pawn_promotes_to_a_rook_where_a_queen_stalemates() {
    build("kpk");
    assert_eq!(distance("8/8/8/8/8/k7/P7/K7"), None, "a rook pawn with the king in front");
    let plan = tables().plan(&asked("8/5P1k/8/6K1/8/8/8/8")).unwrap().unwrap();
    let good: Vec<String> = plan.optimal_tries.iter().map(Move::to_string).collect();
    assert!(good.contains(&"f7f8r".to_string()), "{good:?}");
    assert!(!good.contains(&"f7f8q".to_string()), "{good:?}");
}

#[test]
fn colours_are_symmetric() {
    build("krk");
    let white = tables().probe(&asked("kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4")).unwrap().unwrap();
    let black = tables().probe(&asked("3K4/4K3/2k1K3/4K3/8/KKK5/7r/KKKKKK2")).unwrap().unwrap();
    assert_eq!(white.distance, black.distance);
    assert_eq!(black.tries[0].to_string(), "c6d6");
}
