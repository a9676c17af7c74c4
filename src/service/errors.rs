//! Why a call gets no answer, and the one place where that becomes a gRPC status.

use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{BadRequest, ErrorDetails, FieldViolation, StatusExt as _};

use crate::game::Violation;

use super::body::MAX_REQUEST_BYTES;

/// Why a call gets no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Fields of the request are wrong: all of them, by their paths from the request.
    #[error("{}", summary(.0))]
    Invalid(Vec<Violation>),
    /// The request is longer than any that makes sense.
    #[error("a request has at most {MAX_REQUEST_BYTES} bytes")]
    TooLarge,
    /// The call's deadline has passed.
    #[error("the deadline passed before an answer was possible")]
    DeadlinePassed,
    /// The server has as many calls in flight as it accepts.
    #[error("too many calls in flight: retry, preferably on another replica")]
    Overloaded,
    /// The call carries none of the tokens that let in.
    #[error(
        "this server asks for a bearer token in the header authorization, and the call has none that it knows"
    )]
    Unauthenticated,
    /// The decision itself failed. That is a defect of this service; the request is not to blame.
    #[error("internal error: this call failed, others are not affected")]
    Panicked,
}

impl Refusal {
    /// A refusal of one field.
    pub(super) fn field(field: impl Into<String>, description: impl Into<String>) -> Refusal {
        Refusal::Invalid(vec![Violation { field: field.into(), description: description.into() }])
    }
}

/// Violations listed in a status at most. They travel in a header, and common clients refuse responses with more
/// than 8 KiB of them; a violation takes about 150 bytes there.
const MOST_VIOLATIONS: usize = 32;

/// Bytes of a violation's field and description at most, for the same reason.
const LONGEST_TEXT: usize = 160;

/// When a caller that was turned away may try again. Decisions take microseconds: a crowd is gone by then.
const RETRY_DELAY: Duration = Duration::from_millis(100);

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Status {
        let message = refusal.to_string();
        match refusal {
            Refusal::Invalid(violations) => {
                let shown = violations.iter().take(MOST_VIOLATIONS).map(|violation| {
                    FieldViolation::new(clip(&violation.field), clip(&violation.description))
                });
                let mut shown: Vec<FieldViolation> = shown.collect();
                if let Some(more) = violations.len().checked_sub(MOST_VIOLATIONS).filter(|more| *more > 0) {
                    shown.push(FieldViolation::new("", format!("{more} more fields are wrong")));
                }
                let details = ErrorDetails::with_bad_request(BadRequest::new(shown).field_violations);
                Status::with_error_details(Code::InvalidArgument, message, details)
            }
            Refusal::TooLarge => Status::new(Code::OutOfRange, message),
            Refusal::DeadlinePassed => Status::new(Code::DeadlineExceeded, message),
            Refusal::Overloaded => {
                let details = ErrorDetails::with_retry_info(Some(RETRY_DELAY));
                Status::with_error_details(Code::ResourceExhausted, message, details)
            }
            Refusal::Unauthenticated => Status::new(Code::Unauthenticated, message),
            Refusal::Panicked => Status::new(Code::Internal, message),
        }
    }
}

fn summary(violations: &[Violation]) -> String {
    let Some(first) = violations.first() else { return "invalid request".to_owned() };
    let first = format!("{}: {}", clip(&first.field), clip(&first.description));
    match violations.len() - 1 {
        0 => first,
        1 => format!("{first} (and 1 more)"),
        more => format!("{first} (and {more} more)"),
    }
}

/// `text`, shortened to [`LONGEST_TEXT`].
fn clip(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let mut end = LONGEST_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}
