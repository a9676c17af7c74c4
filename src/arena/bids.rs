//! Fitting and measuring the estimates on which bids and doubles rest.
//!
//! Every deck is played to its end three times, once with each seat as landlord, by one player in all seats.
//! From these [`records`] any auction on the deck can be settled without playing again.
//!
//! * [`fit()`]: regressions of the results on what the players saw, and thresholds to act on.
//! * [`auctions`]: who becomes landlord among bidders of several kinds.
//! * [`measure()`]: calibration in deciles, and what bidding and doubling gain in points.
//! * [`source()`]: the fit as the source text of [`crate::strategy::bidding`]'s weights.

mod auctions;
mod fit;
mod measure;
mod records;
mod regression;
mod source;

pub use fit::fit;
pub use measure::{BidReport, Calibration, Decile, Gain, measure, text_bid_report};
pub use records::{Record, play_records};
pub use source::source;
