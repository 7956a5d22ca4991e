//! `krieg players` and `krieg engine`: list the players, and let other programs use one of them.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use krieg_players::{Parameter, PlayerKind, PlayerRegistry, PlayerSpec, SpecError, protocol};

/// Prints all players, or everything about one.
pub fn list(name: Option<&str>) -> Result<()> {
    let registry = PlayerRegistry::default();
    let mut out = io::stdout().lock();
    let Some(name) = name else {
        return registry.kinds().iter().try_for_each(|kind| describe(kind, false, &mut out));
    };
    match registry.find(name) {
        Some(kind) => describe(kind, true, &mut out),
        None => match registry.parse(name) {
            Err(error @ SpecError::Player { .. }) => bail!(error),
            _ => bail!("{name:?} is not the name of a player"),
        },
    }
}

/// Prints a player with its parameters, and the possible values of each if wanted.
fn describe(kind: &PlayerKind, with_choices: bool, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{:12}  {}", kind.name, kind.about)?;
    for Parameter { name, about, default, choices, .. } in kind.parameters {
        let default = match default {
            Some("") => "none by default".to_string(),
            Some(default) => format!("default {default}"),
            None => "required".to_string(),
        };
        writeln!(out, "  {name:18}  {about} ({default})")?;
        for (value, about) in if with_choices { choices() } else { Vec::new() } {
            writeln!(out, "  {:18}    {value}: {about}", "")?;
        }
    }
    Ok(())
}

/// Serves a player over standard input and output.
pub fn serve(spec: &PlayerSpec) -> Result<()> {
    let mut player = spec.make()?;
    let name = spec.to_string();
    protocol::serve(&name, &mut *player, io::stdin(), io::stdout())
        .context("cannot read or write a line")
}
