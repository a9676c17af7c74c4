//! Levels of difficulty.

use doudizhu::cards::Hand;
use doudizhu::game::{Dice, Role, Situation, SituationInput, Table, deal};
use doudizhu::groups::{Play, RuleSet, legal_plays};
use doudizhu::strategy::{Budget, Decision, Level, Scratch, Strategy as _, Thinking};

use crate::support::cards;

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
