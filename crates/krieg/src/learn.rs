//! `krieg learn`: what players imagine with, learned from games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use krieg_arena::report::align_columns;
use krieg_arena::{is_played_by as is_called, read_records as read_all};
use krieg_core::{Color, Record};
use krieg_learn::learn_densities;
use krieg_learn::opponents::{OpponentTraining, TrainedOpponents};
use krieg_learn::value::{TdTargets, fit_value_model};
use krieg_players::marshal::value::ValueModel;

use crate::cli::{LearnOpponentOptions, LearnValueOptions};
use crate::files::write_whole;
use crate::progress_bar::new_progress_bar;

/// Learns where men stand.
pub fn densities(games: &[PathBuf], out: &Path) -> Result<()> {
    let records = read_all(games)?;
    let moves: usize = records.iter().map(Record::moves).sum();
    if moves == 0 {
        bail!("no move in {} games", records.len());
    }
    let learned = learn_densities(&records);
    write_whole(out, |file| Ok(file.write_all(&learned.write())?))?;
    println!("{} games, {moves} positions", records.len());
    Ok(())
}

/// Learns how players choose.
pub fn opponent(options: &LearnOpponentOptions) -> Result<()> {
    let records = read_all(&options.games)?;
    if records.iter().all(|record| record.moves() == 0) {
        bail!("no move in {} games", records.len());
    }
    let learning = OpponentTraining {
        max_decisions: options.most,
        excluded_players: options.leave_out.clone(),
        ..OpponentTraining::default()
    };
    let bar = new_progress_bar("{bar:30} {pos}/{len} kinds of players, {eta} left", false);
    let learned = learning.train(&records, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    write_whole(&options.out, |file| Ok(file.write_all(learned.mixture.write().as_bytes())?))?;
    println!("{} games; nats a move, in games kept apart", records.len());
    print!("{}", table(&learned));
    Ok(())
}

/// How well each player is foretold, by his own kind and by the others.
fn table(learned: &TrainedOpponents) -> String {
    let heads = ["", "player", "decisions", "apart", "any", "taking back", "all kinds"];
    let mut lines = vec![heads.map(str::to_string).to_vec()];
    lines[0].extend(learned.mixture.names().iter().cloned());
    for player in &learned.players {
        let [from, apart] = player.decisions;
        let mut line =
            vec![String::new(), player.name.clone(), from.to_string(), apart.to_string()];
        let nats = [player.uniform, player.recapture, player.by_mixture];
        line.extend(nats.map(|nats| format!("{nats:.3}")));
        line.extend(player.by_type.iter().zip(0..).map(|(nats, kind)| {
            // A star shows whose kind it is.
            format!("{}{nats:.3}", if player.opponent_type == Some(kind) { "*" } else { "" })
        }));
        lines.push(line);
    }
    align_columns(&lines)
}

/// Learns what boards are worth.
pub fn value(options: &LearnValueOptions) -> Result<()> {
    let mut targets = TdTargets { lambda: options.later, ..TdTargets::default() };
    if let Some(path) = &options.by {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        targets.bootstrap = ValueModel::read(&text).with_context(|| path.display().to_string())?;
    }
    let mut records = read_all(&options.games)?;
    if let Some(between) = &options.between {
        let names = names(between);
        let is_named =
            |record: &Record, color| names.iter().any(|name| is_called(record, color, name));
        records.retain(|record| Color::ALL.into_iter().all(|color| is_named(record, color)));
    }
    let (learned, report) = fit_value_model(&records, &targets)?;
    write_whole(&options.out, |file| Ok(file.write_all(learned.write().as_bytes())?))?;
    println!("{} games, {} turns", report.games, report.turns);
    println!("games held out    log loss    Brier");
    for (by, loss) in
        [("a constant", report.constant), ("chess", report.chess), ("all", report.all)]
    {
        println!("{by:<14} {:>11.4} {:>8.4}", loss.log, loss.brier);
    }
    Ok(())
}

/// The names in a list with commas, which may also stand between the parameters of a player.
fn names(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_comma = |letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    };
    list.split(is_comma).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_inside_parentheses_divides_no_names() {
        assert_eq!(
            names("pimc, ismcts(exploration=1,particles=5),greedy"),
            ["pimc", "ismcts(exploration=1,particles=5)", "greedy"]
        );
    }
}
