//! What it costs to generate all legal plays: `cargo bench --bench generation`. One iteration generates the
//! plays of a whole set of situations; the throughput is calls per second.

#![allow(missing_docs, clippy::panic, reason = "a benchmark")]

mod positions;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use doudizhu::bench::situations;
use doudizhu::game::Situation;
use doudizhu::strategy::Random;

fn generation(criterion: &mut Criterion) {
    let random = situations(&Random, 1, 10_000);
    let (leads, follows): (Vec<Situation>, Vec<Situation>) =
        random.iter().cloned().partition(Situation::is_lead);
    let worst = [positions::lead_text(positions::TRIO_RICH[0])];
    let sets: [(&str, &[Situation]); 4] =
        [("random play", &random), ("leads", &leads), ("follows", &follows), ("worst hand", &worst)];
    let mut group = criterion.benchmark_group("legal plays");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    for (name, situations) in sets {
        group.throughput(Throughput::Elements(situations.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for situation in situations {
                    // What a caller does with a play is not measured, but each play must come into being.
                    black_box(situation).for_each_play(|play| {
                        black_box(play);
                    });
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, generation);
criterion_main!(benches);
