//! Every setting of the server: one field each, from which flag, environment variable and help text follow.

#![allow(rustdoc::bare_urls, reason = "these texts are help on a terminal before they are documentation")]

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{ArgAction, Args};
use http::HeaderValue;
use humantime::Duration;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::strategy::Registry;
use crate::telemetry::logs::LogFormat;

/// The strategy that decides when neither request nor setting names one.
pub const DEFAULT_STRATEGY: &str = "expert";

/// How to serve. Durations are written with units: `500ms`, `5s`, `2m`.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// Address of the gRPC port.
    #[arg(long, env = "DOUDIZHU_LISTEN", value_name = "ADDR", default_value = "0.0.0.0:50051")]
    pub listen: SocketAddr,

    /// Address of the HTTP admin port: /metrics, /healthz, /readyz.
    #[arg(long, env = "DOUDIZHU_ADMIN_LISTEN", value_name = "ADDR", default_value = "0.0.0.0:9464")]
    pub admin_listen: SocketAddr,

    /// Number of worker threads, 1 … 1024 [default: what the CPU quota allows].
    #[arg(long, env = "DOUDIZHU_WORKER_THREADS", value_name = "N",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub worker_threads: Option<usize>,

    /// The strategy that decides when a request names none.
    #[arg(long, env = "DOUDIZHU_STRATEGY", value_name = "NAME", default_value = DEFAULT_STRATEGY,
          value_parser = PossibleValuesParser::new(Registry::builtin().names()))]
    pub strategy: String,

    /// How long a strategy that searches may think when a request does not say; 0s for not at all, which answers
    /// in microseconds.
    #[arg(long, env = "DOUDIZHU_TIME_BUDGET", value_name = "DURATION", default_value = "0s", value_parser = time_budget)]
    pub time_budget: Duration,

    /// Threads for searches, 1 … 1024. Each search has one, and uses those that no other search wants. A call that
    /// finds none free within its time budget is answered without a search [default: what the CPU quota allows].
    #[arg(long, env = "DOUDIZHU_MAX_SEARCHES", value_name = "N",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub max_searches: Option<usize>,

    /// Decision calls in flight, beyond which calls are refused at once with RESOURCE_EXHAUSTED.
    #[arg(long, env = "DOUDIZHU_MAX_CALLS", value_name = "N", default_value = "1024",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub max_calls: usize,

    /// Open connections, beyond which new ones are closed at once.
    #[arg(long, env = "DOUDIZHU_MAX_CONNECTIONS", value_name = "N", default_value = "1024",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub max_connections: usize,

    /// Concurrent calls on one connection.
    #[arg(long, env = "DOUDIZHU_MAX_STREAMS", value_name = "N", default_value = "100",
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub max_streams: u32,

    /// How long a call may take when it has no deadline, the arrival of its request included.
    #[arg(long, env = "DOUDIZHU_CALL_TIMEOUT", value_name = "DURATION", default_value = "10s", value_parser = positive)]
    pub call_timeout: Duration,

    /// How long a new connection may take to begin speaking HTTP/2.
    #[arg(long, env = "DOUDIZHU_HANDSHAKE_TIMEOUT", value_name = "DURATION", default_value = "5s", value_parser = positive)]
    pub handshake_timeout: Duration,

    /// How often a connection is pinged, to find clients that are gone; 0s for never.
    #[arg(long, env = "DOUDIZHU_KEEPALIVE_INTERVAL", value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub keepalive_interval: Duration,

    /// How long a ping may stay unanswered before its connection is closed.
    #[arg(long, env = "DOUDIZHU_KEEPALIVE_TIMEOUT", value_name = "DURATION", default_value = "20s", value_parser = positive)]
    pub keepalive_timeout: Duration,

    /// Age, ±10 %, at which a connection is told to go away, so that its client finds new replicas.
    #[arg(long, env = "DOUDIZHU_MAX_CONNECTION_AGE", value_name = "DURATION", default_value = "5m", value_parser = positive)]
    pub max_connection_age: Duration,

    /// How long an aged connection may take to finish its calls.
    #[arg(long, env = "DOUDIZHU_MAX_CONNECTION_AGE_GRACE", value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub max_connection_age_grace: Duration,

    /// How long everything is still served after a signal, while health says NOT_SERVING and load balancers
    /// take notice.
    #[arg(long, env = "DOUDIZHU_LAME_DUCK", value_name = "DURATION", default_value = "3s", value_parser = duration)]
    pub lame_duck: Duration,

    /// How long calls in flight may take after the lame-duck pause before they are dropped. Together with the
    /// pause it must stay below the orchestrator's own limit (Kubernetes: 30 s).
    #[arg(long, env = "DOUDIZHU_DRAIN_LIMIT", value_name = "DURATION", default_value = "20s", value_parser = duration)]
    pub drain_limit: Duration,

    /// Whether server reflection (v1 and v1alpha) is offered.
    #[arg(long, env = "DOUDIZHU_REFLECTION", value_name = "BOOL", default_value = "true", action = ArgAction::Set)]
    pub reflection: bool,

    /// PEM file with the server's certificate chain; the gRPC port then speaks TLS and nothing else.
    #[arg(long, env = "DOUDIZHU_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,

    /// PEM file with the key of the server's certificate.
    #[arg(long, env = "DOUDIZHU_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// PEM file with the authorities of clients; a client without a certificate of theirs is refused.
    #[arg(long, env = "DOUDIZHU_TLS_CLIENT_CA", value_name = "FILE", requires = "tls_cert")]
    pub tls_client_ca: Option<PathBuf>,

    /// File with the tokens that let callers in, one a line; a call without one is refused with UNAUTHENTICATED,
    /// health checks excepted.
    #[arg(long, env = "DOUDIZHU_AUTH_TOKENS_FILE", value_name = "FILE")]
    pub auth_tokens_file: Option<PathBuf>,

    /// Whether gRPC-Web is offered on the gRPC port, over HTTP/1.1 as well.
    #[arg(long, env = "DOUDIZHU_GRPC_WEB", value_name = "BOOL", default_value = "false", action = ArgAction::Set)]
    pub grpc_web: bool,

    /// Origins, such as https://play.example.com, whose pages browsers let call by gRPC-Web; others may not.
    #[arg(long, env = "DOUDIZHU_CORS_ORIGIN", value_name = "ORIGIN,…", value_delimiter = ',', value_parser = origin)]
    pub cors_origin: Vec<HeaderValue>,

    /// How often the files of other settings are looked at for changes, which take effect without a restart.
    #[arg(long, env = "DOUDIZHU_RELOAD_INTERVAL", value_name = "DURATION", default_value = "10s")]
    pub reload_interval: Duration,

    /// How log lines look; they go to standard error.
    #[arg(long, env = "DOUDIZHU_LOG_FORMAT", value_name = "FORMAT", default_value = "json")]
    pub log_format: LogFormat,

    /// What is logged: off, error, warn, info, debug (one line per call), trace; or directives such as
    /// `info,doudizhu=debug`.
    #[arg(long, env = "DOUDIZHU_LOG_LEVEL", value_name = "FILTER", default_value = "info", value_parser = log_filter)]
    pub log_level: String,
}

impl ServeArgs {
    /// Number of worker threads: the setting, or what the CPU quota of the process allows.
    #[must_use]
    pub fn worker_threads(&self) -> usize {
        self.worker_threads.unwrap_or_else(available_threads)
    }

    /// Number of threads for searches: the setting, or what the CPU quota of the process allows.
    #[must_use]
    pub fn max_searches(&self) -> usize {
        self.max_searches.unwrap_or_else(available_threads)
    }

    /// What is logged.
    #[must_use]
    pub fn log_filter(&self) -> EnvFilter {
        // It was checked when it was read.
        EnvFilter::try_new(&self.log_level).unwrap_or_default()
    }
}

/// The longest duration that a setting may have: a day.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);

fn duration(text: &str) -> Result<Duration, String> {
    let duration: Duration = text.parse().map_err(|error: humantime::DurationError| error.to_string())?;
    if *duration > LONGEST { Err("at most 24h".to_owned()) } else { Ok(duration) }
}

fn positive(text: &str) -> Result<Duration, String> {
    let duration = duration(text)?;
    if duration.is_zero() { Err("must be more than 0s".to_owned()) } else { Ok(duration) }
}

fn time_budget(text: &str) -> Result<Duration, String> {
    let duration = duration(text)?;
    let most = crate::service::LONGEST_TIME_BUDGET;
    if *duration > most { Err(format!("at most {}s", most.as_secs())) } else { Ok(duration) }
}

/// A level is one for this program: its libraries log what goes wrong and no more, the HTTP/2 library nothing,
/// since its clients could make it.
fn log_filter(text: &str) -> Result<String, String> {
    let level = |text: &str| text.trim().parse::<LevelFilter>();
    if let Ok(level) = level(text) {
        return Ok(if level == LevelFilter::OFF {
            "off".to_owned()
        } else {
            format!("warn,h2=off,doudizhu={level}")
        });
    }
    // A word without a level would name a module, and switch off all others: more likely it is a misspelt level.
    if let Some(word) = text.split(',').find(|part| !part.contains(['=', '[']) && level(part).is_err()) {
        return Err(format!("{word:?} is no level: off, error, warn, info, debug, trace"));
    }
    EnvFilter::try_new(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// An origin as browsers send it (RFC 6454, section 6.2): compared by its characters, so that nothing may follow.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let host = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._:[]".contains(&byte);
    if host.is_none_or(|host| host.is_empty() || !host.bytes().all(plain)) {
        return Err(
            "an origin is a scheme, a host in lower case and perhaps a port, and nothing else".to_owned()
        );
    }
    HeaderValue::from_str(text).map_err(|error| error.to_string())
}

/// What the CPU quota of the process allows.
#[must_use]
pub fn available_threads() -> usize {
    // It knows about affinity and cgroup quotas, which the number of cores does not.
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
