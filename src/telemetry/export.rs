//! Spans of calls, sent to an OpenTelemetry collector by OTLP over gRPC.
//!
//! The settings are OpenTelemetry's own environment variables
//! (<https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/>), which its library reads:
//! platforms set them for all that they run. Nothing is sent unless one of them names a collector.
//!
//! No call waits for a collector: spans go into a bounded queue, from which a thread of its own sends them, and those
//! that find it full are dropped.

use std::env;
use std::fmt;
use std::str::FromStr as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use http::HeaderMap;
use opentelemetry::trace::{SpanKind, Status, TraceContextExt as _, TraceState, Tracer as _};
use opentelemetry::{Context, Key, KeyValue, global};
use opentelemetry_otlp::ExporterBuildError;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tokio::runtime::{self, Runtime};
use tonic::Code;

use super::methods::Method;
use super::metrics::code_name;
use super::trace::TraceContext;

/// The name of this server where the environment gives it none, and of the scope of its spans.
const NAME: &str = "doudizhu";

/// How long the spans of the last calls may take on their way at the end. What an orchestrator grants beyond lame duck
/// and drain must be longer.
const FLUSH_LIMIT: Duration = Duration::from_secs(2);

/// The variables that name a collector, the first that is set.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// The variables that name the protocol, the first that is set.
const PROTOCOLS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];

/// Why spans cannot be exported as the environment wants it.
#[derive(Debug, thiserror::Error)]
pub enum BadExport {
    /// The collector wants another protocol.
    #[error("{variable}: {protocol:?} is not spoken, only grpc")]
    Protocol {
        /// The variable that names it.
        variable: &'static str,
        /// The protocol.
        protocol: String,
    },
    /// The library found something wrong with one of its variables.
    #[error("{0}")]
    Exporter(#[from] ExporterBuildError),
    /// A thread was refused by the system.
    #[error("{0}")]
    System(#[from] std::io::Error),
}

/// Sends spans of all calls of the process until it is shut down.
pub struct Export {
    provider: SdkTracerProvider,
    /// For the exporter's connection: it takes nothing from the threads that serve calls.
    runtime: Runtime,
}

impl Export {
    /// Begins to export, if the environment names a collector.
    ///
    /// # Errors
    /// A variable is wrong.
    pub fn start() -> Result<Option<Export>, BadExport> {
        let disabled = env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        if disabled || first_set(&ENDPOINTS).is_none() {
            return Ok(None);
        }
        if let Some((variable, protocol)) = first_set(&PROTOCOLS).filter(|(_, protocol)| protocol != "grpc") {
            return Err(BadExport::Protocol { variable, protocol });
        }
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("export")
            .enable_all()
            .build()?;
        let exporter = {
            let _connects_there = runtime.enter();
            opentelemetry_otlp::SpanExporter::builder().with_tonic().build()?
        };
        let exporter = Reporting { exporter, failing: AtomicBool::new(false) };
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build();
        global::set_tracer_provider(provider.clone());
        Ok(Some(Export { provider, runtime }))
    }

    /// Sends what is left, for as long as a collector that does not answer may hold up the end.
    pub fn shutdown(self) {
        if let Err(error) = self.provider.shutdown_with_timeout(FLUSH_LIMIT) {
            tracing::warn!(%error, "spans of the last calls were not exported");
        }
        self.runtime.shutdown_background();
    }
}

/// The first of `variables` that is set, with its value. An empty one counts as not set, as the specification has it.
fn first_set(variables: &[&'static str]) -> Option<(&'static str, String)> {
    variables.iter().find_map(|variable| {
        let value = env::var(variable).ok().filter(|value| !value.is_empty())?;
        Some((*variable, value))
    })
}

/// What the spans come from: this program, unless the environment names it otherwise.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let named = Resource::builder().with_attribute(version.clone()).build();
    // What the library makes up where nothing is said.
    let unnamed = |name: opentelemetry::Value| name.as_str().starts_with("unknown_service");
    if named.get(&Key::from_static_str("service.name")).is_none_or(unnamed) {
        return Resource::builder().with_service_name(NAME).with_attribute(version).build();
    }
    named
}

/// An exporter that says when it begins to fail and when it works again, and not with every batch in between.
struct Reporting<E> {
    exporter: E,
    failing: AtomicBool,
}

impl<E: SpanExporter> SpanExporter for Reporting<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let outcome = self.exporter.export(batch).await;
        let failed_before = self.failing.swap(outcome.is_err(), Ordering::Relaxed);
        match &outcome {
            Err(error) if !failed_before => {
                tracing::warn!(%error, "spans cannot be exported: they are dropped until the collector answers");
            }
            Ok(()) if failed_before => tracing::info!("spans are exported again"),
            _ => {}
        }
        outcome
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

impl<E: fmt::Debug> fmt::Debug for Reporting<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.exporter.fmt(f)
    }
}

/// The span of one call, from its headers to its end.
#[derive(Clone, Debug)]
pub struct CallSpan(Context);

impl CallSpan {
    /// The span of a call to `method` that begins now, below the caller's span where the headers name one. Whether it
    /// is exported is the sampler's choice, by default the caller's.
    #[must_use]
    pub fn begin(method: &Method, caller: Option<&TraceContext>, headers: &HeaderMap) -> CallSpan {
        let parent = caller.map_or_else(Context::new, |caller| {
            let state = headers.get("tracestate").and_then(|state| state.to_str().ok());
            let state = state.and_then(|state| TraceState::from_str(state).ok()).unwrap_or_default();
            Context::new().with_remote_span_context(caller.remote(state))
        });
        let Method { service, name, .. } = *method;
        // The names are those of OpenTelemetry's conventions for RPC.
        let span = global::tracer(NAME)
            .span_builder(format!("{service}/{name}"))
            .with_kind(SpanKind::Server)
            .with_start_time(SystemTime::now())
            .with_attributes([
                KeyValue::new("rpc.system", "grpc"),
                KeyValue::new("rpc.service", service),
                KeyValue::new("rpc.method", name),
            ])
            .start_with_context(&global::tracer(NAME), &parent);
        CallSpan(parent.with_span(span))
    }

    /// Its ids, for the log; nothing where nothing exports and no caller named a span.
    #[must_use]
    pub fn context(&self) -> Option<TraceContext> {
        let span = self.0.span();
        span.span_context().is_valid().then(|| span.span_context().into())
    }

    /// Notes the caller's name for the request.
    pub fn request_id(&self, id: &str) {
        let span = self.0.span();
        if span.is_recording() {
            span.set_attribute(KeyValue::new("doudizhu.request_id", id.to_owned()));
        }
    }

    /// Ends it with the code of the call.
    pub fn end(&self, code: Code) {
        let span = self.0.span();
        span.set_attribute(KeyValue::new("rpc.grpc.status_code", code as i64));
        if is_servers_fault(code) {
            span.set_status(Status::error(code_name(code)));
        }
        span.end();
    }
}

/// The codes that OpenTelemetry's conventions count as errors of a server.
fn is_servers_fault(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}
