//! The log: JSON for collectors, or lines for people, on standard error.

use std::{io, panic};

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

/// How log lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One JSON object a line.
    #[default]
    Json,
    /// Coloured where standard error is a terminal; for people.
    Human,
}

/// Installs the log for the whole process. A second call changes nothing.
pub fn install(format: LogFormat, filter: EnvFilter) {
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // A panic is logged like everything else, where it otherwise would break a pipeline that reads JSON.
    if format == LogFormat::Json {
        panic::set_hook(Box::new(|panic| {
            tracing::error!(panic = %panic, "panic");
        }));
    }
    // An error only says that a subscriber is there already, as in tests that start several servers.
    let _ = match format {
        LogFormat::Json => {
            builder.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init()
        }
        LogFormat::Human => builder.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init(),
    };
}
