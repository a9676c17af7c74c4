//! What a decision costs: `cargo bench --bench decisions`. One iteration decides a whole set of situations;
//! the throughput is decisions per second.

#![allow(missing_docs, clippy::panic, reason = "a benchmark")]

mod positions;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use doudizhu::bench::{decide, situations};
use doudizhu::game::{Role, Situation};
use doudizhu::strategy::{Registry, Rhcp, Scratch, Strategy};
use positions::TRIO_RICH;

fn set(
    criterion: &mut Criterion,
    name: &str,
    strategy: &dyn Strategy,
    label: &str,
    situations: &[Situation],
) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group.throughput(Throughput::Elements(situations.len() as u64));
    let mut scratch = Scratch::default();
    group.bench_function(BenchmarkId::from_parameter(label), |bencher| {
        bencher.iter(|| {
            for situation in situations {
                black_box(decide(strategy, black_box(situation), &mut scratch));
            }
        });
    });
    group.finish();
}

fn decisions(criterion: &mut Criterion) {
    let lead17 = positions::leads(Role::PeasantAfter, 500);
    let lead20 = positions::leads(Role::Landlord, 500);
    let game = situations(&Rhcp::default(), 1, 6_000);
    let follow: Vec<Situation> = game.iter().filter(|situation| !situation.is_lead()).cloned().collect();
    let registry = Registry::builtin();
    for name in registry.names() {
        let Some(strategy) = registry.find(name) else { continue };
        set(criterion, "lead of 17 cards", strategy.as_ref(), name, &lead17);
        set(criterion, "lead of 20 cards", strategy.as_ref(), name, &lead20);
        set(criterion, "follow", strategy.as_ref(), name, &follow);
        set(criterion, "whole game", strategy.as_ref(), name, &game);
        for text in TRIO_RICH {
            set(criterion, text, strategy.as_ref(), name, &[positions::lead_text(text)]);
        }
    }
    // The same without the memo: what memoising is worth.
    let (plain, label) = (Rhcp::without_memo(), "rhcp without memo");
    set(criterion, "lead of 17 cards", &plain, label, &lead17);
    set(criterion, "lead of 20 cards", &plain, label, &lead20);
    set(criterion, "follow", &plain, label, &follow);
    set(criterion, TRIO_RICH[0], &plain, label, &[positions::lead_text(TRIO_RICH[0])]);
}

criterion_group!(benches, decisions);
criterion_main!(benches);
