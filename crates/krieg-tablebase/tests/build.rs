//! Building tables: interruptions, concurrent builds, and damaged or missing files.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use krieg_tablebase::{Endgame, Tablebase};

fn krk() -> Endgame {
    "krk".parse().unwrap()
}

fn build(folder: &Path) -> Tablebase {
    let tables = Tablebase::new(folder);
    tables.build(krk(), &AtomicBool::new(false), &mut |_| {}).unwrap();
    tables
}

#[test]
fn an_interrupted_build_continues_and_gives_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let interrupted = Tablebase::new(folder.path());
    let stop = AtomicBool::new(false);
    let result = interrupted.build(krk(), &stop, &mut |progress| {
        if progress.depth == 20 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(result.unwrap_err().to_string().contains("continues"));
    assert!(!interrupted.has(krk()));
    // Damage two checkpoints: their passes are repeated.
    for (depth, at) in [("depth-003", 8), ("depth-011", 40)] {
        let path = folder.path().join("krk.parts").join(depth);
        let mut bytes = fs::read(&path).unwrap();
        bytes[at] ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    let mut from_checkpoint = 0;
    interrupted
        .build(krk(), &AtomicBool::new(false), &mut |progress| {
            from_checkpoint += usize::from(progress.from_checkpoint);
        })
        .unwrap();
    assert_eq!(from_checkpoint, 18);
    assert!(!folder.path().join("krk.parts").exists());
    let other = tempfile::tempdir().unwrap();
    let uninterrupted = build(other.path());
    let bytes = |tables: &Tablebase| fs::read(tables.path(krk())).unwrap();
    assert!(bytes(&interrupted) == bytes(&uninterrupted), "the tables differ");
}

#[test]
fn concurrent_builds_of_a_table_build_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let built = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let tables = Tablebase::new(folder.path());
                let mut passes = 0;
                tables.build(krk(), &AtomicBool::new(false), &mut |_| passes += 1).unwrap();
                assert!(tables.table(krk()).is_ok());
                built.fetch_add(usize::from(passes > 0), Ordering::Relaxed);
            });
        }
    });
    assert_eq!(built.into_inner(), 1, "one of the three built it");
}

#[test]
fn damaged_tables_are_rejected_with_the_command_that_rebuilds_them() {
    let source = tempfile::tempdir().unwrap();
    let whole = fs::read(build(source.path()).path(krk())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let middle = whole.len() / 2;
    let altered = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    for (damage, bytes) in [
        ("empty file", Vec::new()),
        ("only the header", whole[..40].to_vec()),
        ("the first half", whole[..middle].to_vec()),
        ("last byte missing", whole[..whole.len() - 1].to_vec()),
        ("one more byte", [&whole[..], &[0]].concat()),
        ("altered magic number", altered(0)),
        ("altered version", altered(8)),
        ("altered endgame", altered(11)),
        ("altered padding", altered(13)),
        ("altered number of entries", altered(16)),
        ("altered index", altered(whole.len() - 100)),
        ("altered checksum", altered(whole.len() - 1)),
    ] {
        let tables = Tablebase::new(folder.path());
        fs::write(tables.path(krk()), bytes).unwrap();
        let error = tables.table(krk()).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains("--rebuild")), "{damage}: {error:?}");
    }
    // The checksum of a block is verified when the block is read.
    let tables = Tablebase::new(folder.path());
    fs::write(tables.path(krk()), altered(middle)).unwrap();
    let table = tables.table(krk()).unwrap();
    let errors: Vec<String> =
        table.all().filter_map(|block| Some(block.err()?.to_string())).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("was altered"), "{errors:?}");
}

#[test]
fn a_missing_table_is_reported_with_the_command_that_builds_it() {
    let folder = tempfile::tempdir().unwrap();
    let asked = "k7/8/8/8/8/8/8/K5Q1".parse().unwrap();
    let error = Tablebase::new(folder.path()).probe(&asked).unwrap_err();
    assert!(error.to_string().contains("krieg tablebase build kqk"), "{error}");
}
