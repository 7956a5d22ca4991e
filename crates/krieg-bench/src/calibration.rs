//! `krieg bench calibration`: whether what weighted boards foretell comes true as often as they say.

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
use krieg_arena::{is_played_by as is_called, read_records as read_all};

/// A bin of fewer cases says little.
const ENOUGH: u32 = 100;

/// What was foretold in some games, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Foretold {
    /// That an own try is legal.
    legal: Calibration,
    /// That the opponent takes back at once.
    recapture: Calibration,
    /// That he takes a queen, or a rook, wherever she stands.
    heavy: [Calibration; 2],
    /// Questions that nobody could answer, since no board was known.
    unanswered: u32,
}

impl Foretold {
    fn join(&mut self, other: &Foretold) {
        self.legal.merge(&other.legal);
        self.recapture.merge(&other.recapture);
        self.heavy.iter_mut().zip(&other.heavy).for_each(|(heavy, other)| heavy.merge(other));
        self.unanswered += other.unanswered;
    }

    fn tables(&self) -> [(&'static str, &Calibration); 4] {
        [
            ("own tries are legal", &self.legal),
            ("the opponent takes back", &self.recapture),
            ("the opponent takes a queen", &self.heavy[0]),
            ("the opponent takes a rook", &self.heavy[1]),
        ]
    }
}

/// Measures how true the forecasts are.
pub fn calibration(options: &BenchCalibrationOptions) -> Result<()> {
    let records = read_all(&options.files)?;
    let sides = sides(&records, options);
    if sides.is_empty() {
        bail!("there are no games{}", if records.is_empty() { "" } else { " of such players" });
    }
    let opponents = opponents(options.opponents.as_deref())?;
    let follow = |(record, color): &(&Record, Color)| {
        follow(record, *color, options.boards, opponents.clone(), options.seed)
    };
    let each: Vec<Foretold> = sides.par_iter().map(follow).collect();
    let mut all = Foretold::default();
    each.iter().for_each(|of_one| all.join(of_one));
    let mut out = io::stdout().lock();
    if options.json {
        let tables: Vec<Value> = all.tables().iter().map(|(of, seen)| in_json(of, seen)).collect();
        let summary = json!({
            "sides": sides.len(), "boards": options.boards, "unanswered": all.unanswered,
            "tables": tables,
        });
        writeln!(out, "{summary}")?;
        return Ok(());
    }
    let (count, boards, lost) = (sides.len(), options.boards, all.unanswered);
    writeln!(out, "{count} sides of games, {boards} boards; {lost} questions with no board left")?;
    for (of, seen) in all.tables() {
        writeln!(out, "\n{of}")?;
        write!(out, "{}", table(seen))?;
        let largest = seen.max_difference(ENOUGH);
        writeln!(out, "largest difference, of {ENOUGH} cases or more: {}", signless(largest))?;
        writeln!(out, "log-loss: {}", number(seen.log_loss()))?;
    }
    Ok(())
}

/// The sides of games that are looked at: of the games of these players, some from everywhere among them, since opponents follow each
/// other in a contest.
fn sides<'a>(records: &'a [Record], options: &BenchCalibrationOptions) -> Vec<(&'a Record, Color)> {
    let is_wanted = |record: &Record, color: Color| {
        is_one(record, color, options.believer.as_deref())
            && is_one(record, !color, options.against.as_deref())
    };
    let of_them = |record: &&Record| Color::ALL.into_iter().any(|color| is_wanted(record, color));
    let records: Vec<&Record> = records.iter().filter(of_them).collect();
    let count = records.len().min(options.games);
    let chosen = (0..count).map(|number| records[number * records.len() / count]);
    let sides = chosen.flat_map(|record| Color::ALL.map(|color| (record, color)));
    sides.filter(|(record, color)| is_wanted(record, *color)).collect()
}

/// Whether this side's player has this name. Without a name, anybody will do.
fn is_one(record: &Record, color: Color, name: Option<&str>) -> bool {
    name.is_none_or(|name| is_called(record, color, name))
}

/// The men whose loss is foretold after every own move.
const HEAVY: [Piece; 2] = [Piece::Queen, Piece::Rook];

/// Follows a game from one player's side, and asks before each try of his, and after each move, what is to come.
fn follow<M: OpponentPolicy>(
    record: &Record,
    color: Color,
    boards: usize,
    model: M,
    seed: u64,
) -> Foretold {
    let setup = record.setup();
    let mut belief = ParticleFilter::new(setup, color, boards, model, Densities::default(), seed);
    let mut ear = Observer::new(color);
    let mut game = Game::new(setup.clone());
    let mut foretold = Foretold::default();
    // Where the player has just taken something, and how likely he is to be taken back.
    let mut awaited: Option<(Square, Option<f64>)> = None;
    // How likely the opponent goes to each square next, if that was asked and somebody knew.
    let mut landing: Option<Option<[f64; Square::NUM]>> = None;
    for entry in record.entries() {
        let Entry { tried, announcement: said, .. } = entry;
        let is_own = said.by == color;
        let has_moved = said.verdict == Verdict::Moved;
        // What is not sensible is turned away whatever the board.
        let is_open = is_own && game.umpire().view(color).is_sensible(*tried);
        if let (Try::Move(mv), true) = (*tried, is_open) {
            match belief.legal_probability(mv) {
                Some(believed) => foretold.legal.add(believed, has_moved),
                None => foretold.unanswered += 1,
            }
        }
        if let (Try::Move(mv), true) = (*tried, has_moved && !is_own)
            && let Some((square, believed)) = awaited.take()
        {
            match believed {
                Some(believed) => foretold.recapture.add(believed, mv.to == square),
                None => foretold.unanswered += 1,
            }
        }
        if let (Try::Move(mv), true) = (*tried, has_moved && !is_own)
            && let Some(chances) = landing.take()
        {
            let men = game.umpire().view(color).pieces();
            for (seen, piece) in foretold.heavy.iter_mut().zip(HEAVY) {
                for square in men.pieces(piece) {
                    match chances {
                        Some(chances) => seen.add(chances[square as usize], mv.to == square),
                        None => foretold.unanswered += 1,
                    }
                }
            }
        }
        // What a record holds was umpired once, by the same rules.
        let _ = game.judge(*tried);
        let Some(line) = ear.observe(entry) else { continue };
        // If nothing fits, the belief goes on with what it can save.
        let _ = belief.observe(&line);
        if let (Try::Move(mv), true) = (*tried, is_own && has_moved)
            && line.announcement.end.is_none()
        {
            let chances = belief.destination_probabilities();
            landing = Some(chances);
            if line.announcement.capture.is_some() {
                awaited = Some((mv.to, chances.map(|chances| chances[mv.to as usize])));
            }
        }
    }
    foretold
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.4}"))
}

fn signless(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.3}"))
}

fn signed(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:+.3}"))
}

fn table(seen: &Calibration) -> String {
    let heads = ["", "chance", "cases", "believed", "true", "difference"];
    let mut lines = vec![heads.map(str::to_string).to_vec()];
    let mut line = |name: String, bin: &CalibrationBin| {
        lines.push(vec![
            String::new(),
            name,
            bin.cases.to_string(),
            signless(bin.mean_predicted()),
            signless(bin.observed_frequency()),
            signed(bin.difference()),
        ]);
    };
    for (number, bin) in seen.bins().iter().enumerate() {
        let [from, to] = Calibration::bin_edges(number);
        line(format!("{from:.1}–{to:.1}"), bin);
    }
    line("all".to_string(), &seen.total());
    align_columns(&lines)
}

fn in_json(of: &str, seen: &Calibration) -> Value {
    let bins: Vec<Value> = (0..).zip(seen.bins()).map(|(number, bin)| {
        json!({
            "chance": Calibration::bin_edges(number), "cases": bin.cases, "believed": bin.mean_predicted(),
            "true": bin.observed_frequency(), "difference": bin.difference(),
        })
    }).collect();
    json!({
        "of": of, "cases": seen.total().cases, "log_loss": seen.log_loss(),
        "largest_difference": seen.max_difference(ENOUGH), "bins": bins,
    })
}
