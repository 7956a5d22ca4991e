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
        let _ = writeln!(
            text,
            "{:.1} moves a game, {:.2} tries a move",
            tally.plies_per_game() / 2.0,
            tally.tries_per_move()
        );
    }
    text
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
    let plan = tally.plan();
    let ratings = tally.ratings();
    let mut order: Vec<usize> = (0..plan.players.len()).collect();
    order.sort_by(|&a, &b| ratings.players[b].elo.total_cmp(&ratings.players[a].elo));
    let names: Vec<String> =
        order.iter().map(|&at| krieg_core::excerpt(&plan.players[at].to_string())).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("  # {:width$}  {:>13} {:>9}", "player", "Elo", "points");
    for place in 1..=order.len() {
        let _ = write!(text, " {place:>6}");
    }
    text.push('\n');
    for (place, &player) in order.iter().enumerate() {
        let rating = ratings.players[player];
        let elo = format!("{:+.0} ±{:.0}", rating.elo + 0.0, rating.margin);
        let (points, games) = tally.points_of(player);
        let of = format!("{points}/{games}");
        let _ = write!(text, "{:>3} {:width$}  {elo:>13} {of:>9}", place + 1, names[place]);
        for &other in &order {
            let cell = match share_against(tally, player, other) {
                Some(share) => format!("{:.1}%", share * 100.0),
                None if player == other => "·".to_string(),
                None => String::new(),
            };
            let _ = write!(text, " {cell:>6}");
        }
        text.push('\n');
    }
    text
}

/// A player's share of the points against another, if they have played.
pub(crate) fn share_against(tally: &Tally, player: usize, other: usize) -> Option<f64> {
    let (at, turned) = tally.pairings().iter().enumerate().find_map(|(at, &(first, second))| {
        let is_it = (first, second) == (player, other) || (first, second) == (other, player);
        is_it.then_some((at, first != player))
    })?;
    let standing = &tally.standings()[at];
    let share = if turned { 1.0 - standing.share() } else { standing.share() };
    (standing.games() > 0).then_some(share)
}
