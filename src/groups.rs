//! Groups (牌型): the sets of cards that may be played together. Knows cards.
//!
//! * [`GroupType`] and its [`Pattern`](pattern): what each type looks like, stated once.
//! * [`RuleSet`]: the options on which real rooms disagree; they all concern kickers.
//! * [`readings`] / [`recognise()`]: which group are these cards?
//! * [`for_each_play`]: every group a hand can play, to lead or to follow.
//! * [`Group::beats`], [`Play`].
//!
//! Recognition and generation walk the same patterns and ask the same [`kickers`] for what may be attached,
//! so that a rule stands in one place. Sources of the rules: the official competition rules of 2016 as
//! RLCard 1.2.0 tabulates them (27,471 groups); the options are those by which OpenSpiel, DouZero, Pagat and
//! commercial rooms differ from it.

mod generate;
mod group;
pub(crate) mod kickers;
pub(crate) mod pattern;
mod recognise;
mod rules;

pub(crate) use generate::{
    body_starts, for_each_group_from, for_each_higher, for_each_on_body, for_each_play_attaching,
    has_higher_body,
};
pub use generate::{for_each_group_of_type, for_each_play, legal_plays};
pub use group::{Group, GroupType, Play};
pub(crate) use recognise::for_each_reading;
pub use recognise::{NotAGroup, Readings, is_reading, readings, recognise};
pub use rules::{Preset, RuleSet};
