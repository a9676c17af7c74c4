use crate::game::{Dice, Situation};
use crate::groups::Play;

use super::{Cost, Decision, Evaluation, Strategy, Thinking};

/// Any legal play, each as likely as the next: the yardstick at the bottom of every table of strength.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Strategy for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        // Two walks over the plays instead of a list of them: nothing is allocated.
        let mut plays = 0;
        situation.for_each_play(|_| plays += 1);
        let chosen = Dice::new(thinking.seed).below(plays);
        let mut play = Play::Pass;
        let mut position = 0;
        situation.for_each_play(|candidate| {
            if position == chosen {
                play = candidate;
            }
            position += 1;
        });
        Decision { play, evaluation: Evaluation::default(), cost: Cost::default() }
    }
}
