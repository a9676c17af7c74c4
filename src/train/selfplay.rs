//! Games of the networks against themselves.

use std::sync::Arc;

use crate::game::{Dice, PerRole, Role, Table, deal};
use crate::groups::{Play, Preset, RuleSet};
use crate::strategy::expert::brain::{Brain, all_rows};
use crate::strategy::expert::facts::Facts;
use crate::strategy::expert::features::Rows;
use crate::strategy::expert::kernel::Lane;
use crate::strategy::expert::network::{OUTPUTS, SCORE_ONE};
use crate::strategy::expert::stage::stage_of;
use crate::strategy::{Budget, Scratch, Strategy, Thinking};

use super::learner::Samples;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Share of decisions that are taken at random.
    pub explore: f64,
    /// Weight of what follows against the own next prediction: λ of TD(λ).
    pub trace: f32,
    /// Share of games in which a side plays without something that a caller might not tell.
    pub withhold: f64,
    /// Share of those sides that know the minimal situation alone.
    pub minimal: f64,
    /// Share of games in which one side is played by a guest.
    pub guests: f64,
    /// Share of games under other rules than the official ones.
    pub other_rules: f64,
}

/// One decision of a game in progress.
struct Taken {
    start: usize,
    end: usize,
    stage: usize,
    /// The win probability and the score of the best candidate.
    best: [f32; OUTPUTS],
    /// Whether another than the best was played.
    explored: bool,
}

/// What is reused from game to game.
pub struct Player {
    guests: Vec<Arc<dyn Strategy>>,
    plays: Vec<Play>,
    rows: Vec<u16>,
    taken: PerRole<Vec<Taken>>,
    scratch: Scratch,
}

/// The largest score: four doublings.
const MOST_DOUBLINGS: u32 = 4;

impl Player {
    /// A player with these guests, each of which comes as often as it stands there.
    #[must_use]
    pub fn new(guests: &[Arc<dyn Strategy>]) -> Player {
        Player {
            guests: guests.to_vec(),
            plays: Vec::new(),
            rows: Vec::new(),
            taken: PerRole::default(),
            scratch: Scratch::default(),
        }
    }

    /// Plays game number `game` and adds its decisions to `samples`. Returns whether the landlord won.
    pub(crate) fn play(
        &mut self,
        brain: &Brain,
        habits: &Habits,
        game: u64,
        samples: &mut [Samples; 3],
    ) -> bool {
        let mut dice = Dice::new(game);
        let rules = if dice.fraction() < habits.other_rules {
            RuleSet::from(Preset::ALL[dice.below(Preset::ALL.len())])
        } else {
            RuleSet::default()
        };
        let lane = Lane::best();
        let mut table = Table::new(&deal(&mut dice), rules);
        let mut scratch = Rows::new();
        // A side is kept in the dark for the whole game, as it is when its caller tells no more: what comes
        // after a play depends on how much the player will know then.
        let mut forgotten = [0, 0];
        for side in &mut forgotten {
            if dice.fraction() < habits.withhold {
                *side = forgetting(habits, &mut dice);
            }
        }
        // Whether the landlord, or else the peasants, are played by a guest, and by which.
        let guest = (dice.fraction() < habits.guests).then(|| dice.below(2) == 0);
        let who = dice.below(self.guests.len().max(1));
        self.rows.clear();
        self.taken.0.iter_mut().for_each(Vec::clear);
        while table.winner().is_none() {
            let situation = table.situation();
            let role = situation.role();
            self.plays.clear();
            situation.for_each_play(|play| self.plays.push(play));
            let hand = situation.hand();
            if guest == Some(role.is_landlord())
                && let Some(stranger) = self.guests.get(who)
            {
                let mut thinking =
                    Thinking { seed: game, budget: Budget::IMMEDIATE, scratch: &mut self.scratch };
                let play = stranger.decide(situation, &mut thinking).play;
                if table.play(play).is_err() {
                    return false;
                }
                continue;
            }
            let last = self.plays.iter().copied().find(|play| play.cards() == hand);
            let play = if let Some(play) = last {
                play
            } else if let [play] = self.plays[..] {
                play
            } else {
                let mut facts = Facts::of(situation);
                forget(&mut facts, forgotten[usize::from(role.is_landlord())]);
                let mut look = brain.look(&facts, lane);
                let mut best = (i32::MIN, [0.0; OUTPUTS], self.plays[0]);
                for play in &self.plays {
                    let outlook = look.at(play);
                    if outlook.win > best.0 {
                        best = (outlook.win, [outlook.probability(), outlook.expected_score()], *play);
                    }
                }
                let mut play = best.2;
                if dice.fraction() < habits.explore {
                    play = self.plays[dice.below(self.plays.len())];
                }
                all_rows(&facts, &play, &mut scratch);
                let start = self.rows.len();
                self.rows.extend_from_slice(scratch.as_slice());
                let end = self.rows.len();
                self.taken[role].push(Taken {
                    start,
                    end,
                    stage: stage_of(&facts),
                    best: best.1,
                    explored: play != best.2,
                });
                play
            };
            if table.play(play).is_err() {
                // The generator and the referee are tested against each other; a game they differ on is dropped.
                return false;
            }
        }
        let landlord_won = table.winner() == Some(Role::Landlord);
        let stakes = (1u32 << table.doublings().min(MOST_DOUBLINGS)) as f32 / SCORE_ONE;
        for role in Role::ALL {
            let won = role.is_landlord() == landlord_won;
            let score = if won { stakes } else { -stakes };
            let mut target = [f32::from(u8::from(won)), score];
            for taken in self.taken[role].iter().rev() {
                let rows = &self.rows[taken.start..taken.end];
                samples[role as usize].push(rows, taken.stage, target);
                // What an exploring play led to says nothing of the plays before it.
                target = if taken.explored {
                    taken.best
                } else {
                    let mix = |(after, now): (f32, f32)| habits.trace * after + (1.0 - habits.trace) * now;
                    [mix((target[0], taken.best[0])), mix((target[1], taken.best[1]))]
                };
            }
        }
        landlord_won
    }
}

/// What a side that is kept in the dark does not know.
fn forgetting(habits: &Habits, dice: &mut Dice) -> usize {
    if dice.fraction() < habits.minimal { HISTORY | LEFT[0] | LEFT[1] | BOTTOM } else { 1 + dice.below(15) }
}

const HISTORY: usize = 1;
const LEFT: [usize; 2] = [2, 4];
const BOTTOM: usize = 8;

/// Forgets `what` a caller may leave out.
fn forget(facts: &mut Facts, what: usize) {
    if what & HISTORY != 0 {
        facts.forget_history();
        // With a history the counts are known anyway.
        for (left, seat) in facts.left.iter_mut().zip(LEFT) {
            if what & seat != 0 {
                *left = None;
            }
        }
    }
    if what & BOTTOM != 0 {
        facts.bottom = None;
    }
}
