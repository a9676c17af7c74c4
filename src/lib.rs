//! A stateless decision service for Dou Dizhu (斗地主): one turn's situation in, the cards to play out.
//!
//! Everything flows in one direction, and each module knows only those above it:
//!
//! | module | what it is |
//! |---|---|
//! | [`cards`] | ranks, suits, cards; hands packed into one word |
//! | [`groups`] | the 14 types of group (牌型): recognise, compare, generate all legal plays, over a rule set |
//! | [`game`] | seats, the validated [`game::Situation`], the public record, the referee |
//! | [`strategy`] | players behind one trait and one registry |
//! | [`mod@bench`] | the signature of a strategy's play over fixed situations |
//! | [`arena`] | measuring strength: duplicate-deck matches, statistics, reports |
//! | `train` | the expert's trainer, behind the feature of that name |
//! | [`service`] | the gRPC API: messages to domain and back, errors, limits, the server's life |
//! | [`admin`] | the HTTP port for metrics and probes |
//! | [`telemetry`] | logs and metrics |
//! | [`config`] | every setting: flag, environment variable, help |
//!
//! The first five are pure: no I/O, no clock, no threads, no randomness but a seed passed in. They can be used
//! as a library on their own:
//!
//! ```
//! use doudizhu::cards::parse_cards;
//! use doudizhu::game::{Role, Situation, SituationInput};
//!
//! let hand = parse_cards("8 8 8 8 T T 2 2")?;
//! let turn = SituationInput::follow(Role::PeasantAfter, hand, parse_cards("Q Q")?, Role::Landlord);
//! let situation = Situation::new(&turn).expect("free of contradictions");
//! let mut answers = Vec::new();
//! situation.for_each_play(|play| answers.push(play.to_string()));
//! assert_eq!(answers, ["pair 22", "bomb 8888", "pass"]);
//! # Ok::<(), doudizhu::cards::ParseCardError>(())
//! ```

pub mod admin;
pub mod arena;
pub mod bench;
pub mod cards;
pub mod config;
mod digest;
pub mod game;
pub mod groups;
pub mod service;
pub mod strategy;
pub mod telemetry;
#[cfg(feature = "train")]
pub mod train;
