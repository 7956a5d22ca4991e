//! Ending a game that is read back the way its record says it ended.

use krieg_core::{Color, Ending, Game, Outcome};

/// Ends the game as the record claims. What stands on the board was declared already, and a
/// record that claims otherwise is wrong.
pub(crate) fn finish(game: &mut Game, claimed: Option<Outcome>) -> Result<(), String> {
    let declared = game.umpire().outcome();
    if let (None, Some(claim)) = (declared, claimed) {
        let loser = claim.winner.map(|winner| !winner);
        let ended = match (claim.ending, loser) {
            (Ending::Resignation, Some(loser)) => game.resign(loser).ok(),
            (Ending::Abandonment, Some(loser)) => game.abandon(loser).ok(),
            (Ending::Flag, Some(loser)) => game.flag(loser).ok(),
            (Ending::Flag, None) => flag_against_bare_king(game),
            (Ending::Agreement, None) => game.agree_to_draw().ok(),
            _ => None,
        };
        if ended.and_then(|said| said.end) == Some(claim) {
            return Ok(());
        }
        return Err(format!("the record ends with \"{claim}\", which cannot be"));
    }
    if declared == claimed {
        return Ok(());
    }
    let claim = claimed.map_or("the game goes on".to_string(), |claim| claim.to_string());
    let truth = declared.map_or("the game goes on".to_string(), |truth| truth.to_string());
    Err(format!("the record ends with \"{claim}\" where the umpire says \"{truth}\""))
}

fn flag_against_bare_king(game: &mut Game) -> Option<krieg_core::Announcement> {
    let is_bare = |color| game.umpire().view(color).men().all().len() == 1;
    let player = [Color::White, Color::Black].into_iter().find(|&player| is_bare(!player))?;
    game.flag(player).ok()
}
