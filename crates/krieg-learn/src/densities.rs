//! Counts where pieces stand in recorded games.

use cozy_chess::{Color, Piece, Square};
use krieg_belief::Densities;
use krieg_core::{Record, Verdict};

/// The densities of these games. Every position counts the same.
pub fn learn_densities<'a>(records: impl IntoIterator<Item = &'a Record>) -> Densities {
    let mut counts = vec![[[[0u64; Square::NUM]; Piece::NUM]; Color::NUM]; Densities::STAGES];
    let mut positions = [0u64; Densities::STAGES];
    for record in records {
        let mut game = record.replay(0);
        for entry in record.entries() {
            // The record was umpired once by the same rules, so replaying it does not fail.
            let _ = game.judge(entry.tried);
            if entry.announcement.verdict != Verdict::Moved {
                continue;
            }
            let position = game.umpire().position();
            let move_number = game.umpire().view(Color::White).ply() / 2 + 1;
            let stage = Densities::stage(move_number);
            positions[stage] += 1;
            for color in Color::ALL {
                for piece in Piece::ALL {
                    for square in position.board().colored_pieces(color, piece) {
                        counts[stage][color as usize][piece as usize][square as usize] += 1;
                    }
                }
            }
        }
    }
    Densities::from_frequencies(|stage, color, piece, square| {
        let count = counts[stage][color as usize][piece as usize][square as usize];
        count as f64 / positions[stage].max(1) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Game, Setup};

    #[test]
    fn squares_where_pieces_stood_are_probable() {
        let mut game = Game::new(Setup::default());
        for mv in ["e2e4", "e7e5", "g1f3", "b8c6"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        let learned = learn_densities([game.record()]);
        let chance = |color, piece, square| learned.probability(color, 1, piece, square);
        assert!(chance(Color::White, Piece::Pawn, Square::E4) > 0.99);
        assert!(chance(Color::Black, Piece::Pawn, Square::E5) > 0.7);
        assert!(chance(Color::White, Piece::Knight, Square::F3) > 0.4);
        assert!(chance(Color::White, Piece::Pawn, Square::E2) < 0.01);
    }
}
