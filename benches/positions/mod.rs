//! The hands and situations that the benchmarks share, all from fixed seeds.

#![allow(dead_code, reason = "each benchmark uses some")]

use doudizhu::cards::{Hand, parse_cards};
use doudizhu::game::{Dice, Role, Situation, SituationInput, deal};

/// Hands rich in trios, on which evaluators and generators work hardest.
pub(crate) const TRIO_RICH: [&str; 3] =
    ["3334445556667778889X", "333444555666777888TT", "333555666777999JJJQK"];

/// A lead of the landlord from `hand`, with nothing else known.
pub(crate) fn lead(hand: Hand) -> Situation {
    let cards = parse_cards(&hand.to_string()).unwrap_or_default();
    Situation::new(&SituationInput::lead(Role::Landlord, cards)).unwrap_or_else(|error| panic!("{error:?}"))
}

/// A lead of the landlord from the cards of `text`.
pub(crate) fn lead_text(text: &str) -> Situation {
    let ranks = parse_cards(text).unwrap_or_default().into_iter().map(|card| card.rank);
    lead(Hand::from_ranks(ranks).unwrap_or_default())
}

/// Leads from random hands of 17 or 20 cards.
pub(crate) fn leads(role: Role, count: u64) -> Vec<Situation> {
    (0..count).map(|seed| lead(deal(&mut Dice::new(seed)).hands[role])).collect()
}
