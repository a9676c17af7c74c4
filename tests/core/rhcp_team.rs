//! The `rhcp-team` strategy: what is beyond doubt, and what it must never do. What it should choose otherwise is
//! a matter of strength, which the arena measures.

use doudizhu::game::{Dice, PerRole, Role, Situation, SituationInput, Table, deal};
use doudizhu::groups::{Play, RuleSet};
use doudizhu::strategy::{Budget, RhcpTeam, Scratch, Strategy as _, Thinking};
use proptest::prelude::*;

use crate::support::{cards, decide, hand};

fn lead(role: Role, held: &str, left: [u32; 3]) -> Situation {
    let mut input = SituationInput::lead(role, cards(held));
    input.cards_left = PerRole(left.map(Some));
    Situation::new(&input).unwrap()
}

fn follow(role: Role, held: &str, table: &str, last: Role, left: [u32; 3]) -> Situation {
    let mut input = SituationInput::follow(role, cards(held), cards(table), last);
    input.cards_left = PerRole(left.map(Some));
    Situation::new(&input).unwrap()
}

#[track_caller]
fn answers(situation: &Situation, expected: &str) {
    assert_eq!(decide(&RhcpTeam::default(), situation).play.cards(), hand(expected));
}

#[test]
fn it_goes_out_by_force() {
    // Pairs that an enemy with one card cannot answer, the single last.
    answers(&lead(Role::PeasantAfter, "3 9 9", [1, 3, 9]), "99");
    answers(&lead(Role::Landlord, "4 9 9 J J", [5, 1, 1]), "99");
    // The rocket beats anything, and then the last group is led.
    answers(&follow(Role::Landlord, "5 5 X D", "A A", Role::PeasantAfter, [4, 9, 9]), "XD");
    // The big joker takes the lead for the last pair.
    answers(&follow(Role::Landlord, "7 7 D", "X", Role::PeasantAfter, [3, 3, 3]), "D");
}

#[test]
fn it_lets_the_partner_go_out() {
    // The landlord has passed on the partner's group.
    answers(&follow(Role::PeasantAfter, "5 A 2", "9", Role::PeasantBefore, [6, 3, 1]), "");
    // The landlord, who plays next, has too few cards to answer.
    answers(&follow(Role::PeasantBefore, "3 4 9 9", "8 8", Role::PeasantAfter, [1, 1, 4]), "");
    // But it goes out itself where it can.
    answers(&follow(Role::PeasantAfter, "A A", "9 9", Role::PeasantBefore, [6, 2, 1]), "AA");
}

#[test]
fn its_cost_is_bounded() {
    for held in ["3334445556667778889X", "33344455566677788899", "333444666777999TJJKA"] {
        let decision = decide(&RhcpTeam::default(), &lead(Role::Landlord, held, [20, 17, 17]));
        assert!(decision.cost.states < 10_000, "{held}: {:?}", decision.cost);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Whole games, with the full record and with the minimum: no bomb on the partner but to go out next, and of
    /// all plays ranked the first is the one decided on.
    #[test]
    fn games_of_the_team(seed in any::<u64>()) {
        let team = RhcpTeam::default();
        let mut table = Table::new(&deal(&mut Dice::new(seed)), RuleSet::default());
        let mut scratch = Scratch::default();
        while table.winner().is_none() {
            let situation = table.situation().clone();
            for turn in [situation.minimal(), situation.clone()] {
                let budget = Budget::IMMEDIATE;
                let decision = decide(&team, &turn);
                let bomb = decision.play.group().filter(|group| group.kind().crosses_types());
                if let (Some(bomb), Some((_, owner))) = (bomb, turn.table())
                    && turn.role().partner() == Some(owner)
                {
                    let rest = turn.hand() - bomb.cards();
                    let rounds = decision.evaluation.rest.unwrap().rounds;
                    prop_assert!(rounds <= 1, "{bomb} on the partner's group leaves {rest}");
                }
                let ranking = team.rank(&turn, &mut Thinking { seed: 0, budget, scratch: &mut scratch });
                prop_assert_eq!(ranking.plays[0].play, decision.play);
                let mut legal = Vec::<Play>::new();
                turn.for_each_play(|play| legal.push(play));
                prop_assert_eq!(ranking.plays.len(), legal.len());
                prop_assert!(legal.iter().all(|play| ranking.plays.iter().any(|ranked| ranked.play == *play)));
            }
            prop_assert_eq!(table.play(decide(&team, &situation).play), Ok(()));
        }
    }
}
