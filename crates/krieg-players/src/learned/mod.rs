//! `learned`, a player that learned from games against itself. It plays at once, or searches one
//! turn.
//!
//! A neural network ([`krieg_net`]) reads the player's observations and gives three answers: a
//! probability for each sensible try (the policy), the probabilities of a win, a draw and a loss
//! (the value), and the probability of each piece of the opponent on each square (the belief). The
//! player draws its try from the policy. The belief goes back into the next input: it is the
//! memory of the network.
//!
//! The player adds what needs no learning. Boards are drawn from the belief that fit the last
//! announcements; a try that mates on all of them is made, and while the player is ahead, a try
//! that may stalemate or repeat the position for the third time is not. The endgame tables mate a
//! lone king ([`LoneKingController`](crate::lone_king::LoneKingController)).
//!
//! | file | contents |
//! | --- | --- |
//! | `settings.rs` | the settings and parameters |
//! | `player.rs` | the implementation of [`Player`](crate::Player) |
//! | `board_sampler.rs` | boards drawn from the belief |
//! | `search/` | the search, if it is switched on |
//! | `decision.rs` | the choice of a try |
//! | `explain.rs` | the explanation of a decision |

mod board_sampler;
mod decision;
mod explain;
mod player;
mod search;
mod settings;
#[cfg(test)]
mod tests;

use krieg_belief::{ObservationModel, OpponentMap};
use krieg_core::{Announcement, Color, Move, Piece, Setup, Square, View};
use krieg_net::{Encoder, Evaluation, Orientation, Workspace};
use krieg_time::Clock;

use crate::draw_guard::DrawGuard;
use crate::lone_king::KingTracker;
use crate::{GameSettings, Seat};
pub use explain::{LearnedExplanation, TryProbability};
pub use search::SearchSettings;
use search::{Search, SearchResult, SearchStart};
pub use settings::LearnedSettings;
pub(crate) use settings::network_parameter;

/// The player `learned`.
pub struct Learned {
    settings: LearnedSettings,
    workspace: Workspace,
    game: Game,
    /// `None` if the player plays at once.
    search: Option<Search>,
}

/// The player's memory of one game.
struct Game {
    seed: u64,
    view: View,
    encoder: Encoder,
    /// The output of the network for the present state; `None` if it was not yet computed.
    evaluation: Option<Box<Evaluation>>,
    rules: ObservationModel,
    draw_guard: DrawGuard,
    king_tracker: KingTracker,
    /// Number of the opponent's pieces at the start of the game.
    opponent_pieces: u32,
    /// The announcement at the start of the turn.
    announced: Option<Announcement>,
    /// The tries that were refused in this turn.
    refused: Vec<Move>,
    /// Number of answers to the player in this turn.
    answers: u64,
    remark: String,
}

impl Learned {
    /// A player that waits for its first game.
    #[must_use]
    pub fn new(settings: LearnedSettings) -> Self {
        let seat = Seat::new(Color::White, &GameSettings::default(), 0);
        Learned { settings, workspace: Workspace::default(), game: Game::new(&seat), search: None }
    }

    /// The output of the network before the player's next try.
    ///
    /// The network is asked once before each own try, and remembers its belief.
    fn evaluate(&mut self) -> &Evaluation {
        let Game { encoder, evaluation, .. } = &mut self.game;
        evaluation.get_or_insert_with(|| {
            let input = encoder.encode(None);
            let evaluation = self.settings.network.evaluate(&input, &mut self.workspace);
            encoder.remember(&evaluation.belief);
            evaluation
        })
    }

    /// Compares tries, if the player searches. The state must have been evaluated.
    fn search(&mut self, view: &View, clock: &Clock) -> Option<SearchResult> {
        let Learned { settings, workspace, game, search } = self;
        let root = SearchStart {
            view,
            encoder: &game.encoder,
            evaluation: game.evaluation.as_deref()?,
            network: &settings.network,
        };
        search.as_mut()?.run(&root, clock, workspace, &mut game.random_numbers())
    }
}

impl Game {
    fn new(seat: &Seat) -> Self {
        let Seat { color, setup, seed, .. } = seat;
        let mut game = Game {
            seed: *seed,
            view: seat.view(),
            encoder: Encoder::new(*color, setup),
            evaluation: None,
            rules: ObservationModel::new(setup),
            draw_guard: DrawGuard::new(setup.draws),
            king_tracker: KingTracker::new(seat),
            opponent_pieces: opponent_pieces(setup, *color),
            announced: None,
            refused: Vec::new(),
            answers: 0,
            remark: String::new(),
        };
        if game.view.is_my_turn() {
            game.draw_guard.record(game.view.pieces());
        }
        game
    }

    /// Number of the opponent's pieces that are left, with the king.
    fn opponent_pieces_left(&self) -> u32 {
        let captured = self.view.captured();
        let count = [captured.pawns, captured.pieces, captured.unknown].map(u32::from);
        self.opponent_pieces.saturating_sub(count.iter().sum())
    }
}

fn opponent_pieces(setup: &Setup, player: Color) -> u32 {
    setup.start.pieces(!player).all().len()
}

/// The belief of the network, by squares of the board.
#[must_use]
pub fn opponent_map(belief: &[[f32; Piece::NUM]; Square::NUM], player: Color) -> OpponentMap {
    let mut probabilities = [[0.0; Square::NUM]; Piece::NUM];
    let orientation = Orientation::of(player);
    for (index, of_square) in belief.iter().enumerate() {
        let square = orientation.square(index);
        for (piece, probability) in of_square.iter().enumerate() {
            probabilities[piece][square as usize] = f64::from(*probability);
        }
    }
    OpponentMap::new(probabilities)
}
