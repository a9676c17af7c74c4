//! Five levels of difficulty (难度) for game designers.
//!
//! A level plays like the strategy it is built on, less well: it draws lots among the plays that are *sound*,
//! and the worse a play is, the less often it is drawn. What makes a weak player look silly instead of weak is
//! left to no lot: a hand that is one legal group goes out, a partner is never bombed, and no bomb, rocket or
//! good hand is torn apart when there are better plays.

use std::sync::Arc;

use crate::game::{Dice, Situation};
use crate::groups::{Group, Play, for_each_reading};

use super::rhcp::Evaluator;
use super::{Decision, Evaluation, HandValue, Rhcp, Strategy, Thinking};

/// A strategy that plays less well than the one it is built on.
#[derive(Clone)]
pub struct Level {
    name: &'static str,
    base: Arc<dyn Strategy>,
    temperature: f32,
}

/// Names and temperatures of the levels, weakest first. The temperature is in points of the RHCP evaluation, of
/// which a round costs seven: at 7, a play that costs one more round than the best is drawn e times less often.
/// `doudizhu arena --round-robin novice casual regular skilled master` measures how far they are apart.
const LEVELS: [(&str, f32); 5] =
    [("novice", 14.0), ("casual", 6.0), ("regular", 3.0), ("skilled", 1.5), ("master", 0.0)];

/// How much worse than the best a play may be to be sound: two rounds.
const SOUND: f32 = 2.0 * HandValue::ROUND_COST as f32;

/// By how much the base's own choice counts as better than all others. The evaluation looks at what is left in
/// the hand only: the base may know better.
const TRUST: f32 = 2.0;

impl Level {
    /// The level called `name`, built on `base`.
    #[must_use]
    pub fn new(name: &'static str, base: Arc<dyn Strategy>, temperature: f32) -> Level {
        Level { name, base, temperature }
    }

    /// The five levels, weakest first.
    #[must_use]
    pub fn all() -> Vec<Level> {
        let base: Arc<dyn Strategy> = Arc::new(Rhcp::default());
        LEVELS
            .into_iter()
            .map(|(name, temperature)| Level::new(name, Arc::clone(&base), temperature))
            .collect()
    }
}

impl Strategy for Level {
    fn name(&self) -> &'static str {
        self.name
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        if let Some(group) = goes_out(situation) {
            let evaluation = Evaluation { rest: Some(HandValue::default()), win_probability: Some(1.0) };
            return Decision { play: group.into(), evaluation, cost: Default::default() };
        }
        let mut decision = self.base.decide(situation, thinking);
        if self.temperature <= 0.0 && !bombs_partner(situation, &decision.play) {
            return decision;
        }
        let mut evaluator = Evaluator::new(situation.rules(), Some(&mut thinking.scratch.memo));
        let sound = sound_plays(situation, &decision.play, &mut evaluator);
        if let Some(play) = draw(&sound, self.temperature, &mut Dice::new(thinking.seed))
            && play != decision.play
        {
            let rest = evaluator.value(situation.hand() - play.cards());
            decision.play = play;
            decision.evaluation = Evaluation { rest: Some(rest), win_probability: None };
        }
        decision.cost.states += evaluator.cost().states;
        decision.cost.memo_hits += evaluator.cost().memo_hits;
        decision
    }
}

/// The whole hand as one group that may be played now.
fn goes_out(situation: &Situation) -> Option<Group> {
    let mut whole = None;
    for_each_reading(situation.hand(), situation.rules(), &mut |group| {
        if situation.to_beat().is_none_or(|table| group.beats(table)) {
            whole.get_or_insert(group);
        }
    });
    whole
}

/// Whether `play` is a bomb or the rocket on a partner's group.
fn bombs_partner(situation: &Situation, play: &Play) -> bool {
    let on_partner = situation.table().is_some_and(|(_, owner)| owner.is_ally(situation.role()));
    on_partner && is_bomb(play)
}

fn is_bomb(play: &Play) -> bool {
    play.group().is_some_and(|group| group.kind().crosses_types())
}

/// The plays that are not silly, with their evaluations: the score of what they leave.
fn sound_plays(situation: &Situation, base: &Play, evaluator: &mut Evaluator<'_>) -> Vec<(Play, f32)> {
    let mut plays: Vec<(Play, f32)> = Vec::new();
    situation.for_each_play(|play| {
        // Bombs are the base's to decide on.
        let silly = bombs_partner(situation, &play) || (is_bomb(&play) && play != *base);
        if !silly {
            let rest = evaluator.value(situation.hand() - play.cards());
            plays.push((play, f32::from(rest.score())));
        }
    });
    if plays.is_empty() {
        // Nothing but bombs to lead.
        situation.for_each_play(|play| plays.push((play, 0.0)));
    }
    let best = plays.iter().map(|(_, score)| *score).fold(f32::MIN, f32::max);
    for (play, score) in &mut plays {
        if play == base {
            *score = best + TRUST;
        }
    }
    plays.retain(|(_, score)| *score >= best - SOUND);
    plays
}

/// One of `plays`: the best at temperature 0, otherwise each as often as its Boltzmann weight says.
fn draw(plays: &[(Play, f32)], temperature: f32, dice: &mut Dice) -> Option<Play> {
    // Of equals the first, so that the answer repeats.
    let first_best = plays.iter().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    if temperature <= 0.0 {
        return Some(first_best.0);
    }
    let weight = |score: f32| f64::from((score - first_best.1) / temperature).exp();
    let total: f64 = plays.iter().map(|(_, score)| weight(*score)).sum();
    let mut lot = dice.fraction() * total;
    for (play, score) in plays {
        lot -= weight(*score);
        if lot < 0.0 {
            return Some(*play);
        }
    }
    Some(first_best.0)
}
