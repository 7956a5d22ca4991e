//! `krieg convert`: converts game files from one notation to another.

use std::io::{self, Write};

use anyhow::Result;

use crate::cli::{ConvertOptions, Side};
use crate::files::{from_side, write_whole};
use krieg_arena::{GameFile, write_game};

pub fn convert(options: &ConvertOptions) -> Result<()> {
    let file = GameFile::read(&options.file)?;
    match &options.out {
        Some(path) => write_whole(path, |out| write_games(&file, options, out)),
        None => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            write_games(&file, options, &mut out)?;
            Ok(out.flush()?)
        }
    }
}

fn write_games(file: &GameFile, options: &ConvertOptions, out: &mut dyn Write) -> Result<()> {
    for game in file.games() {
        let game = match options.side {
            None => game?,
            Some(side) => from_side(game?, Side::player(side))?,
        };
        out.write_all(write_game(&game, options.to.into()).as_bytes())?;
    }
    Ok(())
}
