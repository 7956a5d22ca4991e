//! The explanation of a decision: the tries with their probabilities, the value, and the belief.

use krieg_belief::OpponentMap;
use krieg_core::{PieceSet, Try, View};
use krieg_notation::san;
use serde_json::{Map, Value, json};

use super::{Learned, opponent_map};
use crate::Exclusion;
use crate::draw_guard::AHEAD;
use crate::explanation_json::{opponent_map_json, unit};

/// What the network says about one try.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TryProbability {
    /// The try.
    pub tried: Try,
    /// Its probability by the policy of the network, as it was trained (temperature 1).
    pub probability: f64,
    /// Why the player does not make it whatever its probability.
    pub exclusion: Option<Exclusion>,
}

/// What `learned` believes at a decision, and what it would try.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LearnedExplanation {
    /// The player's own pieces.
    pub own_pieces: PieceSet,
    /// The probability of each of the opponent's pieces on each square.
    pub map: OpponentMap,
    /// The probabilities of a win, a draw and a loss.
    pub value: [f64; 3],
    /// The most probable try that is not excluded, or a sure mate; `None` if it is not the player's
    /// turn.
    pub preferred: Option<Try>,
    /// Whether the preferred try mates on every board that was drawn from the belief.
    pub is_sure_mate: bool,
    /// All sensible tries, the most probable first.
    pub tries: Vec<TryProbability>,
}

impl Learned {
    /// Reports what the network says, without choosing.
    ///
    /// ```
    /// use krieg_core::Color;
    /// use krieg_players::learned::{Learned, LearnedSettings};
    /// use krieg_players::{GameSettings, Player, Seat};
    ///
    /// let mut learned = Learned::new(LearnedSettings::default());
    /// let seat = Seat::new(Color::White, &GameSettings::default(), 1);
    /// learned.begin(&seat)?;
    /// let explanation = learned.explain(&seat.view());
    /// assert_eq!(explanation.tries.len(), 20);
    /// # Ok::<(), krieg_players::PlayerError>(())
    /// ```
    pub fn explain(&mut self, view: &View) -> LearnedExplanation {
        self.evaluate();
        let game = &self.game;
        let evaluation = game.evaluation.as_deref().expect("it was evaluated");
        let map = opponent_map(&evaluation.belief, view.player());
        let boards = game.boards(&map, &mut game.random_numbers());
        let is_ahead = f64::from(evaluation.expected_score()) > AHEAD;
        let policy = evaluation.policy(view, 1.0).into_iter();
        let mut tries: Vec<TryProbability> = policy
            .map(|(tried, probability)| TryProbability {
                tried,
                probability: f64::from(probability),
                exclusion: game.exclusion(view, tried, &boards).filter(|_| is_ahead),
            })
            .collect();
        tries.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let mate = game.sure_mate(view, &boards).map(Try::Move);
        let allowed = tries.iter().find(|known| known.exclusion.is_none()).or(tries.first());
        LearnedExplanation {
            own_pieces: *view.pieces(),
            value: evaluation.value.map(f64::from),
            preferred: mate.or(allowed.map(|known| known.tried)),
            is_sure_mate: mate.is_some(),
            map,
            tries,
        }
    }
}

impl LearnedExplanation {
    /// The explanation of this try, if it may be made.
    #[must_use]
    pub fn of(&self, tried: Try) -> Option<&TryProbability> {
        self.tries.iter().find(|known| known.tried == tried)
    }

    /// The expected score, from 0 to 1.
    #[must_use]
    pub fn expected(&self) -> f64 {
        self.value[0] + self.value[1] / 2.0
    }

    /// The try in algebraic notation, as far as the player's own pieces determine it.
    #[must_use]
    pub fn name(&self, tried: Try) -> String {
        match tried {
            Try::Any => tried.to_string(),
            Try::Move(mv) => san::write_try(&self.own_pieces, mv),
        }
    }

    /// The explanation without the player's own pieces. Probabilities and scores are from 0 to 1.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        let [win, draw, loss] = self.value.map(unit);
        let tries = self.tries.iter().map(|known| {
            json!({
                "try": known.tried.to_string(),
                "name": self.name(known.tried),
                "probability": unit(known.probability),
                "excluded": known.exclusion.map(Exclusion::name),
            })
        });
        let object = json!({
            "opponent_pieces": opponent_map_json(&self.map),
            "value": { "win": win, "draw": draw, "loss": loss },
            "expected": unit(self.expected()),
            "preferred": self.preferred.map(|tried| tried.to_string()),
            "sure_mate": self.is_sure_mate,
            "tries": tries.collect::<Vec<_>>(),
        });
        match object {
            Value::Object(object) => object,
            _ => unreachable!("json! was given an object"),
        }
    }
}
