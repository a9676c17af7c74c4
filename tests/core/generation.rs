//! Recogniser and generator against each other and against brute force.

use std::collections::HashSet;

use doudizhu::cards::{Hand, Rank};
use doudizhu::groups::{Group, GroupType, Play, RuleSet, is_reading, legal_plays, readings, recognise};
use proptest::prelude::*;

use crate::support::{any_hand, any_rules};

/// Every multiset of cards within `hand`, the empty one too.
fn subsets(hand: Hand) -> Vec<Hand> {
    let mut subsets = vec![Hand::EMPTY];
    for rank in Rank::ALL {
        subsets = subsets
            .into_iter()
            .flat_map(|subset| (0..=hand.count(rank)).map(move |count| subset + Hand::of(rank, count)))
            .collect();
    }
    subsets
}

/// Which cards may be attached, written the slow way from the sentences of the rules: see `RuleSet` and the
/// table of types of the official rules.
fn is_group_by_the_book(cards: Hand, rules: RuleSet) -> HashSet<(GroupType, Rank)> {
    let mut found = HashSet::new();
    let n = cards.len();
    let count = |rank: Rank| cards.count(rank);
    if cards == Hand::ROCKET {
        found.insert((GroupType::Rocket, Rank::BigJoker));
    }
    // A body of `links` neighbouring ranks from `low`, `copies` of each.
    for copies in 1..=4u8 {
        for low in 0..15usize {
            for links in 1..=12usize {
                let high = low + links - 1;
                if high > 14 || (links > 1 && high > 11) || (copies > 1 && high > 12) {
                    continue;
                }
                let body: Vec<Rank> = (low..=high).map(Rank::from_index).collect();
                if !body.iter().all(|rank| count(*rank) >= copies) {
                    continue;
                }
                let top = Rank::from_index(high);
                let rest: Vec<u8> = Rank::ALL
                    .iter()
                    .map(|rank| count(*rank) - if body.contains(rank) { copies } else { 0 })
                    .collect();
                let attached = n - links * copies as usize;
                if attached == 0 {
                    let kind = match (copies, links) {
                        (1, 1) => GroupType::Single,
                        (2, 1) => GroupType::Pair,
                        (3, 1) => GroupType::Trio,
                        (4, 1) => GroupType::Bomb,
                        (1, 5..) => GroupType::Straight,
                        (2, 3..) => GroupType::PairChain,
                        (3, 2..) => GroupType::Plane,
                        _ => continue,
                    };
                    found.insert((kind, top));
                    continue;
                }
                if body.iter().any(|rank| rest[rank.index()] > 0) {
                    continue;
                }
                let wings = match copies {
                    3 => links,
                    4 if links == 1 && !rules.no_four_with_two => 2,
                    _ => continue,
                };
                if attached == wings {
                    let most = if rules.distinct_kickers {
                        1
                    } else if rules.quad_kickers {
                        4
                    } else {
                        3
                    };
                    let jokers = rest[13] > 0 && rest[14] > 0;
                    let touches = |rank: usize| rank <= 11 && (rank + 1 == low || rank == high + 1);
                    let full_trio_beside = links > 1 && (0..15).any(|rank| touches(rank) && rest[rank] >= 3);
                    if rest.iter().all(|c| *c <= most)
                        && (rules.rocket_as_kickers || !jokers)
                        && (rules.adjacent_trio_kickers || !full_trio_beside)
                    {
                        let kind = match (copies, links) {
                            (3, 1) => GroupType::TrioWithSingle,
                            (3, _) => GroupType::PlaneWithSingles,
                            _ => GroupType::FourWithTwoSingles,
                        };
                        found.insert((kind, top));
                    }
                }
                if attached == 2 * wings {
                    let pairs = rest.iter().all(|c| c % 2 == 0);
                    let twice = rest.contains(&4);
                    if pairs && (rules.same_pair_twice || !twice) {
                        let kind = match (copies, links) {
                            (3, 1) => GroupType::TrioWithPair,
                            (3, _) => GroupType::PlaneWithPairs,
                            _ => GroupType::FourWithTwoPairs,
                        };
                        found.insert((kind, top));
                    }
                }
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Any cards are exactly the groups that the sentences of the rules make them.
    #[test]
    fn recognition_follows_the_book(cards in any_hand(20), rules in any_rules()) {
        let read = readings(cards, rules);
        let named: HashSet<(GroupType, Rank)> =
            read.iter().map(|group| (group.kind(), group.main_rank())).collect();
        prop_assert_eq!(named.len(), read.len(), "no reading twice");
        prop_assert_eq!(named, is_group_by_the_book(cards, rules));
        for group in &read {
            prop_assert_eq!(group.cards(), cards);
            prop_assert!(is_reading(group, rules));
            prop_assert!(cards.contains(group.body()));
            let named = recognise(cards, rules, Some(group.kind())).unwrap();
            prop_assert!(named.main_rank() >= group.main_rank());
        }
        match recognise(cards, rules, None) {
            Ok(group) => prop_assert_eq!(read.first(), Some(&group)),
            Err(_) => prop_assert!(read.is_empty() || read.iter().any(|g| g.kind() != read[0].kind())),
        }
    }

    /// To lead, a hand has exactly the groups that the recogniser finds among all subsets of its cards.
    #[test]
    fn leads_are_the_recognised_subsets(hand in any_hand(9), rules in any_rules()) {
        let generated = legal_plays(hand, None, rules);
        let unique: HashSet<Play> = generated.iter().copied().collect();
        prop_assert_eq!(unique.len(), generated.len(), "no play twice");
        let expected: HashSet<Play> =
            subsets(hand).into_iter().flat_map(|cards| readings(cards, rules)).map(Play::Group).collect();
        prop_assert_eq!(unique, expected);
    }

    /// To follow, it has pass and exactly the leads that beat the table.
    #[test]
    fn follows_are_pass_and_the_leads_that_beat(
        hand in any_hand(20),
        other in any_hand(12),
        pick in any::<prop::sample::Index>(),
        rules in any_rules(),
    ) {
        let leads: Vec<Group> = legal_plays(hand, None, rules).iter().filter_map(Play::group).collect();
        for group in &leads {
            prop_assert!(is_reading(group, rules), "{:?} is a group", group);
            prop_assert!(hand.contains(group.cards()));
        }
        let tables = legal_plays(other, None, rules);
        let table = pick.get(&tables).group().unwrap();
        let generated = legal_plays(hand, Some(&table), rules);
        let unique: HashSet<Play> = generated.iter().copied().collect();
        prop_assert_eq!(unique.len(), generated.len(), "no play twice");
        let expected: HashSet<Play> = leads
            .into_iter()
            .filter(|group| group.beats(&table))
            .map(Play::Group)
            .chain([Play::Pass])
            .collect();
        prop_assert_eq!(unique, expected);
    }

    /// `beats` is a strict order: nothing beats itself, and never both ways.
    #[test]
    fn beating_is_a_strict_order(hand in any_hand(20), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let leads = legal_plays(hand, None, RuleSet::default());
        let (a, b) = (a.get(&leads).group().unwrap(), b.get(&leads).group().unwrap());
        prop_assert!(!a.beats(&a));
        prop_assert!(!(a.beats(&b) && b.beats(&a)));
        if a.kind() == GroupType::Rocket && b.kind() != GroupType::Rocket {
            prop_assert!(a.beats(&b));
        }
    }
}
