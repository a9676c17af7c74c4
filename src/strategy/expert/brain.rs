use crate::cards::Hand;
use crate::game::Role;
use crate::groups::Play;

use super::facts::Facts;
use super::features::{self, Context, Rows};
use super::kernel::Lane;
use super::network::{Accumulator, Network, Outlook};
use super::rounds::fewest_rounds;

/// The three networks.
#[derive(Clone)]
pub(crate) struct Brain {
    /// In the order of [`Role::ALL`].
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
        Look {
            network,
            lane,
            hand: facts.hand,
            context: Context::new(facts),
            base: network.sum(lane, rows.as_slice()),
            new: Rows::new(),
            gone: Rows::new(),
        }
    }

    /// The network of `role`.
    pub(crate) fn network(&self, role: Role) -> &Network {
        &self.networks[role as usize]
    }
}

/// One turn, whose candidates are looked at one by one.
pub(crate) struct Look<'a> {
    network: &'a Network,
    lane: Lane,
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
        features::candidate_rows(&self.context, play, rest, fewest_rounds(rest), &mut self.new);
        features::rest_changes(self.hand, rest, &mut self.gone, &mut self.new);
        self.network.outlook(self.lane, &self.base, self.new.as_slice(), self.gone.as_slice())
    }
}

/// All rows of the first layer for `play`: what [`Brain::look`] and [`Look::at`] add up to.
pub(crate) fn all_rows(facts: &Facts, play: &Play, rows: &mut Rows) {
    let context = Context::new(facts);
    let rest = features::rest_after(&context, play);
    rows.clear();
    features::turn_rows(facts, rows);
    features::rest_rows(rest, rows);
    features::candidate_rows(&context, play, rest, fewest_rounds(rest), rows);
}
