//! What operators see: log lines and metrics.
//!
//! * [`logs`]: the log format and level, and the one place that installs a subscriber.
//! * [`metrics`]: every metric of the server, by name, with its labels and buckets.
//! * [`methods`]: the RPC methods, which are label values.
//! * [`trace`]: the W3C trace context of a call, carried into the log.
//! * `export`: spans of calls for a collector, behind the feature `otlp`.

#[cfg(feature = "otlp")]
pub mod export;
pub mod logs;
pub mod methods;
pub mod metrics;
pub mod trace;
