//! `krieg tablebase export` and `import`: tables as lines of text.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use krieg_core::excerpt;
use krieg_tablebase::{Endgame, Tablebase, known_size};

use crate::cli::{TablebaseExportOptions, TablebaseImportOptions};
use crate::files::write_whole;
use crate::interrupt::{note, stop_on_interrupt};
use crate::tablebase::progress_bar;

/// Writes a table as text.
pub fn export(options: &TablebaseExportOptions) -> Result<()> {
    let tables = options.folder.open();
    tables.table(options.endgame)?;
    let stop = stop_on_interrupt("stopping")?;
    let bar = progress_bar(format!("{}: lines", options.endgame));
    let write = |out: &mut dyn Write| -> Result<u64> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let lines = tables.export(options.endgame, &mut out, &stop, &mut |progress| {
            bar.set_length(progress.total);
            bar.set_position(progress.lines);
        })?;
        out.flush()?;
        Ok(lines)
    };
    match &options.out {
        None => write(&mut io::stdout().lock()).map(|_| ())?,
        Some(path) => {
            let mut lines = 0;
            write_whole(path, |out| {
                lines = write(out)?;
                Ok(())
            })?;
            note(format!("wrote {lines} lines to {}", path.display()));
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// Makes a table from text.
pub fn import(options: &TablebaseImportOptions) -> Result<()> {
    let tables = options.folder.open();
    let name = options.file.display().to_string();
    let input: Box<dyn Read> = match options.file == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(&options.file).with_context(|| name.clone())?),
    };
    let stop = stop_on_interrupt("stopping")?;
    let bar = progress_bar(format!("{}: lines", excerpt(&name)));
    if !options.replace {
        ensure_missing(&tables, options.endgame)?;
    }
    let summary = tables
        .import(Some(options.endgame), input, &stop, &mut |lines| bar.set_position(lines))
        .with_context(|| name.clone())?;
    bar.finish_and_clear();
    let (endgame, lines) = (summary.endgame, summary.lines);
    writeln!(io::stdout(), "{endgame}: {lines} entries, in {}", tables.path(endgame).display())?;
    if let Some(size) = known_size(endgame).filter(|size| size.entries != lines) {
        note(format!("the complete table of {endgame} has {} entries", size.entries));
    }
    note(format!("the entries were not checked: `krieg tablebase verify {endgame}` checks them"));
    Ok(())
}

fn ensure_missing(tables: &Tablebase, endgame: Endgame) -> Result<()> {
    if tables.has(endgame) {
        bail!("{} exists; use --replace to replace it", tables.path(endgame).display());
    }
    Ok(())
}
