//! Games against a lone king, from the first try to the mate.

use std::sync::{Arc, OnceLock};

use krieg_core::{
    BitBoard, Color, Ending, Entry, Game, Observation, Observer, Outcome, Piece, Position, Ruleset,
    Setup, Square, Verdict, View,
};
use krieg_players::lone_king::{LoneKingController, TablebaseProvider};
use krieg_players::{Choice, GameRunner, GameSettings, Player, PlayerError, Random, Seat};
use krieg_testing::{TEST_POSITIONS, play_indistinguishable_games, seeded_rng};
use krieg_time::{Clock, TimeControl};
use rand::RngExt;

/// A provider in a temporary folder that all tests share.
fn provider() -> Arc<TablebaseProvider> {
    static PROVIDER: OnceLock<(tempfile::TempDir, Arc<TablebaseProvider>)> = OnceLock::new();
    let (_, provider) = PROVIDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let provider = TablebaseProvider::in_folder(folder.path());
        (folder, provider)
    });
    provider.clone()
}

/// A provider that can build no table: its folder would have to be inside a file.
fn broken_provider() -> Arc<TablebaseProvider> {
    static FILE: OnceLock<tempfile::NamedTempFile> = OnceLock::new();
    let file = FILE.get_or_init(|| tempfile::NamedTempFile::new().unwrap());
    TablebaseProvider::in_folder(file.path().join("tables"))
}

fn controller(provider: Arc<TablebaseProvider>) -> LoneKingController {
    LoneKingController::with_tablebases(Box::new(Random::new()), provider)
}

fn setup(fen: &str) -> Setup {
    Setup { start: Position::from_fen(fen).unwrap(), ..Setup::default() }
}

/// A position with the attacker to move, with these pieces of the attacker and a lone king on
/// random squares.
fn draw_start(pieces: &str, attacker: Color, seed: u64) -> Position {
    let mut rng = seeded_rng(seed);
    loop {
        let mut placed: Vec<(Square, char)> = Vec::new();
        for piece in pieces.chars().chain(['k']) {
            let square = Square::index(rng.random_range(0..64));
            let is_impossible = piece == 'P' && (square as usize <= 7 || square as usize >= 56);
            if !is_impossible && placed.iter().all(|&(taken, _)| taken != square) {
                placed.push((square, piece));
            }
        }
        let swap = |letter: char| match attacker {
            Color::White => letter,
            Color::Black if letter.is_uppercase() => letter.to_ascii_lowercase(),
            Color::Black => letter.to_ascii_uppercase(),
        };
        let board = krieg_core::placement::write(|square| {
            placed.iter().find(|(at, _)| *at == square).map(|&(_, letter)| swap(letter))
        });
        let turn = if attacker == Color::White { 'w' } else { 'b' };
        let start = Position::from_fen(&format!("{board} {turn} - - 0 1"));
        if let (Ok(start), true) = (start, placed.len() == pieces.len() + 1) {
            return start;
        }
    }
}

/// A controller whose remarks are recorded, each with its ply.
struct Recorded {
    player: LoneKingController,
    remarks: Vec<(u32, String)>,
}

impl Player for Recorded {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.remarks.clear();
        self.player.begin(seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.player.observe(observation)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        let choice = self.player.choose(view, clock);
        self.remarks.extend(self.player.remark().map(|remark| (view.ply(), remark)));
        choice
    }
}

impl Recorded {
    fn new(provider: Arc<TablebaseProvider>) -> Self {
        Recorded { player: controller(provider), remarks: Vec::new() }
    }

    /// The plies at which a certain mate was reported, with the number of moves to it.
    fn reported_mates(&self) -> Vec<(u32, u32)> {
        let report = |(ply, remark): &(u32, String)| {
            let distance = remark.strip_prefix("mate in ")?.split([' ', ',']).next()?;
            Some((*ply, distance.parse().ok()?))
        };
        self.remarks.iter().filter_map(report).collect()
    }
}

fn play(player: &mut dyn Player, color: Color, setup: Setup, seed: u64) -> Game {
    let runner = GameRunner::new(GameSettings { setup, ..GameSettings::default() }, seed);
    match color {
        Color::White => runner.play([player, &mut Random::new()]),
        Color::Black => runner.play([&mut Random::new(), player]),
    }
}

fn is_mate(game: &Game, winner: Color) -> bool {
    let mate = Outcome { ending: Ending::Checkmate, winner: Some(winner) };
    game.record().outcome() == Some(mate)
}

/// The number of moves of the attacker, who moves first.
fn moves(game: &Game) -> u32 {
    game.umpire().view(Color::White).ply().div_ceil(2)
}

/// Checks that a reported mate is given within the reported number of moves, and that the number
/// decreases with every move. Returns whether a mate was reported.
fn keeps_reported_distance(player: &Recorded, game: &Game, color: Color) -> bool {
    let reports = player.reported_mates();
    let Some(&(ply, distance)) = reports.first() else { return false };
    let start = &game.record().setup().start;
    assert!(is_mate(game, color), "{start}: {:?}", player.remarks);
    let took = moves(game) - ply / 2;
    assert!(took <= distance, "{start}: mate in {distance} took {took}");
    for pair in reports.windows(2) {
        let ((before, from), (after, to)) = (pair[0], pair[1]);
        assert!(to + (after - before) / 2 <= from, "{start}: {pair:?}");
    }
    true
}

fn mates_in_time(pieces: &str, games: u64) {
    let mut player = Recorded::new(provider());
    let mut reported = 0;
    for seed in 0..games {
        let color = Color::ALL[seed as usize % 2];
        let ruleset = Ruleset::ALL[seed as usize % Ruleset::ALL.len()];
        let setup = Setup { ruleset, start: draw_start(pieces, color, seed), ..Setup::default() };
        let game = play(&mut player, color, setup, seed);
        reported += u64::from(keeps_reported_distance(&player, &game, color));
    }
    assert!(
        reported * 10 >= games * 9,
        "{pieces}: mate was certain in only {reported} of {games} games"
    );
}

#[test]
fn a_rook_mates_within_the_reported_distance() {
    mates_in_time("KR", 60);
}

#[test]
fn a_queen_mates_within_the_reported_distance() {
    mates_in_time("KQ", 60);
}

#[test]
fn a_pawn_promotes_and_mates() {
    let mut player = controller(provider());
    for seed in 0..20 {
        let setup = setup("8/1K6/P7/8/4k3/8/8/8 w - - 0 1");
        let game = play(&mut player, Color::White, setup, seed);
        assert!(is_mate(&game, Color::White), "{:?}", game.record().outcome());
    }
}

#[test]
fn two_bishops_mate_within_the_reported_distance() {
    let mut player = Recorded::new(provider());
    let is_pair = |start: &Position| {
        let bishops = start.pieces(Color::White).pieces(Piece::Bishop);
        !bishops.is_disjoint(BitBoard::DARK_SQUARES)
            && !bishops.is_disjoint(BitBoard::LIGHT_SQUARES)
    };
    let starts = (0..).map(|seed| draw_start("KBB", Color::White, seed)).filter(is_pair);
    let mut reported = 0;
    for (seed, start) in (0..40).zip(starts) {
        let setup = Setup { start, ..Setup::default() };
        let game = play(&mut player, Color::White, setup, seed);
        reported += u32::from(keeps_reported_distance(&player, &game, Color::White));
    }
    assert!(reported >= 30, "mate was certain in only {reported} of 40 games");
}

#[test]
fn a_rook_that_may_be_attacked_is_not_lost() {
    for provider in [provider(), broken_provider()] {
        let mut player = Recorded::new(provider);
        for seed in 0..10 {
            let setup = setup("8/8/8/8/8/5k2/6R1/K7 w - - 0 1");
            let game = play(&mut player, Color::White, setup, seed);
            let is_loss = |entry: &&Entry| {
                entry.announcement.by == Color::Black && entry.announcement.capture.is_some()
            };
            let loss = game.record().entries().iter().find(is_loss);
            assert_eq!(loss, None, "{:?}", player.remarks);
        }
    }
}

#[test]
fn many_pieces_of_either_colour_mate_within_sixty_moves() {
    let mut player = controller(broken_provider());
    for seed in 0..30 {
        let color = Color::ALL[seed as usize % 2];
        let ruleset = Ruleset::ALL[seed as usize % Ruleset::ALL.len()];
        let start = draw_start("KQRPPP", color, seed);
        let name = start.to_string();
        let game = play(&mut player, color, Setup { ruleset, start, ..Setup::default() }, seed);
        let winner = game.record().outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, Some(color), "{name}");
        assert!(moves(&game) <= 60, "{name}: {} moves", moves(&game));
    }
}

#[test]
fn without_a_table_the_controller_searches_and_reports_why() {
    let mut player = Recorded::new(broken_provider());
    let game = play(&mut player, Color::White, setup("8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1"), 3);
    assert!(is_mate(&game, Color::White), "{:?}", player.remarks);
    assert!(player.remarks[0].1.contains("tables"), "{:?}", player.remarks[0]);
}

#[test]
fn a_damaged_table_is_reported_and_the_game_is_won() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kqk.table"), "not a table").unwrap();
    let mut player = Recorded::new(TablebaseProvider::in_folder(folder.path()));
    let game = play(&mut player, Color::White, setup("8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1"), 3);
    assert!(is_mate(&game, Color::White), "{:?}", player.remarks);
    assert!(player.remarks[0].1.contains("kqk.table"), "{:?}", player.remarks[0]);
}

#[test]
fn with_a_clock_the_table_is_built_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let provider = TablebaseProvider::in_folder(folder.path());
    let mut player = Recorded::new(provider.clone());
    let settings = GameSettings {
        setup: setup("8/8/8/4k3/8/8/3R4/3K4 w - - 0 1"),
        control: TimeControl::Move(std::time::Duration::from_secs(5)),
        ..GameSettings::default()
    };
    GameRunner::new(settings, 3).play([&mut player, &mut Random::new()]);
    let first = &player.remarks[0].1;
    assert!(first.contains("the table of krk is being built"), "{first}");
    // The table is ready for a later game.
    for _ in 0..600 {
        if provider.tablebase().has("krk".parse().unwrap()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the table was not built in half a minute");
}

#[test]
fn without_mating_material_the_wrapped_player_continues() {
    let setup = setup("8/8/8/4k3/8/8/3NN3/3K4 w - - 0 1");
    let settings = GameSettings { setup, draw_after: Some(20), ..GameSettings::default() };
    let mut player = Recorded::new(broken_provider());
    let [plain, other] = &mut [Random::new(), Random::new()];
    let game = GameRunner::new(settings.clone(), 3).play([&mut player, other]);
    let same = GameRunner::new(settings, 3).play([plain, other]);
    assert_eq!(game.record(), same.record());
    assert!(player.remarks.is_empty());
}

#[test]
fn all_tries_are_sensible_under_every_ruleset() {
    let mut player = controller(broken_provider());
    for ruleset in Ruleset::ALL {
        for (seed, fen) in (0..).zip(TEST_POSITIONS) {
            for color in Color::ALL {
                let game = play(&mut player, color, Setup { ruleset, ..setup(fen) }, seed);
                assert_eq!(game.record().tags().get(GameRunner::FORFEIT), None, "{ruleset}, {fen}");
            }
        }
    }
}

/// Follows a game of other players and chooses tries without making them.
struct Follower {
    player: LoneKingController,
    observer: Observer,
    observed: usize,
}

impl Follower {
    fn new(seat: &Seat) -> Self {
        let mut player = controller(broken_provider());
        player.begin(seat).unwrap();
        Follower { player, observer: Observer::new(seat.color), observed: 0 }
    }

    fn choice(&mut self, game: &Game, color: Color) -> Option<Choice> {
        for entry in &game.record().entries()[self.observed..] {
            self.observed += 1;
            if let Some(observation) = self.observer.observe(entry) {
                self.player.observe(&observation).unwrap();
            }
        }
        let view = game.umpire().view(color);
        let clock = Clock::new(TimeControl::Unlimited);
        view.is_my_turn().then(|| self.player.choose(view, &clock).unwrap())
    }
}

#[test]
fn choices_do_not_depend_on_hidden_information() {
    let mut differed = 0;
    for ruleset in Ruleset::ALL {
        for (seed, pieces) in (0..).zip(["KR", "KQ", "KQR", "KRPP", "KBBN"]) {
            for color in Color::ALL {
                let start = draw_start(pieces, color, seed);
                let setup = Setup { ruleset, start, ..Setup::default() };
                let control = TimeControl::Unlimited;
                let seat = Seat { color, setup: setup.clone(), control, seed };
                let [mut one, mut other] = [0; 2].map(|_| Follower::new(&seat));
                play_indistinguishable_games(setup, color, seed, |game, twin| {
                    differed += u32::from(game.umpire().position() != twin.umpire().position());
                    let choice = one.choice(game, color);
                    assert_eq!(choice, other.choice(twin, color), "{pieces}, {ruleset}");
                });
            }
        }
    }
    assert!(differed > 100, "the positions differed only {differed} times");
}

#[test]
fn a_new_and_a_reused_player_play_the_same_game_for_a_seed() {
    let mut used = controller(broken_provider());
    for seed in 0..6 {
        let setup = Setup { start: draw_start("KQP", Color::White, seed), ..Setup::default() };
        let once = play(&mut controller(broken_provider()), Color::White, setup.clone(), seed);
        let again = play(&mut used, Color::White, setup, seed);
        assert_eq!(once.record(), again.record());
        assert!(
            once.record()
                .entries()
                .iter()
                .any(|entry| entry.announcement.verdict == Verdict::Moved)
        );
    }
}
