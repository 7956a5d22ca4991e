//! `krieg bench strangers`: beliefs about opponents whom the opponent model was not fitted to.
//!
//! Every player of the games is left out in turn: the types fitted to that player are removed from
//! the mixture, and the belief of the player's opponents is compared with the truth. The model
//! `recapture`, which needs no fitting, is the standard of comparison.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use krieg_arena::report::align_columns;
use krieg_arena::{is_played_by, read_records};
use krieg_belief::{BeliefScore, OpponentBoard, OpponentMixture};
use krieg_core::{Color, Game, Observer, Piece, Record, Square, Try, Verdict, color_name};
use krieg_players::{BeliefSpec, Seat};
use krieg_time::TimeControl;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::belief::opponents;
use crate::options::BenchStrangersOptions;

/// The belief whose opponent model needs no fitting.
const PLAIN_BELIEF: &str = "smc";
/// Number of predictions per bin of a calibration table.
const CASES_PER_BIN: usize = 100;
/// The capturing pieces whose recaptures are counted, from the point of view of the player.
const PIECES: [(&str, &[Piece]); 3] = [
    ("queen", &[Piece::Queen]),
    ("rook", &[Piece::Rook]),
    ("other", &[Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::King]),
];

/// The index of a piece in [`PIECES`].
fn piece_index(piece: Piece) -> Option<usize> {
    PIECES.iter().position(|(_, pieces)| pieces.contains(&piece))
}

/// A prediction of a recapture.
#[derive(Debug, Clone, Copy)]
struct RecapturePrediction {
    /// The index of the capturing piece in [`PIECES`].
    piece: usize,
    probability: f64,
    has_happened: bool,
}

/// The belief with one model, followed through one side of a game.
#[derive(Debug, Clone, Default)]
struct Followed {
    turns: u32,
    log_loss: f64,
    recaptures: Vec<RecapturePrediction>,
}

/// One model on all sides of games against one player.
#[derive(Debug, Clone, Default)]
struct Row {
    sides: Vec<Followed>,
}

impl Row {
    fn turns(&self) -> f64 {
        self.sides.iter().map(|side| f64::from(side.turns)).sum()
    }

    /// Nats per turn.
    fn log_loss(&self) -> f64 {
        self.sides.iter().map(|side| side.log_loss).sum::<f64>() / self.turns().max(1.0)
    }

    /// The difference to another model on the same sides, in nats per turn, and its standard error.
    fn difference(&self, plain: &Row) -> (f64, f64) {
        let (turns, mean) = (self.turns().max(1.0), self.log_loss() - plain.log_loss());
        let residual = |(one, other): (&Followed, &Followed)| {
            (one.log_loss - other.log_loss - mean * f64::from(one.turns)).powi(2)
        };
        let squares: f64 = self.sides.iter().zip(&plain.sides).map(residual).sum();
        (mean, squares.sqrt() / turns)
    }

    fn recaptures(&self, piece: usize) -> impl Iterator<Item = RecapturePrediction> {
        let all = self.sides.iter().flat_map(|side| &side.recaptures);
        all.filter(move |one| one.piece == piece).copied()
    }
}

/// What was measured against one player.
struct Stranger {
    player: String,
    /// The types that were removed.
    removed: Vec<String>,
    /// One for each model.
    rows: Vec<Row>,
}

/// Measures all beliefs against every player, and prints tables.
pub fn strangers(options: &BenchStrangersOptions) -> Result<()> {
    let records = read_records(&options.files)?;
    let types = opponents(options.opponents.as_deref())?;
    let beliefs = beliefs(options);
    if let Some(belief) = beliefs.iter().find(|one| !one.belief.is_weighted()) {
        bail!("choose another belief than {belief}: it does not give weighted boards");
    }
    let mut strangers = Vec::new();
    for (player, sides) in sides(&records, options) {
        let name = player.split('(').next().unwrap_or(player);
        let rest = types.clone().without_player(name).context(name.to_string())?;
        let is_removed = |one: &&String| !rest.names().contains(one);
        let removed = types.names().iter().filter(is_removed).cloned().collect();
        let follow_all = |belief: &BeliefSpec| {
            let each = sides
                .par_iter()
                .map(|(record, color)| follow(record, *color, belief, &rest, options));
            Row { sides: each.collect() }
        };
        let rows = beliefs.iter().map(follow_all).collect();
        strangers.push(Stranger { player: player.to_string(), removed, rows });
    }
    if strangers.is_empty() {
        bail!("there are no games{}", if records.is_empty() { "" } else { " of this player" });
    }
    let mut out = io::stdout().lock();
    if options.json {
        writeln!(out, "{}", to_json(&strangers, &beliefs))?;
        return Ok(());
    }
    writeln!(out, "{} particles; nats per turn\n", options.particles)?;
    write!(out, "{}", log_loss_table(&strangers, &beliefs))?;
    for (number, belief) in beliefs.iter().enumerate() {
        writeln!(out, "\nrecaptures, by capturing piece, {}: predicted, observed, cases", belief)?;
        write!(out, "{}", recapture_table(&strangers, number))?;
    }
    Ok(())
}

/// The beliefs to measure: the one whose model needs no fitting first.
fn beliefs(options: &BenchStrangersOptions) -> Vec<BeliefSpec> {
    let plain: BeliefSpec = PLAIN_BELIEF.parse().expect("the belief is in the registry");
    let others = options.beliefs.iter().copied().filter(|belief| *belief != plain);
    [plain].into_iter().chain(others).collect()
}

/// The sides of games to follow, by the name of the opponent. They are evenly spread over the
/// games.
fn sides<'a>(
    records: &'a [Record],
    options: &BenchStrangersOptions,
) -> BTreeMap<&'a str, Vec<(&'a Record, Color)>> {
    let mut sides: BTreeMap<&str, Vec<(&Record, Color)>> = BTreeMap::new();
    for record in records {
        for color in Color::ALL {
            let is_followed = options.player.as_deref();
            if is_followed.is_some_and(|name| !is_played_by(record, color, name)) {
                continue;
            }
            let opponent = record.tags().get(color_name(!color)).map_or("?", String::as_str);
            sides.entry(opponent).or_default().push((record, color));
        }
    }
    for list in sides.values_mut() {
        let count = list.len().min(options.games);
        *list = (0..count).map(|number| list[number * list.len() / count]).collect();
    }
    sides
}

/// Follows one side of a game: compares the belief with the truth at the start of each turn, and
/// predicts a recapture after each capture.
fn follow(
    record: &Record,
    color: Color,
    belief: &BeliefSpec,
    types: &OpponentMixture,
    options: &BenchStrangersOptions,
) -> Followed {
    let setup = record.setup();
    let control = TimeControl::Unlimited;
    let seat = Seat { color, setup: setup.clone(), control, seed: options.seed };
    let mut followed = Followed::default();
    let Some(mut belief) = belief.make_weighted(&seat, options.particles, types) else {
        return followed;
    };
    let mut observer = Observer::new(color);
    let mut game = Game::new(setup.clone());
    // The square of an own capture, the capturing piece, and the probability of a recapture.
    let mut pending: Option<(Square, usize, f64)> = None;
    for entry in record.entries() {
        // The record was umpired by the same rules, so this does not fail.
        let _ = game.judge(entry.tried);
        let has_moved = entry.announcement.verdict == Verdict::Moved;
        let is_own = entry.announcement.by == color;
        if let (Try::Move(mv), true) = (entry.tried, has_moved && !is_own)
            && let Some((square, piece, probability)) = pending.take()
        {
            let has_happened = mv.to == square;
            followed.recaptures.push(RecapturePrediction { piece, probability, has_happened });
        }
        let Some(observation) = observer.observe(entry) else { continue };
        // The belief recovers from contradictions.
        let _ = belief.observe(&observation);
        let (Try::Move(mv), true, None) = (entry.tried, has_moved, observation.announcement.end)
        else {
            continue;
        };
        let own = game.umpire().view(color).pieces();
        if !is_own {
            let truth = OpponentBoard::of(game.umpire().position(), !color);
            followed.log_loss += BeliefScore::new(&belief.marginals(), &truth, own).log_loss;
            followed.turns += 1;
        } else if observation.announcement.capture.is_some() {
            let piece = own.piece_on(mv.to).and_then(piece_index);
            let probability = belief.destination_probabilities().map(|all| all[mv.to as usize]);
            pending = piece.zip(probability).map(|(piece, one)| (mv.to, piece, one));
        }
    }
    followed
}

fn log_loss_table(strangers: &[Stranger], beliefs: &[BeliefSpec]) -> String {
    let mut head = ["", "opponent", "sides", "turns"].map(str::to_string).to_vec();
    for belief in beliefs {
        head.push(belief.to_string());
        if belief.to_string() != PLAIN_BELIEF {
            head.push("difference".to_string());
        }
    }
    head.push("types left out".to_string());
    let mut lines = vec![head];
    for Stranger { player, removed, rows } in strangers {
        let mut line = vec![
            String::new(),
            player.clone(),
            rows[0].sides.len().to_string(),
            format!("{:.0}", rows[0].turns()),
        ];
        for (number, row) in rows.iter().enumerate() {
            line.push(format!("{:.2}", row.log_loss()));
            if number > 0 {
                let (mean, error) = row.difference(&rows[0]);
                line.push(format!("{mean:+.2} ± {error:.2}"));
            }
        }
        line.push(if removed.is_empty() { "-".to_string() } else { removed.join(", ") });
        lines.push(line);
    }
    align_columns(&lines)
}

/// Mean prediction, observed frequency and number of these predictions.
fn bin(cases: &[RecapturePrediction]) -> Option<(f64, f64)> {
    let count = cases.len() as f64;
    let happened = cases.iter().filter(|case| case.has_happened).count() as f64;
    let predicted: f64 = cases.iter().map(|case| case.probability).sum();
    (!cases.is_empty()).then(|| (predicted / count, happened / count))
}

/// The predictions in bins of [`CASES_PER_BIN`], by increasing probability. The last bin has the
/// remaining cases, too.
fn bins(mut cases: Vec<RecapturePrediction>) -> Vec<Vec<RecapturePrediction>> {
    cases.sort_by(|a, b| a.probability.total_cmp(&b.probability));
    let count = (cases.len() / CASES_PER_BIN).max(1);
    let edge = |number: usize| match number == count {
        true => cases.len(),
        false => number * CASES_PER_BIN,
    };
    (0..count).map(|number| cases[edge(number)..edge(number + 1)].to_vec()).collect()
}

fn recapture_table(strangers: &[Stranger], model: usize) -> String {
    let text = |cases: &[RecapturePrediction]| match bin(cases) {
        Some((predicted, observed)) => format!("{predicted:.3} {observed:.3} {}", cases.len()),
        None => "-".to_string(),
    };
    let names = PIECES.map(|(name, _)| name.to_string());
    let mut lines = vec![[vec![String::new(), "opponent".to_string()], names.to_vec()].concat()];
    for Stranger { player, rows, .. } in strangers {
        let mut line = vec![String::new(), player.clone()];
        for piece in 0..PIECES.len() {
            let cases: Vec<_> = rows[model].recaptures(piece).collect();
            line.push(text(&cases));
        }
        lines.push(line);
    }
    let all = |piece: usize| {
        bins(strangers.iter().flat_map(|one| one.rows[model].recaptures(piece)).collect())
    };
    let by_piece: Vec<_> = (0..PIECES.len()).map(all).collect();
    for number in 0..by_piece.iter().map(Vec::len).max().unwrap_or(0) {
        let mut line = vec![String::new(), format!("all, bin {}", number + 1)];
        for bins in &by_piece {
            line.push(bins.get(number).map_or(String::new(), |cases| text(cases)));
        }
        lines.push(line);
    }
    align_columns(&lines)
}

fn to_json(strangers: &[Stranger], beliefs: &[BeliefSpec]) -> Value {
    let row = |belief: &BeliefSpec, row: &Row, plain: &Row| {
        let (difference, error) = row.difference(plain);
        let recaptures: Vec<Value> = (0..PIECES.len())
            .map(|piece| {
                let cases: Vec<_> = row.recaptures(piece).collect();
                let (predicted, observed) = bin(&cases).unzip();
                json!({
                    "piece": PIECES[piece].0, "cases": cases.len(), "predicted": predicted,
                    "observed": observed,
                })
            })
            .collect();
        json!({
            "belief": belief.to_string(), "log_loss": row.log_loss(), "difference": difference,
            "standard_error": error, "recaptures": recaptures,
        })
    };
    let stranger = |one: &Stranger| {
        let rows = beliefs.iter().zip(&one.rows).map(|(belief, it)| row(belief, it, &one.rows[0]));
        json!({
            "opponent": one.player, "left_out": one.removed, "sides": one.rows[0].sides.len(),
            "turns": one.rows[0].turns(), "beliefs": rows.collect::<Vec<_>>(),
        })
    };
    strangers.iter().map(stranger).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(turns: u32, log_loss: f64) -> Followed {
        Followed { turns, log_loss, recaptures: Vec::new() }
    }

    #[test]
    fn the_difference_is_per_turn_and_its_error_over_sides() {
        let plain = Row { sides: vec![followed(10, 100.0), followed(30, 300.0)] };
        let worse = Row { sides: vec![followed(10, 120.0), followed(30, 360.0)] };
        assert_eq!(plain.log_loss(), 10.0);
        assert_eq!(worse.difference(&plain), (2.0, 0.0), "the same on every turn");
        let mixed = Row { sides: vec![followed(10, 80.0), followed(30, 320.0)] };
        let (mean, error) = mixed.difference(&plain);
        assert!(mean.abs() < 1e-12 && (error - 800f64.sqrt() / 40.0).abs() < 1e-12, "{error}");
    }

    #[test]
    fn bins_have_equal_numbers_of_cases_by_increasing_probability() {
        let case = |number: usize| RecapturePrediction {
            piece: 0,
            probability: ((number * 7) % 250) as f64 / 250.0,
            has_happened: number.is_multiple_of(2),
        };
        let bins = bins((0..250).map(case).collect());
        assert_eq!(bins.iter().map(Vec::len).collect::<Vec<_>>(), [100, 150]);
        let highest = bins[0].iter().map(|case| case.probability).fold(0.0, f64::max);
        assert!(bins[1].iter().all(|case| case.probability > highest));
        let (predicted, observed) = bin(&bins[0]).unwrap();
        assert!((predicted - 49.5 / 250.0).abs() < 1e-9, "{predicted}");
        assert_eq!(observed, 0.5);
        assert_eq!(bin(&[]), None);
    }
}
