//! The result of a tournament as lines of text.

use std::fmt::Write as _;

use krieg_core::excerpt;
use krieg_stats::MatchScore;

use crate::scoreboard::Scoreboard;
use crate::sequential_test::SequentialTest;

/// The result of a match or tournament, as it is printed at the end and written to `result.txt`.
pub fn result_text(scoreboard: &Scoreboard) -> String {
    let tournament = scoreboard.tournament();
    let mut text = String::new();
    if let [first, second] = &tournament.players[..] {
        let standing = &scoreboard.standings()[0];
        let _ = writeln!(text, "{first} against {second}");
        let _ = writeln!(text, "{standing}");
        let _ = writeln!(text, "{}", pairs_line(standing));
    } else {
        text += &crosstable_text(scoreboard);
    }
    if scoreboard.games() > 0 {
        text += &statistics(scoreboard);
    }
    text
}

/// Share of the thinking time without a processor above which a result comes with a warning.
const MAX_NORMAL_WAIT: f64 = 0.1;

fn statistics(scoreboard: &Scoreboard) -> String {
    let mut text = String::new();
    let endings: Vec<String> =
        scoreboard.endings().iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let [white, drawn, black] = scoreboard.wins_by_color();
    let _ = writeln!(text, "White won {white}, Black {black}, drawn {drawn}");
    let _ = writeln!(text, "ended by: {}", endings.join(", "));
    if scoreboard.tournament().control.is_timed() {
        let _ = writeln!(text, "lost on time: {}", lost_on_time(scoreboard));
        let share = scoreboard.processor_wait_share();
        if share > MAX_NORMAL_WAIT {
            let _ = writeln!(
                text,
                "warning: the players waited for a processor for {:.0}% of their thinking time, so \
                 they played weaker than they can: try fewer games at a time (--jobs) or a machine \
                 with less other work",
                share * 100.0
            );
        }
    }
    if let Some(line) = unconverted_leads(scoreboard) {
        let _ = writeln!(text, "{line}");
    }
    let (different, games) = (scoreboard.different_games(), scoreboard.games());
    if different < games {
        let _ = writeln!(
            text,
            "only {different} of {games} games differ, so the intervals are too narrow: \
             try --opening-plies 4"
        );
    }
    let _ = writeln!(
        text,
        "{:.1} moves per game, {:.2} tries per move",
        scoreboard.plies_per_game() / 2.0,
        scoreboard.tries_per_move()
    );
    text
}

/// `greedy 1, random 0`.
fn lost_on_time(scoreboard: &Scoreboard) -> String {
    counts_of(scoreboard, scoreboard.lost_on_time(), |_| true)
}

/// The draws with a clear material lead, by player; `None` if there are none.
fn unconverted_leads(scoreboard: &Scoreboard) -> Option<String> {
    let counts = counts_of(scoreboard, scoreboard.unconverted_leads(), |count| count > 0);
    (!counts.is_empty())
        .then(|| format!("drawn with a material lead of five points or more: {counts}"))
}

fn counts_of(scoreboard: &Scoreboard, counts: &[u64], is_shown: fn(u64) -> bool) -> String {
    let each = scoreboard.tournament().players.iter().zip(counts);
    let shown: Vec<String> = each
        .filter(|(_, count)| is_shown(**count))
        .map(|(player, count)| format!("{} {count}", excerpt(&player.to_string())))
        .collect();
    shown.join(", ")
}

fn pairs_line(standing: &MatchScore) -> String {
    let pairs = standing.pentanomial().map(|count| count.to_string()).join(" ");
    let superiority = standing.likelihood_of_superiority() * 100.0;
    format!("pairs by points 0 ½ 1 1½ 2: {pairs}; likelihood of superiority {superiority:.1}%")
}

/// The state of a sequential test as one line.
pub fn sprt_line(test: &SequentialTest) -> String {
    let (low, high) = test.sprt().bounds();
    let (llr, sprt) = (test.llr(), test.sprt());
    let verdict = match test.verdict() {
        Some(verdict) => format!("{verdict} is accepted"),
        None => "undecided".to_string(),
    };
    format!("SPRT {sprt}: log-likelihood ratio {llr:.2} in [{low:.2}, {high:.2}], {verdict}")
}

/// The crosstable, the highest rated player first.
pub fn crosstable_text(scoreboard: &Scoreboard) -> String {
    let rows = scoreboard.crosstable();
    let mut lines = vec![vec!["#".to_string(), "player".into(), "Elo".into(), "points".into()]];
    lines[0].extend((1..=rows.len()).map(|place| place.to_string()));
    for (place, row) in (1..).zip(&rows) {
        let name = excerpt(&scoreboard.tournament().players[row.player].to_string());
        let elo = format!("{:+.0} ±{:.0}", row.rating.elo.round() + 0.0, row.rating.margin);
        let mut line = vec![place.to_string(), name, elo, format!("{}/{}", row.points, row.games)];
        line.extend(row.scores.iter().enumerate().map(|(column, score)| match score {
            Some(score) => format!("{:.1}%", score * 100.0),
            None if column + 1 == place => "·".to_string(),
            None => String::new(),
        }));
        lines.push(line);
    }
    align_columns(&lines)
}

/// Formats a table: every column as wide as its widest cell, the second column left-aligned and
/// all others right-aligned.
///
/// ```
/// use krieg_arena::report::align_columns;
/// let lines = [["1", "greedy", "12"], ["10", "random", "9"]].map(|line| line.map(String::from));
/// let lines = lines.map(|line| line.to_vec());
/// assert_eq!(align_columns(&lines), " 1  greedy  12\n10  random   9\n");
/// ```
pub fn align_columns(lines: &[Vec<String>]) -> String {
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
