//! What happens to every call before its method and after it: metrics, the log line, the bearer token, the limit on
//! calls in flight, the deadline.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{HeaderMap, Request, Response, StatusCode, header};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::service::Routes;
use tonic::{Code, Status};
use tower::Service;
use tracing::{Instrument as _, Span};

use crate::telemetry::methods::{Kind, Method};
use crate::telemetry::metrics::{Metrics, code_name};
use crate::telemetry::trace::TraceContext;

use super::body::{Arriving, Tracked, code_of};
use super::deadline::{Deadline, parse_timeout};
use super::errors::Refusal;
use super::tokens::Tokens;
use super::watched::Watched;

/// Largest request message. A full situation takes about 1 KiB; this leaves room and still bounds what a caller
/// can make the server hold.
pub const MAX_REQUEST_BYTES: usize = 64 * 1024;

/// The outermost service of a connection.
#[derive(Clone)]
pub(super) struct Front {
    pub(super) routes: Routes,
    pub(super) shared: Arc<Shared>,
}

/// What all calls of a server share.
pub(super) struct Shared {
    pub(super) metrics: Arc<Metrics>,
    /// The tokens that let in, if callers need one.
    pub(super) tokens: Option<Arc<Watched<Tokens>>>,
    /// Decision calls in flight.
    pub(super) in_flight: AtomicUsize,
    /// Decision calls in flight at most.
    pub(super) max_calls: usize,
    /// How long a call without a deadline of its own may take, the arrival of its request included.
    pub(super) call_timeout: Duration,
    /// Cancelled when streams must end.
    pub(super) stop: CancellationToken,
}

type ResponseFuture = Pin<Box<dyn Future<Output = Result<Response<Tracked>, Infallible>> + Send>>;

impl Service<Request<Incoming>> for Front {
    type Response = Response<Tracked>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Incoming>) -> ResponseFuture {
        self.answer(request, |body| Body::new(Arriving(body)))
    }
}

/// For calls that came in another form.
impl Service<Request<Body>> for Front {
    type Response = Response<Tracked>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> ResponseFuture {
        self.answer(request, |body| body)
    }
}

impl Front {
    fn answer<B>(&mut self, request: Request<B>, body: impl FnOnce(B) -> Body) -> ResponseFuture {
        let method = Method::of_path(request.uri().path());
        let mut call = Call::begin(Arc::clone(&self.shared), method, request.headers());
        let deadline = match call.admit(&request) {
            Ok(deadline) => deadline,
            Err(refused) => return Box::pin(std::future::ready(Ok(call.respond(*refused)))),
        };
        let mut request = request.map(body);
        request.extensions_mut().insert(deadline);
        let span = call.span.clone();
        let answer = self.routes.call(request);
        let timeout = call.timeout;
        let answered = async move {
            // The timer only starts if the answer is not there at once, as it is when the request has arrived
            // in full.
            let response = match tokio::time::timeout(timeout, answer).await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => Status::from(Refusal::DeadlinePassed).into_http(),
            };
            Ok(call.respond(response))
        };
        if span.is_disabled() { Box::pin(answered) } else { Box::pin(answered.instrument(span)) }
    }
}

/// A call from its headers to its end. Dropped before it is finished, it was cancelled.
pub(super) struct Call {
    shared: Arc<Shared>,
    method: &'static Method,
    started: Instant,
    timeout: Duration,
    counted: bool,
    finished: bool,
    span: Span,
}

impl Call {
    fn begin(shared: Arc<Shared>, method: &'static Method, headers: &HeaderMap) -> Call {
        shared.metrics.method(method).start();
        let span = if tracing::enabled!(tracing::Level::DEBUG) {
            let trace = headers.get("traceparent").and_then(|value| TraceContext::parse(value.as_bytes()));
            tracing::debug_span!(
                "call",
                request_id = tracing::field::Empty,
                trace_id = trace.map(|trace| tracing::field::display(trace.trace_id())),
                span_id = trace.map(|trace| tracing::field::display(trace.span_id())),
            )
        } else {
            Span::none()
        };
        let timeout = shared.call_timeout;
        Call { shared, method, started: Instant::now(), timeout, counted: false, finished: false, span }
    }

    /// Lets a call in, with its deadline; or says at once, without reading its body, why not.
    fn admit<B>(&mut self, request: &Request<B>) -> Result<Deadline, Box<Response<Body>>> {
        if let Some(status) = not_grpc(request) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = status;
            return Err(response.into());
        }
        // Before anything that costs, or that strangers could use up.
        if let Some(tokens) = self.shared.tokens.as_deref().filter(|_| self.method.needs_token())
            && !tokens.current().admit(request.headers())
        {
            return Err(Status::from(Refusal::Unauthenticated).into_http().into());
        }
        if self.method.decides() {
            let before = self.shared.in_flight.fetch_add(1, Ordering::Relaxed);
            self.shared.metrics.in_flight.increment(1);
            self.counted = true;
            if before >= self.shared.max_calls {
                self.shared.metrics.shed.increment(1);
                return Err(Status::from(Refusal::Overloaded).into_http().into());
            }
        }
        let granted = request.headers().get("grpc-timeout").map(|value| parse_timeout(value.as_bytes()));
        let granted = granted.transpose().map_err(|malformed| {
            Box::new(Status::from(Refusal::field("grpc-timeout", malformed.to_string())).into_http())
        })?;
        self.timeout = granted.map_or(self.timeout, |granted| granted.min(self.timeout));
        Ok(Deadline::after(self.started, Some(self.timeout)))
    }

    /// Hands the response on, and itself with it, to be finished when the response's end has been sent.
    fn respond(mut self, response: Response<Body>) -> Response<Tracked> {
        let (parts, body) = response.into_parts();
        let code = match parts.status {
            StatusCode::OK => code_of(&parts.headers),
            _ => Some(Code::Unknown),
        };
        let drain = match self.method.kind {
            Kind::Unary => None,
            Kind::ServerStream | Kind::BidiStream => Some(self.shared.stop.clone().cancelled_owned()),
        };
        let body = match code {
            Some(code) => {
                self.end(code);
                Tracked::ended(body)
            }
            None => Tracked::new(body, self, drain),
        };
        Response::from_parts(parts, body)
    }

    /// Ends the call with `code`.
    pub(super) fn finish(mut self, code: Code) {
        self.end(code);
    }

    fn end(&mut self, code: Code) {
        if std::mem::replace(&mut self.finished, true) {
            return;
        }
        let elapsed = self.started.elapsed();
        self.shared.metrics.method(self.method).finish(code, elapsed);
        if !self.span.is_none() {
            let Method { service, name, .. } = *self.method;
            let (code, micros) = (code_name(code), elapsed.as_micros() as u64);
            self.span.in_scope(|| tracing::debug!(service, method = name, code, micros, "call"));
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
        if self.counted {
            self.shared.in_flight.fetch_sub(1, Ordering::Relaxed);
            self.shared.metrics.in_flight.decrement(1);
        }
    }
}

/// The HTTP status for a request that is not gRPC at all
/// (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>, `Content-Type`).
fn not_grpc<B>(request: &Request<B>) -> Option<StatusCode> {
    if request.method() != http::Method::POST {
        return Some(StatusCode::METHOD_NOT_ALLOWED);
    }
    let content_type = request.headers().get(header::CONTENT_TYPE).map(|value| value.as_bytes());
    let rest = content_type.and_then(|value| value.strip_prefix(b"application/grpc"));
    let known = rest.is_some_and(|rest| {
        let rest = rest.strip_prefix(b"+proto").unwrap_or(rest);
        rest.is_empty() || rest.starts_with(b";")
    });
    if known { None } else { Some(StatusCode::UNSUPPORTED_MEDIA_TYPE) }
}
