//! Tables as pages for the browser: one for each endgame, and one over all of them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use krieg_arena::report::Chart;
use krieg_arena::report::html::{CellKind, document, figure_grid, key_value_table, section, table};
use krieg_io::write_atomically;
use krieg_notation::MultiKingFen;
use krieg_tablebase::{Count, Statistics};

use super::diagram;

/// How entries are counted.
const NOTE: &str = "<p>Counted as in the literature: twins across the diagonal are two, though one of them is stored.</p>\n";

/// Writes a page for each endgame into a folder, and `index.html` over all of them.
pub fn write_pages(folder: &Path, all: &[Statistics]) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let write = |name: &str, page: &str| {
        let path = folder.join(name);
        write_atomically(&path, |out| out.write_all(page.as_bytes()))
            .with_context(|| path.display().to_string())
    };
    for told in all {
        write(&file_name(told), &page(told))?;
    }
    write("index.html", &index(all))
}

fn file_name(told: &Statistics) -> String {
    format!("{}.html", told.endgame)
}

fn name(told: &Statistics) -> String {
    told.endgame.to_string().to_uppercase()
}

/// What the table of one endgame holds.
pub fn page(told: &Statistics) -> String {
    let title = format!("{}: the table", name(told));
    let mut content = section("Numbers", &numbers(told));
    if told.longest > 0 {
        let one = std::slice::from_ref(told);
        let drawn: String =
            [by_distance(one), by_kings(one), by_ignorance(told)].iter().map(Chart::draw).collect();
        content += &section("Distributions", &figure_grid(&drawn));
        content += &section("Longest mates", &longest_mates(told));
        content += &section("Largest dispositions", &largest(told));
    }
    document(&title, &title, diagram::STYLE, &content)
}

/// What the tables of several endgames hold, with a link to the page of each.
pub fn index(all: &[Statistics]) -> String {
    let mut rows = String::new();
    for told in all {
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\"><a href=\"{}\">{}</a></th><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}</td></tr>",
            file_name(told),
            name(told),
            grouped(told.entries.counted),
            grouped(told.entries.stored),
            told.longest,
            grouped(told.of_longest().counted),
            grouped(told.one_king.counted),
            percent(told.knowing_nothing.share),
            grouped(told.bytes),
            told.bytes_per_entry,
        );
    }
    let headings = [
        "Endgame",
        "Entries",
        "Stored",
        "Longest mate",
        "Entries with it",
        "With one king",
        "Won knowing nothing",
        "Bytes",
        "An entry",
    ];
    let mut content = table("Tables", CellKind::Number, &headings, &rows);
    content += NOTE;
    let drawn: Vec<Statistics> = all.iter().filter(|told| told.longest > 0).cloned().collect();
    if !drawn.is_empty() {
        let charts = [by_distance(&drawn), by_kings(&drawn)];
        let drawn: String = charts.iter().map(Chart::draw).collect();
        content += &section("Distributions", &figure_grid(&drawn));
    }
    document("Tables of endgames", "Tables of endgames", "", &content)
}

fn numbers(told: &Statistics) -> String {
    let both =
        |count: Count| format!("{} ({} stored)", grouped(count.counted), grouped(count.stored));
    let unknown = &told.knowing_nothing;
    let within = match (unknown.by_distance.first_key_value(), unknown.by_distance.last_key_value())
    {
        (Some((nearest, _)), Some((furthest, _))) => format!(", in {nearest} to {furthest} moves"),
        _ => String::new(),
    };
    let longest = match told.longest {
        0 => "nothing is won".to_string(),
        moves => format!("{moves} moves, {} entries", grouped(told.of_longest().counted)),
    };
    let rows = [
        ("Entries", both(told.entries)),
        ("Entries with one king", both(told.one_king)),
        ("Longest mate", longest),
        ("Dispositions", both(told.dispositions)),
        ("with entries", both(told.dispositions_with_entries)),
        (
            "won knowing nothing",
            format!("{}, or {}{within}", both(unknown.won), percent(unknown.share)),
        ),
        ("Bytes", format!("{}, {:.2} an entry", grouped(told.bytes), told.bytes_per_entry)),
    ];
    key_value_table(&rows) + NOTE
}

/// As figure 8.1 of Favini's thesis (2010).
fn by_distance(all: &[Statistics]) -> Chart {
    let line = |told: &Statistics| {
        let count = |moves| told.by_distance.get(&moves).map_or(0, |count| count.counted);
        (name(told), points((0..=told.longest).map(|moves| (moves.into(), count(moves)))))
    };
    Chart {
        title: "Entries by distance to mate".to_string(),
        caption: "The most moves that mate takes.".to_string(),
        x_label: "moves".to_string(),
        series: all.iter().map(line).collect(),
    }
}

/// As figure 8.2 of Favini's thesis (2010).
fn by_kings(all: &[Statistics]) -> Chart {
    let line = |told: &Statistics| {
        let most = told.by_kings.last_key_value().map_or(0, |(&kings, _)| kings);
        let count = |kings| told.by_kings.get(&kings).map_or(0, |count| count.counted);
        (name(told), points((0..=most).map(|kings| (kings, count(kings)))))
    };
    Chart {
        title: "Entries by number of kings".to_string(),
        caption: "The squares on which the lone king may be.".to_string(),
        x_label: "kings".to_string(),
        series: all.iter().map(line).collect(),
    }
}

fn by_ignorance(told: &Statistics) -> Chart {
    let count = |moves| {
        let known = told.knowing_nothing.by_distance.get(&moves);
        known.map_or(0, |count| count.counted)
    };
    let line = points((0..=told.longest).map(|moves| (moves.into(), count(moves))));
    Chart {
        title: "Won knowing nothing, by distance".to_string(),
        caption: "Dispositions from which every king that may be there is mated.".to_string(),
        x_label: "moves".to_string(),
        series: vec![(name(told), line)],
    }
}

fn points(counts: impl Iterator<Item = (u32, u64)>) -> Vec<(f64, f64)> {
    counts.map(|(across, count)| (f64::from(across), count as f64)).collect()
}

fn longest_mates(told: &Statistics) -> String {
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
    let rows: String = told.longest_mates.iter().map(row).collect();
    let headings = ["Board", "Moves", "Kings", "Tries", "As text"];
    table("Longest mates", CellKind::Text, &headings, &rows)
}

fn largest(told: &Statistics) -> String {
    let row = |block: &krieg_tablebase::Block| {
        let (men, entries) = (block.disposition, grouped(block.entries));
        format!("<tr><th scope=\"row\">{men}</th><td>{entries}</td></tr>\n")
    };
    let rows: String = told.largest.iter().map(row).collect();
    table("Largest dispositions", CellKind::Number, &["PieceSet", "Entries"], &rows)
}

/// `635,968`.
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

    /// A table of three entries, and one of none.
    fn some() -> [Statistics; 2] {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(folder.path());
        let lines = "1R6/8/8/8/8/8/2K5/k7 1 Rb8-a8\n8/1R6/8/8/8/8/2K5/k7 1 Rb7-a7\n\
                     1R6/8/8/8/8/8/k1K5/k7 12 Rb8-b3 Kc2-c3";
        let made = tables.import(None, lines.as_bytes(), &false.into(), &mut |_| {}).unwrap();
        let knk = "knk".parse().unwrap();
        tables.import(Some(knk), &b""[..], &false.into(), &mut |_| {}).unwrap();
        [made.endgame, knk].map(|endgame| tables.statistics(endgame).unwrap())
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1_000, 635_968, 17_508_207].map(grouped),
            ["0", "999", "1,000", "635,968", "17,508,207"]
        );
    }

    #[test]
    fn an_endgame_has_its_numbers_its_plots_and_its_longest_mates() {
        let [krk, knk] = some();
        let page = page(&krk);
        for part in [
            "<title>KRK: the table</title>",
            "12 moves, 1 entries",
            "Entries by distance to mate",
            "Entries by number of kings",
            "Won knowing nothing, by distance",
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
    fn a_folder_has_a_page_for_each_and_one_over_all() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("pages");
        write_pages(&pages, &some()).unwrap();
        let index = fs::read_to_string(pages.join("index.html")).unwrap();
        for name in ["krk", "knk"] {
            assert!(index.contains(&format!("<a href=\"{name}.html\">")), "{index}");
            assert!(pages.join(format!("{name}.html")).is_file());
        }
        assert_eq!(index.matches("<polyline").count(), 2, "there is nothing to plot of knk");
    }
}
