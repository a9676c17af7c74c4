//! Every metric of the server: names, labels, buckets.
//!
//! All series are registered when the server starts, from closed sets: methods, codes, strategies, roles and group
//! types. Nothing that a caller sends can create a label value, recording needs no look-up, and rates are right
//! from the first call on. The registry belongs to the server, not to the process, so that several can run side
//! by side in tests.

use std::sync::Arc;
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, Unit, with_local_recorder};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tonic::Code;

use crate::game::Role;
use crate::groups::{GroupType, Play};

use super::methods::{METHODS, Method, UNKNOWN};

/// Upper bounds of the buckets of every duration, in seconds: 10 µs, where decisions are, to 1 s, beyond which
/// a turn is lost anyway. Three a decade keep a quantile within a factor of 2.5.
pub const DURATION_BUCKETS: [f64; 16] = [
    0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0,
];

/// How often recorded durations are folded into their buckets. Until then each takes 8 bytes: at 70,000 calls a
/// second this bounds the backlog to about 1 MB, whether anybody scrapes or not.
pub const UPKEEP_INTERVAL: Duration = Duration::from_secs(1);

/// The codes of gRPC, by number, as other servers spell them in the label `grpc_code`.
pub(crate) const CODES: [(Code, &str); 17] = [
    (Code::Ok, "OK"),
    (Code::Cancelled, "Canceled"),
    (Code::Unknown, "Unknown"),
    (Code::InvalidArgument, "InvalidArgument"),
    (Code::DeadlineExceeded, "DeadlineExceeded"),
    (Code::NotFound, "NotFound"),
    (Code::AlreadyExists, "AlreadyExists"),
    (Code::PermissionDenied, "PermissionDenied"),
    (Code::ResourceExhausted, "ResourceExhausted"),
    (Code::FailedPrecondition, "FailedPrecondition"),
    (Code::Aborted, "Aborted"),
    (Code::OutOfRange, "OutOfRange"),
    (Code::Unimplemented, "Unimplemented"),
    (Code::Internal, "Internal"),
    (Code::Unavailable, "Unavailable"),
    (Code::DataLoss, "DataLoss"),
    (Code::Unauthenticated, "Unauthenticated"),
];

/// The spelling of `code` in labels and log lines.
pub(crate) fn code_name(code: Code) -> &'static str {
    CODES[code as usize].1
}

/// The metrics of one server.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    process: metrics_process::Collector,
    methods: Vec<MethodMetrics>,
    /// Calls in flight that count against the limit.
    pub in_flight: Gauge,
    /// Calls turned away because too many were in flight.
    pub shed: Counter,
    /// Panics caught while answering a call. Each is a defect.
    pub panics: Counter,
    /// Open connections.
    pub connections: Gauge,
    /// Connections closed because too many were open.
    pub connections_refused: Counter,
    /// Connections closed because they sent no HTTP/2 preface in time, or failed the TLS handshake.
    pub handshakes_failed: Counter,
    /// Changes of certificates and keys.
    pub tls_reloads: Reloads,
    /// Changes of the file of tokens.
    pub token_reloads: Reloads,
}

/// Changes of files that the server watches.
#[derive(Clone)]
pub struct Reloads {
    /// Which files: the value of the label `files`.
    pub files: &'static str,
    /// Changes that took effect.
    pub ok: Counter,
    /// Changes that made no sense, so that the last good files stayed in use.
    pub failed: Counter,
}

/// The conventional metrics of one RPC method.
pub struct MethodMetrics {
    started: Counter,
    handled: [Counter; CODES.len()],
    seconds: Histogram,
}

impl MethodMetrics {
    /// Counts a call that begins.
    pub fn start(&self) {
        self.started.increment(1);
    }

    /// Counts a call that ends with `code` after `elapsed`.
    pub fn finish(&self, code: Code, elapsed: Duration) {
        self.handled[code as usize].increment(1);
        self.seconds.record(elapsed.as_secs_f64());
    }
}

/// The metrics of one strategy.
pub struct StrategyMetrics {
    lead: Histogram,
    follow: Histogram,
    /// By role, then by the number of the group's type; a pass comes first.
    decisions: [[Counter; 1 + GroupType::ALL.len()]; Role::ALL.len()],
    states: Counter,
    memo_hits: Counter,
}

impl StrategyMetrics {
    /// Counts a decision.
    pub fn record(
        &self,
        role: Role,
        lead: bool,
        play: &Play,
        cost: crate::strategy::Cost,
        elapsed: Duration,
    ) {
        let turn = if lead { &self.lead } else { &self.follow };
        turn.record(elapsed.as_secs_f64());
        let kind = play.group().map_or(0, |group| group.kind() as usize);
        self.decisions[role as usize][kind].increment(1);
        self.states.increment(cost.states);
        self.memo_hits.increment(cost.memo_hits);
    }
}

impl Metrics {
    /// A registry with every series of a server.
    #[must_use]
    pub fn new() -> Arc<Metrics> {
        let buckets = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &DURATION_BUCKETS);
        // It fails for an empty list of bounds only.
        let recorder = buckets.unwrap_or_default().build_recorder();
        let handle = recorder.handle();
        let process = metrics_process::Collector::default();
        let metrics = with_local_recorder(&recorder, || {
            describe();
            process.describe();
            let revision = option_env!("DOUDIZHU_REVISION").unwrap_or("unknown");
            metrics::gauge!("doudizhu_build_info", "version" => env!("CARGO_PKG_VERSION"), "revision" => revision)
                .set(1.0);
            let methods = METHODS.iter().chain([&UNKNOWN]).map(method_metrics).collect();
            (
                methods,
                metrics::gauge!("doudizhu_calls_in_flight"),
                metrics::counter!("doudizhu_calls_shed_total"),
                metrics::counter!("doudizhu_panics_total"),
                metrics::gauge!("doudizhu_connections"),
                metrics::counter!("doudizhu_connections_refused_total"),
                metrics::counter!("doudizhu_handshakes_failed_total"),
                reloads("tls"),
                reloads("tokens"),
            )
        });
        let (
            methods,
            in_flight,
            shed,
            panics,
            connections,
            connections_refused,
            handshakes_failed,
            tls_reloads,
            token_reloads,
        ) = metrics;
        Arc::new(Metrics {
            recorder,
            handle,
            process,
            methods,
            in_flight,
            shed,
            panics,
            connections,
            connections_refused,
            handshakes_failed,
            tls_reloads,
            token_reloads,
        })
    }

    /// The metrics of `method`.
    #[must_use]
    pub fn method(&self, method: &Method) -> &MethodMetrics {
        &self.methods[method.index()]
    }

    /// Registers the metrics of the strategy called `name`.
    #[must_use]
    pub fn strategy(&self, name: &'static str) -> StrategyMetrics {
        with_local_recorder(&self.recorder, || {
            let duration = |turn: &'static str| metrics::histogram!("doudizhu_decision_duration_seconds", "strategy" => name, "turn" => turn);
            StrategyMetrics {
                lead: duration("lead"),
                follow: duration("follow"),
                decisions: Role::ALL.map(|role| {
                    std::array::from_fn(|number| {
                        let group = match number {
                            0 => "pass",
                            number => GroupType::ALL[number - 1].name(),
                        };
                        metrics::counter!("doudizhu_decisions_total",
                            "strategy" => name, "role" => role.name(), "group" => group)
                    })
                }),
                states: metrics::counter!("doudizhu_evaluator_states_total", "strategy" => name),
                memo_hits: metrics::counter!("doudizhu_memo_hits_total", "strategy" => name),
            }
        })
    }

    /// Everything in the Prometheus text format, with the process's own figures as of now.
    #[must_use]
    pub fn render(&self) -> String {
        with_local_recorder(&self.recorder, || self.process.collect());
        self.handle.render()
    }

    /// Folds recorded durations into their buckets; to be called every [`UPKEEP_INTERVAL`].
    pub fn upkeep(&self) {
        self.handle.run_upkeep();
    }
}

fn method_metrics(method: &Method) -> MethodMetrics {
    let Method { kind, service, name } = *method;
    let labels = || [("grpc_type", kind.label()), ("grpc_service", service), ("grpc_method", name)];
    MethodMetrics {
        started: metrics::counter!("grpc_server_started_total", &labels()),
        handled: CODES.map(|(_, code)| {
            let [kind, service, name] = labels();
            metrics::counter!("grpc_server_handled_total", &[kind, service, name, ("grpc_code", code)])
        }),
        seconds: metrics::histogram!("grpc_server_handling_seconds", &labels()),
    }
}

fn reloads(files: &'static str) -> Reloads {
    let counter = |outcome: &'static str| metrics::counter!("doudizhu_reloads_total", "files" => files, "outcome" => outcome);
    Reloads { files, ok: counter("ok"), failed: counter("failed") }
}

/// The HELP text of every metric.
fn describe() {
    use metrics::{describe_counter, describe_gauge, describe_histogram};
    describe_counter!("grpc_server_started_total", "Calls begun, by method.");
    describe_counter!("grpc_server_handled_total", "Calls ended, by method and gRPC code.");
    describe_histogram!(
        "grpc_server_handling_seconds",
        Unit::Seconds,
        "Time from a call's headers to its end, by method."
    );
    describe_histogram!(
        "doudizhu_decision_duration_seconds",
        Unit::Seconds,
        "Time a strategy took to decide one turn, without transport and validation; turn is lead or follow."
    );
    describe_counter!(
        "doudizhu_decisions_total",
        "Turns decided, by strategy, role and type of the group played."
    );
    describe_counter!("doudizhu_evaluator_states_total", "Hands whose value was worked out.");
    describe_counter!("doudizhu_memo_hits_total", "Values of hands found in the memo of their decision.");
    describe_gauge!("doudizhu_calls_in_flight", "Decision service calls in flight.");
    describe_counter!("doudizhu_calls_shed_total", "Calls refused because too many were in flight.");
    describe_counter!("doudizhu_panics_total", "Panics caught while answering a call. Each is a defect.");
    describe_gauge!("doudizhu_connections", "Open connections to the gRPC port.");
    describe_counter!("doudizhu_connections_refused_total", "Connections closed because too many were open.");
    describe_counter!(
        "doudizhu_handshakes_failed_total",
        "Connections closed because they did not begin to speak HTTP/2 in time, or failed the TLS handshake."
    );
    describe_counter!(
        "doudizhu_reloads_total",
        "Changes of the files behind settings while the server ran; failed ones left the last good files in use."
    );
    describe_gauge!("doudizhu_build_info", "Always 1; the labels tell the version and the source revision.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_at_their_numbers() {
        for (number, (code, _)) in CODES.into_iter().enumerate() {
            assert_eq!(code as usize, number);
        }
    }

    #[test]
    fn group_types_stand_at_their_numbers() {
        for (position, kind) in GroupType::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, position + 1);
        }
    }
}
