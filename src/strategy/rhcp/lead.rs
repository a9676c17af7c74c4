use crate::cards::{Hand, Rank, RankMask};
use crate::groups::pattern::Pattern;
use crate::groups::{Group, GroupType, for_each_on_body};
use crate::strategy::HandValue;

use super::evaluator::{CARRIERS, Choice, Evaluator, is_loose, low_kickers};

impl Evaluator<'_> {
    /// What to lead from `hand` (RHCP, 九日王朝, chapters 6 and 7); `None` if there is no card.
    ///
    /// A candidate is judged by the score of what it leaves alone, and among equals the last one looked at
    /// wins, so the order below matters.
    pub(crate) fn lead(&mut self, hand: Hand) -> Option<Choice> {
        if let Some(group) = self.whole(hand) {
            return Some(Choice { group, rest: HandValue::default() });
        }
        // The rocket is played as the last group but one.
        if hand.has_rocket() && self.is_one_round(hand - Hand::ROCKET) {
            return Some(Choice { group: Group::ROCKET, rest: self.value(hand - Hand::ROCKET) });
        }
        self.lead_trio(hand).or_else(|| self.lead_lowest(hand)).or_else(|| self.lead_last(hand))
    }

    /// The group that [`Self::lead`] would lead, which is seen at a glance where the hand leaves nothing to decide.
    pub(crate) fn led(&mut self, hand: Hand) -> Option<Group> {
        if is_loose(hand) { self.led_loose(hand) } else { self.lead(hand).map(|choice| choice.group) }
    }

    /// The same from a hand that [`is_loose`]; see [`loose`](super::value::loose).
    fn led_loose(&self, hand: Hand) -> Option<Group> {
        let ranks = hand.at_least(1);
        if hand.has_rocket() && ranks.len() <= 3 {
            return Some(Group::ROCKET);
        }
        let quads = hand.exactly(4);
        let joker = ranks.without(quads).highest().filter(|rank| rank.is_joker() && !hand.has_rocket());
        let lowest = ranks.without(quads).lowest().filter(|rank| !rank.is_joker());
        let rank = lowest.or(joker).or(quads.lowest())?;
        let kind = match hand.count(rank) {
            1 => GroupType::Single,
            2 => GroupType::Pair,
            _ => GroupType::Bomb,
        };
        let mut led = None;
        for_each_on_body(hand, kind, rank, 1, self.rules, &mut |group| led = Some(group));
        led
    }

    /// The first phase: trios and planes that carry other cards away. Whenever there is such a group, one is
    /// led. A quad does not begin one, but may be inside.
    fn lead_trio(&mut self, hand: Hand) -> Option<Choice> {
        let mut best = Best::default();
        let trios = hand.at_least(3).and(RankMask::CHAINABLE);
        for lowest in hand.exactly(3) {
            for (kind, lengths) in CARRIERS {
                for links in lengths {
                    if links > 1 && !trios.chain_starts(links).contains(lowest) {
                        break;
                    }
                    self.offer_all(hand, kind, lowest, links, &mut best);
                }
            }
        }
        best.choice
    }

    /// The second phase: the lowest card, alone, with its equals or at the head of a chain.
    fn lead_lowest(&mut self, hand: Hand) -> Option<Choice> {
        let not_quads = hand.at_least(1).without(hand.exactly(4));
        let lowest = not_quads.lowest().filter(|rank| !rank.is_joker())?;
        let mut best = Best::default();
        for (copies, kind) in [(1, GroupType::Single), (2, GroupType::Pair), (3, GroupType::Trio)] {
            if hand.count(lowest) >= copies {
                self.offer_all(hand, kind, lowest, 1, &mut best);
            }
        }
        for (copies, kind, shortest) in
            [(1, GroupType::Straight, 5), (2, GroupType::PairChain, 3), (3, GroupType::Plane, 2)]
        {
            let ranks = hand.at_least(copies).and(RankMask::CHAINABLE);
            let longest = ranks.run_from(lowest);
            for links in shortest..=longest {
                self.offer_all(hand, kind, lowest, links, &mut best);
            }
        }
        best.choice
    }

    /// The third phase: one joker, then the bombs from the lowest up.
    fn lead_last(&mut self, hand: Hand) -> Option<Choice> {
        let mut best = Best::default();
        if let Some(rank) = hand.exactly(4).lowest() {
            self.offer_all(hand, GroupType::Bomb, rank, 1, &mut best);
        }
        if !hand.has_rocket() {
            for joker in [Rank::SmallJoker, Rank::BigJoker] {
                if hand.count(joker) == 1 {
                    best = Best::default();
                    self.offer_all(hand, GroupType::Single, joker, 1, &mut best);
                }
            }
        }
        best.choice
    }

    /// Offers `best` every group of type `kind` on this body.
    #[inline]
    fn offer_all(&mut self, hand: Hand, kind: GroupType, lowest: Rank, links: u8, best: &mut Best) {
        let from = if self.is_thrifty { thrifty(hand, kind, lowest, links) } else { hand };
        for_each_on_body(from, kind, lowest, links, self.rules, &mut |group| {
            let rest = self.value(hand - group.cards());
            best.offer(group, rest);
        });
    }
}

/// The body and the cards that a thrifty player attaches to it.
fn thrifty(hand: Hand, kind: GroupType, lowest: Rank, links: u8) -> Hand {
    let Some(pattern) = Pattern::of(kind) else { return hand };
    let Some(kickers) = pattern.kickers else { return hand };
    let body = Hand::chain(lowest, links, pattern.copies);
    body + low_kickers(hand, body, links * kickers.per_link, kickers.size)
}

/// The best candidate so far; the last one among equals.
#[derive(Default)]
struct Best {
    score: i16,
    choice: Option<Choice>,
}

impl Best {
    #[inline]
    fn offer(&mut self, group: Group, rest: HandValue) {
        let score = rest.score();
        if self.choice.is_none() || self.score <= score {
            self.score = score;
            self.choice = Some(Choice { group, rest });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Dice, Shuffle};
    use crate::groups::RuleSet;

    /// Rests of dealt hands of all sizes, loose ones and others.
    #[test]
    fn what_is_led_at_a_glance_is_what_would_be_led() {
        let mut dice = Dice::new(3);
        let (mut loose, mut jokers) = (0, 0);
        for _ in 0..20_000 {
            let dealt: Vec<Rank> = Shuffle::new(&mut dice).seats[0].ranks().collect();
            let count = 1 + dice.below(10);
            let first = dice.below(dealt.len() + 1 - count);
            let mut hand = Hand::from_ranks(dealt[first..first + count].iter().copied()).unwrap();
            if dice.below(4) == 0 {
                let lowest = hand.at_least(1).lowest().unwrap();
                hand = hand.within(RankMask::ALL.without(RankMask::only(lowest)));
                hand = hand + Hand::of(lowest, lowest.copies());
            }
            let mut evaluator = Evaluator::thrifty(RuleSet::default(), None);
            let led = evaluator.lead(hand).map(|choice| choice.group);
            assert_eq!(evaluator.led(hand), led, "{hand}");
            loose += u32::from(is_loose(hand));
            jokers += u32::from(is_loose(hand) && hand.has_rocket());
        }
        assert!(loose > 5_000 && jokers > 100, "{loose} {jokers}");
    }
}
