//! What holds for every strategy there is.

use doudizhu::cards::Hand;
use doudizhu::game::{Dice, Role, Situation, SituationInput, Table, deal};
use doudizhu::groups::{Play, legal_plays};
use doudizhu::strategy::{Budget, Registry, Scratch, Thinking};
use proptest::prelude::*;

use crate::support::{any_hand, any_rules, cards};

fn is_legal(situation: &Situation, answer: Play) -> bool {
    let mut legal = false;
    situation.for_each_play(|play| legal |= play == answer);
    legal
}

#[test]
fn strategies_are_found_by_their_names() {
    let registry = Registry::builtin();
    let names: Vec<_> = registry.names().collect();
    for name in ["random", "classic", "rhcp", "rhcp-team"] {
        assert!(names.contains(&name), "{name}");
        assert_eq!(registry.find(name).unwrap().name(), name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Under any rules, from any hand, to lead or on any group of friend or foe, knowing next to nothing: the
    /// answer is legal, comes again, and is the whole hand where that may be played.
    #[test]
    fn any_situation_has_a_legal_answer(
        held in any_hand(17),
        other in any_hand(17),
        role in proptest::sample::select(&Role::ALL[..]),
        last in proptest::option::of(any::<bool>()),
        left in proptest::option::of(1u32..=16),
        pick in any::<prop::sample::Index>(),
        rules in any_rules(),
    ) {
        let list = |hand: Hand| cards(&hand.to_string());
        let tables: Vec<_> = legal_plays(other.min(Hand::DECK - held), None, rules)
            .iter()
            .filter_map(Play::group)
            .filter(|group| group.cards().len() < 17)
            .collect();
        let mut input = SituationInput::lead(role, list(held));
        if let Some(next) = last && !tables.is_empty() {
            let table = pick.get(&tables);
            let owner = if next { role.next() } else { role.previous() };
            input = SituationInput::follow(role, list(held), list(table.cards()), owner);
            input.to_beat_type = Some(table.kind());
            input.cards_left[owner] = left.filter(|left| *left as usize + table.cards().len() <= 17);
        }
        input.rules = rules;
        let situation = Situation::new(&input).unwrap();
        let mut whole = false;
        situation.for_each_play(|play| whole |= play.cards() == held);
        let registry = Registry::builtin();
        for name in registry.names() {
            let strategy = registry.find(name).unwrap();
            let decide = || {
                let scratch = &mut Scratch::default();
                strategy.decide(&situation, &mut Thinking { seed: 3, budget: Budget::IMMEDIATE, scratch })
            };
            let decision = decide();
            prop_assert!(is_legal(&situation, decision.play), "{name}: {}", decision.play);
            prop_assert_eq!(decision, decide());
            if whole && ["classic", "rhcp-team"].contains(&name) {
                prop_assert_eq!(decision.play.cards(), held, "{} goes out", name);
            }
        }
    }

    /// Whole games among all strategies, with the full record and with the minimum: every play is legal to the
    /// referee, and the game ends.
    #[test]
    fn games_end(seed in any::<u64>(), minimal in any::<bool>(), rules in any_rules()) {
        let registry = Registry::builtin();
        let names: Vec<_> = registry.names().collect();
        let mut dice = Dice::new(seed);
        let seats = Role::ALL.map(|_| registry.find(names[dice.below(names.len())]).unwrap());
        let mut table = Table::new(&deal(&mut dice), rules);
        let mut scratch = Scratch::default();
        for _ in 0..3 * 54 {
            if table.winner().is_some() {
                break;
            }
            let full = table.situation();
            let situation = if minimal { full.minimal() } else { full.clone() };
            let thinking =
                &mut Thinking { seed: dice.bits(), budget: Budget::IMMEDIATE, scratch: &mut scratch };
            let strategy = seats[table.turn() as usize];
            let decision = strategy.decide(&situation, thinking);
            prop_assert_eq!(table.play(decision.play), Ok(()), "{}", strategy.name());
        }
        prop_assert!(table.winner().is_some());
    }
}
