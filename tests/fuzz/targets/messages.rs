//! Fuzzes [`messages::check`].

#![no_main]

use std::sync::OnceLock;

use doudizhu::service::Decider;
use libfuzzer_sys::{Corpus, fuzz_target};

#[path = "../messages.rs"]
mod messages;

static DECIDER: OnceLock<Decider> = OnceLock::new();

fuzz_target!(|input: &[u8]| -> Corpus {
    let decider = DECIDER.get_or_init(|| messages::decider(doudizhu::config::DEFAULT_STRATEGY));
    match messages::check(decider, input) {
        Some(_) => Corpus::Keep,
        None => Corpus::Reject,
    }
});
