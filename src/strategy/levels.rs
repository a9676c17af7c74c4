//! Five levels of difficulty (难度) for game designers.
//!
//! A level plays like the strategy it is built on, or less well: it draws lots among the plays that are *sound*,
//! and the worse a play is, the less often it is drawn. What makes a weak player look silly instead of weak is
//! left to no lot: a hand that is one legal group goes out, a partner is never bombed, bombs and the rocket are
//! played only where the strategy itself would, and plays that throw a good hand away are not sound.

use std::sync::Arc;

use crate::game::{Dice, Situation};
use crate::groups::Play;

use super::{
    Decision, Evaluation, Expert, HandValue, RankedPlay, Rhcp, RhcpTeam, Strategy, Thinking, goes_out,
    ranking,
};

/// A strategy that may play less well than the one it is built on.
#[derive(Clone)]
pub struct Level {
    name: &'static str,
    base: Arc<dyn Strategy>,
    temperature: f32,
}

/// How much worse than the best a play may be to be sound: two rounds.
const SOUND: f32 = 2.0 * HandValue::ROUND_COST as f32;

/// By how much the base's own choice counts as better than all others. The evaluation looks at what is left in
/// the hand only: the base may know better.
const TRUST: f32 = 2.0;

impl Level {
    /// The level called `name`, built on `base`. The temperature is in points of the RHCP evaluation, of which a
    /// round costs seven: at 7, a play that costs one more round than the best is drawn e times less often, at 0
    /// the base decides.
    #[must_use]
    pub fn new(name: &'static str, base: Arc<dyn Strategy>, temperature: f32) -> Level {
        Level { name, base, temperature }
    }

    /// The five levels, weakest first. `doudizhu arena novice casual regular skilled master` measures how far they
    /// are apart.
    #[must_use]
    pub fn all() -> Vec<Level> {
        let rhcp: Arc<dyn Strategy> = Arc::new(Rhcp::default());
        let team: Arc<dyn Strategy> = Arc::new(RhcpTeam::default());
        let expert = Expert::shipped().map_or_else(|_| Arc::clone(&team), |expert| Arc::new(expert) as _);
        vec![
            Level::new("novice", Arc::clone(&rhcp), 14.0),
            Level::new("casual", Arc::clone(&rhcp), 5.0),
            Level::new("regular", rhcp, 1.0),
            Level::new("skilled", team, 0.0),
            Level::new("master", expert, 0.0),
        ]
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
        let base = self.base.decide(situation, thinking);
        if self.temperature <= 0.0 && !bombs_partner(situation, &base.play) {
            return base;
        }
        let ranking = ranking::by_rest(base, situation, thinking.scratch);
        let sound = sound_plays(situation, &base.play, &ranking.plays);
        let drawn = draw(&sound, self.temperature, &mut Dice::new(thinking.seed));
        let (play, evaluation) = drawn.map_or((base.play, base.evaluation), |one| (one.play, one.evaluation));
        Decision { play, evaluation, cost: ranking.cost }
    }

    fn searches(&self) -> bool {
        self.base.searches()
    }
}

/// Whether `play` is a bomb or the rocket on a partner's group.
fn bombs_partner(situation: &Situation, play: &Play) -> bool {
    let on_partner = situation.table().is_some_and(|(_, owner)| owner.is_ally(situation.role()));
    on_partner && is_bomb(play)
}

fn is_bomb(play: &Play) -> bool {
    play.group().is_some_and(|group| group.kind().crosses_types())
}

/// The plays that are not silly, with their scores.
fn sound_plays(situation: &Situation, base: &Play, plays: &[RankedPlay]) -> Vec<(RankedPlay, f32)> {
    let silly = |play: &Play| {
        // Bombs are the base's to decide on.
        bombs_partner(situation, play) || (is_bomb(play) && play != base)
    };
    let score = |ranked: &RankedPlay| {
        let lost_round = if ranked.play == Play::Pass { HandValue::ROUND_COST } else { 0 };
        f32::from(ranked.evaluation.rest.unwrap_or_default().score() - lost_round)
    };
    let mut sound: Vec<(RankedPlay, f32)> =
        plays.iter().filter(|ranked| !silly(&ranked.play)).map(|ranked| (*ranked, score(ranked))).collect();
    let best = sound.iter().map(|(_, score)| *score).fold(f32::MIN, f32::max);
    for (ranked, score) in &mut sound {
        if ranked.play == *base {
            *score = best + TRUST;
        }
    }
    sound.retain(|(_, score)| *score >= best - SOUND);
    sound
}

/// One of `plays`: the best at temperature 0, otherwise each as often as its Boltzmann weight says.
fn draw(plays: &[(RankedPlay, f32)], temperature: f32, dice: &mut Dice) -> Option<RankedPlay> {
    // Of equals the first, so that the answer repeats.
    let best = plays.iter().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    if temperature <= 0.0 {
        return Some(best.0);
    }
    let weight = |score: f32| f64::from((score - best.1) / temperature).exp();
    let total: f64 = plays.iter().map(|(_, score)| weight(*score)).sum();
    let mut lot = dice.fraction() * total;
    for (ranked, score) in plays {
        lot -= weight(*score);
        if lot < 0.0 {
            return Some(*ranked);
        }
    }
    Some(best.0)
}
