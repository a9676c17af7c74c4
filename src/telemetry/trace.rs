//! W3C trace context (<https://www.w3.org/TR/trace-context/>): read from a call, carried into its log lines.

use std::fmt;

/// The caller's span, from a `traceparent` header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    trace_id: u128,
    span_id: u64,
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
        hex(fields.next()?, 2)?;
        let well_formed = match version {
            0xff => false,
            0 => fields.next().is_none(),
            _ => true,
        };
        (well_formed && trace_id != 0 && span_id != 0).then_some(TraceContext { trace_id, span_id })
    }

    /// The trace id, 32 hex digits.
    pub fn trace_id(&self) -> impl fmt::Display + use<> {
        Hex { value: self.trace_id, digits: 32 }
    }

    /// The id of the caller's span, 16 hex digits.
    pub fn span_id(&self) -> impl fmt::Display + use<> {
        Hex { value: u128::from(self.span_id), digits: 16 }
    }
}

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.trace_id(), self.span_id())
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
