//! One connection, from its first bytes to its end.

use std::future::poll_fn;
use std::hash::{BuildHasher as _, RandomState};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::config::ServeArgs;
use crate::telemetry::metrics::Metrics;

use super::body::MAX_REQUEST_BYTES;
use super::executor::OnTheSpot;
use super::front::Front;
use super::tls::Tls;
use super::web::{Web, web};
use super::wire::{Share, Wire};

/// The first bytes of an HTTP/2 connection (RFC 9113, section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// How long a connection that is made while the drain begins may still take to send its preface.
const LATE_PREFACE: Duration = Duration::from_millis(250);

/// Connection ages differ by up to this part of the configured age in either direction, so that connections made
/// together, as after a rollout, do not all end together.
const AGE_JITTER: f64 = 0.1;

/// What all connections of a server share.
pub(super) struct Connections {
    front: Front,
    /// What is served instead, and over HTTP/1.1 as well, if browsers may call.
    web: Option<Web>,
    tls: Option<Tls>,
    metrics: Arc<Metrics>,
    http1: http1::Builder,
    http2: http2::Builder<OnTheSpot>,
    /// A permit for each connection that speaks HTTP/2.
    slots: Arc<Semaphore>,
    handshake_timeout: Duration,
    max_age: Duration,
    max_age_grace: Duration,
    /// Cancelled when connections must finish their calls and end.
    stop: CancellationToken,
    /// Cancelled when connections must end.
    kill: CancellationToken,
}

impl Connections {
    pub(super) fn new(
        args: &ServeArgs,
        front: Front,
        tls: Option<Tls>,
        metrics: Arc<Metrics>,
        stop: CancellationToken,
        kill: CancellationToken,
    ) -> Connections {
        let mut http2 = http2::Builder::new(OnTheSpot);
        http2
            .timer(TokioTimer::new())
            .max_concurrent_streams(args.max_streams)
            // A client that cancels all its calls at once has done nothing wrong; the library's own limit is 20.
            .max_pending_accept_reset_streams(Some(args.max_streams as usize))
            // A request fits its stream's window, so that receiving one never waits for the window to open.
            .initial_stream_window_size(2 * MAX_REQUEST_BYTES as u32)
            .keep_alive_interval(
                Some(args.keepalive_interval.into()).filter(|interval: &Duration| !interval.is_zero()),
            )
            .keep_alive_timeout(args.keepalive_timeout.into());
        let mut http1 = http1::Builder::new();
        http1
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from(args.handshake_timeout))
            // Headers must fit it; bodies pass through.
            .max_buf_size(MAX_REQUEST_BYTES);
        Connections {
            web: web(args, &front),
            front,
            tls,
            metrics,
            http1,
            http2,
            slots: Arc::new(Semaphore::new(args.max_connections)),
            handshake_timeout: args.handshake_timeout.into(),
            max_age: args.max_connection_age.into(),
            max_age_grace: args.max_connection_age_grace.into(),
            stop,
            kill,
        }
    }

    /// Serves one connection until it ends. It is given up early, before it has shown to speak HTTP/2, when
    /// `evicted` resolves.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream, evicted: oneshot::Receiver<()>) {
        let Some((wire, http2)) = self.greet(stream, evicted).await else {
            self.metrics.handshakes_failed.increment(1);
            return;
        };
        let Ok(_slot) = Arc::clone(&self.slots).try_acquire_owned() else {
            self.metrics.connections_refused.increment(1);
            return;
        };
        self.metrics.connections.increment(1);
        let share = wire.share();
        let io = TokioIo::new(wire);
        match &self.web {
            None => {
                let service = TowerToHyperService::new(self.front.clone());
                self.exchange(self.http2.serve_connection(io, service), &share).await;
            }
            Some(web) => {
                let service = TowerToHyperService::new(web.clone());
                if http2 {
                    self.exchange(self.http2.serve_connection(io, service), &share).await;
                } else {
                    self.exchange(self.http1.serve_connection(io, service), &share).await;
                }
            }
        }
        self.metrics.connections.decrement(1);
    }

    /// Waits for the TLS handshake, if there is to be one, and the HTTP/2 preface; says whether it came. A client
    /// that sends nothing, or what is not served, costs a socket for a while and nothing more.
    async fn greet(&self, stream: TcpStream, evicted: oneshot::Receiver<()>) -> Option<(Wire, bool)> {
        let greeted = async {
            let mut wire = match &self.tls {
                None => Wire::plain(stream),
                Some(tls) => Wire::tls(tls.accept(stream).await?),
            };
            let http2 = wire.begins_with(PREFACE).await?;
            Ok::<_, std::io::Error>((http2 || self.web.is_some()).then_some((wire, http2)))
        };
        tokio::select! {
            done = timeout(self.handshake_timeout, greeted) => match done {
                Ok(Ok(greeted)) => greeted,
                Ok(Err(error)) => {
                    tracing::debug!(%error, "a connection ended before it spoke HTTP/2");
                    None
                }
                Err(_) => None,
            },
            _ = evicted => None,
            () = async {
                self.stop.cancelled().await;
                sleep(LATE_PREFACE).await;
            } => None,
        }
    }

    /// Lets a connection run until it ends, grows old, or must end.
    async fn exchange(&self, connection: impl GracefulConnection, share: &Share) {
        let mut connection = pin!(connection);
        // A random number that differs for every connection; nothing depends on its quality.
        let age = jittered(self.max_age, RandomState::new().hash_one(()));
        let grace = tokio::select! {
            // Errors of a connection are its client's: it went away, or broke the protocol.
            _ = fairly(connection.as_mut(), share) => return,
            () = self.stop.cancelled() => None,
            () = sleep(age) => Some(self.max_age_grace),
        };
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ = fairly(connection, share) => {}
            () = self.kill.cancelled() => {}
            () = async {
                match grace {
                    Some(grace) => sleep(grace).await,
                    // The drain has a limit of its own, after which it kills.
                    None => std::future::pending().await,
                }
            } => {}
        }
    }
}

/// Polls `connection`, which may read its share each time.
fn fairly<C: Future>(mut connection: Pin<&mut C>, share: &Share) -> impl Future<Output = C::Output> {
    poll_fn(move |context| {
        share.grant();
        connection.as_mut().poll(context)
    })
}

/// `age`, moved by `random` within [`AGE_JITTER`].
fn jittered(age: Duration, random: u64) -> Duration {
    let fraction = random as f64 / u64::MAX as f64;
    age.mul_f64(1.0 + AGE_JITTER * (2.0 * fraction - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_stay_within_the_jitter() {
        let age = Duration::from_secs(300);
        assert_eq!(jittered(age, 0), Duration::from_secs(270));
        assert_eq!(jittered(age, u64::MAX), Duration::from_secs(330));
    }
}
