//! The program itself, as people and scripts run it.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use doudizhu::service::proto::{self, ClassifyPlayResponse, DecideResponse, EvaluateHandResponse, GroupType};
use doudizhu::strategy::Registry;

use crate::harness::{Server, lead, text};

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_doudizhu"));
    command.args(args);
    command
}

fn run(args: &[&str]) -> Output {
    program(args).output().expect("it runs")
}

/// What a run that succeeds prints.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Exit status and message of a run that fails.
fn refused(args: &[&str]) -> (i32, String) {
    let output = run(args);
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).expect("text");
    (output.status.code().expect("not killed"), message)
}

#[test]
fn decide_prints_the_play_for_people() {
    let out = printed(&[
        "decide",
        "--strategy",
        "rhcp",
        "--hand",
        "8888 TT 22",
        "--to-beat",
        "Q Q",
        "--last-player",
        "landlord",
        "--role",
        "peasant_after",
    ]);
    assert!(out.starts_with("play     pair 2 2\n"), "{out}");
    assert!(out.contains("\ndecided  by rhcp\n"), "{out}");
    let out = printed(&[
        "decide",
        "--strategy",
        "rhcp",
        "--hand",
        "3,4,5",
        "--to-beat",
        "2",
        "--last-player",
        "landlord",
        "--role",
        "peasant_before",
    ]);
    assert!(out.starts_with("play     pass\n"), "{out}");
}

#[test]
fn decide_prints_the_response_as_json() {
    let out = printed(&["decide", "--hand", "10h Jh Qh Kh Ah 3d", "--strategy=rhcp", "--json"]);
    let response: DecideResponse = proto::from_json(&out).expect("protobuf's JSON mapping");
    let play = response.play.expect("a play");
    assert_eq!(play.r#type(), GroupType::Single);
    assert_eq!(text(&play.cards), "3d");
}

#[test]
fn decide_takes_everything_a_situation_may_hold() {
    let out = printed(&[
        "decide",
        "--hand",
        "5 6 6 7 8 8 9 9 T T J J Q K 2 2",
        "--role",
        "peasant_after",
        "--to-beat",
        "7",
        "--to-beat-type",
        "single",
        "--last-player",
        "landlord",
        "--cards-left",
        "18,16,?",
        "--history",
        "3, 5, pass, 7",
        "--bottom-cards",
        "3 4 A",
        "--bid",
        "3",
        "--multiplier",
        "3",
        "--rules",
        "douzero",
        "--rule",
        "quad_kickers=false",
        "--strategy",
        "rhcp",
        "--time-budget",
        "5ms",
        "--seed",
        "9",
    ]);
    assert!(out.starts_with("play     single "), "{out}");
}

#[test]
fn decide_takes_a_request_from_standard_input() {
    let request = proto::to_json(&lead("3 3 3 4 4 4 5 6")).expect("a message");
    let mut child = program(&["decide", "--request", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("piped").write_all(request.as_bytes()).expect("it reads");
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(out.status.code(), Some(0));
    // The whole hand is one group, so every strategy goes out.
    assert!(out.stdout.starts_with(b"play     plane with singles 3 3 3 4 4 4 5 6\n"));
}

#[test]
fn rank_lists_plays_best_first() {
    let turn =
        ["--hand", "8888 TT 22", "--to-beat", "Q Q", "--last-player", "landlord", "--role", "peasant_after"];
    let out = printed(&[&["rank", "--strategy=rhcp"], &turn[..]].concat());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 4, "{out}");
    assert!(lines[0].starts_with("pair 2 2 "), "{out}");
    assert_eq!(lines[3], "3 legal plays, ranked by rhcp");
    assert_eq!(printed(&[&["rank", "--limit", "1"], &turn[..]].concat()).lines().count(), 2);
}

#[test]
fn evaluate_adds_up() {
    let out = printed(&["evaluate", "--hand", "X22AAKKQQJJT98877", "--json"]);
    let response: EvaluateHandResponse = proto::from_json(&out).expect("protobuf's JSON mapping");
    let value = response.value.expect("a value");
    // RHCP, chapter 16.
    assert_eq!((value.sum, value.rounds, value.score), (14, 7, -35));
    assert_eq!(response.decomposition.len(), 7);
    assert!(
        printed(&["evaluate", "--hand", "33"])
            .starts_with("value    -7 in 1 rounds, score -14\ngroups   pair 3 3\n")
    );
}

#[test]
fn classify_names_the_group() {
    let out = printed(&["classify", "--cards", "333 444 55", "--to-beat", "3"]);
    assert_eq!(out, "group    plane with singles 3 3 3 4 4 4 5 5\nbeats    no\n");
    assert!(printed(&["classify", "--cards", "3 4"]).starts_with("group    none"));
    // Three trios and one more, or four trios: ambiguous where a trio that touches the body may be kickers.
    let out = printed(&["classify", "--cards", "333444555666", "--rules", "douzero", "--json"]);
    let response: ClassifyPlayResponse = proto::from_json(&out).expect("protobuf's JSON mapping");
    assert!(response.group.is_none() && response.readings.len() > 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_asked_the_same() {
    let mut server = Server::start(&["--lame-duck=1h"]).await;
    let addr = format!("http://{}", server.grpc);
    let (ready, draining) = tokio::task::block_in_place(|| {
        let hand = "X22AAKKQQJJT98877";
        let play = |args: &[&str]| printed(args).lines().next().map(str::to_owned);
        let remote = play(&["decide", "--strategy=rhcp", "--hand", hand, "--addr", &addr]);
        assert_eq!(remote, play(&["decide", "--strategy=rhcp", "--hand", hand]));
        assert_eq!(printed(&["classify", "--cards", "55", "--addr", &addr]), "group    pair 5 5\n");
        let (status, message) = refused(&["evaluate", "--hand", "33333", "--addr", &addr]);
        assert_eq!(status, 1);
        assert!(message.contains("InvalidArgument: hand"), "{message}");

        let ready = printed(&["health", "--addr", &addr]);
        server.stop();
        while run(&["health", "--addr", &addr]).status.success() {}
        (ready, refused(&["health", "--addr", &addr]))
    });
    assert_eq!(ready, "SERVING\n");
    assert_eq!(draining, (1, "doudizhu: NOT_SERVING\n".to_owned()));
    tokio::task::block_in_place(|| {
        assert_eq!(printed(&["health", "--addr", &addr, "--service", "liveness"]), "SERVING\n");
        let (status, message) = refused(&["health", "--addr", &addr, "--service", "nothing"]);
        assert_eq!((status, message.as_str()), (1, "doudizhu: SERVICE_UNKNOWN\n"));
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn load_counts_every_call() {
    let server = Server::start(&[]).await;
    let addr = server.grpc.to_string();
    let out = tokio::task::block_in_place(|| {
        printed(&[
            "load",
            "--addr",
            &addr,
            "--floor-addr",
            &addr,
            "--concurrency",
            "1,8",
            "--duration",
            "200ms",
            "--json",
        ])
    });
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let levels = report["levels"].as_array().expect("levels");
    let counts = levels.iter().flat_map(|level| [&level["server"]["calls"], &level["floor"]["calls"]]);
    let calls: u64 = counts.map(|calls| calls.as_u64().expect("a number")).sum();
    assert_eq!(levels.len(), 2);
    assert!(calls > 0);
    for level in levels {
        let of = |name: &str| level["server"][name].as_f64().expect("a number");
        assert!(0.0 < of("p50") && of("p50") <= of("p99") && of("p99") <= of("max"));
    }
    let counted = ["grpc_method=\"Decide\"", "grpc_code=\"OK\""];
    server.until_metric("grpc_server_handled_total", &counted, calls as f64).await;

    let (status, message) = tokio::task::block_in_place(|| {
        let output = run(&[
            "load",
            "--addr",
            &addr,
            "--duration",
            "50ms",
            "--concurrency",
            "1",
            "--rate",
            "100",
            "--strategy",
            "clairvoyant",
        ]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("InvalidArgument"));
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    });
    assert_eq!(status, Some(1));
    assert!(message.ends_with("calls failed\n"), "{message}");
}

#[test]
fn bench_prints_a_signature_for_every_strategy() {
    let out = printed(&["bench", "--signatures"]);
    let names: Vec<&str> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, Registry::builtin().names().collect::<Vec<_>>());
}

#[test]
fn mistakes_are_named() {
    let (status, message) = refused(&["decide"]);
    assert_eq!(status, 2);
    assert!(message.contains("--hand"), "{message}");
    for (args, name) in [
        (["decide", "--hand", "3 4 1"], "\"1\" is not a card"),
        (["decide", "--hand=3", "--role=dealer"], "--role"),
        (["decide", "--hand=3", "--cards-left=20,17"], "--cards-left"),
        (["decide", "--hand=3", "--rule=jokers"], "distinct_kickers"),
        (["classify", "--cards=3", "--group-type=pass"], "--group-type"),
        (["load", "--concurrency=0", "--addr=x"], "--concurrency"),
    ] {
        let (status, message) = refused(&args);
        assert_eq!(status, 2, "{args:?}");
        assert!(message.contains(name), "{message}");
    }
    for (args, name) in [
        (["decide", "--hand=3 4", "--to-beat=3"], "situation.last_player"),
        (["decide", "--hand=3", "--strategy=clairvoyant"], "strategy"),
        (["decide", "--request", "/no/such/file"], "/no/such/file"),
        (["decide", "--hand=3", "--addr=http://127.0.0.1:1"], "127.0.0.1:1"),
        (["bench", "--strategy", "clairvoyant"], "clairvoyant"),
    ] {
        let (status, message) = refused(&args);
        assert_eq!(status, 1, "{args:?}");
        assert!(message.contains(name), "{message}");
    }
}

/// A server is a player like any other: on duplicate decks a strategy that plays as the other one wins exactly half.
#[tokio::test(flavor = "multi_thread")]
async fn the_arena_plays_against_a_server() {
    let server = Server::start(&[]).await;
    let player = format!("grpc://{}/rhcp", server.grpc);
    for args in [["arena", "rhcp", &player], ["arena", "rhcp", &format!("--opponent={player}")]] {
        let args = [&args[..], &["--decks", "4", "--threads", "2", "--json"]].concat();
        let out = tokio::task::block_in_place(|| printed(&args));
        let result: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(result["wp"], 0.5, "{out}");
        assert_eq!(result["illegal"], 0, "{out}");
        assert_eq!((result["decks"].as_u64(), result["b"].as_str()), (Some(4), Some(&*player)));
    }
}
