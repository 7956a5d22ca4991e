//! `krieg bench calibration`: predictions of the particle filter against what happened.

use std::io::{self, Write};

use anyhow::{Result, bail};
use krieg_arena::report::align_columns;
use krieg_belief::{
    Belief, Calibration, CalibrationBin, Densities, OpponentPolicy, ParticleFilter, WeightedBelief,
};
use krieg_core::{Color, Entry, Game, Observer, Piece, Record, Square, Try, Verdict};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::belief::opponents;
use crate::options::BenchCalibrationOptions;
use krieg_arena::{is_played_by, read_records};

/// Bins with fewer cases are ignored in the largest difference.
const MIN_CASES: u32 = 100;

/// Predictions and outcomes in some games.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Predictions {
    /// Own tries are legal.
    legal: Calibration,
    /// The opponent recaptures at once.
    recapture: Calibration,
    /// The opponent captures a queen; a rook.
    heavy: [Calibration; 2],
    /// Number of predictions that were impossible because no board was known.
    unanswered: u32,
}

impl Predictions {
    fn merge(&mut self, other: &Predictions) {
        self.legal.merge(&other.legal);
        self.recapture.merge(&other.recapture);
        self.heavy.iter_mut().zip(&other.heavy).for_each(|(heavy, other)| heavy.merge(other));
        self.unanswered += other.unanswered;
    }

    fn tables(&self) -> [(&'static str, &Calibration); 4] {
        [
            ("own tries are legal", &self.legal),
            ("the opponent recaptures", &self.recapture),
            ("the opponent captures a queen", &self.heavy[0]),
            ("the opponent captures a rook", &self.heavy[1]),
        ]
    }
}

/// Measures the calibration, and prints tables.
pub fn calibration(options: &BenchCalibrationOptions) -> Result<()> {
    let records = read_records(&options.files)?;
    let sides = sides(&records, options);
    if sides.is_empty() {
        bail!("there are no games{}", if records.is_empty() { "" } else { " of such players" });
    }
    let opponents = opponents(options.opponents.as_deref())?;
    let follow = |(record, color): &(&Record, Color)| {
        follow(record, *color, options.particles, opponents.clone(), options.seed)
    };
    let each: Vec<Predictions> = sides.par_iter().map(follow).collect();
    let mut all = Predictions::default();
    each.iter().for_each(|of_one| all.merge(of_one));
    let mut out = io::stdout().lock();
    if options.json {
        let tables: Vec<Value> =
            all.tables().iter().map(|(of, calibration)| to_json(of, calibration)).collect();
        let summary = json!({
            "sides": sides.len(), "particles": options.particles, "unanswered": all.unanswered,
            "tables": tables,
        });
        writeln!(out, "{summary}")?;
        return Ok(());
    }
    let (count, particles, unanswered) = (sides.len(), options.particles, all.unanswered);
    writeln!(
        out,
        "{count} sides of games, {particles} particles; {unanswered} predictions without a board"
    )?;
    for (of, calibration) in all.tables() {
        writeln!(out, "\n{of}")?;
        write!(out, "{}", table(calibration))?;
        let largest = calibration.max_difference(MIN_CASES);
        writeln!(
            out,
            "largest difference in bins of at least {MIN_CASES} cases: {}",
            unsigned(largest)
        )?;
        writeln!(out, "log-loss: {}", number(calibration.log_loss()))?;
    }
    Ok(())
}

/// The sides of games to follow: games of the selected players, evenly spread over all of them,
/// because a match plays one pairing after the other.
fn sides<'a>(records: &'a [Record], options: &BenchCalibrationOptions) -> Vec<(&'a Record, Color)> {
    let is_selected = |record: &Record, color: Color| {
        has_name(record, color, options.player.as_deref())
            && has_name(record, !color, options.against.as_deref())
    };
    let of_them = |record: &&Record| Color::ALL.into_iter().any(|color| is_selected(record, color));
    let records: Vec<&Record> = records.iter().filter(of_them).collect();
    let count = records.len().min(options.games);
    let chosen = (0..count).map(|number| records[number * records.len() / count]);
    let sides = chosen.flat_map(|record| Color::ALL.map(|color| (record, color)));
    sides.filter(|(record, color)| is_selected(record, *color)).collect()
}

/// Whether this side is played by a player of this name; true without a name.
fn has_name(record: &Record, color: Color, name: Option<&str>) -> bool {
    name.is_none_or(|name| is_played_by(record, color, name))
}

/// The pieces whose capture is predicted after every own move.
const HEAVY_PIECES: [Piece; 2] = [Piece::Queen, Piece::Rook];

/// Follows a game from one side, with predictions before each own try and after each own move.
fn follow<M: OpponentPolicy>(
    record: &Record,
    color: Color,
    particles: usize,
    model: M,
    seed: u64,
) -> Predictions {
    let setup = record.setup();
    let mut belief =
        ParticleFilter::new(setup, color, particles, model, Densities::default(), seed);
    let mut observer = Observer::new(color);
    let mut game = Game::new(setup.clone());
    let mut predictions = Predictions::default();
    // The square of an own capture, and the probability of a recapture.
    let mut recapture: Option<(Square, Option<f64>)> = None;
    // The probability of each square as the destination of the opponent's next move.
    let mut destinations: Option<Option<[f64; Square::NUM]>> = None;
    for entry in record.entries() {
        let Entry { tried, announcement, .. } = entry;
        let is_own = announcement.by == color;
        let has_moved = announcement.verdict == Verdict::Moved;
        // A senseless try is refused whatever the board.
        let is_informative = is_own && game.umpire().view(color).is_sensible(*tried);
        if let (Try::Move(mv), true) = (*tried, is_informative) {
            match belief.legal_probability(mv) {
                Some(probability) => predictions.legal.add(probability, has_moved),
                None => predictions.unanswered += 1,
            }
        }
        if let (Try::Move(mv), true) = (*tried, has_moved && !is_own)
            && let Some((square, probability)) = recapture.take()
        {
            match probability {
                Some(probability) => predictions.recapture.add(probability, mv.to == square),
                None => predictions.unanswered += 1,
            }
        }
        if let (Try::Move(mv), true) = (*tried, has_moved && !is_own)
            && let Some(probabilities) = destinations.take()
        {
            let own = game.umpire().view(color).pieces();
            for (calibration, piece) in predictions.heavy.iter_mut().zip(HEAVY_PIECES) {
                for square in own.pieces(piece) {
                    match probabilities {
                        Some(probabilities) => {
                            calibration.add(probabilities[square as usize], mv.to == square)
                        }
                        None => predictions.unanswered += 1,
                    }
                }
            }
        }
        // The record was umpired by the same rules, so this does not fail.
        let _ = game.judge(*tried);
        let Some(observation) = observer.observe(entry) else { continue };
        // The belief recovers from contradictions.
        let _ = belief.observe(&observation);
        if let (Try::Move(mv), true) = (*tried, is_own && has_moved)
            && observation.announcement.end.is_none()
        {
            let probabilities = belief.destination_probabilities();
            destinations = Some(probabilities);
            if observation.announcement.capture.is_some() {
                recapture =
                    Some((mv.to, probabilities.map(|probabilities| probabilities[mv.to as usize])));
            }
        }
    }
    predictions
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.4}"))
}

fn unsigned(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.3}"))
}

fn signed(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:+.3}"))
}

fn table(calibration: &Calibration) -> String {
    let heads = ["", "range", "cases", "predicted", "observed", "difference"];
    let mut lines = vec![heads.map(str::to_string).to_vec()];
    let mut line = |name: String, bin: &CalibrationBin| {
        lines.push(vec![
            String::new(),
            name,
            bin.cases.to_string(),
            unsigned(bin.mean_predicted()),
            unsigned(bin.observed_frequency()),
            signed(bin.difference()),
        ]);
    };
    for (number, bin) in calibration.bins().iter().enumerate() {
        let [from, to] = Calibration::bin_edges(number);
        line(format!("{from:.1}–{to:.1}"), bin);
    }
    line("all".to_string(), &calibration.total());
    align_columns(&lines)
}

fn to_json(of: &str, calibration: &Calibration) -> Value {
    let bins: Vec<Value> = (0..)
        .zip(calibration.bins())
        .map(|(number, bin)| {
            json!({
                "range": Calibration::bin_edges(number), "cases": bin.cases,
                "predicted": bin.mean_predicted(), "observed": bin.observed_frequency(),
                "difference": bin.difference(),
            })
        })
        .collect();
    json!({
        "of": of, "cases": calibration.total().cases, "log_loss": calibration.log_loss(),
        "largest_difference": calibration.max_difference(MIN_CASES), "bins": bins,
    })
}
