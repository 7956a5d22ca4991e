//! The ratings held to published values, to formulas and to simulations.

use super::*;
use krieg_testing::{cases, hat};
use proptest::prelude::*;
use rand::RngExt;

fn meeting(first: usize, second: usize, results: [u64; 3]) -> Meeting {
    Meeting::new(first, second, results)
}

#[test]
fn the_american_league_of_1987_is_as_agresti_has_it() {
    // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore; wins over each
    // (Categorical Data Analysis, ch. 10).
    let wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    let pairs = (0..7).flat_map(|a| (0..a).map(move |b| (a, b)));
    let meetings: Vec<_> = pairs.map(|(a, b)| meeting(a, b, [wins[a][b], 0, wins[b][a]])).collect();
    let fit = Fit::new(7, &meetings, 0.0);
    let published = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684];
    for (team, published) in published.into_iter().enumerate() {
        let found = fit.logs[team] - fit.logs[6];
        assert!((found - published).abs() < 0.002, "team {team}: {found}");
    }
}

#[test]
fn two_players_have_a_formula() {
    let meetings = [meeting(0, 1, [60, 25, 15])];
    let fit = Fit::new(2, &meetings, 0.0);
    assert!((fit.logs[0] - fit.logs[1] - 4.0_f64.ln()).abs() < 1e-6);
    assert!((fit.draw() - 25.0 / 30.0).abs() < 1e-6);
}

#[test]
fn the_margin_of_equals_is_that_of_their_score() {
    // Each is half the difference above the average. Of 10,000 games without a draw the
    // difference is known to 1.96 standard errors of 0.005 in share, and a point is ln(10)/1600.
    let ratings = Ratings::fit(2, &[meeting(0, 1, [5_000, 0, 5_000])]).unwrap();
    let expected = 1.96 * 0.005 * 4.0 * ELO_PER_LOG / 2.0;
    assert!((ratings.players[0].margin - expected).abs() < 0.01, "{ratings:?}");
}

#[test]
fn a_small_lead_is_worth_the_same_however_many_games_are_drawn() {
    for draws in [0, 10_000, 90_000] {
        // A lead of 1% of the points.
        let lead = (100_000 - draws) / 2;
        let results = [lead + 1_000, draws, lead - 1_000];
        let ratings = Ratings::fit(2, &[meeting(0, 1, results)]).unwrap();
        let elo = ratings.players[0].elo - ratings.players[1].elo;
        assert!((elo - crate::statistics::elo_of(0.51)).abs() < 0.1, "{draws}: {elo}");
    }
}

#[test]
fn two_players_differ_by_what_their_score_stands_for() {
    for results in [[600, 2_400, 0], [1_500, 500, 300], [9_000, 10, 400]] {
        let ratings = Ratings::fit(2, &[meeting(0, 1, results)]).unwrap();
        let [wins, draws, losses] = results.map(|count| count as f64);
        let share = (wins + draws / 2.0) / (wins + draws + losses);
        let elo = ratings.players[0].elo - ratings.players[1].elo;
        assert!((elo - elo_of(share)).abs() < 2.0, "{results:?}: {elo} {}", elo_of(share));
    }
}

#[test]
fn known_strengths_are_found_again() {
    let (logs, draw) = ([2.0, 0.8, 0.0, -0.4, -2.4], 0.8);
    let mut rng = hat(1970);
    let mut meetings = Vec::new();
    for a in 0..5 {
        for b in 0..a {
            let half = (logs[a] - logs[b]) / 2.0_f64;
            let weights = [half.exp(), draw, (-half).exp()];
            let mut results = [0; 3];
            for _ in 0..2_000 {
                let x = rng.random_range(0.0..weights.iter().sum());
                let result =
                    if x < weights[0] { 0 } else { 1 + usize::from(x >= weights[0] + draw) };
                results[result] += 1;
            }
            meetings.push(meeting(a, b, results));
        }
    }
    let ratings = Ratings::fit(5, &meetings).unwrap();
    let points = Fit::new(5, &meetings, PRIOR).points();
    for (rating, log) in ratings.players.iter().zip(logs) {
        assert!((rating.elo - points * log).abs() < 1.5 * rating.margin, "{log}: {rating:?}");
        assert!((2.0..10.0).contains(&rating.margin), "{rating:?}");
    }
    assert!((ratings.draw - draw).abs() < 0.05, "{}", ratings.draw);
}

#[test]
fn nineteen_ratings_in_twenty_are_within_their_margins() {
    // Games between three players, most of them drawn and hardly any lost by the better one: and nearly all drawn.
    for (better, draw) in [([0.28, 0.35, 0.08], 0.6), ([0.06, 0.09, 0.03], 0.9)] {
        let mut rng = hat(1952);
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let truth: Vec<Meeting> = pairs
            .iter()
            .zip(better)
            .map(|(&(a, b), better)| {
                let chances = [better, draw, 1.0 - draw - better];
                meeting(a, b, chances.map(|chance: f64| (chance * 1e7).round() as u64))
            })
            .collect();
        let truth = Ratings::fit(3, &truth).unwrap().players;
        let mut hits = 0;
        for _ in 0..200 {
            let played: Vec<Meeting> = pairs
                .iter()
                .zip(better)
                .map(|(&(a, b), better)| {
                    let mut results = [0; 3];
                    for _ in 0..300 {
                        let x: f64 = rng.random_range(0.0..1.0);
                        let lost = x >= better + draw;
                        results[usize::from(x >= better) + usize::from(lost)] += 1;
                    }
                    meeting(a, b, results)
                })
                .collect();
            let found = Ratings::fit(3, &played).unwrap().players;
            hits +=
                found.iter().zip(&truth).filter(|(f, t)| (f.elo - t.elo).abs() <= f.margin).count();
        }
        assert!((555..=590).contains(&hits), "{draw}: {hits} of 600");
    }
}

#[test]
fn whoever_won_everything_has_a_finite_rating() {
    let ratings = Ratings::fit(2, &[meeting(0, 1, [10, 0, 0])]).unwrap();
    let Rating { elo, margin } = ratings.players[0];
    assert!((200.0..500.0).contains(&elo) && (100.0..1_000.0).contains(&margin), "{ratings:?}");
}

#[test]
fn whoever_met_nobody_is_average_and_unknown() {
    let ratings = Ratings::fit(3, &[meeting(0, 1, [70, 0, 30])]).unwrap();
    let Rating { elo, margin } = ratings.players[2];
    assert!(elo.abs() < 1e-6 && margin > 500.0, "{ratings:?}");
    assert_eq!(Ratings::fit(0, &[]).unwrap().players, []);
}

#[test]
fn groups_that_never_met_are_each_centred() {
    let meetings = [meeting(0, 1, [70, 5, 30]), meeting(2, 3, [0, 0, 9])];
    let elos = Ratings::fit(4, &meetings).unwrap().players;
    assert!((elos[0].elo + elos[1].elo).abs() < 1e-6, "{elos:?}");
    assert!((elos[2].elo + elos[3].elo).abs() < 1e-6, "{elos:?}");
}

#[test]
fn impossible_meetings_are_named() {
    let unknown = Ratings::fit(2, &[meeting(0, 2, [1, 0, 0])]);
    assert_eq!(unknown, Err(BadMeeting::Unknown { player: 2, players: 2 }));
    assert_eq!(Ratings::fit(2, &[meeting(1, 1, [1, 0, 0])]), Err(BadMeeting::Himself(1)));
}

prop_compose! {
    fn meetings(most: u64)(
        all in proptest::collection::vec(
            (0..6_usize, 1..6_usize, proptest::array::uniform3(0..=most)), 0..12),
    ) -> Vec<Meeting> {
        all.into_iter().map(|(a, ahead, results)| meeting(a, (a + ahead) % 6, results)).collect()
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn who_is_named_first_and_who_has_which_number_changes_nothing(
        meetings in meetings(20),
    ) {
        let ratings = Ratings::fit(6, &meetings).unwrap();
        let turned: Vec<_> = meetings
            .iter()
            .map(|m| meeting(5 - m.second, 5 - m.first, [m.losses, m.draws, m.wins]))
            .collect();
        let turned = Ratings::fit(6, &turned).unwrap();
        for (one, other) in ratings.players.iter().zip(turned.players.iter().rev()) {
            prop_assert!((one.elo - other.elo).abs() < 1e-3);
            prop_assert!((one.margin - other.margin).abs() < 1e-3);
        }
        prop_assert!(ratings.players.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-3);
    }

    #[test]
    fn every_number_is_one(meetings in meetings(u64::MAX)) {
        let ratings = Ratings::fit(6, &meetings).unwrap();
        prop_assert!(ratings.draw.is_finite());
        for Rating { elo, margin } in ratings.players {
            prop_assert!(elo.is_finite() && margin.is_finite());
        }
    }
}
