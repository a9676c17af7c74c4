//! What users of other Dou Dizhu software reported, where a strong player has one right answer: the expert's,
//! with search and without. The names are those reports' (see `public_cases.rs` for those about the rules).

use doudizhu::cards::Hand;
use doudizhu::game::{Dice, PerRole, Role, Situation, SituationInput, Table, deal};
use doudizhu::groups::{Preset, RuleSet};
use doudizhu::strategy::{ALONE, Budget, Crew, Decision, Expert, Scratch, Strategy, Thinking};

use crate::support::{cards, hand};

const LANDLORD: Role = Role::Landlord;
const AFTER: Role = Role::PeasantAfter;
const BEFORE: Role = Role::PeasantBefore;

/// The answers of the expert without search and with some.
#[track_caller]
fn answers(input: SituationInput, left: [u32; 3]) -> Vec<Decision> {
    let situation = Situation::new(&SituationInput { cards_left: PerRole(left.map(Some)), ..input }).unwrap();
    let expert = Expert::shipped().unwrap();
    let mut scratch = Scratch::default();
    let mut answer = |iterations| {
        let budget = Budget { is_spent: &|| false, iterations: Some(iterations), crew: ALONE };
        expert.decide(&situation, &mut Thinking { seed: 1, budget, scratch: &mut scratch })
    };
    vec![answer(0), answer(64)]
}

#[track_caller]
fn wants(input: SituationInput, left: [u32; 3], wanted: &[&str]) {
    for answer in answers(input, left) {
        let wanted: Vec<Hand> = wanted.iter().map(|play| hand(play)).collect();
        assert!(wanted.contains(&answer.play.cards()), "{answer:?}");
    }
}

#[track_caller]
fn never(input: SituationInput, left: [u32; 3], unwanted: &[&str]) {
    for answer in answers(input, left) {
        assert!(unwanted.iter().all(|play| hand(play) != answer.play.cards()), "{answer:?}");
    }
}

#[test]
fn p03_passes_on_the_rocket() {
    let held = cards("3 3 4 4 4 4 5 6 7 8 T T J Q K K 2");
    wants(SituationInput::follow(AFTER, held, cards("X D"), LANDLORD), [4, 17, 12], &[""]);
}

/// <https://github.com/An0nym6/LandlordsEndgame/issues/5>
#[test]
fn p06_leads_the_run_that_nobody_can_answer() {
    wants(SituationInput::lead(LANDLORD, cards("5 T T J J Q Q")), [7, 2, 2], &["TTJJQQ"]);
}

/// <https://github.com/kwai/DouZero/issues/43>
#[test]
fn p07_keeps_the_rocket_though_it_may_be_kickers() {
    let rules = RuleSet { rocket_as_kickers: true, ..RuleSet::default() };
    let lead = SituationInput::lead(LANDLORD, cards("3 4 7 7 7 7 X D"));
    never(SituationInput { rules, ..lead.clone() }, [8, 5, 5], &["7777XD"]);
    never(SituationInput { rules: Preset::DouZero.rules(), ..lead }, [8, 5, 5], &["7777XD"]);
}

/// The second report in the same thread.
#[test]
fn p08_plays_the_whole_hand_when_it_is_one_group() {
    wants(SituationInput::lead(AFTER, cards("6 6 8 8 8 8")), [6, 6, 5], &["668888"]);
}

/// <https://github.com/datamllab/rlcard/issues/198>
#[test]
fn p09_does_not_beat_a_partner_who_is_about_to_go_out() {
    wants(SituationInput::follow(AFTER, cards("5 A 2"), cards("9"), BEFORE), [6, 3, 1], &[""]);
}

/// The second half of the same report.
#[test]
fn p10_does_not_lead_a_single_into_an_enemy_with_one_card() {
    wants(SituationInput::lead(BEFORE, cards("3 9 9")), [1, 5, 3], &["99"]);
}

/// <https://github.com/freefuiiismyname/ddz-ai/issues/2>
#[test]
fn p15_does_not_open_with_its_best_cards() {
    let held = cards("3 4 4 5 6 7 8 9 T J Q K K A 2 2 D");
    never(SituationInput::lead(LANDLORD, held), [17, 10, 10], &["A", "2", "D", "22"]);
}

/// <https://github.com/kwai/DouZero/issues/10>
#[test]
fn p16_takes_the_cheap_single() {
    never(
        SituationInput::follow(AFTER, cards("6 7 7 7 9 J Q A A"), cards("5"), LANDLORD),
        [14, 9, 12],
        &[""],
    );
}

/// Threads are as quick as they like: the answer is the same.
#[test]
fn the_number_of_threads_changes_nothing() {
    let mut dice = Dice::new(41);
    let expert = Expert::shipped().unwrap();
    let mut table = Table::new(&deal(&mut dice), RuleSet::default());
    while table.winner().is_none() {
        let decide = |crew: Crew<'_>| {
            let budget = Budget { is_spent: &|| false, iterations: Some(27), crew };
            let mut scratch = Scratch::default();
            expert.decide(table.situation(), &mut Thinking { seed: 5, budget, scratch: &mut scratch })
        };
        let alone = decide(ALONE);
        for most in [1, 3, 20] {
            let crew = |wanted: usize, work: &(dyn Fn() + Sync)| {
                std::thread::scope(|scope| {
                    (0..wanted.min(most)).for_each(|_| {
                        scope.spawn(work);
                    });
                });
            };
            assert_eq!(decide(&crew), alone);
        }
        table.play(alone.play).unwrap();
    }
}
