//! `krieg play`: two people at one terminal, with the umpire between them.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use krieg_core::{
    Announcement, Color, Game, Piece, Position, Rank, Setup, Try, Verdict, View, color_name,
};
use krieg_notation::{Told, san};

use crate::board;
use crate::cli::PlayOptions;
use crate::files::{GameFile, notation_for, write_record, write_whole};

const HELP: &str = "\
Try a move as e2e4 or Nf3, e7e8q or e8=Q to promote, O-O to castle. Also:
  any?     ask whether a pawn of yours has a capture, where the rules let you
  tries    list what you may sensibly try
  board    draw your men again
  draw     offer a draw to the other player
  resign   give up
  quit     leave without an end";

/// What a terminal shows, and what it could scroll back to, is gone.
const CLEAR_SCREEN: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Nobody types more at once.
const LONGEST_LINE: u64 = 10_000;

/// What a player typed.
enum Said {
    Try(Try),
    Tries,
    Board,
    Draw,
    Resign,
    Quit,
    Help,
}

/// Whether the game goes on at this table.
#[derive(PartialEq, Eq)]
enum Next {
    Turn,
    Leave,
}

pub fn play(options: &PlayOptions) -> Result<()> {
    let mut table = Table::lay(options)?;
    table.keep_record()?;
    while table.game.umpire().outcome().is_none() {
        if table.turn()? == Next::Leave {
            break;
        }
    }
    table.finish()
}

struct Table<'a> {
    game: Game,
    options: &'a PlayOptions,
    /// What the player who is not at the keyboard will be told when it is his turn.
    unheard: Vec<Announcement>,
    is_terminal: bool,
}

impl<'a> Table<'a> {
    /// A new game, or the one that was left in the record.
    fn lay(options: &'a PlayOptions) -> Result<Self> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let found = match &options.record {
            Some(path) if path.exists() => Some(left_game(path, options)?),
            _ => None,
        };
        let is_new = found.is_none();
        let game = match found {
            Some(game) => game,
            None => Game::new(Setup {
                ruleset: options.ruleset.unwrap_or_default(),
                start: match &options.fen {
                    Some(fen) => Position::from_fen(fen)?,
                    None => Position::start(),
                },
                ..Setup::default()
            }),
        };
        let ruleset = game.umpire().ruleset();
        say(format!("Kriegspiel, ruleset {ruleset}. Two players, one keyboard; type help."))?;
        let mut unheard = vec![game.umpire().opening()];
        if !is_new {
            say(format!("The game goes on after {} moves.", game.record().moves()))?;
            unheard = said_last(&game);
        }
        Ok(Table { game, options, unheard, is_terminal })
    }

    fn turn(&mut self) -> Result<Next> {
        let player = self.game.umpire().turn();
        if self.change_seats(player)? == Next::Leave {
            return Ok(Next::Leave);
        }
        for said in self.unheard.drain(..).filter(|said| said.is_heard_by(player)) {
            say(said)?;
        }
        self.draw_board(player)?;
        while let Some(line) = ask(&format!("{}> ", color_name(player)))? {
            match understand(line.trim(), self.game.umpire().view(player)) {
                Err(reason) => say(reason)?,
                Ok(Said::Help) => say(HELP)?,
                Ok(Said::Quit) => return Ok(Next::Leave),
                Ok(Said::Board) => self.draw_board(player)?,
                Ok(Said::Tries) => {
                    let view = self.game.umpire().view(player);
                    let names: Vec<String> =
                        view.tries().iter().map(|mv| san::write_try(view.men(), mv)).collect();
                    say(names.join(" "))?;
                }
                Ok(Said::Draw) if is_sure(&format!("{}, do you agree?", color_name(!player)))? => {
                    self.game.agree_to_draw()?;
                    return Ok(Next::Turn);
                }
                Ok(Said::Resign) if is_sure("Do you give up?")? => {
                    self.game.resign(player)?;
                    return Ok(Next::Turn);
                }
                Ok(Said::Draw | Said::Resign) => say("The game goes on.")?,
                Ok(Said::Try(tried)) => match self.game.judge(tried) {
                    Err(reason) => say(format!("Not accepted: {reason}."))?,
                    Ok(said) => {
                        say(said)?;
                        self.unheard.push(said);
                        // The game matters more than its record: warn, and play on.
                        if let Err(error) = self.keep_record() {
                            say(format!("The record is behind: {error:#}."))?;
                        }
                        if said.verdict == Verdict::Moved {
                            return Ok(Next::Turn);
                        }
                    }
                },
            }
        }
        Ok(Next::Leave)
    }

    fn draw_board(&self, player: Color) -> Result<()> {
        let men = *self.game.umpire().view(player).men();
        say(format!("\n{}", board::draw(&[men], player, self.options.ascii)))
    }

    /// Hides one player's men before the other one looks.
    fn change_seats(&mut self, player: Color) -> Result<Next> {
        if self.is_terminal && self.game.record().moves() > 0 {
            let here = format!("{}, press Enter when nobody else looks. ", color_name(player));
            if ask("(press Enter, and change seats) ")?.is_none() {
                return Ok(Next::Leave);
            }
            say(CLEAR_SCREEN)?;
            if ask(&here)?.is_none() {
                return Ok(Next::Leave);
            }
        }
        Ok(Next::Turn)
    }

    fn keep_record(&self) -> Result<()> {
        let Some(path) = &self.options.record else { return Ok(()) };
        let text = write_record(self.game.record(), notation_for(path));
        write_whole(path, |out| Ok(out.write_all(text.as_bytes())?))
    }

    fn finish(&self) -> Result<()> {
        let umpire = self.game.umpire();
        match umpire.outcome() {
            Some(outcome) => {
                let men = [Color::White, Color::Black].map(|color| *umpire.view(color).men());
                let board = board::draw(&men, Color::White, self.options.ascii);
                say(format!("\n{outcome}\n\n{board}"))?;
            }
            None if self.options.record.is_some() => {
                say("\nThe game is kept; the same command takes it up again.")?;
            }
            None => say("\nThe game is left.")?,
        }
        self.keep_record()
    }
}

/// The game that was left in a record, to be taken up again.
fn left_game(path: &Path, options: &PlayOptions) -> Result<Game> {
    let file = GameFile::read(path)?;
    let mut games = file.games();
    let (first, second) = (games.next(), games.next());
    let game = match (first.transpose()?, second) {
        (Some(Told::Record(record)), None) => Game::resume(*record),
        _ => bail!("{}: this is not one game as the umpire tells it", path.display()),
    };
    if game.umpire().outcome().is_some() {
        bail!("{}: this game is over; keep the new one elsewhere", path.display());
    }
    let setup = game.record().setup();
    let other_rules = options.ruleset.is_some_and(|ruleset| ruleset != setup.ruleset);
    let start = options.fen.as_deref().map(Position::from_fen).transpose()?;
    if other_rules || start.is_some_and(|start| start != setup.start) {
        bail!("{}: the game in it is played otherwise", path.display());
    }
    Ok(game)
}

/// What was said since the player who is to move made his last move.
fn said_last(game: &Game) -> Vec<Announcement> {
    let player = game.umpire().turn();
    let entries = game.record().entries();
    let is_own_move = |said: &Announcement| said.by == player && said.verdict == Verdict::Moved;
    let after = entries.iter().rposition(|entry| is_own_move(&entry.said));
    let said = entries[after.map_or(0, |own| own + 1)..].iter().map(|entry| entry.said);
    match after {
        None => std::iter::once(game.umpire().opening()).chain(said).collect(),
        Some(_) => said.collect(),
    }
}

fn say(words: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{words}")?)
}

/// The next line that is typed; nothing at the end of the input.
fn ask(prompt: &str) -> Result<Option<String>> {
    let mut out = io::stdout();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    let mut keyboard = io::stdin().lock().take(LONGEST_LINE);
    keyboard.read_until(b'\n', &mut line).context("cannot read what was typed")?;
    // A slip on the keyboard is no reason to lose the game: what is no text is no move.
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

fn is_sure(question: &str) -> Result<bool> {
    let answer = ask(&format!("{question} (yes/no) "))?.unwrap_or_default();
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn understand(text: &str, view: &View) -> Result<Said, String> {
    match text.to_ascii_lowercase().as_str() {
        "any" | "any?" => return Ok(Said::Try(Try::Any)),
        "tries" => return Ok(Said::Tries),
        "board" => return Ok(Said::Board),
        "draw" => return Ok(Said::Draw),
        "resign" => return Ok(Said::Resign),
        "quit" | "exit" => return Ok(Said::Quit),
        "" | "help" | "?" => return Ok(Said::Help),
        _ => {}
    }
    let men = view.men();
    let mv = san::read_try(men, text).map_err(|error| format!("{error}; type help"))?;
    let last_rank = Rank::Eighth.relative_to(view.player());
    let promotes = men.pieces(Piece::Pawn).has(mv.from) && mv.to.rank() == last_rank;
    if promotes && mv.promotion.is_none() {
        return Err(format!("what shall the pawn become? Try {mv}q, for a queen"));
    }
    Ok(Said::Try(mv.into()))
}
