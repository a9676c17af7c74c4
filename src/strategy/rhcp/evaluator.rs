use crate::cards::{Hand, Rank, RankMask};
use crate::groups::kickers::KickerLimits;
use crate::groups::pattern::Kickers;
use crate::groups::{Group, GroupType, RuleSet, recognise};
use crate::strategy::{Cost, HandValue};

use super::memo::Memo;
use super::value::{group_value, loose_value};

/// Values hands, within one decision.
#[derive(Debug)]
pub struct Evaluator<'a> {
    memo: &'a mut Memo,
    rules: RuleSet,
    cost: Cost,
}

/// The best lead found so far.
#[derive(Clone, Copy)]
struct Lead {
    cards: Hand,
    value: i16,
    rest: HandValue,
}

impl Lead {
    /// Keeps the better one by the rest's score. Among equals the one generated last wins, as in the original.
    #[inline]
    fn improve(best: &mut Option<Lead>, lead: Lead) {
        if best.is_none_or(|best| best.rest.score() <= lead.rest.score()) {
            *best = Some(lead);
        }
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluator for one decision under `rules`; `memo` is emptied.
    pub fn new(memo: &'a mut Memo, rules: RuleSet) -> Evaluator<'a> {
        memo.reset();
        Evaluator { memo, rules, cost: Cost::default() }
    }

    /// What was worked out so far.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The value of `hand` (RHCP, chapter 5).
    pub fn value(&mut self, hand: Hand) -> HandValue {
        if let Some(value) = loose_value(hand) {
            self.cost.states += 1;
            return value;
        }
        if let Some(value) = self.memo.get(hand) {
            self.cost.memo_hits += 1;
            return value;
        }
        self.cost.states += 1;
        let value = match self.choose(hand) {
            Some(lead) => HandValue { sum: lead.value + lead.rest.sum, rounds: lead.rest.rounds + 1 },
            None => HandValue::default(),
        };
        self.memo.put(hand, value);
        value
    }

    /// What `hand` leads; nothing if it is empty.
    pub fn lead(&mut self, hand: Hand) -> Option<Group> {
        let lead = self.choose(hand)?;
        // A candidate is a group by construction; named or not, its strongest reading is meant.
        crate::groups::readings(lead.cards, self.rules).first().copied()
    }

    /// The groups that `hand` falls into, in the order in which it would lead them. Their values add up to the
    /// hand's.
    pub fn decompose(&mut self, hand: Hand) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut rest = hand;
        while let Some(group) = self.lead(rest) {
            rest = rest - group.cards();
            groups.push(group);
        }
        groups
    }

    /// The lead of `hand` (RHCP, chapters 11–15): free play, and at the same time one step of the decomposition.
    fn choose(&mut self, hand: Hand) -> Option<Lead> {
        let quads = hand.exactly(4);
        if let Some(group) = self.whole(hand, quads) {
            let value = group_value(group.kind(), group.main_rank());
            return Some(Lead { cards: hand, value, rest: HandValue::default() });
        }
        if hand.has_rocket() {
            // The rocket goes second to last: it wins the lead that the last group needs.
            let rest = self.value(hand - Hand::ROCKET);
            if rest.rounds == 1 {
                let value = group_value(GroupType::Rocket, Rank::BigJoker);
                return Some(Lead { cards: Hand::ROCKET, value, rest });
            }
        }
        let mut best = None;
        for trio in hand.exactly(3) {
            self.lead_with_wings(hand, trio, &mut best);
        }
        if best.is_some() {
            return best;
        }
        let loose = hand.at_least(1).without(quads).without(Hand::ROCKET.at_least(1));
        if let Some(lowest) = loose.lowest() {
            self.lead_lowest(hand, lowest, &mut best);
            return best;
        }
        let jokers = hand.min(Hand::ROCKET);
        if jokers.len() == 1
            && let Some(joker) = jokers.at_least(1).lowest()
        {
            return Some(self.candidate(hand, jokers, group_value(GroupType::Single, joker)));
        }
        let quad = quads.lowest()?;
        Some(self.candidate(hand, Hand::of(quad, 4), group_value(GroupType::Bomb, quad)))
    }

    /// The one group that the whole of `hand` is, if it is one. A hand with a quad is always taken apart, so
    /// that the bomb is kept.
    #[inline]
    fn whole(&self, hand: Hand, quads: RankMask) -> Option<Group> {
        if !quads.is_empty() {
            return None;
        }
        let trios = hand.exactly(3).len();
        let plausible = if trios > 0 {
            // No body is attached more than two cards a trio.
            hand.len() <= 5 * trios
        } else {
            let pairs = hand.at_least(2);
            pairs.is_empty() || pairs == hand.at_least(1)
        };
        if plausible { recognise(hand, self.rules, None).ok() } else { None }
    }

    #[inline]
    fn candidate(&mut self, hand: Hand, cards: Hand, value: i16) -> Lead {
        Lead { cards, value, rest: self.value(hand - cards) }
    }

    /// The groups that carry small cards away on a trio of `lowest` or on a plane that starts there. Quads may
    /// be links, but not the first.
    fn lead_with_wings(&mut self, hand: Hand, lowest: Rank, best: &mut Option<Lead>) {
        let ranks = hand.at_least(3);
        let trio = Hand::of(lowest, 3);
        let value = group_value(GroupType::TrioWithSingle, lowest);
        for size in [1, 2] {
            for kicker in (hand - trio).at_least(size) {
                let lead = self.candidate(hand, trio + Hand::of(kicker, size), value);
                Lead::improve(best, lead);
            }
        }
        for (size, most_links) in [(1, 4), (2, 3)] {
            let mut links = 1;
            let mut top = lowest;
            while links < most_links && top < Rank::Ace && ranks.contains(Rank::from_index(top.index() + 1)) {
                top = Rank::from_index(top.index() + 1);
                links += 1;
                let body = Hand::chain(lowest, links, 3);
                let value = group_value(GroupType::PlaneWithSingles, top);
                let limits = KickerLimits::new(Kickers { per_link: 1, size }, lowest, links, self.rules);
                limits.for_each(hand - body, links, size, &mut |attached| {
                    let lead = self.candidate(hand, body + attached, value);
                    Lead::improve(best, lead);
                });
            }
        }
    }

    /// The groups that get rid of the lowest card: alone, as all cards of the rank, or in a chain.
    fn lead_lowest(&mut self, hand: Hand, lowest: Rank, best: &mut Option<Lead>) {
        for copies in 1..=hand.count(lowest) {
            let value = group_value(GroupType::Single, lowest);
            let lead = self.candidate(hand, Hand::of(lowest, copies), value);
            Lead::improve(best, lead);
        }
        let chains = [(1, 5, GroupType::Straight), (2, 3, GroupType::PairChain), (3, 2, GroupType::Plane)];
        for (copies, min_links, kind) in chains {
            let mut links = hand.at_least(copies).and(RankMask::CHAINABLE).run_from(lowest);
            let longest = links;
            links = min_links;
            while links <= longest {
                let top = Rank::from_index(lowest.index() + links as usize - 1);
                let lead = self.candidate(hand, Hand::chain(lowest, links, copies), group_value(kind, top));
                Lead::improve(best, lead);
                links += 1;
            }
        }
    }
}
