//! What a candidate is judged by.

use std::ops::Range;

use crate::cards::{Hand, Rank, RankMask};
use crate::game::{Role, Situation};
use crate::groups::{Group, GroupType, Play};
use crate::strategy::HandValue;
use crate::strategy::rhcp::{Evaluator, worth};

use super::holdings::{Holdings, Threat};
use super::weights::Weights;

/// Number of features.
pub(crate) const FEATURES: usize = 50;

/// What a candidate was found to be worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// The weighted sum of its features.
    pub score: f32,
    /// Whether it is a group that certainly keeps the lead.
    pub keeps_lead: bool,
}

/// A weighted sum of features, which are added in their order, those that are 0 left out.
struct Sum<'a> {
    weights: &'a [f32; FEATURES],
    /// Eight sums side by side: one after the other the additions would wait for each other.
    lanes: [f32; Sum::LANES],
}

impl Sum<'_> {
    const LANES: usize = 8;

    #[inline(always)]
    fn add(&mut self, feature: Feature, amount: f32) {
        self.lanes[feature as usize % Sum::LANES] += amount * self.weights[feature as usize];
    }

    #[inline]
    fn total(&self) -> f32 {
        self.lanes.iter().sum()
    }
}

/// What is left in the hand after a candidate.
struct Left {
    /// The sum of values, in tens.
    sum: f32,
    rounds: f32,
    one_round: bool,
    two_rounds: bool,
    controls: f32,
    low_singles: f32,
    tops: f32,
    bombs: f32,
}

impl Left {
    #[inline]
    fn new(view: &View, rest: Hand, value: HandValue) -> Left {
        Left {
            sum: f32::from(value.sum) / 10.0,
            rounds: f32::from(value.rounds),
            one_round: value.rounds == 1,
            two_rounds: value.rounds == 2,
            controls: rest.within(RankMask::above(Rank::Ace)).len() as f32,
            low_singles: rest.exactly(1).without(RankMask::above(Rank::Nine)).len() as f32,
            tops: rest.within(view.tops).len() as f32,
            bombs: rest.exactly(4).len() as f32 + if rest.has_rocket() { 1.0 } else { 0.0 },
        }
    }

    #[inline]
    fn add_value(&self, sum: &mut Sum<'_>) {
        sum.add(Feature::Sum, self.sum);
        sum.add(Feature::Rounds, self.rounds);
        if self.one_round {
            sum.add(Feature::OneRound, 1.0);
        }
        if self.two_rounds {
            sum.add(Feature::TwoRounds, 1.0);
        }
    }

    #[inline]
    fn add_cards(&self, sum: &mut Sum<'_>) {
        sum.add(Feature::LowSingles, self.low_singles);
        sum.add(Feature::Tops, self.tops);
        sum.add(Feature::BombsLeft, self.bombs);
    }
}

/// What is looked at. Products with the urgency, the stage and the partner's nearness let one set of weights
/// serve the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Feature {
    /// 1 for a pass.
    Pass,
    /// The sum of values of the hand that is left, in tens.
    Sum,
    /// The rounds of the hand that is left.
    Rounds,
    /// Whether one round is left.
    OneRound,
    /// Whether two rounds are left.
    TwoRounds,
    /// The worth of the group played, in tens.
    Worth,
    /// The probability of keeping the lead.
    Mine,
    /// The same times the rounds left, in fives.
    MineRounds,
    /// The probability that no enemy has a higher group of the same type.
    Unmatched,
    /// The probability of keeping the lead with this group and with all that follow but the last.
    Finish,
    /// The probability that an enemy takes the lead and goes out with it.
    Danger,
    /// The probability that the partner has the lead next.
    Ally,
    /// The probability that the partner then goes out.
    Hope,
    /// The probability that the partner can go out on this group.
    Feed,
    /// Whether a bomb or the rocket is played.
    Bomb,
    /// The same times the urgency.
    BombUrgency,
    /// The same if at most two rounds are left.
    BombLast,
    /// Urgency times the sum.
    UrgencySum,
    /// Urgency times the rounds.
    UrgencyRounds,
    /// Urgency times the worth.
    UrgencyWorth,
    /// Urgency of a pass.
    UrgencyPass,
    /// Urgency times the probability of keeping the lead.
    UrgencyMine,
    /// Stage times the sum.
    StageSum,
    /// Stage times the rounds.
    StageRounds,
    /// Stage times the worth.
    StageWorth,
    /// Stage times the probability of keeping the lead.
    StageMine,
    /// Stage of a pass.
    StagePass,
    /// The partner's nearness for a pass.
    PartnerPass,
    /// The partner's nearness times the probability of keeping the lead.
    PartnerMine,
    /// The partner's nearness times the worth.
    PartnerWorth,
    /// The number of cards played, in tens.
    Cards,
    /// Whether a single is played; and so on for the other types.
    Single,
    Pair,
    Trio,
    Straight,
    PairChain,
    Plane,
    FourWithTwo,
    /// Quads of the hand that are broken.
    BrokenQuads,
    /// Whether the rocket is broken.
    BrokenRocket,
    /// Twos and jokers among the kickers.
    HighKickers,
    /// Twos and jokers left.
    Controls,
    /// The rank of a single played, in tens.
    SingleRank,
    /// The rank of a pair played, in tens.
    PairRank,
    /// The square of the rank of a single played, in tens.
    SingleSquare,
    /// The square of the rank of a pair played, in tens.
    PairSquare,
    /// The worth of the group on the table that is passed on, in tens.
    PassWorth,
    /// Lone cards below ten that are left.
    LowSingles,
    /// Cards left that no unseen card is higher than.
    Tops,
    /// Bombs and the rocket, if left.
    BombsLeft,
}

/// The index divided by 10: numbers of cards and ranks, without dividing for each candidate.
const TENTHS: [f32; 21] = {
    let mut tenths = [0.0; 21];
    let mut number = 0;
    while number < tenths.len() {
        tenths[number] = number as f32 / 10.0;
        number += 1;
    }
    tenths
};

/// The chance that a seat that leads goes out before anyone stops it, by the number of its cards.
const GOES_OUT: [f32; 9] = [1.0, 1.0, 0.45, 0.3, 0.2, 0.15, 0.08, 0.04, 0.02];

fn goes_out(left: u8) -> f32 {
    GOES_OUT.get(left as usize).copied().unwrap_or(0.0)
}

/// The player to move, the table and the others, as candidates are seen against them.
pub(crate) struct View {
    pub(super) hand: Hand,
    table: Option<(Group, Role)>,
    /// The next seat and the one after it.
    others: [Holdings; 2],
    /// Which of them are enemies.
    enemies: Range<usize>,
    /// Which of them is the partner.
    partner: Option<usize>,
    /// Whether the partner plays before the next enemy does.
    partner_is_next: bool,
    /// The ranks that no unseen card is higher than.
    tops: RankMask,
    /// 1 divided by the cards of the enemy nearest to going out.
    urgency: f32,
    /// Own cards, in twenties.
    stage: f32,
    /// 1 divided by the partner's cards.
    nearness: f32,
    /// Which row of weights applies.
    pub(crate) context: usize,
}

/// Number of contexts: who is to move, and to lead, on an enemy's group or on the partner's.
pub(crate) const CONTEXTS: usize = 8;

fn context(role: Role, table: Option<(Group, Role)>) -> usize {
    let turn = match table {
        None => 0,
        Some((_, owner)) if !role.is_ally(owner) => 1,
        Some(_) => 2,
    };
    match role {
        Role::Landlord => turn,
        Role::PeasantAfter => 2 + turn,
        Role::PeasantBefore => 5 + turn,
    }
}

impl View {
    /// The view of the player to move in `situation`.
    pub(crate) fn new(situation: &Situation) -> View {
        let role = situation.role();
        let others = [Holdings::new(situation, role.next()), Holdings::new(situation, role.previous())];
        let partner = others.iter().position(|other| role.is_ally(other.role));
        let enemies = match partner {
            None => 0..2,
            Some(partner) => 1 - partner..2 - partner,
        };
        let least = |seats: &[Holdings]| seats.iter().map(|seat| seat.left).min().unwrap_or(1).max(1);
        let nearest = least(&others[enemies.clone()]);
        let nearness = partner.map_or(0.0, |partner| 1.0 / f32::from(others[partner].left.max(1)));
        let highest = situation.unseen().at_least(1).highest();
        View {
            tops: highest.map_or(RankMask::ALL, |rank| RankMask::above(rank).or(RankMask::only(rank))),
            hand: situation.hand(),
            table: situation.table(),
            others,
            enemies,
            partner,
            partner_is_next: role.is_ally(role.next()),
            urgency: 1.0 / f32::from(nearest),
            stage: situation.hand().len() as f32 / 20.0,
            nearness,
            context: context(role, situation.table()),
        }
    }

    /// Whether an enemy has one or two cards left.
    pub(super) fn is_urgent(&self) -> bool {
        self.urgency >= 0.5
    }

    /// Whether the group on the table is the partner's.
    pub(super) fn is_partners_table(&self) -> bool {
        self.table.zip(self.partner()).is_some_and(|((_, owner), partner)| owner == partner.role)
    }

    #[inline]
    fn enemies(&self) -> impl Iterator<Item = &Holdings> {
        self.others[self.enemies.clone()].iter()
    }

    #[inline]
    fn partner(&self) -> Option<&Holdings> {
        self.partner.map(|partner| &self.others[partner])
    }

    /// The probability that no enemy can beat `group`.
    #[inline]
    pub(super) fn keeps(&self, group: &Group) -> f32 {
        self.none_of(|enemy| enemy.threat(group))
    }

    /// The probability that no enemy can beat a group as [`Holdings::threat_to`] is told of it.
    #[inline]
    pub(super) fn keeps_with(&self, rank: Rank, copies: u8, size: usize) -> f32 {
        self.none_of(|enemy| enemy.threat_to(rank, copies, size))
    }

    #[inline]
    fn none_of(&self, threat: impl Fn(&Holdings) -> Threat) -> f32 {
        self.enemies().map(|enemy| 1.0 - threat(enemy).any()).product()
    }

    /// Whether the partner, who owns the table, certainly goes out if the player to move passes.
    pub(crate) fn partner_is_sure(&self) -> bool {
        let Some(partner) = self.partner().filter(|partner| partner.left == 1) else { return false };
        // Before the one who plays after the landlord, the landlord has passed on the partner's group.
        self.table.is_some_and(|(group, owner)| {
            owner == partner.role && (self.partner_is_next || self.keeps(&group) >= 1.0)
        })
    }

    /// The probability of keeping the lead through all groups of `rest` but the last.
    fn goes_out_with(&self, mut rest: Hand, value: HandValue, evaluator: &mut Evaluator<'_>) -> f32 {
        match value.rounds {
            0 | 1 => return 1.0,
            2..=3 => {}
            _ => return 0.0,
        }
        let (mut all, mut least) = (1.0f32, 1.0f32);
        while let Some(group) = evaluator.led(rest) {
            let keeps = self.keeps(&group).max(1e-3);
            all *= keeps;
            least = least.min(keeps);
            rest = rest - group.cards();
        }
        all / least
    }

    /// What `play`, which leaves `rest` of value `value`, is worth by `weights`.
    pub(crate) fn judge(
        &self,
        weights: &Weights,
        play: &Play,
        rest: Hand,
        value: HandValue,
        evaluator: &mut Evaluator<'_>,
    ) -> Judgement {
        let mut sum = Sum { weights: &weights.0[self.context], lanes: [0.0; Sum::LANES] };
        let keeps_lead = match play {
            Play::Pass => {
                self.judge_pass(rest, value, &mut sum);
                false
            }
            Play::Group(group) => self.judge_group(group, rest, value, evaluator, &mut sum),
        };
        Judgement { score: sum.total(), keeps_lead }
    }

    #[inline]
    fn judge_pass(&self, rest: Hand, value: HandValue, sum: &mut Sum<'_>) {
        let left = Left::new(self, rest, value);
        let (mut ally, mut danger, mut pass_worth) = (0.0, 0.0, 0.0);
        if let Some((table, owner)) = &self.table {
            pass_worth = f32::from(worth(table)) / 10.0;
            if self.partner().is_some_and(|partner| partner.role == *owner) {
                ally = if self.partner_is_next { 1.0 } else { self.keeps(table) };
                let size = table.cards().len() as u8;
                danger = (1.0 - ally) * self.worst(|enemy| enemy.left.saturating_sub(size));
            } else {
                let helps = if self.partner_is_next { self.partner() } else { None };
                ally = helps.map_or(0.0, |partner| partner.threat(table).any());
                let left = self.enemies().find(|enemy| enemy.role == *owner).map_or(20, |enemy| enemy.left);
                danger = (1.0 - ally) * goes_out(left);
            }
        }
        sum.add(Feature::Pass, 1.0);
        left.add_value(sum);
        sum.add(Feature::Danger, danger);
        sum.add(Feature::Ally, ally);
        sum.add(Feature::Hope, ally * goes_out(self.partner().map_or(20, |partner| partner.left)));
        sum.add(Feature::UrgencySum, self.urgency * left.sum);
        sum.add(Feature::UrgencyRounds, self.urgency * left.rounds);
        sum.add(Feature::UrgencyPass, self.urgency);
        sum.add(Feature::StageSum, self.stage * left.sum);
        sum.add(Feature::StageRounds, self.stage * left.rounds);
        sum.add(Feature::StagePass, self.stage);
        sum.add(Feature::PartnerPass, self.nearness);
        sum.add(Feature::Controls, left.controls);
        sum.add(Feature::PassWorth, pass_worth);
        left.add_cards(sum);
    }

    /// Also whether `group` certainly keeps the lead.
    #[inline]
    fn judge_group(
        &self,
        group: &Group,
        rest: Hand,
        value: HandValue,
        evaluator: &mut Evaluator<'_>,
        sum: &mut Sum<'_>,
    ) -> bool {
        let left = Left::new(self, rest, value);
        let (kind, size) = (group.kind(), group.cards().len() as u8);
        let (mut unmatched, mut mine, mut danger) = (1.0f32, 1.0f32, 0.0f32);
        for enemy in self.enemies() {
            let threat = enemy.threat(group);
            unmatched *= 1.0 - threat.same;
            mine *= 1.0 - threat.any();
            danger += threat.same * goes_out(enemy.left.saturating_sub(size));
        }
        let worth = f32::from(worth(group)) / 10.0;
        left.add_value(sum);
        sum.add(Feature::Worth, worth);
        sum.add(Feature::Mine, mine);
        sum.add(Feature::MineRounds, mine * left.rounds / 5.0);
        sum.add(Feature::Unmatched, unmatched);
        if mine > 0.0 && value.rounds <= 3 {
            sum.add(Feature::Finish, mine * self.goes_out_with(rest, value, evaluator));
        }
        sum.add(Feature::Danger, danger);
        if let Some(partner) = self.partner()
            && partner.left >= size
            && goes_out(partner.left - size) > 0.0
        {
            let first = if self.partner_is_next { 1.0 } else { unmatched };
            sum.add(Feature::Feed, first * partner.threat(group).same * goes_out(partner.left - size));
        }
        let bombs = kind.crosses_types();
        if bombs {
            sum.add(Feature::Bomb, 1.0);
            sum.add(Feature::BombUrgency, self.urgency);
            sum.add(Feature::BombLast, if value.rounds <= 2 { 1.0 } else { 0.0 });
        }
        sum.add(Feature::UrgencySum, self.urgency * left.sum);
        sum.add(Feature::UrgencyRounds, self.urgency * left.rounds);
        sum.add(Feature::UrgencyWorth, self.urgency * worth);
        sum.add(Feature::UrgencyMine, self.urgency * mine);
        sum.add(Feature::StageSum, self.stage * left.sum);
        sum.add(Feature::StageRounds, self.stage * left.rounds);
        sum.add(Feature::StageWorth, self.stage * worth);
        sum.add(Feature::StageMine, self.stage * mine);
        sum.add(Feature::PartnerMine, self.nearness * mine);
        sum.add(Feature::PartnerWorth, self.nearness * worth);
        sum.add(Feature::Cards, TENTHS[size as usize]);
        match kind {
            GroupType::Single => sum.add(Feature::Single, 1.0),
            GroupType::Pair => sum.add(Feature::Pair, 1.0),
            GroupType::Trio | GroupType::TrioWithSingle | GroupType::TrioWithPair => {
                sum.add(Feature::Trio, 1.0);
            }
            GroupType::Straight => sum.add(Feature::Straight, 1.0),
            GroupType::PairChain => sum.add(Feature::PairChain, 1.0),
            GroupType::Plane | GroupType::PlaneWithSingles | GroupType::PlaneWithPairs => {
                sum.add(Feature::Plane, 1.0);
            }
            GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs => {
                sum.add(Feature::FourWithTwo, 1.0);
            }
            GroupType::Bomb | GroupType::Rocket => {}
        }
        let quads = self.hand.exactly(4);
        if !quads.is_empty() {
            let played = usize::from(kind == GroupType::Bomb);
            let broken = quads.without(rest.exactly(4)).len().saturating_sub(played);
            sum.add(Feature::BrokenQuads, broken as f32);
        }
        if self.hand.has_rocket() && !rest.has_rocket() && kind != GroupType::Rocket {
            sum.add(Feature::BrokenRocket, 1.0);
        }
        if let Some(kickers) = group.attached() {
            sum.add(Feature::HighKickers, kickers.within(RankMask::above(Rank::Ace)).len() as f32);
        }
        sum.add(Feature::Controls, left.controls);
        let rank = TENTHS[group.main_rank().value() as usize];
        match kind {
            GroupType::Single => {
                sum.add(Feature::SingleRank, rank);
                sum.add(Feature::SingleSquare, rank * rank);
            }
            GroupType::Pair => {
                sum.add(Feature::PairRank, rank);
                sum.add(Feature::PairSquare, rank * rank);
            }
            _ => {}
        }
        left.add_cards(sum);
        mine >= 1.0
    }

    /// The greatest chance of an enemy to go out with the lead and so many cards left.
    fn worst(&self, left: impl Fn(&Holdings) -> u8) -> f32 {
        self.enemies().map(|enemy| goes_out(left(enemy))).fold(0.0, f32::max)
    }
}
