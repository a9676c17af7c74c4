//! What happens to every call before its method and after it: metrics, the log line, the bearer token, the limit on
//! calls in flight, the deadline.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Incoming};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::service::Routes;
use tonic::{Code, Status};
use tower::Service;
use tracing::{Instrument as _, Span};

#[cfg(feature = "otlp")]
use crate::telemetry::export::CallSpan;
use crate::telemetry::methods::{Kind, Method};
use crate::telemetry::metrics::{Metrics, code_name};
use crate::telemetry::trace::TraceContext;

use super::body::{Arriving, Counted, Tracked, code_of};
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

impl Shared {
    /// Counts a call that is turned away.
    fn shed(&self) -> Refusal {
        self.metrics.shed.increment(1);
        Refusal::Overloaded
    }
}

/// A call's place among the calls in flight: taken when its request has arrived in full, so that clients who do
/// not send theirs hold none, and released when the answer is there.
pub(super) struct Slot {
    shared: Arc<Shared>,
    taken: AtomicBool,
}

impl Slot {
    fn free(shared: Arc<Shared>) -> Slot {
        Slot { shared, taken: AtomicBool::new(false) }
    }

    /// Takes the place.
    ///
    /// # Errors
    /// All places are taken.
    pub(super) fn take(&self) -> Result<(), Refusal> {
        if self.taken.load(Ordering::Relaxed) {
            return Ok(());
        }
        if self.shared.in_flight.fetch_add(1, Ordering::Relaxed) >= self.shared.max_calls {
            self.shared.in_flight.fetch_sub(1, Ordering::Relaxed);
            return Err(self.shared.shed());
        }
        self.shared.metrics.in_flight.increment(1);
        self.taken.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn release(&self) {
        if self.taken.swap(false, Ordering::Relaxed) {
            self.shared.in_flight.fetch_sub(1, Ordering::Relaxed);
            self.shared.metrics.in_flight.decrement(1);
        }
    }
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
        self.answer(request.map(Arriving))
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
        self.answer(request)
    }
}

impl Front {
    fn answer<B>(&mut self, request: Request<B>) -> ResponseFuture
    where
        B: http_body::Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + Unpin + 'static,
    {
        let method = Method::of_path(request.uri().path());
        let mut call = Call::begin(Arc::clone(&self.shared), method, request.headers());
        let deadline = match call.admit(&request) {
            Ok(deadline) => deadline,
            Err(refused) => {
                let arriving = swallow(request.into_body());
                let patience = call.timeout;
                return Box::pin(async move {
                    let _ = tokio::time::timeout(patience, arriving).await;
                    Ok(call.respond(*refused))
                });
            }
        };
        let slot = call.slot.clone();
        let mut request = request.map(|body| Body::new(Counted::new(body, slot)));
        request.extensions_mut().insert(deadline);
        #[cfg(feature = "otlp")]
        if let Some(exported) = call.exported.clone() {
            request.extensions_mut().insert(exported);
        }
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
    /// For calls that count against the limit.
    slot: Option<Arc<Slot>>,
    finished: bool,
    /// For the log.
    span: Span,
    /// For a collector; probes and reflection are of no interest there.
    #[cfg(feature = "otlp")]
    exported: Option<CallSpan>,
}

impl Call {
    fn begin(shared: Arc<Shared>, method: &'static Method, headers: &HeaderMap) -> Call {
        shared.metrics.method(method).start();
        let caller = || headers.get("traceparent").and_then(|value| TraceContext::parse(value.as_bytes()));
        #[cfg(feature = "otlp")]
        let exported = method.decides().then(|| CallSpan::begin(method, caller().as_ref(), headers));
        let span = if tracing::enabled!(tracing::Level::DEBUG) {
            let trace = caller();
            #[cfg(feature = "otlp")]
            let trace = exported.as_ref().and_then(CallSpan::context).or(trace);
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
        Call {
            shared,
            method,
            started: Instant::now(),
            timeout,
            slot: None,
            finished: false,
            span,
            #[cfg(feature = "otlp")]
            exported,
        }
    }

    /// Lets a call in, with its deadline; or says by its headers alone why not.
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
            self.slot = Some(Arc::new(Slot::free(Arc::clone(&self.shared))));
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
        // A client that does not read its answer holds its own connection and nothing else.
        if let Some(slot) = self.slot.take() {
            slot.release();
        }
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
        #[cfg(feature = "otlp")]
        if let Some(exported) = &self.exported {
            exported.end(code);
        }
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
        if let Some(slot) = self.slot.take() {
            slot.release();
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

/// Reads a refused request to its end. Answering sooner would reset its stream, and what then still came of the
/// request would count as its sender's error: after about a thousand of them h2 closes the whole connection, with
/// all calls on it.
async fn swallow<B: http_body::Body<Data = Bytes> + Unpin>(mut body: B) {
    let mut left = MAX_REQUEST_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let Some(rest) = left.checked_sub(frame.data_ref().map_or(0, |data| data.len())) else { return };
        left = rest;
    }
}
