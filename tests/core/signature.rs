//! Play as it was: the signatures that `doudizhu bench --signatures` prints.

use doudizhu::bench::{COUNT, SEED, signature, situations};
use doudizhu::strategy::{Random, Registry};

/// What every strategy's play came to when it was last meant to change. Written by
/// `cargo run --release -- bench --signatures > tests/data/signatures.txt`.
const SIGNATURES: &str = include_str!("../data/signatures.txt");

#[test]
fn every_strategy_plays_as_it_did() {
    let registry = Registry::builtin();
    let situations = situations(&Random, SEED, COUNT);
    let now: Vec<(String, String)> = registry
        .names()
        .map(|name| {
            let strategy = registry.find(name).unwrap();
            (name.to_owned(), format!("{:016x}", signature(strategy.as_ref(), &situations)))
        })
        .collect();
    let then: Vec<(String, String)> = SIGNATURES
        .lines()
        .filter_map(|line| line.split_once(char::is_whitespace))
        .map(|(name, signature)| (name.to_owned(), signature.trim().to_owned()))
        .collect();
    assert_eq!(now, then);
}
