//! `krieg bench lone-king`: whether a player mates, on a real board, every lone king that the tables say is mated.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use krieg_core::{
    Color, DrawRules, Ending, Game, Observer, Position, Setup, Square, Try, Verdict, placement,
};
use krieg_players::{Choice, PlayerSpec, Seat};
use krieg_tablebase::{Catalogue, Metaposition, Tablebase};
use krieg_time::{Clock, TimeControl};
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::options::BenchLoneKingOptions;

/// A start that the table says is won, whatever square the king is on.
struct Start {
    board: Position,
    /// Within so many moves.
    stated: u16,
}

/// Whoever has not mated after so many moves does not.
const LONGEST: u16 = 200;

/// How one game went.
enum Played {
    /// The tables promise nothing.
    NotWon,
    Mated {
        moves: u16,
        stated: u16,
    },
    Failed(String),
}

/// Plays games from random starts of each endgame, and tells how many were won.
pub fn lone_king(options: &BenchLoneKingOptions) -> Result<()> {
    if !options.men.is_empty() {
        return any_men(options);
    }
    let tables = Tablebase::new(Tablebase::usual_folder());
    let mut out = io::stdout().lock();
    writeln!(out, "{} against a lone king that sees everything", options.player)?;
    writeln!(
        out,
        "{:6} {:>7} {:>7} {:>7} {:>7} {:>8} {:>8}",
        "", "starts", "won", "mated", "in time", "longest", "stated"
    )?;
    let mut failures = Vec::new();
    for &endgame in &options.endgames {
        if !tables.has_all_for(endgame) {
            eprintln!("The table of {endgame} is built first.");
            tables.build(endgame, &AtomicBool::new(false), &mut |_| {})?;
        }
        let catalogue = Catalogue::new(endgame);
        let played: Vec<Played> = (0..options.games as u64)
            .into_par_iter()
            .map(|number| play(options, &tables, &catalogue, number))
            .collect();
        let (mut won, mut mated, mut in_time, mut longest) = (0, 0, 0, (0, 0));
        for game in played {
            match game {
                Played::NotWon => continue,
                Played::Mated { moves, stated } => {
                    mated += 1;
                    in_time += usize::from(moves <= stated);
                    longest = longest.max((moves, stated));
                }
                Played::Failed(why) => failures.push(format!("{endgame}: {why}")),
            }
            won += 1;
        }
        writeln!(
            out,
            "{:6} {:>7} {won:>7} {mated:>7} {in_time:>7} {:>8} {:>8}",
            endgame.to_string(),
            options.games,
            longest.0,
            longest.1,
        )?;
        out.flush()?;
    }
    match failures.first() {
        None => Ok(()),
        Some(first) => bail!("{} won games were not won, the first: {first}", failures.len()),
    }
}

/// The same with any men, of whom nobody says that they win.
fn any_men(options: &BenchLoneKingOptions) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} against a lone king that sees everything", options.player)?;
    writeln!(out, "{:10} {:>7} {:>7} {:>8}  otherwise", "", "starts", "mated", "longest")?;
    for men in &options.men {
        let play = |number: u64| {
            let mut rng = hat(options.seed, number);
            let start = Start { board: draw_men(&men.0, &mut rng), stated: 0 };
            let at = start.board.to_string();
            mate(&options.player, &start, DrawRules::default(), &mut rng).map_err(|why| (why, at))
        };
        let played: Vec<Result<u16, (String, String)>> =
            (0..options.games as u64).into_par_iter().map(play).collect();
        let longest = played.iter().flatten().max().copied().unwrap_or(0);
        let mated = played.iter().flatten().count();
        let mut others: BTreeMap<String, (usize, &str)> = BTreeMap::new();
        for (why, at) in played.iter().filter_map(|played| played.as_ref().err()) {
            let why = why.split(" after").next().unwrap_or(why).to_string();
            others.entry(why).or_insert((0, at)).0 += 1;
        }
        let others = others.iter().map(|(why, (times, at))| format!("{why} {times} ({at})"));
        let others: Vec<String> = others.collect();
        let (name, starts) = (&men.0, options.games);
        writeln!(out, "{name:10} {starts:>7} {mated:>7} {longest:>8}  {}", others.join(", "))?;
        out.flush()?;
    }
    Ok(())
}

/// Random numbers for the game of this number.
fn hat(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let apart = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(seed ^ apart)
}

/// These men of White's and a lone king, anywhere, with White to move.
fn draw_men(men: &str, rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut squares: Vec<Square> = Square::ALL.to_vec();
        squares.shuffle(rng);
        let letters = men.to_ascii_uppercase() + "k";
        let placed: Vec<(Square, char)> = squares.into_iter().zip(letters.chars()).collect();
        let board = placement::write(|square| {
            placed.iter().find(|(at, _)| *at == square).map(|&(_, letter)| letter)
        });
        // Where a pawn is on the last rank, or the king in check, men are put down anew.
        if let Ok(start) = Position::from_fen(&format!("{board} w - - 0 1")) {
            return start;
        }
    }
}

fn play(
    options: &BenchLoneKingOptions,
    tables: &Tablebase,
    catalogue: &Catalogue,
    number: u64,
) -> Played {
    let mut rng = hat(options.seed, number);
    let Some(start) = draw_start(tables, catalogue, &mut rng) else { return Played::NotWon };
    let at = start.board.to_string();
    // Some mates take longer than fifty moves.
    let draws = DrawRules { fifty_moves: false, ..DrawRules::default() };
    match mate(&options.player, &start, draws, &mut rng) {
        Ok(moves) => Played::Mated { moves, stated: start.stated },
        Err(why) => Played::Failed(format!("{at}: {why}")),
    }
}

/// A random disposition from which mate is sure though nothing is known, with a king somewhere.
fn draw_start(
    tables: &Tablebase,
    catalogue: &Catalogue,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Start> {
    let disposition = catalogue.disposition(rng.random_range(0..catalogue.len()))?;
    let asked = Metaposition::knowing_nothing(disposition);
    let stated = tables.probe(&asked).ok()??.distance;
    let king = asked.kings().into_iter().choose(rng)?;
    let board = placement::write(|square| {
        if square == king { Some('k') } else { asked.letter(square).filter(|man| *man != 'k') }
    });
    Some(Start { board: Position::from_fen(&format!("{board} w - - 0 1")).ok()?, stated })
}

/// Plays until mate, and says after how many moves. The words say what came between.
fn mate(
    player: &PlayerSpec,
    start: &Start,
    draws: DrawRules,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<u16, String> {
    let setup = Setup { start: start.board.clone(), draws, ..Setup::default() };
    let control = TimeControl::Unlimited;
    let clock = Clock::new(control);
    let mut player = player.make().map_err(|error| error.to_string())?;
    let seat = Seat { color: Color::White, setup: setup.clone(), control, seed: 1 };
    player.begin(&seat).map_err(|fault| fault.0)?;
    let mut ear = Observer::new(Color::White);
    let mut game = Game::new(setup);
    let mut moves = 0;
    while game.umpire().outcome().is_none() {
        let is_own = game.umpire().turn() == Color::White;
        let tried = if is_own {
            let view = game.umpire().view(Color::White);
            match player.choose(view, &clock) {
                Ok(Choice::Try(tried)) if view.is_sensible(tried) => tried,
                Ok(Choice::Try(tried)) => return Err(format!("{tried} makes no sense")),
                Ok(Choice::Resign) => return Err("it gave up".to_string()),
                Err(fault) => return Err(fault.0),
            }
        } else {
            flee(game.umpire().position(), rng).ok_or("the king has no move")?
        };
        let said = game.judge(tried).map_err(|error| format!("{tried}: {error}"))?;
        moves += u16::from(is_own && said.verdict == Verdict::Moved);
        let entry = *game.record().entries().last().expect("it was judged");
        if let Some(line) = ear.observe(&entry) {
            player.observe(&line).map_err(|fault| fault.0)?;
        }
        if moves > LONGEST {
            break;
        }
    }
    match game.umpire().outcome() {
        Some(outcome) if outcome.ending == Ending::Checkmate => Ok(moves),
        Some(outcome) => Err(format!("{} after {moves} moves", outcome.ending.name())),
        None => Err(format!("no mate in {LONGEST} moves, where {} were stated", start.stated)),
    }
}

/// A move of the lone king, who sees everything: he takes what he can, and else goes anywhere.
fn flee(board: &Position, rng: &mut Xoshiro256PlusPlus) -> Option<Try> {
    let moves = board.legal_moves();
    let men = board.pieces(Color::White).all();
    let takes = moves.iter().find(|mv| men.has(mv.to));
    takes.or_else(|| moves.choose(rng)).map(|mv| Try::Move(*mv))
}
