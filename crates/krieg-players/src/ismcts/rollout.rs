//! Rollouts: games in which both sides play like the semi-random player.

use krieg_core::{Announcement, BitBoard, Color, Piece, Umpire, Verdict};

use crate::Choice;
use crate::random::TrySampler;
use crate::semi_random::SemiRandomPolicy;

/// When a rollout ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutLimits {
    /// Number of plies after which it is a draw.
    pub max_plies: u32,
    /// Whether it ends as soon as [`adjudicated_winner`] names a winner.
    pub adjudicated: bool,
}

/// Plays one accepted move for the side to move, with the question and the refused tries before it,
/// and returns its announcement. `None` if no sensible try is left.
pub fn play_semi_random_move(
    umpire: &mut Umpire,
    policies: &mut [SemiRandomPolicy; 2],
    sampler: &mut TrySampler,
) -> Option<Announcement> {
    let mover = umpire.turn();
    loop {
        let choice = policies[mover as usize].choose(umpire.view(mover), sampler);
        let Choice::Try(tried) = choice else { return None };
        let announcement = umpire.judge(tried).ok()?;
        if announcement.verdict == Verdict::Moved {
            policies.iter_mut().for_each(|policy| policy.observe(&announcement));
            return Some(announcement);
        }
    }
}

/// Plays the game to its end, or to the limit. Returns White's score.
pub fn rollout(
    umpire: &mut Umpire,
    policies: &mut [SemiRandomPolicy; 2],
    sampler: &mut TrySampler,
    limits: RolloutLimits,
) -> f64 {
    for _ in 0..limits.max_plies {
        if umpire.outcome().is_some() {
            break;
        }
        if limits.adjudicated
            && let Some(winner) = adjudicated_winner(umpire)
        {
            return white_score(Some(winner));
        }
        if play_semi_random_move(umpire, policies, sampler).is_none() {
            break;
        }
    }
    white_score(umpire.outcome().and_then(|outcome| outcome.winner))
}

/// White's score: 1 for a win, ½ for a draw, 0 for a loss.
pub fn white_score(winner: Option<Color>) -> f64 {
    match winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    }
}

/// The winner against a lone king: a side with a queen, a rook, two bishops on squares of different
/// colours, or a bishop and a knight. Random games hardly ever end in mate, so Favini (2010,
/// section 5.6) ends them here.
pub fn adjudicated_winner(umpire: &Umpire) -> Option<Color> {
    let board = umpire.position().board();
    let winner = Color::ALL.into_iter().find(|&side| board.colors(!side).len() == 1)?;
    let pieces = |piece: Piece| board.colored_pieces(winner, piece);
    let bishops = pieces(Piece::Bishop);
    let has_major_piece = !(pieces(Piece::Queen) | pieces(Piece::Rook)).is_empty();
    let has_light_bishop = !(bishops & BitBoard::LIGHT_SQUARES).is_empty();
    let has_dark_bishop = !(bishops & BitBoard::DARK_SQUARES).is_empty();
    let has_two_minor_pieces = (has_light_bishop && has_dark_bishop)
        || ((has_light_bishop || has_dark_bishop) && !pieces(Piece::Knight).is_empty());
    (has_major_piece || has_two_minor_pieces).then_some(winner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameSettings, Player, Seat, SemiRandom};
    use krieg_core::{Observation, Position, Ruleset, Setup, Try};
    use krieg_time::{Clock, TimeControl};

    #[test]
    fn simulated_players_choose_like_the_semi_random_player() {
        for ruleset in Ruleset::ALL {
            let settings = GameSettings {
                setup: Setup { ruleset, ..Setup::default() },
                ..GameSettings::default()
            };
            let seat = Seat::new(Color::White, &settings, 4);
            let (mut player, clock) = (SemiRandom::new(), Clock::new(TimeControl::Unlimited));
            player.begin(&seat).unwrap();
            let mut umpire = Umpire::new(ruleset, Position::start());
            let mut policies = Color::ALL.map(SemiRandomPolicy::new);
            let (mut sampler, mut other) = (TrySampler::new(seat.seed), TrySampler::new(7));
            for _ in 0..400 {
                let mover = umpire.turn();
                let view = umpire.view(mover);
                let sampler = if mover == Color::White { &mut sampler } else { &mut other };
                let choice = policies[mover as usize].choose(view, sampler);
                if mover == Color::White {
                    assert_eq!(player.choose(view, &clock), Ok(choice), "{ruleset}");
                }
                let Choice::Try(tried) = choice else { panic!("no player resigns") };
                let announcement = umpire.judge(tried).unwrap();
                policies.iter_mut().for_each(|policy| policy.observe(&announcement));
                let tried: Option<Try> = (mover == Color::White).then_some(tried);
                player.observe(&Observation { tried, announcement, spent_ms: None }).unwrap();
                if umpire.outcome().is_some() {
                    break;
                }
            }
        }
    }

    #[test]
    fn only_easily_won_endings_are_adjudicated() {
        let winner = |pieces: &str| {
            let start = Position::from_fen(&format!("{pieces} w - - 0 1")).unwrap();
            adjudicated_winner(&Umpire::new(Ruleset::ICC, start))
        };
        assert_eq!(winner("4k3/8/8/8/8/8/8/R3K3"), Some(Color::White));
        assert_eq!(winner("4k2r/8/8/8/8/8/8/4K3"), Some(Color::Black));
        assert_eq!(winner("4k3/8/8/8/8/8/8/1NB1K3"), Some(Color::White));
        assert_eq!(winner("4k3/8/8/8/8/8/8/2B1KB2"), Some(Color::White));
        assert_eq!(winner("4k3/8/8/8/8/8/8/1N2K1N1"), None, "two knights");
        assert_eq!(winner("4k3/8/8/8/8/8/4P3/4K3"), None, "a pawn");
        assert_eq!(winner("4k3/p7/8/8/8/8/8/R3K3"), None, "Black has a pawn");
    }

    #[test]
    fn a_rollout_is_a_draw_after_its_last_ply() {
        let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
        let mut policies = Color::ALL.map(SemiRandomPolicy::new);
        let limits = RolloutLimits { max_plies: 3, adjudicated: false };
        assert_eq!(rollout(&mut umpire, &mut policies, &mut TrySampler::new(1), limits), 0.5);
        assert_eq!(umpire.view(Color::White).ply(), 3);
    }
}
