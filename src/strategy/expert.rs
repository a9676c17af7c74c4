//! The expert: three small networks, one a role, trained by self-play, that score every legal play.
//!
//! What is worked out by rate of change:
//!
//! * [`weights`]: the networks as a file; read once in the life of a process.
//! * [`facts`]: what the network may know of a turn, once a turn.
//! * [`features`]: facts and candidates as rows of the first layer.
//! * [`brain`]: a turn's sums, once a turn; each candidate's, once a candidate.
//! * [`network`], [`kernel`]: the arithmetic, in integers, the same on every processor.
//! * [`stage`]: which of the networks' last layers judge a turn.
//! * [`partition`]: how a hand falls into the fewest groups.
//!
//! What is done with time to think:
//!
//! * [`worlds`]: deals of the hidden hands.
//! * [`position`]: a game with open hands, and how the networks play it out.
//! * [`search()`]: candidates judged in many deals.
//! * [`endgame`]: endings with open hands, solved.

use std::sync::{Arc, OnceLock};

use crate::game::{History, Situation};
use crate::groups::Play;

pub(crate) mod brain;
pub(crate) mod endgame;
pub(crate) mod facts;
pub(crate) mod features;
pub(crate) mod kernel;
pub(crate) mod network;
pub(crate) mod partition;
pub(crate) mod position;
pub(crate) mod search;
pub(crate) mod stage;
pub(crate) mod weights;
pub(crate) mod worlds;

use brain::Brain;
use facts::Facts;
use kernel::Lane;
use network::Outlook;
use search::{Candidate, search};
use weights::Weights;

pub use weights::BadWeights;

use super::{Budget, Cost, Decision, Evaluation, RankedPlay, Ranking, Strategy, Thinking, goes_out};

/// The strongest player of this crate: the legal play with the highest win probability, or of which the most points
/// are to be expected.
#[derive(Clone)]
pub struct Expert {
    weights: Arc<Weights>,
    lane: Lane,
    objective: Objective,
}

/// What an expert plays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objective {
    Win,
    Points,
}

/// The networks that this crate ships; `training_record` tells how they were made.
const SHIPPED: &[u8] = include_bytes!("expert/weights.bin");

impl Expert {
    /// The expert with the networks that this crate ships. They are unpacked once in the life of the process.
    ///
    /// # Errors
    /// The embedded file is damaged: a fault of the build, which the tests of this crate look for.
    pub fn shipped() -> Result<Expert, BadWeights> {
        static WEIGHTS: OnceLock<Result<Arc<Weights>, BadWeights>> = OnceLock::new();
        let weights = WEIGHTS.get_or_init(|| Weights::read(SHIPPED).map(Arc::new)).clone()?;
        Ok(Expert { weights, lane: Lane::best(), objective: Objective::Win })
    }

    /// The expert with the networks of a file of weights.
    ///
    /// # Errors
    /// The file is damaged or of another architecture.
    pub fn from_bytes(bytes: &[u8]) -> Result<Expert, BadWeights> {
        Ok(Expert { weights: Arc::new(Weights::read(bytes)?), lane: Lane::best(), objective: Objective::Win })
    }

    /// The expert with networks that are being trained.
    #[cfg(feature = "train")]
    pub(crate) fn from_brain(brain: Brain) -> Expert {
        Expert {
            weights: Arc::new(Weights { brain, record: String::new() }),
            lane: Lane::best(),
            objective: Objective::Win,
        }
    }

    /// What the file of weights says of how they came about.
    #[must_use]
    pub fn training_record(&self) -> &str {
        &self.weights.record
    }

    /// The same, playing for points instead of for the win.
    #[must_use]
    pub fn for_points(self) -> Expert {
        Expert { objective: Objective::Points, ..self }
    }

    /// All legal plays, the most promising first; of plays that look the same the first generated, as in a
    /// decision without search.
    fn candidates(&self, situation: &Situation, facts: &Facts) -> Vec<Candidate> {
        let mut look = self.brain().look(facts, self.lane);
        let mut candidates = Vec::new();
        situation.for_each_play(|play| {
            candidates.push(if play.cards() == situation.hand() {
                Candidate::new(play, 1.0, points_of_going_out(situation, &play))
            } else {
                let outlook = look.at(&play);
                Candidate::new(play, outlook.probability(), outlook.points(situation.role()))
            });
        });
        match self.objective {
            Objective::Win => candidates.sort_by(|a, b| b.prior.total_cmp(&a.prior)),
            Objective::Points => candidates.sort_by(|a, b| b.points.total_cmp(&a.points)),
        }
        candidates
    }

    /// The legal plays of a turn, the best first, without search.
    pub(crate) fn plays(&self, situation: &Situation) -> Vec<RankedPlay> {
        let (plays, _) = self.think(situation, 0, &Budget::IMMEDIATE);
        plays
    }

    /// The legal plays of a turn, the best first, after as much thinking as the budget allows; and what that cost.
    fn think(&self, situation: &Situation, seed: u64, budget: &Budget<'_>) -> (Vec<RankedPlay>, u64) {
        let facts = Facts::of(situation);
        let mut candidates = self.candidates(situation, &facts);
        let mut states = candidates.len() as u64;
        if self.searches()
            && budget.allows_search()
            && let Some(found) = search(situation, &facts, &candidates, self.brain(), self.lane, seed, budget)
        {
            // The best candidates were searched: they stand first already.
            candidates[..found.candidates.len()].copy_from_slice(&found.candidates);
            states += u64::from(found.iterations) + found.solved;
        }
        (candidates.iter().map(ranked).collect(), states)
    }

    pub(crate) fn brain(&self) -> &Brain {
        &self.weights.brain
    }
}

impl Strategy for Expert {
    fn name(&self) -> &'static str {
        match self.objective {
            Objective::Win => "expert",
            Objective::Points => "expert-points",
        }
    }

    /// Search asks who wins, not how high.
    fn searches(&self) -> bool {
        self.objective == Objective::Win
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        if let Some(group) = goes_out(situation) {
            let play = group.into();
            let points = points_of_going_out(situation, &play);
            return decision(RankedPlay { play, evaluation: evaluation(1.0, points) }, 0);
        }
        if self.searches() && thinking.budget.allows_search() {
            let (plays, states) = self.think(situation, thinking.seed, &thinking.budget);
            return decision(plays.first().copied().unwrap_or(NOTHING), states);
        }
        let mut look = self.brain().look(&Facts::of(situation), self.lane);
        let mut best: Option<(Outlook, Play)> = None;
        let mut states = 0;
        let worth = |outlook: &Outlook| match self.objective {
            Objective::Win => outlook.win,
            Objective::Points => outlook.score,
        };
        situation.for_each_play(|play| {
            states += 1;
            let outlook = look.at(&play);
            if best.is_none_or(|(so_far, _)| worth(&outlook) > worth(&so_far)) {
                best = Some((outlook, play));
            }
        });
        let best = best.map_or(NOTHING, |(outlook, play)| RankedPlay {
            play,
            evaluation: evaluation(outlook.probability(), outlook.points(situation.role())),
        });
        decision(best, states)
    }

    fn rank(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Ranking {
        let out = goes_out(situation).map(Play::from);
        let budget = if out.is_some() { &Budget::IMMEDIATE } else { &thinking.budget };
        let (mut plays, states) = self.think(situation, thinking.seed, budget);
        if let Some(place) = plays.iter().position(|ranked| Some(ranked.play) == out) {
            plays[..=place].rotate_right(1);
        }
        Ranking { plays, cost: Cost { states, memo_hits: 0 } }
    }
}

/// The answer to a turn without a legal play, which there is not: a leader has a card to lead, a follower can pass.
const NOTHING: RankedPlay = RankedPlay {
    play: Play::Pass,
    evaluation: Evaluation { rest: None, win_probability: None, expected_points: None },
};

/// The points for going out with `play`.
fn points_of_going_out(situation: &Situation, play: &Play) -> f32 {
    let before = situation.history().map_or(0, History::doublings);
    let doublings = before + u32::from(play.group().is_some_and(|group| group.kind().crosses_types()));
    network::stake(situation.role()) * (doublings as f32).exp2()
}

fn evaluation(win_probability: f32, points: f32) -> Evaluation {
    Evaluation { rest: None, win_probability: Some(win_probability), expected_points: Some(points) }
}

fn ranked(candidate: &Candidate) -> RankedPlay {
    RankedPlay { play: candidate.play, evaluation: evaluation(candidate.prior, candidate.points) }
}

/// A decision that cost `states` candidates, deals and solved positions.
fn decision(best: RankedPlay, states: u64) -> Decision {
    let RankedPlay { play, evaluation } = best;
    Decision { play, evaluation, cost: Cost { states, memo_hits: 0 } }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::cards::parse_cards;
    use crate::game::{Dice, Role, SituationInput, Table, deal};
    use crate::groups::RuleSet;
    use std::sync::atomic::{AtomicU32, Ordering};

    use crate::strategy::{ALONE, Random, Scratch};

    fn decide(situation: &Situation, iterations: u32) -> Decision {
        let mut scratch = Scratch::default();
        let budget = Budget { is_spent: &|| false, iterations: Some(iterations), crew: ALONE };
        let mut thinking = Thinking { seed: 5, budget, scratch: &mut scratch };
        Expert::shipped().unwrap().decide(situation, &mut thinking)
    }

    #[test]
    fn the_shipped_weights_are_whole_and_say_how_they_were_made() {
        let expert = Expert::shipped().unwrap();
        assert!(expert.training_record().contains("command: doudizhu-train run"));
    }

    /// No sum of the first layer comes near the ends of its 16 bits in a game.
    #[test]
    fn the_shipped_weights_do_not_overflow() {
        let brain = &Expert::shipped().unwrap().weights.brain;
        let mut dice = Dice::new(31);
        let mut rows = features::Rows::new();
        for _ in 0..30 {
            let mut table = Table::new(&deal(&mut dice), RuleSet::default());
            while table.winner().is_none() {
                let facts = Facts::of(table.situation());
                let network = &brain.networks[facts.role as usize];
                let first = network.first_at(stage::stage_of(&facts));
                let mut plays = Vec::new();
                table.situation().for_each_play(|play| plays.push(play));
                for play in &plays {
                    brain::all_rows(&facts, play, &mut rows);
                    for unit in 0..network::WIDE {
                        let of = |row: usize| i32::from(first.rows[row].0[unit]) << first.shifts[row];
                        let sum = rows.as_slice().iter().map(|row| of(usize::from(*row))).sum::<i32>();
                        assert!(sum.abs() < 30_000);
                    }
                }
                table.play(plays[dice.below(plays.len())]).unwrap();
            }
        }
    }

    #[test]
    fn the_whole_hand_as_one_group_is_played() {
        let hand = parse_cards("6 6 8 8 8 8").unwrap();
        let situation = Situation::new(&SituationInput::lead(Role::PeasantAfter, hand)).unwrap();
        for iterations in [0, 8] {
            let decision = decide(&situation, iterations);
            assert_eq!(decision.play.cards(), situation.hand());
            assert_eq!(decision.evaluation.win_probability, Some(1.0));
        }
    }

    #[test]
    fn the_same_seed_and_iterations_give_the_same_decision() {
        let mut dice = Dice::new(77);
        let mut table = Table::new(&deal(&mut dice), RuleSet::default());
        while table.winner().is_none() {
            for situation in [table.situation().clone(), table.situation().minimal()] {
                assert_eq!(decide(&situation, 6), decide(&situation, 6));
                let stated = decide(&situation, 0).evaluation.win_probability.unwrap();
                assert!((0.0..=1.0).contains(&stated));
            }
            let play = decide(table.situation(), 2).play;
            table.play(play).unwrap();
        }
    }

    /// A search that is told to stop answers with a legal play, however little it has seen.
    #[test]
    fn a_search_stops_when_its_budget_is_spent() {
        let table = Table::new(&deal(&mut Dice::new(3)), RuleSet::default());
        let expert = Expert::shipped().unwrap();
        for allowed in 0..4 {
            let asked = AtomicU32::new(0);
            let is_spent = || asked.fetch_add(1, Ordering::Relaxed) >= allowed;
            let budget = Budget { is_spent: &is_spent, iterations: None, crew: ALONE };
            let mut scratch = Scratch::default();
            let mut thinking = Thinking { seed: 5, budget, scratch: &mut scratch };
            let play = expert.decide(table.situation(), &mut thinking).play;
            let mut legal = false;
            table.situation().for_each_play(|candidate| legal |= candidate == play);
            assert!(legal && asked.into_inner() == allowed + 1);
        }
    }

    #[test]
    fn a_ranking_begins_with_the_decision_and_falls() {
        let mut dice = Dice::new(12);
        let mut table = Table::new(&deal(&mut dice), RuleSet::default());
        let expert = Expert::shipped().unwrap();
        let mut scratch = Scratch::default();
        while table.winner().is_none() {
            let mut thinking = Thinking { seed: 0, budget: Budget::IMMEDIATE, scratch: &mut scratch };
            let ranking = expert.rank(table.situation(), &mut thinking);
            let mut count = 0;
            table.situation().for_each_play(|_| count += 1);
            assert_eq!(ranking.plays.len(), count);
            assert_eq!(ranking.plays[0].play, decide(table.situation(), 0).play);
            let stated: Vec<_> = ranking.plays.iter().map(|play| play.evaluation.win_probability).collect();
            assert!(stated.is_sorted_by(|a, b| a >= b), "{stated:?}");
            table.play(ranking.plays[dice.below(count)].play).unwrap();
        }
    }

    /// Far from the strength that the arena measures, but no accident either.
    #[test]
    fn wins_against_random_play() {
        let expert = Expert::shipped().unwrap();
        let mut scratch = Scratch::default();
        let (mut won, games) = (0, 200);
        for game in 0..games {
            let landlord = game % 2 == 0;
            let mut table = Table::new(&deal(&mut Dice::new(game)), RuleSet::default());
            while table.winner().is_none() {
                let mut thinking = Thinking { seed: game, budget: Budget::IMMEDIATE, scratch: &mut scratch };
                let expert_moves = table.turn().is_landlord() == landlord;
                let decision = if expert_moves {
                    expert.decide(table.situation(), &mut thinking)
                } else {
                    Random.decide(table.situation(), &mut thinking)
                };
                table.play(decision.play).unwrap();
            }
            won += u64::from(table.winner().is_some_and(|winner| winner.is_landlord() == landlord));
        }
        assert!(won * 100 >= games * 95, "{won} of {games}");
    }
}
