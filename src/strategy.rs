//! Players. Knows the game.
//!
//! A [`Strategy`] turns a [`Situation`] into a [`Decision`]; the [`Registry`] finds one by name. Strategies are
//! pure: same situation, same seed and same number of iterations give the same decision. They read no clock;
//! what a request may spend is a [`Budget`] that the caller supplies.

use std::sync::Arc;

use crate::game::Situation;
use crate::groups::{Group, Play, for_each_reading};

pub mod bidding;
mod classic;
pub mod expert;
mod levels;
mod random;
mod ranking;
pub mod rhcp;
pub mod rhcp_team;

pub use classic::Classic;
pub use expert::Expert;
pub use levels::Level;
pub use random::Random;
pub use ranking::{RankedPlay, Ranking};
pub use rhcp::Rhcp;
pub use rhcp_team::RhcpTeam;

/// A player.
pub trait Strategy: Send + Sync {
    /// The name by which requests choose it; also a metric label.
    fn name(&self) -> &'static str;

    /// The play of the player to move. It is always one of the legal plays of `situation`.
    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision;

    /// Whether it uses the time that its budget allows, to decide better.
    fn searches(&self) -> bool {
        false
    }

    /// Every legal play, best first, each with what the strategy thinks of it. The first is what
    /// [`Strategy::decide`] decides; the order is the same every time.
    ///
    /// A strategy that does not rank plays itself ranks the others by the value of the hand that they leave.
    fn rank(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Ranking {
        let decision = self.decide(situation, thinking);
        ranking::by_rest(decision, situation, thinking.scratch)
    }
}

/// What a strategy may use to decide one turn.
pub struct Thinking<'a> {
    /// Where chance is asked for, it comes from this seed alone.
    pub seed: u64,
    /// How long it may think.
    pub budget: Budget<'a>,
    /// Memory to work in. Nothing in it outlives the decision but its capacity.
    pub scratch: &'a mut Scratch,
}

/// How long a strategy may think. A strategy that is done in microseconds need not look at it.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Whether time is up; asked between steps of a search, which then answers with the best play so far.
    pub is_spent: &'a (dyn Fn() -> bool + Sync),
    /// Number of search iterations at most. With it, and time enough, the answer depends on the seed alone.
    pub iterations: Option<u32>,
    /// Has a search's work done, by the caller alone or by more at once, and returns when all are done. However many
    /// take part, a search of so many iterations finds the same.
    pub crew: Crew<'a>,
}

/// Calls the work it is given once at least, and as often as the number says at most, all at the same time.
pub type Crew<'a> = &'a (dyn Fn(usize, &(dyn Fn() + Sync)) + Sync);

/// A crew of one.
pub const ALONE: Crew<'static> = &|_, work| work();

impl Budget<'_> {
    /// No search: the strategy's immediate answer.
    pub const IMMEDIATE: Budget<'static> = Budget { is_spent: &|| true, iterations: Some(0), crew: ALONE };

    /// Whether there is anything to be spent.
    pub(crate) fn allows_search(&self) -> bool {
        self.iterations != Some(0) && !(self.is_spent)()
    }
}

/// Working memory that is reused from decision to decision, so that deciding does not allocate.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Values of hands, forgotten at the start of each decision of the RHCP evaluator.
    memo: rhcp::Memo,
}

/// What a strategy chose, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The play.
    pub play: Play,
    /// What the strategy thinks of it.
    pub evaluation: Evaluation,
    /// What the decision cost.
    pub cost: Cost,
}

/// What a strategy thinks of the play it chose. A strategy fills in what it knows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The value of the hand that is left after the play.
    pub rest: Option<HandValue>,
    /// The probability, 0 … 1, that the side of the player to move wins.
    pub win_probability: Option<f32>,
    /// The points that the player to move may expect: the landlord stakes 2, each peasant 1, bombs and the rocket
    /// double.
    pub expected_points: Option<f32>,
}

/// The value of a hand in one particular decomposition into groups (RHCP, 九日王朝, chapters 4 and 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HandValue {
    /// Sum of the values of the groups.
    pub sum: i16,
    /// Number of groups.
    pub rounds: u8,
}

impl HandValue {
    /// What one more group costs: the value of the best single, a big joker, with which the lead must be won
    /// back (RHCP, chapter 4).
    pub const ROUND_COST: i16 = 7;

    /// The number by which hands are compared: `sum − 7 · rounds`.
    #[inline]
    #[must_use]
    pub const fn score(self) -> i16 {
        self.sum - HandValue::ROUND_COST * self.rounds as i16
    }

    /// The value with one more group, worth `worth`.
    #[inline]
    #[must_use]
    pub const fn with_group(self, worth: i16) -> HandValue {
        HandValue { sum: self.sum + worth, rounds: self.rounds + 1 }
    }
}

impl std::ops::Add for HandValue {
    type Output = HandValue;
    /// The value of two hands that share no group.
    #[inline]
    fn add(self, other: HandValue) -> HandValue {
        HandValue { sum: self.sum + other.sum, rounds: self.rounds + other.rounds }
    }
}

/// What a decision cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Hands whose value was worked out.
    pub states: u64,
    /// Values that were found in the memo table of this decision.
    pub memo_hits: u64,
}

impl std::ops::Add for Cost {
    type Output = Cost;
    fn add(self, other: Cost) -> Cost {
        Cost { states: self.states + other.states, memo_hits: self.memo_hits + other.memo_hits }
    }
}

/// The strategies a service offers.
#[derive(Clone)]
pub struct Registry {
    strategies: Vec<Arc<dyn Strategy>>,
}

impl Registry {
    /// A registry of these strategies.
    #[must_use]
    pub fn new(strategies: Vec<Arc<dyn Strategy>>) -> Registry {
        Registry { strategies }
    }

    /// Every strategy of this crate.
    #[must_use]
    pub fn builtin() -> Registry {
        let mut strategies: Vec<Arc<dyn Strategy>> = vec![
            Arc::new(Random),
            Arc::new(Classic),
            Arc::new(Rhcp::default()),
            Arc::new(RhcpTeam::default()),
        ];
        // Its embedded networks are whole, or the tests of this crate had failed.
        if let Ok(expert) = Expert::shipped() {
            strategies.push(Arc::new(expert.clone()));
            strategies.push(Arc::new(expert.for_points()));
        }
        for level in Level::all() {
            strategies.push(Arc::new(level));
        }
        Registry::new(strategies)
    }

    /// The strategy called `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Strategy>> {
        self.strategies.iter().find(|strategy| strategy.name() == name)
    }

    /// The names of all strategies.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.strategies.iter().map(|strategy| strategy.name())
    }
}

/// The whole hand as one group that may be played now: whatever else a player weighs, this wins.
fn goes_out(situation: &Situation) -> Option<Group> {
    let cards = situation.hand().len();
    // A quick look first: as many cards as the table, or a bomb, or the rocket.
    if situation.to_beat().is_some_and(|table| ![table.cards().len(), 4, 2].contains(&cards)) {
        return None;
    }
    let mut whole = None;
    for_each_reading(situation.hand(), situation.rules(), &mut |group| {
        if situation.to_beat().is_none_or(|table| group.beats(table)) {
            whole.get_or_insert(group);
        }
    });
    whole
}
