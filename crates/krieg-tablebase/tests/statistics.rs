//! The statistics of king and rook equal those of the thesis (Favini 2010, section 8.2).

use krieg_tablebase::{Count, Tablebase};

#[test]
fn king_and_rook_are_counted_as_in_the_literature() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    let krk = "krk".parse().unwrap();
    tables.build(krk, &false.into(), &mut |_| {}).unwrap();
    let statistics = tables.statistics(krk).unwrap();
    assert_eq!(statistics.entries, Count { stored: 507_285, with_mirrors: 635_968 });
    assert_eq!((statistics.longest_mate, statistics.entries_at_longest().with_mirrors), (37, 50));
    assert_eq!(statistics.one_king.with_mirrors, 2_207);
    for text in ["Kd4 Re4", "Kd4 Rd5", "Ke5 Rd5"] {
        assert_eq!(tables.count_entries(&text.parse().unwrap()).unwrap(), 2_483, "{text}");
    }
    let sum =
        |counts: &mut dyn Iterator<Item = &Count>| counts.map(|count| count.with_mirrors).sum();
    let sums: [u64; 2] =
        [sum(&mut statistics.by_distance.values()), sum(&mut statistics.by_kings.values())];
    assert_eq!(sums, [635_968; 2]);
    assert_eq!(statistics.placements, Count { stored: 518, with_mirrors: 630 });
    assert_eq!(statistics.placements_with_entries, statistics.placements);
    let blocks: Vec<u64> = statistics.largest_blocks.iter().map(|block| block.entries).collect();
    assert!(blocks.is_sorted_by(|a, b| a >= b) && blocks[0] == 3_698, "{blocks:?}");

    // Magari's starting position is among these: mate in 30.
    let king_anywhere = &statistics.king_anywhere;
    assert_eq!(king_anywhere.won.with_mirrors, 387);
    let by_distance = &king_anywhere.by_distance;
    assert_eq!(by_distance.values().map(|count| count.with_mirrors).sum::<u64>(), 387);
    assert_eq!(by_distance.keys().copied().collect::<Vec<_>>(), (25..=33).collect::<Vec<_>>());
    assert!((king_anywhere.share - 387.0 / 630.0).abs() < 1e-9);

    assert_eq!(statistics.longest_mates.len(), 12);
    assert!(statistics.longest_mates.iter().all(|line| line.moves_to_mate == 37));
    let first = &statistics.longest_mates[0];
    assert_eq!(first.to_string(), "k7/7R/kkkkkk2/kkkk4/kkkk4/kkkkkkk1/k3kkk1/k1K1kkk1 37 Rh7-h6");

    let json = serde_json::to_value(&statistics).unwrap();
    assert_eq!(json["endgame"], "krk");
    assert_eq!(json["by_distance"]["37"]["with_mirrors"], 50);
    assert_eq!(json["largest_blocks"][0]["placement"], "Kd4 Rg7");
    assert_eq!(json["longest_mates"][0], first.to_string());
    assert!(json["bytes_per_entry"].as_f64().is_some_and(|bytes| bytes < 4.0));
}

#[test]
fn an_empty_table_has_statistics() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    let knk = "knk".parse().unwrap();
    tables.build(knk, &false.into(), &mut |_| {}).unwrap();
    let statistics = tables.statistics(knk).unwrap();
    assert_eq!(statistics.entries, Count::default());
    assert_eq!((statistics.longest_mate, statistics.bytes_per_entry), (0, 0.0));
    assert_eq!(statistics.entries_at_longest(), Count::default());
    assert_eq!(statistics.king_anywhere.share, 0.0);
    assert!(statistics.longest_mates.is_empty() && statistics.largest_blocks.is_empty());
}
