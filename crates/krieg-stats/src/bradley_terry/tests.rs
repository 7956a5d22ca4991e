//! The ratings, against published values, formulas and simulations.

use super::*;
use krieg_testing::{cases, seeded_rng};
use proptest::prelude::*;
use rand::RngExt;

fn head_to_head(first: usize, second: usize, results: [u64; 3]) -> HeadToHead {
    HeadToHead::new(first, second, results)
}

#[test]
fn american_league_1987_matches_agresti() {
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
    let all_results: Vec<_> =
        pairs.map(|(a, b)| head_to_head(a, b, [wins[a][b], 0, wins[b][a]])).collect();
    let fit = Fit::new(7, &all_results, 0.0);
    let published = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684];
    for (team, published) in published.into_iter().enumerate() {
        let found = fit.logs[team] - fit.logs[6];
        assert!((found - published).abs() < 0.002, "team {team}: {found}");
    }
}

#[test]
fn two_players_match_the_closed_form() {
    let all_results = [head_to_head(0, 1, [60, 25, 15])];
    let fit = Fit::new(2, &all_results, 0.0);
    assert!((fit.logs[0] - fit.logs[1] - 4.0_f64.ln()).abs() < 1e-6);
    assert!((fit.draw() - 25.0 / 30.0).abs() < 1e-6);
}

#[test]
fn margin_of_equal_players_follows_from_their_score() {
    // A player's rating is half the rating difference. In 10,000 games without draws the score has
    // a standard error of 0.005, and an Elo point corresponds to a score of ln(10)/1600.
    let ratings = Ratings::fit(2, &[head_to_head(0, 1, [5_000, 0, 5_000])]).unwrap();
    let expected = 1.96 * 0.005 * 4.0 * ELO_PER_LOG_ODDS / 2.0;
    assert!((ratings.players[0].margin - expected).abs() < 0.01, "{ratings:?}");
}

#[test]
fn rating_difference_does_not_depend_on_the_number_of_draws() {
    for draws in [0, 10_000, 90_000] {
        // A score of 51%.
        let lead = (100_000 - draws) / 2;
        let results = [lead + 1_000, draws, lead - 1_000];
        let ratings = Ratings::fit(2, &[head_to_head(0, 1, results)]).unwrap();
        let elo = ratings.players[0].elo - ratings.players[1].elo;
        assert!((elo - crate::elo_from_score(0.51)).abs() < 0.1, "{draws}: {elo}");
    }
}

#[test]
fn rating_difference_of_two_players_is_implied_by_their_score() {
    for results in [[600, 2_400, 0], [1_500, 500, 300], [9_000, 10, 400]] {
        let ratings = Ratings::fit(2, &[head_to_head(0, 1, results)]).unwrap();
        let [wins, draws, losses] = results.map(|count| count as f64);
        let score = (wins + draws / 2.0) / (wins + draws + losses);
        let elo = ratings.players[0].elo - ratings.players[1].elo;
        assert!(
            (elo - elo_from_score(score)).abs() < 2.0,
            "{results:?}: {elo} {}",
            elo_from_score(score)
        );
    }
}

#[test]
fn known_strengths_are_recovered() {
    let (logs, draw) = ([2.0, 0.8, 0.0, -0.4, -2.4], 0.8);
    let mut rng = seeded_rng(1970);
    let mut all_results = Vec::new();
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
            all_results.push(head_to_head(a, b, results));
        }
    }
    let ratings = Ratings::fit(5, &all_results).unwrap();
    let scale = Fit::new(5, &all_results, PRIOR).elo_scale();
    for (rating, log) in ratings.players.iter().zip(logs) {
        assert!((rating.elo - scale * log).abs() < 1.5 * rating.margin, "{log}: {rating:?}");
        assert!((2.0..10.0).contains(&rating.margin), "{rating:?}");
    }
    assert!((ratings.draw - draw).abs() < 0.05, "{}", ratings.draw);
}

#[test]
fn margins_cover_95_percent() {
    // Games between three players. In the first case most games are drawn and the better player
    // loses few; in the second nearly all are drawn.
    for (better, draw) in [([0.28, 0.35, 0.08], 0.6), ([0.06, 0.09, 0.03], 0.9)] {
        let mut rng = seeded_rng(1952);
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let truth: Vec<HeadToHead> = pairs
            .iter()
            .zip(better)
            .map(|(&(a, b), better)| {
                let probabilities = [better, draw, 1.0 - draw - better];
                head_to_head(a, b, probabilities.map(|p: f64| (p * 1e7).round() as u64))
            })
            .collect();
        let truth = Ratings::fit(3, &truth).unwrap().players;
        let mut hits = 0;
        for _ in 0..200 {
            let played: Vec<HeadToHead> = pairs
                .iter()
                .zip(better)
                .map(|(&(a, b), better)| {
                    let mut results = [0; 3];
                    for _ in 0..300 {
                        let x: f64 = rng.random_range(0.0..1.0);
                        let lost = x >= better + draw;
                        results[usize::from(x >= better) + usize::from(lost)] += 1;
                    }
                    head_to_head(a, b, results)
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
fn player_who_won_every_game_has_a_finite_rating() {
    let ratings = Ratings::fit(2, &[head_to_head(0, 1, [10, 0, 0])]).unwrap();
    let Rating { elo, margin } = ratings.players[0];
    assert!((200.0..500.0).contains(&elo) && (100.0..1_000.0).contains(&margin), "{ratings:?}");
}

#[test]
fn player_without_games_has_the_average_rating_and_a_wide_margin() {
    let ratings = Ratings::fit(3, &[head_to_head(0, 1, [70, 0, 30])]).unwrap();
    let Rating { elo, margin } = ratings.players[2];
    assert!(elo.abs() < 1e-6 && margin > 500.0, "{ratings:?}");
    assert_eq!(Ratings::fit(0, &[]).unwrap().players, []);
}

#[test]
fn groups_that_never_met_are_each_centred() {
    let all_results = [head_to_head(0, 1, [70, 5, 30]), head_to_head(2, 3, [0, 0, 9])];
    let elos = Ratings::fit(4, &all_results).unwrap().players;
    assert!((elos[0].elo + elos[1].elo).abs() < 1e-6, "{elos:?}");
    assert!((elos[2].elo + elos[3].elo).abs() < 1e-6, "{elos:?}");
}

#[test]
fn invalid_results_are_rejected() {
    let unknown = Ratings::fit(2, &[head_to_head(0, 2, [1, 0, 0])]);
    assert_eq!(unknown, Err(HeadToHeadError::UnknownPlayer { player: 2, players: 2 }));
    assert_eq!(
        Ratings::fit(2, &[head_to_head(1, 1, [1, 0, 0])]),
        Err(HeadToHeadError::SamePlayer(1))
    );
}

prop_compose! {
    fn all_results(most: u64)(
        all in proptest::collection::vec(
            (0..6_usize, 1..6_usize, proptest::array::uniform3(0..=most)), 0..12),
    ) -> Vec<HeadToHead> {
        all.into_iter()
            .map(|(a, offset, results)| head_to_head(a, (a + offset) % 6, results))
            .collect()
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn ratings_do_not_depend_on_the_order_of_players(
        all_results in all_results(20),
    ) {
        let ratings = Ratings::fit(6, &all_results).unwrap();
        let turned: Vec<_> = all_results
            .iter()
            .map(|m| head_to_head(5 - m.second, 5 - m.first, [m.losses, m.draws, m.wins]))
            .collect();
        let turned = Ratings::fit(6, &turned).unwrap();
        for (one, other) in ratings.players.iter().zip(turned.players.iter().rev()) {
            prop_assert!((one.elo - other.elo).abs() < 1e-3);
            prop_assert!((one.margin - other.margin).abs() < 1e-3);
        }
        prop_assert!(ratings.players.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-3);
    }

    #[test]
    fn ratings_are_finite(all_results in all_results(u64::MAX)) {
        let ratings = Ratings::fit(6, &all_results).unwrap();
        prop_assert!(ratings.draw.is_finite());
        for Rating { elo, margin } in ratings.players {
            prop_assert!(elo.is_finite() && margin.is_finite());
        }
    }
}
