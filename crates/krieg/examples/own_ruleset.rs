//! A ruleset of your own: `cargo run --example own_ruleset`.

use krieg_core::{Audience, Game, Ruleset, RulesetTexts, Setup};

/// English, but the opponent does not hear refusals.
const WHISPER: Ruleset = Ruleset {
    name: "whisper",
    about: "Whisper: English, and only the mover hears that a try is refused",
    texts: &RulesetTexts {
        title: "Whisper",
        summary: "like English, and only the mover hears refusals",
        description: "The rules of English, but the umpire whispers refusals to the mover.",
        hint: "Your opponent does not hear your refusals, so try the unlikely captures first.",
    },
    refusals: Audience::Mover,
    ..Ruleset::ENGLISH
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for text in WHISPER.rules_text() {
        println!("{} {}.", text.topic, text.rule);
    }
    let mut game = Game::new(Setup { ruleset: WHISPER, ..Setup::default() });
    for tried in ["e2e4", "d7d5", "any?", "e4f5", "e4d5"] {
        println!("{tried}: {}", game.judge(tried.parse()?)?);
    }
    Ok(())
}
