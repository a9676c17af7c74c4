//! Short hand for cards, and random hands and rule sets.

use doudizhu::cards::{Card, Hand, Rank, parse_cards};
use doudizhu::game::Situation;
use doudizhu::groups::{Group, Preset, RuleSet, recognise};
use doudizhu::strategy::{Decision, Scratch, Strategy as Player};
use proptest::prelude::*;

/// Cards from text such as `"3 3 4 X"`.
pub(crate) fn cards(text: &str) -> Vec<Card> {
    parse_cards(text).unwrap()
}

/// A hand from text.
pub(crate) fn hand(text: &str) -> Hand {
    Hand::from_ranks(cards(text).into_iter().map(|card| card.rank)).unwrap()
}

/// The group that the cards of `text` are under the official rules.
pub(crate) fn group(text: &str) -> Group {
    recognise(hand(text), RuleSet::default(), None).unwrap()
}

/// What `player` decides in `situation`.
pub(crate) fn decide(player: &dyn Player, situation: &Situation) -> Decision {
    doudizhu::bench::decide(player, situation, &mut Scratch::default())
}

/// Any rule set.
pub(crate) fn any_rules() -> impl Strategy<Value = RuleSet> {
    prop_oneof![
        2 => proptest::sample::select(&Preset::ALL[..]).prop_map(RuleSet::from),
        3 => any::<[bool; 6]>().prop_map(|flags| RuleSet {
            distinct_kickers: flags[0],
            rocket_as_kickers: flags[1],
            adjacent_trio_kickers: flags[2],
            quad_kickers: flags[3],
            same_pair_twice: flags[4],
            no_four_with_two: flags[5],
        }),
    ]
}

/// A hand of 1 … `most` cards. Half of the hands are drawn from few ranks, so that trios, quads and chains,
/// which a shuffled deck seldom gives, are common.
pub(crate) fn any_hand(most: usize) -> impl Strategy<Value = Hand> {
    let deck: Vec<Rank> = Hand::DECK.ranks().collect();
    let narrow = (0usize..9, 3usize..7).prop_map(|(lowest, ranks)| {
        let mut pile: Vec<Rank> =
            Rank::ALL[lowest..].iter().take(ranks).flat_map(|rank| [*rank; 4]).collect();
        pile.retain(|rank| !rank.is_joker());
        pile.extend([Rank::SmallJoker, Rank::BigJoker]);
        pile
    });
    (prop_oneof![Just(deck), narrow], 1..=most).prop_perturb(|(mut pile, count), mut rng| {
        for last in (1..pile.len()).rev() {
            pile.swap(last, rng.random_range(0..=last));
        }
        pile.truncate(count);
        Hand::from_ranks(pile).expect("drawn from a deck")
    })
}
