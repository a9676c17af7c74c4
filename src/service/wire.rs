//! The bytes of a connection, whether TLS is around them or not.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// Bytes that a connection may read before all others that are ready have their turn: a few requests, or most of one
/// that tells everything. Without it a connection would be read until it has nothing more, which a client that answers
/// refusals with new calls can put off. Twice as much makes refusals wait longer for one another.
const FAIR_SHARE: usize = 1024;

/// What is left of a connection's share.
#[derive(Clone)]
pub(super) struct Share(Arc<AtomicUsize>);

impl Share {
    fn new() -> Share {
        Share(Arc::new(AtomicUsize::new(FAIR_SHARE)))
    }

    fn left(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn use_up(&self, count: usize) {
        self.0.fetch_sub(count, Ordering::Relaxed);
    }

    /// Grants a new share.
    pub(super) fn grant(&self) {
        self.0.store(FAIR_SHARE, Ordering::Relaxed);
    }
}

/// A connection's stream. What was read from it to learn what it speaks is read again by whoever serves it.
pub(super) struct Wire {
    stream: Stream,
    share: Share,
    /// Read ahead, and to be read again from `again` on.
    ahead: Vec<u8>,
    again: usize,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Wire {
    pub(super) fn plain(stream: TcpStream) -> Wire {
        Wire { stream: Stream::Plain(stream), share: Share::new(), ahead: Vec::new(), again: 0 }
    }

    pub(super) fn tls(stream: TlsStream<TcpStream>) -> Wire {
        Wire { stream: Stream::Tls(Box::new(stream)), share: Share::new(), ahead: Vec::new(), again: 0 }
    }

    /// Whether the connection begins with `expected`. It waits for no more bytes than it needs to tell.
    pub(super) async fn begins_with(&mut self, expected: &[u8]) -> io::Result<bool> {
        let mut begin = vec![0; expected.len()];
        let mut length = 0;
        while length < expected.len() && begin[..length] == expected[..length] {
            match self.read(&mut begin[length..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => length += read,
            }
        }
        begin.truncate(length);
        let matches = begin == expected;
        (self.ahead, self.again) = (begin, 0);
        Ok(matches)
    }

    /// To grant what may be read, each time that whoever reads is polled.
    pub(super) fn share(&self) -> Share {
        self.share.clone()
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut Stream> {
        Pin::new(&mut self.get_mut().stream)
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let left = &self.ahead[self.again..];
        if !left.is_empty() {
            let count = left.len().min(buffer.remaining());
            buffer.put_slice(&left[..count]);
            self.again += count;
            if self.again == self.ahead.len() {
                (self.ahead, self.again) = (Vec::new(), 0);
            }
            return Poll::Ready(Ok(()));
        }
        if self.share.left() == 0 {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let most = self.share.left().min(buffer.remaining());
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(most));
        let outcome = match self.as_mut().stream().get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, &mut part),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, &mut part),
        };
        let count = part.filled().len();
        buffer.advance(count);
        self.share.use_up(count);
        outcome
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.stream().get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.stream().get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.stream().get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.stream().get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
