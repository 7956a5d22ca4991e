//! The explanation of a decision: the belief, and the search statistics and effects of every try.

mod effects;
mod json;
mod reasons;
#[cfg(test)]
mod tests;

use krieg_belief::{Belief, OpponentContext, OpponentMap, WeightedBelief};
use krieg_core::{Move, PieceSet, Position, View};
use krieg_notation::san;
use krieg_time::Clock;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Marshal;
use super::search::Edge;
use crate::Exclusion;
use crate::draw_guard::AHEAD;
use crate::opponent_model::ranked_posterior;
pub use effects::TryEffects;

/// What the search found out about one try.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TryExplanation {
    /// The move of the try.
    pub mv: Move,
    /// Number of simulations that began with the try.
    pub visits: u32,
    /// Fraction of all visits.
    pub visit_share: f64,
    /// The expected score from 0 to 1; `None` without visits. It includes what follows, and after
    /// a refusal that is another try.
    pub expected: Option<f64>,
    /// The immediate effects.
    pub effects: TryEffects,
    /// Why the try is excluded whatever its score.
    pub exclusion: Option<Exclusion>,
}

/// What `marshal` believes at a decision, and what it would try.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The player's own pieces.
    pub own_pieces: PieceSet,
    /// Number of different boards in the belief.
    pub boards: usize,
    /// Whether the belief contains every possible board.
    pub is_exact: bool,
    /// The last observation that contradicted all boards.
    pub contradiction: Option<String>,
    /// The probability of each of the opponent's pieces on each square.
    pub map: OpponentMap,
    /// The posterior over the opponent types, the most probable first; empty for a fixed opponent
    /// model.
    pub opponent_types: Vec<(String, f64)>,
    /// Whether to ask "any?" first. The tries are searched after the answer.
    pub should_ask: bool,
    /// The try to make.
    pub preferred: Option<Move>,
    /// All tries, ranked by the lower confidence bound of their value.
    pub tries: Vec<TryExplanation>,
}

/// Number of sampled boards for the effects of tries.
const EFFECT_BOARDS: usize = 500;

impl Marshal {
    /// Searches as for a choice and reports the result, without choosing. A later call of `choose`
    /// searches again.
    ///
    /// The player knows a game by its observations. It does not matter who chose the tries:
    ///
    /// ```
    /// use krieg_time::{Clock, TimeControl};
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
    /// for observation in &game.record().transcript(color).observations {
    ///     marshal.observe(observation)?;
    /// }
    /// let explanation = marshal.explain(game.umpire().view(color), &Clock::new(control));
    /// // White has a pawn try, so Black has played d5 or f5.
    /// assert_eq!((explanation.boards, explanation.is_exact), (2, true));
    /// let capture = explanation.of("e4d5".parse()?).unwrap();
    /// assert!(capture.effects.legal < 1.0 && capture.effects.captures() == 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&mut self, view: &View, clock: &Clock) -> Explanation {
        let should_ask = view.can_ask_any();
        let tries = if view.is_my_turn() && !should_ask {
            self.start_turn();
            self.think(view, clock);
            self.explain_tries(view)
        } else {
            self.belief.update(clock, view);
            Vec::new()
        };
        let belief = self.belief.belief();
        Explanation {
            own_pieces: *view.pieces(),
            boards: belief.board_count().unwrap_or(0),
            is_exact: belief.is_complete(),
            contradiction: self.belief.contradiction().map(str::to_string),
            map: belief.marginals(),
            opponent_types: belief.opponent_mixture().map(ranked_posterior).unwrap_or_default(),
            should_ask,
            preferred: if tries.is_empty() { None } else { self.best(view).map(|edge| edge.mv) },
            tries,
        }
    }

    fn explain_tries(&mut self, view: &View) -> Vec<TryExplanation> {
        let edges = self.ranked(view);
        let total: u32 = edges.iter().map(|edge| edge.visits).sum();
        let is_ahead = edges.first().is_some_and(|edge| edge.visits > 0 && edge.mean() > AHEAD);
        let boards = self.sample_boards(view);
        let explain = |edge: &Edge| TryExplanation {
            mv: edge.mv,
            visits: edge.visits,
            visit_share: f64::from(edge.visits) / f64::from(total.max(1)),
            expected: (edge.visits > 0).then(|| edge.mean()),
            effects: TryEffects::over_boards(&boards, edge.mv, &mut self.searches[0].simulator),
            exclusion: None,
        };
        let mut tries: Vec<TryExplanation> = edges.iter().map(explain).collect();
        for explained in tries.iter_mut().filter(|explained| is_ahead && explained.visits > 0) {
            explained.exclusion = self.exclusion(view, explained.mv);
        }
        tries
    }

    /// Boards sampled from the belief, each with what the opponent knows there. The random numbers
    /// are independent of those of the player's choices.
    fn sample_boards(&self, view: &View) -> Vec<(Position, OpponentContext)> {
        let belief = self.belief.belief();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(view.ply()));
        let drawn = belief.sample_with_last_moves(EFFECT_BOARDS, &mut rng).into_iter();
        drawn
            .map(|(board, last_move)| {
                (board, OpponentContext { last_move, ..belief.opponent_context() })
            })
            .collect()
    }
}

impl Explanation {
    /// The explanation of this move, if it may be tried.
    #[must_use]
    pub fn of(&self, mv: Move) -> Option<&TryExplanation> {
        self.tries.iter().find(|explained| explained.mv == mv)
    }

    /// The explanation of the preferred try.
    #[must_use]
    pub fn best(&self) -> Option<&TryExplanation> {
        self.of(self.preferred?)
    }

    /// The expected score, from 0 to 1. If all visits went to excluded tries, it is the score of
    /// the first of those.
    #[must_use]
    pub fn expected(&self) -> Option<f64> {
        self.best()?.expected.or_else(|| self.tries.first()?.expected)
    }

    /// The move in algebraic notation, as far as the player's own pieces determine it.
    #[must_use]
    pub fn name(&self, mv: Move) -> String {
        san::write_try(&self.own_pieces, mv)
    }
}
