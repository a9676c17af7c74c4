//! RHCP for a team: the evaluator of [`rhcp`](super::rhcp), and what its series of articles only announced.
//!
//! Every play worth it is a candidate and gets a score, a weighted sum of [features](features::Feature): the value
//! of the hand that it leaves, as `rhcp` judges it, the worth of the group itself, the probabilities that it keeps
//! the lead, that an enemy or the partner goes out next, and how near everyone is to that. The probabilities
//! come from the unseen cards and the numbers of cards left ([`holdings`]); a situation that tells neither gets
//! guesses in their place. The [`weights`] were tuned by playing.
//!
//! Some answers are beyond doubt and need no score: the only legal one, going out, going out by force
//! ([`finish`]), and letting a partner go out who is about to.

pub(crate) mod features;
mod finish;
mod holdings;
pub(crate) mod weights;

use crate::cards::{Hand, Rank, RankMask};
use crate::game::Situation;
use crate::groups::{Group, GroupType, Play, for_each_play_attaching, has_higher_body};

use super::rhcp::{Evaluator, low_kickers};
use super::{Decision, Evaluation, HandValue, RankedPlay, Ranking, Strategy, Thinking, goes_out};

use features::{Judgement, View};
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
        let mut beyond_doubt = |play: Play| (play, evaluator.value(situation.hand() - play.cards()));
        let (play, rest) = match settled(situation) {
            Some(play) => beyond_doubt(play),
            None => {
                let view = View::new(situation);
                match view.partner_is_sure() {
                    true => beyond_doubt(Play::Pass),
                    false => self.best(situation, &view, &mut evaluator),
                }
            }
        };
        Decision {
            play,
            evaluation: Evaluation { rest: Some(rest), ..Evaluation::default() },
            cost: evaluator.cost(),
        }
    }

    /// What is decided first, the other plays by their scores.
    fn rank(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Ranking {
        let decision = self.decide(situation, thinking);
        let mut evaluator = Evaluator::thrifty(situation.rules(), Some(&mut thinking.scratch.memo));
        let view = View::new(situation);
        let mut scored = Vec::new();
        situation.for_each_play(|play| {
            let left = situation.hand() - play.cards();
            let rest = evaluator.value(left);
            let score = view.judge(&self.weights, &play, left, rest, &mut evaluator).score;
            let evaluation = Evaluation { rest: Some(rest), ..Evaluation::default() };
            scored.push((score, RankedPlay { play, evaluation }));
        });
        let place = |play: &Play| match play {
            _ if *play == decision.play => 0,
            Play::Group(group) if wastes_rocket(group) => 2,
            _ => 1,
        };
        scored.sort_by(|(a, one), (b, other)| {
            place(&one.play).cmp(&place(&other.play)).then_with(|| b.total_cmp(a))
        });
        let plays = scored.into_iter().map(|(_, ranked)| ranked).collect();
        Ranking { plays, cost: decision.cost + evaluator.cost() }
    }
}

impl RhcpTeam {
    /// The candidate with the highest score, the first among equals, unless one goes out by force; and the value of
    /// what it leaves.
    fn best(&self, situation: &Situation, view: &View, evaluator: &mut Evaluator<'_>) -> (Play, HandValue) {
        let mut best = (f32::NEG_INFINITY, Play::Pass, HandValue::default());
        let mut search = finish::Search::new(view, situation.rules());
        for_each_candidate(situation, view, evaluator, &mut |evaluator, play, rest, value| {
            let Judgement { score, keeps_lead } = view.judge(&self.weights, &play, rest, value, evaluator);
            let forced = keeps_lead && search.goes_out(rest, value);
            if forced || score > best.0 {
                best = (score, play, value);
            }
            !forced
        });
        (best.1, best.2)
    }
}

/// Calls `each` with every play worth scoring, what it leaves and the value of that, as long as `each` asks for more.
fn for_each_candidate(
    situation: &Situation,
    view: &View,
    evaluator: &mut Evaluator<'_>,
    each: &mut impl FnMut(&mut Evaluator<'_>, Play, Hand, HandValue) -> bool,
) {
    let (hand, rules) = (situation.hand(), situation.rules());
    let leads = situation.is_lead().then(|| Leads::new(hand, view));
    let thrifty = hand.len() > FEW;
    let attachable = |body: Hand, units: u8, size: u8| {
        if thrifty { low_kickers(hand, body, units, size) } else { hand - body }
    };
    let mut more = true;
    for_each_play_attaching(hand, situation.to_beat(), rules, &attachable, |play| {
        if !more {
            return;
        }
        let group = play.group();
        if let Some(group) = group
            && (leads.as_ref().is_some_and(|leads| !leads.offer(&group)) || wastes_rocket(&group))
        {
            return;
        }
        let rest = hand - play.cards();
        let value = evaluator.value(rest);
        // A bomb on the partner's group is for going out alone.
        let bombs = group.is_some_and(|group| group.kind().crosses_types());
        if bombs && view.is_partners_table() && value.rounds > 1 {
            return;
        }
        more = each(evaluator, play, rest, value);
    });
}

/// Hands of at most so many cards lead anything, and attach anything.
const FEW: usize = 8;

/// Whether both jokers are kickers of `group`: where rooms allow it, it is still a rocket thrown away.
fn wastes_rocket(group: &Group) -> bool {
    group.kind() != GroupType::Rocket && group.cards().has_rocket()
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
    fn new(hand: Hand, view: &View) -> Leads {
        if hand.len() <= FEW {
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

/// The play where it is beyond doubt: going out at once, or passing where no body in the hand beats the table.
fn settled(situation: &Situation) -> Option<Play> {
    if let Some(whole) = goes_out(situation) {
        return Some(whole.into());
    }
    let table = situation.to_beat()?;
    (!has_higher_body(situation.hand(), table)).then_some(Play::Pass)
}
