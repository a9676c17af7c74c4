//! Levels of difficulty.

use doudizhu::cards::Hand;
use doudizhu::game::{Dice, Role, Situation, SituationInput, Table, deal};
use doudizhu::groups::{Play, RuleSet, legal_plays};
use doudizhu::strategy::{Budget, Decision, Level, Random, Scratch, Strategy as _, Thinking};
use proptest::prelude::*;

use crate::support::{any_hand, any_rules, cards};

fn decide(level: &Level, situation: &Situation, seed: u64) -> Decision {
    let mut scratch = Scratch::default();
    level.decide(situation, &mut Thinking { seed, budget: Budget::IMMEDIATE, scratch: &mut scratch })
}

fn follow(role: Role, hand: &str, table: &str, last: Role) -> Situation {
    Situation::new(&SituationInput::follow(role, cards(hand), cards(table), last)).unwrap()
}

fn text(hand: Hand) -> String {
    hand.to_string()
}

#[test]
fn there_are_five_weakest_first() {
    let names: Vec<_> = Level::all().iter().map(|level| level.name()).collect();
    assert_eq!(names, ["novice", "casual", "regular", "skilled", "master"]);
}

#[test]
fn a_hand_that_is_one_group_goes_out_at_every_level() {
    let leads =
        ["3 3 3 4 4 4 5 6", "3 4 5 6 7 8 9 T J Q K A", "7 7 7 7 X 3", "2", "X D", "9 9 9 9", "5 5 5 6 6"];
    for level in Level::all() {
        for seed in 0..50 {
            for hand in leads {
                let situation =
                    Situation::new(&SituationInput::lead(Role::PeasantAfter, cards(hand))).unwrap();
                assert_eq!(
                    decide(&level, &situation, seed).play.cards().len(),
                    situation.hand().len(),
                    "{hand}"
                );
            }
            for (hand, table, last) in [
                ("9", "3", Role::PeasantBefore),
                ("5 5 5 5", "A A", Role::PeasantBefore),
                ("X D", "2 2 2 2", Role::Landlord),
                ("4 4 4 8", "3 3 3 K", Role::Landlord),
            ] {
                let situation = follow(Role::PeasantAfter, hand, table, last);
                assert_eq!(
                    decide(&level, &situation, seed).play.cards(),
                    situation.hand(),
                    "{hand} on {table}"
                );
            }
        }
    }
}

#[test]
fn a_partner_is_never_bombed() {
    for level in Level::all() {
        for seed in 0..200 {
            for table in ["3", "2", "A A", "3 4 5 6 7", "Q Q Q 4", "6 6 6 6"] {
                let situation =
                    follow(Role::PeasantAfter, "8 8 8 8 9 9 9 9 T X D 2 2", table, Role::PeasantBefore);
                let play = decide(&level, &situation, seed).play;
                let bombs = play.group().is_some_and(|group| group.kind().crosses_types());
                assert!(!bombs, "{}: {play} on the partner's {table}", level.name());
            }
        }
    }
}

#[test]
fn the_same_seed_draws_the_same_lots_and_others_draw_others() {
    let situation =
        Situation::new(&SituationInput::lead(Role::Landlord, cards("3 4 4 5 6 7 8 9 T T J Q K A 2 2 X")))
            .unwrap();
    for level in Level::all() {
        let plays = |seeds: std::ops::Range<u64>| -> Vec<String> {
            seeds.map(|seed| text(decide(&level, &situation, seed).play.cards())).collect()
        };
        assert_eq!(plays(0..40), plays(0..40));
        let mut distinct = plays(0..40);
        distinct.sort();
        distinct.dedup();
        match level.name() {
            "novice" => assert!(distinct.len() > 3, "{distinct:?}"),
            "master" => assert_eq!(distinct.len(), 1),
            _ => {}
        }
    }
}

#[test]
fn every_level_plays_legally_from_full_and_minimal_situations() {
    let mut dice = Dice::new(21);
    let levels = Level::all();
    for game in 0..30u64 {
        let mut table = Table::new(&deal(&mut dice), RuleSet::default());
        let mut turn = 0u64;
        while table.winner().is_none() {
            let level = &levels[(turn % 5) as usize];
            let situation = table.situation();
            let plays = legal_plays(situation.hand(), situation.to_beat(), situation.rules());
            let minimal = decide(level, &situation.minimal(), game).play;
            assert!(plays.contains(&minimal), "{}: {minimal}", level.name());
            let play: Play = decide(level, situation, game * 1000 + turn).play;
            table.play(play).unwrap();
            turn += 1;
        }
    }
}

/// What holds at every level in every turn: a hand that may be played as one group goes out, a partner is not
/// bombed but for that, and the same seed gives the same answer, whatever was decided before.
fn check(levels: &[Level], situation: &Situation, seed: u64, used: &mut Scratch) -> Result<(), String> {
    let mut goes_out = false;
    situation.for_each_play(|play| goes_out |= play.cards() == situation.hand());
    let on_partner = situation.table().is_some_and(|(_, owner)| situation.role().is_ally(owner));
    for level in levels {
        let decision = decide(level, situation, seed);
        let refuse = |why: &str| Err(format!("{} {why}: {} from {situation:?}", level.name(), decision.play));
        if goes_out && decision.play.cards() != situation.hand() {
            return refuse("does not go out");
        }
        let bombs = decision.play.group().is_some_and(|group| group.kind().crosses_types());
        if bombs && on_partner && !goes_out {
            return refuse("bombs the partner");
        }
        let thinking = &mut Thinking { seed, budget: Budget::IMMEDIATE, scratch: used };
        if level.decide(situation, thinking).play != decision.play {
            return refuse("decides otherwise the second time");
        }
    }
    Ok(())
}

/// In every turn of dealt games, with the full record and with the minimum.
#[test]
fn levels_keep_their_word_in_dealt_games() {
    let (levels, mut dice, mut used) = (Level::all(), Dice::new(5), Scratch::default());
    let (mut last_groups, mut partners_tables) = (0, 0);
    for game in 0..60 {
        let mut table = Table::new(&deal(&mut dice), RuleSet::default());
        while table.winner().is_none() {
            let situation = table.situation();
            for turn in [situation.minimal(), situation.clone()] {
                check(&levels, &turn, dice.bits(), &mut used).unwrap();
            }
            let plays = legal_plays(situation.hand(), situation.to_beat(), situation.rules());
            last_groups += u32::from(plays.iter().any(|play| play.cards() == situation.hand()));
            let owner = situation.table().map(|(_, owner)| owner);
            partners_tables += u32::from(owner.is_some() && owner == situation.role().partner());
            // Half of the games go their way by a level, half by chance, so that odd situations come up as well.
            let play = if game % 2 == 0 {
                decide(&levels[dice.below(levels.len())], situation, dice.bits()).play
            } else {
                let scratch = &mut used;
                let seed = dice.bits();
                Random.decide(situation, &mut Thinking { seed, budget: Budget::IMMEDIATE, scratch }).play
            };
            table.play(play).unwrap();
        }
    }
    assert!(last_groups >= 60 && partners_tables >= 300, "{last_groups} {partners_tables}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// On a partner's group, from hands rich in bombs, under any rules.
    #[test]
    fn levels_keep_their_word_on_a_partners_group(
        held in any_hand(17),
        other in any_hand(16),
        is_after in any::<bool>(),
        pick in any::<prop::sample::Index>(),
        rules in any_rules(),
        seeds in any::<[u64; 4]>(),
    ) {
        let list = |hand: Hand| cards(&hand.to_string());
        let tables: Vec<_> = legal_plays(other.min(Hand::DECK - held), None, rules)
            .iter()
            .filter_map(Play::group)
            .filter(|group| group.cards().len() < 17)
            .collect();
        prop_assume!(!tables.is_empty());
        let table = pick.get(&tables);
        let (role, partner) = match is_after {
            true => (Role::PeasantAfter, Role::PeasantBefore),
            false => (Role::PeasantBefore, Role::PeasantAfter),
        };
        let mut input = SituationInput::follow(role, list(held), list(table.cards()), partner);
        input.to_beat_type = Some(table.kind());
        input.rules = rules;
        let situation = Situation::new(&input).unwrap();
        let (levels, mut used) = (Level::all(), Scratch::default());
        for seed in seeds {
            check(&levels, &situation, seed, &mut used).map_err(TestCaseError::fail)?;
        }
    }
}
