//! W3C trace context (<https://www.w3.org/TR/trace-context/>): read from a call, carried into its log lines.

use std::fmt;

/// A span: the caller's, from a `traceparent` header, or this server's own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    trace_id: u128,
    span_id: u64,
    sampled: bool,
}

impl TraceContext {
    /// Reads a `traceparent` header: `00-<32 hex digits>-<16 hex digits>-<2 hex digits>`, lower case. Later
    /// versions may append fields. What is malformed is no context, as the standard asks.
    #[must_use]
    pub fn parse(header: &[u8]) -> Option<TraceContext> {
        let text = std::str::from_utf8(header).ok()?;
        let mut fields = text.split('-');
        let version = hex(fields.next()?, 2)?;
        let trace_id = hex(fields.next()?, 32)?;
        let span_id = u64::try_from(hex(fields.next()?, 16)?).ok()?;
        let flags = hex(fields.next()?, 2)?;
        let well_formed = match version {
            0xff => false,
            0 => fields.next().is_none(),
            _ => true,
        };
        (well_formed && trace_id != 0 && span_id != 0).then_some(TraceContext {
            trace_id,
            span_id,
            sampled: flags & 1 == 1,
        })
    }

    /// The trace id, 32 hex digits.
    pub fn trace_id(&self) -> impl fmt::Display + use<> {
        Hex { value: self.trace_id, digits: 32 }
    }

    /// The id of the span, 16 hex digits.
    pub fn span_id(&self) -> impl fmt::Display + use<> {
        Hex { value: u128::from(self.span_id), digits: 16 }
    }
}

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.trace_id(), self.span_id())
    }
}

#[cfg(feature = "otlp")]
mod otlp {
    use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId, TraceState};

    use super::TraceContext;

    impl TraceContext {
        /// The caller's span with the vendors' part of its context, the header `tracestate`.
        pub(crate) fn remote(&self, state: TraceState) -> SpanContext {
            let flags = if self.sampled { TraceFlags::SAMPLED } else { TraceFlags::NOT_SAMPLED };
            SpanContext::new(TraceId::from(self.trace_id), SpanId::from(self.span_id), flags, true, state)
        }
    }

    impl From<&SpanContext> for TraceContext {
        fn from(span: &SpanContext) -> TraceContext {
            TraceContext {
                trace_id: u128::from_be_bytes(span.trace_id().to_bytes()),
                span_id: u64::from_be_bytes(span.span_id().to_bytes()),
                sampled: span.is_sampled(),
            }
        }
    }
}

struct Hex {
    value: u128,
    digits: usize,
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0digits$x}", self.value, digits = self.digits)
    }
}

fn hex(text: &str, digits: usize) -> Option<u128> {
    let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != digits || !text.bytes().all(lower) {
        return None;
    }
    u128::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_example_of_the_standard() {
        let header = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let context = TraceContext::parse(header).expect("well-formed");
        assert_eq!(context.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(context.span_id().to_string(), "00f067aa0ba902b7");
        assert!(context.sampled);
        let header = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-fe";
        assert!(!TraceContext::parse(header).expect("well-formed").sampled);
    }

    #[test]
    fn refuses_what_the_standard_refuses() {
        for header in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(TraceContext::parse(header.as_bytes()), None, "{header}");
        }
        assert_eq!(TraceContext::parse(b"\xff\xfe"), None);
    }
}
