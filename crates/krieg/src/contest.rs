//! `krieg match`, `tournament`, `merge` and `report`: contests between players.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use krieg_arena::{Contest, Finished, Folder, Form, LOG, Plan, Progress, Shard, report};
use krieg_chess::clock::TimeControl;
use krieg_core::Position;
use krieg_players::PlayerSpec;

use crate::bar::bar;
use crate::cli::{ContestOptions, MatchOptions, TournamentOptions};
use crate::interrupt::{note, stop_on_interrupt};

/// Beyond so many games nobody reads them, and games.pgn grows large.
const MOST_IN_PGN: u64 = 2_000;

/// Plays a match.
pub fn play_match(options: &MatchOptions) -> Result<()> {
    let players = vec![options.a.clone(), options.b.clone()];
    let mut contest = contest(players, &options.contest)?;
    contest.sprt = options.sprt;
    play(contest, &options.contest)
}

/// Plays a tournament.
pub fn play_tournament(options: &TournamentOptions) -> Result<()> {
    let mut contest = contest(options.players.clone(), &options.contest)?;
    if options.gauntlet {
        contest.plan.form = Form::Gauntlet;
    }
    play(contest, &options.contest)
}

fn contest(players: Vec<PlayerSpec>, options: &ContestOptions) -> Result<Contest> {
    for player in &players {
        // Whoever cannot be made at all is told of before the first game, not in the middle.
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
    let plan = Plan {
        games: options.games,
        seed: options.seed,
        ruleset: options.ruleset,
        start,
        opening_plies: options.opening_plies,
        control,
        draw_after: options.draw_after,
        ponder: options.ponder,
        ..Plan::new(players)
    };
    if plan.start.opening(&plan.ruleset, plan.draws).end.is_some() {
        bail!("the game is over where it should begin: {}", plan.start);
    }
    Ok(Contest {
        plan,
        shard: options.shard.unwrap_or(Shard::WHOLE),
        jobs: options.jobs.map_or_else(|| games_at_a_time(options.ponder), usize::from),
        sprt: None,
    })
}

/// One for each core, or for each two where both players think.
fn games_at_a_time(ponder: bool) -> usize {
    let cores = krieg_chess::cores();
    if ponder { (cores / 2).max(1) } else { cores }
}

fn play(contest: Contest, options: &ContestOptions) -> Result<()> {
    let folder = options.out.as_deref().map(Folder::claim).transpose()?;
    let stop =
        stop_on_interrupt("the games under way are played out; interrupt again to leave them")?;
    let mut screen = Screen::new(options.quiet);
    let finished = contest.play(folder.as_ref(), &stop, |progress| screen.show(progress))?;
    screen.clear();
    if let Some(folder) = &folder {
        let with_pgn = options.pgn || finished.tally.games() <= MOST_IN_PGN;
        contest.write_reports(folder, &finished, with_pgn)?;
        if !options.quiet {
            note(kept_words(folder.path(), with_pgn));
        }
    }
    tell(&finished, options.json)?;
    if !finished.is_complete {
        match &folder {
            Some(_) => bail!("interrupted; the same command plays the games that are missing"),
            None => bail!("interrupted; with --out DIR the games are kept"),
        }
    }
    Ok(())
}

fn kept_words(folder: &Path, with_pgn: bool) -> String {
    let folder = folder.display();
    let pgn = match with_pgn {
        true => format!("{folder}/games.pgn"),
        false => format!("`krieg report {folder} --pgn` writes them as PGN"),
    };
    format!("the games: {folder}/{LOG}, {pgn}\nthe report: {folder}/report.html")
}

fn tell(finished: &Finished, as_json: bool) -> Result<()> {
    let mut out = io::stdout().lock();
    if as_json {
        writeln!(out, "{}", report::summary(&finished.tally, finished.trial.as_ref()))?;
        return Ok(());
    }
    write!(out, "{}", report::standing_lines(&finished.tally))?;
    if let Some(trial) = &finished.trial {
        writeln!(out, "{}", report::trial_line(trial))?;
    }
    Ok(())
}

/// What is seen while games are played: a bar and a table, or, where nobody looks, a line now and then.
struct Screen {
    bar: ProgressBar,
    is_quiet: bool,
    is_terminal: bool,
    started: Instant,
    shown: Instant,
    /// How many games there were before the first of this run.
    begun: Option<u64>,
}

/// How often a terminal is drawn anew, and how often a log gets a line.
const EVERY: Duration = Duration::from_millis(200);
const EVERY_LINE: Duration = Duration::from_secs(30);

impl Screen {
    fn new(is_quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = bar("{bar:30} {pos}/{len} games, {prefix}, {eta} left\n{msg}", is_quiet);
        let now = Instant::now();
        Screen { bar, is_quiet, is_terminal, started: now, shown: now, begun: None }
    }

    fn show(&mut self, progress: &Progress) {
        let games = progress.tally.games();
        let is_first = self.begun.is_none();
        if is_first {
            self.begun = Some(games);
            self.bar.set_length(progress.total);
            self.bar.set_position(games);
            self.bar.reset_eta();
            if games > 0 && !self.is_quiet {
                self.bar.suspend(|| note(format!("{games} games are there already")));
            }
        }
        let every = if self.is_terminal { EVERY } else { EVERY_LINE };
        if self.is_quiet || is_first || self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        let mut text = match progress.tally.plan().players.len() {
            2 => progress.tally.standings()[0].to_string(),
            _ => report::crosstable(progress.tally),
        };
        if let Some(trial) = progress.trial {
            text += &format!("\n{}", report::trial_line(trial));
        }
        if self.is_terminal {
            let speed =
                (games - self.begun.unwrap_or(0)) as f64 / self.started.elapsed().as_secs_f64();
            self.bar.set_position(games);
            self.bar.set_prefix(format!("{speed:.1} a second"));
            self.bar.set_message(text);
        } else {
            note(format!("{games} of {} games\n{text}", progress.total));
        }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Joins shares.
pub fn merge(into: &Path, folders: &[PathBuf]) -> Result<()> {
    let folder = Folder::claim(into)?;
    folder.join(folders)?;
    tell_of(&folder, false)
}

/// Makes the reports of a folder.
pub fn report(path: &Path, pgn: bool) -> Result<()> {
    if !path.is_dir() {
        bail!("{} is no folder", path.display());
    }
    tell_of(&Folder::claim(path)?, pgn)
}

fn tell_of(folder: &Folder, pgn: bool) -> Result<()> {
    let log = folder.checked_log()?;
    let with_pgn = pgn || log.games.len() as u64 <= MOST_IN_PGN;
    let tally = folder.write_reports(|_| true, None, with_pgn)?;
    note(kept_words(folder.path(), with_pgn));
    if log.missing() > 0 {
        note(format!("{} games are missing before the last one", log.missing()));
    }
    write!(io::stdout(), "{}", report::standing_lines(&tally))?;
    Ok(())
}
