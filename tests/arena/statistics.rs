use std::time::Duration;

use doudizhu::arena::{PairedSum, Times, derive_seed, for_each_index};

/// 1, 2, 3, 4: mean 2.5, sample variance 5/3, standard error √(5/12).
#[test]
fn the_interval_is_the_textbooks() {
    let mut sum = PairedSum::default();
    [1, 2, 3, 4].into_iter().for_each(|value| sum.add(value));
    let estimate = sum.estimate(1.0);
    assert!((estimate.mean - 2.5).abs() < 1e-12);
    assert!((estimate.ci95 - 1.959_963_984_540_054 * (5.0f64 / 12.0).sqrt()).abs() < 1e-12);
    let halved = sum.estimate(2.0);
    assert!((halved.mean - 1.25).abs() < 1e-12 && (halved.ci95 - estimate.ci95 / 2.0).abs() < 1e-12);
    assert!((estimate.high() - estimate.low() - 2.0 * estimate.ci95).abs() < 1e-12);
}

#[test]
fn sums_do_not_depend_on_how_they_are_split() {
    let values: Vec<i64> = (0..100).map(|index| (index * 37) % 41 - 20).collect();
    let mut whole = PairedSum::default();
    values.iter().for_each(|value| whole.add(*value));
    let mut merged = PairedSum::default();
    for part in values.chunks(7).rev() {
        let mut sum = PairedSum::default();
        part.iter().for_each(|value| sum.add(*value));
        merged.merge(&sum);
    }
    assert_eq!(whole, merged);
    assert_eq!(PairedSum::default().estimate(1.0).mean, 0.0);
}

#[test]
fn quantiles_are_within_a_sixteenth() {
    let mut times = Times::default();
    (1..=1000).for_each(|microseconds| times.add(Duration::from_micros(microseconds)));
    assert!((times.mean_us() - 500.5).abs() < 1e-9);
    assert_eq!(times.max_us(), 1000.0);
    for (quantile, exact) in [(0.5, 500.0), (0.99, 990.0), (0.01, 10.0)] {
        let found = times.quantile_us(quantile);
        assert!(found >= exact && found <= exact * (1.0 + 1.0 / 16.0), "{quantile}: {found}");
    }
    assert_eq!(times.quantile_us(1.0), 1000.0);
}

#[test]
fn every_index_is_worked_on_once() {
    for threads in [1, 4] {
        let parts = for_each_index(1000, threads, &|_| {}, |seen: &mut Vec<u64>, index| seen.push(index));
        let mut seen: Vec<u64> = parts.into_iter().flatten().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
    }
}

#[test]
fn seeds_differ_along_every_path() {
    let mut seeds = vec![derive_seed(1, &[])];
    for deck in 0..100 {
        seeds.push(derive_seed(1, &[deck]));
        seeds.push(derive_seed(2, &[deck]));
        seeds.extend((0..3).map(|game| derive_seed(1, &[deck, game])));
    }
    let count = seeds.len();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), count);
}
