//! RHCP: leads and follows by the value of the hand that is left.
//!
//! The evaluator of 九日王朝's series of articles on Dou Dizhu ("RHCP", chapters 1 to 16): a hand is worth the sum
//! of the worths of its groups, less 7 for every round it takes to play them. It plays for its own hand alone
//! and knows neither partner nor history. Three slips of the original are mended: a chain that follows is the
//! chain that was judged, planes with pairs keep their type, and only groups of the rule set are considered.
//!
//! * [`worth`]: what a group is worth.
//! * [`evaluate`]: the value of a hand and the groups it falls into.
//! * [`Rhcp`]: the strategy.

mod evaluator;
mod follow;
mod lead;
mod memo;
mod value;

pub use memo::Memo;
pub use value::worth;

use crate::cards::Hand;
use crate::game::Situation;
use crate::groups::{Group, Play, RuleSet};

use super::{Cost, Decision, Evaluation, HandValue, Scratch, Strategy, Thinking};

pub(crate) use evaluator::{Evaluator, low_kickers};

/// The `rhcp` strategy.
#[derive(Clone, Copy, Debug)]
pub struct Rhcp {
    remembers: bool,
}

impl Default for Rhcp {
    fn default() -> Rhcp {
        Rhcp { remembers: true }
    }
}

impl Rhcp {
    /// The same strategy without its memo, deciding the same many times slower: for benchmarks.
    #[must_use]
    pub fn without_memo() -> Rhcp {
        Rhcp { remembers: false }
    }
}

impl Strategy for Rhcp {
    fn name(&self) -> &'static str {
        "rhcp"
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        let memo = self.remembers.then_some(&mut thinking.scratch.memo);
        choose(situation.hand(), situation.to_beat(), &mut Evaluator::new(situation.rules(), memo))
    }
}

/// What `rhcp` plays from `hand` under `rules`, to lead if `to_beat` is `None`. It needs no more of a situation
/// than that.
#[must_use]
pub fn play(hand: Hand, to_beat: Option<&Group>, rules: RuleSet, scratch: &mut Scratch) -> Decision {
    choose(hand, to_beat, &mut Evaluator::new(rules, Some(&mut scratch.memo)))
}

fn choose(hand: Hand, to_beat: Option<&Group>, evaluator: &mut Evaluator<'_>) -> Decision {
    let play = match to_beat {
        Some(table) => evaluator.follow(hand, table),
        // Only an empty hand has nothing to lead.
        None => evaluator.lead(hand).map_or(Play::Pass, |choice| choice.group.into()),
    };
    let rest = evaluator.value(hand - play.cards());
    Decision {
        play,
        evaluation: Evaluation { rest: Some(rest), ..Evaluation::default() },
        cost: evaluator.cost(),
    }
}

/// A hand, valued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandEvaluation {
    /// The value.
    pub value: HandValue,
    /// The groups it is the value of, in the order in which they would be led.
    pub groups: Vec<Group>,
    /// What the evaluation cost.
    pub cost: Cost,
}

/// The value of `hand` under `rules`.
#[must_use]
pub fn value(hand: Hand, rules: RuleSet, scratch: &mut Scratch) -> HandValue {
    Evaluator::new(rules, Some(&mut scratch.memo)).value(hand)
}

/// The value of `hand` under `rules` and the groups it falls into.
#[must_use]
pub fn evaluate(hand: Hand, rules: RuleSet, scratch: &mut Scratch) -> HandEvaluation {
    let mut evaluator = Evaluator::new(rules, Some(&mut scratch.memo));
    let value = evaluator.value(hand);
    let mut groups = Vec::new();
    let mut rest = hand;
    while let Some(choice) = evaluator.lead(rest) {
        groups.push(choice.group);
        rest = rest - choice.group.cards();
    }
    HandEvaluation { value, groups, cost: evaluator.cost() }
}

/// Values of many hands under one rule set, for whoever needs no groups.
pub struct Values<'a>(Evaluator<'a>);

impl<'a> Values<'a> {
    /// Nothing valued yet; what `scratch` knew of other decisions is forgotten.
    #[must_use]
    pub fn new(rules: RuleSet, scratch: &'a mut Scratch) -> Values<'a> {
        Values(Evaluator::new(rules, Some(&mut scratch.memo)))
    }

    /// The value of `hand`.
    pub fn of(&mut self, hand: Hand) -> HandValue {
        self.0.value(hand)
    }

    /// What it cost so far.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.0.cost()
    }
}
