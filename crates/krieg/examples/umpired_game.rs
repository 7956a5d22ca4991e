//! The umpire alone: judge tries, and see what each player hears:
//! `cargo run --example umpired_game`.

use krieg_core::{Color, Game, Ruleset, Setup, color_name};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(Setup { ruleset: Ruleset::ICC, ..Setup::default() });
    // The third try is refused: nothing stands on f5. A refusal costs no turn.
    for tried in ["e2e4", "d7d5", "e4f5", "e4d5", "d8d5", "b1c3"] {
        let turn = color_name(game.umpire().turn());
        let announcement = game.judge(tried.parse()?)?;
        println!("{turn} tries {tried}: {announcement}");
    }
    println!("\nThe position:\n{}", game.umpire().position());
    let record = game.into_record();
    for color in Color::ALL {
        println!("\nWhat {} heard:", color_name(color));
        for observation in record.transcript(color).observations {
            println!("  {}", observation.announcement);
        }
    }
    Ok(())
}
