//! The figures of a tournament's page: statistics of its games, as plots with captions.

use krieg_stats::MatchScore;

use super::html::{figure, player_name};
use super::plot::{self, Histogram, ScorePoint};
use crate::logged_game::LoggedGame;
use crate::scoreboard::Scoreboard;

/// Maximum number of points in a line, about the resolution of a screen.
const MAX_POINTS: u64 = 400;

/// All figures. The games are sorted by number, and there is at least one.
pub(super) fn figures(scoreboard: &Scoreboard, games: &[&LoggedGame]) -> String {
    [scores(scoreboard, games), lengths(games), endings(scoreboard), tries(games), times(games)]
        .concat()
}

/// The legend of a plot.
pub(super) fn legend(names: impl Iterator<Item = String>) -> String {
    let key = |(index, name): (usize, String)| {
        format!("<li><span class=\"key {}\"></span> {name}</li>\n", plot::style(index))
    };
    format!("<ul class=\"legend\">\n{}</ul>\n", names.enumerate().map(key).collect::<String>())
}

fn scores(scoreboard: &Scoreboard, games: &[&LoggedGame]) -> String {
    let (players, title) = (&scoreboard.tournament().players, "Score over games");
    if let [first, _] = &players[..] {
        let label = format!("The score of {first} after each game, with its 95% interval");
        let drawing = plot::score_chart(&label, &[match_score(scoreboard, games)]);
        let caption = format!("The score of {} so far, with its 95% interval.", player_name(first));
        return figure(title, &drawing, &caption);
    }
    let drawing =
        plot::score_chart("Each player's score after each game", &player_scores(scoreboard, games));
    let drawing = drawing + &legend(players.iter().map(player_name));
    figure(title, &drawing, "Each player's score so far, by its number of games.")
}

fn match_score(scoreboard: &Scoreboard, games: &[&LoggedGame]) -> Vec<ScorePoint> {
    let mut standing = MatchScore::default();
    let mut points = Vec::new();
    for (game, count) in games.iter().zip(1..) {
        let scheduled = scoreboard.tournament().game(game.number);
        let white = game.white_half_points();
        let half_points = if scheduled.white == 0 { white } else { 2 - white };
        standing.add(scheduled.number_in_pairing, half_points);
        if is_shown(count, games.len() as u64) {
            let interval = Some(standing.score_interval());
            points.push(ScorePoint { games: count, score: standing.score(), interval });
        }
    }
    points
}

/// Each player's score after each of its games.
fn player_scores(scoreboard: &Scoreboard, games: &[&LoggedGame]) -> Vec<Vec<ScorePoint>> {
    let tournament = scoreboard.tournament();
    let mut half_points: Vec<Vec<u8>> = vec![Vec::new(); tournament.players.len()];
    for game in games {
        let scheduled = tournament.game(game.number);
        half_points[scheduled.white].push(game.white_half_points());
        half_points[scheduled.black].push(2 - game.white_half_points());
    }
    let line = |half_points: &Vec<u8>| {
        let (mut sum, total) = (0, half_points.len() as u64);
        let points = half_points.iter().zip(1..).map(|(won, games)| {
            sum += u64::from(*won);
            ScorePoint { games, score: sum as f64 / (2 * games) as f64, interval: None }
        });
        points.filter(|point| is_shown(point.games, total)).collect()
    };
    half_points.iter().map(line).collect()
}

/// Whether the plot has a point after this many games; always for the first and the last game.
fn is_shown(games: u64, total: u64) -> bool {
    let point = |games: u64| games * MAX_POINTS / total.max(1);
    total <= MAX_POINTS || games == 1 || point(games) != point(games - 1)
}

fn lengths(games: &[&LoggedGame]) -> String {
    let moves: Vec<f64> = games.iter().map(|game| f64::from(game.plies) / 2.0).collect();
    let drawing = Histogram::even(&moves, 1.0).draw("How many games had how many moves", "moves");
    let longest = moves.iter().copied().fold(0.0, f64::max);
    let caption = format!(
        "Games by number of moves (half the moves of both sides): {:.1} on average, at most \
         {longest}.",
        average(&moves)
    );
    figure("Length of games", &drawing, &caption)
}

fn endings(scoreboard: &Scoreboard) -> String {
    let mut rows: Vec<(&str, u64)> =
        scoreboard.endings().iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let [white, drawn, black] = scoreboard.wins_by_color();
    let caption = format!("White won {white}, Black {black}, drawn {drawn}.");
    figure("Endings", &plot::bar_chart("How many games ended in which way", &rows), &caption)
}

fn tries(games: &[&LoggedGame]) -> String {
    let moved = games.iter().filter(|game| game.plies > 0);
    let tries: Vec<f64> =
        moved.map(|game| f64::from(game.count_tries()) / f64::from(game.plies)).collect();
    let label = "How many games had how many tries per move";
    let drawing = Histogram::even(&tries, 0.02).draw(label, "tries per move");
    let caption = format!("Games by tries per move: {:.2} in the average game.", average(&tries));
    figure("Tries per move", &drawing, &caption)
}

fn times(games: &[&LoggedGame]) -> String {
    // One bin for zero, then one for each power of two.
    let mut counts = [0_u64; 33];
    let (mut sum, mut longest) = (0, 0);
    let timed = games.iter().filter(|game| game.tries.contains('/'));
    for ms in timed.flat_map(|game| game.try_times()) {
        counts[(u32::BITS - ms.leading_zeros()) as usize] += 1;
        sum += u64::from(ms);
        longest = longest.max(ms);
    }
    let tries: u64 = counts.iter().sum();
    let title = "Time per try";
    if tries == 0 {
        return figure(title, "", "The games had no clock.");
    }
    let powers = (0..33).map(|power| 1_u64 << power);
    let edges = std::iter::once(0).chain(powers).map(|ms| duration(ms as f64)).collect();
    let drawing =
        Histogram::trimmed(edges, &counts).draw("How many tries took how long", "per try");
    let caption = format!(
        "Tries by thinking time; each bin is twice as wide as the one before: {} on average, at \
         most {}.",
        duration(sum as f64 / tries as f64),
        duration(f64::from(longest))
    );
    figure(title, &drawing, &caption)
}

fn duration(ms: f64) -> String {
    match ms {
        ..1_000.0 => format!("{} ms", (ms * 10.0).round() / 10.0),
        ..60_000.0 => format!("{:.1} s", ms / 1_000.0),
        _ => format!("{:.1} min", ms / 60_000.0),
    }
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_first_and_last_point_and_not_too_many() {
        for total in [1, 2, 399, 400, 401, 799, 100_000] {
            let shown: Vec<u64> = (1..=total).filter(|games| is_shown(*games, total)).collect();
            assert_eq!((shown.first(), shown.last()), (Some(&1), Some(&total)));
            assert!(shown.len() as u64 <= MAX_POINTS + 1, "{total}");
        }
    }

    #[test]
    fn durations_have_a_suitable_unit() {
        let text = [0.0, 3.25, 512.0, 1_024.0, 90_000.0].map(duration);
        assert_eq!(text, ["0 ms", "3.3 ms", "512 ms", "1.0 s", "1.5 min"]);
    }
}
