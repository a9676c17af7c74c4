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
