//! What was measured, in words and in JSON.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Checked;
use crate::tally::{Round, Tally, shares_json, shares_text};

/// So many faults are told one by one.
const FAULTS_TOLD: usize = 10;

/// What the kill did.
#[derive(Debug)]
pub struct AfterKill {
    /// From being started again to answering.
    restart: Duration,
    /// From answering to everybody's being back.
    pub all_back: Duration,
    games: usize,
    different: usize,
    lines: usize,
    in_flight: usize,
    in_flight_kept: usize,
    gained_ms: Vec<i64>,
}

impl AfterKill {
    pub fn new(restart: Duration) -> Self {
        AfterKill {
            restart,
            all_back: Duration::ZERO,
            games: 0,
            different: 0,
            lines: 0,
            in_flight: 0,
            in_flight_kept: 0,
            gained_ms: Vec::new(),
        }
    }

    pub fn add(&mut self, checked: &Checked) {
        self.games += 1;
        self.different += usize::from(!checked.faults.is_empty());
        self.lines += checked.lines;
        self.in_flight += usize::from(checked.in_flight.is_some());
        self.in_flight_kept += usize::from(checked.in_flight == Some(true));
        self.gained_ms.extend(&checked.gained_ms);
    }

    /// The most that any clock lost and gained.
    fn clocks_ms(&self) -> [i64; 2] {
        let of = |most: Option<&i64>| most.copied().unwrap_or_default();
        [of(self.gained_ms.iter().min()), of(self.gained_ms.iter().max())]
    }
}

/// Resident memory of the server, in KiB.
#[derive(Debug, Default)]
pub struct Memory {
    /// With guests, and no game.
    pub before: u64,
    /// With all games begun, and no sockets.
    pub without_sockets: u64,
    /// With two sockets at each game that is to be played.
    pub with_sockets: u64,
    /// Just started again, with everybody back.
    pub after_restart: Option<u64>,
    pub after: u64,
}

/// Everything.
#[derive(Debug)]
pub struct Report {
    games: u32,
    idle: u32,
    rate: u32,
    rounds: Vec<Round>,
    pub memory: Memory,
    pub games_in_memory: u64,
    pub after_kill: Option<AfterKill>,
    pub server_answers_ms: f64,
    pub faults: Vec<String>,
}

impl Report {
    pub fn new(games: u32, idle: u32, rate: u32) -> Self {
        Report {
            games,
            idle,
            rate,
            rounds: Vec::new(),
            memory: Memory::default(),
            games_in_memory: 0,
            after_kill: None,
            server_answers_ms: 0.0,
            faults: Vec::new(),
        }
    }

    pub fn add(&mut self, round: Round) {
        self.rounds.push(round);
    }

    pub fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    fn tally(&self) -> Tally {
        let mut all = Tally::default();
        self.rounds.iter().for_each(|round| all.add(&round.tally));
        all
    }

    fn seconds(&self) -> f64 {
        self.rounds.iter().map(|round| round.time.as_secs_f64()).sum()
    }

    /// How many processors the server and this program kept busy.
    fn processors(&self) -> [f64; 2] {
        let of = |used: fn(&Round) -> Duration| {
            self.rounds.iter().map(|round| used(round).as_secs_f64()).sum::<f64>() / self.seconds()
        };
        [of(|round| round.server_processor), of(|round| round.own_processor)]
    }

    /// KiB for a game in which nothing happens: without sockets, and what two sockets add to it.
    fn per_game(&self) -> [f64; 2] {
        let more =
            |than: u64, games: u64, kib: u64| (kib as f64 - than as f64) / games.max(1) as f64;
        let Memory { before, without_sockets, with_sockets, .. } = self.memory;
        [
            more(before, self.games_in_memory, without_sockets),
            more(without_sockets, self.games.into(), with_sockets),
        ]
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut say = |line: String| {
            let _ = writeln!(text, "{line}");
        };
        let tally = self.tally();
        let tries = tally.tries() as f64;
        let [server, own] = self.processors();
        let wanted = if self.rate == 0 {
            "as fast as it goes".into()
        } else {
            format!("{} wanted", self.rate)
        };
        say(format!(
            "{} games at once for {:.1} s, {} more in which nobody moves",
            self.games,
            self.seconds(),
            self.idle
        ));
        say(format!(
            "tries answered     {tries} ({:.0} a second; {wanted})",
            tries / self.seconds()
        ));
        say(format!("answered within    {}", shares_text(&tally.from_sent)));
        say(format!("  from when due    {}", shares_text(&tally.from_due)));
        say(format!("  moves, by both   {}", shares_text(&tally.to_both)));
        say(format!(
            "  in the server    {:.2} ms in the mean, from hearing a try to having it on disk",
            self.server_answers_ms
        ));
        say(format!(
            "processors busy    {server:.2} with the server ({:.0} µs a try), {own:.2} with this program",
            server * self.seconds() * 1e6 / tries.max(1.0)
        ));
        let errors: Vec<String> =
            tally.errors.iter().map(|(code, count)| format!("{code} {count}")).collect();
        say(format!(
            "errors             {}",
            if errors.is_empty() { "none".into() } else { errors.join(", ") }
        ));
        say(format!("games over         {}, each followed by another", tally.games_over));
        self.say_memory(&mut say);
        if let Some(after) = &self.after_kill {
            say_kill(after, &mut say);
        }
        for fault in self.faults.iter().take(FAULTS_TOLD) {
            say(format!("WRONG              {fault}"));
        }
        say(format!("faults             {}", self.faults.len()));
        text
    }

    fn say_memory(&self, say: &mut impl FnMut(String)) {
        let mib = |kib: u64| kib as f64 / 1024.0;
        let Memory { before, without_sockets, with_sockets, after_restart, after } = self.memory;
        let [game, sockets] = self.per_game();
        say(format!(
            "memory             {:.1} MiB before games, {:.1} with {} games, {:.1} with {} sockets too",
            mib(before),
            mib(without_sockets),
            self.games_in_memory,
            mib(with_sockets),
            2 * self.games
        ));
        let restarted =
            after_restart.map(|kib| format!("{:.1} MiB when all were back, ", mib(kib)));
        say(format!(
            "                   {}{:.1} MiB at the end",
            restarted.unwrap_or_default(),
            mib(after)
        ));
        say(format!(
            "an idle game       {game:.1} KiB without sockets, {:.1} KiB with two",
            game + sockets
        ));
    }

    /// For programs: one line.
    pub fn json(&self) -> Value {
        let tally = self.tally();
        let [server, own] = self.processors();
        let [game, sockets] = self.per_game();
        let Memory { before, without_sockets, with_sockets, after_restart, after } = self.memory;
        json!({
            "games": self.games,
            "idle": self.idle,
            "rate": self.rate,
            "seconds": self.seconds(),
            "tries": tally.tries(),
            "tries_per_second": tally.tries() as f64 / self.seconds(),
            "answer_ms": shares_json(&tally.from_sent),
            "answer_ms_from_due": shares_json(&tally.from_due),
            "move_heard_by_both_ms": shares_json(&tally.to_both),
            "server_answer_ms_mean": self.server_answers_ms,
            "processors": { "server": server, "load": own },
            "errors": tally.errors,
            "games_over": tally.games_over,
            "memory_kib": {
                "before": before, "without_sockets": without_sockets, "with_sockets": with_sockets,
                "after_restart": after_restart, "after": after,
                "idle_game": game, "idle_game_with_sockets": game + sockets,
                "games_in_memory": self.games_in_memory,
            },
            "kill": self.after_kill.as_ref().map(kill_json),
            "faults": self.faults.len(),
            "first_faults": self.faults.iter().take(FAULTS_TOLD).collect::<Vec<_>>(),
        })
    }
}

fn say_kill(after: &AfterKill, say: &mut impl FnMut(String)) {
    let [lost, gained] = after.clocks_ms();
    say(format!(
        "killed             served again after {:.2} s, everybody back after {:.2} s more",
        after.restart.as_secs_f64(),
        after.all_back.as_secs_f64()
    ));
    say(format!(
        "  compared         {} games with {} lines: {} different or lost",
        after.games, after.lines, after.different
    ));
    say(format!(
        "  tries on the way {}, of which {} were heard",
        after.in_flight, after.in_flight_kept
    ));
    say(format!("  clocks           from {lost} to +{gained} ms"));
}

fn kill_json(after: &AfterKill) -> Value {
    let [lost, gained] = after.clocks_ms();
    json!({
        "restart_s": after.restart.as_secs_f64(),
        "all_back_s": after.all_back.as_secs_f64(),
        "games": after.games,
        "different": after.different,
        "lines": after.lines,
        "in_flight": after.in_flight,
        "in_flight_kept": after.in_flight_kept,
        "clock_ms": [lost, gained],
    })
}
