use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::HeaderMap;
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use tokio_util::sync::WaitForCancellationFutureOwned;
use tonic::body::Body;
use tonic::{Code, Status};

use super::front::{Call, Slot};

/// A response's body that knows how its call ends: the code stands in the trailers, or in the headers of a
/// response without a body. A call whose body is dropped before its trailers were sent was cancelled.
pub(super) struct Tracked {
    inner: Body,
    call: Option<Call>,
    /// For streams: when the server drains. A stream that has no end of its own is then ended, with a status that
    /// sends its client to another replica.
    drain: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl Tracked {
    pub(super) fn new(inner: Body, call: Call, drain: Option<WaitForCancellationFutureOwned>) -> Tracked {
        Tracked { inner, call: Some(call), drain: drain.map(Box::pin) }
    }

    /// The body of a response whose headers said all.
    pub(super) fn ended(inner: Body) -> Tracked {
        Tracked { inner, call: None, drain: None }
    }

    fn finish(&mut self, trailers: &HeaderMap) {
        if let Some(call) = self.call.take() {
            call.finish(code_of(trailers).unwrap_or(Code::Unknown));
        }
    }
}

/// A request's body. If its sender takes the call back there is nobody left to answer: the body then never ends,
/// and hyper drops the call, which thereby counts as cancelled, rather than the decoder's finding that half a
/// message came.
pub(super) struct Arriving(pub(super) Incoming);

impl http_body::Body for Arriving {
    type Data = <Incoming as http_body::Body>::Data;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        match Pin::new(&mut self.0).poll_frame(context) {
            // The same task watches for the reset, and for the call's time to run out.
            Poll::Ready(Some(Err(_))) => Poll::Pending,
            other => other,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// A request's body that takes the call's slot when it has arrived in full.
pub(super) struct Counted<B> {
    inner: B,
    slot: Option<Arc<Slot>>,
}

impl<B> Counted<B> {
    pub(super) fn new(inner: B, slot: Option<Arc<Slot>>) -> Counted<B> {
        Counted { inner, slot }
    }
}

impl<B> http_body::Body for Counted<B>
where
    B: http_body::Body + Unpin,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Data = B::Data;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        if (frame.is_none() || self.inner.is_end_stream())
            && let Some(slot) = self.slot.take()
            && let Err(refusal) = slot.take()
        {
            return Poll::Ready(Some(Err(Status::from(refusal).into())));
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream() && self.slot.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The gRPC code in headers or trailers.
pub(super) fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get(Status::GRPC_STATUS).map(|value| Code::from_bytes(value.as_bytes()))
}

impl http_body::Body for Tracked {
    type Data = <Body as http_body::Body>::Data;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if let Some(drain) = &mut self.drain
            && drain.as_mut().poll(context).is_ready()
        {
            self.drain = None;
            self.inner = Body::empty();
            let mut trailers = HeaderMap::new();
            let status = Status::unavailable("this server is shutting down: connect to another one");
            // Its text is plain, so it always fits a header.
            let _ = status.add_header(&mut trailers);
            self.finish(&trailers);
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(trailers) = frame.trailers_ref()
        {
            self.drain = None;
            self.finish(trailers);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
