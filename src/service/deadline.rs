//! How long a call may take: the caller's `grpc-timeout`, and the time budget of the request, whichever is shorter.

use std::time::{Duration, Instant};

/// What is kept of a call's remaining time for encoding the answer and the way back. Thinking stops before it.
const ANSWER_MARGIN: Duration = Duration::from_millis(1);

/// When a call must have been answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

/// A `grpc-timeout` header that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a gRPC timeout: at most 8 digits and one of H M S m u n")]
pub(super) struct MalformedTimeout;

impl Deadline {
    /// No deadline.
    pub const NONE: Deadline = Deadline(None);

    /// The deadline of a call that began at `now` and may take `timeout`. One beyond the clock's range is none.
    #[must_use]
    pub fn after(now: Instant, timeout: Option<Duration>) -> Deadline {
        Deadline(timeout.and_then(|timeout| now.checked_add(timeout)))
    }

    /// Whether it has passed at `now`.
    #[must_use]
    pub fn has_passed(self, now: Instant) -> bool {
        self.0.is_some_and(|deadline| deadline <= now)
    }

    /// Until when a strategy may think that starts at `now` and has been given `budget`.
    #[must_use]
    pub fn think_until(self, now: Instant, budget: Duration) -> Instant {
        let remaining =
            self.0.map(|deadline| deadline.saturating_duration_since(now).saturating_sub(ANSWER_MARGIN));
        now + remaining.map_or(budget, |remaining| remaining.min(budget))
    }
}

/// The time a `grpc-timeout` header grants
/// (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>, `Timeout`).
///
/// # Errors
/// It is malformed.
pub(super) fn parse_timeout(header: &[u8]) -> Result<Duration, MalformedTimeout> {
    let (unit, digits) = header.split_last().ok_or(MalformedTimeout)?;
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_digit) {
        return Err(MalformedTimeout);
    }
    let value = digits.iter().fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
    match unit {
        b'H' => Ok(Duration::from_secs(value * 3600)),
        b'M' => Ok(Duration::from_secs(value * 60)),
        b'S' => Ok(Duration::from_secs(value)),
        b'm' => Ok(Duration::from_millis(value)),
        b'u' => Ok(Duration::from_micros(value)),
        b'n' => Ok(Duration::from_nanos(value)),
        _ => Err(MalformedTimeout),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_unit() {
        for (header, nanos) in [
            ("1n", 1),
            ("20u", 20_000),
            ("300m", 300_000_000),
            ("4S", 4_000_000_000),
            ("5M", 300_000_000_000),
            ("99999999H", 99_999_999 * 3_600_000_000_000_u128),
        ] {
            assert_eq!(
                parse_timeout(header.as_bytes()).map(|timeout| timeout.as_nanos()),
                Ok(nanos),
                "{header}"
            );
        }
    }

    #[test]
    fn refuses_what_is_no_timeout() {
        for header in ["", "m", "1", "1x", "123456789n", "-1S", "1.5S", " 1S", "１S"] {
            assert_eq!(parse_timeout(header.as_bytes()), Err(MalformedTimeout), "{header}");
        }
    }

    #[test]
    fn the_shorter_of_deadline_and_budget_counts() {
        let now = Instant::now();
        let (short, long) = (Duration::from_millis(20), Duration::from_millis(50));
        assert_eq!(Deadline::NONE.think_until(now, long), now + long);
        assert_eq!(Deadline::after(now, Some(long)).think_until(now, short), now + short);
        let until = Deadline::after(now, Some(short)).think_until(now, long);
        assert_eq!(until, now + short - ANSWER_MARGIN);
        assert_eq!(Deadline::after(now, Some(Duration::ZERO)).think_until(now, long), now);
    }

    #[test]
    fn a_deadline_passes_when_its_time_has_come() {
        let now = Instant::now();
        let deadline = Deadline::after(now, Some(Duration::from_secs(1)));
        assert!(!deadline.has_passed(now));
        assert!(deadline.has_passed(now + Duration::from_secs(1)));
        assert!(!Deadline::NONE.has_passed(now));
    }
}
