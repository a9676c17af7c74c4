//! What happens to every call before its method and after it: metrics, the log line, the bearer token, the limit on
//! calls in flight, the deadline.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::request::Parts;
use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body_util::Full;
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

use super::body::{Arriving, Tracked, arrive, code_of, swallow};
use super::deadline::{Deadline, parse_timeout};
use super::errors::Refusal;
use super::executor::leave_the_spot;
use super::tokens::Tokens;
use super::turns::Turns;
use super::watched::Watched;

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
    /// Whose turn it is to be answered.
    pub(super) turns: Arc<Turns>,
    /// How long a call without a deadline of its own may take, the arrival of its request included.
    pub(super) call_timeout: Duration,
    /// Cancelled when streams must end.
    pub(super) stop: CancellationToken,
}

/// A call's place among the calls in flight: taken when its request has arrived in full, so that clients who do
/// not send theirs hold none, and released when the answer is there, so that clients who do not read theirs hold none
/// either.
struct Place<'a>(&'a Shared);

impl Place<'_> {
    /// Takes a place.
    ///
    /// # Errors
    /// All places are taken.
    fn take(shared: &Shared) -> Result<Place<'_>, Refusal> {
        if shared.in_flight.fetch_add(1, Ordering::Relaxed) >= shared.max_calls {
            shared.in_flight.fetch_sub(1, Ordering::Relaxed);
            shared.metrics.shed.increment(1);
            return Err(Refusal::Overloaded);
        }
        shared.metrics.in_flight.increment(1);
        Ok(Place(shared))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.0.metrics.in_flight.decrement(1);
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
        let (mut parts, body) = request.into_parts();
        parts.extensions.insert(deadline);
        #[cfg(feature = "otlp")]
        if let Some(exported) = call.exported.clone() {
            parts.extensions.insert(exported);
        }
        let (span, timeout) = (call.span.clone(), call.timeout);
        let (routes, shared) = (self.routes.clone(), Arc::clone(&self.shared));
        let answered = async move {
            let answer = async {
                if method.decides() {
                    decide(routes, parts, body, &shared).await.unwrap_or_else(Status::into_http)
                } else {
                    route(routes, Request::from_parts(parts, Body::new(body))).await
                }
            };
            // The timer only starts if the answer is not there at once, as it is to health checks and refusals.
            let response = tokio::time::timeout(timeout, answer).await;
            Ok(call.respond(response.unwrap_or_else(|_| Status::from(Refusal::DeadlinePassed).into_http())))
        };
        if span.is_disabled() { Box::pin(answered) } else { Box::pin(answered.instrument(span)) }
    }
}

/// Answers a call of the decision service: when its request has arrived, if there is a place for it, when it is its turn.
async fn decide<B>(routes: Routes, parts: Parts, body: B, shared: &Shared) -> Result<Response<Body>, Status>
where
    B: http_body::Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    let message = arrive(body).await?;
    let _place = Place::take(shared)?;
    leave_the_spot().await;
    shared.turns.next().await;
    Ok(route(routes, Request::from_parts(parts, Body::new(Full::new(message)))).await)
}

async fn route(mut routes: Routes, request: Request<Body>) -> Response<Body> {
    match routes.call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// A call from its headers to its end. Dropped before it is finished, it was cancelled.
pub(super) struct Call {
    shared: Arc<Shared>,
    method: &'static Method,
    started: Instant,
    timeout: Duration,
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
