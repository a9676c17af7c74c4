//! Stages of a game. What a hand is worth is another question at the end than at the beginning, on the lead than
//! against a group, and to a player who knows little: every stage has dense layers of its own, which costs no time,
//! since a turn is in one. The first layer, which is far larger, has rows of its own for every phase, a few stages
//! together.

use super::facts::{Facts, Other};

/// Number of stages.
pub(crate) const STAGES: usize = 12;

/// Number of phases.
pub(crate) const PHASES: usize = 6;

/// The phase of each stage, below [`PHASES`]: the end of a game, all before it, and a player who does not know which
/// it is; each on the lead and against a group.
const PHASE_OF: [usize; STAGES] = [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5];

/// The phase that `stage` belongs to.
#[inline]
pub(crate) const fn phase_of(stage: usize) -> usize {
    PHASE_OF[stage]
}

/// Fewest cards of an enemy, below each of which a later stage begins.
const ENEMY_BOUNDS: [u8; 3] = [3, 6, 10];
/// Most cards of the own hand in the last stage of a player who does not know what the enemies hold.
const LATE_HAND: usize = 8;

/// The first stage of a player who does not know what the enemies hold; all from there on are such.
pub(crate) const FIRST_BLIND: usize = 2 * (ENEMY_BOUNDS.len() + 1);

/// The stage of the turn that `facts` describe: below [`STAGES`].
pub(crate) fn stage_of(facts: &Facts) -> usize {
    let following = usize::from(facts.table.is_some());
    let enemies = Other::BOTH.into_iter().filter(|seat| facts.is_enemy(*seat));
    let fewest = enemies.map(|seat| facts.left[seat as usize]).min().flatten();
    match fewest {
        Some(left) => 2 * ENEMY_BOUNDS.iter().filter(|bound| left >= **bound).count() + following,
        None => FIRST_BLIND + 2 * usize::from(facts.hand.len() > LATE_HAND) + following,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::game::{Dice, Table, deal};
    use crate::groups::RuleSet;

    /// Every stage occurs, and nothing but stages.
    #[test]
    fn games_go_through_all_stages() {
        let mut dice = Dice::new(2);
        let mut seen = [0; STAGES];
        for _ in 0..60 {
            let mut table = Table::new(&deal(&mut dice), RuleSet::default());
            while table.winner().is_none() {
                for situation in [table.situation(), &table.situation().minimal()] {
                    seen[stage_of(&Facts::of(situation))] += 1;
                }
                let mut plays = Vec::new();
                table.situation().for_each_play(|play| plays.push(play));
                table.play(plays[dice.below(plays.len())]).unwrap();
            }
        }
        assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    }
}
