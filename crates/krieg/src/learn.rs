//! `krieg learn`: fits densities, opponent types and value models to recorded games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use krieg_arena::report::align_columns;
use krieg_arena::{is_played_by, read_records};
use krieg_core::{Color, Record};
use krieg_learn::learn_densities;
use krieg_learn::opponents::{OpponentTraining, TrainedOpponents};
use krieg_learn::value::{TdTargets, fit_value_model};
use krieg_players::marshal::value::ValueModel;

use crate::cli::{LearnOpponentOptions, LearnValueOptions};
use crate::files::write_whole;
use crate::progress_bar::new_progress_bar;

/// Counts where pieces stand.
pub fn densities(games: &[PathBuf], out: &Path) -> Result<()> {
    let records = read_records(games)?;
    let moves: usize = records.iter().map(Record::moves).sum();
    if moves == 0 {
        bail!("there is no move in {} games", records.len());
    }
    let learned = learn_densities(&records);
    write_whole(out, |file| Ok(file.write_all(&learned.write())?))?;
    println!("{} games, {moves} positions", records.len());
    Ok(())
}

/// Trains opponent types.
pub fn opponent(options: &LearnOpponentOptions) -> Result<()> {
    let records = read_records(&options.games)?;
    if records.iter().all(|record| record.moves() == 0) {
        bail!("there is no move in {} games", records.len());
    }
    let training = OpponentTraining {
        max_decisions: options.max_decisions,
        excluded_players: options.exclude.clone(),
        ..OpponentTraining::default()
    };
    let bar = new_progress_bar("{bar:30} {pos}/{len} fits and epochs, {eta} left", false);
    let trained = training.train(&records, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    write_whole(&options.out, |file| Ok(file.write_all(trained.mixture.write().as_bytes())?))?;
    println!("{} games; log-likelihood in nats per move, in the validation set", records.len());
    print!("{}", table(&trained));
    Ok(())
}

/// A table of the predictions of each player's moves. A star marks the type of the player.
fn table(trained: &TrainedOpponents) -> String {
    let heads = ["", "player", "decisions", "validation", "uniform", "recapture", "mixture"];
    let mut lines = vec![heads.map(str::to_string).to_vec()];
    lines[0].extend(trained.mixture.names().iter().cloned());
    for player in &trained.players {
        let [training, validation] = player.decisions;
        let mut line =
            vec![String::new(), player.name.clone(), training.to_string(), validation.to_string()];
        let nats = [player.uniform, player.recapture, player.by_mixture];
        line.extend(nats.map(|nats| format!("{nats:.3}")));
        line.extend(player.by_type.iter().zip(0..).map(|(nats, index)| {
            format!("{}{nats:.3}", if player.opponent_type == Some(index) { "*" } else { "" })
        }));
        lines.push(line);
    }
    align_columns(&lines)
}

/// Fits a value model.
pub fn value(options: &LearnValueOptions) -> Result<()> {
    let mut targets = TdTargets { lambda: options.lambda, ..TdTargets::default() };
    if let Some(path) = &options.bootstrap {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        targets.bootstrap = ValueModel::read(&text).with_context(|| path.display().to_string())?;
    }
    let mut records = read_records(&options.games)?;
    if let Some(between) = &options.between {
        let names = names(between);
        let is_named =
            |record: &Record, color| names.iter().any(|name| is_played_by(record, color, name));
        records.retain(|record| Color::ALL.into_iter().all(|color| is_named(record, color)));
    }
    let (learned, report) = fit_value_model(&records, &targets)?;
    write_whole(&options.out, |file| Ok(file.write_all(learned.write().as_bytes())?))?;
    println!("{} games, {} turns", report.games, report.turns);
    println!("cross-validation  log-loss    Brier");
    for (model, loss) in
        [("constant", report.constant), ("chess", report.chess), ("all", report.all)]
    {
        println!("{model:<14} {:>11.4} {:>8.4}", loss.log, loss.brier);
    }
    Ok(())
}

/// The names of players in a list with commas. Commas in parentheses belong to a player's
/// parameters.
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
    fn a_comma_in_parentheses_does_not_separate_names() {
        assert_eq!(
            names("pimc, ismcts(exploration=1,particles=5),greedy"),
            ["pimc", "ismcts(exploration=1,particles=5)", "greedy"]
        );
    }
}
