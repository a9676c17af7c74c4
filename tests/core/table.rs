//! The deal, the public record and the referee.

use std::collections::HashSet;

use doudizhu::cards::Hand;
use doudizhu::game::{Dice, History, IllegalPlay, Role, Table, deal};
use doudizhu::groups::{Play, RuleSet};
use doudizhu::strategy::{Budget, Random, Scratch, Strategy as _, Thinking};
use proptest::prelude::*;

use crate::support::{any_rules, group};

#[test]
fn a_deal_is_the_whole_deck_and_repeats_with_its_seed() {
    let mut seen = HashSet::new();
    for seed in 0..200 {
        let dealt = deal(&mut Dice::new(seed));
        let hands = dealt.hands;
        let all = hands[Role::Landlord] + hands[Role::PeasantAfter] + hands[Role::PeasantBefore];
        assert_eq!(all, Hand::DECK);
        for role in Role::ALL {
            assert_eq!(hands[role].len(), role.starting_cards() as usize);
        }
        assert_eq!(dealt.bottom.len(), 3);
        assert!(hands[Role::Landlord].contains(dealt.bottom));
        assert_eq!(dealt, deal(&mut Dice::new(seed)));
        seen.insert(hands[Role::Landlord]);
    }
    assert_eq!(seen.len(), 200, "different seeds, different deals");
}

/// The generator's published output (xoshiro256++ seeded by splitmix64), so that decks stay the same in every
/// version: Blackman and Vigna, <https://prng.di.unimi.it/>.
#[test]
fn dice_do_not_change_between_versions() {
    let mut dice = Dice::new(0);
    assert_eq!([dice.bits(), dice.bits()], [0x53175d61490b23df, 0x61da6f3dc380d507]);
    assert_eq!(Dice::new(7).below(0), 0);
    for _ in 0..1000 {
        assert!(dice.below(3) < 3);
        assert!((0.0..1.0).contains(&dice.fraction()));
    }
}

#[test]
fn the_record_refuses_what_everyone_can_see_is_illegal() {
    let mut history = History::default();
    assert_eq!(history.push(Play::Pass), Err(IllegalPlay::PassOnLead));
    history.push(group("55").into()).unwrap();
    let too_low = group("44");
    assert_eq!(
        history.push(too_low.into()),
        Err(IllegalPlay::DoesNotBeat { group: too_low, table: group("55") })
    );
    assert!(matches!(history.push(group("6").into()), Err(IllegalPlay::DoesNotBeat { .. })));
    assert_eq!(history.turn(), Role::PeasantAfter);
    // A pass in between does not erase the group to beat; two passes do.
    history.push(Play::Pass).unwrap();
    assert_eq!(history.table(), Some((group("55"), Role::Landlord)));
    history.push(Play::Pass).unwrap();
    assert_eq!(history.turn(), Role::Landlord);
    assert_eq!(history.table(), None);
    assert_eq!(history.push(Play::Pass), Err(IllegalPlay::PassOnLead));
    // A player may pass and play again in the same trick.
    history.push(group("3").into()).unwrap();
    history.push(Play::Pass).unwrap();
    history.push(group("4").into()).unwrap();
    history.push(Play::Pass).unwrap();
    history.push(group("6").into()).unwrap();
    // Two fives are gone already, and a bomb of fives cannot be.
    history.push(Play::Pass).unwrap();
    assert!(matches!(history.push(group("5555").into()), Err(IllegalPlay::NotHeld { .. })));
    history.push(group("6666").into()).unwrap_err();
    history.push(group("7777").into()).unwrap();
    history.push(group("XD").into()).unwrap();
    assert_eq!(history.doublings(), 2);
    assert_eq!(history.cards_left(Role::Landlord), 20 - 3 - 4);
    assert_eq!(history.cards_left(Role::PeasantAfter), 17 - 1 - 2);
    assert_eq!(history.winner(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whole games of random plays: the referee takes every play that the generator offers, refuses others,
    /// keeps all cards, and the situation it keeps agrees with what a caller could tell of the same game.
    #[test]
    fn games_of_random_plays(seed in any::<u64>(), rules in any_rules()) {
        let mut dice = Dice::new(seed);
        let mut table = Table::new(&deal(&mut dice), rules);
        let mut scratch = Scratch::default();
        let mut plays = 0;
        while table.winner().is_none() {
            let situation = table.situation().clone();
            let role = table.turn();
            prop_assert_eq!(situation.role(), role);
            prop_assert_eq!(situation.hand(), table.hand(role));
            let others = table.hand(role.next()) + table.hand(role.previous());
            prop_assert_eq!(situation.unseen(), others);
            for seat in Role::ALL {
                prop_assert_eq!(situation.cards_left(seat), Some(table.hand(seat).len() as u8));
            }
            if let Some(sure) = situation.bottom_left() {
                prop_assert!(table.hand(Role::Landlord).contains(sure));
            }
            prop_assert_eq!(table.play(Play::Pass).is_err(), situation.is_lead());
            if !situation.is_lead() {
                // The pass was made: the rest of this turn is the next player's.
                plays += 1;
                prop_assert!(plays < 3 * 54);
                continue;
            }
            let budget = Budget::IMMEDIATE;
            let decision =
                Random.decide(&situation, &mut Thinking { seed: dice.bits(), budget, scratch: &mut scratch });
            prop_assert_eq!(table.play(decision.play), Ok(()));
            plays += 1;
        }
        prop_assert!(table.play(Play::Pass).is_err());
        let winner = table.winner().unwrap();
        prop_assert!(table.hand(winner).is_empty());
    }

    /// The same with followers that may play too.
    #[test]
    fn games_of_random_players_end(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let mut table = Table::new(&deal(&mut dice), RuleSet::default());
        let mut scratch = Scratch::default();
        for _ in 0..3 * 54 {
            if table.winner().is_some() {
                break;
            }
            let thinking = &mut Thinking { seed: dice.bits(), budget: Budget::IMMEDIATE, scratch: &mut scratch };
            let decision = Random.decide(table.situation(), thinking);
            prop_assert_eq!(table.play(decision.play), Ok(()));
        }
        prop_assert!(table.winner().is_some());
    }
}
