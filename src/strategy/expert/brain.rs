use crate::cards::Hand;
use crate::groups::Play;

use super::facts::Facts;
use super::features::{self, Context, Rows};
use super::kernel::Lane;
use super::network::{Accumulator, Network, Outlook};
use super::partition::Partition;
use super::stage::stage_of;

/// The three networks.
#[derive(Clone)]
pub(crate) struct Brain {
    /// In the order of [`crate::game::Role::ALL`].
    pub networks: [Network; 3],
}

impl Brain {
    /// Makes ready to look at the candidates of the turn that `facts` describe.
    #[inline]
    pub(crate) fn look(&self, facts: &Facts, lane: Lane) -> Look<'_> {
        let network = &self.networks[facts.role as usize];
        let mut rows = Rows::new();
        features::turn_rows(facts, &mut rows);
        features::rest_rows(facts.hand, &mut rows);
        let stage = stage_of(facts);
        Look {
            network,
            lane,
            stage,
            hand: facts.hand,
            context: Context::new(facts),
            base: network.sum(lane, stage, rows.as_slice()),
            new: Rows::new(),
            gone: Rows::new(),
        }
    }
}

/// One turn, whose candidates are looked at one by one.
pub(crate) struct Look<'a> {
    network: &'a Network,
    lane: Lane,
    stage: usize,
    hand: Hand,
    context: Context,
    base: Accumulator,
    new: Rows,
    gone: Rows,
}

impl Look<'_> {
    /// What the network says of `play`, which leaves cards in the hand.
    #[inline]
    pub(crate) fn at(&mut self, play: &Play) -> Outlook {
        let rest = features::rest_after(&self.context, play);
        self.new.clear();
        self.gone.clear();
        features::candidate_rows(&self.context, play, rest, &Partition::of(rest), &mut self.new);
        features::rest_changes(self.hand, rest, &mut self.gone, &mut self.new);
        self.network.outlook(self.lane, self.stage, &self.base, self.new.as_slice(), self.gone.as_slice())
    }
}

#[cfg(any(test, feature = "train"))]
/// All rows of the first layer for `play`: what [`Brain::look`] and [`Look::at`] add up to.
pub(crate) fn all_rows(facts: &Facts, play: &Play, rows: &mut Rows) {
    let context = Context::new(facts);
    let rest = features::rest_after(&context, play);
    rows.clear();
    features::turn_rows(facts, rows);
    features::rest_rows(rest, rows);
    features::candidate_rows(&context, play, rest, &Partition::of(rest), rows);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::game::{Dice, Table, deal};
    use crate::groups::RuleSet;
    use crate::strategy::expert::network::{NARROW, OUTPUTS, WIDE};

    fn random_brain(dice: &mut Dice) -> Brain {
        let mut network = || {
            let mut network = Network::zero();
            let mut number = |most: i64| (dice.below(2 * most as usize + 1) as i64 - most) as i16;
            for (row, shift) in network.first.iter_mut().zip(&mut network.shifts) {
                row.0.iter_mut().for_each(|weight| *weight = number(127) as i8);
                *shift = number(1).unsigned_abs() as u8;
            }
            for dense in &mut network.dense {
                for unit in 0..WIDE {
                    for narrow in 0..NARROW {
                        dense.second.0[unit / 2][narrow][unit % 2] = number(2047);
                    }
                }
                for output in 0..OUTPUTS {
                    dense.third[output].iter_mut().for_each(|weight| *weight = number(4095));
                }
            }
            network
        };
        Brain { networks: [network(), network(), network()] }
    }

    /// A candidate's sums by change are those of all its rows, and every lane says the same, at full swing.
    #[test]
    fn a_look_is_all_rows_on_every_lane() {
        let mut dice = Dice::new(9);
        let brain = random_brain(&mut dice);
        for number in 0..40 {
            let mut table = Table::new(&deal(&mut dice), RuleSet::default());
            while table.winner().is_none() {
                let minimal = table.situation().minimal();
                let situation = if number % 2 == 0 { table.situation() } else { &minimal };
                let facts = Facts::of(situation);
                let mut looks: Vec<_> =
                    Lane::all().into_iter().map(|lane| brain.look(&facts, lane)).collect();
                let network = &brain.networks[facts.role as usize];
                let mut plays = Vec::new();
                let mut rows = Rows::new();
                situation.for_each_play(|play| {
                    if play.cards() != facts.hand {
                        all_rows(&facts, &play, &mut rows);
                        let stage = stage_of(&facts);
                        let sums = network.sum(Lane::Portable, stage, rows.as_slice());
                        let whole = network.outlook(Lane::Portable, stage, &sums, &[], &[]);
                        looks.iter_mut().for_each(|look| assert_eq!(look.at(&play), whole));
                    }
                    plays.push(play);
                });
                table.play(plays[dice.below(plays.len())]).unwrap();
            }
        }
    }
}
