use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use tonic::Code;

use super::Seen;

/// The outcome of a load run. Latencies are in microseconds.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    pub(super) levels: Vec<Level>,
}

/// What was seen at one concurrency.
#[derive(Debug, Serialize)]
pub(super) struct Level {
    concurrency: usize,
    server: Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<Figures>,
    /// The server's figures by the floor's.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<Ratio>,
}

#[derive(Debug, Serialize)]
struct Figures {
    calls: u64,
    calls_per_second: f64,
    mean: f64,
    p50: f64,
    p90: f64,
    p99: f64,
    p999: f64,
    max: f64,
    /// Calls without an answer, by code.
    failed: BTreeMap<String, u64>,
    /// How soon those learned it that were turned away because the server was full.
    #[serde(skip_serializing_if = "Option::is_none")]
    shed: Option<Shed>,
}

#[derive(Debug, Serialize)]
struct Shed {
    p50: f64,
    p99: f64,
    max: f64,
}

#[derive(Debug, Serialize)]
struct Ratio {
    p50: f64,
    p99: f64,
    calls_per_second: f64,
}

impl Figures {
    fn new(seen: &Seen) -> Figures {
        let micros = |nanos: u64| nanos as f64 / 1e3;
        let quantile = |quantile| micros(seen.latency.value_at_quantile(quantile));
        let shed = Shed {
            p50: micros(seen.shed.value_at_quantile(0.5)),
            p99: micros(seen.shed.value_at_quantile(0.99)),
            max: micros(seen.shed.max()),
        };
        Figures {
            calls: seen.latency.len(),
            calls_per_second: seen.latency.len() as f64 / seen.elapsed.as_secs_f64().max(1e-9),
            mean: seen.latency.mean() / 1e3,
            p50: quantile(0.5),
            p90: quantile(0.9),
            p99: quantile(0.99),
            p999: quantile(0.999),
            max: micros(seen.latency.max()),
            shed: (!seen.shed.is_empty()).then_some(shed),
            failed: seen.failed.iter().map(|(code, n)| (format!("{:?}", Code::from(*code)), *n)).collect(),
        }
    }
}

impl Level {
    pub(super) fn new(concurrency: usize, server: &Seen, floor: Option<&Seen>) -> Level {
        let server = Figures::new(server);
        let floor = floor.map(Figures::new);
        let ratio = floor.as_ref().map(|floor| Ratio {
            p50: server.p50 / floor.p50,
            p99: server.p99 / floor.p99,
            calls_per_second: server.calls_per_second / floor.calls_per_second,
        });
        Level { concurrency, server, floor, ratio }
    }
}

impl Report {
    /// Calls that got no answer.
    pub(super) fn failed(&self) -> u64 {
        let figures = self.levels.iter().flat_map(|level| [Some(&level.server), level.floor.as_ref()]);
        figures.flatten().map(|figures| figures.failed.values().sum::<u64>()).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "in flight          calls  calls/s    mean     p50     p90     p99   p99.9     max  µs")?;
        for level in &self.levels {
            row(f, level.concurrency, "server", &level.server)?;
            if let Some(floor) = &level.floor {
                row(f, level.concurrency, "floor", floor)?;
            }
            if let Some(ratio) = &level.ratio {
                writeln!(
                    f,
                    "{:>9} ratio         {:>9.2} {:>7} {:>7.2} {:>7} {:>7.2}",
                    level.concurrency, ratio.calls_per_second, "", ratio.p50, "", ratio.p99
                )?;
            }
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, concurrency: usize, name: &str, figures: &Figures) -> fmt::Result {
    let Figures { calls, calls_per_second, mean, p50, p90, p99, p999, max, failed, shed } = figures;
    write!(f, "{concurrency:>9} {name:<6} {calls:>8} {calls_per_second:>8.0}")?;
    write!(f, " {mean:>7.0} {p50:>7.0} {p90:>7.0} {p99:>7.0} {p999:>7.0} {max:>7.0}")?;
    for (code, count) in failed {
        write!(f, "  {count} {code}")?;
    }
    if let Some(Shed { p50, p99, max }) = shed {
        write!(f, "  refused in p50 {p50:.0}, p99 {p99:.0}, max {max:.0}")?;
    }
    writeln!(f)
}
