//! The HTTP admin port: metrics for Prometheus, probes for orchestrators. No part of the decision service.
//!
//! | path | answer |
//! |---|---|
//! | `/metrics` | Prometheus text format 0.0.4 |
//! | `/healthz` | 200 as long as the process lives, drain included |
//! | `/readyz` | 200 when the server wants calls, else 503 |

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::telemetry::metrics::Metrics;

/// Connections at once. A Prometheus pair and a kubelet need three.
const MAX_CONNECTIONS: usize = 256;

/// How long a client may take over the headers of its request. A connection carries one request, so that those
/// who open many and say nothing are rid of soon.
const HEADER_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a connection may last.
const MAX_AGE: Duration = Duration::from_secs(10);

/// How long to wait after a failed accept, which means that the process is out of file descriptors or memory.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Serves the admin port for as long as it is polled.
pub async fn serve(listener: TcpListener, metrics: Arc<Metrics>, ready: Arc<AtomicBool>) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    // Aborted when this future ends.
    let mut connections = JoinSet::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).keep_alive(false);
    loop {
        // Those that have ended.
        while connections.try_join_next().is_some() {}
        // Beyond the limit, clients wait in the listener's backlog.
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "cannot accept an admin connection");
                tokio::time::sleep(ACCEPT_RETRY).await;
                continue;
            }
        };
        let (metrics, ready) = (Arc::clone(&metrics), Arc::clone(&ready));
        let answering = service_fn(move |request: Request<Incoming>| {
            let response = answer(&request, &metrics, ready.load(Ordering::Acquire));
            std::future::ready(Ok::<_, Infallible>(response))
        });
        let connection = http.serve_connection(TokioIo::new(stream), answering);
        connections.spawn(async move {
            let _ = timeout(MAX_AGE, connection).await;
            drop(slot);
        });
    }
}

fn answer<B>(request: &Request<B>, metrics: &Metrics, ready: bool) -> Response<Full<Bytes>> {
    const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
    const PROMETHEUS: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    let reading = matches!(*request.method(), Method::GET | Method::HEAD);
    let (status, content_type, text) = match request.uri().path() {
        "/metrics" | "/healthz" | "/readyz" if !reading => {
            (StatusCode::METHOD_NOT_ALLOWED, TEXT, "only GET\n".to_owned())
        }
        "/metrics" => (StatusCode::OK, PROMETHEUS, metrics.render()),
        "/healthz" => (StatusCode::OK, TEXT, "alive\n".to_owned()),
        "/readyz" if ready => (StatusCode::OK, TEXT, "ready\n".to_owned()),
        "/readyz" => (StatusCode::SERVICE_UNAVAILABLE, TEXT, "not ready\n".to_owned()),
        _ => (StatusCode::NOT_FOUND, TEXT, "/metrics, /healthz, /readyz\n".to_owned()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    response
}
