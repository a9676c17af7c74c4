//! Cards in text, packed hands, and the suits of an answer.

use doudizhu::cards::{Card, Hand, Rank, RankMask, Suit, SuitedHand, parse_cards};
use proptest::prelude::*;

use crate::support::{any_hand, cards, hand};

#[test]
fn card_values_are_those_of_the_literature() {
    assert_eq!(Rank::Three.value(), 3);
    assert_eq!(Rank::Ace.value(), 14);
    assert_eq!(Rank::Two.value(), 15);
    assert_eq!(Rank::BigJoker.value(), 17);
    assert_eq!(Rank::from_value(2), None);
    assert_eq!(Rank::from_value(18), None);
    for rank in Rank::ALL {
        assert_eq!(Rank::from_value(rank.value()), Some(rank));
        assert_eq!(rank.symbol().to_string().parse::<Card>(), Ok(Card::suitless(rank)));
    }
}

#[test]
fn cards_are_read_one_by_one_or_in_a_row() {
    assert_eq!(cards("3 3 T X"), cards("33TX"));
    assert_eq!(cards("10 10 j"), cards("TTJ"));
    assert_eq!(cards("10JQKA"), cards("T J Q K A"));
    assert_eq!(
        cards("Th, 10s,2d"),
        [
            Card { rank: Rank::Ten, suit: Some(Suit::Hearts) },
            Card { rank: Rank::Ten, suit: Some(Suit::Spades) },
            Card { rank: Rank::Two, suit: Some(Suit::Diamonds) },
        ]
    );
    assert_eq!(cards(""), []);
    for wrong in ["1", "0", "Y", "Xh", "3x3z", "33h4", "三", "-"] {
        let error = parse_cards(wrong).unwrap_err();
        assert!(error.to_string().contains(wrong), "{error}");
    }
}

/// The rule documented at `SuitedHand::take`: hearts, spades, diamonds, clubs, then cards without a suit.
#[test]
fn equal_ranks_leave_the_hand_by_suit() {
    let held = SuitedHand::new(cards("3c 3h 3d 3s 4 4c X"));
    assert_eq!(held.take(hand("3")), cards("3h"));
    assert_eq!(held.take(hand("33 4")), cards("3h 3s 4c"));
    assert_eq!(held.take(hand("3333 44 X")), cards("3h 3s 3d 3c 4c 4 X"));
    assert_eq!(held.take(Hand::EMPTY), []);
}

#[test]
fn the_deck() {
    assert_eq!(Hand::DECK.len(), 54);
    assert_eq!(Hand::DECK.to_string(), "3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222XD");
    assert_eq!(Hand::from_ranks([Rank::Five; 5]), None);
    assert_eq!(Hand::from_ranks([Rank::BigJoker; 2]), None);
    assert_eq!(Hand::from_ranks([Rank::Five; 300]), None);
    assert_eq!(hand("3 3 4").checked_add(hand("3 3 4")), Some(hand("3333 44")));
    assert_eq!(hand("3 3 3").checked_add(hand("3 3 4")), None);
    assert_eq!(hand("X").checked_add(hand("X")), None);
}

proptest! {
    /// The packed arithmetic against the same on plain counts.
    #[test]
    fn packed_hands_agree_with_counts(a in any_hand(20), b in any_hand(20)) {
        let count = |hand: Hand| Rank::ALL.map(|rank| hand.count(rank));
        let (counts_a, counts_b) = (count(a), count(b));
        prop_assert_eq!(Hand::from_counts(counts_a), Some(a));
        prop_assert_eq!(a.len(), counts_a.iter().map(|c| *c as usize).sum::<usize>());
        prop_assert_eq!(a.ranks().count(), a.len());
        let contains = (0..15).all(|i| counts_a[i] >= counts_b[i]);
        prop_assert_eq!(a.contains(b), contains);
        prop_assert_eq!(a.checked_sub(b).is_some(), contains);
        let min: Vec<u8> = (0..15).map(|i| counts_a[i].min(counts_b[i])).collect();
        prop_assert_eq!(count(a.min(b)).to_vec(), min);
        prop_assert_eq!(a.is_all_pairs(), counts_a.iter().all(|c| c % 2 == 0));
        prop_assert_eq!(a.has_rocket(), counts_a[13] == 1 && counts_a[14] == 1);
        for k in 1..=4 {
            for rank in Rank::ALL {
                prop_assert_eq!(a.at_least(k).contains(rank), counts_a[rank.index()] >= k);
                prop_assert_eq!(a.exactly(k).contains(rank), counts_a[rank.index()] == k);
            }
            for length in 1..=12u8 {
                let starts = a.at_least(k).chain_starts(length);
                for rank in Rank::ALL {
                    let chain = (0..length as usize)
                        .all(|link| counts_a.get(rank.index() + link).is_some_and(|c| *c >= k));
                    prop_assert_eq!(starts.contains(rank), chain);
                }
            }
        }
        for rank in Rank::ALL {
            let i = rank.index();
            let beside = (i > 0 && counts_a[i - 1] > 0) || (i < 14 && counts_a[i + 1] > 0);
            prop_assert_eq!(a.neighbours().contains(rank), beside && counts_a[i] == 0);
        }
        let ranks: Vec<Rank> = a.at_least(1).into_iter().collect();
        prop_assert!(ranks.is_sorted());
        prop_assert_eq!(ranks.first().copied(), a.at_least(1).lowest());
        prop_assert_eq!(ranks.last().copied(), a.at_least(1).highest());
        prop_assert_eq!(ranks.len(), a.at_least(1).len());
        for rank in Rank::ALL {
            prop_assert_eq!(RankMask::above(rank).contains(rank), false);
            prop_assert_eq!(RankMask::above(rank).len(), 14 - rank.index());
        }
    }

    /// Nothing that can be typed makes the reader panic, and what it reads prints and reads the same.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        if let Ok(read) = parse_cards(&text) {
            let printed: Vec<String> = read.iter().map(ToString::to_string).collect();
            prop_assert_eq!(parse_cards(&printed.join(" ")).unwrap(), read);
        }
    }
}

/// `D` is the big joker and `d` are diamonds: `3D` is two cards, `3d` is one.
#[test]
fn suits_are_lower_case() {
    assert_eq!(parse_cards("3D").unwrap(), parse_cards("3 D").unwrap());
    assert_eq!(parse_cards("3d").unwrap().len(), 1);
    for text in ["3C", "TH", "2S"] {
        assert!(parse_cards(text).is_err(), "{text}");
    }
}
