//! Looking at a board: what there is to notice.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_king_moves};

use super::News;
use super::camp::{Camp, POINTS, above, below, distance, pawn_attacks};
use super::features::*;
use krieg_chess::exchange_gain;

/// All pieces of both sides at the start, in points.
const ALL_PIECES: f32 = 62.0;
/// No exchange counts for more pawns than this.
const LARGEST: f32 = 10.0;
/// A lead grows no staler than this; by the rules the game is drawn here.
const STALEST: u16 = 100;

/// Looks at a board, as the player who is to move. What it is worth in chess, in hundredths of a pawn, is known already.
pub(super) fn notice(board: &Board, player: Color, news: &News, chess: i32) -> Noticed {
    let mut features = [0.0; FEATURES];
    let (own, enemy) = (Camp::new(board, player), Camp::new(board, !player));
    let (own_turned, enemy_turned) = (own.turned(), enemy.turned());
    compare(&own, &enemy_turned, 1.0, &mut features);
    compare(&enemy, &own_turned, -1.0, &mut features);

    features[TURN] = 1.0;
    features[CHESS] = chess as f32 / 400.0;
    let (own_points, enemy_points) = (own.points(), enemy.points());
    // Two points more keep the last pawn of all from being everything.
    let lead = (own_points - enemy_points) / (own_points + enemy_points + 2.0);
    features[STANDSTILL] = lead * f32::from(news.quiet.min(STALEST)) / 100.0;

    features[OWN_LOOSE] = own.points_on(enemy_turned.attacked & !own.attacked) / 9.0;
    features[ENEMY_LOOSE] = enemy.points_on(own_turned.attacked & !enemy.attacked) / 9.0;
    // In check, the player has other cares.
    if let Some(turned) = board.null_move() {
        features[EXPOSED] = best_capture(&turned) / 9.0;
    }
    features[EXPOSED + 1] = best_capture(board) / 9.0;
    features[OWN_SIEGE] = enemy.siege as f32 / 4.0;
    features[ENEMY_SIEGE] = own.siege as f32 / 4.0;
    if let Some(square) = news.lost_on {
        features[TAKE_BACK] = taken_back(board, square) / 9.0;
    }
    if news.has_pawn_try {
        features[PAWN_TRY] = 1.0;
        features[PAWN_TRY + 1] = pawn_victim(board, player, &own, &enemy_turned) / 9.0;
    }

    let pawns = own.count(Piece::Pawn) + enemy.count(Piece::Pawn);
    let pieces = own_points + enemy_points - pawns;
    Noticed { features, middle: (pieces / ALL_PIECES).min(1.0) }
}

/// What the best capture wins for whoever is to move, in pawns; those who take in passing are left out.
fn best_capture(board: &Board) -> f32 {
    let theirs = board.colors(!board.side_to_move());
    let mut best = 0;
    board.generate_moves(|mut taking| {
        taking.to &= theirs;
        for mv in taking {
            best = best.max(exchange_gain(board, mv));
        }
        false
    });
    (best as f32 / 100.0).min(LARGEST)
}

/// What taking back on this square wins, in pawns.
fn taken_back(board: &Board, square: Square) -> f32 {
    let mut best = 0;
    board.generate_moves(|of_one_man| {
        for mv in of_one_man.into_iter().filter(|mv| mv.to == square) {
            best = best.max(exchange_gain(board, mv));
        }
        false
    });
    best as f32 / 100.0
}

/// What the best man is worth whom a pawn may take. A pawn taken in passing is one like others.
fn pawn_victim(board: &Board, player: Color, own: &Camp, enemy: &Camp) -> f32 {
    let pinned = match player {
        Color::White => board.pinned(),
        Color::Black => board.pinned().flip_ranks(),
    };
    let hit = pawn_attacks(own.pieces(Piece::Pawn) & !pinned);
    let victims = Piece::ALL.into_iter().filter(|kind| !(enemy.pieces(*kind) & hit).is_empty());
    victims.map(|kind| POINTS[kind as usize]).fold(1.0, f32::max)
}

/// Adds, with this sign, what one side has; the other one is turned to face it.
fn compare(own: &Camp, enemy: &Camp, sign: f32, features: &mut [f32; FEATURES]) {
    let mut add = |feature: usize, amount: f32| features[feature] += sign * amount;
    let yes = |is_so: bool| f32::from(u8::from(is_so));
    let pawns = own.pieces(Piece::Pawn);
    if enemy.men.len() == 1 {
        let heavy = own.pieces(Piece::Rook) | own.pieces(Piece::Queen);
        add(BARED, yes(!heavy.is_empty()));
        add(BARED + 1, yes(heavy.is_empty() && !pawns.is_empty()));
    }
    add(PAWNS, own.count(Piece::Pawn) / 2.0);
    let steps: usize = pawns.into_iter().map(|pawn| pawn.rank() as usize - 1).sum();
    add(PAWNS + 1, steps as f32 / 8.0);
    add(PAWNLESS, yes(pawns.is_empty()));
    add(BISHOPS, yes(own.count(Piece::Bishop) > 1.0));
    add_passed(own, enemy, &mut add);
    let prey_is_weak = enemy.men.len() == 1 + enemy.pieces(Piece::Pawn).len();
    let can_hunt = own.men.len() > 1 + pawns.len();
    if prey_is_weak && can_hunt {
        let room = get_king_moves(enemy.king) & !own.attacked & !enemy.men;
        add(HUNT, 1.0 - room.len() as f32 / 8.0);
        add(HUNT + 1, 1.0 - middle(enemy.king));
        add(HUNT + 2, 1.0 - distance(own.king, enemy.king) as f32 / 7.0);
    }
}

/// Passed pawns: how far they have come, how free their way is, and who is nearer to it.
fn add_passed(own: &Camp, enemy: &Camp, add: &mut impl FnMut(usize, f32)) {
    let pawns = own.pieces(Piece::Pawn);
    let foes = enemy.pieces(Piece::Pawn);
    let behind_own = below(BitBoard(pawns.0 >> 8));
    let stopped = below(BitBoard(foes.0 >> 8) | enemy.by_pawns);
    let men = own.men | enemy.men;
    for pawn in pawns & !behind_own & !stopped {
        let rank = pawn.rank() as usize;
        let come = rank as f32 / 7.0;
        let way = above(BitBoard(pawn.bitboard().0 << 8));
        add(PASSED, 1.0);
        add(PASSED + 1, come * come);
        add(FREE_WAY, come * f32::from(u8::from((way & (men | enemy.attacked)).is_empty())));
        let goal = Square::new(pawn.file(), Rank::index((rank + 1).min(7)));
        add(ESCORT, come * (distance(enemy.king, goal) - distance(own.king, goal)) as f32 / 7.0);
    }
}

/// From one in the four squares of the middle to nought at the edge.
fn middle(square: Square) -> f32 {
    let off = |line: usize| (2 * line as i32 - 7).abs() / 2;
    1.0 - off(square.file() as usize).max(off(square.rank() as usize)) as f32 / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(fen: &str, news: &News) -> impl Fn(&str) -> f32 + use<> {
        let board: Board = fen.parse().unwrap();
        let noticed = notice(&board, board.side_to_move(), news, 0);
        move |name| {
            noticed.features[NAMES.iter().position(|known| *known == name).expect("a feature")]
        }
    }

    #[test]
    fn at_the_start_nothing_is_noticed_but_whose_turn_it_is() {
        let noticed = notice(&Board::default(), Color::White, &News::default(), 0);
        assert_eq!(noticed.middle, 1.0);
        for (name, amount) in NAMES.iter().zip(noticed.features) {
            assert_eq!(amount, f32::from(u8::from(*name == "turn")), "{name}");
        }
    }

    #[test]
    fn a_passed_pawn_with_its_king_beside_it_has_a_free_way() {
        let seen = seen("8/8/7p/3KP2p/8/8/k7/8 w - - 0 1", &News::default());
        assert_eq!(seen("free-way"), 4.0 / 7.0 - 3.0 / 7.0);
        assert!(seen("escort") > 0.0);
    }

    #[test]
    fn pawns_are_counted_with_how_far_they_have_come_and_bishops_by_pairs() {
        // White: a2, e6 (passed) and two bishops; Black: a7 and one bishop.
        let seen = seen("5b2/p5k1/4P3/8/8/8/P7/2B1KB2 w - - 0 1", &News::default());
        assert_eq!((seen("pawns"), seen("pawns-come")), (2.0 / 2.0 - 1.0 / 2.0, 4.0 / 8.0));
        assert_eq!((seen("passed"), seen("bishop-pair"), seen("pawnless")), (1.0, 1.0, 0.0));
        assert!((seen("passed-come") - 25.0 / 49.0).abs() < 1e-6);
    }

    #[test]
    fn news_is_needed_to_take_back_and_to_try_a_pawn() {
        let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
        let told = News { lost_on: Some(Square::D5), has_pawn_try: true, quiet: 0 };
        let told = seen(fen, &told);
        assert!(told("take-back") > 1.0);
        assert_eq!((told("pawn-try"), told("pawn-victim")), (1.0, 1.0));
        let untold = seen(fen, &News::default());
        assert_eq!((untold("take-back"), untold("pawn-try")), (0.0, 0.0));
        assert!(untold("enemy-loose") > 0.9 && untold("own-loose") > 0.0);
    }

    #[test]
    fn what_either_side_could_win_by_taking_is_noticed() {
        // Black's knight attacks queen and rook, and White's rook can take the other one.
        let taking = seen("3r2k1/p7/1p6/2n5/Q7/3R4/7P/6K1 w - - 0 1", &News::default());
        assert_eq!(taking("own-exposed"), 9.5 / 9.0, "the queen, for nothing");
        assert_eq!(taking("enemy-exposed"), 5.0 / 9.0, "the rook, which nobody guards");
        let in_check = seen("k7/8/8/8/4q3/8/3R4/4K3 w - - 0 1", &News::default());
        assert_eq!(in_check("own-exposed"), 0.0);
    }

    #[test]
    fn a_lone_king_at_the_edge_is_hunted() {
        let seen = seen("k7/2K5/8/8/8/8/8/7R w - - 0 1", &News::default());
        assert_eq!((seen("bared-by-heavy"), seen("hunt-edge")), (1.0, 1.0));
        assert!(seen("hunt-near") > 0.5 && seen("hunt-room") > 0.7);
    }
}
