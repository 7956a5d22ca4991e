//! Tests of `krieg bench`.

use std::fs;

use crate::common::{Folder, error_of, stdout_of, text};

#[test]
fn bench_umpire_reports_the_speed() {
    let line = stdout_of(&["bench", "umpire", "--rounds", "1", "--seconds", "0.05", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(value["plies_to_plain_chess"]["median"].as_f64().unwrap() > 0.0);
    assert!(error_of(&["bench", "umpire", "--rounds", "0"]).contains("--rounds"));
    assert!(error_of(&["bench", "umpire", "--seconds=0"]).contains("--seconds"));
}

#[test]
fn bench_exact_finds_the_true_board_in_every_ruleset() {
    let args = ["bench", "exact", "--games", "1", "--moves", "25", "--ruleset", "all"];
    let few = ["--capacity", "500", "--sample-capacity", "50", "--steps", "100", "--json"];
    let line = stdout_of(&[&args[..], &few[..]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    for row in rows {
        assert!(row["checked"].as_u64().unwrap() > 40, "{row}");
        assert!(row["sizes"][0]["unique_per_second"].as_f64().unwrap() > 0.0);
    }
    assert!(error_of(&["bench", "exact", "--ruleset", "unknown"]).contains("unknown"));
    assert!(error_of(&["bench", "exact", "no-such-folder"]).contains("no-such-folder"));
}

#[test]
fn bench_belief_prints_a_table_and_draws_plots() {
    let folder = tempfile::tempdir().unwrap();
    let plots = folder.path().join("plots.html");
    let plots = plots.to_str().unwrap();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/queen.pgn");
    let args = ["bench", "belief", games, "--capacity", "60"];
    let table = stdout_of(&[&args[..], &["--plots", plots]].concat(), "");
    for name in
        ["pool", "aosp", "los", "hs", "smc-uniform", "smc", "smc-value", "smc-fitted", "smc-robust"]
    {
        assert!(table.lines().any(|line| line.trim().starts_with(name)), "{name}: {table}");
    }
    let page = std::fs::read_to_string(plots).unwrap();
    assert_eq!((page.matches("<svg").count(), page.matches("<polyline").count()), (5, 5 * 10));

    let line = stdout_of(&[&args[..], &["--belief", "smc", "--json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5, "four stages, and all of them");
    assert!(rows[0]["log_loss"].as_f64().unwrap() > 1.0 && rows[0]["boards"].as_f64() > Some(1.0));
    assert!(error_of(&["bench", "belief", games, "--belief", "hope"]).contains("hope"));
}

#[test]
fn bench_belief_measures_networks_beside_named_beliefs() {
    let folder = Folder::new();
    let network = folder.file("random.net", krieg_testing::random_network_file(1, 32, 2, 2));
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/queen.pgn");
    let args = ["bench", "belief", games, "--network", text(&network), "--json"];
    let rows = |args: &[&str]| {
        let value: serde_json::Value = serde_json::from_str(&stdout_of(args, "")).unwrap();
        value["rows"].as_array().unwrap().clone()
    };
    let alone = rows(&args);
    assert_eq!(alone.len(), 5, "other beliefs are measured only if they are named");
    assert_eq!(alone[4]["belief"], text(&network));
    let loss = alone[4]["log_loss"].as_f64().unwrap();
    assert!((20.0..400.0).contains(&loss), "a random network knows nothing: {loss}");
    let both = rows(&[&args[..], &["--belief", "smc", "--capacity", "60"]].concat());
    assert_eq!(both.len(), 10);
    assert_eq!(both[9]["log_loss"], alone[4]["log_loss"], "the same games, the same passes");
    assert_eq!(both[4]["turns"], both[9]["turns"]);

    let embedded = stdout_of(&["bench", "network", "--seconds", "0.01"], "");
    assert!(embedded.starts_with("width "), "{embedded}");

    let damaged = folder.file("damaged.net", "KRIEGNET");
    let error = error_of(&["bench", "belief", games, "--network", text(&damaged)]);
    assert!(error.contains("damaged"), "{error}");
}

#[test]
fn bench_calibration_compares_predictions_with_outcomes() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/queen.pgn");
    let args = ["bench", "calibration", games, "--particles", "60"];
    let tables = stdout_of(&args, "");
    assert_eq!(tables.matches("0.9–1.0").count(), 4, "{tables}");
    assert_eq!(tables.matches("log-loss").count(), 4, "{tables}");
    assert_eq!(stdout_of(&args, ""), tables, "the same seed, the same tables");

    let line = stdout_of(&[&args[..], &["--json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let [legal, recapture] = [0, 1].map(|number| &value["tables"][number]);
    assert!(legal["cases"].as_u64() > recapture["cases"].as_u64(), "{line}");
    let rook = &value["tables"][3];
    assert!(rook["cases"].as_u64() > recapture["cases"].as_u64(), "{line}");
    assert_eq!(legal["bins"].as_array().unwrap().len(), 10);

    assert!(error_of(&["bench", "calibration"]).contains("GAMES"));
    let error = error_of(&[&args[..], &["--for", "unknown"]].concat());
    assert!(error.contains("there are no games of such players"), "{error}");
    let empty = tempfile::NamedTempFile::with_suffix(".pgn").unwrap();
    let empty = empty.path().to_str().unwrap();
    assert!(error_of(&["bench", "calibration", empty]).contains("no game"));
}

#[test]
fn bench_network_measures_each_instruction_set() {
    let folder = Folder::new();
    let file = folder.file("random.net", krieg_testing::random_network_file(1, 32, 2, 2));
    let table = stdout_of(&["bench", "network", text(&file), "--seconds", "0.01"], "");
    assert!(table.starts_with("width 32, 2 layers, 2 heads, "), "{table}");
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("portable"), "{table}");
    let numbers: Vec<f64> =
        last.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect();
    let [passes, median, low, high, rate] = numbers[..] else { panic!("{table}") };
    assert!(passes >= 1.0 && 0.0 < low && low <= median && median <= high && rate > 0.0, "{table}");

    let embedded = stdout_of(&["bench", "network", "--seconds", "0.01"], "");
    assert!(embedded.starts_with("width "), "{embedded}");

    let damaged = folder.file("damaged.net", "KRIEGNET");
    assert!(error_of(&["bench", "network", text(&damaged)]).contains("damaged or incomplete"));
    assert!(error_of(&["bench", "network", "no-such-file"]).contains("no-such-file"));
    assert!(error_of(&["bench", "network", text(&file), "--seconds=0"]).contains("--seconds"));
}

#[test]
fn bench_strangers_leaves_every_player_out() {
    let game = include_str!("../../../../examples/queen.pgn");
    let names = |mut lines: String| {
        for (tag, name) in [("White", "greedy"), ("Black", "pimc(worlds=8)")] {
            let at = lines.find(&format!("[{tag} \"")).unwrap();
            let end = at + lines[at..].find('\n').unwrap();
            lines.replace_range(at..end, &format!("[{tag} \"{name}\"]"));
        }
        lines
    };
    let folder = Folder::new();
    let file = folder.file("games.pgn", names(game.to_string()));
    let args = ["bench", "strangers", text(&file), "--particles", "60"];
    let tables = stdout_of(&args, "");
    let left_out = |name: &str, types: &str| {
        let mut lines = tables.lines().map(str::trim);
        let line = lines.find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{tables}"));
        assert!(line.ends_with(types), "{line}");
    };
    left_out("greedy", "  greedy");
    left_out("pimc(worlds=8)", "  mo-ismcts+pimc, pimc");
    assert_eq!(tables.matches("recaptures, by capturing piece").count(), 3, "{tables}");

    let line = stdout_of(&[&args[..], &["--for", "pimc", "--json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let strangers = value.as_array().unwrap();
    assert_eq!(strangers.len(), 1, "pimc is followed, so only greedy is a stranger: {line}");
    assert_eq!(strangers[0]["opponent"], "greedy");
    assert_eq!(strangers[0]["beliefs"][2]["belief"], "smc-robust");
    assert!(strangers[0]["beliefs"][1]["log_loss"].as_f64().unwrap() > 1.0, "{line}");
    let error = error_of(&["bench", "strangers", text(&file), "--belief", "los"]);
    assert!(error.contains("los") && error.contains("weighted boards"), "{error}");
    let error = error_of(&[&args[..], &["--for", "unknown"]].concat());
    assert!(error.contains("there are no games of this player"), "{error}");
}

#[test]
fn interrupted_engine_match_continues() {
    let folder = Folder::new();
    let games = folder.file("games.txt", "");
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_krieg"));
    let play = |count: &str| {
        let args = ["bench", "engines", &engine, "--control", "200n", "--games", count];
        stdout_of(&[&args[..], &["--out", text(&games), "--our-option", "Hash=1"]].concat(), "")
    };
    assert!(play("2").starts_with("2 games: "));
    // After an interruption in the middle of a line, complete games are kept and the rest is
    // played.
    let mut kept = fs::read_to_string(&games).unwrap();
    let first = kept.lines().next().unwrap().to_string();
    kept.push_str("2 1 w dr");
    fs::write(&games, kept).unwrap();
    assert!(play("4").starts_with("4 games: "));
    let kept = fs::read_to_string(&games).unwrap();
    assert_eq!(kept.lines().count(), 1 + 4, "a heading and four games");
    assert_eq!(kept.lines().next(), Some(first.as_str()));
    // A file of another match is rejected.
    let args = ["bench", "engines", &engine, "--control", "300n", "--out", text(&games)];
    assert!(error_of(&args).contains("another match"));
}

#[test]
fn invalid_engine_match_options_are_reported() {
    assert!(
        error_of(&["bench", "engines", "no-such-engine"])
            .contains("no-such-engine could not be started")
    );
    assert!(error_of(&["bench", "engines", "x", "--control", "none"]).contains("time control"));
    assert!(
        error_of(&["bench", "engines", "x", "--control", "soon"]).contains("not a time control")
    );
    assert!(error_of(&["bench", "engines", "x", "--option", "Hash"]).contains("Name=Value"));
}
