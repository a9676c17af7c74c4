//! What users of other Dou Dizhu software reported: legality and legal plays, settled by the game core, and what
//! a strategy should choose. The names are those reports'.

use std::collections::BTreeSet;

use doudizhu::game::{PerRole, Role, Situation, SituationInput};
use doudizhu::groups::{GroupType, Play, Preset, RuleSet, readings, recognise};
use doudizhu::strategy::Registry;

use crate::reported::{CASES, Case};
use crate::support::{cards, decide, group, hand};

fn kind(text: &str) -> Option<GroupType> {
    recognise(hand(text), RuleSet::default(), None).ok().map(|group| group.kind())
}

#[track_caller]
fn legal(role: Role, held: &str, to_beat: &str, last: Role, expected: &[&str]) {
    let situation = Situation::new(&SituationInput::follow(role, cards(held), cards(to_beat), last)).unwrap();
    let mut plays = BTreeSet::new();
    situation.for_each_play(|play| {
        plays.insert(play.cards());
    });
    assert_eq!(plays, expected.iter().map(|play| hand(play)).collect());
}

/// <https://github.com/datamllab/rlcard/issues/27>
#[test]
fn p01_groups_that_look_right_but_are_not() {
    assert_eq!(kind("3 4 4 4 5 5 5 5"), None);
    assert_eq!(kind("3 3 3 3 4 4 4 4"), None);
    assert_eq!(kind("5 5 5 6 6 6 7 7 7 8 8 8"), Some(GroupType::Plane));
    assert_eq!(readings(hand("555666777888"), RuleSet::default()).len(), 1);
    assert_eq!(kind("3 3 3 4 4 4 5 5 5 5"), None);
}

/// <https://github.com/datamllab/rlcard/issues/300>
#[test]
fn p02_two_single_kickers_of_the_same_rank() {
    assert_eq!(kind("3 3 3 4 4 4 5 5"), Some(GroupType::PlaneWithSingles));
    assert_eq!(kind("3 3 3 3 4 4"), Some(GroupType::FourWithTwoSingles));
    assert!(group("44455566").beats(&group("33344455")));
    for cards in ["33344455", "333344"] {
        assert!(recognise(hand(cards), Preset::Pagat.rules(), None).is_err(), "{cards} when kickers differ");
    }
}

/// <https://github.com/kwai/DouZero/issues/26>
#[test]
fn p03_nothing_beats_the_rocket() {
    assert_eq!(cards("D X").len(), 2);
    for rocket in ["X D", "D X"] {
        legal(Role::PeasantAfter, "3 3 4 4 4 4 5 6 7 8 T T J Q K K 2", rocket, Role::Landlord, &[""]);
    }
}

/// <https://github.com/Whotakesmyname/ChinesePokerGame/issues/1>
#[test]
fn p04_a_quad_beats_any_ordinary_group_and_never_the_reverse() {
    legal(Role::PeasantAfter, "8 8 8 8 T T 2 2", "Q Q", Role::Landlord, &["", "2 2", "8 8 8 8"]);
    assert!(group("8888").beats(&group("QQ")));
    assert!(!group("22").beats(&group("8888")));
    assert!(group("9999").beats(&group("8888")));
    assert!(!group("9999").beats(&group("XD")));
}

/// <https://github.com/ljheee/PlayCard/issues/1>
#[test]
fn p05_where_the_two_may_go() {
    for illegal in ["345A2", "JQKA2", "334422", "KKAA22", "AAA222"] {
        assert_eq!(kind(illegal), None, "{illegal}");
    }
    assert_eq!(kind("33344452"), Some(GroupType::PlaneWithSingles));
    assert_eq!(kind("33222"), Some(GroupType::TrioWithPair));
    assert_eq!(kind("QQQKKKAAA222"), Some(GroupType::PlaneWithSingles));
}

/// <https://github.com/An0nym6/LandlordsEndgame/issues/5>
#[test]
fn p06_runs_that_contain_a_ten() {
    assert_eq!(kind("T T J J Q Q"), Some(GroupType::PairChain));
    assert_eq!(kind("10 10 J J Q Q"), Some(GroupType::PairChain));
}

/// <https://github.com/kwai/DouZero/issues/43>
#[test]
fn p07_both_jokers_as_kickers_need_the_option() {
    assert_eq!(kind("7777XD"), None);
    let allowed = RuleSet { rocket_as_kickers: true, ..RuleSet::default() };
    assert!(recognise(hand("7777XD"), allowed, None).is_ok());
}

/// <https://github.com/zhengguocheng-cpu/doudizhu>, commit 312656c
#[test]
fn p11_the_pair_that_works_is_found() {
    legal(Role::PeasantBefore, "3 3 5 6 7 8 Q Q", "J J", Role::Landlord, &["", "Q Q"]);
}

/// The same project's `BUG_FIX_MISSING_LAST_PATTERN.md`.
#[test]
fn p12_a_pass_in_between_leaves_the_group_to_beat() {
    legal(Role::PeasantBefore, "8 8 9 9 9 Q K 2", "3 3 4 4 4", Role::Landlord, &["", "88999"]);
}

/// <https://github.com/tianqiraf/DouZero_For_HappyDouDiZhu/issues/9>,
/// <https://github.com/Vincentzyx/DouZero_For_HLDDZ_FullAuto/issues/11>
#[test]
fn p13_impossible_hands_are_refused_by_name() {
    let refused = |input: SituationInput, text: &str| {
        let violations = Situation::new(&input).unwrap_err();
        assert!(violations.iter().any(|violation| violation.to_string().contains(text)), "{violations:?}");
    };
    refused(SituationInput::lead(Role::Landlord, cards("77777")), "rank 7");
    refused(SituationInput::lead(Role::Landlord, cards("333344445555666677778")), "21 cards");
    refused(SituationInput::lead(Role::Landlord, cards("XX")), "rank X");
    refused(SituationInput::follow(Role::Landlord, cards("777"), cards("77"), Role::PeasantAfter), "rank 7");
    refused(SituationInput::lead(Role::PeasantAfter, cards("333344445555666677")), "18 cards");
}

/// <https://github.com/datamllab/rlcard/issues/91>: the worst hands are rich in trios.
#[test]
fn p14_a_hand_full_of_trios_has_its_plays() {
    let held = cards("3 3 3 4 4 4 5 5 5 6 6 6 7 7 7 8 8 8 9 X");
    let situation = Situation::new(&SituationInput::lead(Role::Landlord, held)).unwrap();
    let mut plays = Vec::new();
    situation.for_each_play(|play| plays.push(play));
    // Counted by the recogniser over all subsets of these cards.
    let subsets = 4usize.pow(6) * 2 * 2;
    assert!(plays.len() > 100 && plays.len() < subsets);
    assert!(plays.contains(&Play::Group(group("333444555666777888"))));
    assert!(plays.contains(&Play::Group(group("3334445556669X78"))));
}

/// <https://github.com/kwai/DouZero/issues/10>: the answers that a partner who never played had.
#[test]
fn p16_the_cheap_single_is_among_the_answers() {
    let answers = ["", "6", "7", "9", "J", "Q", "A"];
    legal(Role::PeasantAfter, "6 7 7 7 9 J Q A A", "5", Role::Landlord, &answers);
}

#[track_caller]
fn check(case: &Case, input: &SituationInput) {
    let situation = Situation::new(input).unwrap();
    let registry = Registry::builtin();
    for name in case.by {
        let answer = decide(registry.find(name).unwrap().as_ref(), &situation).play.cards();
        assert!(case.accepts(answer), "{}: {name} answers {answer:?} to {input:?}", case.name);
    }
}

#[test]
fn reported_turns_are_settled() {
    for case in CASES {
        check(case, &case.input());
    }
}

/// Where the report's mistake is one of the group alone, the answer does not hang on the numbers of cards.
#[test]
fn reported_turns_are_settled_in_minimal_situations() {
    for case in CASES.iter().filter(|case| ["p03", "p07", "p08", "p15", "p16"].contains(&case.name)) {
        let mut input = case.input();
        input.cards_left = PerRole::default();
        check(case, &input);
    }
}

/// Where a room allows the jokers as kickers, they are still not thrown away.
#[test]
fn p07_the_rocket_is_kept_where_it_could_be_kickers() {
    for case in CASES.iter().filter(|case| case.name == "p07") {
        let mut input = case.input();
        for rules in [RuleSet { rocket_as_kickers: true, ..RuleSet::default() }, Preset::Loose.rules()] {
            input.rules = rules;
            check(case, &input);
        }
    }
}
