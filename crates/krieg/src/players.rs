//! `krieg players` and `krieg engine`: who there is, and lending one of them to other programs.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use krieg_players::{Kind, PLAYERS, PlayerSpec, SpecError, protocol};

/// Lists all players, or tells all of one.
pub fn list(name: Option<&str>) -> Result<()> {
    let mut out = io::stdout().lock();
    let kinds: Vec<&Kind> = match name {
        None => PLAYERS.iter().collect(),
        Some(name) => match PLAYERS.iter().find(|kind| kind.name == name) {
            Some(kind) => vec![kind],
            None => match name.parse::<PlayerSpec>() {
                Err(error @ SpecError::Player { .. }) => bail!(error),
                _ => bail!("{name:?} is no name of a player"),
            },
        },
    };
    for kind in kinds {
        writeln!(out, "{:12}  {}", kind.name, kind.about)?;
        for parameter in kind.parameters {
            let default = match parameter.default {
                Some("") => "nothing by default".to_string(),
                Some(default) => format!("by default {default}"),
                None => "needed".to_string(),
            };
            writeln!(out, "  {:10}    {} ({default})", parameter.name, parameter.about)?;
        }
    }
    Ok(())
}

/// Serves a player over standard input and output.
pub fn serve(spec: &PlayerSpec) -> Result<()> {
    let mut player = spec.make()?;
    let name = spec.to_string();
    protocol::serve(&name, &mut *player, io::stdin(), io::stdout()).context("the pipe failed")
}
