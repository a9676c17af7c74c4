use clap::Parser;
use doudizhu::arena::{ArenaError, Args, run};
use doudizhu::strategy::Registry;
use serde_json::Value;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn arena(line: &str) -> Result<String, ArenaError> {
    let command = Command::try_parse_from(["arena"].into_iter().chain(line.split_whitespace())).unwrap();
    let mut out = Vec::new();
    run(&command.args, &Registry::builtin(), &mut out).map(|()| String::from_utf8(out).unwrap())
}

#[test]
fn json_has_the_promised_fields() {
    let report: Value =
        serde_json::from_str(&arena("rhcp random --decks 20 --seed 5 --json").unwrap()).unwrap();
    assert_eq!((&report["a"], &report["b"]), (&Value::from("rhcp"), &Value::from("random")));
    assert_eq!((&report["decks"], &report["illegal"]), (&Value::from(20), &Value::from(0)));
    for side in [&report, &report["landlord"], &report["peasants"]] {
        for field in ["wp", "wp_ci95", "adp", "adp_ci95"] {
            assert!(side[field].is_f64(), "{field}: {side}");
        }
    }
    for player in ["a", "b"] {
        for field in ["mean", "p99", "max"] {
            assert!(report["decision_us"][player][field].as_f64().unwrap() > 0.0);
        }
        assert!(report["plays"][player]["single"].as_u64().unwrap() > 0);
    }
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let print = |threads| {
        arena(&format!("rhcp random --decks 20 --seed 5 --json --no-timing --threads {threads}")).unwrap()
    };
    assert_eq!(print(1), print(3));
    assert_ne!(print(1), arena("rhcp random --decks 20 --seed 6 --json --no-timing").unwrap());
}

#[test]
fn a_report_is_written_beside_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arena.html");
    let text = arena(&format!("rhcp random --decks 5 --report {}", file.display())).unwrap();
    assert!(text.contains("rhcp against random, 5 decks"), "{text}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("<td>"));
    let nowhere = folder.path().join("no/such/folder.html");
    let error = arena(&format!("rhcp random --decks 1 --report {}", nowhere.display())).unwrap_err();
    assert!(error.to_string().contains("no/such/folder.html"), "{error}");
}

#[test]
fn verification_prints_what_it_checked() {
    assert!(arena("--verify 10 --seed 2").unwrap().starts_with("10 games, "));
    let found: Value = serde_json::from_str(&arena("--verify 10 --json").unwrap()).unwrap();
    assert_eq!((&found["games"], &found["disagreements"]), (&Value::from(10), &Value::from(0)));
}

#[test]
fn what_cannot_be_played_is_refused() {
    assert!(matches!(arena("rhcp"), Err(ArenaError::TooFewPlayers)));
    assert!(matches!(arena("rhcp rhcp --round-robin"), Err(ArenaError::TooFewPlayers)));
    assert!(matches!(arena("rhcp nobody"), Err(ArenaError::Player(_))));
    assert!(Command::try_parse_from(["arena", "rhcp", "random", "--decks", "0"]).is_err());
    assert!(Command::try_parse_from(["arena", "rhcp", "random", "--rules", "house"]).is_err());
}

#[test]
fn bids_are_fitted_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.rs");
    let fit = |threads| {
        let line = format!("rhcp --fit-bids {} --decks 60 --threads {threads} --json", file.display());
        let report = arena(&line).unwrap();
        (report, std::fs::read_to_string(&file).unwrap())
    };
    let (report, source) = fit(1);
    assert!(source.contains("pub(super) const FITTED: Models"), "{source}");
    assert_eq!((report, source), fit(3), "a fit repeats to the byte");
    assert!(matches!(arena("rhcp random --calibrate-bids"), Err(ArenaError::OnePlayer)));
}

/// A bounded sample of what `doudizhu arena expert --calibrate-bids --decks 20000 --seed 202` measures.
#[test]
fn predictions_are_calibrated() {
    let text = arena("expert --calibrate-bids --decks 2000 --seed 77 --json").unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["bid"]["hands"], Value::from(6_000));
    // The sampling error of a decile of 600 games alone is 0.016 on average.
    let error = |calibration: &Value| calibration["mean_absolute_error"].as_f64().unwrap();
    assert!(error(&report["bid"]) < 0.03, "{}", report["bid"]);
    assert!(error(&report["bid_at_turn"]) < 0.04, "{}", report["bid_at_turn"]);
    let gain = &report["against_series"];
    assert!(gain["points"].as_f64() > gain["ci95"].as_f64(), "{gain}");
    // Auctions as people know them: about half of the hands bid, and 1 and 2 are said as well as 3.
    let shares: Vec<f64> =
        report["first_bids"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    let natural = [0.4..0.65, 0.07..0.2, 0.07..0.2, 0.12..0.3];
    assert_eq!(shares.len(), natural.len());
    assert!(shares.iter().zip(&natural).all(|(share, natural)| natural.contains(share)), "{shares:?}");
}
