//! `krieg play`: two people at one terminal, with the umpire between them.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use anyhow::{Context, Result};
use krieg_core::{
    Announcement, Color, Game, Position, Setup, Try, Verdict, View, color_name, excerpt,
};
use krieg_notation::{Told, san};

use crate::board;
use crate::cli::PlayOptions;
use crate::files::{notation_for, write_game, write_whole};

const HELP: &str = "\
Try a move as e2e4 or Nf3, e7e8q or e8=Q to promote, O-O to castle. Also:
  any?     ask whether a pawn of yours has a capture, where the rules let you
  tries    list what you may sensibly try
  board    draw your men again
  draw     both of you have agreed to a draw
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

pub fn play(options: &PlayOptions) -> Result<()> {
    let setup = Setup {
        ruleset: options.ruleset.unwrap_or_default(),
        start: match &options.fen {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        },
        ..Setup::default()
    };
    let mut table = Table {
        game: Game::new(setup),
        options,
        unheard: Vec::new(),
        is_terminal: io::stdin().is_terminal() && io::stdout().is_terminal(),
    };
    let ruleset = table.game.umpire().ruleset();
    say(format!("Kriegspiel, ruleset {ruleset}. Two players, one keyboard; type help."))?;
    table.unheard.push(table.game.umpire().opening());
    while table.game.umpire().outcome().is_none() {
        if !table.turn()? {
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

impl Table<'_> {
    /// One turn; `false` if somebody left.
    fn turn(&mut self) -> Result<bool> {
        let player = self.game.umpire().turn();
        self.change_seats(player)?;
        for said in self.unheard.drain(..).filter(|said| said.is_heard_by(player)) {
            say(said)?;
        }
        self.draw_board(player)?;
        loop {
            let Some(line) = self.ask(&format!("{}> ", color_name(player)))? else {
                return Ok(false);
            };
            match understand(line.trim(), self.game.umpire().view(player)) {
                Err(reason) => say(reason)?,
                Ok(Said::Help) => say(HELP)?,
                Ok(Said::Quit) => return Ok(false),
                Ok(Said::Board) => self.draw_board(player)?,
                Ok(Said::Tries) => {
                    let view = self.game.umpire().view(player);
                    let names: Vec<String> =
                        view.tries().iter().map(|mv| san::write_try(view.men(), mv)).collect();
                    say(names.join(" "))?;
                }
                Ok(Said::Draw) => {
                    self.game.agree_to_draw()?;
                    return Ok(true);
                }
                Ok(Said::Resign) => {
                    self.game.resign(player)?;
                    return Ok(true);
                }
                Ok(Said::Try(tried)) => match self.game.judge(tried) {
                    Err(reason) => say(format!("Not accepted: {reason}."))?,
                    Ok(said) => {
                        say(said)?;
                        self.unheard.push(said);
                        self.keep_record()?;
                        if said.verdict == Verdict::Moved {
                            return Ok(true);
                        }
                    }
                },
            }
        }
    }

    fn draw_board(&self, player: Color) -> Result<()> {
        let men = *self.game.umpire().view(player).men();
        say(format!("\n{}", board::draw(&[men], player, self.options.ascii)))
    }

    /// Hides one player's men before the other one looks.
    fn change_seats(&mut self, player: Color) -> Result<()> {
        if self.is_terminal && self.game.record().moves() > 0 {
            self.ask("(press Enter, and change seats) ")?;
            say(CLEAR_SCREEN)?;
            self.ask(&format!("{}, press Enter when nobody else looks. ", color_name(player)))?;
        }
        Ok(())
    }

    /// The next line that was typed; nothing at the end of the input.
    fn ask(&self, prompt: &str) -> Result<Option<String>> {
        let mut out = io::stdout();
        write!(out, "{prompt}")?;
        out.flush()?;
        let mut line = Vec::new();
        io::stdin()
            .lock()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .context("cannot read what was typed")?;
        // A slip on the keyboard is no reason to lose the game: what is no text is no move.
        Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    fn keep_record(&self) -> Result<()> {
        let Some(path) = &self.options.record else { return Ok(()) };
        let told = Told::Record(Box::new(self.game.record().clone()));
        write_whole(path, &write_game(&told, notation_for(path)))
    }

    fn finish(&self) -> Result<()> {
        self.keep_record()?;
        let umpire = self.game.umpire();
        match umpire.outcome() {
            Some(outcome) => {
                let men = [Color::White, Color::Black].map(|color| *umpire.view(color).men());
                let board = board::draw(&men, Color::White, self.options.ascii);
                say(format!("\n{outcome}\n\n{board}"))
            }
            None => say("\nThe game goes on another day."),
        }
    }
}

fn say(words: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{words}")?)
}

fn understand(text: &str, view: &View) -> Result<Said, String> {
    match text.to_ascii_lowercase().as_str() {
        "any" | "any?" => Ok(Said::Try(Try::Any)),
        "tries" => Ok(Said::Tries),
        "board" => Ok(Said::Board),
        "draw" => Ok(Said::Draw),
        "resign" => Ok(Said::Resign),
        "quit" | "exit" => Ok(Said::Quit),
        "" | "help" | "?" => Ok(Said::Help),
        _ => san::read_try(view.men(), text)
            .map(|mv| Said::Try(mv.into()))
            .map_err(|error| format!("{error}; type help ({:?})", excerpt(text))),
    }
}
