//! Situations: what is refused and which field is named, and what a valid one knows.

use doudizhu::cards::Hand;
use doudizhu::game::{HistoryPlay, PerRole, Role, Situation, SituationInput};
use doudizhu::groups::{GroupType, Preset};
use proptest::prelude::*;

use crate::support::{any_hand, cards, group, hand};

use Role::{Landlord, PeasantAfter, PeasantBefore};

fn lead(role: Role, hand: &str) -> SituationInput {
    SituationInput::lead(role, cards(hand))
}

fn follow(role: Role, hand: &str, to_beat: &str, last: Role) -> SituationInput {
    SituationInput::follow(role, cards(hand), cards(to_beat), last)
}

fn history(plays: &[&str]) -> Vec<HistoryPlay> {
    plays.iter().map(|play| HistoryPlay { cards: cards(play), group_type: None }).collect()
}

/// Fields of the violations, in order.
fn fields(input: &SituationInput) -> Vec<String> {
    Situation::new(input).expect_err("refused").into_iter().map(|violation| violation.field).collect()
}

#[track_caller]
fn refused(input: SituationInput, expected: &[&str]) {
    assert_eq!(fields(&input), expected);
}

#[test]
fn minimal_situations_are_enough() {
    let leading = Situation::new(&lead(PeasantAfter, "3 4 5")).unwrap();
    assert!(leading.is_lead());
    assert_eq!(leading.cards_left(PeasantAfter), Some(3));
    assert_eq!(leading.cards_left(Landlord), None);
    assert_eq!(leading.unseen(), Hand::DECK - hand("345"));
    assert_eq!(leading.history(), None);

    let following = Situation::new(&follow(PeasantBefore, "3 4 5", "2 2", PeasantAfter)).unwrap();
    assert_eq!(following.table(), Some((group("22"), PeasantAfter)));
    assert_eq!(following.unseen(), Hand::DECK - hand("34522"));
    assert_eq!(following.bottom_left(), None);
    // A lead may name its leader.
    let named = SituationInput { last_player: Some(Landlord), ..lead(Landlord, "3") };
    assert!(Situation::new(&named).unwrap().is_lead());
}

#[test]
fn the_opening_is_a_full_situation() {
    let opening = Situation::new(&lead(Landlord, "33344455566677788899")).unwrap();
    assert_eq!(opening.cards_left(PeasantBefore), Some(17));
    assert_eq!(opening.history().map(|history| history.plays().len()), Some(0));
}

#[test]
fn impossible_hands_are_refused() {
    refused(lead(Landlord, ""), &["hand"]);
    refused(lead(Landlord, "33334444555566667777 8"), &["hand"]);
    refused(lead(PeasantAfter, "3333444455556666 77"), &["hand"]);
    refused(lead(Landlord, "33333"), &["hand"]);
    refused(lead(Landlord, "XX"), &["hand"]);
    refused(lead(Landlord, "DD 3"), &["hand"]);
    refused(lead(Landlord, "3h 4 3h"), &["hand[2]"]);
    let mut joker = lead(Landlord, "3 X");
    joker.hand[1].suit = Some(doudizhu::cards::Suit::Spades);
    refused(joker, &["hand[1].suit"]);
    // All violations are listed, not the first alone.
    refused(lead(PeasantAfter, "33333 XX DD 4444 5555 66"), &["hand", "hand", "hand", "hand"]);
}

#[test]
fn groups_to_beat_that_cannot_be() {
    refused(follow(Landlord, "3", "4 5", PeasantAfter), &["to_beat"]);
    refused(follow(Landlord, "7 7", "7 7 7", PeasantAfter), &["to_beat"]);
    refused(follow(Landlord, "7h 8", "7h", PeasantAfter), &["to_beat[0]"]);
    refused(follow(Landlord, "7", "8", Landlord), &["last_player"]);
    refused(SituationInput { last_player: None, ..follow(Landlord, "7", "8", Landlord) }, &["last_player"]);
    refused(SituationInput { last_player: Some(PeasantAfter), ..lead(Landlord, "7") }, &["last_player"]);
    refused(
        SituationInput { to_beat_type: Some(GroupType::Single), ..lead(Landlord, "7") },
        &["to_beat_type"],
    );
    refused(
        SituationInput { to_beat_type: Some(GroupType::Pair), ..follow(Landlord, "7", "8", PeasantAfter) },
        &["to_beat"],
    );
    // With 17 cards on the table, a peasant has none left.
    refused(follow(Landlord, "X", "33344455566677788 999", PeasantAfter), &["to_beat"]);
    refused(follow(PeasantAfter, "X", "33344455566677788899", Landlord), &["to_beat"]);
}

#[test]
fn a_group_of_several_readings_must_be_named() {
    let loose = SituationInput {
        rules: Preset::Loose.rules(),
        ..follow(Landlord, "9", "333444555666", PeasantAfter)
    };
    refused(loose.clone(), &["to_beat"]);
    let named = SituationInput { to_beat_type: Some(GroupType::PlaneWithSingles), ..loose };
    let table = Situation::new(&named).unwrap().table().unwrap().0;
    // Of the two readings of that type the stronger one is meant: 444555666 with 333.
    assert_eq!(table.body(), hand("444555666"));
}

#[test]
fn counts_that_do_not_add_up() {
    let with_counts = |counts: [Option<u32>; 3], input: SituationInput| SituationInput {
        cards_left: PerRole(counts),
        ..input
    };
    let minimal = follow(Landlord, "3 4 5", "6 6", PeasantAfter);
    assert!(Situation::new(&with_counts([Some(3), Some(15), Some(17)], minimal.clone())).is_ok());
    refused(with_counts([Some(4), None, None], minimal.clone()), &["cards_left.landlord"]);
    refused(with_counts([None, Some(16), None], minimal.clone()), &["cards_left.peasant_after"]);
    refused(with_counts([None, None, Some(18)], minimal.clone()), &["cards_left.peasant_before"]);
    refused(
        with_counts([None, Some(0), Some(u32::MAX)], minimal.clone()),
        &["cards_left.peasant_after", "cards_left.peasant_before"],
    );
    let played =
        SituationInput { history: history(&["3", "4 "]), ..follow(PeasantBefore, "", "4", PeasantAfter) };
    let held = "5 5 5 6 6 6 7 7 7 8 8 8 9 9 9 T T";
    let full = SituationInput { hand: cards(held), ..played };
    assert!(Situation::new(&full).is_ok());
    assert!(Situation::new(&with_counts([Some(19), Some(16), Some(17)], full.clone())).is_ok());
    refused(with_counts([Some(18), None, None], full), &["cards_left.landlord"]);
}

#[test]
fn histories_that_are_not_legal_play_by_play() {
    let held = "5 5 5 6 6 6 7 7 7 8 8 8 9 9 9 T T";
    let turn = |plays: &[&str]| SituationInput {
        history: history(plays),
        ..follow(PeasantBefore, held, "4", PeasantAfter)
    };
    assert!(Situation::new(&turn(&["3", "4"])).is_ok());
    refused(turn(&["", "4"]), &["history[0].cards"]);
    refused(turn(&["4", "3"]), &["history[1].cards"]);
    refused(turn(&["3 4", "3 5"]), &["history[0].cards", "history[1].cards"]);
    refused(turn(&["3", "5"]), &["to_beat"]);
    refused(turn(&["3"]), &["history"]);
    refused(turn(&["3", "4", "X", "D", ""]), &["hand", "to_beat", "last_player"]);
    refused(turn(&["3", "4", "X", "D", "", ""]), &["history"]);
    refused(turn(&["33333", "4"]), &["history[0].cards"]);
    refused(turn(&["3", "44"]), &["history[1].cards"]);
    refused(turn(&["5", "6", "7", "8", "T", "J", "Q", "K", "A", "2", "X"]), &["hand", "to_beat"]);
    // More of a rank in hand and history together than the deck holds.
    refused(turn(&["5 5", "6 6"]), &["history", "history", "to_beat"]);
    let mut pass = turn(&["3", "4"]);
    pass.history.push(HistoryPlay { cards: vec![], group_type: Some(GroupType::Single) });
    assert!(fields(&pass).contains(&"history[2].group_type".to_owned()));
    let endless = SituationInput { history: vec![HistoryPlay::default(); 100_000], ..turn(&[]) };
    refused(endless, &["history"]);
    // A game that is over asks for no decision.
    let over = SituationInput {
        history: history(&["33344455566677789TJQ"]),
        ..follow(PeasantAfter, "TTTTJJJJQQQQKKKKA", "", Landlord)
    };
    assert!(fields(&over).contains(&"history".to_owned()));
}

#[test]
fn bottom_cards_belong_to_the_landlord() {
    let with = |bottom: &str, input: SituationInput| SituationInput { bottom_cards: cards(bottom), ..input };
    assert!(Situation::new(&with("3 4 5", lead(Landlord, "6 7 8"))).is_ok());
    assert!(Situation::new(&with("3 4 5", lead(PeasantAfter, "3 4 5"))).is_ok());
    refused(with("3 4", lead(Landlord, "6")), &["bottom_cards"]);
    refused(with("3 4 5 6", lead(Landlord, "6")), &["bottom_cards"]);
    refused(with("3 3 X", lead(PeasantAfter, "3 3 3 4")), &["bottom_cards"]);
    refused(with("3h 4h 5h", lead(PeasantAfter, "3h")), &["bottom_cards[0]"]);
    refused(with("3h 3h 5h", lead(Landlord, "3h")), &["bottom_cards[1]"]);
    // The landlord's opening hand holds them.
    refused(with("A A A", lead(Landlord, "33344455566677788899")), &["bottom_cards"]);
    let opening = with("9 9 8", lead(Landlord, "33344455566677788899"));
    assert_eq!(Situation::new(&opening).unwrap().bottom_left(), Some(hand("9 9 8")));
}

#[test]
fn stakes_are_in_range() {
    refused(
        SituationInput { bid: Some(4), multiplier: Some(0), ..lead(Landlord, "3") },
        &["bid", "multiplier"],
    );
    let fine = SituationInput { bid: Some(3), multiplier: Some(16), ..lead(Landlord, "3") };
    assert_eq!(Situation::new(&fine).unwrap().multiplier(), Some(16));
}

proptest! {
    /// Any description is either refused with named fields or is a situation with at least one legal play.
    #[test]
    fn any_description_is_judged(
        held in any_hand(20),
        table in prop::option::of(any_hand(6)),
        role in prop::sample::select(&Role::ALL[..]),
        last in prop::option::of(prop::sample::select(&Role::ALL[..])),
        counts in prop::option::of(any::<[Option<u8>; 3]>()),
        plays in prop::collection::vec(prop::option::of(any_hand(5)), 0..6),
        bottom in prop::option::of(any_hand(3)),
    ) {
        let list = |hand: Hand| hand.ranks().map(doudizhu::cards::Card::suitless).collect::<Vec<_>>();
        let input = SituationInput {
            to_beat: table.map(list).unwrap_or_default(),
            last_player: last,
            cards_left: PerRole(counts.unwrap_or_default().map(|count| count.map(u32::from))),
            history: plays
                .into_iter()
                .map(|play| HistoryPlay { cards: play.map(list).unwrap_or_default(), group_type: None })
                .collect(),
            bottom_cards: bottom.map(list).unwrap_or_default(),
            ..SituationInput::lead(role, list(held))
        };
        match Situation::new(&input) {
            Ok(situation) => {
                let mut plays = 0;
                situation.for_each_play(|_| plays += 1);
                prop_assert!(plays > 0);
                prop_assert!(Hand::DECK.contains(situation.unseen() + situation.hand()));
            }
            Err(violations) => prop_assert!(violations.iter().all(|v| !v.field.is_empty() && !v.description.is_empty())),
        }
    }
}
