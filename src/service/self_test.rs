//! What a strategy must get right before the server calls itself ready: a whole game, all three seats, under the
//! eyes of the referee.

use crate::game::{Dice, Table, deal};
use crate::groups::RuleSet;
use crate::strategy::{Budget, Strategy, Thinking};

use super::compute;

/// A strategy that is not fit to serve.
#[derive(Debug, thiserror::Error)]
#[error("self-test failed: strategy {strategy}: {reason}")]
pub struct SelfTestFailed {
    strategy: &'static str,
    reason: String,
}

/// Has `strategy` play a game. The deal does not matter; it is always the same.
pub(super) fn check(strategy: &dyn Strategy) -> Result<(), SelfTestFailed> {
    let game = compute::think(|scratch| {
        let mut table = Table::new(&deal(&mut Dice::new(0)), RuleSet::default());
        while table.winner().is_none() {
            let mut thinking = Thinking { seed: 0, budget: Budget::IMMEDIATE, scratch };
            let decision = strategy.decide(table.situation(), &mut thinking);
            // Only legal plays come through, so that the hands shrink and the loop ends.
            table.play(decision.play).map_err(|illegal| illegal.to_string())?;
        }
        Ok(())
    });
    let outcome = game.unwrap_or_else(|panic| Err(format!("panicked: {}", panic.0)));
    outcome.map_err(|reason| SelfTestFailed { strategy: strategy.name(), reason })
}

#[cfg(test)]
mod tests {
    use crate::game::Situation;
    use crate::groups::Play;
    use crate::strategy::{Cost, Decision, Evaluation, Registry};

    use super::*;

    struct AlwaysPasses;

    impl Strategy for AlwaysPasses {
        fn name(&self) -> &'static str {
            "always_passes"
        }

        fn decide(&self, _: &Situation, _: &mut Thinking<'_>) -> Decision {
            Decision { play: Play::Pass, evaluation: Evaluation::default(), cost: Cost::default() }
        }
    }

    #[test]
    fn a_strategy_that_plays_illegally_is_found_out() {
        let failure = check(&AlwaysPasses).expect_err("a leader may not pass");
        assert_eq!(failure.to_string(), "self-test failed: strategy always_passes: the leader may not pass");
    }

    #[test]
    fn every_strategy_of_the_crate_passes() {
        let registry = Registry::builtin();
        for name in registry.names() {
            let strategy = registry.find(name).expect("it was listed");
            check(&**strategy).expect("plays legally");
        }
    }
}
