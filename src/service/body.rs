use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::HeaderMap;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Incoming};
use tokio_util::sync::WaitForCancellationFutureOwned;
use tonic::body::Body;
use tonic::{Code, Status};

use super::Refusal;
use super::front::Call;

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

/// Largest request message. A full situation takes about 1 KiB; this leaves room and still bounds what a caller
/// can make the server hold.
pub const MAX_REQUEST_BYTES: usize = 64 * 1024;

/// What stands before a message: whether it is compressed, and its length.
const PREFIX_BYTES: usize = 5;

/// A request's message with its prefix, when it has arrived in full.
///
/// # Errors
/// It is too long, or it broke off.
pub(super) async fn arrive<B>(mut body: B) -> Result<Bytes, Status>
where
    B: http_body::Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    let mut first = Bytes::new();
    let mut rest: Vec<u8> = Vec::new();
    while let Some(frame) = body.frame().await {
        // What is no data are trailers, of which requests have none.
        let Ok(data) = frame.map_err(|error| Status::from_error(error.into()))?.into_data() else { continue };
        if first.len() + rest.len() + data.len() > PREFIX_BYTES + MAX_REQUEST_BYTES {
            return Err(Refusal::TooLarge.into());
        }
        // As a rule it comes in one piece, and is not copied.
        if first.is_empty() {
            first = data;
        } else {
            rest.extend_from_slice(&data);
        }
        if body.is_end_stream() {
            break;
        }
    }
    Ok(if rest.is_empty() { first } else { [&first[..], &rest].concat().into() })
}

/// Reads a refused request to its end. Answering sooner would reset its stream, and what then still came of the
/// request would count as its sender's error: after about a thousand of them h2 closes the whole connection, with
/// all calls on it.
pub(super) async fn swallow<B: http_body::Body<Data = Bytes> + Unpin>(mut body: B) {
    let mut left = MAX_REQUEST_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let Some(rest) = left.checked_sub(frame.data_ref().map_or(0, |data| data.len())) else { return };
        left = rest;
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
