//! Statistics of tables as web pages: one per endgame, and an index.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use krieg_arena::report::Chart;
use krieg_arena::report::html::{CellKind, document, figure_grid, key_value_table, section, table};
use krieg_io::write_atomically;
use krieg_notation::MultiKingFen;
use krieg_tablebase::{BlockSize, Count, Statistics};

use super::diagram;

/// How entries are counted.
const NOTE: &str = "<p>Counted as in the literature: mirror images across the diagonal count \
                    separately, though only one of them is stored.</p>\n";

/// Writes a page per endgame, and an `index.html`, to a folder.
pub fn write_pages(folder: &Path, all: &[Statistics]) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let write = |name: &str, page: &str| {
        let path = folder.join(name);
        write_atomically(&path, |out| out.write_all(page.as_bytes()))
            .with_context(|| path.display().to_string())
    };
    for statistics in all {
        write(&file_name(statistics), &page(statistics))?;
    }
    write("index.html", &index(all))
}

fn file_name(statistics: &Statistics) -> String {
    format!("{}.html", statistics.endgame)
}

fn name(statistics: &Statistics) -> String {
    statistics.endgame.to_string().to_uppercase()
}

/// The page of one endgame.
pub fn page(statistics: &Statistics) -> String {
    let title = format!("{} endgame table", name(statistics));
    let mut content = section("Numbers", &numbers(statistics));
    if statistics.longest_mate > 0 {
        let one = std::slice::from_ref(statistics);
        let charts = [by_distance(one), by_kings(one), king_anywhere_by_distance(statistics)];
        let drawn: String = charts.iter().map(Chart::draw).collect();
        content += &section("Distributions", &figure_grid(&drawn));
        content += &section("Longest mates", &longest_mates(statistics));
        content += &section("Largest placements", &largest_blocks(statistics));
    }
    document(&title, &title, diagram::STYLE, &content)
}

/// The index of several endgames, with a link to the page of each.
pub fn index(all: &[Statistics]) -> String {
    let mut rows = String::new();
    for statistics in all {
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\"><a href=\"{}\">{}</a></th><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}</td></tr>",
            file_name(statistics),
            name(statistics),
            grouped(statistics.entries.with_mirrors),
            grouped(statistics.entries.stored),
            statistics.longest_mate,
            grouped(statistics.entries_at_longest().with_mirrors),
            grouped(statistics.one_king.with_mirrors),
            percent(statistics.king_anywhere.share),
            grouped(statistics.bytes),
            statistics.bytes_per_entry,
        );
    }
    let headings = [
        "Endgame",
        "Entries",
        "Stored",
        "Longest mate",
        "Entries with it",
        "With one king",
        "Won with the king anywhere",
        "Bytes",
        "Per entry",
    ];
    let mut content = table("Tables", CellKind::Number, &headings, &rows);
    content += NOTE;
    let won: Vec<Statistics> = all.iter().filter(|one| one.longest_mate > 0).cloned().collect();
    if !won.is_empty() {
        let charts = [by_distance(&won), by_kings(&won)];
        let drawn: String = charts.iter().map(Chart::draw).collect();
        content += &section("Distributions", &figure_grid(&drawn));
    }
    document("Endgame tables", "Endgame tables", "", &content)
}

fn numbers(statistics: &Statistics) -> String {
    let both = |count: Count| {
        format!("{} ({} stored)", grouped(count.with_mirrors), grouped(count.stored))
    };
    let king_anywhere = &statistics.king_anywhere;
    let by_distance = &king_anywhere.by_distance;
    let range = match (by_distance.first_key_value(), by_distance.last_key_value()) {
        (Some((shortest, _)), Some((longest, _))) => format!(", in {shortest} to {longest} moves"),
        _ => String::new(),
    };
    let longest = match statistics.longest_mate {
        0 => "nothing is won".to_string(),
        moves => {
            let entries = statistics.entries_at_longest().with_mirrors;
            format!("{moves} moves, {} entries", grouped(entries))
        }
    };
    let won = format!("{}, or {}{range}", both(king_anywhere.won), percent(king_anywhere.share));
    let size =
        format!("{}, {:.2} per entry", grouped(statistics.bytes), statistics.bytes_per_entry);
    let rows = [
        ("Entries", both(statistics.entries)),
        ("Entries with one king", both(statistics.one_king)),
        ("Longest mate", longest),
        ("Placements", both(statistics.placements)),
        ("with entries", both(statistics.placements_with_entries)),
        ("won with the king anywhere", won),
        ("Bytes", size),
    ];
    key_value_table(&rows) + NOTE
}

/// As figure 8.1 of Favini's thesis (2010).
fn by_distance(all: &[Statistics]) -> Chart {
    let series = |one: &Statistics| {
        let count = |moves| one.by_distance.get(&moves).map_or(0, |count| count.with_mirrors);
        (name(one), points((0..=one.longest_mate).map(|moves| (moves.into(), count(moves)))))
    };
    Chart {
        title: "Entries by distance to mate".to_string(),
        caption: "The maximum number of moves to mate.".to_string(),
        x_label: "moves".to_string(),
        series: all.iter().map(series).collect(),
    }
}

/// As figure 8.2 of Favini's thesis (2010).
fn by_kings(all: &[Statistics]) -> Chart {
    let series = |one: &Statistics| {
        let most = one.by_kings.last_key_value().map_or(0, |(&kings, _)| kings);
        let count = |kings| one.by_kings.get(&kings).map_or(0, |count| count.with_mirrors);
        (name(one), points((0..=most).map(|kings| (kings, count(kings)))))
    };
    Chart {
        title: "Entries by number of kings".to_string(),
        caption: "The number of squares on which the lone king may be.".to_string(),
        x_label: "kings".to_string(),
        series: all.iter().map(series).collect(),
    }
}

fn king_anywhere_by_distance(one: &Statistics) -> Chart {
    let by_distance = &one.king_anywhere.by_distance;
    let count = |moves| by_distance.get(&moves).map_or(0, |count| count.with_mirrors);
    let points = points((0..=one.longest_mate).map(|moves| (moves.into(), count(moves))));
    Chart {
        title: "Won with the king anywhere, by distance".to_string(),
        caption: "Placements that win when the lone king may be on every legal square.".to_string(),
        x_label: "moves".to_string(),
        series: vec![(name(one), points)],
    }
}

fn points(counts: impl Iterator<Item = (u32, u64)>) -> Vec<(f64, f64)> {
    counts.map(|(x, count)| (f64::from(x), count as f64)).collect()
}

fn longest_mates(statistics: &Statistics) -> String {
    let row = |line: &MultiKingFen| {
        let text = line.to_string();
        let mut words = text.split(' ');
        let board = words.next().unwrap_or_default();
        let tries: Vec<&str> = words.skip(1).collect();
        format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td>\
             <td class=\"text\"><code>{board}</code></td></tr>\n",
            diagram::draw(line),
            line.moves_to_mate,
            line.king_squares().len(),
            tries.join(", then "),
        )
    };
    let rows: String = statistics.longest_mates.iter().map(row).collect();
    let headings = ["Board", "Moves", "Kings", "Tries", "As text"];
    table("Longest mates", CellKind::Text, &headings, &rows)
}

fn largest_blocks(statistics: &Statistics) -> String {
    let row = |block: &BlockSize| {
        let (placement, entries) = (block.placement, grouped(block.entries));
        format!("<tr><th scope=\"row\">{placement}</th><td>{entries}</td></tr>\n")
    };
    let rows: String = statistics.largest_blocks.iter().map(row).collect();
    table("Largest placements", CellKind::Number, &["Placement", "Entries"], &rows)
}

/// A number with thousands separators: `635,968`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_tablebase::Tablebase;

    /// A table with three entries, and one without entries.
    fn examples() -> [Statistics; 2] {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(folder.path());
        let lines = "1R6/8/8/8/8/8/2K5/k7 1 Rb8-a8\n8/1R6/8/8/8/8/2K5/k7 1 Rb7-a7\n\
                     1R6/8/8/8/8/8/k1K5/k7 12 Rb8-b3 Kc2-c3";
        let krk = tables.import(None, lines.as_bytes(), &false.into(), &mut |_| {}).unwrap();
        let knk = "knk".parse().unwrap();
        tables.import(Some(knk), &b""[..], &false.into(), &mut |_| {}).unwrap();
        [krk.endgame, knk].map(|endgame| tables.statistics(endgame).unwrap())
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1_000, 635_968, 17_508_207].map(grouped),
            ["0", "999", "1,000", "635,968", "17,508,207"]
        );
    }

    #[test]
    fn a_page_has_numbers_charts_and_longest_mates() {
        let [krk, knk] = examples();
        let page = page(&krk);
        for part in [
            "<title>KRK endgame table</title>",
            "12 moves, 1 entries",
            "Entries by distance to mate",
            "Entries by number of kings",
            "Won with the king anywhere, by distance",
            "<code>1R6/8/8/8/8/8/k1K5/k7</code>",
            "Rb8-b3",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert_eq!(page.matches("class=\"board\"").count(), 3);
        assert_eq!(page.matches("<polyline").count(), 3);
        assert!(!page.contains("NaN") && !page.contains("src=") && !page.contains("url("));
        let page = super::page(&knk);
        assert!(page.contains("nothing is won") && !page.contains("<svg"), "{page}");
    }

    #[test]
    fn a_folder_has_a_page_per_endgame_and_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("pages");
        write_pages(&pages, &examples()).unwrap();
        let index = fs::read_to_string(pages.join("index.html")).unwrap();
        for name in ["krk", "knk"] {
            assert!(index.contains(&format!("<a href=\"{name}.html\">")), "{index}");
            assert!(pages.join(format!("{name}.html")).is_file());
        }
        assert_eq!(index.matches("<polyline").count(), 2, "knk has nothing to plot");
    }
}
