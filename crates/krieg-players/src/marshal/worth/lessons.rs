//! Lessons: what was noticed at every turn of finished games, and how they ended.

use std::collections::BTreeSet;

use cozy_chess::{Color, Piece};
use krieg_chess::Network;
use krieg_core::{Record, Try, Verdict};

use super::features::Noticed;
use super::{News, chess, eye};

/// One turn of a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lesson {
    pub noticed: Noticed,
    /// What the side scored in the end: 1, ½ or 0.
    pub score: f32,
    /// The turns of a game are much alike, so a game counts as one, however long it was.
    pub weight: f32,
    /// Counted from nought among the games that ended on the board.
    pub game: usize,
    /// Who was to move, and whom he played, by number.
    pub players: [usize; 2],
}

/// The lessons of all these games; those that ended on a clock or by a resignation teach nothing about boards and are left out. With the
/// number of games and of players.
pub(super) fn lessons(records: &[Record]) -> (Vec<Lesson>, usize, usize) {
    let name = |record: &Record, tag: &str| record.tags().get(tag).cloned().unwrap_or_default();
    let names: BTreeSet<String> =
        records.iter().flat_map(|record| ["White", "Black"].map(|tag| name(record, tag))).collect();
    let number = |who: String| names.iter().position(|known| *known == who).unwrap_or(0);
    let mut lessons = Vec::new();
    let mut games = 0;
    let mut network = Network::default();
    for record in records {
        let ended = record.outcome().filter(|outcome| outcome.ending.stands_on_the_board());
        let Some(outcome) = ended else { continue };
        let first = lessons.len();
        let players = ["White", "Black"].map(|tag| number(name(record, tag)));
        turns(record, &mut network, |player, noticed| {
            lessons.push(Lesson {
                noticed,
                score: match outcome.winner {
                    None => 0.5,
                    Some(winner) => f32::from(u8::from(winner == player)),
                },
                weight: 0.0,
                game: games,
                players: [players[player as usize], players[!player as usize]],
            });
        });
        let turns = lessons.len() - first;
        for lesson in &mut lessons[first..] {
            lesson.weight = 1.0 / turns as f32;
        }
        games += 1;
    }
    (lessons, games, names.len())
}

/// Plays the game again, and looks at the board at every turn, with what the player on the move has heard.
fn turns(record: &Record, network: &mut Network, mut look: impl FnMut(Color, Noticed)) {
    let mut game = record.replay(0);
    let mut news = [News::default(); Color::NUM];
    for entry in record.entries() {
        let mover = entry.said.by;
        let man = match entry.tried {
            Try::Move(mv) => game.umpire().position().board().piece_on(mv.from),
            Try::Any => None,
        };
        // What a record holds was umpired once, by the same rules.
        let _ = game.judge(entry.tried);
        if entry.said.verdict != Verdict::Moved || game.umpire().outcome().is_some() {
            continue;
        }
        let capture = entry.said.capture;
        for player in Color::ALL {
            let has_moved_a_pawn = player == mover && man == Some(Piece::Pawn);
            let progress = capture.is_some() || has_moved_a_pawn;
            let quiet = &mut news[player as usize].quiet;
            *quiet = if progress { 0 } else { *quiet + 1 };
        }
        let player = !mover;
        news[player as usize].lost_on = capture.map(|capture| capture.square);
        news[player as usize].has_pawn_try = entry.said.pawns.is_some_there();
        let board = game.umpire().position().board();
        let chess = chess(network, board);
        look(player, eye::notice(board, player, &news[player as usize], chess));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    #[test]
    fn a_fools_mate_teaches_three_turns_that_count_as_one_game() {
        let mut game = Game::new(Setup::default());
        for mv in ["f2f3", "e7e5", "g2g5", "g2g4", "d8h4"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        let (lessons, games, players) = lessons(&[game.into_record()]);
        assert_eq!((games, players), (1, 1));
        let scores: Vec<f32> = lessons.iter().map(|lesson| lesson.score).collect();
        assert_eq!(scores, [1.0, 0.0, 1.0]);
        assert_eq!(lessons.iter().map(|lesson| lesson.weight).sum::<f32>(), 1.0);
    }

    #[test]
    fn a_game_that_was_resigned_teaches_nothing() {
        let mut game = Game::new(Setup::default());
        game.judge("e2e4".parse().unwrap()).unwrap();
        game.resign(Color::Black).unwrap();
        assert!(lessons(&[game.into_record()]).0.is_empty());
    }
}
