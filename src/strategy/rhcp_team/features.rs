//! What a candidate is judged by.

use crate::cards::{Hand, Rank, RankMask};
use crate::game::{Role, Situation};
use crate::groups::{Group, GroupType, Play};
use crate::strategy::HandValue;
use crate::strategy::rhcp::{Evaluator, worth};

use super::holdings::Holdings;

/// Number of features.
pub(crate) const FEATURES: usize = 50;

/// The features of one candidate, in the order of [`Feature`].
pub(crate) type Features = [f32; FEATURES];

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

/// The chance that a seat that leads goes out before anyone stops it, by the number of its cards.
const GOES_OUT: [f32; 9] = [1.0, 1.0, 0.45, 0.3, 0.2, 0.15, 0.08, 0.04, 0.02];

fn goes_out(left: u8) -> f32 {
    GOES_OUT.get(left as usize).copied().unwrap_or(0.0)
}

/// The player to move, the table and the others, as candidates are seen against them.
pub(crate) struct View {
    pub(super) hand: Hand,
    table: Option<(Group, Role)>,
    enemies: [Option<Holdings>; 2],
    partner: Option<Holdings>,
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
        let (mut enemies, mut partner) = ([None, None], None);
        for (slot, other) in [role.next(), role.previous()].into_iter().enumerate() {
            let holdings = Holdings::new(situation, other);
            if role.is_ally(other) { partner = Some(holdings) } else { enemies[slot] = Some(holdings) }
        }
        let nearest = enemies.iter().flatten().map(|enemy| enemy.left).min().unwrap_or(1).max(1);
        let highest = situation.unseen().at_least(1).highest();
        View {
            tops: highest.map_or(RankMask::ALL, |rank| RankMask::above(rank).or(RankMask::only(rank))),
            hand: situation.hand(),
            table: situation.table(),
            enemies,
            partner,
            partner_is_next: role.is_ally(role.next()),
            urgency: 1.0 / f32::from(nearest),
            stage: situation.hand().len() as f32 / 20.0,
            nearness: partner.map_or(0.0, |_| 1.0 / f32::from(partner.map_or(1, |seat| seat.left).max(1))),
            context: context(role, situation.table()),
        }
    }

    /// Whether an enemy has one or two cards left.
    pub(super) fn is_urgent(&self) -> bool {
        self.urgency >= 0.5
    }

    /// Whether the group on the table is the partner's.
    pub(super) fn is_partners_table(&self) -> bool {
        self.table.zip(self.partner).is_some_and(|((_, owner), partner)| owner == partner.role)
    }

    fn enemies(&self) -> impl Iterator<Item = &Holdings> {
        self.enemies.iter().flatten()
    }

    /// The probability that no enemy can beat `group`.
    #[inline]
    pub(super) fn keeps(&self, group: &Group) -> f32 {
        self.enemies().map(|enemy| 1.0 - enemy.threat(group).any()).product()
    }

    /// Whether the partner, who owns the table, certainly goes out if the player to move passes.
    pub(crate) fn partner_is_sure(&self) -> bool {
        let Some(partner) = self.partner.filter(|partner| partner.left == 1) else { return false };
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
        while let Some(choice) = evaluator.lead(rest) {
            let keeps = self.keeps(&choice.group).max(1e-3);
            all *= keeps;
            least = least.min(keeps);
            rest = rest - choice.group.cards();
        }
        all / least
    }

    /// The features of `play`, which leaves `rest` of value `value`.
    #[inline]
    pub(crate) fn features(
        &self,
        play: &Play,
        rest: Hand,
        value: HandValue,
        evaluator: &mut Evaluator<'_>,
    ) -> Features {
        let mut features = [0.0; FEATURES];
        let mut set = |feature: Feature, amount: f32| features[feature as usize] = amount;
        let (sum, rounds) = (f32::from(value.sum) / 10.0, f32::from(value.rounds));
        set(Feature::Sum, sum);
        set(Feature::Rounds, rounds);
        set(Feature::OneRound, if value.rounds == 1 { 1.0 } else { 0.0 });
        set(Feature::TwoRounds, if value.rounds == 2 { 1.0 } else { 0.0 });
        set(Feature::UrgencySum, self.urgency * sum);
        set(Feature::UrgencyRounds, self.urgency * rounds);
        set(Feature::StageSum, self.stage * sum);
        set(Feature::StageRounds, self.stage * rounds);
        let controls = rest.within(RankMask::above(Rank::Ace)).len() as f32;
        set(Feature::Controls, controls);
        set(Feature::LowSingles, rest.exactly(1).without(RankMask::above(Rank::Nine)).len() as f32);
        set(Feature::Tops, rest.within(self.tops).len() as f32);
        set(Feature::BombsLeft, rest.exactly(4).len() as f32 + if rest.has_rocket() { 1.0 } else { 0.0 });
        let Play::Group(group) = play else {
            set(Feature::Pass, 1.0);
            set(Feature::UrgencyPass, self.urgency);
            set(Feature::StagePass, self.stage);
            set(Feature::PartnerPass, self.nearness);
            if let Some((table, owner)) = &self.table {
                set(Feature::PassWorth, f32::from(worth(table)) / 10.0);
                let partner_left = self.partner.map_or(20, |partner| partner.left);
                let (ally, danger);
                if self.partner.is_some_and(|partner| partner.role == *owner) {
                    ally = if self.partner_is_next { 1.0 } else { self.keeps(table) };
                    let size = table.cards().len() as u8;
                    danger = (1.0 - ally) * self.worst(|enemy| enemy.left.saturating_sub(size));
                } else {
                    let helps = if self.partner_is_next { self.partner } else { None };
                    ally = helps.map_or(0.0, |partner| partner.threat(table).any());
                    let left =
                        self.enemies().find(|enemy| enemy.role == *owner).map_or(20, |enemy| enemy.left);
                    danger = (1.0 - ally) * goes_out(left);
                }
                set(Feature::Ally, ally);
                set(Feature::Hope, ally * goes_out(partner_left));
                set(Feature::Danger, danger);
            }
            return features;
        };
        let size = group.cards().len() as u8;
        let (mut unmatched, mut mine, mut danger) = (1.0f32, 1.0f32, 0.0f32);
        for enemy in self.enemies() {
            let threat = enemy.threat(group);
            unmatched *= 1.0 - threat.same;
            mine *= 1.0 - threat.any();
            danger += threat.same * goes_out(enemy.left.saturating_sub(size));
        }
        let worth = f32::from(worth(group)) / 10.0;
        set(Feature::Worth, worth);
        set(Feature::Mine, mine);
        set(Feature::MineRounds, mine * rounds / 5.0);
        set(Feature::Unmatched, unmatched);
        if mine > 0.0 && value.rounds <= 3 {
            set(Feature::Finish, mine * self.goes_out_with(rest, value, evaluator));
        }
        set(Feature::Danger, danger);
        if let Some(partner) = &self.partner
            && partner.left >= size
        {
            let first = if self.partner_is_next { 1.0 } else { unmatched };
            let feed = first * partner.threat(group).same * goes_out(partner.left - size);
            set(Feature::Feed, feed);
        }
        set(Feature::UrgencyWorth, self.urgency * worth);
        set(Feature::UrgencyMine, self.urgency * mine);
        set(Feature::StageWorth, self.stage * worth);
        set(Feature::StageMine, self.stage * mine);
        set(Feature::PartnerMine, self.nearness * mine);
        set(Feature::PartnerWorth, self.nearness * worth);
        set(Feature::Cards, f32::from(size) / 10.0);
        let rank = f32::from(group.main_rank().value()) / 10.0;
        match group.kind() {
            GroupType::Single => {
                set(Feature::Single, 1.0);
                set(Feature::SingleRank, rank);
                set(Feature::SingleSquare, rank * rank);
            }
            GroupType::Pair => {
                set(Feature::Pair, 1.0);
                set(Feature::PairRank, rank);
                set(Feature::PairSquare, rank * rank);
            }
            GroupType::Trio | GroupType::TrioWithSingle | GroupType::TrioWithPair => set(Feature::Trio, 1.0),
            GroupType::Straight => set(Feature::Straight, 1.0),
            GroupType::PairChain => set(Feature::PairChain, 1.0),
            GroupType::Plane | GroupType::PlaneWithSingles | GroupType::PlaneWithPairs => {
                set(Feature::Plane, 1.0);
            }
            GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs => set(Feature::FourWithTwo, 1.0),
            GroupType::Bomb | GroupType::Rocket => {
                set(Feature::Bomb, 1.0);
                set(Feature::BombUrgency, self.urgency);
                set(Feature::BombLast, if value.rounds <= 2 { 1.0 } else { 0.0 });
            }
        }
        let quads = self.hand.exactly(4).without(rest.exactly(4)).len();
        let played = usize::from(group.kind() == GroupType::Bomb);
        set(Feature::BrokenQuads, quads.saturating_sub(played) as f32);
        let broken = self.hand.has_rocket() && !rest.has_rocket() && group.kind() != GroupType::Rocket;
        set(Feature::BrokenRocket, if broken { 1.0 } else { 0.0 });
        let kickers = group.cards() - group.body();
        set(Feature::HighKickers, kickers.within(RankMask::above(Rank::Ace)).len() as f32);
        features
    }

    /// The greatest chance of an enemy to go out with the lead and so many cards left.
    fn worst(&self, left: impl Fn(&Holdings) -> u8) -> f32 {
        self.enemies().map(|enemy| goes_out(left(enemy))).fold(0.0, f32::max)
    }
}
