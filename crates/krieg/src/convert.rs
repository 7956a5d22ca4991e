//! `krieg convert`: game files from one notation into another.

use std::io::{self, Write};

use anyhow::Result;

use crate::cli::{ConvertOptions, Side};
use crate::files::{from_side, read_games, write_game, write_whole};

pub fn convert(options: &ConvertOptions) -> Result<()> {
    let mut text = String::new();
    for told in read_games(&options.file)? {
        let told = match options.side {
            None => told,
            Some(side) => from_side(told, Side::player(side))?,
        };
        text.push_str(&write_game(&told, options.to));
    }
    match &options.out {
        Some(path) => write_whole(path, &text),
        None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
    }
}
