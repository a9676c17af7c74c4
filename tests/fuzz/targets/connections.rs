//! Fuzzes [`connections::Target`].

#![no_main]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;

#[allow(dead_code, reason = "it is there for the tests")]
#[path = "../../service/certificates.rs"]
mod certificates;
#[path = "../connections.rs"]
mod connections;
#[allow(dead_code, reason = "it is there for the tests")]
#[path = "../../service/harness.rs"]
mod harness;

use connections::Target;

/// After how many inputs the servers are looked at.
const BATCH: usize = 256;

/// Descriptors that may be open beyond those of the beginning: those of the last connections, which close while others
/// are counted.
const SPARE_DESCRIPTORS: f64 = 32.0;

static STATE: OnceLock<(Runtime, Target, f64)> = OnceLock::new();
static INPUTS: AtomicUsize = AtomicUsize::new(0);

fuzz_target!(|input: &[u8]| {
    let (runtime, target, descriptors) = STATE.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("threads");
        let target = runtime.block_on(Target::start());
        let descriptors = runtime.block_on(target.plain.metric("process_open_fds", &[]));
        (runtime, target, descriptors)
    });
    runtime.block_on(target.send(input));
    let inputs = INPUTS.fetch_add(1, Ordering::Relaxed) + 1;
    if inputs % BATCH == 0 {
        let (open, resident) = runtime.block_on(async {
            target.assert_well().await;
            let of = async |name| target.plain.metric(name, &[]).await;
            (of("process_open_fds").await, of("process_resident_memory_bytes").await)
        });
        assert!(open <= descriptors + SPARE_DESCRIPTORS, "{open} descriptors are open");
        if inputs.is_power_of_two() {
            eprintln!("after {inputs} inputs: {open} descriptors, {:.0} MiB", resident / 1_048_576.0);
        }
    }
});
