//! What a game is worth.

use doudizhu::game::{History, Objective, Outcome, PerRole, Role, ScoreRules, Stakes};
use doudizhu::groups::Play;

use crate::support::group;

const SPRING: ScoreRules = ScoreRules { spring: true };

/// The record of a game from the groups of its turns, `-` for a pass.
fn history(turns: &str) -> History {
    let mut history = History::default();
    for turn in turns.split_whitespace() {
        let cards: Vec<String> = turn.chars().map(String::from).collect();
        let play = if turn == "-" { Play::Pass } else { Play::Group(group(&cards.join(" "))) };
        history.push(play).unwrap();
    }
    history
}

#[test]
fn bombs_and_the_rocket_double() {
    let outcome = |doublings| Outcome { winner: Role::Landlord, doublings, spring: false };
    let points = |doublings| outcome(doublings).points(&Stakes::default(), ScoreRules::default());
    assert_eq!(points(0), PerRole([2, -1, -1]));
    assert_eq!(points(1), PerRole([4, -2, -2]));
    assert_eq!(points(5), PerRole([64, -32, -32]));
}

#[test]
fn bid_and_doubling_multiply_the_stake_of_each_peasant() {
    let stakes = Stakes { bid: 3, doubled: PerRole([1, 4, 1]) };
    let lost = Outcome { winner: Role::PeasantBefore, doublings: 1, spring: false };
    assert_eq!(lost.points(&stakes, ScoreRules::default()), PerRole([-30, 24, 6]));
    let won = Outcome { winner: Role::Landlord, ..lost };
    assert_eq!(won.points(&stakes, ScoreRules::default()), PerRole([30, -24, -6]));
}

#[test]
fn spring_is_a_game_without_a_card_of_the_peasants() {
    let all = history("34567 - - 789TJQKA - - 3334 - - 555");
    assert_eq!(Outcome::of(&all), Some(Outcome { winner: Role::Landlord, doublings: 0, spring: true }));
    let answered = history("34567 6789T - 789TJ - - 3334 - - KKKAAA");
    assert_eq!(Outcome::of(&answered).map(|outcome| outcome.spring), Some(false));
    let outcome = Outcome::of(&all).unwrap();
    assert_eq!(outcome.points(&Stakes::default(), SPRING), PerRole([4, -2, -2]));
    assert_eq!(outcome.points(&Stakes::default(), ScoreRules::default()), PerRole([2, -1, -1]));
}

/// Anti-spring counts the landlord's groups, not the turns: exactly the first one, whatever was passed later.
#[test]
fn anti_spring_is_a_landlord_who_played_one_group() {
    let one = history("3 - 4 - - 34567 - - 789TJ - - QQQKKK");
    assert_eq!(Outcome::of(&one), Some(Outcome { winner: Role::PeasantBefore, doublings: 0, spring: true }));
    let two = history("3 - 4 5 - 6 - - 34567 - - 789TJ - - QQQKK");
    assert_eq!(
        Outcome::of(&two).map(|outcome| (outcome.winner, outcome.spring)),
        Some((Role::PeasantBefore, false))
    );
}

#[test]
fn a_game_that_goes_on_has_no_outcome() {
    assert_eq!(Outcome::of(&history("3 4 5")), None);
    assert_eq!(Outcome::of(&History::default()), None);
}

#[test]
fn the_objective_decides_what_is_counted() {
    let outcome = Outcome { winner: Role::PeasantAfter, doublings: 2, spring: false };
    let payoff = |objective: Objective, role| {
        objective.payoff(&outcome, &Stakes::default(), ScoreRules::default(), role)
    };
    assert_eq!(payoff(Objective::default(), Role::PeasantBefore), 1.0);
    assert_eq!(payoff(Objective::default(), Role::Landlord), 0.0);
    assert_eq!(payoff(Objective::Points, Role::Landlord), -8.0);
    assert_eq!(payoff(Objective::Points, Role::PeasantBefore), 4.0);
}
