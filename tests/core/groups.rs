//! Recognition and generation against the independent table, the published counts, and each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::hand;
use doudizhu::cards::{Hand, Rank};
use doudizhu::groups::{
    Group, GroupType, Preset, RuleSet, for_each_group_of_type, legal_plays, readings, recognise,
};

/// RLCard 1.2.0's table of all groups (`jsondata/card_type.json`), as tab-separated columns: cards, type,
/// lowest rank of the body, strength, chain length, number of cards.
const TABLE: &str = include_str!("../data/groups.tsv");

struct Row {
    cards: Hand,
    kind: GroupType,
    lowest: Rank,
    links: u8,
}

fn table() -> Vec<Row> {
    let rows: Vec<Row> = TABLE
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("cards"))
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let links: u8 = columns[4].parse().unwrap();
            let kind = match columns[1] {
                "solo" => GroupType::Single,
                "pair" => GroupType::Pair,
                "trio" => GroupType::Trio,
                "solo_chain" => GroupType::Straight,
                "pair_chain" => GroupType::PairChain,
                "trio_chain" => GroupType::Plane,
                "trio_solo" => GroupType::TrioWithSingle,
                "trio_pair" => GroupType::TrioWithPair,
                "trio_solo_chain" => GroupType::PlaneWithSingles,
                "trio_pair_chain" => GroupType::PlaneWithPairs,
                "four_two_solo" => GroupType::FourWithTwoSingles,
                "four_two_pair" => GroupType::FourWithTwoPairs,
                "bomb" => GroupType::Bomb,
                "rocket" => GroupType::Rocket,
                other => panic!("unknown type {other}"),
            };
            Row { cards: hand(columns[0]), kind, lowest: hand(columns[2]).ranks().next().unwrap(), links }
        })
        .collect();
    assert_eq!(rows.len(), 27_471);
    rows
}

fn all_groups(rules: RuleSet) -> Vec<Group> {
    let mut groups = Vec::new();
    for kind in GroupType::ALL {
        for_each_group_of_type(Hand::DECK, kind, rules, &mut |group| groups.push(group));
    }
    groups
}

#[test]
fn every_group_of_the_table_is_recognised() {
    for row in table() {
        let group = recognise(row.cards, RuleSet::default(), None)
            .unwrap_or_else(|error| panic!("{}: {error}", row.cards));
        assert_eq!(group.kind(), row.kind, "{}", row.cards);
        assert_eq!(group.lowest_rank(), row.lowest, "{}", row.cards);
        if row.kind != GroupType::Rocket {
            assert_eq!(group.links(), row.links, "{}", row.cards);
        }
        assert_eq!(group.cards(), row.cards);
        assert_eq!(readings(row.cards, RuleSet::default()).len(), 1, "{} has one reading", row.cards);
    }
}

#[test]
fn the_full_deck_generates_exactly_the_table() {
    let expected: BTreeSet<Hand> = table().into_iter().map(|row| row.cards).collect();
    let generated = all_groups(RuleSet::default());
    assert_eq!(generated.len(), 27_471);
    let cards: BTreeSet<Hand> = generated.iter().map(Group::cards).collect();
    assert_eq!(cards, expected);
    assert_eq!(legal_plays(Hand::DECK, None, RuleSet::default()).len(), 27_471);
}

/// The numbers published for each option alone and for the presets; see the sources at `RuleSet`.
#[test]
fn option_counts() {
    let official = RuleSet::default();
    let alone = [
        (RuleSet { distinct_kickers: true, ..official }, 12_654),
        (RuleSet { rocket_as_kickers: true, ..official }, 28_946),
        (RuleSet { adjacent_trio_kickers: true, ..official }, 28_237),
        (RuleSet { quad_kickers: true, ..official }, 27_986),
        (RuleSet { same_pair_twice: true, ..official }, 31_240),
        (RuleSet { no_four_with_two: true, ..official }, 25_287),
    ];
    for (rules, count) in alone {
        assert_eq!(all_groups(rules).len(), count, "{rules:?}");
    }
    let presets = [
        (Preset::Official, 27_471),
        (Preset::DouZero, 30_383),
        (Preset::Pagat, 12_654),
        (Preset::OpenSpiel, 26_053),
        (Preset::Loose, 34_152),
    ];
    for (preset, count) in presets {
        assert_eq!(all_groups(preset.rules()).len(), count, "{preset:?}");
    }
}

/// The numbers of ambiguous card sets published with the options that make them.
#[test]
fn ambiguous_counts() {
    let official = RuleSet::default();
    let expected = [
        (official, 0),
        (RuleSet { adjacent_trio_kickers: true, ..official }, 383),
        (RuleSet { same_pair_twice: true, ..official }, 78),
        (Preset::Loose.rules(), 468),
    ];
    for (rules, count) in expected {
        let mut readings_of: BTreeMap<Hand, usize> = BTreeMap::new();
        for group in all_groups(rules) {
            *readings_of.entry(group.cards()).or_default() += 1;
        }
        assert_eq!(readings_of.values().filter(|readings| **readings > 1).count(), count, "{rules:?}");
    }
}
