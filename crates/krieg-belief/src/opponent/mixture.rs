//! Several kinds of players at once, weighed by how well each explains what was heard of this one.

use std::sync::{Arc, LazyLock};

use cozy_chess::{BitBoard, Color, Move as BoardMove};
use krieg_core::Position;

use super::exp::exp;
use super::file::{self, OpponentMixtureError, OpponentType};
use super::hidden_layer::HiddenLayer;
use super::move_features::MoveFeatures;
use super::quantized::QuantizedNetwork;
use super::unguarded::looseness;
use crate::{OpponentBoard, OpponentContext, OpponentPolicy};

/// No more kinds of players than this are held possible: one for each lane of two registers.
pub const MAX_OPPONENT_TYPES: usize = 8;

/// A number for each kind.
pub type PerType = [f32; MAX_OPPONENT_TYPES];

/// So much is left to chance: any legal move as likely as any other, whoever the opponent is.
const AT_RANDOM: f32 = 0.01;
/// What was heard of one turn counts with this power, since the boards it is compared on are a guess themselves. A half
/// of this or twice of it gave no better picture.
const TEMPER: f64 = 0.5;
/// So much of the first guess is kept, so that an opponent who changes his ways is followed.
const FORGETTING: f32 = 0.02;

/// An opponent who may be one of several kinds of players, each learned from games: a kind feature_weights and dislikes features of moves, and
/// plays each move the more often the more it feature_weights it. Which kind he is becomes clearer as the game goes on.
///
/// ```
/// use krieg_belief::{OpponentPolicy, OpponentMixture, OpponentContext};
/// use krieg_core::Position;
/// let mut opponents = OpponentMixture::default();
/// let start = Position::start();
/// let moves = ["e2e4", "g1f3", "h2h4"].map(|mv| start.board_move(mv.parse().unwrap()));
/// let mut chances = Vec::new();
/// opponents.weigh_moves(&start, &OpponentContext::default(), &moves, &mut chances);
/// assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-6);
/// assert_eq!(opponents.posterior(), opponents.prior());
/// ```
#[derive(Debug, Clone)]
pub struct OpponentMixture {
    names: Vec<String>,
    minds: Arc<QuantizedNetwork>,
    prior: PerType,
    weights: PerType,
    /// How likely what was heard in this turn was with each kind, in parts of any whole.
    evidence: [f64; MAX_OPPONENT_TYPES],
    /// For each move that was weighed last, how much each kind feature_weights it as compared with its best.
    liked: Vec<PerType>,
    /// What makes chances of these.
    scale: PerType,
    /// What chance alone gives each of them.
    share: f32,
}

static LEARNED: LazyLock<OpponentMixture> = LazyLock::new(|| {
    OpponentMixture::read(include_str!("../../opponents.txt"))
        .expect("the file in the program is whole")
});

impl Default for OpponentMixture {
    /// Those learned from games of our own arena (`docs/beliefs.md`).
    fn default() -> Self {
        LEARNED.clone()
    }
}

impl OpponentMixture {
    /// Any of these kinds, as likely as they say, in parts of any whole; all of them have the same hidden_layer.
    pub fn new(
        kinds: &[OpponentType],
        hidden_layer: HiddenLayer,
    ) -> Result<Self, OpponentMixtureError> {
        let count = kinds.len();
        if count == 0 || count > MAX_OPPONENT_TYPES {
            return Err(OpponentMixtureError::TypeCount(count));
        }
        let mut prior = [0.0; MAX_OPPONENT_TYPES];
        prior.iter_mut().zip(kinds).for_each(|(prior, kind)| *prior = kind.prior);
        let prior = normalised(prior);
        Ok(OpponentMixture {
            names: kinds.iter().map(|kind| kind.name.clone()).collect(),
            minds: Arc::new(QuantizedNetwork::new(kinds.to_vec(), hidden_layer)),
            prior,
            weights: prior,
            evidence: [0.0; MAX_OPPONENT_TYPES],
            liked: Vec::new(),
            scale: [0.0; MAX_OPPONENT_TYPES],
            share: 0.0,
        })
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, OpponentMixtureError> {
        let (kinds, hidden_layer) = file::read(text)?;
        OpponentMixture::new(&kinds, hidden_layer)
    }

    /// The text of a file, with the first guess of who is met how often.
    pub fn write(&self) -> String {
        file::write(&self.types(), self.hidden_layer())
    }

    /// The kinds, one by one.
    pub fn types(&self) -> Vec<OpponentType> {
        let with_prior =
            |(kind, prior): (&OpponentType, f32)| OpponentType { prior, ..kind.clone() };
        self.minds.kinds().iter().zip(self.prior).map(with_prior).collect()
    }

    /// What makes an impression on all of them.
    pub fn hidden_layer(&self) -> &HiddenLayer {
        self.minds.hidden_layer()
    }

    /// The names of the kinds.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How likely the opponent is of each kind, by what was heard so far.
    pub fn posterior(&self) -> &[f32] {
        &self.weights[..self.names.len()]
    }

    /// How likely he was of each kind before anything was heard.
    pub fn prior(&self) -> &[f32] {
        &self.prior[..self.names.len()]
    }

    /// The same kinds, as likely from the first as these weights say, in parts of any whole. Weights that are missing, or are no weights, are nought; if all are,
    /// nothing changes.
    pub fn with_prior(mut self, weights: &[f32]) -> Self {
        let mut prior = [0.0; MAX_OPPONENT_TYPES];
        for (weight, given) in prior.iter_mut().zip(weights).take(self.names.len()) {
            *weight = if given.is_finite() { given.max(0.0) } else { 0.0 };
        }
        if prior.iter().sum::<f32>() > 0.0 {
            self.prior = normalised(prior);
            self.weights = self.prior;
        }
        self
    }

    /// An opponent who is known to be of this kind.
    pub fn only(self, name: &str) -> Result<Self, OpponentMixtureError> {
        self.keeping(name, |kind| kind.name == name)
    }

    /// An opponent who is known not to be of this kind.
    pub fn without(self, name: &str) -> Result<Self, OpponentMixtureError> {
        self.keeping(name, |kind| kind.name != name)
    }

    fn keeping(
        self,
        name: &str,
        stays: impl Fn(&OpponentType) -> bool,
    ) -> Result<Self, OpponentMixtureError> {
        if !self.names.iter().any(|known| known == name) {
            return Err(OpponentMixtureError::UnknownType(krieg_core::excerpt(name)));
        }
        let kinds: Vec<OpponentType> = self.types().into_iter().filter(stays).collect();
        OpponentMixture::new(&kinds, self.hidden_layer().clone())
    }

    /// How likely each kind would have played the move of this number, among those weighed last.
    pub(super) fn chances(&self, number: usize) -> PerType {
        let mut chances = self.liked[number];
        for (chance, scale) in chances.iter_mut().zip(self.scale) {
            *chance = *chance * scale * (1.0 - AT_RANDOM) + self.share;
        }
        chances
    }

    /// Looks at all moves of a board with the eyes of each kind.
    fn look(&mut self, board: &Position, situation: &OpponentContext, moves: &[BoardMove]) {
        let OpponentMixture { minds, liked, .. } = self;
        let sight = MoveFeatures::new(board.board(), situation, moves);
        let impression = minds.of_board(board.board(), situation);
        liked.clear();
        let mut best = [f32::MIN; MAX_OPPONENT_TYPES];
        for mv in moves {
            let feature_weights = minds.like(&impression, &sight, *mv);
            for (best, like) in best.iter_mut().zip(feature_weights) {
                *best = best.max(like);
            }
            liked.push(feature_weights);
        }
        // Compared with the best, so that nothing grows beyond all bounds.
        let mut whole = [0.0; MAX_OPPONENT_TYPES];
        for of_one in liked.iter_mut() {
            for ((sum, best), whole) in of_one.iter_mut().zip(best).zip(&mut whole) {
                *sum = exp(*sum - best);
                *whole += *sum;
            }
        }
        self.scale = whole.map(|whole| 1.0 / whole.max(1.0));
        self.share = AT_RANDOM / moves.len().max(1) as f32;
    }
}

/// In parts of one.
fn normalised(weights: PerType) -> PerType {
    let sum: f32 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

impl OpponentPolicy for OpponentMixture {
    fn weigh_moves(
        &mut self,
        board: &Position,
        situation: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        self.look(board, situation, moves);
        let mut parts = self.weights;
        for (part, scale) in parts.iter_mut().zip(self.scale) {
            *part *= scale * (1.0 - AT_RANDOM);
        }
        let share = self.share;
        weights.extend(self.liked.iter().map(|of_one| {
            let mut chances = *of_one;
            for (chance, part) in chances.iter_mut().zip(parts) {
                *chance *= part;
            }
            f64::from(chances.iter().sum::<f32>() + share)
        }));
    }

    fn add_evidence(&mut self, likely: f64, fitting: &[(usize, f64)]) {
        for &(number, times) in fitting {
            let chances = self.chances(number);
            for (evidence, chance) in self.evidence.iter_mut().zip(chances) {
                *evidence += likely * times * f64::from(chance);
            }
        }
    }

    fn update_posterior(&mut self) {
        let evidence = std::mem::take(&mut self.evidence);
        let best = evidence.iter().copied().fold(0.0, f64::max);
        // Where no board explained what was heard, nothing was learned of whoever moved.
        if best.is_normal() {
            for (weight, evidence) in self.weights.iter_mut().zip(evidence) {
                *weight *= (evidence / best).powf(TEMPER) as f32;
            }
            self.weights = normalised(self.weights);
            for (weight, prior) in self.weights.iter_mut().zip(self.prior) {
                *weight += FORGETTING * (prior - *weight);
            }
        }
    }

    fn board_penalty(&self, board: &OpponentBoard, own: BitBoard, he: Color) -> f64 {
        looseness(board, own, he)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponent::decision::Decision;
    use crate::opponent::feature_groups as f;
    use krieg_testing::{cases, random_game, random_setup, seeded_rng};
    use proptest::prelude::*;

    /// One who moves pawns and one who moves knights.
    fn two() -> OpponentMixture {
        let [mut pawns, mut knights] = ["pawns", "knights"].map(OpponentType::new);
        for stage in 0..4 {
            pawns.feature_weights[f::MOVED_PIECE + 6 * stage] = 3.0;
            knights.feature_weights[f::MOVED_PIECE + 6 * stage + 1] = 3.0;
        }
        OpponentMixture::new(&[pawns, knights], HiddenLayer::zero()).unwrap()
    }

    fn start() -> (Position, Vec<BoardMove>) {
        let start = Position::start();
        let moves = start.legal_moves().into_iter().map(|mv| start.board_move(mv)).collect();
        (start, moves)
    }

    #[test]
    fn whoever_moves_his_knights_is_known_by_it() {
        let mut opponents = two();
        let (start, moves) = start();
        let knights = start.board().pieces(cozy_chess::Piece::Knight);
        let by_knight =
            |(number, mv): (usize, &BoardMove)| knights.has(mv.from).then_some((number, 1.0));
        let fitting: Vec<(usize, f64)> = moves.iter().enumerate().filter_map(by_knight).collect();
        let mut chances = Vec::new();
        let mut before = 0.0;
        for _ in 0..5 {
            chances.clear();
            opponents.weigh_moves(&start, &OpponentContext::default(), &moves, &mut chances);
            let chance = fitting.iter().map(|(number, _)| chances[*number]).sum::<f64>();
            assert!(chance > before, "what was seen is expected again");
            before = chance;
            opponents.add_evidence(0.7, &fitting);
            opponents.update_posterior();
        }
        assert!(opponents.posterior()[1] > 0.95, "{:?}", opponents.posterior());
        assert_eq!(opponents.prior(), [0.5, 0.5]);
        // A turn of which nothing was explained teaches nothing.
        let known = opponents.posterior().to_vec();
        opponents.add_evidence(0.7, &[]);
        opponents.update_posterior();
        assert_eq!(opponents.posterior(), known);
    }

    #[test]
    fn an_opponent_who_changes_his_ways_is_followed() {
        let mut opponents = two();
        let (start, moves) = start();
        let number = |text: &str| moves.iter().position(|mv| *mv == text.parse().unwrap()).unwrap();
        let [knight, pawn] = ["g1f3", "e2e4"].map(number);
        for (mv, times) in [(knight, 100), (pawn, 8)] {
            for _ in 0..times {
                opponents.weigh_moves(&start, &OpponentContext::default(), &moves, &mut Vec::new());
                opponents.add_evidence(1.0, &[(mv, 1.0)]);
                opponents.update_posterior();
            }
        }
        assert!(opponents.posterior()[0] > 0.8, "{:?}", opponents.posterior());
    }

    #[test]
    fn some_may_be_left_out() {
        let opponents = OpponentMixture::default();
        let first = opponents.names()[0].clone();
        let without = opponents.clone().without(&first).unwrap();
        assert_eq!(without.names().len(), opponents.names().len() - 1);
        assert!((without.prior().iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let only = opponents.clone().only(&first).unwrap();
        assert_eq!((only.names(), only.posterior()), (&[first.clone()][..], &[1.0][..]));
        assert_eq!(only.without(&first).unwrap_err(), OpponentMixtureError::TypeCount(0));
        let nobody = opponents.clone().only("nobody").unwrap_err();
        assert_eq!(nobody.to_string(), "there is no \"nobody\" among the players");
        let certain = opponents.clone().with_prior(&[2.0]);
        assert_eq!((certain.posterior()[0], certain.posterior()[1]), (1.0, 0.0));
        let same = opponents.clone().with_prior(&[f32::NAN, -1.0]);
        assert_eq!(same.posterior(), opponents.posterior());
    }

    #[test]
    fn the_file_in_the_program_is_read_and_written_alike() {
        let opponents = OpponentMixture::default();
        let again = OpponentMixture::read(&opponents.write()).unwrap();
        assert_eq!(again.types(), opponents.types());
    }

    proptest! {
        #![proptest_config(cases(64))]
        #[test]
        fn chances_sum_to_one_and_none_is_nought(seed: u64) {
            let mut opponents = OpponentMixture::default();
            let game = random_game(random_setup(&mut seeded_rng(seed)), seed, 80);
            let mut chances = Vec::new();
            let mut moves_of_all = 0;
            Decision::for_each(game.record(), |_, decision| {
                let (moves, chosen) = decision.moves();
                assert_eq!(moves[chosen], decision.chosen);
                chances.clear();
                opponents.weigh_moves(&decision.position, &decision.context, &moves, &mut chances);
                opponents.add_evidence(1.0, &[(chosen, 1.0)]);
                opponents.update_posterior();
                moves_of_all += moves.len();
                assert_eq!(chances.len(), moves.len());
                let sum: f64 = chances.iter().sum();
                assert!((sum - 1.0).abs() < 1e-4, "{sum}");
                assert!(chances.iter().all(|chance| *chance > 1e-5), "{chances:?}");
                let of_kinds: f32 = opponents.posterior().iter().sum();
                assert!((of_kinds - 1.0).abs() < 1e-4, "{of_kinds}");
            });
            prop_assert!(moves_of_all > 0 || game.record().moves() == 0);
        }
    }

    /// Not a check, but a measurement: `cargo test --release -p krieg-belief opponent -- --ignored --nocapture`.
    #[test]
    #[ignore = "measures time"]
    fn how_long_a_board_takes() {
        let mut decisions = Vec::new();
        for seed in 0..20 {
            let game = random_game(krieg_core::Setup::default(), seed, 120);
            Decision::for_each(game.record(), |_, decision| {
                let moves = decision.moves().0;
                decisions.push((decision, moves));
            });
        }
        let mut opponents = OpponentMixture::default();
        let mut chances = Vec::new();
        for _ in 0..3 {
            let begun = std::time::Instant::now();
            let rounds = 100;
            for (decision, moves) in std::iter::repeat_n(&decisions, rounds).flatten() {
                chances.clear();
                opponents.weigh_moves(&decision.position, &decision.context, moves, &mut chances);
            }
            let boards = rounds * decisions.len();
            let moves: usize = decisions.iter().map(|(_, moves)| moves.len()).sum();
            println!(
                "{:.2} µs a board of {:.1} moves",
                begun.elapsed().as_secs_f64() * 1e6 / boards as f64,
                moves as f64 / decisions.len() as f64
            );
        }
    }
}
