use crate::cards::{Hand, RankMask};
use crate::groups::{Group, GroupType, RuleSet, for_each_reading};
use crate::strategy::{Cost, HandValue};

use super::memo::Memo;
use super::value::{loose, worth};

/// Works out the value of hands (RHCP, 九日王朝, chapter 5): the value of the decomposition that comes out when
/// the lead routine is asked again and again what it would lead.
///
/// Value and lead call each other, and a value depends on nothing but the hand and the rule set, so values are
/// kept in a [`Memo`] for the length of one decision. The lead routine itself is in `lead.rs`.
pub(crate) struct Evaluator<'a> {
    pub(super) rules: RuleSet,
    /// Whether trios and planes carry only the lowest lone cards away, see [`low_kickers`].
    pub(super) is_thrifty: bool,
    memo: Option<&'a mut Memo>,
    cost: Cost,
}

/// What to lead, and what is then left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The group to lead.
    pub group: Group,
    /// The value of the hand without it.
    pub rest: HandValue,
}

impl Choice {
    /// The value of the whole hand.
    #[inline]
    pub(crate) fn value(&self) -> HandValue {
        self.rest.with_group(worth(&self.group))
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluator under `rules` that keeps values in `memo`, if there is one, after forgetting what is in it.
    pub(crate) fn new(rules: RuleSet, mut memo: Option<&'a mut Memo>) -> Evaluator<'a> {
        if let Some(memo) = &mut memo {
            memo.forget();
        }
        Evaluator { rules, is_thrifty: false, memo, cost: Cost::default() }
    }

    /// The same with [`low_kickers`] alone: several times cheaper where a hand is rich in trios, with values that
    /// seldom differ, and no quad is broken for a kicker while there are lone cards.
    pub(crate) fn thrifty(rules: RuleSet, memo: Option<&'a mut Memo>) -> Evaluator<'a> {
        Evaluator { is_thrifty: true, ..Evaluator::new(rules, memo) }
    }

    /// What this evaluator has done so far.
    pub(crate) fn cost(&self) -> Cost {
        self.cost
    }

    /// The value of `hand`.
    #[inline]
    pub(crate) fn value(&mut self, hand: Hand) -> HandValue {
        if !hand.exactly(3).is_empty() {
            return self.remembered(hand);
        }
        // Without trios each card that no chain can hold is a group with its equals, whatever becomes of the
        // others; and chains apart from one another do not care for one another. So values add up.
        let mut linked = linked(hand);
        if linked.is_empty() {
            self.cost.states += 1;
            return loose(hand);
        }
        if !linked.and(hand.exactly(4)).is_empty() {
            // A chain may break the quad into a trio, which takes any card as its kicker.
            return self.remembered(hand);
        }
        let mut value = loose(hand - hand.within(linked));
        while !linked.is_empty() {
            let run = linked.lowest_run();
            linked = linked.without(run);
            value = value + self.remembered(hand.within(run));
        }
        value
    }

    /// The value of `hand`, from the memo or through the lead routine.
    fn remembered(&mut self, hand: Hand) -> HandValue {
        if let Some(value) = self.memo.as_ref().and_then(|memo| memo.find(hand)) {
            self.cost.memo_hits += 1;
            return value;
        }
        self.cost.states += 1;
        let value = self.lead(hand).map_or(HandValue::default(), |choice| choice.value());
        if let Some(memo) = &mut self.memo {
            memo.store(hand, value);
        }
        value
    }

    /// The group that all cards of `hand` are together, unless it holds a quad: the evaluator never spends a
    /// bomb as part of something else.
    #[inline]
    pub(super) fn whole(&self, hand: Hand) -> Option<Group> {
        if !hand.exactly(4).is_empty() {
            return None;
        }
        // Besides single, pair and the chains without trios, a group is at most five cards a trio.
        let trios = hand.exactly(3).len();
        if trios > 0 && hand.len() > 5 * trios {
            return None;
        }
        let mut whole = None;
        for_each_reading(hand, self.rules, &mut |group| {
            whole.get_or_insert(group);
        });
        whole
    }

    /// Whether the lead routine would lead all of `hand` at once, so that its value is one round.
    #[inline]
    pub(super) fn is_one_round(&self, hand: Hand) -> bool {
        self.whole(hand).is_some() || (hand.len() == 4 && !hand.exactly(4).is_empty())
    }
}

/// The ranks that are links of a straight or of a chain of pairs in `hand`.
#[inline]
fn linked(hand: Hand) -> RankMask {
    let straights = hand.at_least(1).and(RankMask::CHAINABLE).chain_starts(5);
    let pairs = hand.at_least(2).and(RankMask::CHAINABLE).chain_starts(3);
    if straights.is_empty() && pairs.is_empty() {
        return RankMask::default();
    }
    straights.chains(5).or(pairs.chains(3))
}

/// Whether `hand` falls into singles, pairs, bombs and the rocket: it holds neither trios nor chains.
#[inline]
pub(super) fn is_loose(hand: Hand) -> bool {
    hand.exactly(3).is_empty() && linked(hand).is_empty()
}

/// The cards of `hand` outside `body` that a thrifty player attaches to it as `units` kickers of `size` cards:
/// the lowest cards without equals, or the lowest pairs, two more than are needed. All cards if there are fewer.
#[inline]
pub(crate) fn low_kickers(hand: Hand, body: Hand, units: u8, size: u8) -> Hand {
    let low = hand.exactly(size).without(body.at_least(1)).lowest_of(units + LOOSE_KICKERS);
    if low.len() < units as usize { hand - body } else { hand.within(low) }
}

/// How many kickers more than needed are looked at.
const LOOSE_KICKERS: u8 = 2;

/// The types of the lead routine's first phase, in the order in which it tries them on the lowest trio of a
/// body, with the lengths of their bodies.
pub(super) const CARRIERS: [(GroupType, std::ops::RangeInclusive<u8>); 4] = [
    (GroupType::TrioWithSingle, 1..=1),
    (GroupType::TrioWithPair, 1..=1),
    (GroupType::PlaneWithSingles, 2..=4),
    (GroupType::PlaneWithPairs, 2..=3),
];
