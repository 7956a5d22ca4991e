//! A particle filter that follows a game from White's side: `cargo run --example follow_belief`.

use krieg_belief::{Belief, BeliefScore, OpponentBoard, OpponentMixture};
use krieg_core::{Color, Game, Observer, Verdict};
use krieg_players::{BeliefSpec, GameRunner, GameSettings, Greedy, Random, Seat};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = GameSettings { draw_after: Some(12), ..GameSettings::default() };
    let seat = Seat::new(Color::White, &settings, 7);
    let played = GameRunner::new(settings, 7).play([&mut Greedy::new(), &mut Random::new()]);

    let spec: BeliefSpec = "smc".parse()?;
    let mut belief = spec.make(&seat, 2_000, &OpponentMixture::default());
    let mut observer = Observer::new(Color::White);
    let mut replay = Game::new(seat.setup.clone());
    for entry in played.record().entries() {
        let is_move = entry.announcement.verdict == Verdict::Moved;
        // An adjudicated game ends with an entry that is not a try.
        if replay.judge(entry.tried).is_err() {
            break;
        }
        // White does not hear Black's refused tries.
        let Some(observation) = observer.observe(entry) else { continue };
        belief.observe(&observation)?;
        if is_move && entry.announcement.by == Color::Black {
            let truth = OpponentBoard::of(replay.umpire().position(), Color::Black);
            let own = replay.umpire().view(Color::White).pieces();
            let score = BeliefScore::new(&belief.marginals(), &truth, own);
            let boards = belief.board_count().unwrap_or(0);
            println!("{} {boards} boards, log-loss {:.2}", entry.announcement, score.log_loss);
        }
    }
    Ok(())
}
