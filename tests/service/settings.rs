//! Settings, as an operator types them.

use std::time::Duration;

use clap::{CommandFactory as _, Parser};
use doudizhu::config::ServeArgs;

#[derive(Debug, Parser)]
struct Cli {
    #[command(flatten)]
    serve: ServeArgs,
}

#[test]
fn the_defaults_are_the_documented_ones() {
    let args = Cli::try_parse_from(["doudizhu"]).expect("all settings have defaults").serve;
    assert_eq!(args.listen.to_string(), "0.0.0.0:50051");
    assert_eq!(args.admin_listen.to_string(), "0.0.0.0:9464");
    assert_eq!(args.strategy, "expert");
    assert!(args.worker_threads() >= 1);
    assert!(args.reflection);
    // What Kubernetes grants by default: the drain must fit into it.
    assert!(*args.lame_duck + *args.drain_limit < Duration::from_secs(30));
}

#[test]
fn a_bad_setting_is_refused_by_its_name() {
    for (flag, value) in [
        ("--listen", "localhost"),
        ("--admin-listen", "0.0.0.0:99999"),
        ("--worker-threads", "0"),
        ("--strategy", "clairvoyant"),
        ("--time-budget", "100"),
        ("--max-calls", "0"),
        ("--max-connections", "-1"),
        ("--max-streams", "many"),
        ("--call-timeout", "-1s"),
        ("--handshake-timeout", "later"),
        ("--keepalive-interval", ""),
        ("--keepalive-timeout", "1 parsec"),
        ("--max-connection-age", "5"),
        ("--max-connection-age-grace", "x"),
        ("--lame-duck", "3ss"),
        ("--drain-limit", "∞"),
        ("--reflection", "maybe"),
        ("--grpc-web", "perhaps"),
        ("--cors-origin", "*"),
        ("--cors-origin", "https://play.example.com/"),
        ("--reload-interval", "often"),
        ("--log-format", "xml"),
        ("--log-level", "doudizhu=loud"),
        ("--log-level", "loud"),
        ("--log-level", "info,loud"),
        ("--time-budget", "61s"),
        ("--call-timeout", "0s"),
        ("--handshake-timeout", "0s"),
        ("--keepalive-timeout", "0s"),
        ("--max-connection-age", "0s"),
        ("--max-connection-age", "18446744073709551615s"),
        ("--lame-duck", "25h"),
        ("--max-searches", "0"),
    ] {
        let error = Cli::try_parse_from(["doudizhu", &format!("{flag}={value}")]).expect_err(value);
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(flag), "{error}");
    }
}

#[test]
fn every_setting_has_a_flag_a_variable_and_help() {
    for setting in Cli::command().get_arguments() {
        let flag = setting.get_long().expect("a flag");
        let variable = setting.get_env().expect("a variable").to_str().expect("plain text");
        assert_eq!(variable, format!("DOUDIZHU_{}", flag.to_uppercase().replace('-', "_")));
        assert!(setting.get_help().is_some(), "{flag}");
    }
}

#[test]
fn the_readme_lists_every_setting_with_its_default() {
    let readme = include_str!("../../README.md");
    for setting in Cli::command().get_arguments() {
        let flag = setting.get_long().expect("a flag");
        let variable = setting.get_env().expect("a variable").to_str().expect("plain text");
        let row = readme.lines().find(|line| line.starts_with(&format!("| `--{flag}` | `{variable}` |")));
        let row = row.unwrap_or_else(|| panic!("no row for --{flag}"));
        for default in setting.get_default_values() {
            let default = default.to_str().expect("plain text");
            assert!(row.contains(&format!("| `{default}` |")), "{row}");
        }
    }
}
