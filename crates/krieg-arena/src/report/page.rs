//! A contest as a page for the browser: one file that asks for no other.

use std::fmt::Write as _;

use krieg_core::Position;

use super::figures::figures;
use super::html::{apart, escape, name};
use super::parts::{self, Cells, document, facts, section, table};
use crate::log::LoggedGame;
use crate::plan::{Form, Plan};
use crate::statistics::Standing;
use crate::tally::{Tally, Trial};

/// Of the games that went wrong so many are listed: more than anybody reads, and few enough to open the page.
const MOST_ROWS: usize = 200;

/// A contest as a page of HTML: its conditions, its result, and its games in plots. The tally must be that of
/// these games; they may come in any order, and the same games make the same page.
///
/// ```
/// use krieg_arena::{Plan, Tally, report};
/// let players = ["greedy", "random"].map(|name| name.parse().unwrap());
/// let tally = Tally::new(&Plan::new(players.to_vec()));
/// let page = report::page(&tally, &[], None);
/// assert!(page.contains("<title>greedy against random</title>"));
/// ```
pub fn page(tally: &Tally, games: &[LoggedGame], trial: Option<&Trial>) -> String {
    let mut games: Vec<&LoggedGame> = games.iter().collect();
    games.sort_by_key(|game| game.number);
    let plan = tally.plan();
    let (title, heading) = match &plan.players[..] {
        [a, b] => (
            escape(&format!("{a} against {b}")),
            format!("{} against {}", apart(&a.to_string()), apart(&b.to_string())),
        ),
        players => {
            let title = format!("Tournament of {} players", players.len());
            (title.clone(), title)
        }
    };
    let mut page = section("Conditions", &conditions(tally));
    if let ([_, _], [standing]) = (&plan.players[..], tally.standings()) {
        page += &section("Result", &result(standing));
    }
    page += &section("Crosstable", &crosstable(tally));
    if let Some(trial) = trial {
        page += &section("Sequential test", &test(trial));
    }
    let drawn = match games.is_empty() {
        true => "<p>No games yet.</p>\n".to_string(),
        false => parts::figures(&figures(tally, &games)),
    };
    page += &section("Games", &drawn);
    page += &section("Games that went wrong", &wrong(plan, &games));
    document(&title, &heading, "", &page)
}

fn conditions(tally: &Tally) -> String {
    let plan = tally.plan();
    let mut rows = Vec::new();
    if plan.players.len() > 2 {
        let form = match plan.form {
            Form::RoundRobin => "everybody meets everybody",
            Form::Gauntlet => "the first player meets everybody else",
        };
        rows.push(("Form", form.to_string()));
    }
    rows.push(("Ruleset", escape(&plan.ruleset.to_string())));
    rows.push(("Time control", escape(&plan.control.to_string())));
    if plan.start != Position::start() {
        rows.push(("Start", escape(&plan.start.to_string())));
    }
    rows.push(("Opening", format!("{} random plies", plan.opening_plies)));
    rows.extend(plan.draw_after.map(|moves| ("Called a draw after", format!("{moves} moves"))));
    rows.extend(plan.ponder.then(|| ("On the opponent's time", "thought".to_string())));
    rows.push(("Seed", plan.seed.to_string()));
    let games = match (tally.games(), plan.total()) {
        (games, total) if games < total => format!("{games} of {total}"),
        (games, _) => games.to_string(),
    };
    rows.push(("Games", games));
    facts(&rows)
}

fn result(standing: &Standing) -> String {
    let [won, drawn, lost] = standing.counts();
    let (low, high) = standing.interval();
    let (elo_low, elo_high) = standing.elo_interval();
    let numbers = facts(&[
        ("Wins, draws, losses", format!("{won}, {drawn}, {lost}")),
        ("Score", format!("{} [{}, {}]", percent(standing.share()), percent(low), percent(high))),
        ("Elo", format!("{} [{}, {}]", elo(standing.elo()), elo(elo_low), elo(elo_high))),
        ("Likely to be the better one", percent(standing.likelihood_of_superiority())),
    ]);
    let cell = |count: u64| format!("<td>{count}</td>");
    let pairs = standing.pentanomial().map(cell).concat();
    let rows = format!("<tr><th scope=\"row\">Pairs</th>{pairs}</tr>\n");
    let pairs =
        table("Pairs of games", Cells::Numbers, &["Points", "0", "½", "1", "1½", "2"], &rows);
    format!(
        "<p>From the first player's side; in brackets the 95% interval.</p>\n\
         <div class=\"beside\">\n{numbers}{pairs}</div>\n"
    )
}

fn test(trial: &Trial) -> String {
    let sprt = trial.sprt();
    let ((elo0, elo1), (alpha, beta)) = (sprt.claims(), sprt.chances());
    let (low, high) = sprt.bounds();
    let verdict = match (trial.verdict(), trial.end()) {
        (Some(claim), Some(games)) => format!("{claim} accepted after {games} games"),
        _ => "undecided so far".to_string(),
    };
    let llr = format!("{:.2} within [{low:.2}, {high:.2}]", trial.llr() + 0.0);
    let claim = |than: &str, points: f64, chance: f64| {
        let points = elo_exact(points);
        format!("Elo {points} or {than}; rejected by mistake with chance {}", percent(chance))
    };
    facts(&[
        ("H0", claim("less", elo0, alpha)),
        ("H1", claim("more", elo1, beta)),
        ("Log-likelihood ratio", llr.replace('-', "−")),
        ("Verdict", verdict),
    ])
}

fn crosstable(tally: &Tally) -> String {
    let table_rows = tally.table();
    let mut rows = String::new();
    for (place, row) in (1..).zip(&table_rows) {
        let _ = write!(
            rows,
            "<tr><th scope=\"row\" class=\"text\">{place}. {}</th>\
             <td>{} ±{:.0}</td><td>{}/{}</td>",
            apart(&tally.plan().players[row.player].to_string()),
            elo(row.rating.elo),
            row.rating.margin,
            row.points,
            row.games,
        );
        for (at, share) in row.shares.iter().enumerate() {
            let share = match share {
                Some(share) => percent(*share),
                None if at + 1 == place => "·".to_string(),
                None => String::new(),
            };
            let _ = write!(rows, "<td>{share}</td>");
        }
        rows += "</tr>\n";
    }
    let places: Vec<String> = (1..=table_rows.len()).map(|place| place.to_string()).collect();
    let mut headings = vec!["Player", "Elo", "Points"];
    headings.extend(places.iter().map(String::as_str));
    table("Crosstable", Cells::Numbers, &headings, &rows)
}

/// The games in which somebody failed. Those that were called off by the plan are only counted: with a limit
/// of moves there may be many, and nobody would see the others for them.
fn wrong(plan: &Plan, games: &[&LoggedGame]) -> String {
    let told = games.iter().filter_map(|game| Some((*game, game.why.as_deref()?)));
    let (off, wrong): (Vec<_>, Vec<_>) = told.partition(|told| told.0.reason() == "adjudication");
    let off = match off.len() {
        0 => String::new(),
        off => format!("<p>Not counting {off} that were called off as draws.</p>\n"),
    };
    if wrong.is_empty() {
        return "<p>None.</p>\n".to_string() + &off;
    }
    let mut rows = String::new();
    for (game, why) in wrong.iter().take(MOST_ROWS) {
        let fixture = plan.fixture(game.number);
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td><td class=\"text\">{}</td>\
             <td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
            game.number,
            name(&plan.players[fixture.white]),
            name(&plan.players[fixture.black]),
            escape(&game.result),
            escape(game.reason()),
            apart(&krieg_core::reason(why)),
        );
    }
    let headings = ["Game", "White", "Black", "Result", "Ended by", "Why"];
    let listed = table("Games that went wrong", Cells::Texts, &headings, &rows);
    match wrong.len().saturating_sub(MOST_ROWS) {
        0 => listed + &off,
        more => format!("{listed}<p>and {more} more</p>\n{off}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// Points of rating with their sign, and the sign that typesetters use.
fn elo(points: f64) -> String {
    match points {
        f64::INFINITY => "+∞".to_string(),
        f64::NEG_INFINITY => "−∞".to_string(),
        // Adding nothing makes 0 of what would be printed as -0.
        _ => format!("{:+}", points.round() + 0.0).replace('-', "−"),
    }
}

/// Points of rating as somebody gave them.
fn elo_exact(points: f64) -> String {
    format!("{:+}", points + 0.0).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::run;
    use std::sync::atomic::AtomicBool;

    fn plan(players: &[&str]) -> Plan {
        Plan::new(players.iter().map(|name| name.parse().unwrap()).collect())
    }

    fn page_of(plan: &Plan, games: &[LoggedGame]) -> String {
        let mut tally = Tally::new(plan);
        games.iter().for_each(|game| assert!(tally.add(game) <= 2));
        page(&tally, games, None)
    }

    fn game(number: u64, result: &str) -> LoggedGame {
        let (ending, tries) = ("checkmate".to_string(), "e2e4/0 e7e5/12 d1h5/2500".to_string());
        LoggedGame { number, result: result.to_string(), ending, why: None, plies: 3, tries }
    }

    fn played(plan: &Plan) -> Vec<LoggedGame> {
        let mut games = Vec::new();
        let numbers: Vec<u64> = plan.numbers().collect();
        let stop = AtomicBool::new(false);
        run(plan, &numbers, 2, &stop, |game| {
            games.push(game);
            true
        })
        .unwrap();
        games
    }

    /// What is between `<` and `>`, tag by tag, after seeing that whatever is opened is closed.
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

    /// Tags close, drawings have a name, numbers are numbers, and nothing is asked for from elsewhere.
    fn assert_sound(page: &str) {
        for tag in tags(page) {
            assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
            assert!(!tag.contains("src=") && !tag.contains("href="), "{tag}");
            assert!(!tag.starts_with("svg") || tag.contains("role=\"img\" aria-label="), "{tag}");
        }
        assert!(!page.contains("url(") && !page.contains("@import"));
    }

    #[test]
    fn a_match_is_told_with_its_players_and_in_all_sections() {
        let plan = Plan { games: 12, opening_plies: 2, ..plan(&["semi-random", "random"]) };
        let page = page_of(&plan, &played(&plan));
        assert_sound(&page);
        assert!(page.contains("<h1><bdi>semi-random</bdi> against <bdi>random</bdi></h1>"));
        for title in ["Conditions", "Result", "Crosstable", "Games", "Games that went wrong"] {
            assert!(page.contains(&format!("<h2>{title}</h2>")), "{title}");
        }
        for title in ["Score over games", "Length of games", "Endings", "Tries per move"] {
            assert!(page.contains(&format!("<strong>{title}.</strong>")), "{title}");
        }
        assert_eq!(page.matches("<svg").count(), 4);
        assert!(page.contains("No clock ran."));
    }

    #[test]
    fn a_tournament_has_a_line_for_each_player() {
        let plan = plan(&["random", "semi-random", "greedy"]);
        let games: Vec<_> = (0..30).map(|number| game(number, "1-0")).collect();
        let page = page_of(&plan, &games);
        assert_sound(&page);
        assert!(page.contains("<h1>Tournament of 3 players</h1>"));
        assert!(page.contains("<h2>Crosstable</h2>") && !page.contains("<h2>Result</h2>"));
        assert_eq!(page.matches("<polyline").count(), 3);
        assert!(page.contains("837.3 ms on the average, 2.5 s at most"));
    }

    #[test]
    fn the_test_is_told_with_its_verdict() {
        let plan = plan(&["random", "greedy"]);
        let mut trial = Trial::new("-5,10".parse().unwrap());
        let told = |trial: &Trial| page(&Tally::new(&plan), &[], Some(trial));
        assert!(told(&trial).contains("undecided so far"));
        (0..2_000).for_each(|number| trial.add(number, if number % 3 == 0 { 0 } else { 2 }));
        let page = told(&trial);
        assert_sound(&page);
        let end = trial.end().unwrap();
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
            let page = page_of(&plan(names), &[lost, game(1, "0-1")]);
            assert_sound(&page);
            for tag in ["<script", "</table><b", "<i>", "<u>"] {
                assert!(!page.contains(tag), "{tag}");
            }
            assert!(page.contains("sh -c &#39;&lt;script&gt;&amp;&#39;"));
        }
    }

    #[test]
    fn no_games_and_one_make_a_page_too() {
        for names in [&["random", "greedy"][..], &["random", "greedy", "semi-random"]] {
            let plan = plan(names);
            assert_sound(&page_of(&plan, &[]));
            assert!(page_of(&plan, &[]).contains("No games yet."));
            for result in ["1-0", "0-1", "1/2-1/2"] {
                assert_sound(&page_of(&plan, &[game(0, result)]));
            }
            let left = LoggedGame { plies: 0, tries: String::new(), ..game(1, "1-0") };
            assert_sound(&page_of(&plan, &[left]));
        }
        assert!(page_of(&plan(&["random", "greedy"]), &[game(0, "1-0")]).contains("+∞"));
    }

    #[test]
    fn the_order_in_which_games_came_leaves_no_trace() {
        let plan = Plan { games: 6, ..plan(&["random", "semi-random", "greedy(tables=no)"]) };
        let mut games = played(&plan);
        games[0].why = Some("it stopped".to_string());
        games[3].why = Some("it stopped, too".to_string());
        let page = page_of(&plan, &games);
        games.reverse();
        games.swap(2, 7);
        assert_eq!(page, page_of(&plan, &games));
    }

    #[test]
    fn of_many_games_that_went_wrong_the_first_are_listed() {
        let wrong =
            |number| LoggedGame { why: Some("a <fault>".to_string()), ..game(number, "1-0") };
        let mut games: Vec<_> = (0..205).map(wrong).collect();
        for called_off in &mut games[..2] {
            called_off.ending = "agreement".to_string();
        }
        let page = page_of(&plan(&["random", "greedy"]), &games);
        assert_eq!(page.matches("a &lt;fault&gt;").count(), MOST_ROWS);
        assert!(page.contains("<p>and 3 more</p>"));
        assert!(page.contains("Not counting 2 that were called off"));
    }
}
