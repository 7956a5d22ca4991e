//! The page of a match or tournament: one HTML file without external resources.

use std::fmt::Write as _;

use krieg_core::Position;
use krieg_stats::MatchScore;

use super::figures::figures;
use super::html::{
    CellKind, document, escape, figure_grid, isolated, key_value_table, player_name, section, table,
};
use crate::logged_game::LoggedGame;
use crate::scoreboard::Scoreboard;
use crate::sequential_test::SequentialTest;
use crate::tournament::{Tournament, TournamentFormat};

/// Maximum number of forfeited games that are listed, so that the page stays small.
const MAX_ROWS: usize = 200;

/// The page of a tournament: settings, result, and plots of the games. The scoreboard must be that
/// of these games. Their order does not matter.
///
/// ```
/// use krieg_arena::{Scoreboard, Tournament, report};
/// let players = ["greedy", "random"].map(|name| name.parse().unwrap());
/// let scoreboard = Scoreboard::new(&Tournament::new(players.to_vec()));
/// let page = report::match_page(&scoreboard, &[], None);
/// assert!(page.contains("<title>greedy against random</title>"));
/// ```
pub fn match_page(
    scoreboard: &Scoreboard,
    games: &[LoggedGame],
    sequential_test: Option<&SequentialTest>,
) -> String {
    let mut games: Vec<&LoggedGame> = games.iter().collect();
    games.sort_by_key(|game| game.number);
    let tournament = scoreboard.tournament();
    let (title, heading) = match &tournament.players[..] {
        [a, b] => (
            escape(&format!("{a} against {b}")),
            format!("{} against {}", isolated(&a.to_string()), isolated(&b.to_string())),
        ),
        players => {
            let title = format!("Tournament of {} players", players.len());
            (title.clone(), title)
        }
    };
    let mut page = section("Settings", &settings(scoreboard));
    if let ([_, _], [standing]) = (&tournament.players[..], scoreboard.standings()) {
        page += &section("Result", &result(standing));
    }
    page += &section("Crosstable", &crosstable(scoreboard));
    if let Some(test) = sequential_test {
        page += &section("Sequential test", &sprt_facts(test));
    }
    let drawn = match games.is_empty() {
        true => "<p>No games yet.</p>\n".to_string(),
        false => figure_grid(&figures(scoreboard, &games)),
    };
    page += &section("Games", &drawn);
    page += &section("Forfeited games", &forfeits(tournament, &games));
    document(&title, &heading, "", &page)
}

fn settings(scoreboard: &Scoreboard) -> String {
    let tournament = scoreboard.tournament();
    let mut rows = Vec::new();
    if tournament.players.len() > 2 {
        let format = match tournament.format {
            TournamentFormat::RoundRobin => "round robin",
            TournamentFormat::Gauntlet => "gauntlet: the first player meets all others",
        };
        rows.push(("Format", format.to_string()));
    }
    rows.push(("Ruleset", escape(&tournament.ruleset.to_string())));
    rows.push(("Time control", escape(&tournament.control.to_string())));
    if tournament.start != Position::start() {
        rows.push(("Start", escape(&tournament.start.to_string())));
    }
    rows.push(("Opening", format!("{} random plies", tournament.opening_plies)));
    let draw_after = tournament.draw_after.map(|moves| format!("{moves} moves"));
    rows.extend(draw_after.map(|moves| ("Adjudicated as a draw after", moves)));
    rows.extend(tournament.ponder.then(|| ("Pondering", "on".to_string())));
    rows.push(("Seed", tournament.seed.to_string()));
    let games = match (scoreboard.games(), tournament.total_games()) {
        (games, total) if games < total => format!("{games} of {total}"),
        (games, _) => games.to_string(),
    };
    rows.push(("Games", games));
    key_value_table(&rows)
}

fn result(standing: &MatchScore) -> String {
    let [won, drawn, lost] = standing.counts();
    let (low, high) = standing.score_interval();
    let (elo_low, elo_high) = standing.elo_interval();
    let numbers = key_value_table(&[
        ("Wins, draws, losses", format!("{won}, {drawn}, {lost}")),
        ("Score", format!("{} [{}, {}]", percent(standing.score()), percent(low), percent(high))),
        ("Elo", format!("{} [{}, {}]", elo(standing.elo()), elo(elo_low), elo(elo_high))),
        ("Likelihood of superiority", percent(standing.likelihood_of_superiority())),
    ]);
    let cell = |count: u64| format!("<td>{count}</td>");
    let pairs = standing.pentanomial().map(cell).concat();
    let rows = format!("<tr><th scope=\"row\">Pairs</th>{pairs}</tr>\n");
    let pairs =
        table("Pairs of games", CellKind::Number, &["Points", "0", "½", "1", "1½", "2"], &rows);
    format!(
        "<p>Scores of the first player, with 95% intervals in brackets.</p>\n\
         <div class=\"beside\">\n{numbers}{pairs}</div>\n"
    )
}

fn sprt_facts(test: &SequentialTest) -> String {
    let sprt = test.sprt();
    let ((elo0, elo1), (alpha, beta)) = (sprt.hypotheses(), sprt.error_rates());
    let (low, high) = sprt.bounds();
    let verdict = match (test.verdict(), test.end()) {
        (Some(accepted), Some(games)) => format!("{accepted} accepted after {games} games"),
        _ => "undecided".to_string(),
    };
    let llr = format!("{:.2} within [{low:.2}, {high:.2}]", test.llr() + 0.0);
    let hypothesis = |than: &str, points: f64, chance: f64| {
        let points = elo_exact(points);
        format!("Elo {points} or {than}; wrongly rejected with probability {}", percent(chance))
    };
    key_value_table(&[
        ("H0", hypothesis("less", elo0, alpha)),
        ("H1", hypothesis("more", elo1, beta)),
        ("Log-likelihood ratio", llr.replace('-', "−")),
        ("Verdict", verdict),
    ])
}

fn crosstable(scoreboard: &Scoreboard) -> String {
    let table_rows = scoreboard.crosstable();
    let mut rows = String::new();
    for (place, row) in (1..).zip(&table_rows) {
        let _ = write!(
            rows,
            "<tr><th scope=\"row\" class=\"text\">{place}. {}</th>\
             <td>{} ±{:.0}</td><td>{}/{}</td>",
            isolated(&scoreboard.tournament().players[row.player].to_string()),
            elo(row.rating.elo),
            row.rating.margin,
            row.points,
            row.games,
        );
        for (column, score) in row.scores.iter().enumerate() {
            let score = match score {
                Some(score) => percent(*score),
                None if column + 1 == place => "·".to_string(),
                None => String::new(),
            };
            let _ = write!(rows, "<td>{score}</td>");
        }
        rows += "</tr>\n";
    }
    let places: Vec<String> = (1..=table_rows.len()).map(|place| place.to_string()).collect();
    let mut headings = vec!["Player", "Elo", "Points"];
    headings.extend(places.iter().map(String::as_str));
    table("Crosstable", CellKind::Number, &headings, &rows)
}

/// The games that a player forfeited. Adjudicated games are only counted: with a limit of moves
/// there may be many.
fn forfeits(tournament: &Tournament, games: &[&LoggedGame]) -> String {
    let with_reason = games.iter().filter_map(|game| Some((*game, game.why.as_deref()?)));
    let (adjudicated, forfeited): (Vec<_>, Vec<_>) =
        with_reason.partition(|(game, _)| game.reason() == "adjudication");
    let adjudicated = match adjudicated.len() {
        0 => String::new(),
        count => format!("<p>Not counting {count} adjudicated as draws.</p>\n"),
    };
    if forfeited.is_empty() {
        return "<p>None.</p>\n".to_string() + &adjudicated;
    }
    let mut rows = String::new();
    for (game, why) in forfeited.iter().take(MAX_ROWS) {
        let scheduled = tournament.game(game.number);
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td><td class=\"text\">{}</td>\
             <td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
            game.number,
            player_name(&tournament.players[scheduled.white]),
            player_name(&tournament.players[scheduled.black]),
            escape(&game.result),
            escape(game.reason()),
            isolated(&krieg_core::short_reason(why)),
        );
    }
    let headings = ["Game", "White", "Black", "Result", "Ended by", "Reason"];
    let listed = table("Forfeited games", CellKind::Text, &headings, &rows);
    match forfeited.len().saturating_sub(MAX_ROWS) {
        0 => listed + &adjudicated,
        more => format!("{listed}<p>and {more} more</p>\n{adjudicated}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A rating difference with its sign; the minus sign is the typographic one.
fn elo(points: f64) -> String {
    match points {
        f64::INFINITY => "+∞".to_string(),
        f64::NEG_INFINITY => "−∞".to_string(),
        // Adding zero turns -0 into 0.
        _ => format!("{:+}", points.round() + 0.0).replace('-', "−"),
    }
}

/// A rating difference without rounding.
fn elo_exact(points: f64) -> String {
    format!("{:+}", points + 0.0).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workers::play_games;
    use std::sync::atomic::AtomicBool;

    fn tournament(players: &[&str]) -> Tournament {
        Tournament::new(players.iter().map(|name| name.parse().unwrap()).collect())
    }

    fn page_of(tournament: &Tournament, games: &[LoggedGame]) -> String {
        let mut scoreboard = Scoreboard::new(tournament);
        games.iter().for_each(|game| assert!(scoreboard.add(game) <= 2));
        match_page(&scoreboard, games, None)
    }

    fn game(number: u64, result: &str) -> LoggedGame {
        let (ending, tries) = ("checkmate".to_string(), "e2e4/0 e7e5/12 d1h5/2500".to_string());
        LoggedGame {
            number,
            result: result.to_string(),
            ending,
            why: None,
            plies: 3,
            processor_wait_ms: 0,
            tries,
        }
    }

    fn play(tournament: &Tournament) -> Vec<LoggedGame> {
        let mut games = Vec::new();
        let numbers: Vec<u64> = tournament.game_numbers().collect();
        let stop = AtomicBool::new(false);
        play_games(tournament, &numbers, 2, &stop, |game| {
            games.push(game);
            true
        })
        .unwrap();
        games
    }

    /// The text of each tag, after checking that all elements are closed.
    fn tags(page: &str) -> Vec<&str> {
        let (mut open, mut tags) = (Vec::new(), Vec::new());
        for part in page.split('<').skip(1) {
            let (tag, _) = part.split_once('>').expect("a tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let element = tag.split([' ', '/']).next().unwrap();
            if let Some(closed) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed));
            } else if !tag.ends_with('/') && !["!DOCTYPE", "meta"].contains(&element) {
                open.push(element);
            }
            tags.push(tag);
        }
        assert_eq!(open, Vec::<&str>::new());
        tags
    }

    /// Checks that elements are closed, plots have a label, numbers are finite, and there are no
    /// external resources.
    fn assert_valid(page: &str) {
        for tag in tags(page) {
            assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
            assert!(!tag.contains("src=") && !tag.contains("href="), "{tag}");
            assert!(!tag.starts_with("svg") || tag.contains("role=\"img\" aria-label="), "{tag}");
        }
        assert!(!page.contains("url(") && !page.contains("@import"));
    }

    #[test]
    fn the_page_of_a_match_has_its_players_and_all_sections() {
        let tournament = Tournament {
            games_per_pairing: 12,
            opening_plies: 2,
            ..tournament(&["semi-random", "random"])
        };
        let page = page_of(&tournament, &play(&tournament));
        assert_valid(&page);
        assert!(page.contains("<h1><bdi>semi-random</bdi> against <bdi>random</bdi></h1>"));
        for title in ["Settings", "Result", "Crosstable", "Games", "Forfeited games"] {
            assert!(page.contains(&format!("<h2>{title}</h2>")), "{title}");
        }
        for title in ["Score over games", "Length of games", "Endings", "Tries per move"] {
            assert!(page.contains(&format!("<strong>{title}.</strong>")), "{title}");
        }
        assert_eq!(page.matches("<svg").count(), 4);
        assert!(page.contains("The games had no clock."));
    }

    #[test]
    fn the_page_of_a_tournament_has_a_line_for_each_player() {
        let tournament = tournament(&["random", "semi-random", "greedy"]);
        let games: Vec<_> = (0..30).map(|number| game(number, "1-0")).collect();
        let page = page_of(&tournament, &games);
        assert_valid(&page);
        assert!(page.contains("<h1>Tournament of 3 players</h1>"));
        assert!(page.contains("<h2>Crosstable</h2>") && !page.contains("<h2>Result</h2>"));
        assert_eq!(page.matches("<polyline").count(), 3);
        assert!(page.contains("837.3 ms on average, at most 2.5 s"));
    }

    #[test]
    fn the_page_shows_the_verdict_of_a_sequential_test() {
        let tournament = tournament(&["random", "greedy"]);
        let mut test = SequentialTest::new("-5,10".parse().unwrap());
        let page =
            |test: &SequentialTest| match_page(&Scoreboard::new(&tournament), &[], Some(test));
        assert!(page(&test).contains("undecided"));
        (0..2_000).for_each(|number| test.add(number, if number % 3 == 0 { 0 } else { 2 }));
        let page = page(&test);
        assert_valid(&page);
        let end = test.end().unwrap();
        assert!(page.contains("Elo −5 or less"));
        assert!(page.contains(&format!("H1 accepted after {end} games")));
    }

    #[test]
    fn hostile_names_are_escaped() {
        let engine = r#"engine(cmd="sh -c '<script>&'")"#;
        for names in [&[engine, "random"][..], &[engine, "random", "greedy"]] {
            let mut lost = game(0, "<i>");
            lost.why = Some("</table><b \"'>".to_string());
            lost.ending = "<u>".to_string();
            let page = page_of(&tournament(names), &[lost, game(1, "0-1")]);
            assert_valid(&page);
            for tag in ["<script", "</table><b", "<i>", "<u>"] {
                assert!(!page.contains(tag), "{tag}");
            }
            assert!(page.contains("sh -c &#39;&lt;script&gt;&amp;&#39;"));
        }
    }

    #[test]
    fn no_games_and_a_single_game_make_a_page() {
        for names in [&["random", "greedy"][..], &["random", "greedy", "semi-random"]] {
            let tournament = tournament(names);
            assert_valid(&page_of(&tournament, &[]));
            assert!(page_of(&tournament, &[]).contains("No games yet."));
            for result in ["1-0", "0-1", "1/2-1/2"] {
                assert_valid(&page_of(&tournament, &[game(0, result)]));
            }
            let abandoned = LoggedGame { plies: 0, tries: String::new(), ..game(1, "1-0") };
            assert_valid(&page_of(&tournament, &[abandoned]));
        }
        let one = page_of(&tournament(&["random", "greedy"]), &[game(0, "1-0")]);
        assert!(one.contains("+∞"));
    }

    #[test]
    fn the_page_does_not_depend_on_the_order_of_the_games() {
        let tournament = Tournament {
            games_per_pairing: 6,
            ..tournament(&["random", "semi-random", "greedy(tablebases=no)"])
        };
        let mut games = play(&tournament);
        games[0].why = Some("it stopped".to_string());
        games[3].why = Some("it stopped, too".to_string());
        let page = page_of(&tournament, &games);
        games.reverse();
        games.swap(2, 7);
        assert_eq!(page, page_of(&tournament, &games));
    }

    #[test]
    fn only_the_first_of_many_forfeited_games_are_listed() {
        let forfeited =
            |number| LoggedGame { why: Some("a <fault>".to_string()), ..game(number, "1-0") };
        let mut games: Vec<_> = (0..205).map(forfeited).collect();
        for adjudicated in &mut games[..2] {
            adjudicated.ending = "agreement".to_string();
        }
        let page = page_of(&tournament(&["random", "greedy"]), &games);
        assert_eq!(page.matches("a &lt;fault&gt;").count(), MAX_ROWS);
        assert!(page.contains("<p>and 3 more</p>"));
        assert!(page.contains("Not counting 2 adjudicated"));
    }
}
