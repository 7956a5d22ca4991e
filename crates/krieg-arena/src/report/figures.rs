//! The figures of a contest's page: what is counted from its games, drawn and with a caption.

use super::html::name;
use super::plot::{self, Histogram, Step};
use crate::log::LoggedGame;
use crate::statistics::Standing;
use crate::tally::Tally;

/// A line goes through at most about so many points: screens do not show more.
const MOST_POINTS: u64 = 400;

/// All of them; the games in order of number, and at least one.
pub(super) fn figures(tally: &Tally, games: &[&LoggedGame]) -> String {
    [scores(tally, games), lengths(games), endings(tally), tries(games), times(games)].concat()
}

/// What each line of a drawing stands for.
pub(super) fn legend(names: impl Iterator<Item = String>) -> String {
    let key = |(at, name): (usize, String)| {
        format!("<li><span class=\"key {}\"></span> {name}</li>\n", plot::style(at))
    };
    format!("<ul class=\"legend\">\n{}</ul>\n", names.enumerate().map(key).collect::<String>())
}

pub(super) fn figure(title: &str, drawing: &str, caption: &str) -> String {
    format!(
        "<figure>\n<figcaption><strong>{title}.</strong> {caption}</figcaption>\n{drawing}</figure>\n"
    )
}

fn scores(tally: &Tally, games: &[&LoggedGame]) -> String {
    let (players, title) = (&tally.plan().players, "Score over games");
    if let [first, _] = &players[..] {
        let label = format!("The share of {first} after each game, with its 95% interval");
        let drawing = plot::scores(&label, &[run_of_match(tally, games)]);
        let caption = format!("The share of {} so far, with its 95% interval.", name(first));
        return figure(title, &drawing, &caption);
    }
    let drawing = plot::scores("Each player's share after each game", &runs(tally, games));
    let drawing = drawing + &legend(players.iter().map(name));
    figure(title, &drawing, "Each player's share so far, by the games that he has played.")
}

fn run_of_match(tally: &Tally, games: &[&LoggedGame]) -> Vec<Step> {
    let mut standing = Standing::default();
    let mut steps = Vec::new();
    for (game, nth) in games.iter().zip(1..) {
        let fixture = tally.plan().fixture(game.number);
        let white = game.white_half_points();
        let half_points = if fixture.white == 0 { white } else { 2 - white };
        standing.add(fixture.number_in_pairing, half_points);
        if is_shown(nth, games.len() as u64) {
            let interval = Some(standing.interval());
            steps.push(Step { games: nth, share: standing.share(), interval });
        }
    }
    steps
}

/// For each player, his share after each of his games.
fn runs(tally: &Tally, games: &[&LoggedGame]) -> Vec<Vec<Step>> {
    let plan = tally.plan();
    let mut half_points: Vec<Vec<u8>> = vec![Vec::new(); plan.players.len()];
    for game in games {
        let fixture = plan.fixture(game.number);
        half_points[fixture.white].push(game.white_half_points());
        half_points[fixture.black].push(2 - game.white_half_points());
    }
    let run = |half_points: &Vec<u8>| {
        let (mut sum, total) = (0, half_points.len() as u64);
        let steps = half_points.iter().zip(1..).map(|(won, games)| {
            sum += u64::from(*won);
            Step { games, share: sum as f64 / (2 * games) as f64, interval: None }
        });
        steps.filter(|step| is_shown(step.games, total)).collect()
    };
    half_points.iter().map(run).collect()
}

/// Whether a line goes through what was after so many games of all: always the first and the last.
fn is_shown(games: u64, total: u64) -> bool {
    let point = |games: u64| games * MOST_POINTS / total.max(1);
    total <= MOST_POINTS || games == 1 || point(games) != point(games - 1)
}

fn lengths(games: &[&LoggedGame]) -> String {
    let moves: Vec<f64> = games.iter().map(|game| f64::from(game.plies) / 2.0).collect();
    let drawing = Histogram::even(&moves, 1.0).draw("How many games had how many moves", "moves");
    let longest = moves.iter().copied().fold(0.0, f64::max);
    let caption = format!(
        "Games by their moves, those of both sides by two: {:.1} on the average, {longest} at most.",
        average(&moves)
    );
    figure("Length of games", &drawing, &caption)
}

fn endings(tally: &Tally) -> String {
    let mut rows: Vec<(&str, u64)> =
        tally.endings().iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let [white, drawn, black] = tally.by_color();
    let caption = format!("White won {white}, Black {black}, drawn {drawn}.");
    figure("Endings", &plot::bars("How many games ended for which reason", &rows), &caption)
}

fn tries(games: &[&LoggedGame]) -> String {
    let moved = games.iter().filter(|game| game.plies > 0);
    let tries: Vec<f64> =
        moved.map(|game| f64::from(game.count_tries()) / f64::from(game.plies)).collect();
    let label = "How many games had how many tries for a move";
    let drawing = Histogram::even(&tries, 0.02).draw(label, "tries per move");
    let caption = format!(
        "Games by their tries for each move that stood: {:.2} in the average game.",
        average(&tries)
    );
    figure("Tries per move", &drawing, &caption)
}

fn times(games: &[&LoggedGame]) -> String {
    // Those of nothing, and then those of each power of two up to the next.
    let mut counts = [0_u64; 33];
    let (mut sum, mut longest) = (0, 0);
    let timed = games.iter().filter(|game| game.tries.contains('/'));
    for ms in timed.flat_map(|game| game.times()) {
        counts[(u32::BITS - ms.leading_zeros()) as usize] += 1;
        sum += u64::from(ms);
        longest = longest.max(ms);
    }
    let tries: u64 = counts.iter().sum();
    let title = "Time per move";
    if tries == 0 {
        return figure(title, "", "No clock ran.");
    }
    let powers = (0..33).map(|power| 1_u64 << power);
    let edges = std::iter::once(0).chain(powers).map(|ms| duration(ms as f64)).collect();
    let drawing =
        Histogram::trimmed(edges, &counts).draw("How many tries took how long", "per try");
    let caption = format!(
        "Tries by the time they took, each bin twice as wide as the one before: {} on the average, {} at most.",
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
    fn a_line_has_its_ends_and_not_too_many_points() {
        for total in [1, 2, 399, 400, 401, 799, 100_000] {
            let shown: Vec<u64> = (1..=total).filter(|games| is_shown(*games, total)).collect();
            assert_eq!((shown.first(), shown.last()), (Some(&1), Some(&total)));
            assert!(shown.len() as u64 <= MOST_POINTS + 1, "{total}");
        }
    }

    #[test]
    fn times_are_told_in_what_they_are_long_in() {
        let told = [0.0, 3.25, 512.0, 1_024.0, 90_000.0].map(duration);
        assert_eq!(told, ["0 ms", "3.3 ms", "512 ms", "1.0 s", "1.5 min"]);
    }
}
