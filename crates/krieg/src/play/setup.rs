//! New games, and games continued from a record.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use krieg_arena::GameFile;
use krieg_core::{Color, Game, Position, Record, Setup, color_name};
use krieg_notation::SavedGame;
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

use super::bot::Bot;
use crate::cli::{OwnColor, PlayOptions};

/// The name of the person in the record of a game against a bot.
const YOU: &str = "You";

/// The tag for the bot's time control in records of earlier versions.
const FORMER_TIME_CONTROL_TAG: &str = "Thinking";

/// Creates the game that the options describe.
pub fn new_game(options: &PlayOptions) -> Result<Game> {
    let mut game = Game::new(Setup {
        ruleset: options.ruleset.unwrap_or_default(),
        start: match &options.fen {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        },
        ..Setup::default()
    });
    let Some(player) = &options.player else { return Ok(game) };
    // Without --seed every game is different.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = options.seed.unwrap_or(now.as_nanos() as u64 & 0xffff_ffff);
    game.set_seed(Some(seed));
    let own = match options.color.unwrap_or(OwnColor::White) {
        OwnColor::White => Color::White,
        OwnColor::Black => Color::Black,
        OwnColor::Random if seed.is_multiple_of(2) => Color::White,
        OwnColor::Random => Color::Black,
    };
    game.set_tag(color_name(own), YOU)?;
    game.set_tag(color_name(!own), &player.to_string())?;
    if let Some(control) = options.tc {
        game.set_tag(&time_control_tag(!own), &control.to_string())?;
    }
    Ok(game)
}

/// Reads an unfinished game from its record, which must agree with the options.
pub fn resume_game(path: &Path, options: &PlayOptions) -> Result<Game> {
    let name = path.display();
    if !path.is_file() {
        bail!("{name} is not a regular file");
    }
    let file = GameFile::read(path)?;
    let mut games = file.games();
    let (first, second) = (games.next(), games.next());
    let game = match (first.transpose()?, second) {
        (Some(SavedGame::Record(record)), None) => Game::resume(*record),
        _ => bail!("{name}: the file must contain exactly one game, as recorded by the umpire"),
    };
    if game.umpire().outcome().is_some() {
        bail!("{name}: this game is over; choose another file for a new game");
    }
    let setup = game.record().setup();
    let other_ruleset = options.ruleset.is_some_and(|ruleset| ruleset != setup.ruleset);
    let start = options.fen.as_deref().map(Position::from_fen).transpose()?;
    if other_ruleset || start.is_some_and(|start| start != setup.start) {
        bail!(
            "{name}: the recorded game has another ruleset or start position; leave out --ruleset \
             and --fen to continue it"
        );
    }
    Ok(game)
}

/// Creates the bot that the tags of the game name, or `None` if two people play.
pub fn bot_of_game(game: &Game, options: &PlayOptions) -> Result<Option<Bot>> {
    let record = game.record();
    let tag = |name: &str| record.tags().get(name).map(String::as_str);
    let Some(own) = Color::ALL.into_iter().find(|color| tag(color_name(*color)) == Some(YOU))
    else {
        if let Some(player) = &options.player {
            bail!("the recorded game is between two people, not against {player}");
        }
        return Ok(None);
    };
    let spec = PlayerSpec::from_saved(tag(color_name(!own)).unwrap_or_default())?;
    if options.player.as_ref().is_some_and(|player| *player != spec) {
        bail!("the recorded game is against {spec}");
    }
    // Reading a record must not start programs that the user did not ask for.
    if spec.is_program() && options.player.is_none() {
        bail!("the recorded game is against {spec}; to start that program, name it");
    }
    let control = recorded_control(record, !own)?;
    let other_color = match options.color {
        Some(OwnColor::White) => own != Color::White,
        Some(OwnColor::Black) => own != Color::Black,
        Some(OwnColor::Random) | None => false,
    };
    let other_seed = options.seed.is_some_and(|seed| record.seed() != Some(seed));
    if other_color || other_seed || options.tc.is_some_and(|tc| tc != control) {
        bail!("the recorded game has other settings; leave out --as, --seed and --tc");
    }
    Bot::new(&spec, !own, control, record).map(Some)
}

/// The time control of the bot in a record. A continued game needs it to be the same game.
fn recorded_control(record: &Record, bot: Color) -> Result<TimeControl> {
    let tags = record.tags();
    match tags.get(&time_control_tag(bot)).or_else(|| tags.get(FORMER_TIME_CONTROL_TAG)) {
        Some(text) => Ok(text.parse()?),
        None => Ok(TimeControl::Unlimited),
    }
}

/// The tag for the time control of one side; the person plays without a clock.
fn time_control_tag(bot: Color) -> String {
    format!("{}TimeControl", color_name(bot))
}
