//! `krieg play`: a person and a bot, or two people, at one terminal with an umpire between them.

mod bot;
mod input;
mod setup;

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Result, bail};
use krieg_arena::{Notation, write_record};
use krieg_core::{Announcement, Color, Game, Try, Verdict, color_name};
use krieg_notation::{SavedGame, san};
use krieg_players::Choice;

use crate::board;
use crate::cli::PlayOptions;
use crate::files::write_whole;
use crate::show;
use bot::Bot;
use input::{HELP, Input, confirm, parse_input, print_line, read_line};
use setup::{bot_of_game, new_game, resume_game};

/// Clears the screen and what could be scrolled back to.
const CLEAR_SCREEN: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Whether the game goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Turn,
    Quit,
}

pub fn play(options: &PlayOptions) -> Result<()> {
    // A game with a node limit can be continued exactly. Pondering cannot be repeated, so it is
    // allowed only with a clock.
    if options.ponder && options.tc.is_none_or(|tc| !tc.is_timed()) {
        bail!("--ponder needs a clock, such as --tc 1/move");
    }
    let mut game = TerminalGame::new(options)?;
    game.write_record()?;
    while game.game.umpire().outcome().is_none() {
        if game.play_turn()? == Next::Quit {
            break;
        }
    }
    game.finish()
}

struct TerminalGame<'a> {
    game: Game,
    options: &'a PlayOptions,
    /// The opponent; `None` if two people play.
    bot: Option<Bot>,
    /// Announcements that the player at the keyboard has not been shown yet.
    pending: Vec<Announcement>,
    is_terminal: bool,
}

impl<'a> TerminalGame<'a> {
    /// Begins a new game, or continues the one in the record.
    fn new(options: &'a PlayOptions) -> Result<Self> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let resumed = match &options.record {
            Some(path) if path.exists() => Some(resume_game(path, options)?),
            _ => None,
        };
        let is_new = resumed.is_none();
        let game = match resumed {
            Some(game) => game,
            None => new_game(options)?,
        };
        let bot = bot_of_game(&game, options)?;
        let ruleset = game.umpire().ruleset();
        match &bot {
            None => print_line(format!(
                "Kriegspiel, ruleset {ruleset}. Two players at one keyboard. Type help for help."
            ))?,
            Some(bot) => {
                let own = color_name(!bot.color);
                let name = &bot.name;
                print_line(format!(
                    "Kriegspiel, ruleset {ruleset}. You have {own} against {name}. Type help for \
                     help."
                ))?;
            }
        }
        let mut pending = vec![game.umpire().opening()];
        if !is_new {
            print_line(format!("The game continues after {} moves.", game.record().moves()))?;
            pending = announcements_since_last_move(&game);
        }
        Ok(TerminalGame { game, options, bot, pending, is_terminal })
    }

    fn play_turn(&mut self) -> Result<Next> {
        match &self.bot {
            Some(bot) if bot.color == self.game.umpire().turn() => self.play_bot_try(),
            _ => self.play_person_turn(),
        }
    }

    /// Plays one try of the bot. The person is shown the announcements at the next prompt.
    fn play_bot_try(&mut self) -> Result<Next> {
        let Some(bot) = &mut self.bot else { return Ok(Next::Turn) };
        let (color, name) = (bot.color, bot.name.clone());
        let result = match bot.choose(&self.game) {
            Err(fault) => {
                print_line(format!("{name} cannot continue: {fault}."))?;
                self.game.abandon(color)
            }
            Ok(Choice::Resign) => self.game.resign(color),
            Ok(Choice::Try(tried)) => self.game.judge(tried),
        };
        let announcement = result?;
        if let Some(bot) = &mut self.bot {
            bot.press_clock(announcement.verdict);
        }
        self.process(announcement)?;
        Ok(Next::Turn)
    }

    fn play_person_turn(&mut self) -> Result<Next> {
        let player = self.game.umpire().turn();
        if self.change_seats(player)? == Next::Quit {
            return Ok(Next::Quit);
        }
        for announcement in self.pending.drain(..).filter(|said| said.is_observed_by(player)) {
            print_line(announcement)?;
        }
        self.draw_board(player)?;
        while let Some(line) = self.read_command(player)? {
            match parse_input(line.trim(), self.game.umpire().view(player)) {
                Err(reason) => print_line(reason)?,
                Ok(Input::Help) => print_line(HELP)?,
                Ok(Input::Quit) => return Ok(Next::Quit),
                Ok(Input::Board) => self.draw_board(player)?,
                Ok(Input::History) => self.print_history(player)?,
                Ok(Input::Undo) => {
                    print_line("Nothing to undo: a try that was sent cannot be taken back.")?;
                }
                Ok(Input::Save(path)) => self.save(&path)?,
                Ok(Input::Tries) => {
                    let view = self.game.umpire().view(player);
                    let names: Vec<String> =
                        view.tries().iter().map(|mv| san::write_try(view.pieces(), mv)).collect();
                    print_line(names.join(" "))?;
                }
                Ok(Input::Draw) if self.bot.is_some() => {
                    print_line("Bots do not agree to draws. The game goes on.")?;
                }
                Ok(Input::Draw) if confirm(&format!("{}, do you agree?", color_name(!player)))? => {
                    self.game.agree_to_draw()?;
                    return Ok(Next::Turn);
                }
                Ok(Input::Resign) if confirm("Do you want to resign?")? => {
                    self.game.resign(player)?;
                    return Ok(Next::Turn);
                }
                Ok(Input::Draw | Input::Resign) => print_line("The game goes on.")?,
                Ok(Input::Try(tried)) => {
                    if !self.confirm_try(tried)? {
                        print_line("Discarded.")?;
                        continue;
                    }
                    match self.game.judge(tried) {
                        Err(reason) => print_line(format!("Not accepted: {reason}."))?,
                        Ok(announcement) => {
                            print_line(announcement)?;
                            self.process(announcement)?;
                            if announcement.verdict == Verdict::Moved {
                                return Ok(Next::Turn);
                            }
                        }
                    }
                }
            }
        }
        Ok(Next::Quit)
    }

    /// Reads the person's next command. With `--ponder` the bot thinks meanwhile.
    fn read_command(&mut self, player: Color) -> Result<Option<String>> {
        let prompt = format!("{}> ", color_name(player));
        let Some(bot) = self.bot.as_mut().filter(|_| self.options.ponder) else {
            return read_line(&prompt);
        };
        bot.while_pondering(|| read_line(&prompt))
    }

    /// Saves the game in a file, and asks before an existing file is overwritten.
    fn save(&self, path: &Path) -> Result<()> {
        let name = path.display();
        if path.exists() && !confirm(&format!("{name} exists already. Overwrite it?"))? {
            return print_line("Not saved.");
        }
        match self.write_record_to(path) {
            Ok(()) => print_line(format!("Saved in {name}.")),
            Err(error) => print_line(format!("Not saved: {error:#}.")),
        }
    }

    /// Asks whether to send the try, if confirmation is on: Enter sends it.
    fn confirm_try(&self, tried: Try) -> Result<bool> {
        let asks = self.options.confirm || self.is_terminal && !self.options.no_confirm;
        if !asks {
            return Ok(true);
        }
        let answer = read_line(&format!("{tried}: press Enter to send it, or type undo. "))?;
        Ok(answer.is_some_and(|line| line.trim().is_empty()))
    }

    /// Passes an announcement to the bot and to the next player, and updates the record.
    fn process(&mut self, announcement: Announcement) -> Result<()> {
        // A person who plays a bot has already read the answer to their own try.
        if self.bot.as_ref().is_none_or(|bot| bot.color == announcement.by) {
            self.pending.push(announcement);
        }
        if let Some(bot) = &mut self.bot
            && let Err(fault) = bot.observe(self.game.record())
            && self.game.umpire().outcome().is_none()
        {
            print_line(format!("{} cannot continue: {fault}.", bot.name))?;
            self.game.abandon(bot.color)?;
        }
        // A full disk must not end the game, so this is only a warning.
        if let Err(error) = self.write_record() {
            print_line(format!("The record is not up to date: {error:#}."))?;
        }
        Ok(())
    }

    /// Prints the observation history of a player.
    fn print_history(&self, player: Color) -> Result<()> {
        let transcript = SavedGame::Transcript(Box::new(self.game.record().transcript(player)));
        show::write_observations(&mut io::stdout(), &transcript, usize::MAX, false)?;
        Ok(())
    }

    fn draw_board(&self, player: Color) -> Result<()> {
        let pieces = *self.game.umpire().view(player).pieces();
        print_line(format!("\n{}", board::draw(&[pieces], player, self.options.ascii)))
    }

    /// Hides one player's pieces before the other one looks.
    fn change_seats(&mut self, player: Color) -> Result<Next> {
        if self.is_terminal && self.bot.is_none() && self.game.record().moves() > 0 {
            if read_line("(press Enter, then change seats) ")?.is_none() {
                return Ok(Next::Quit);
            }
            print_line(CLEAR_SCREEN)?;
            let prompt =
                format!("{}, press Enter when only you see the screen. ", color_name(player));
            if read_line(&prompt)?.is_none() {
                return Ok(Next::Quit);
            }
        }
        Ok(Next::Turn)
    }

    fn write_record(&self) -> Result<()> {
        match &self.options.record {
            Some(path) => self.write_record_to(path),
            None => Ok(()),
        }
    }

    fn write_record_to(&self, path: &Path) -> Result<()> {
        let text = write_record(self.game.record(), Notation::for_path(path));
        write_whole(path, |out| Ok(out.write_all(text.as_bytes())?))
    }

    fn finish(&self) -> Result<()> {
        let umpire = self.game.umpire();
        match umpire.outcome() {
            Some(outcome) => {
                let pieces = Color::ALL.map(|color| *umpire.view(color).pieces());
                let board = board::draw(&pieces, Color::White, self.options.ascii);
                print_line(format!("\n{outcome}\n\n{board}"))?;
            }
            None if self.options.record.is_some() => {
                print_line("\nThe game is saved; the same command continues it.")?;
            }
            None => print_line("\nThe game is not saved.")?,
        }
        self.write_record()
    }
}

/// The announcements since the last move of the player to move.
fn announcements_since_last_move(game: &Game) -> Vec<Announcement> {
    let player = game.umpire().turn();
    let entries = game.record().entries();
    let is_own_move = |announcement: &Announcement| {
        announcement.by == player && announcement.verdict == Verdict::Moved
    };
    let last = entries.iter().rposition(|entry| is_own_move(&entry.announcement));
    let later = entries[last.map_or(0, |own| own + 1)..].iter().map(|entry| entry.announcement);
    match last {
        None => std::iter::once(game.umpire().opening()).chain(later).collect(),
        Some(_) => later.collect(),
    }
}
