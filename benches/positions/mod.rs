//! The hands and situations that the benchmarks share, all from fixed seeds.

#![allow(dead_code, reason = "each benchmark uses some")]

use doudizhu::bench::decide;
use doudizhu::cards::{Hand, parse_cards};
use doudizhu::game::{Dice, Role, Situation, SituationInput, Table, deal};
use doudizhu::groups::RuleSet;
use doudizhu::strategy::{Random, Rhcp, Scratch, Strategy as _};

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

/// Every situation of `games` games in which `rhcp` plays all seats.
pub(crate) fn self_play(games: u64) -> Vec<Situation> {
    let mut scratch = Scratch::default();
    played(games, |situation, _| decide(&Rhcp::default(), situation, &mut scratch).play)
}

/// Every situation of `games` games of players who play anything legal.
pub(crate) fn random_play(games: u64) -> Vec<Situation> {
    let mut scratch = Scratch::default();
    played(games, |situation, seed| {
        let budget = doudizhu::strategy::Budget::IMMEDIATE;
        let mut thinking = doudizhu::strategy::Thinking { seed, budget, scratch: &mut scratch };
        Random.decide(situation, &mut thinking).play
    })
}

fn played(games: u64, mut play: impl FnMut(&Situation, u64) -> doudizhu::groups::Play) -> Vec<Situation> {
    let mut situations = Vec::new();
    for seed in 0..games {
        let mut dice = Dice::new(seed);
        let mut table = Table::new(&deal(&mut dice), RuleSet::default());
        while table.winner().is_none() {
            situations.push(table.situation().clone());
            if table.play(play(table.situation(), dice.bits())).is_err() {
                break;
            }
        }
    }
    situations
}
