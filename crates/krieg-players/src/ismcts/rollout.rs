//! Games played to the end without a thought: both sides do as the semi-random player does.

use krieg_core::{Announcement, BitBoard, Color, Piece, Umpire, Verdict};

use crate::Choice;
use crate::random::TrySampler;
use crate::semi_random::SemiRandomPolicy;

/// How simulated games end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// After so many plies it is a draw.
    pub plies: u32,
    /// Whether endings that every player wins are taken as won.
    pub adjudicated: bool,
}

/// Makes one move for the side to move, asking and trying until one stands, and tells what was said of it. None, if
/// nothing is left to try.
pub fn move_by_instinct(
    umpire: &mut Umpire,
    policies: &mut [SemiRandomPolicy; 2],
    sampler: &mut TrySampler,
) -> Option<Announcement> {
    let mover = umpire.turn();
    loop {
        let Choice::Try(tried) = policies[mover as usize].choose(umpire.view(mover), sampler)
        else {
            return None;
        };
        let said = umpire.judge(tried).ok()?;
        if said.verdict == Verdict::Moved {
            policies.iter_mut().for_each(|policy| policy.observe(&said));
            return Some(said);
        }
    }
}

/// What becomes of the game for White: a win is 1, a draw a half.
pub fn play_out(
    umpire: &mut Umpire,
    policies: &mut [SemiRandomPolicy; 2],
    sampler: &mut TrySampler,
    ends: Ends,
) -> f64 {
    for _ in 0..ends.plies {
        if umpire.outcome().is_some() {
            break;
        }
        if ends.adjudicated
            && let Some(winner) = sure_winner(umpire)
        {
            return score(Some(winner));
        }
        if move_by_instinct(umpire, policies, sampler).is_none() {
            break;
        }
    }
    score(umpire.outcome().and_then(|outcome| outcome.winner))
}

/// What White has of it when this side, or nobody, wins.
pub fn score(winner: Option<Color>) -> f64 {
    match winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    }
}

/// Who wins against a bare king: whoever has a queen, a rook, two bishops that see all squares, or a bishop and a knight. Random games
/// hardly ever come to mate, so this is where Favini (2010, section 5.6) ends them.
pub fn sure_winner(umpire: &Umpire) -> Option<Color> {
    let board = umpire.position().board();
    let winner = Color::ALL.into_iter().find(|&side| board.colors(!side).len() == 1)?;
    let men = |piece: Piece| board.colored_pieces(winner, piece);
    let bishops = men(Piece::Bishop);
    let heavy = !(men(Piece::Queen) | men(Piece::Rook)).is_empty();
    let sees_light = !(bishops & BitBoard::LIGHT_SQUARES).is_empty();
    let sees_dark = !(bishops & BitBoard::DARK_SQUARES).is_empty();
    let light =
        (sees_light && sees_dark) || ((sees_light || sees_dark) && !men(Piece::Knight).is_empty());
    (heavy || light).then_some(winner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameSettings, Player, Seat, SemiRandom};
    use krieg_core::{Observation, Position, Ruleset, Setup, Try};
    use krieg_time::{Clock, TimeControl};

    #[test]
    fn whoever_simulates_chooses_as_the_semi_random_player_does() {
        for ruleset in Ruleset::ALL {
            let conditions = GameSettings {
                setup: Setup { ruleset, ..Setup::default() },
                ..GameSettings::default()
            };
            let seat = Seat::new(Color::White, &conditions, 4);
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
                let Choice::Try(tried) = choice else { panic!("nobody gives up") };
                let said = umpire.judge(tried).unwrap();
                policies.iter_mut().for_each(|policy| policy.observe(&said));
                let tried: Option<Try> = (mover == Color::White).then_some(tried);
                player.observe(&Observation { tried, announcement: said, spent_ms: None }).unwrap();
                if umpire.outcome().is_some() {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_won_ending_is_won_and_an_unclear_one_is_played() {
        let winner = |men: &str| {
            let start = Position::from_fen(&format!("{men} w - - 0 1")).unwrap();
            sure_winner(&Umpire::new(Ruleset::ICC, start))
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
    fn a_game_is_drawn_where_its_plies_end() {
        let mut umpire = Umpire::new(Ruleset::ICC, Position::start());
        let mut policies = Color::ALL.map(SemiRandomPolicy::new);
        let ends = Ends { plies: 3, adjudicated: false };
        assert_eq!(play_out(&mut umpire, &mut policies, &mut TrySampler::new(1), ends), 0.5);
        assert_eq!(umpire.view(Color::White).ply(), 3);
    }
}
