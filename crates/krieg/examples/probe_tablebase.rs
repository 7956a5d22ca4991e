//! The endgame tables: mate a lone king that may be on several squares:
//! `cargo run --example probe_tablebase`.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use krieg_tablebase::{Endgame, Metaposition, Tablebase};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let tables = Tablebase::new(folder.unwrap_or_else(Tablebase::default_folder));
    // A table that exists is not built again.
    tables.build("kqk".parse::<Endgame>()?, &AtomicBool::new(false), &mut |_| {})?;

    // `k` marks the squares on which Black's king may be.
    let position: Metaposition = "kk1kk3/kk6/8/8/8/8/2Q5/K7".parse()?;
    match tables.probe(&position)? {
        Some(win) => println!("mate in {}, starting with {}", win.distance, win.tries[0]),
        None => println!("no forced mate"),
    }
    Ok(())
}
