//! How long a call may take: the caller's `grpc-timeout`, and the time budget of the request, whichever is shorter.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

/// What is kept of the time that a caller grants for encoding the answer and the way back, whose length the server
/// does not know: a tenth, within these bounds. Thinking stops before it.
const ANSWER_MARGIN: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_millis(100);
const ANSWER_MARGIN_SHARE: u32 = 10;

/// When a call began, and when it must have been answered.
#[derive(Clone, Debug)]
pub struct Deadline {
    started: Instant,
    /// `None`: whenever.
    until: Option<Instant>,
    /// Nobody waits for the answer any more.
    cancelled: Option<CancellationToken>,
}

/// A `grpc-timeout` header that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a gRPC timeout: at most 8 digits and one of H M S m u n")]
pub(super) struct MalformedTimeout;

impl Deadline {
    /// A call that begins now and may take as long as it likes.
    #[must_use]
    pub fn none() -> Deadline {
        Deadline::after(Instant::now(), None)
    }

    /// A call that began at `started` and may take `timeout`. A deadline beyond the clock's range is none.
    #[must_use]
    pub fn after(started: Instant, timeout: Option<Duration>) -> Deadline {
        let until = timeout.and_then(|timeout| started.checked_add(timeout));
        Deadline { started, until, cancelled: None }
    }

    /// The same, and thinking ends when `cancelled` is.
    #[must_use]
    pub(super) fn or_cancelled(self, cancelled: CancellationToken) -> Deadline {
        Deadline { cancelled: Some(cancelled), ..self }
    }

    /// Whether it has passed at `now`.
    #[must_use]
    pub fn has_passed(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    /// Until when a strategy may think that has been given `budget`: it counts from the call's beginning, so
    /// that waiting for a free processor is not added to it.
    #[must_use]
    pub fn think_until(&self, budget: Duration) -> Instant {
        let latest = self.started + budget;
        let Some(until) = self.until else { return latest };
        let granted = until.saturating_duration_since(self.started);
        let margin = (granted / ANSWER_MARGIN_SHARE).clamp(*ANSWER_MARGIN.start(), *ANSWER_MARGIN.end());
        latest.min(self.started + granted.saturating_sub(margin))
    }

    /// Whether the caller has gone away.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(CancellationToken::is_cancelled)
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
        assert_eq!(Deadline::after(now, None).think_until(long), now + long);
        assert_eq!(Deadline::after(now, Some(long)).think_until(short), now + short);
        assert_eq!(Deadline::after(now, Some(short)).think_until(long), now + Duration::from_millis(18));
        assert_eq!(Deadline::after(now, Some(Duration::ZERO)).think_until(long), now);
        let brief = Duration::from_micros(1_500);
        assert_eq!(Deadline::after(now, Some(brief)).think_until(long), now + Duration::from_micros(500));
        let ample = Duration::from_secs(10);
        assert_eq!(Deadline::after(now, Some(ample)).think_until(ample), now + Duration::from_millis(9_900));
    }

    #[test]
    fn a_deadline_passes_when_its_time_has_come() {
        let now = Instant::now();
        let deadline = Deadline::after(now, Some(Duration::from_secs(1)));
        assert!(!deadline.has_passed(now));
        assert!(deadline.has_passed(now + Duration::from_secs(1)));
        assert!(!Deadline::after(now, None).has_passed(now + Duration::from_secs(1)));
    }

    #[test]
    fn nobody_thinks_for_a_caller_who_has_gone() {
        let gone = CancellationToken::new();
        let deadline = Deadline::none().or_cancelled(gone.clone());
        assert!(!deadline.is_cancelled());
        gone.cancel();
        assert!(deadline.is_cancelled());
    }
}
