//! What the literature found out (Favini 2010, chapters 7 and 8) is found again.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use krieg_core::Move;
use krieg_tablebase::{Metaposition, Tablebase};
use tempfile::TempDir;

/// Tables that all tests here share.
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
    // The thesis goes on with Rh7-h5 where ours has another move of the rook. It mates in time, too.
    let left = asked("8/7R/8/8/4k3/2K1k3/8/8");
    let steps = left.disposition().steps();
    let fifth_rank = steps.iter().find(|step| step.mv.to_string() == "h7h5").unwrap();
    assert!(tables().is_good(fifth_rank, left.kings_for_white(), 26).unwrap());
}

/// Table 8.1: two bishops. The moves of the thesis are among those that mate as fast.
#[test]
fn two_bishops_against_ferguson() {
    build("kbbk");
    let heading = *tables().table("kbbk".parse().unwrap()).unwrap().heading();
    assert_eq!((heading.longest, heading.counted), (43, 7_887_562));
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
        let names: Vec<String> = plan.as_good.iter().map(Move::to_string).collect();
        assert!(names.contains(&first.to_string()), "{fen}: {first} is not among {names:?}");
    }
}

#[test]
fn a_queen_mates_from_anywhere_within_eighteen_moves() {
    build("kqk");
    let table = tables().table("kqk".parse().unwrap()).unwrap();
    assert_eq!(table.heading().longest, 18);
    for number in 0..table.catalogue().len() {
        let disposition = table.catalogue().disposition(number).unwrap();
        let start = Metaposition::knowing_nothing(disposition);
        let win = tables().probe(&start).unwrap();
        assert!(win.is_some_and(|win| win.distance <= 18), "{start}");
    }
}

#[test]
fn a_lone_bishop_or_knight_never_mates_and_two_knights_hardly() {
    build("knnk");
    build("kbk");
    let entries = |name: &str| tables().table(name.parse().unwrap()).unwrap().heading().entries;
    assert_eq!((entries("kbk"), entries("knk")), (0, 0));
    let two_knights = *tables().table("knnk".parse().unwrap()).unwrap().heading();
    assert_eq!(two_knights.longest, 1, "mates in one, that nobody can force");
}

#[test]
fn a_pawn_becomes_a_rook_where_a_queen_stalemates() {
    build("kpk");
    assert_eq!(distance("8/8/8/8/8/k7/P7/K7"), None, "a rook's pawn with the king in front");
    let plan = tables().plan(&asked("8/5P1k/8/6K1/8/8/8/8")).unwrap().unwrap();
    let good: Vec<String> = plan.as_good.iter().map(Move::to_string).collect();
    assert!(good.contains(&"f7f8r".to_string()), "{good:?}");
    assert!(!good.contains(&"f7f8q".to_string()), "{good:?}");
}

#[test]
fn black_is_mated_as_white_is() {
    build("krk");
    let white = tables().probe(&asked("kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4")).unwrap().unwrap();
    let black = tables().probe(&asked("3K4/4K3/2k1K3/4K3/8/KKK5/7r/KKKKKK2")).unwrap().unwrap();
    assert_eq!(white.distance, black.distance);
    assert_eq!(black.tries[0].to_string(), "c6d6");
}

#[test]
fn an_interrupted_build_goes_on_and_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let interrupted = Tablebase::new(folder.path());
    let krk = "krk".parse().unwrap();
    let stop = AtomicBool::new(false);
    let result = interrupted.build(krk, &stop, &mut |progress| {
        if progress.depth == 20 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert!(result.unwrap_err().to_string().contains("goes on"));
    assert!(!interrupted.has(krk));
    // Two depths were damaged meanwhile: they are found again.
    for (depth, at) in [("depth-003", 8), ("depth-011", 40)] {
        let path = folder.path().join("krk.parts").join(depth);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    let mut resumed = 0;
    let go = AtomicBool::new(false);
    interrupted.build(krk, &go, &mut |progress| resumed += usize::from(progress.resumed)).unwrap();
    assert_eq!(resumed, 18);
    build("krk");
    let bytes = |path: &Path| std::fs::read(path).unwrap();
    assert!(bytes(&interrupted.path(krk)) == bytes(&tables().path(krk)), "the same table");
    assert!(!folder.path().join("krk.parts").exists());
}

#[test]
fn who_wants_a_table_that_is_being_built_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let krk = "krk".parse().unwrap();
    let built = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mine = Tablebase::new(folder.path());
                let mut depths = 0;
                mine.build(krk, &AtomicBool::new(false), &mut |_| depths += 1).unwrap();
                assert!(mine.table(krk).is_ok());
                built.fetch_add(usize::from(depths > 0), std::sync::atomic::Ordering::Relaxed);
            });
        }
    });
    assert_eq!(built.into_inner(), 1, "one of the three built it");
}

#[test]
fn damaged_tables_are_refused_and_the_way_out_is_named() {
    build("krk");
    let krk = "krk".parse().unwrap();
    let whole = std::fs::read(tables().path(krk)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let middle = whole.len() / 2;
    let altered = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    for (what, bytes) in [
        ("nothing in it", Vec::new()),
        ("only the heading", whole[..40].to_vec()),
        ("half of it", whole[..middle].to_vec()),
        ("all but a byte", whole[..whole.len() - 1].to_vec()),
        ("a byte more", [&whole[..], &[0]].concat()),
        ("another beginning", altered(0)),
        ("another version", altered(8)),
        ("another endgame", altered(11)),
        ("something where nothing should be", altered(13)),
        ("another number of entries", altered(16)),
        ("another index", altered(whole.len() - 100)),
        ("another sum", altered(whole.len() - 1)),
    ] {
        let broken = Tablebase::new(folder.path());
        std::fs::write(broken.path(krk), bytes).unwrap();
        let error = broken.table(krk).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains("--anew")), "{what}: {error:?}");
    }
    // A block is looked at when it is needed.
    let broken = Tablebase::new(folder.path());
    std::fs::write(broken.path(krk), altered(middle)).unwrap();
    let table = broken.table(krk).unwrap();
    let errors: Vec<String> =
        table.all().filter_map(|block| Some(block.err()?.to_string())).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("was altered"), "{errors:?}");
}

#[test]
fn a_missing_table_is_named_with_what_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    let error = Tablebase::new(folder.path()).probe(&asked("k7/8/8/8/8/8/8/K5Q1")).unwrap_err();
    assert!(error.to_string().contains("krieg tablebase build kqk"), "{error}");
}
