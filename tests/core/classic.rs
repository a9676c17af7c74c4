//! The `classic` strategy: a fixture worked out by hand from its rules for every branch. Each line says how the
//! hand falls into parts, where that is not plain.

use doudizhu::game::{Role, Situation, SituationInput};
use doudizhu::groups::{Preset, RuleSet};
use doudizhu::strategy::{Classic, HandValue};

use crate::support::{cards, decide, hand};

#[track_caller]
fn leads(held: &str, expected: &str) {
    let situation = Situation::new(&SituationInput::lead(Role::Landlord, cards(held))).unwrap();
    assert_eq!(decide(&Classic, &situation).play.cards(), hand(expected), "lead of {held}");
}

fn answer(held: &str, table: &str, last: Role, left: Option<u32>, rules: RuleSet) -> String {
    let role = if last.is_landlord() { Role::PeasantBefore } else { last.next() };
    let mut input = SituationInput::follow(role, cards(held), cards(table), last);
    input.cards_left[last] = left;
    input.rules = rules;
    decide(&Classic, &Situation::new(&input).unwrap()).play.cards().to_string()
}

/// The landlord answers a peasant of whom nothing else is known.
#[track_caller]
fn follows(held: &str, table: &str, expected: &str) {
    let answer = answer(held, table, Role::PeasantBefore, None, RuleSet::default());
    assert_eq!(answer, hand(expected).to_string(), "{held} on {table}");
}

/// A peasant answers the other one.
#[track_caller]
fn follows_partner(held: &str, table: &str, expected: &str) {
    let answer = answer(held, table, Role::PeasantAfter, None, RuleSet::default());
    assert_eq!(answer, hand(expected).to_string(), "{held} on the partner's {table}");
}

#[test]
fn the_lowest_part_is_led() {
    leads("3 5 5 8 K", "3");
    leads("4 4 7 9", "44");
    leads("3 4 5 6 7 J J", "34567");
    leads("3 3 4 4 5 5 9", "334455");
    // 334455, 4, 9: the third four is a single, lower than the chain's five.
    leads("3 3 4 4 4 5 5 9", "4");
    // 34567, 4, J.
    leads("3 4 4 5 6 7 J", "4");
    // 5566778899 leaves 3 and 4.
    leads("3 4 5 5 6 6 7 7 8 8 9 9", "3");
}

#[test]
fn chains_are_cut_in_the_order_planes_pairs_straights() {
    // The plane 444555 leaves 3, 6 and 7, which make no straight.
    leads("3 4 4 4 5 5 5 6 7 9 J", "3");
    // Quads are in no chain.
    leads("3 4 5 5 5 5 6 7", "3");
    // No plane of AAA222: AAA takes the 5.
    leads("5 A A A 2 2 2", "5AAA");
}

#[test]
fn kickers_are_kept_for_trios() {
    // One trio, two kickers: one more is needed before a single is led.
    leads("3 5 5 5 7", "3555");
    leads("3 5 5 5 7 9", "3");
    leads("3 3 5 5 5 7", "5557");
    // Two trios in a plane count twice.
    leads("3 5 5 5 6 6 6 9 J", "35556669");
}

#[test]
fn a_trio_takes_the_lowest_single_then_the_lowest_pair_below_2() {
    leads("4 4 4 7 9 J", "4447");
    leads("5 5 5 9 9 K K", "55599");
    leads("5 5 5 9 9 K", "555K");
    leads("5 5 5 2 D", "555");
    leads("5 5 5 2 2 D", "555");
    leads("5 5 5 7 7 7", "555");
    // The hand is one group: the 2 goes along.
    leads("5 5 5 2", "5552");
}

#[test]
fn a_plane_takes_singles_then_pairs_or_nothing() {
    leads("3 3 3 4 4 4 7 9 J", "33344479");
    leads("3 3 3 4 4 4 7 2 D", "33344472");
    leads("3 3 3 4 4 4 7 7 9 9 K K", "3334447799");
    leads("3 3 3 4 4 4 9 K K", "333444");
}

#[test]
fn bombs_are_led_last() {
    leads("3 3 3 3 5 7 9", "5");
    leads("3 3 3 3 4 4 4 4", "3333");
    leads("4 4 4 4 X D", "4444");
    // Not 22 and then the bomb: the hand is one group (https://github.com/kwai/DouZero/issues/43).
    leads("6 6 8 8 8 8", "668888");
}

#[test]
fn the_lowest_part_of_the_tables_type_follows() {
    follows("5 9 K", "6", "9");
    follows("7 7 9 J", "8", "9");
    follows("6 6 9 9 K", "7 7", "99");
    follows("4 8 8 8 Q Q Q", "7 7 7", "888");
    follows("5 6 7 8 9 K", "3 4 5 6 7", "56789");
    follows("5 5 6 6 7 7 K", "3 3 4 4 5 5", "556677");
    follows("5 5 5 6 6 6 K", "3 3 3 4 4 4", "555666");
    follows("3 4", "9", "");
}

#[test]
fn trios_follow_with_a_part_as_kicker() {
    follows("4 8 8 8 K K", "3 7 7 7", "4888");
    follows("4 4 8 8 8 K", "3 3 7 7 7", "44888");
    // The trio must beat the table's, whatever the kicker.
    follows("4 6 6 6 K K", "3 7 7 7", "");
}

#[test]
fn kickers_come_off_other_parts_in_a_fixed_order() {
    follows("4 4 8 8 8", "3 7 7 7", "4888");
    follows("3 4 5 6 7 8 T T T", "3 9 9 9", "8TTT");
    follows("8 8 8 T T T", "3 7 7 7", "888T");
    follows("8 8 8 J J J Q Q Q", "3 7 7 7", "888Q");
    follows("8 8 8 T J Q K A", "3 7 7 7", "888T");
    follows("8 8 8 T T J J Q Q", "3 7 7 7", "888T");
    follows("8 8 8 T T J J Q Q K K", "3 7 7 7", "888K");

    follows("8 8 8 T T J J Q Q K K", "3 3 7 7 7", "888KK");
    follows("8 8 8 Q Q Q", "3 3 7 7 7", "888QQ");
    follows("8 8 8 T T J J Q Q", "3 3 7 7 7", "888TT");
    follows("8 8 8 J J J Q Q Q", "3 3 7 7 7", "888JJ");
    follows("8 8 8 J J J Q Q Q K K K", "3 3 7 7 7", "888KK");
}

#[test]
fn a_trio_without_a_kicker_stays_in_the_hand() {
    follows("8 8 8", "3 7 7 7", "");
    // The single is no pair, and there is nothing to break up.
    follows("5 8 8 8", "3 3 7 7 7", "");
}

#[test]
fn planes_follow_with_kickers() {
    follows("3 5 5 5 6 6 6 9 K", "3 3 3 4 4 4 7 8", "35556669");
    follows("5 5 5 6 6 6 9 9 T T K", "3 3 3 4 4 4 7 7 8 8", "55566699TT");
    // The nine that 99 leaves is the second kicker.
    follows("5 5 5 6 6 6 9 9 K K", "3 3 3 4 4 4 7 8", "55566699");
    // Where kickers must differ, these do not, and nothing is played in their stead.
    let pagat = Preset::Pagat.rules();
    assert_eq!(answer("555666 99 KK", "333444 78", Role::PeasantBefore, None, pagat), "");
    // A longer plane gives its upper end, and the rest of it a kicker.
    follows("8 8 8 9 9 9 T T T", "6 6 6 7 7 7", "999TTT");
    follows("3 8 8 8 9 9 9 T T T", "4 5 6 6 6 7 7 7", "38999TTT");
}

#[test]
fn singles_come_off_other_parts_in_a_fixed_order() {
    follows("9 9 2 2", "8", "2");
    follows("9 9 2 2 2", "8", "2");
    follows("9 9 2 2 2 2 4", "8", "2");
    follows("5 5 9 9 K K", "8", "9");
    follows("3 4 5 6 7 8", "7", "8");
    follows("9 9 9", "8", "9");
    follows("8 8 8 9 9 9", "7", "9");
    follows("5 6 7 8 9", "6", "7");
    follows("7 7 8 8 9 9", "7", "8");
    follows("6 6 7 7 8 8 9 9", "7", "9");
}

#[test]
fn nothing_is_broken_up_in_vain() {
    follows("5 5 7 7", "8", "");
    follows("3 4 5 6 7 8", "8", "");
    follows("2 2", "X", "");
    follows("4 4 4", "8 8", "");
}

#[test]
fn pairs_come_off_other_parts_in_a_fixed_order() {
    follows("6 6 7 7 8 8 9 9", "7 7", "99");
    follows("9 9 9 3", "8 8", "99");
    follows("7 7 8 8 9 9", "7 7", "88");
    follows("8 8 8 9 9 9", "7 7", "88");
    follows("8 8 8 9 9 9 T T T", "7 7", "TT");
}

#[test]
fn trios_come_off_planes() {
    follows("8 8 8 9 9 9", "7 7 7", "999");
    follows("4 8 8 8 9 9 9", "3 7 7 7", "4999");
    follows("4 4 8 8 8 9 9 9", "3 3 7 7 7", "44999");
}

#[test]
fn chains_come_off_other_parts_in_a_fixed_order() {
    follows("5 5 6 6 7 7 8 8 9 9", "3 4 5 6 7", "56789");
    follows("555666777888999", "3 4 5 6 7", "56789");
    follows("4 5 6 7 8 9 T", "3 4 5 6 7", "6789T");
    follows("5566778899TT", "3 4 5 6 7", "6789T");
    follows("555666777888999TTT", "3 4 5 6 7", "6789T");
    follows("55667788", "334455", "667788");
    follows("666777888", "334455", "667788");
    follows("666777888999", "334455", "778899");
}

#[test]
fn bombs_answer_near_the_end() {
    // Two parts: the bomb wins the lead for the other one.
    follows("4 9 9 9 9", "K K", "9999");
    // Three parts, and then five.
    follows("3 5 9 9 9 9", "K K", "9999");
    follows("3 5 7 9 9 9 9 J", "K K", "");
    follows("6 8 9 9 9 9 J K", "3 4 4 4 4 5", "");
    // Or an enemy who is nearly out.
    let official = RuleSet::default();
    for (left, expected) in [(6, ""), (5, "9999")] {
        let told = Some(left);
        assert_eq!(answer("3579999J", "KK", Role::PeasantBefore, told, official), expected);
        assert_eq!(answer("689999JK", "344445", Role::PeasantBefore, told, official), expected);
    }
    // On a bomb a higher one is of the table's own type.
    follows("3 5 7 9 9 9 9 J", "8 8 8 8", "9999");
    follows("3 5 7 J X D", "8 8 8 8", "XD");
    follows("3 5 7 7 7 7 J", "8 8 8 8", "");
    follows("3 5 7 9 9 9 9 J", "X D", "");
}

#[test]
fn the_partner_is_answered_sparingly() {
    follows_partner("9 K", "6", "9");
    follows_partner("A 4", "K", "A");
    follows_partner("2 4", "K", "");
    follows_partner("X 4", "K", "");
    // Parts stay whole.
    follows_partner("4 9 9", "8", "");
    follows_partner("8 8 8 K K J J", "3 7 7 7", "");
    follows_partner("4 8 8 8 K K", "3 7 7 7", "4888");
    follows_partner("4 9 2 2 2", "3 K K K", "");
    // No bomb, neither on a group nor on a bomb.
    follows_partner("4 9 9 9 9", "K K", "");
    follows_partner("3 5 7 9 9 9 9", "8 8 8 8", "");
    follows_partner("3 X D", "8 8 8 8", "");
    // Going out ends the game for both.
    follows_partner("2 2", "K K", "22");
}

#[test]
fn the_value_of_the_rest_is_that_of_its_parts() {
    let situation = Situation::new(&SituationInput::lead(Role::Landlord, cards("3 8 8 D"))).unwrap();
    let rest = decide(&Classic, &situation).evaluation.rest;
    assert_eq!(rest, Some(HandValue { sum: -2 + 7, rounds: 2 }));
}
