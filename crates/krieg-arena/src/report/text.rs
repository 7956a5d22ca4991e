//! A contest as lines of text.

use std::fmt::Write as _;

use crate::statistics::Standing;
use crate::tally::{Tally, Trial};

/// How a match stands, or a tournament: what is shown while it runs and when it is over.
pub fn standing_lines(tally: &Tally) -> String {
    let plan = tally.plan();
    let mut text = String::new();
    if plan.players.len() == 2 {
        let standing = &tally.standings()[0];
        let _ = writeln!(text, "{} against {}", plan.players[0], plan.players[1]);
        let _ = writeln!(text, "{standing}");
        let _ = writeln!(text, "{}", certainty(standing));
    } else {
        text += &crosstable(tally);
    }
    let endings: Vec<String> =
        tally.endings().iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if tally.games() > 0 {
        let [white, drawn, black] = tally.by_color();
        let _ = writeln!(text, "White won {white}, Black {black}, drawn {drawn}");
        let _ = writeln!(text, "ended by: {}", endings.join(", "));
        if let Some(line) = given_away(tally) {
            let _ = writeln!(text, "{line}");
        }
        if tally.different_games() < tally.games() {
            let _ = writeln!(
                text,
                "only {} of {} games differ, so the intervals promise too much: try --opening-plies 4",
                tally.different_games(),
                tally.games()
            );
        }
        let _ = writeln!(
            text,
            "{:.1} moves a game, {:.2} tries a move",
            tally.plies_per_game() / 2.0,
            tally.tries_per_move()
        );
    }
    text
}

/// Who drew games that he should have won; nothing, if nobody did.
fn given_away(tally: &Tally) -> Option<String> {
    let each = tally.plan().players.iter().zip(tally.given_away());
    let guilty: Vec<String> = each
        .filter(|(_, count)| **count > 0)
        .map(|(player, count)| format!("{} {count}", krieg_core::excerpt(&player.to_string())))
        .collect();
    (!guilty.is_empty()).then(|| format!("drawn though five points ahead: {}", guilty.join(", ")))
}

fn certainty(standing: &Standing) -> String {
    let pairs = standing.pentanomial().map(|count| count.to_string()).join(" ");
    let superiority = standing.likelihood_of_superiority() * 100.0;
    format!("pairs by points 0 ½ 1 1½ 2: {pairs}; likely to be the better one: {superiority:.1}%")
}

/// How a sequential test stands.
pub fn trial_line(trial: &Trial) -> String {
    let (low, high) = trial.sprt().bounds();
    let (llr, test) = (trial.llr(), trial.sprt());
    let verdict = match trial.verdict() {
        Some(verdict) => format!("{verdict} is accepted"),
        None => "undecided".to_string(),
    };
    format!("test {test}: log-likelihood ratio {llr:.2} in [{low:.2}, {high:.2}], {verdict}")
}

/// Everybody against everybody, the best first.
pub fn crosstable(tally: &Tally) -> String {
    let rows = tally.table();
    let mut lines = vec![vec!["#".to_string(), "player".into(), "Elo".into(), "points".into()]];
    lines[0].extend((1..=rows.len()).map(|place| place.to_string()));
    for (place, row) in (1..).zip(&rows) {
        let name = krieg_core::excerpt(&tally.plan().players[row.player].to_string());
        let elo = format!("{:+.0} ±{:.0}", row.rating.elo.round() + 0.0, row.rating.margin);
        let mut line = vec![place.to_string(), name, elo, format!("{}/{}", row.points, row.games)];
        line.extend(row.shares.iter().enumerate().map(|(at, share)| match share {
            Some(share) => format!("{:.1}%", share * 100.0),
            None if at + 1 == place => "·".to_string(),
            None => String::new(),
        }));
        lines.push(line);
    }
    aligned(&lines)
}

/// Columns as wide as their widest cell, names to the left and numbers to the right.
pub fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 1 { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
