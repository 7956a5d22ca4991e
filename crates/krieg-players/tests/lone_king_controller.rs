//! Games against a lone king, from the first try to the mate.

use std::sync::{Arc, OnceLock};

use krieg_core::{
    BitBoard, Color, Ending, Entry, Game, Observation, Observer, Outcome, Piece, Position, Ruleset,
    Setup, Square, Verdict, View,
};
use krieg_players::lone_king::{LoneKingController, TablebaseProvider};
use krieg_players::{Choice, Fault, GameRunner, GameSettings, Player, Random, Seat};
use krieg_testing::{TEST_POSITIONS, play_indistinguishable_games, seeded_rng};
use krieg_time::{Clock, TimeControl};
use rand::RngExt;

/// A shelf that fills as the tests ask for tables.
fn shelf() -> Arc<TablebaseProvider> {
    static SHELF: OnceLock<(tempfile::TempDir, Arc<TablebaseProvider>)> = OnceLock::new();
    let (_, shelf) = SHELF.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let shelf = TablebaseProvider::in_folder(folder.path());
        (folder, shelf)
    });
    shelf.clone()
}

/// A shelf on which nothing can be put: its folder would have to be in a file.
fn no_shelf() -> Arc<TablebaseProvider> {
    static FILE: OnceLock<tempfile::NamedTempFile> = OnceLock::new();
    let file = FILE.get_or_init(|| tempfile::NamedTempFile::new().unwrap());
    TablebaseProvider::in_folder(file.path().join("tables"))
}

fn finisher(shelf: Arc<TablebaseProvider>) -> LoneKingController {
    LoneKingController::with_shelf(Box::new(Random::new()), shelf)
}

fn setup(fen: &str) -> Setup {
    Setup { start: Position::from_fen(fen).unwrap(), ..Setup::default() }
}

/// The men of the attacker on squares drawn from the seed, the lone king on another, and the attacker to move.
fn draw_start(men: &str, attacker: Color, seed: u64) -> Position {
    let mut rng = seeded_rng(seed);
    loop {
        let mut placed: Vec<(Square, char)> = Vec::new();
        for man in men.chars().chain(['k']) {
            let square = Square::index(rng.random_range(0..64));
            let is_astray = man == 'P' && (square as usize <= 7 || square as usize >= 56);
            if !is_astray && placed.iter().all(|&(taken, _)| taken != square) {
                placed.push((square, man));
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
        if let (Ok(start), true) = (start, placed.len() == men.len() + 1) {
            return start;
        }
    }
}

/// A finisher whose words are written down, each with the ply at which it was said.
struct Watched {
    player: LoneKingController,
    remarks: Vec<(u32, String)>,
}

impl Player for Watched {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.remarks.clear();
        self.player.begin(seat)
    }

    fn observe(&mut self, line: &Observation) -> Result<(), Fault> {
        self.player.observe(line)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, Fault> {
        let choice = self.player.choose(view, clock);
        self.remarks.extend(self.player.remark().map(|remark| (view.ply(), remark)));
        choice
    }
}

impl Watched {
    fn new(shelf: Arc<TablebaseProvider>) -> Self {
        Watched { player: finisher(shelf), remarks: Vec::new() }
    }

    /// When a sure mate was named, and within how many moves.
    fn promises(&self) -> Vec<(u32, u32)> {
        let promise = |(ply, remark): &(u32, String)| {
            let distance = remark.strip_prefix("mate in ")?.split([' ', ',']).next()?;
            Some((*ply, distance.parse().ok()?))
        };
        self.remarks.iter().filter_map(promise).collect()
    }
}

fn play(player: &mut dyn Player, color: Color, setup: Setup, seed: u64) -> Game {
    let table = GameRunner::new(GameSettings { setup, ..GameSettings::default() }, seed);
    match color {
        Color::White => table.play([player, &mut Random::new()]),
        Color::Black => table.play([&mut Random::new(), player]),
    }
}

fn is_mate(game: &Game, winner: Color) -> bool {
    let mate = Outcome { ending: Ending::Checkmate, winner: Some(winner) };
    game.record().outcome() == Some(mate)
}

/// Moves of the attacker, who began.
fn moves(game: &Game) -> u32 {
    game.umpire().view(Color::White).ply().div_ceil(2)
}

/// Once a sure mate is named it comes within so many moves, and each move brings it nearer. Says whether one was named.
fn keeps_its_word(player: &Watched, game: &Game, color: Color) -> bool {
    let promises = player.promises();
    let Some(&(ply, distance)) = promises.first() else { return false };
    let start = &game.record().setup().start;
    assert!(is_mate(game, color), "{start}: {:?}", player.remarks);
    let took = moves(game) - ply / 2;
    assert!(took <= distance, "{start}: mate in {distance} took {took}");
    for pair in promises.windows(2) {
        let ((before, from), (after, to)) = (pair[0], pair[1]);
        assert!(to + (after - before) / 2 <= from, "{start}: {pair:?}");
    }
    true
}

fn mates_in_time(men: &str, games: u64) {
    let mut player = Watched::new(shelf());
    let mut promised = 0;
    for seed in 0..games {
        let color = Color::ALL[seed as usize % 2];
        let ruleset = Ruleset::ALL[seed as usize % Ruleset::ALL.len()];
        let setup = Setup { ruleset, start: draw_start(men, color, seed), ..Setup::default() };
        let game = play(&mut player, color, setup, seed);
        promised += u64::from(keeps_its_word(&player, &game, color));
    }
    assert!(promised * 10 >= games * 9, "{men}: only {promised} of {games} were ever sure");
}

#[test]
fn a_rook_mates_within_the_moves_it_names() {
    mates_in_time("KR", 60);
}

#[test]
fn a_queen_mates_within_the_moves_she_names() {
    mates_in_time("KQ", 60);
}

#[test]
fn a_pawn_becomes_a_queen_and_mates() {
    let mut player = finisher(shelf());
    for seed in 0..20 {
        let setup = setup("8/1K6/P7/8/4k3/8/8/8 w - - 0 1");
        let game = play(&mut player, Color::White, setup, seed);
        assert!(is_mate(&game, Color::White), "{:?}", game.record().outcome());
    }
}

#[test]
fn two_bishops_mate_within_the_moves_they_name() {
    let mut player = Watched::new(shelf());
    let is_pair = |start: &Position| {
        let bishops = start.pieces(Color::White).pieces(Piece::Bishop);
        !bishops.is_disjoint(BitBoard::DARK_SQUARES)
            && !bishops.is_disjoint(BitBoard::LIGHT_SQUARES)
    };
    let starts = (0..).map(|seed| draw_start("KBB", Color::White, seed)).filter(is_pair);
    let mut promised = 0;
    for (seed, start) in (0..40).zip(starts) {
        let setup = Setup { start, ..Setup::default() };
        let game = play(&mut player, Color::White, setup, seed);
        promised += u32::from(keeps_its_word(&player, &game, Color::White));
    }
    assert!(promised >= 30, "only {promised} of 40 were ever sure");
}

#[test]
fn a_rook_that_may_be_attacked_is_saved_first() {
    for shelf in [shelf(), no_shelf()] {
        let mut player = Watched::new(shelf);
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
fn many_men_mate_within_sixty_moves_and_black_ones_too() {
    let mut player = finisher(no_shelf());
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
fn who_cannot_build_a_table_plays_on_and_says_why() {
    let mut player = Watched::new(no_shelf());
    let game = play(&mut player, Color::White, setup("8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1"), 3);
    assert!(is_mate(&game, Color::White), "{:?}", player.remarks);
    assert!(player.remarks[0].1.contains("tables"), "{:?}", player.remarks[0]);
}

#[test]
fn a_damaged_table_is_no_reason_to_lose() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kqk.table"), "nothing of the kind").unwrap();
    let mut player = Watched::new(TablebaseProvider::in_folder(folder.path()));
    let game = play(&mut player, Color::White, setup("8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1"), 3);
    assert!(is_mate(&game, Color::White), "{:?}", player.remarks);
    assert!(player.remarks[0].1.contains("kqk.table"), "{:?}", player.remarks[0]);
}

#[test]
fn on_the_clock_nobody_waits_for_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = TablebaseProvider::in_folder(folder.path());
    let mut player = Watched::new(shelf.clone());
    let conditions = GameSettings {
        setup: setup("8/8/8/4k3/8/8/3R4/3K4 w - - 0 1"),
        control: TimeControl::Move(std::time::Duration::from_secs(5)),
        ..GameSettings::default()
    };
    GameRunner::new(conditions, 3).play([&mut player, &mut Random::new()]);
    let first = &player.remarks[0].1;
    assert!(first.contains("the table of krk is being built"), "{first}");
    // It comes in the end, for the next game.
    for _ in 0..600 {
        if shelf.tables().has("krk".parse().unwrap()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("no table came in half a minute");
}

#[test]
fn with_men_who_cannot_mate_the_other_player_goes_on() {
    let setup = setup("8/8/8/4k3/8/8/3NN3/3K4 w - - 0 1");
    let conditions = GameSettings { setup, draw_after: Some(20), ..GameSettings::default() };
    let mut player = Watched::new(no_shelf());
    let [plain, other] = &mut [Random::new(), Random::new()];
    let game = GameRunner::new(conditions.clone(), 3).play([&mut player, other]);
    let same = GameRunner::new(conditions, 3).play([plain, other]);
    assert_eq!(game.record(), same.record());
    assert!(player.remarks.is_empty());
}

#[test]
fn nothing_senseless_is_tried_under_any_ruleset() {
    let mut player = finisher(no_shelf());
    for ruleset in Ruleset::ALL {
        for (seed, fen) in (0..).zip(TEST_POSITIONS) {
            for color in Color::ALL {
                let game = play(&mut player, color, Setup { ruleset, ..setup(fen) }, seed);
                assert_eq!(game.record().tags().get(GameRunner::FORFEIT), None, "{ruleset}, {fen}");
            }
        }
    }
}

/// Somebody who hears a game that others play, and says what he would try.
struct Listener {
    player: LoneKingController,
    ear: Observer,
    heard: usize,
}

impl Listener {
    fn new(seat: &Seat) -> Self {
        let mut player = finisher(no_shelf());
        player.begin(seat).unwrap();
        Listener { player, ear: Observer::new(seat.color), heard: 0 }
    }

    fn choice(&mut self, game: &Game, color: Color) -> Option<Choice> {
        for entry in &game.record().entries()[self.heard..] {
            self.heard += 1;
            if let Some(line) = self.ear.observe(entry) {
                self.player.observe(&line).unwrap();
            }
        }
        let view = game.umpire().view(color);
        let clock = Clock::new(TimeControl::Unlimited);
        view.is_my_turn().then(|| self.player.choose(view, &clock).unwrap())
    }
}

#[test]
fn a_finisher_does_not_look_behind_the_screen() {
    let mut differed = 0;
    for ruleset in Ruleset::ALL {
        for (seed, men) in (0..).zip(["KR", "KQ", "KQR", "KRPP", "KBBN"]) {
            for color in Color::ALL {
                let start = draw_start(men, color, seed);
                let setup = Setup { ruleset, start, ..Setup::default() };
                let control = TimeControl::Unlimited;
                let seat = Seat { color, setup: setup.clone(), control, seed };
                let [mut one, mut other] = [0; 2].map(|_| Listener::new(&seat));
                play_indistinguishable_games(setup, color, seed, |game, twin| {
                    differed += u32::from(game.umpire().position() != twin.umpire().position());
                    let choice = one.choice(game, color);
                    assert_eq!(choice, other.choice(twin, color), "{men}, {ruleset}");
                });
            }
        }
    }
    assert!(differed > 100, "the king was elsewhere {differed} times");
}

#[test]
fn the_same_seed_gives_the_same_game_fresh_or_used() {
    let mut used = finisher(no_shelf());
    for seed in 0..6 {
        let setup = Setup { start: draw_start("KQP", Color::White, seed), ..Setup::default() };
        let once = play(&mut finisher(no_shelf()), Color::White, setup.clone(), seed);
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
