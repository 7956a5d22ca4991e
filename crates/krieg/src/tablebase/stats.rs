//! `krieg tablebase stats`: what is in the tables, as numbers and as pages.

use std::io::{self, Write};

use anyhow::Result;
use krieg_tablebase::Statistics;

use crate::cli::TablebaseStatsOptions;
use crate::interrupt::note;
use crate::tablebase::{named_or_there, page};

/// Counts, and draws.
pub fn stats(options: &TablebaseStatsOptions) -> Result<()> {
    let tables = options.folder.open();
    let mut all = Vec::new();
    for endgame in named_or_there(&options.endgames, &tables)? {
        all.push(tables.statistics(endgame)?);
    }
    let mut out = io::stdout().lock();
    if options.json {
        for one in &all {
            writeln!(out, "{}", serde_json::to_string(one)?)?;
        }
    } else {
        write!(out, "{}", table(&all))?;
    }
    if let Some(folder) = &options.html {
        page::write_pages(folder, &all)?;
        note(format!("the pages: {}/index.html", folder.display()));
    }
    Ok(())
}

fn table(all: &[Statistics]) -> String {
    let mut text = format!(
        "{:6} {:>12} {:>12} {:>8} {:>9} {:>9} {:>7} {:>12}\n",
        "", "stored", "counted", "longest", "of it", "one king", "bytes", "nothing known"
    );
    for one in all {
        text += &format!(
            "{:6} {:>12} {:>12} {:>8} {:>9} {:>9} {:>7.2} {:>11.1}%\n",
            one.endgame.to_string(),
            one.entries.stored,
            one.entries.counted,
            one.longest,
            one.of_longest().counted,
            one.one_king.counted,
            one.bytes_per_entry,
            one.knowing_nothing.share * 100.0,
        );
    }
    text += "counted, of it, one king: as the literature counts; bytes: an entry; nothing known: dispositions won wherever the king is\n";
    text
}
