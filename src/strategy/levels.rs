//! Five levels of difficulty (难度) for game designers.
//!
//! A level is the expert who looks less closely: it does not see all that the situation tells, and it draws lots
//! among the plays that are *sound*, the less often the worse a play looks. What makes a weak player look silly
//! instead of weak is left to no lot: a hand that is one legal group goes out, a partner is never bombed, bombs and
//! the rocket are played only where the expert itself would, and plays that throw a good hand away are not sound.

use crate::game::{Dice, Situation};
use crate::groups::Play;

use super::{Cost, Decision, Evaluation, Expert, RankedPlay, Ranking, Strategy, Thinking, goes_out};

/// What a level sees of a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    /// Everything.
    All,
    /// Not what was played before: it does not count cards.
    NoHistory,
    /// Nor how many cards the others hold.
    Minimal,
}

/// The expert, playing less well.
#[derive(Clone)]
pub struct Level {
    name: &'static str,
    expert: Expert,
    sight: Sight,
    temperature: f32,
}

/// How much less likely to win than the best a play may be to be sound.
const SOUND: f32 = 0.25;

impl Level {
    /// The five levels, weakest first. `doudizhu arena novice casual regular skilled master` measures how far they
    /// are apart.
    ///
    /// Temperatures are in units of the logit of the win probability: at 1, a play at odds of 1 : 1 is drawn e times
    /// less often than one at odds of e : 1. At 0 the best is played.
    #[must_use]
    pub fn all() -> Vec<Level> {
        // The embedded networks are whole, or the tests of this crate had failed.
        let Ok(expert) = Expert::shipped() else { return Vec::new() };
        let level = |name, sight, temperature| Level { name, expert: expert.clone(), sight, temperature };
        vec![
            level("novice", Sight::Minimal, 1.0),
            level("casual", Sight::Minimal, 0.45),
            level("regular", Sight::Minimal, 0.15),
            level("skilled", Sight::NoHistory, 0.1),
            level("master", Sight::All, 0.0),
        ]
    }

    /// What it sees of `situation`.
    fn see(&self, situation: &Situation) -> Situation {
        match self.sight {
            Sight::All => situation.clone(),
            Sight::NoHistory => situation.without_history(),
            Sight::Minimal => situation.minimal(),
        }
    }

    /// The decision, and all plays as they look to the expert, the best first.
    fn weigh(&self, situation: &Situation, seed: u64) -> (Option<RankedPlay>, Vec<RankedPlay>) {
        let plays = self.expert.plays(&self.see(situation));
        let sound = sound_plays(situation, &plays);
        let drawn = if self.temperature > 0.0 {
            draw(&sound, self.temperature, &mut Dice::new(seed))
        } else {
            sound.first().copied()
        };
        (drawn.or(plays.first().copied()), plays)
    }
}

impl Strategy for Level {
    fn name(&self) -> &'static str {
        self.name
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        let goes_out = goes_out(situation).is_some();
        if goes_out || self.searches() {
            let decision = self.expert.decide(situation, thinking);
            if goes_out || !bombs_partner(situation, &decision.play) {
                return decision;
            }
        }
        let (drawn, plays) = self.weigh(situation, thinking.seed);
        let cost = Cost { states: plays.len() as u64, memo_hits: 0 };
        // A turn always has a legal play: a leader has a card to lead, a follower can pass.
        drawn.map_or(
            Decision { play: Play::Pass, evaluation: Evaluation::default(), cost },
            |RankedPlay { play, evaluation }| Decision { play, evaluation, cost },
        )
    }

    fn searches(&self) -> bool {
        self.sight == Sight::All && self.temperature <= 0.0
    }

    fn rank(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Ranking {
        let decision = self.decide(situation, thinking);
        let mut plays = self.expert.plays(&self.see(situation));
        let cost = decision.cost + Cost { states: plays.len() as u64, memo_hits: 0 };
        if let Some(place) = plays.iter().position(|ranked| ranked.play == decision.play) {
            plays[..=place].rotate_right(1);
            plays[0].evaluation = decision.evaluation;
        }
        Ranking { plays, cost }
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

/// The plays that are not silly, the best first.
fn sound_plays(situation: &Situation, plays: &[RankedPlay]) -> Vec<RankedPlay> {
    let best_bomb = plays.first().filter(|first| is_bomb(&first.play)).map(|first| first.play);
    let silly = |play: &Play| {
        // Bombs are the expert's to decide on.
        bombs_partner(situation, play) || (is_bomb(play) && Some(*play) != best_bomb)
    };
    let mut sound: Vec<RankedPlay> = plays.iter().filter(|ranked| !silly(&ranked.play)).copied().collect();
    let best = sound.first().map_or(0.0, chance);
    sound.retain(|ranked| chance(ranked) >= best - SOUND);
    sound
}

/// The win probability.
fn chance(ranked: &RankedPlay) -> f32 {
    ranked.evaluation.win_probability.unwrap_or_default()
}

/// One of `plays`, each as often as its Boltzmann weight says.
fn draw(plays: &[RankedPlay], temperature: f32, dice: &mut Dice) -> Option<RankedPlay> {
    let logit = |ranked: &RankedPlay| {
        let chance = f64::from(chance(ranked)).clamp(1e-6, 1.0 - 1e-6);
        (chance / (1.0 - chance)).ln()
    };
    let best = plays.iter().map(logit).fold(f64::MIN, f64::max);
    let weight = |ranked: &RankedPlay| ((logit(ranked) - best) / f64::from(temperature)).exp();
    let mut lot = dice.fraction() * plays.iter().map(weight).sum::<f64>();
    plays
        .iter()
        .find(|ranked| {
            lot -= weight(ranked);
            lot < 0.0
        })
        .or(plays.first())
        .copied()
}
