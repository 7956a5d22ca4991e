//! `krieg match`, `tournament`, `merge` and `report`.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use krieg_arena::{
    GAME_LOG_FILE, MatchOutcome, MatchProgress, MatchRunner, ResultFolder, Shard, Tournament,
    TournamentFormat, report,
};
use krieg_core::Position;
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

use crate::cli::{GameOptions, MatchOptions, TournamentOptions};
use crate::interrupt::{note, stop_on_interrupt};
use crate::progress_bar::new_progress_bar;

/// Number of games up to which games.pgn is written without being asked for: larger files are
/// rarely read.
const MAX_GAMES_IN_PGN: u64 = 2_000;

/// Plays a match.
pub fn play_match(options: &MatchOptions) -> Result<()> {
    let players = vec![options.a.clone(), options.b.clone()];
    let mut runner = runner(players, &options.games)?;
    runner.sprt = options.sprt;
    play(&runner, &options.games)
}

/// Plays a tournament.
pub fn play_tournament(options: &TournamentOptions) -> Result<()> {
    let mut runner = runner(options.players.clone(), &options.games)?;
    if options.gauntlet {
        runner.tournament.format = TournamentFormat::Gauntlet;
    }
    play(&runner, &options.games)
}

fn runner(players: Vec<PlayerSpec>, options: &GameOptions) -> Result<MatchRunner> {
    for player in &players {
        // A player that cannot be created is reported before the first game.
        player.make()?;
    }
    let control = match options.movetime {
        Some(ms) => TimeControl::Move(Duration::from_millis(ms)),
        None => options.tc,
    };
    if options.ponder && !control.is_timed() {
        bail!("--ponder needs a clock, such as --movetime 200");
    }
    let start = match &options.fen {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::start(),
    };
    let tournament = Tournament {
        games_per_pairing: options.games,
        seed: options.seed,
        ruleset: options.ruleset,
        start,
        opening_plies: options.opening_plies,
        control,
        time_margin: Duration::from_millis(options.time_margin),
        draw_after: options.draw_after,
        ponder: options.ponder,
        ..Tournament::new(players)
    };
    let start = &tournament.start;
    if start.opening(&tournament.ruleset, tournament.draws).end.is_some() {
        bail!("the game is already over in the start position: {start}");
    }
    let concurrency = options.jobs.map_or_else(|| default_concurrency(options.ponder), usize::from);
    Ok(MatchRunner {
        shard: options.shard.unwrap_or(Shard::WHOLE),
        concurrency,
        ..MatchRunner::new(tournament)
    })
}

/// One game per core, or one per two cores when both players think at the same time.
fn default_concurrency(ponder: bool) -> usize {
    let cores = krieg_chess::cores();
    if ponder { (cores / 2).max(1) } else { cores }
}

fn play(runner: &MatchRunner, options: &GameOptions) -> Result<()> {
    let folder = options.out.as_deref().map(ResultFolder::open).transpose()?;
    let stop = stop_on_interrupt("finishing the games in progress; interrupt again to abort them")?;
    let mut display = ProgressDisplay::new(options.quiet);
    let outcome = runner.play(folder.as_ref(), &stop, |progress| display.update(progress))?;
    display.clear();
    if let Some(folder) = &folder {
        let with_pgn = options.pgn || outcome.scoreboard.games() <= MAX_GAMES_IN_PGN;
        runner.write_reports(folder, &outcome, with_pgn)?;
        if !options.quiet {
            note(written_files(folder.path(), with_pgn));
        }
    }
    print_result(&outcome, options.json)?;
    if !outcome.is_complete {
        match &folder {
            Some(_) => bail!("interrupted; run the same command to play the missing games"),
            None => bail!("interrupted; use --out DIR to keep the games"),
        }
    }
    Ok(())
}

fn written_files(folder: &Path, with_pgn: bool) -> String {
    let folder = folder.display();
    let pgn = match with_pgn {
        true => format!("{folder}/games.pgn"),
        false => format!("`krieg report {folder} --pgn` writes them as PGN"),
    };
    format!("games: {folder}/{GAME_LOG_FILE}, {pgn}\nreport: {folder}/report.html")
}

fn print_result(outcome: &MatchOutcome, as_json: bool) -> Result<()> {
    let mut out = io::stdout().lock();
    let (scoreboard, test) = (&outcome.scoreboard, outcome.test.as_ref());
    if as_json {
        writeln!(out, "{}", report::result_json(scoreboard, test))?;
        return Ok(());
    }
    write!(out, "{}", report::result_text(scoreboard))?;
    if let Some(test) = test {
        writeln!(out, "{}", report::sprt_line(test))?;
    }
    Ok(())
}

/// The progress of a match: a bar and a table on a terminal, otherwise a line now and then.
struct ProgressDisplay {
    bar: ProgressBar,
    is_quiet: bool,
    is_terminal: bool,
    started: Instant,
    updated: Instant,
    /// Number of games before this run.
    earlier_games: Option<u64>,
}

/// Interval between updates of a terminal.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);
/// Interval between progress lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

impl ProgressDisplay {
    fn new(is_quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar =
            new_progress_bar("{bar:30} {pos}/{len} games, {prefix}, {eta} left\n{msg}", is_quiet);
        let now = Instant::now();
        ProgressDisplay {
            bar,
            is_quiet,
            is_terminal,
            started: now,
            updated: now,
            earlier_games: None,
        }
    }

    fn update(&mut self, progress: &MatchProgress) {
        let games = progress.scoreboard.games();
        let is_first = self.earlier_games.is_none();
        if is_first {
            self.earlier_games = Some(games);
            self.bar.set_length(progress.total_games);
            self.bar.set_position(games);
            self.bar.reset_eta();
            if games > 0 && !self.is_quiet {
                self.bar.suspend(|| note(format!("continuing after {games} games")));
            }
        }
        let interval = if self.is_terminal { UPDATE_INTERVAL } else { LINE_INTERVAL };
        if self.is_quiet || is_first || self.updated.elapsed() < interval {
            return;
        }
        self.updated = Instant::now();
        let mut text = match progress.scoreboard.tournament().players.len() {
            2 => progress.scoreboard.standings()[0].to_string(),
            _ => report::crosstable_text(progress.scoreboard),
        };
        if let Some(test) = progress.test {
            text += &format!("\n{}", report::sprt_line(test));
        }
        if self.is_terminal {
            let played = games - self.earlier_games.unwrap_or(0);
            let speed = played as f64 / self.started.elapsed().as_secs_f64();
            self.bar.set_position(games);
            self.bar.set_prefix(format!("{speed:.1} per second"));
            self.bar.set_message(text);
        } else {
            note(format!("{games} of {} games\n{text}", progress.total_games));
        }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Merges the folders of several shards into one.
pub fn merge(into: &Path, folders: &[PathBuf]) -> Result<()> {
    let folder = ResultFolder::open(into)?;
    folder.merge(folders)?;
    write_and_print_report(&folder, false)
}

/// Writes the reports of a folder again.
pub fn report(path: &Path, pgn: bool) -> Result<()> {
    if !path.is_dir() {
        bail!("{} is not a folder", path.display());
    }
    write_and_print_report(&ResultFolder::open(path)?, pgn)
}

fn write_and_print_report(folder: &ResultFolder, pgn: bool) -> Result<()> {
    let log = folder.checked_log()?;
    let with_pgn = pgn || log.games.len() as u64 <= MAX_GAMES_IN_PGN;
    let scoreboard = folder.write_reports(|_| true, None, with_pgn)?;
    note(written_files(folder.path(), with_pgn));
    if log.missing() > 0 {
        note(format!("{} games are missing before the last one", log.missing()));
    }
    write!(io::stdout(), "{}", report::result_text(&scoreboard))?;
    Ok(())
}
