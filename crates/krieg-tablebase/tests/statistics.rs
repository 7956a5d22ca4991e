//! What is counted in a table, compared with what the thesis reports of king and rook (Favini 2010, section 8.2).

use krieg_tablebase::{Count, Tablebase};

#[test]
fn king_and_rook_are_counted_as_in_the_literature() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    let krk = "krk".parse().unwrap();
    tables.build(krk, &false.into(), &mut |_| {}).unwrap();
    let told = tables.statistics(krk).unwrap();
    assert_eq!(told.entries, Count { stored: 507_285, counted: 635_968 });
    assert_eq!((told.longest, told.of_longest().counted), (37, 50));
    assert_eq!(told.one_king.counted, 2_207);
    for men in ["Kd4 Re4", "Kd4 Rd5", "Ke5 Rd5"] {
        assert_eq!(tables.count_entries(&men.parse().unwrap()).unwrap(), 2_483, "{men}");
    }
    let sum = |counts: &mut dyn Iterator<Item = &Count>| counts.map(|count| count.counted).sum();
    let sums: [u64; 2] = [sum(&mut told.by_distance.values()), sum(&mut told.by_kings.values())];
    assert_eq!(sums, [635_968; 2]);
    assert_eq!(told.dispositions, Count { stored: 518, counted: 630 });
    assert_eq!(told.dispositions_with_entries, told.dispositions);
    let blocks: Vec<u64> = told.largest.iter().map(|block| block.entries).collect();
    assert!(blocks.is_sorted_by(|a, b| a >= b) && blocks[0] == 3_698, "{blocks:?}");

    // Magari's starting position is among those that need no knowledge: mate in 30.
    let unknown = &told.knowing_nothing;
    assert_eq!(unknown.won.counted, 387);
    assert_eq!(unknown.by_distance.values().map(|count| count.counted).sum::<u64>(), 387);
    assert_eq!(
        unknown.by_distance.keys().copied().collect::<Vec<_>>(),
        (25..=33).collect::<Vec<_>>()
    );
    assert!((unknown.share - 387.0 / 630.0).abs() < 1e-9);

    assert_eq!(told.longest_mates.len(), 12);
    assert!(told.longest_mates.iter().all(|line| line.moves_to_mate == 37));
    let first = &told.longest_mates[0];
    assert_eq!(first.to_string(), "k7/7R/kkkkkk2/kkkk4/kkkk4/kkkkkkk1/k3kkk1/k1K1kkk1 37 Rh7-h6");

    let json = serde_json::to_value(&told).unwrap();
    assert_eq!(json["endgame"], "krk");
    assert_eq!(json["by_distance"]["37"]["counted"], 50);
    assert_eq!(json["largest"][0]["disposition"], "Kd4 Rg7");
    assert_eq!(json["longest_mates"][0], first.to_string());
    assert!(json["bytes_per_entry"].as_f64().is_some_and(|bytes| bytes < 4.0));
}

#[test]
fn a_table_of_nothing_is_counted_too() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(folder.path());
    let knk = "knk".parse().unwrap();
    tables.build(knk, &false.into(), &mut |_| {}).unwrap();
    let told = tables.statistics(knk).unwrap();
    assert_eq!((told.entries, told.longest, told.bytes_per_entry), (Count::default(), 0, 0.0));
    assert_eq!((told.of_longest(), told.knowing_nothing.share), (Count::default(), 0.0));
    assert!(told.longest_mates.is_empty() && told.largest.is_empty());
}
