use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end the process: SIGTERM from an orchestrator, SIGINT from a terminal.
///
/// Installed before anything slow, so that none is missed, not even as process 1 of a container, where a signal
/// without a handler does nothing.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Installs the handlers.
    pub(super) fn install() -> io::Result<Signals> {
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// The name of the next signal.
    pub(super) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}
