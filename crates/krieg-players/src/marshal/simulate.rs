//! One simulation: down the tree on one imagined board, a look at where that leads, and back up.

use cozy_chess::Move as BoardMove;
use krieg_belief::{MoveModel, Situation};
use krieg_core::{
    AfterYes, Announcement, Audience, Color, DrawRules, Move, Outcome, PawnNews, Piece, Position,
    Ruleset, Setup, Try, Verdict, View,
};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::owed;
use super::prior::{self, Call};
use super::tree::{Heard, Manner, NodeId, Tree};
use super::worth::{News, Worth};

/// A board on which the player may find himself.
#[derive(Debug, Clone)]
pub struct World {
    pub board: Position,
    /// What the opponent knows there.
    pub situation: Situation,
    /// Plies since the last capture or pawn move of the player's own.
    pub quiet: u16,
}

/// What simulations go by.
pub struct Simulator<M> {
    pub player: Color,
    ruleset: Ruleset,
    draws: DrawRules,
    /// Whether fifty moves without progress are a draw.
    fifty_moves: bool,
    /// How the opponent is thought to choose.
    pub model: M,
    worth: Worth,
    pub manner: Manner,
    /// A simulation ends after so many own moves at the latest.
    depth: usize,
    path: Vec<(NodeId, usize)>,
    moves: Vec<BoardMove>,
    weights: Vec<f64>,
}

/// What is heard between one choice and the next.
struct Exchange {
    heard: Heard,
    call: Call,
    pawns: PawnNews,
    any: Option<bool>,
}

/// How a simulated turn went on.
enum Turn {
    Over(Outcome),
    Goes(Exchange),
}

/// Of what is expected in so many moves a little is taken off, so that the shorter of two ways to win is the better one.
const HASTE: f64 = 0.995;
/// Plies without progress after which a game is drawn.
pub const FIFTY_MOVES: u16 = 100;

impl<M: MoveModel> Simulator<M> {
    pub fn new(
        setup: &Setup,
        player: Color,
        model: M,
        worth: Worth,
        manner: Manner,
        depth: usize,
    ) -> Self {
        // Draws that need a memory are left out: an imagined board has none.
        let draws = DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        Simulator {
            player,
            ruleset: setup.ruleset,
            draws,
            fifty_moves: setup.draws.fifty_moves,
            model,
            worth,
            manner,
            depth: depth.max(1),
            path: Vec::new(),
            moves: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Descends from the opponent's turn on such a board, after an own move from this node that stood, with what was said to it.
    pub fn simulate_reply(
        &mut self,
        tree: &mut Tree,
        from: NodeId,
        (mv, own): (Move, &Announcement),
        mut world: World,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        if self.ruleset.any().is_some() {
            world.situation.has_pawn_try |= has_pawn_try(&world.board);
        }
        let turn = self.his_turn(&mut world.board, own, &mut world.situation, rng);
        let Turn::Goes(exchange) = turn else { return };
        world.quiet = if exchange.call.lost_on.is_some() { 0 } else { world.quiet + 1 };
        let Some((node, _)) = tree.hear(from, mv, exchange.heard) else { return };
        self.give_arms(tree, node, &world.board, &exchange);
        self.simulate(tree, node, None, world, rng);
    }

    /// Descends from a node on a board on which it is the player's turn: by the try of this number, or else by one that promises most.
    pub fn simulate(
        &mut self,
        tree: &mut Tree,
        mut node: NodeId,
        mut first: Option<usize>,
        world: World,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        let World { mut board, mut situation, mut quiet } = world;
        self.path.clear();
        let mut depth = 0;
        let value = loop {
            let number = first.take().or_else(|| tree.choose(node, self.manner));
            let Some(number) = number else {
                break self.value(&board, Call::default(), quiet);
            };
            self.path.push((node, number));
            let mv = tree.arms(node)[number].mv;
            if !board.is_legal(mv) {
                let Some(again) = self.refuse(tree, node, &board, mv) else {
                    break self.value(&board, Call::default(), quiet);
                };
                node = again;
                continue;
            }
            depth += 1;
            let is_pawn = board.board().pieces(Piece::Pawn).has(mv.from);
            let exchange = match self.turn(&mut board, mv, &mut situation, rng) {
                Turn::Over(outcome) => break score(outcome, self.player),
                Turn::Goes(exchange) => exchange,
            };
            let is_progress =
                is_pawn || situation.lost_on().is_some() || exchange.call.lost_on.is_some();
            quiet = if is_progress { 0 } else { quiet + 2 };
            if self.fifty_moves && quiet >= FIFTY_MOVES {
                break 0.5;
            }
            let next = tree.hear(node, mv, exchange.heard);
            let Some((next, false)) = next.filter(|_| depth < self.depth) else {
                break self.value(&board, exchange.call, quiet);
            };
            self.give_arms(tree, next, &board, &exchange);
            node = next;
        };
        let value = 0.5 + (value - 0.5) * HASTE.powi(depth as i32);
        tree.back_up(&self.path, value);
    }

    /// Whoever comes to a node for the first time finds his tries there.
    fn give_arms(&self, tree: &mut Tree, node: NodeId, board: &Position, exchange: &Exchange) {
        if tree.arms(node).is_empty() {
            let view = self.view(board, exchange.pawns, exchange.any);
            tree.set_arms(node, prior::blind(&view, exchange.call));
        }
    }

    /// The own move, and a move of the opponent's.
    fn turn(
        &mut self,
        board: &mut Position,
        mv: Move,
        situation: &mut Situation,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Turn {
        let own = self.own_move(board, mv, situation);
        if let Some(outcome) = own.end {
            return Turn::Over(outcome);
        }
        self.his_turn(board, &own, situation, rng)
    }

    /// A move of the opponent's, after this was said to the own one.
    fn his_turn(
        &mut self,
        board: &mut Position,
        own: &Announcement,
        situation: &mut Situation,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Turn {
        let reply = self.reply(board, situation, rng);
        let his = board.answer(board.player_move(reply), &self.ruleset, self.draws);
        if let Some(outcome) = his.end {
            return Turn::Over(outcome);
        }
        situation.moves(Some(reply), his.capture.map(|capture| capture.square));
        let any = self.ruleset.any().map(|_| has_pawn_try(board));
        Turn::Goes(Exchange {
            heard: Heard::new(own, &his, any),
            call: call(&his, any),
            pawns: his.pawns,
            any,
        })
    }

    /// Makes an own move, and says what is said to it. The opponent hears of it.
    pub fn own_move(
        &self,
        board: &mut Position,
        mv: Move,
        situation: &mut Situation,
    ) -> Announcement {
        let own = board.answer(mv, &self.ruleset, self.draws);
        let asks = self.ruleset.any().is_some();
        let told = own.pawns.is_some_there() || (asks && has_pawn_try(board));
        situation.hears(own.capture.map(|_| mv.to), told);
        own
    }

    /// All moves of the opponent's, and how likely the model has each of them, in parts of any whole.
    pub fn replies(&mut self, board: &Position, situation: &Situation) -> (&[BoardMove], &[f64]) {
        let Simulator { moves, weights, .. } = self;
        moves.clear();
        weights.clear();
        board.board().generate_moves(|of_one_man| {
            moves.extend(of_one_man);
            false
        });
        self.model.weigh(board, situation, moves, weights);
        if let Some(after_yes) = self.ruleset.any().filter(|_| situation.has_pawn_try) {
            owed::pay(after_yes, board, moves, weights);
        }
        (moves, weights)
    }

    /// A move of the opponent's, as likely as the model has it.
    fn reply(
        &mut self,
        board: &Position,
        situation: &Situation,
        rng: &mut Xoshiro256PlusPlus,
    ) -> BoardMove {
        let (moves, weights) = self.replies(board, situation);
        let mut at = rng.random::<f64>() * weights.iter().sum::<f64>();
        let passes = |weight: &f64| {
            at -= weight;
            at < 0.0
        };
        let number = weights.iter().position(passes).unwrap_or(moves.len() - 1);
        moves[number]
    }

    /// The node after a refusal.
    fn refuse(&self, tree: &mut Tree, node: NodeId, board: &Position, mv: Move) -> Option<NodeId> {
        let again = tree.refuse(node, mv)?;
        // Whoever has paid for his question by one try is free to try anything else.
        let is_free = self.ruleset.any() == Some(AfterYes::OneTry) && tree.is_new_turn(node);
        if is_free && tree.visits(again) == 0 && board.pawn_tries().count > 0 {
            let mut view = self.view(board, PawnNews::Silent, Some(true));
            let refused = Announcement::plain(self.player, Verdict::Refused, Audience::Both);
            view.answered(Try::Move(mv), &refused);
            if view.tries().len() > tree.arms(again).len() {
                tree.set_arms(again, prior::blind(&view, Call::default()));
            }
        }
        Some(again)
    }

    /// What the player sees as his turn begins.
    fn view(&self, board: &Position, pawns: PawnNews, any: Option<bool>) -> View {
        let plain = |verdict| Announcement::plain(self.player, verdict, Audience::Both);
        let began = Announcement { pawns, ..plain(Verdict::Begun) };
        let mut view = View::new(self.ruleset, board.men(self.player), &began);
        if let Some(yes) = any {
            view.answered(Try::Any, &plain(Verdict::Any(yes)));
        }
        view
    }

    fn value(&mut self, board: &Position, call: Call, quiet: u16) -> f64 {
        let Call { lost_on, has_pawn_try } = call;
        self.worth.value(board.board(), self.player, &News { lost_on, has_pawn_try, quiet })
    }
}

/// What the player hears as it becomes his turn.
pub fn call(his: &Announcement, any: Option<bool>) -> Call {
    Call {
        lost_on: his.capture.map(|capture| capture.square),
        has_pawn_try: his.pawns.is_some_there() || any == Some(true),
    }
}

fn has_pawn_try(board: &Position) -> bool {
    board.pawn_tries().count > 0
}

fn score(outcome: Outcome, player: Color) -> f64 {
    match outcome.winner {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == player)),
    }
}
