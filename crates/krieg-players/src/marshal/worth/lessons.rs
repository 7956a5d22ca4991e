//! Lessons: what was noticed at every turn of finished games, and what came of it.

use std::collections::BTreeSet;

use cozy_chess::{Color, Piece};
use krieg_chess::Network;
use krieg_core::{Record, Try, Verdict};

use super::features::Noticed;
use super::{News, Worth, chance, chess, eye};

/// One turn of a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lesson {
    pub noticed: Noticed,
    /// What the side scored in the end: 1, ½ or 0.
    pub score: f32,
    /// What came of the turn for that side, as hindsight has it.
    pub came: f32,
    /// The turns of a game are much alike, so a game counts as one, however long it was.
    pub weight: f32,
    /// Counted from nought among the games that ended on the board.
    pub game: usize,
    /// Who was to move, and whom he played, by number.
    pub players: [usize; 2],
}

/// How it is seen what came of a turn.
///
/// The outcome of a game tells little about one of its turns: much is won and lost later, and by chance. So what came of a turn is told by what the next turns of that
/// side were worth, the nearest first, and by the outcome only for what then is left (temporal differences: Sutton, 1988).
#[derive(Debug, Clone)]
pub struct Hindsight {
    /// How much is left for later at each next turn, from 0 to 1: with 1 there is nothing but the outcome, with 0 nothing but the next turn.
    pub later: f64,
    /// What the next turns are valued by.
    pub by: Worth,
}

impl Default for Hindsight {
    /// With 0.8, some five turns are looked ahead, which were valued by the weights in the program.
    fn default() -> Self {
        Hindsight { later: 0.8, by: Worth::default() }
    }
}

impl Hindsight {
    /// Tells what came of each turn of a game. The sides take turns.
    fn see(&self, game: &mut [Lesson]) {
        for side in 0..Color::NUM {
            let mut next: Option<(f64, f64)> = None;
            for lesson in game.iter_mut().rev().skip(side).step_by(Color::NUM) {
                let outcome = f64::from(lesson.score);
                let came =
                    next.map_or(outcome, |(value, came)| value + self.later * (came - value));
                next = Some((chance(self.by.points_of(&lesson.noticed)), came));
                lesson.came = came as f32;
            }
        }
    }
}

/// The lessons of all these games; those that ended on a clock or by a resignation teach nothing about boards and are left out. With the
/// number of games and of players.
pub(super) fn lessons(records: &[Record], hindsight: &Hindsight) -> (Vec<Lesson>, usize, usize) {
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
                came: 0.0,
                weight: 0.0,
                game: games,
                players: [players[player as usize], players[!player as usize]],
            });
        });
        let turns = lessons.len() - first;
        hindsight.see(&mut lessons[first..]);
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

    /// The fastest of all mates, with a refused try.
    fn fools_mate() -> Record {
        let mut game = Game::new(Setup::default());
        for mv in ["f2f3", "e7e5", "g2g5", "g2g4", "d8h4"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        game.into_record()
    }

    fn came(later: f64) -> Vec<f32> {
        let hindsight = Hindsight { later, ..Hindsight::default() };
        let (lessons, ..) = lessons(&[fools_mate()], &hindsight);
        lessons.iter().map(|lesson| lesson.came).collect()
    }

    #[test]
    fn a_turn_came_to_what_the_next_one_of_that_side_was_worth() {
        assert_eq!(came(1.0), [1.0, 0.0, 1.0]);
        // Black is to move first and last; White's only turn is his last one.
        let [first, white, last] = came(0.0)[..] else { panic!("three turns") };
        assert_eq!((white, last), (0.0, 1.0), "after the last turn there is only the outcome");
        assert!(first > 0.4 && first < 0.95, "the next turn of Black's looked about even: {first}");
        let [between, ..] = came(0.5)[..] else { panic!("three turns") };
        assert!((between - (first + 1.0) / 2.0).abs() < 1e-6, "{between}");
    }

    #[test]
    fn a_fools_mate_teaches_three_turns_that_count_as_one_game() {
        let (lessons, games, players) = lessons(&[fools_mate()], &Hindsight::default());
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
        assert!(lessons(&[game.into_record()], &Hindsight::default()).0.is_empty());
    }
}
