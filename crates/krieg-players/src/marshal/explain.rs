//! What Marshal believes at a moment, and what it makes of each try: for whoever asks why.

use krieg_belief::{Belief, EnemyMap, Situation};
use krieg_chess::clock::Clock;
use krieg_core::{Men, Move, Position, View};
use krieg_notation::san;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::tree::Arm;
use super::{AHEAD, Marshal, NotDone, Outlook};

/// A try, and what is thought of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The move that may be tried.
    pub mv: Move,
    /// How often it was looked at.
    pub looks: u32,
    /// In parts of all looks at this moment.
    pub share: f64,
    /// The score that is expected of it, from 0 to 1, with all that may follow: another try, where it is refused. Nothing, if it was never looked at.
    pub expected: Option<f64>,
    /// What it is likely to do at once.
    pub outlook: Outlook,
    /// Why it is not made, however good it looks.
    pub not_done: Option<NotDone>,
}

/// What Marshal believes, and what it would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The player's own men.
    pub men: Men,
    /// How many different boards are in mind.
    pub boards: usize,
    /// Whether these are all that are possible.
    pub is_whole: bool,
    /// What was heard that no board in mind explained.
    pub contradiction: Option<String>,
    /// How likely each man of the other side is on each square.
    pub map: EnemyMap,
    /// Who the opponent seems to be, the likeliest first; empty, unless he is thought to be one of several kinds.
    pub opponents: Vec<(String, f64)>,
    /// Whether it is time to ask "any?": what to try is thought about after the answer.
    pub asks: bool,
    /// What it would try.
    pub preferred: Option<Move>,
    /// Everything that may be tried: first that of which most is sure, after many looks.
    pub tries: Vec<Explained>,
}

/// What a try is likely to do is worked out on so many boards.
const SAMPLE: usize = 500;

impl Marshal {
    /// Thinks about a moment as it does to choose, and tells what it thinks. Nothing is chosen; whoever lets it choose after that has let it think twice.
    ///
    /// It knows a game by what it has heard of it, whoever chose the tries in it:
    ///
    /// ```
    /// use krieg_chess::clock::{Clock, TimeControl};
    /// use krieg_core::{Color, Game, Setup};
    /// use krieg_players::marshal::{Marshal, MarshalSettings};
    /// use krieg_players::{Player, Seat};
    ///
    /// let mut game = Game::new(Setup::default());
    /// for tried in ["e2e4", "d7d5"] {
    ///     game.judge(tried.parse()?)?;
    /// }
    /// let (color, control) = (Color::White, TimeControl::Unlimited);
    /// let seat = Seat { color, setup: Setup::default(), control, seed: 1 };
    /// let mut marshal = Marshal::new(MarshalSettings { simulations: 200, ..Default::default() });
    /// marshal.begin(&seat)?;
    /// for line in &game.record().transcript(color).lines {
    ///     marshal.hear(line)?;
    /// }
    /// let explanation = marshal.explain(game.umpire().view(color), &Clock::new(control));
    /// // A pawn of White's can capture, so Black has played d5 or f5.
    /// assert_eq!((explanation.boards, explanation.is_whole), (2, true));
    /// let takes = explanation.of("e4d5".parse()?).unwrap();
    /// assert!(takes.outlook.legal < 1.0 && takes.outlook.captures() == 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&mut self, view: &View, clock: &Clock) -> Explanation {
        let asks = view.may_ask();
        let tries = if view.is_my_turn() && !asks {
            self.arrive();
            self.think(view, clock);
            self.explained(view)
        } else {
            self.imagining.catch_up(clock, view);
            Vec::new()
        };
        let belief = self.imagining.belief();
        Explanation {
            men: *view.men(),
            boards: belief.len(),
            is_whole: belief.is_whole(),
            contradiction: self.imagining.contradiction().map(str::to_string),
            map: belief.map(),
            opponents: belief.model().kinds(),
            asks,
            preferred: if tries.is_empty() { None } else { self.best(view).map(|arm| arm.mv) },
            tries,
        }
    }

    fn explained(&mut self, view: &View) -> Vec<Explained> {
        let arms = self.ranked(view);
        let looks: u32 = arms.iter().map(|arm| arm.visits).sum();
        let is_ahead = arms.first().is_some_and(|arm| arm.visits > 0 && arm.mean() > AHEAD);
        let worlds = self.worlds(view);
        let explain = |arm: &Arm| Explained {
            mv: arm.mv,
            looks: arm.visits,
            share: f64::from(arm.visits) / f64::from(looks.max(1)),
            expected: (arm.visits > 0).then(|| arm.mean()),
            outlook: Outlook::over(&worlds, arm.mv, &mut self.thinkers[0].simulator),
            not_done: None,
        };
        let mut tries: Vec<Explained> = arms.iter().map(explain).collect();
        for explained in tries.iter_mut().filter(|explained| is_ahead && explained.looks > 0) {
            explained.not_done = self.not_done(view, explained.mv);
        }
        tries
    }

    /// Boards as likely as they are, each with what the opponent knows there. The random numbers are none of those that the player chooses by.
    fn worlds(&self, view: &View) -> Vec<(Position, Situation)> {
        let belief = self.imagining.belief();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(view.ply()));
        let drawn = belief.draw(SAMPLE, &mut rng).into_iter();
        drawn.map(|(board, last)| (board, Situation { last, ..belief.memory() })).collect()
    }
}

impl Explanation {
    /// What is thought of this move, if it may be tried.
    pub fn of(&self, mv: Move) -> Option<&Explained> {
        self.tries.iter().find(|explained| explained.mv == mv)
    }

    /// What is thought of the try that is preferred.
    pub fn best(&self) -> Option<&Explained> {
        self.of(self.preferred?)
    }

    /// The score that is expected, from 0 to 1. If all looks went to what is not done, it is what that promises.
    pub fn expected(&self) -> Option<f64> {
        self.best()?.expected.or_else(|| self.tries.first()?.expected)
    }

    /// What the player calls a move.
    pub fn name(&self, mv: Move) -> String {
        san::write_try(&self.men, mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marshal::MarshalSettings;
    use crate::{Player, Seat};
    use krieg_chess::clock::TimeControl;
    use krieg_core::{Color, Game, Piece, Ruleset, Setup, Square};

    /// What White is told about a game in which this was tried.
    fn explained(ruleset: Ruleset, fen: &str, tries: &[&str]) -> Explanation {
        let setup = Setup { ruleset, start: Position::from_fen(fen).unwrap(), ..Setup::default() };
        let mut game = Game::new(setup.clone());
        for tried in tries {
            game.judge(tried.parse().unwrap()).unwrap();
        }
        let (color, control) = (Color::White, TimeControl::Unlimited);
        let settings = MarshalSettings { simulations: 600, boards: 500, ..Default::default() };
        let mut marshal = Marshal::new(settings);
        marshal.begin(&Seat { color, setup, control, seed: 7 }).unwrap();
        for line in &game.record().transcript(color).lines {
            marshal.hear(line).unwrap();
        }
        marshal.explain(game.umpire().view(color), &Clock::new(control))
    }

    #[test]
    fn whoever_has_lost_a_knight_takes_the_taker() {
        let fen = "r3k3/8/8/8/4N3/3P4/PP6/4K3 b - - 0 1";
        // The rook comes to a4, the king steps aside, and the rook takes the knight.
        let tries = ["a8a4", "e1f2", "a4e4"];
        let told = explained(Ruleset::ICC, fen, &tries);
        let takes = told.best().unwrap();
        assert_eq!(told.name(takes.mv), "dxe4");
        assert_eq!((takes.outlook.legal, takes.outlook.captures()), (1.0, 1.0));
        assert_eq!(takes.outlook.victim(), Some(Piece::Rook));
        assert!(takes.outlook.exchange > 4.0, "{takes:?}");
        assert_eq!((takes.outlook.checks, takes.not_done), (0.0, None));
        assert!(told.is_whole && told.contradiction.is_none());
        assert_eq!(told.map.chance(Piece::Rook, Square::E4), 1.0);
        assert!(told.expected().unwrap() > 0.6, "{:?}", told.expected());
        let sum: f64 = told.opponents.iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-4 && told.opponents.len() > 1, "{:?}", told.opponents);
        let reasons = told.reasons();
        assert!(reasons[0].contains("dxe4"), "{reasons:?}");
    }

    #[test]
    fn chances_are_chances_and_shares_make_a_whole() {
        let fen = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1";
        let told = explained(Ruleset::ICC, fen, &["c3d5", "f6e4"]);
        assert!((told.tries.iter().map(|known| known.share).sum::<f64>() - 1.0).abs() < 1e-9);
        for known in &told.tries {
            let Outlook { legal, checks, mates, taken, .. } = known.outlook;
            for chance in [legal, checks, mates, taken, known.outlook.captures()] {
                assert!((0.0..=1.0 + 1e-9).contains(&chance), "{known:?}");
            }
            assert!(known.expected.is_none_or(|score| (0.0..=1.0).contains(&score)), "{known:?}");
        }
        // What was looked at often is in the order of what is sure, and the rest comes after it.
        let most = told.tries.iter().map(|known| known.looks).max().unwrap();
        let (often, seldom): (Vec<_>, Vec<_>) =
            told.tries.iter().partition(|known| known.looks >= most / 8);
        let sure =
            |known: &Explained| known.expected.unwrap() - 0.3 / f64::from(known.looks + 1).sqrt();
        assert!(often.len() > 1 && often.is_sorted_by(|a, b| sure(a) >= sure(b)));
        assert!(!seldom.is_empty() && told.tries[often.len()].looks < most / 8);
    }

    #[test]
    fn a_man_on_a_guarded_square_is_likely_taken() {
        let fen = "4k3/pppppppp/8/8/8/8/8/3QK3 w - - 0 1";
        let told = explained(Ruleset::ICC, fen, &[]);
        let takes = told.of("d1d7".parse().unwrap()).unwrap();
        assert_eq!((takes.outlook.legal, takes.outlook.checks), (1.0, 1.0));
        assert!(takes.outlook.taken > 0.6, "the king takes her, or steps aside: {takes:?}");
        assert!(takes.outlook.exchange < -7.0, "a queen for a pawn: {takes:?}");
    }

    #[test]
    fn a_pawn_may_be_taken_in_passing() {
        let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        let told = explained(Ruleset::ICC, fen, &[]);
        assert!(told.of("e2e4".parse().unwrap()).unwrap().outlook.taken > 0.05);
        assert_eq!(told.of("e1f2".parse().unwrap()).unwrap().outlook.taken, 0.0);
    }

    #[test]
    fn where_questions_are_asked_it_asks_first() {
        let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let asked = explained(Ruleset::ENGLISH, fen, &[]);
        assert!(asked.asks && asked.tries.is_empty() && asked.preferred.is_none());
        let answered = explained(Ruleset::ENGLISH, fen, &["any?"]);
        assert!(!answered.asks);
        assert_eq!(answered.best().unwrap().outlook.captures(), 1.0);
    }

    #[test]
    fn who_waits_for_the_other_has_nothing_to_try() {
        let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let told = explained(Ruleset::ICC, fen, &["e4d5"]);
        assert!(told.tries.is_empty() && !told.asks && told.reasons().is_empty());
        assert_eq!(told.map.occupied(Square::D5), 0.0);
    }
}
