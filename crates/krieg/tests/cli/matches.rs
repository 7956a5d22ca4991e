//! Tests of `krieg match`, `tournament`, `merge`, `report` and `ratings`: results are reproducible,
//! and faulty programs lose.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Folder, error_of, krieg, stdout_of, text};

/// Plays a match with a result folder and returns its result.
fn play(out: &Path, games: &str, more: &[&str]) -> serde_json::Value {
    let args = [
        "match",
        "greedy(tablebases=no)",
        "random",
        "--games",
        games,
        "--seed",
        "9",
        "--json",
        "--out",
        text(out),
    ];
    serde_json::from_str(&stdout_of(&[&args[..], more].concat(), "")).unwrap()
}

fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn games_are_identical_on_any_number_of_threads() {
    let folder = Folder::new();
    let [one, four] = ["one", "four"].map(|name| folder.0.path().join(name));
    let result = play(&one, "60", &["--jobs", "1"]);
    assert_eq!(result, play(&four, "60", &["--jobs", "4"]));
    let names: Vec<String> = files_in(&one).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["games.jsonl", "games.pgn", "report.html", "result.json", "result.txt"]);
    assert_eq!(files_in(&one), files_in(&four));
    for field in ["a", "b", "wins", "draws", "losses", "score", "endings"] {
        assert!(result.get(field).is_some(), "{field} in {result}");
    }
    let count = |field: &str| result[field].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 60);
    // The PGN file can be read like any other record.
    let pgn = one.join("games.pgn");
    let json = stdout_of(&["convert", text(&pgn), "--to", "json"], "");
    assert_eq!(json.lines().count(), 60);
    // The folder and the log can be read in the same way.
    for found in [one.clone(), one.join("games.jsonl")] {
        let [shown, in_pgn] =
            [&found, &pgn].map(|file| stdout_of(&["show", text(file), "--game", "7"], ""));
        assert_eq!(shown, in_pgn);
        assert_eq!(stdout_of(&["convert", text(&found), "--to", "json"], ""), json);
    }
    let error = error_of(&["show", text(&one), "--game", "61"]);
    assert!(error.contains("has no game 61"), "{error}");
    let error = error_of(&["show", text(folder.0.path())]);
    assert!(error.contains("no match or tournament in this folder"), "{error}");
}

#[test]
fn a_match_killed_ten_times_ends_with_the_same_games() {
    let folder = Folder::new();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.0.path().join(name));
    play(&whole, "400", &[]);
    let mut kills = 0;
    let mut lines = Vec::new();
    // The match is killed at ten times between the first game and the last, by the size of its log.
    for part in 1..=10 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_krieg"))
            .args([
                "match",
                "greedy(tablebases=no)",
                "random",
                "--games",
                "400",
                "--seed",
                "9",
                "--jobs",
                "1",
            ])
            .args(["--out", text(&killed)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let log = killed.join("games.jsonl");
        let size = || fs::metadata(&log).map_or(0, |found| found.len());
        // Polls often; the loop ends at the latest when the match is over.
        while size() < part * 50_000 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        kills += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        lines.push(fs::read_to_string(&log).unwrap().lines().count());
    }
    assert!(kills >= 5, "most kills were during the match: {kills}, {lines:?}");
    assert!(lines.is_sorted(), "no game was lost: {lines:?}");
    fs::write(killed.join(".krieg-x.part"), "half a report").unwrap();
    play(&killed, "400", &[]);
    assert_eq!(files_in(&whole), files_in(&killed));
}

#[test]
fn merged_shards_equal_the_whole_match() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.path().join(name);
    play(&path("whole"), "30", &[]);
    for shard in ["1", "2", "3"] {
        play(&path(shard), "30", &["--shard", &format!("{shard}/3")]);
    }
    let [a, b, c, whole] = ["1", "2", "3", "merged"].map(path);
    stdout_of(&["merge", text(&whole), text(&c), text(&a), text(&b), text(&a)], "");
    assert_eq!(files_in(&whole), files_in(&path("whole")));
    // Merging in steps has the same result. Missing games are reported in between.
    let partial = path("partial");
    let output = krieg(&["merge", text(&partial), text(&a), text(&c)], "");
    let noted = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && noted.contains("10 games are missing"), "{noted}");
    stdout_of(&["merge", text(&partial), text(&b)], "");
    assert_eq!(files_in(&partial), files_in(&whole));
    let other = path("other");
    stdout_of(
        &[
            "match",
            "random",
            "greedy(tablebases=no)",
            "--games",
            "2",
            "--quiet",
            "--out",
            text(&other),
        ],
        "",
    );
    let error = error_of(&["merge", text(&whole), text(&a), text(&other)]);
    assert!(error.contains("holds another match"), "{error}");
}

#[test]
fn result_folder_belongs_to_one_match() {
    let folder = Folder::new();
    let out = folder.0.path().join("match");
    play(&out, "4", &[]);
    assert_eq!(play(&out, "8", &[])["games"], 8, "more games can be played later");
    let again = ["match", "greedy(tablebases=no)", "random", "--seed", "8", "--out", text(&out)];
    let error = error_of(&again);
    assert!(error.contains("holds another match"), "{error}");
    assert_eq!(play(&out, "4", &[])["games"], 4, "the report can be about fewer games");
    let told = fs::read_to_string(out.join("result.json")).unwrap();
    assert!(told.contains("\"games\":4"), "{told}");
    let log = out.join("games.jsonl");
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 1 + 8, "no game is lost");
    let forged = fs::read_to_string(&log).unwrap().replacen("1/2-1/2", "1-0", 1);
    fs::write(&log, forged).unwrap();
    let error = error_of(&["report", text(&out)]);
    assert!(error.contains("the claimed end is \""), "{error}");
    let corrupt = fs::read_to_string(&log).unwrap().replace("\"ending\":\"", "\"ending\":\"un");
    fs::write(&log, corrupt).unwrap();
    let error = error_of(&["report", text(&out)]);
    assert!(error.contains("line 2: a game cannot have ended"), "{error}");
}

/// Timeout in seconds for programs that answer or exit: longer than a busy machine needs to start
/// Python.
const LONG_TIMEOUT: &str = "20";
/// Timeout in seconds for programs that hang: the test waits for it in every game.
const SHORT_TIMEOUT: &str = "0.5";

/// A Python program that starts correctly and then executes `on_go` for every `go`.
fn python_player(folder: &Folder, name: &str, timeout: &str, on_go: &str) -> String {
    let script = format!(
        "import sys, time\n\
         for line in sys.stdin:\n\
         \x20   word = line.split()[0]\n\
         \x20   if word == 'krieg': print('id name test\\nkriegok', flush=True)\n\
         \x20   elif word == 'isready': print('readyok', flush=True)\n\
         \x20   elif word == 'quit': break\n\
         \x20   elif word == 'go':\n\
         \x20       {on_go}\n"
    );
    let file = folder.file(name, script);
    format!("engine(cmd=\"python3 {}\",timeout={timeout})", text(&file))
}

#[test]
fn program_that_crashes_hangs_or_cheats_loses_its_games() {
    let folder = Folder::new();
    for (name, on_go, reason) in [
        ("crash", "sys.exit('out of memory')", "out of memory"),
        ("hang", "time.sleep(100)", "it did not answer"),
        ("chatter", "[print('info', i) for i in range(10**9)]", "it did not answer"),
        ("nonsense", "print('try banana', flush=True)", "which is not a try"),
        ("cheat", "print('try e7e8q', flush=True)", "which is not a sensible try"),
        (
            "eager",
            "w = line.split(); print('try', w[-1] + '\\ntry', w[-2], flush=True)",
            "before it was asked",
        ),
        ("silence", "__import__('os').close(1); time.sleep(100)", "it exited"),
    ] {
        let out = folder.0.path().join(name);
        let hangs = reason == "it did not answer";
        let timeout = if hangs { SHORT_TIMEOUT } else { LONG_TIMEOUT };
        let engine = python_player(&folder, &format!("{name}.py"), timeout, on_go);
        let args = ["match", &engine, "random", "--games", "4", "--json", "--out", text(&out)];
        let result: serde_json::Value = serde_json::from_str(&stdout_of(&args, "")).unwrap();
        assert_eq!(
            (&result["losses"], &result["endings"]["forfeit"]),
            (&4.into(), &4.into()),
            "{name}"
        );
        let pgn = fs::read_to_string(out.join("games.pgn")).unwrap();
        let forfeits = pgn.lines().filter(|line| line.starts_with("[Forfeit "));
        let told: Vec<&str> = forfeits.collect();
        assert!(told.len() == 4 && told.iter().all(|tag| tag.contains(reason)), "{name}: {told:?}");
    }
}

#[test]
fn program_that_starts_only_once_forfeits_the_other_games() {
    let folder = Folder::new();
    let count = folder.file("count", "");
    let script = format!(
        "import sys\n\
         starts = open({0:?}).read()\n\
         open({0:?}, 'w').write(starts + 'x')\n\
         if len(starts) > 0: sys.exit('licence in use')\n\
         for line in sys.stdin:\n\
         \x20   if line.startswith('krieg'): print('kriegok', flush=True)\n\
         \x20   elif line.startswith('isready'): print('readyok', flush=True)\n",
        text(&count)
    );
    let file = folder.file("once.py", script);
    let engine = format!("engine(cmd=\"python3 {}\",timeout={SHORT_TIMEOUT})", text(&file));
    let args = ["match", &engine, "random", "--games", "4", "--json"];
    let result: serde_json::Value = serde_json::from_str(&stdout_of(&args, "")).unwrap();
    assert_eq!(result["endings"]["forfeit"], 4, "{result}");
}

#[test]
fn other_files_named_like_a_log_are_not_changed() {
    let folder = Folder::new();
    let log = folder.file("games.jsonl", "{\"my\":\"precious data\"}");
    let place = text(folder.0.path());
    for args in [
        &["ratings", place][..],
        &["report", place],
        &["match", "random", "random", "--out", place],
    ] {
        error_of(args);
        assert_eq!(fs::read_to_string(&log).unwrap(), "{\"my\":\"precious data\"}", "{args:?}");
    }
}

#[test]
fn identical_games_are_reported() {
    let folder = Folder::new();
    let engine = python_player(
        &folder,
        "first.py",
        LONG_TIMEOUT,
        "print('try', line.split()[-1], flush=True)",
    );
    let told = stdout_of(&["match", &engine, &engine, "--games", "6", "--draw-after", "20"], "");
    assert!(told.contains("only 1 of 6 games differ"), "{told}");
}

#[test]
fn slow_program_loses_on_time() {
    let folder = Folder::new();
    // The program thinks for 300 ms of 50 ms; a delay of the machine only makes it slower.
    let engine = python_player(
        &folder,
        "slow.py",
        LONG_TIMEOUT,
        "time.sleep(0.3); print('try e2e4', flush=True)",
    );
    let args = ["match", &engine, "random", "--games", "2", "--movetime", "50", "--json"];
    let result: serde_json::Value = serde_json::from_str(&stdout_of(&args, "")).unwrap();
    assert_eq!(result["endings"]["flag"], 2, "{result}");
}

#[test]
fn player_served_by_krieg_engine_plays_the_same_games() {
    let served = format!("engine(cmd=\"{} engine semi-random\")", env!("CARGO_BIN_EXE_krieg"));
    for ruleset in ["icc", "english", "rand", "berkeley-any"] {
        let play = |player: &str| {
            let args = [
                "match",
                player,
                "greedy(tablebases=no)",
                "--games",
                "4",
                "--ruleset",
                ruleset,
                "--json",
            ];
            let mut result: serde_json::Value =
                serde_json::from_str(&stdout_of(&args, "")).unwrap();
            // Only the names differ.
            for field in ["a", "players", "pairings"] {
                result[field] = "".into();
            }
            result
        };
        assert_eq!(play(&served), play("semi-random"), "{ruleset}");
    }
}

#[test]
fn misspelled_names_get_a_suggestion() {
    let error = error_of(&["match", "semi-randm", "random"]);
    assert!(error.contains("did you mean semi-random"), "{error}");
    let error = error_of(&["match", "engine(cmdd=x)", "random"]);
    assert!(error.contains("did you mean cmd"), "{error}");
    let error = error_of(&["match", "engine(cmd=no-such-program)", "random"]);
    assert!(error.contains("no-such-program does not start"), "{error}");
    assert!(error_of(&["players", "gredy"]).contains("did you mean greedy"));
    assert!(
        error_of(&["match", "random", "random", "--shard", "5/4", "--out", "x"])
            .contains("is not a shard")
    );
    assert!(error_of(&["match", "random", "random", "--sprt", "10,0"]).contains("not hypotheses"));
}

#[test]
fn sprt_stops_at_the_same_game_on_any_number_of_threads() {
    let run = |jobs: &str| {
        let args =
            ["match", "semi-random", "random", "--games", "5000", "--sprt", "0,30", "--jobs", jobs];
        let said = stdout_of(&[&args[..], &["--json"]].concat(), "");
        serde_json::from_str::<serde_json::Value>(&said).unwrap()
    };
    let one = run("1");
    assert_eq!(one["sprt"]["verdict"], "H1");
    assert!(one["games"].as_u64().unwrap() < 1_000, "{one}");
    assert_eq!(one, run("3"));
}

#[test]
fn tournament_reports_a_crosstable_and_ratings() {
    let folder = Folder::new();
    let out = folder.0.path().join("tournament");
    let args = [
        "tournament",
        "random",
        "semi-random",
        "greedy(tablebases=no)",
        "--games",
        "100",
        "--out",
        text(&out),
    ];
    let table = stdout_of(&args, "");
    let place = |name: &str| table.lines().position(|line| line.contains(name)).unwrap();
    assert!(place("greedy") < place("semi-random"), "{table}");
    assert!(table.contains("/200"), "every player played two hundred games: {table}");
    let ratings = stdout_of(&["ratings", text(&out), "--json"], "");
    assert!(
        ratings
            .starts_with(r#"{"system":"bradley-terry","players":[{"name":"greedy(tablebases=no)""#),
        "{ratings}"
    );
    let ratings = stdout_of(&["ratings", text(&out), "--glicko"], "");
    assert!(ratings.lines().nth(1).unwrap().contains("greedy"), "{ratings}");
    let gauntlet = [
        "tournament",
        "random",
        "semi-random",
        "greedy(tablebases=no)",
        "--gauntlet",
        "--games",
        "2",
        "--json",
    ];
    let result: serde_json::Value = serde_json::from_str(&stdout_of(&gauntlet, "")).unwrap();
    assert_eq!(result["pairings"].as_array().unwrap().len(), 2);
}
