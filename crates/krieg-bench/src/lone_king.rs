//! `krieg bench lone-king`: games against a lone king from positions that the tablebase says are
//! won.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use krieg_core::{
    Color, DrawRules, Ending, Game, Observer, Position, Setup, Square, Try, Verdict, placement,
};
use krieg_players::{Choice, PlayerSpec, Seat};
use krieg_tablebase::{Metaposition, PlacementIndex, Tablebase};
use krieg_time::{Clock, TimeControl};
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::options::BenchLoneKingOptions;

/// A position that the tablebase says is won, whatever square the lone king is on.
struct Start {
    board: Position,
    /// The number of moves within which the tablebase says it is won.
    distance: u16,
}

/// A game without mate after this number of moves counts as not won.
const MAX_MOVES: u16 = 200;

/// The result of one game.
enum GameResult {
    /// The position is not a known win, so no game was played.
    NotWon,
    Mated {
        moves: u16,
        distance: u16,
    },
    Failed(String),
}

/// Plays games from random positions of each endgame, and prints how many were won.
pub fn lone_king(options: &BenchLoneKingOptions) -> Result<()> {
    if !options.pieces.is_empty() {
        return with_pieces(options);
    }
    let tables = Tablebase::new(Tablebase::default_folder());
    let mut out = io::stdout().lock();
    writeln!(out, "{} against a lone king that sees everything", options.player)?;
    writeln!(
        out,
        "{:6} {:>7} {:>7} {:>7} {:>7} {:>8} {:>8}",
        "", "starts", "won", "mated", "in time", "longest", "distance"
    )?;
    let mut failures = Vec::new();
    for &endgame in &options.endgames {
        if !tables.has_with_dependencies(endgame) {
            eprintln!("building the table of {endgame}");
            tables.build(endgame, &AtomicBool::new(false), &mut |_| {})?;
        }
        let placements = PlacementIndex::new(endgame);
        let played: Vec<GameResult> = (0..options.games as u64)
            .into_par_iter()
            .map(|number| play(options, &tables, &placements, number))
            .collect();
        let (mut won, mut mated, mut in_time, mut longest) = (0, 0, 0, (0, 0));
        for game in played {
            match game {
                GameResult::NotWon => continue,
                GameResult::Mated { moves, distance } => {
                    mated += 1;
                    in_time += usize::from(moves <= distance);
                    longest = longest.max((moves, distance));
                }
                GameResult::Failed(reason) => failures.push(format!("{endgame}: {reason}")),
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
        Some(first) => bail!("no mate from {} won positions, the first: {first}", failures.len()),
    }
}

/// The same with any pieces. Not every position is won then.
fn with_pieces(options: &BenchLoneKingOptions) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} against a lone king that sees everything", options.player)?;
    writeln!(out, "{:10} {:>7} {:>7} {:>8}  otherwise", "", "starts", "mated", "longest")?;
    for pieces in &options.pieces {
        let play = |number: u64| {
            let mut rng = game_rng(options.seed, number);
            let start = Start { board: random_position(&pieces.0, &mut rng), distance: 0 };
            let at = start.board.to_string();
            mate(&options.player, &start, DrawRules::default(), &mut rng)
                .map_err(|reason| (reason, at))
        };
        let played: Vec<Result<u16, (String, String)>> =
            (0..options.games as u64).into_par_iter().map(play).collect();
        let longest = played.iter().flatten().max().copied().unwrap_or(0);
        let mated = played.iter().flatten().count();
        let mut others: BTreeMap<String, (usize, &str)> = BTreeMap::new();
        for (reason, at) in played.iter().filter_map(|played| played.as_ref().err()) {
            let reason = reason.split(" after").next().unwrap_or(reason).to_string();
            others.entry(reason).or_insert((0, at)).0 += 1;
        }
        let others = others.iter().map(|(reason, (count, at))| format!("{reason} {count} ({at})"));
        let others: Vec<String> = others.collect();
        let (name, starts) = (&pieces.0, options.games);
        writeln!(out, "{name:10} {starts:>7} {mated:>7} {longest:>8}  {}", others.join(", "))?;
        out.flush()?;
    }
    Ok(())
}

/// The random number generator of the game with this number.
fn game_rng(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(seed ^ mixed)
}

/// A random position with these white pieces and a lone black king, with White to move.
fn random_position(pieces: &str, rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut squares: Vec<Square> = Square::ALL.to_vec();
        squares.shuffle(rng);
        let letters = pieces.to_ascii_uppercase() + "k";
        let placed: Vec<(Square, char)> = squares.into_iter().zip(letters.chars()).collect();
        let board = placement::write(|square| {
            placed.iter().find(|(at, _)| *at == square).map(|&(_, letter)| letter)
        });
        // An invalid position, with a pawn on a last rank or Black in check, is drawn again.
        if let Ok(start) = Position::from_fen(&format!("{board} w - - 0 1")) {
            return start;
        }
    }
}

fn play(
    options: &BenchLoneKingOptions,
    tables: &Tablebase,
    placements: &PlacementIndex,
    number: u64,
) -> GameResult {
    let mut rng = game_rng(options.seed, number);
    let Some(start) = draw_start(tables, placements, &mut rng) else { return GameResult::NotWon };
    let at = start.board.to_string();
    // Some mates take longer than fifty moves.
    let draws = DrawRules { fifty_moves: false, ..DrawRules::default() };
    match mate(&options.player, &start, draws, &mut rng) {
        Ok(moves) => GameResult::Mated { moves, distance: start.distance },
        Err(reason) => GameResult::Failed(format!("{at}: {reason}")),
    }
}

/// A random placement of the pieces that is won without knowing where the lone king is, with the
/// king on a random square.
fn draw_start(
    tables: &Tablebase,
    placements: &PlacementIndex,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Start> {
    let placement = placements.placement(rng.random_range(0..placements.len()))?;
    let asked = Metaposition::king_anywhere(placement);
    let distance = tables.probe(&asked).ok()??.distance;
    let king = asked.kings().into_iter().choose(rng)?;
    let board = placement::write(|square| {
        if square == king {
            Some('k')
        } else {
            asked.letter(square).filter(|letter| *letter != 'k')
        }
    });
    Some(Start { board: Position::from_fen(&format!("{board} w - - 0 1")).ok()?, distance })
}

/// Plays until mate, and returns the number of moves. The error says why there was no mate.
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
    player.begin(&seat).map_err(|error| error.0)?;
    let mut observer = Observer::new(Color::White);
    let mut game = Game::new(setup);
    let mut moves = 0;
    while game.umpire().outcome().is_none() {
        let is_own = game.umpire().turn() == Color::White;
        let tried = if is_own {
            let view = game.umpire().view(Color::White);
            match player.choose(view, &clock) {
                Ok(Choice::Try(tried)) if view.is_sensible(tried) => tried,
                Ok(Choice::Try(tried)) => return Err(format!("{tried} is not a sensible try")),
                Ok(Choice::Resign) => return Err("resignation".to_string()),
                Err(error) => return Err(error.0),
            }
        } else {
            escape(game.umpire().position(), rng).ok_or("the king has no move")?
        };
        let announcement = game.judge(tried).map_err(|error| format!("{tried}: {error}"))?;
        moves += u16::from(is_own && announcement.verdict == Verdict::Moved);
        let entry = *game.record().entries().last().expect("a try was judged");
        if let Some(observation) = observer.observe(&entry) {
            player.observe(&observation).map_err(|error| error.0)?;
        }
        if moves > MAX_MOVES {
            break;
        }
    }
    match game.umpire().outcome() {
        Some(outcome) if outcome.ending == Ending::Checkmate => Ok(moves),
        Some(outcome) => Err(format!("{} after {moves} moves", outcome.ending.name())),
        None => Err(format!(
            "no mate in {MAX_MOVES} moves, where the tablebase says {}",
            start.distance
        )),
    }
}

/// The move of the lone king, which sees the board: a capture if possible, else a random move.
fn escape(board: &Position, rng: &mut Xoshiro256PlusPlus) -> Option<Try> {
    let moves = board.legal_moves();
    let pieces = board.pieces(Color::White).all();
    let capture = moves.iter().find(|mv| pieces.has(mv.to));
    capture.or_else(|| moves.choose(rng)).map(|mv| Try::Move(*mv))
}
