use super::{History, PerRole, Role};

/// What the points of a game depend on besides who won. The default is DouZero's count: bombs and rockets
/// double, nothing else does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreRules {
    /// Whether a spring (春天) or anti-spring (反春) doubles once.
    pub spring: bool,
}

/// What a player plays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// To win, by however much.
    #[default]
    WinProbability,
    /// To win as many points as possible.
    Points,
}

impl Objective {
    /// What a game that ended like this is worth to `role`: 1 or 0 for a game won or lost, or its points.
    #[must_use]
    pub fn payoff(self, outcome: &Outcome, stakes: &Stakes, rules: ScoreRules, role: Role) -> f64 {
        match self {
            Objective::WinProbability => f64::from(u8::from(role.is_ally(outcome.winner))),
            Objective::Points => outcome.points(stakes, rules)[role] as f64,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who went out.
    pub winner: Role,
    /// How many bombs and rockets were played. Those left in a hand do not count.
    pub doublings: u32,
    /// Whether it was a spring, in which no peasant played a card, or an anti-spring, in which the landlord
    /// played none after the first group.
    pub spring: bool,
}

impl Outcome {
    /// How the game of `history` ended; `None` if it goes on.
    #[must_use]
    pub fn of(history: &History) -> Option<Outcome> {
        let winner = history.winner()?;
        let spring = if winner.is_landlord() {
            history.played(Role::PeasantAfter).is_empty() && history.played(Role::PeasantBefore).is_empty()
        } else {
            let landlords = history.plays().iter().step_by(Role::ALL.len());
            landlords.filter(|play| play.group().is_some()).count() == 1
        };
        Some(Outcome { winner, doublings: history.doublings(), spring })
    }

    /// By how much the stakes are multiplied in the course of play.
    #[must_use]
    pub fn multiplier(&self, rules: ScoreRules) -> i64 {
        let doublings = self.doublings + u32::from(rules.spring && self.spring);
        // Thirteen bombs and a rocket are all there are; the cap only keeps the shift defined.
        1 << doublings.min(32)
    }

    /// What each seat wins or loses; the three add up to nothing.
    #[must_use]
    pub fn points(&self, stakes: &Stakes, rules: ScoreRules) -> PerRole<i64> {
        let sign = if self.winner.is_landlord() { -1 } else { 1 };
        let peasant = |role| sign * stakes.against(role) * self.multiplier(rules);
        let (after, before) = (peasant(Role::PeasantAfter), peasant(Role::PeasantBefore));
        PerRole([-(after + before), after, before])
    }
}

/// What the landlord and each peasant play for, before bombs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// The landlord's bid, or what the auction multiplied the stakes by.
    pub bid: u32,
    /// By how much the stake of each peasant was multiplied by doubling (加倍); the landlord's entry is unused.
    pub doubled: PerRole<u32>,
}

impl Default for Stakes {
    /// One point a peasant, as if there were no auction.
    fn default() -> Stakes {
        Stakes { bid: 1, doubled: PerRole([1; 3]) }
    }
}

impl Stakes {
    /// What the landlord and the peasant `role` play for.
    fn against(&self, role: Role) -> i64 {
        i64::from(self.bid) * i64::from(self.doubled[role])
    }
}
