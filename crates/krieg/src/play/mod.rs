//! `krieg play`: a person and an opponent at one terminal, with the umpire between them.

mod keyboard;
mod program;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use krieg_core::{Announcement, Color, Game, Position, Setup, Try, Verdict, color_name};
use krieg_notation::{SavedGame, san};
use krieg_players::{Choice, PlayerSpec};
use krieg_time::TimeControl;

use crate::board;
use crate::cli::{Man, PlayOptions};
use crate::files::write_whole;
use crate::show;
use keyboard::{HELP, Said, ask, is_sure, say, understand};
use krieg_arena::{GameFile, Notation, write_record};
use program::{Program, THINKING};

/// What a terminal shows, and what it could scroll back to, is gone.
const CLEAR_SCREEN: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Whether the game goes on at this table.
#[derive(PartialEq, Eq)]
enum Next {
    Turn,
    Leave,
}

pub fn play(options: &PlayOptions) -> Result<()> {
    // A game by nodes can be taken up again as it was; what is thought on somebody's time cannot.
    if options.ponder && options.tc.is_none_or(|tc| !tc.is_timed()) {
        bail!("--ponder needs a clock, such as --tc 1/move");
    }
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
    /// The player who is no person, if there is one.
    program: Option<Program>,
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
            None => new_game(options)?,
        };
        let program = seat_program(&game, options)?;
        let ruleset = game.umpire().ruleset();
        match &program {
            None => say(format!(
                "Kriegspiel, ruleset {ruleset}. Two players, one keyboard; type help."
            ))?,
            Some(program) => {
                let own = color_name(!program.color);
                let name = &program.name;
                say(format!(
                    "Kriegspiel, ruleset {ruleset}. You have {own} against {name}; type help."
                ))?;
            }
        }
        let mut unheard = vec![game.umpire().opening()];
        if !is_new {
            say(format!("The game goes on after {} moves.", game.record().moves()))?;
            unheard = said_last(&game);
        }
        Ok(Table { game, options, program, unheard, is_terminal })
    }

    fn turn(&mut self) -> Result<Next> {
        match &self.program {
            Some(program) if program.color == self.game.umpire().turn() => self.program_turn(),
            _ => self.person_turn(),
        }
    }

    /// The other player tries until something stands, and the person hears of it when it is his turn.
    fn program_turn(&mut self) -> Result<Next> {
        let Some(program) = &mut self.program else { return Ok(Next::Turn) };
        let (color, name) = (program.color, program.name.clone());
        let done = match program.choose(&self.game) {
            Err(fault) => {
                say(format!("{name} cannot go on: {fault}."))?;
                self.game.abandon(color)
            }
            Ok(Choice::Resign) => self.game.resign(color),
            Ok(Choice::Try(tried)) => self.game.judge(tried),
        };
        let said = done?;
        if let Some(program) = &mut self.program {
            program.answered(said.verdict);
        }
        self.after(said)?;
        Ok(Next::Turn)
    }

    fn person_turn(&mut self) -> Result<Next> {
        let player = self.game.umpire().turn();
        if self.change_seats(player)? == Next::Leave {
            return Ok(Next::Leave);
        }
        for said in self.unheard.drain(..).filter(|said| said.is_observed_by(player)) {
            say(said)?;
        }
        self.draw_board(player)?;
        while let Some(line) = self.ask_person(player)? {
            match understand(line.trim(), self.game.umpire().view(player)) {
                Err(reason) => say(reason)?,
                Ok(Said::Help) => say(HELP)?,
                Ok(Said::Quit) => return Ok(Next::Leave),
                Ok(Said::Board) => self.draw_board(player)?,
                Ok(Said::Heard) => self.tell_heard(player)?,
                Ok(Said::Undo) => say("Nothing waits to be sent; what was sent was heard.")?,
                Ok(Said::Save(path)) => self.save(&path)?,
                Ok(Said::Tries) => {
                    let view = self.game.umpire().view(player);
                    let names: Vec<String> =
                        view.tries().iter().map(|mv| san::write_try(view.pieces(), mv)).collect();
                    say(names.join(" "))?;
                }
                Ok(Said::Draw) if self.program.is_some() => {
                    say("A player of this house plays on.")?;
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
                Ok(Said::Try(tried)) => {
                    if !self.is_meant(tried)? {
                        say("Taken back.")?;
                        continue;
                    }
                    match self.game.judge(tried) {
                        Err(reason) => say(format!("Not accepted: {reason}."))?,
                        Ok(said) => {
                            say(said)?;
                            self.after(said)?;
                            if said.verdict == Verdict::Moved {
                                return Ok(Next::Turn);
                            }
                        }
                    }
                }
            }
        }
        Ok(Next::Leave)
    }

    /// What the person says next. Meanwhile the other player may think.
    fn ask_person(&mut self, player: Color) -> Result<Option<String>> {
        let prompt = format!("{}> ", color_name(player));
        let Some(program) = self.program.as_mut().filter(|_| self.options.ponder) else {
            return ask(&prompt);
        };
        program.while_pondering(|| ask(&prompt))
    }

    /// Keeps the game where the player says, and what is there already only if he wants it gone.
    fn save(&self, path: &Path) -> Result<()> {
        let name = path.display();
        if path.exists() && !is_sure(&format!("{name} is there already. Write over it?"))? {
            return say("Not kept.");
        }
        match self.keep_record_in(path) {
            Ok(()) => say(format!("Kept in {name}.")),
            Err(error) => say(format!("Not kept: {error:#}.")),
        }
    }

    /// Whether the try is to be sent: where fingers slip, Enter sends it and anything else does not.
    fn is_meant(&self, tried: Try) -> Result<bool> {
        let asks = self.options.confirm || self.is_terminal && !self.options.no_confirm;
        if !asks {
            return Ok(true);
        }
        let answer = ask(&format!("{tried}: Enter sends it, undo takes it back. "))?;
        Ok(answer.is_some_and(|line| line.trim().is_empty()))
    }

    /// Something was said: it is passed on, and written down.
    fn after(&mut self, said: Announcement) -> Result<()> {
        // Alone at the keyboard, he has just read the answer to his own try.
        if self.program.as_ref().is_none_or(|program| program.color == said.by) {
            self.unheard.push(said);
        }
        if let Some(program) = &mut self.program
            && let Err(fault) = program.observe(self.game.record())
            && self.game.umpire().outcome().is_none()
        {
            say(format!("{} cannot go on: {fault}.", program.name))?;
            self.game.abandon(program.color)?;
        }
        // The game matters more than its record: warn, and play on.
        if let Err(error) = self.keep_record() {
            say(format!("The record is behind: {error:#}."))?;
        }
        Ok(())
    }

    /// All that a player has heard and tried.
    fn tell_heard(&self, player: Color) -> Result<()> {
        let told = SavedGame::Transcript(Box::new(self.game.record().transcript(player)));
        show::write_lines(&mut io::stdout(), &told, usize::MAX, false)?;
        Ok(())
    }

    fn draw_board(&self, player: Color) -> Result<()> {
        let men = *self.game.umpire().view(player).pieces();
        say(format!("\n{}", board::draw(&[men], player, self.options.ascii)))
    }

    /// Hides one player's men before the other one looks.
    fn change_seats(&mut self, player: Color) -> Result<Next> {
        if self.is_terminal && self.program.is_none() && self.game.record().moves() > 0 {
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
        match &self.options.record {
            Some(path) => self.keep_record_in(path),
            None => Ok(()),
        }
    }

    fn keep_record_in(&self, path: &Path) -> Result<()> {
        let text = write_record(self.game.record(), Notation::for_path(path));
        write_whole(path, |out| Ok(out.write_all(text.as_bytes())?))
    }

    fn finish(&self) -> Result<()> {
        let umpire = self.game.umpire();
        match umpire.outcome() {
            Some(outcome) => {
                let men = [Color::White, Color::Black].map(|color| *umpire.view(color).pieces());
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

fn new_game(options: &PlayOptions) -> Result<Game> {
    let mut game = Game::new(Setup {
        ruleset: options.ruleset.unwrap_or_default(),
        start: match &options.fen {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        },
        ..Setup::default()
    });
    let Some(player) = &options.player else { return Ok(game) };
    // Somebody who plays twice wants two games; whoever wants the same one says so.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = options.seed.unwrap_or(now.as_nanos() as u64 & 0xffff_ffff);
    game.set_seed(Some(seed));
    let own = match options.color.unwrap_or(Man::White) {
        Man::White => Color::White,
        Man::Black => Color::Black,
        Man::Either if seed.is_multiple_of(2) => Color::White,
        Man::Either => Color::Black,
    };
    game.set_tag(color_name(own), YOU)?;
    game.set_tag(color_name(!own), &player.to_string())?;
    if let Some(control) = options.tc {
        game.set_tag(THINKING, &control.to_string())?;
    }
    Ok(game)
}

/// How a person is called in the record of a game against a player of this house.
const YOU: &str = "You";

/// The player of this house whom the game's tags name, if they name one.
fn seat_program(game: &Game, options: &PlayOptions) -> Result<Option<Program>> {
    let record = game.record();
    let tag = |name: &str| record.tags().get(name).map(String::as_str);
    let Some(own) = Color::ALL.into_iter().find(|color| tag(color_name(*color)) == Some(YOU))
    else {
        if let Some(player) = &options.player {
            bail!("the game in the record is one between people, not against {player}");
        }
        return Ok(None);
    };
    let spec = PlayerSpec::from_saved(tag(color_name(!own)).unwrap_or_default())?;
    if options.player.as_ref().is_some_and(|player| *player != spec) {
        bail!("the game in the record is one against {spec}");
    }
    // A record is something to read. It must not start programs that nobody asked for.
    if spec.is_program() && options.player.is_none() {
        bail!("the game in the record is one against {spec}; to start that program, name it");
    }
    let control = match tag(THINKING) {
        Some(text) => text.parse()?,
        None => TimeControl::Unlimited,
    };
    let other_color = match options.color {
        Some(Man::White) => own != Color::White,
        Some(Man::Black) => own != Color::Black,
        Some(Man::Either) | None => false,
    };
    let other_seed = options.seed.is_some_and(|seed| record.seed() != Some(seed));
    if other_color || other_seed || options.tc.is_some_and(|tc| tc != control) {
        bail!("the game in the record is played otherwise; leave out --as, --seed and --tc");
    }
    Program::sit(&spec, !own, control, record).map(Some)
}

/// The game that was left in a record, to be taken up again.
fn left_game(path: &Path, options: &PlayOptions) -> Result<Game> {
    if !path.is_file() {
        bail!("{} is no ordinary file", path.display());
    }
    let file = GameFile::read(path)?;
    let mut games = file.games();
    let (first, second) = (games.next(), games.next());
    let game = match (first.transpose()?, second) {
        (Some(SavedGame::Record(record)), None) => Game::resume(*record),
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
    let after = entries.iter().rposition(|entry| is_own_move(&entry.announcement));
    let said = entries[after.map_or(0, |own| own + 1)..].iter().map(|entry| entry.announcement);
    match after {
        None => std::iter::once(game.umpire().opening()).chain(said).collect(),
        Some(_) => said.collect(),
    }
}
