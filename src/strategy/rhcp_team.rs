//! RHCP for a team: the evaluator of [`rhcp`](super::rhcp) and what its articles only announced.

pub(crate) mod features;
mod finish;
mod holdings;
pub(crate) mod weights;

use crate::cards::{Hand, Rank, RankMask};
use crate::game::Situation;
use crate::groups::{Group, GroupType, Play};

use super::rhcp::{Evaluator, low_kickers};
use super::{Decision, Evaluation, HandValue, Strategy, Thinking, goes_out};

use features::{Feature, View};
use weights::Weights;

/// The `rhcp-team` strategy.
#[derive(Clone, Debug, Default)]
pub struct RhcpTeam {
    pub(crate) weights: Weights,
}

impl Strategy for RhcpTeam {
    fn name(&self) -> &'static str {
        "rhcp-team"
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        let mut evaluator = Evaluator::thrifty(situation.rules(), Some(&mut thinking.scratch.memo));
        let play = settled(situation).unwrap_or_else(|| {
            let view = View::new(situation);
            if view.partner_is_sure() { Play::Pass } else { self.best(situation, &view, &mut evaluator) }
        });
        let rest = evaluator.value(situation.hand() - play.cards());
        Decision {
            play,
            evaluation: Evaluation { rest: Some(rest), win_probability: None },
            cost: evaluator.cost(),
        }
    }
}

impl RhcpTeam {
    /// The candidate with the highest score, the first among equals, unless one goes out by force.
    fn best(&self, situation: &Situation, view: &View, evaluator: &mut Evaluator<'_>) -> Play {
        let weights = &self.weights.0[view.context];
        let mut best: Option<(f32, Play)> = None;
        let mut search = finish::Search::new(view, situation.rules());
        let mut forced = None;
        for_each_candidate(situation, view, evaluator, &mut |evaluator, play, rest, value| {
            if forced.is_some() {
                return;
            }
            let features = view.features(&play, rest, value, evaluator);
            if features[Feature::Mine as usize] >= 1.0 && search.goes_out(rest) {
                forced = Some(play);
            }
            let score = features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum::<f32>();
            if best.is_none_or(|(found, _)| score > found) {
                best = Some((score, play));
            }
        });
        forced.or(best.map(|(_, play)| play)).unwrap_or(Play::Pass)
    }
}

/// Calls `each` with every play worth scoring, what it leaves and the value of that.
pub(crate) fn for_each_candidate(
    situation: &Situation,
    view: &View,
    evaluator: &mut Evaluator<'_>,
    each: &mut impl FnMut(&mut Evaluator<'_>, Play, Hand, HandValue),
) {
    let hand = situation.hand();
    let leads = situation.is_lead().then(|| Leads::new(hand, view));
    situation.for_each_play(|play| {
        if let Play::Group(group) = play {
            if (group.cards() - group.body()).has_rocket() {
                // Where rooms allow it, it is still a rocket thrown away.
                return;
            }
            if hand.len() > Leads::FEW && !carries_low(hand, &group) {
                return;
            }
            if leads.as_ref().is_some_and(|leads| !leads.offer(&group)) {
                return;
            }
        }
        let rest = hand - play.cards();
        let value = evaluator.value(rest);
        each(evaluator, play, rest, value);
    });
}

/// Which leads are scored. From a large hand most are never the best one, and the values of what they leave
/// are what a decision costs.
struct Leads {
    singles: RankMask,
    pairs: RankMask,
    quads_carry: bool,
    run: RankMask,
}

impl Leads {
    /// Hands of at most so many cards lead anything.
    const FEW: usize = 8;

    fn new(hand: Hand, view: &View) -> Leads {
        if hand.len() <= Leads::FEW {
            return Leads {
                singles: RankMask::ALL,
                pairs: RankMask::ALL,
                quads_carry: true,
                run: RankMask::default(),
            };
        }
        let only = |rank: Option<Rank>| rank.map_or(RankMask::default(), RankMask::only);
        let low = |copies: u8| {
            let lone = hand.exactly(copies).lowest();
            let any = hand.at_least(copies).lowest();
            let high = hand.at_least(copies).highest().filter(|_| view.is_urgent());
            only(lone.or(any)).or(only(high))
        };
        Leads {
            singles: low(1),
            pairs: low(2),
            quads_carry: hand.len() <= 12,
            run: hand.at_least(1).and(RankMask::CHAINABLE),
        }
    }

    fn offer(&self, group: &Group) -> bool {
        match group.kind() {
            GroupType::Single => self.singles.contains(group.main_rank()),
            GroupType::Pair => self.pairs.contains(group.main_rank()),
            GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs => self.quads_carry,
            GroupType::Straight => {
                let below = group.lowest_rank().index().checked_sub(1);
                below.is_none_or(|below| !self.run.contains(Rank::from_index(below)))
            }
            GroupType::Trio | GroupType::Plane => self.quads_carry,
            _ => true,
        }
    }
}

/// Whether the kickers of `group`, if it has any, are among the [`low_kickers`].
fn carries_low(hand: Hand, group: &Group) -> bool {
    let Some((units, size)) = group.kickers() else { return true };
    let body = group.body();
    low_kickers(hand, body, units, size).contains(group.cards() - body)
}

/// The play where it is beyond doubt: the only one there is, going out at once, or letting the partner go out.
pub(crate) fn settled(situation: &Situation) -> Option<Play> {
    if let Some(whole) = goes_out(situation) {
        return Some(whole.into());
    }
    let mut plays = 0;
    situation.for_each_play(|_| plays += 1);
    (plays == 1 && !situation.is_lead()).then_some(Play::Pass)
}
