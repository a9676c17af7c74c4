//! The training loop. Every schedule is counted in games, so that a loaded machine changes nothing but the time
//! it takes; games are numbered and learning is in a fixed order, so that the number of threads changes nothing
//! either.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::game::Dice;
use crate::strategy::expert::brain::Brain;
use crate::strategy::expert::weights::Weights;
use crate::strategy::{Expert, Random, Rhcp, Strategy};

use super::checkpoint;
use super::curve::{self, Rung};
use super::duel::duel;
use super::learner::{BATCH, Learner, Loss, Samples};
use super::selfplay::{Habits, Player};

/// What to do in a run.
#[derive(Clone)]
pub struct Plan {
    /// Where checkpoints and weights go.
    pub directory: PathBuf,
    /// Games in all.
    pub games: u64,
    /// Threads.
    pub threads: usize,
    /// Learning rate at the beginning and at the end.
    pub rates: [f32; 2],
    /// Share of random decisions at the beginning and at the end.
    pub explore: [f64; 2],
    /// λ of TD(λ) at the beginning and at the end.
    pub trace: [f32; 2],
    /// Share of games in which a side plays with facts withheld.
    pub withhold: f64,
    /// Share of those sides that know the minimal situation alone.
    pub minimal: f64,
    /// Share of games in which one side is played by a guest.
    pub guests: f64,
    /// The guests, each of which comes as often as it stands here.
    pub guest_list: Vec<Arc<dyn Strategy>>,
    /// Decay of the running average of the weights a step.
    pub decay: f32,
    /// First seed.
    pub seed: u64,
    /// Games between two checkpoints.
    pub every: u64,
    /// Decks against each fixed opponent at every rung of the learning curve.
    pub decks: u64,
    /// The command line, for the record.
    pub command: String,
}

/// Games of one round of playing, after which what they gave is learnt. Three buffers of about 8,000 decisions.
const ROUND: u64 = 1024;
/// The first deck of the rungs of the learning curve: far from all decks that are learnt from.
const DUEL_SEED: u64 = 1 << 62;

/// Runs `plan`, from its last checkpoint if there is one.
///
/// # Errors
/// The directory cannot be read or written.
pub fn run(plan: &Plan) -> io::Result<()> {
    fs::create_dir_all(&plan.directory)?;
    let state = plan.directory.join("state.bin");
    let (mut learners, mut games) = if state.exists() {
        checkpoint::load(&state)?
    } else {
        ([0, 1, 2].map(|role| Learner::new(plan.seed + role)), 0)
    };
    let mut players: Vec<Player> = (0..plan.threads).map(|_| Player::new(&plan.guest_list)).collect();
    let mut pools: [Samples; 3] = Default::default();
    let began = Instant::now();
    let (mut playing, mut learning) = (0.0, 0.0);
    let mut saved = games / plan.every;
    let mut mark = next_mark(games);
    let mut tally = Tally::default();
    while games < plan.games {
        let progress = games as f64 / plan.games as f64;
        let fall = 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
        let rate = plan.rates[1] + (plan.rates[0] - plan.rates[1]) * fall as f32;
        let habits = Habits {
            explore: plan.explore[1] + (plan.explore[0] - plan.explore[1]) * fall,
            trace: plan.trace[1] + (plan.trace[0] - plan.trace[1]) * fall as f32,
            withhold: plan.withhold,
            minimal: plan.minimal,
            guests: plan.guests,
            other_rules: 0.06,
        };
        let brain = brain(&learners);
        let clock = Instant::now();
        tally.won += play(plan, &brain, &habits, games, &mut players, &mut pools);
        tally.games += ROUND;
        games += ROUND;
        playing += clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        // Early on the average must not drag the first random weights along.
        let decay = plan.decay.min(1.0 - 10.0 / (10.0 + learners[0].steps as f32));
        let losses = learn(plan, games, rate, decay, &mut learners, &mut pools);
        for (sum, loss) in tally.losses.iter_mut().zip(losses) {
            sum.win += loss.win;
            sum.count += loss.count;
        }
        learning += clock.elapsed().as_secs_f64();
        if games / plan.every > saved || games >= plan.games {
            saved = games / plan.every;
            checkpoint::save(&state, &learners, games)?;
            let seconds = began.elapsed().as_secs_f64();
            println!(
                "games {games} ({:.1} %) rate {rate:.2e} landlord {:.4} loss {} wall {seconds:.0} s (play {playing:.0}, learn {learning:.0})",
                100.0 * games as f64 / plan.games as f64,
                tally.won as f64 / tally.games as f64,
                tally.losses.map(|loss| format!("{:.4}", loss.win / loss.count.max(1) as f64)).join(" "),
            );
            tally = Tally::default();
            write_weights(plan, &learners, games, "latest.bin")?;
        }
        if games >= mark {
            write_weights(plan, &learners, games, &format!("weights-{games:09}.bin"))?;
            mark = next_mark(games);
            climb(plan, &learners, games)?;
        }
    }
    climb(plan, &learners, games)?;
    write_weights(plan, &learners, games, "final.bin")
}

/// Plays the fixed opponents, adds the rung to the learning curve and draws it anew.
fn climb(plan: &Plan, learners: &[Learner; 3], games: u64) -> io::Result<()> {
    let expert: Arc<dyn Strategy> = Arc::new(Expert::from_brain(brain(learners)));
    let against = |opponent: Arc<dyn Strategy>| {
        duel(Arc::clone(&expert), opponent, plan.decks, DUEL_SEED, plan.threads)
    };
    let (random, rhcp) = (against(Arc::new(Random)), against(Arc::new(Rhcp::default())));
    let rung = Rung {
        games,
        decisions: decisions(learners),
        random: random.wp.mean,
        rhcp: [rhcp.wp.mean, rhcp.wp.ci95],
        roles: [rhcp.landlord_wp.mean, rhcp.peasants_wp.mean],
    };
    println!("{rung}");
    curve::add(&plan.directory, &rung)?;
    curve::draw(&plan.directory)
}

/// Decisions learnt.
fn decisions(learners: &[Learner; 3]) -> u64 {
    learners.iter().map(|learner| learner.steps).sum::<u64>() * BATCH as u64
}

#[derive(Default)]
struct Tally {
    won: u64,
    games: u64,
    losses: [Loss; 3],
}

/// The rungs of the ladder of old selves: two for each doubling.
fn next_mark(games: u64) -> u64 {
    let mut mark = 65_536.0f64;
    while mark as u64 <= games {
        mark *= std::f64::consts::SQRT_2;
    }
    mark as u64
}

fn brain(learners: &[Learner; 3]) -> Brain {
    Brain { networks: [0, 1, 2].map(|role| learners[role].quantised()) }
}

fn write_weights(plan: &Plan, learners: &[Learner; 3], games: u64, name: &str) -> io::Result<()> {
    let record =
        format!("games: {games}\ndecisions learnt: {}\ncommand: {}\n", decisions(learners), plan.command);
    let weights = Weights { brain: brain(learners), record };
    fs::write(plan.directory.join(name), weights.write())
}

/// Plays one round. Whichever thread plays a game, its samples end up at the same place.
fn play(
    plan: &Plan,
    brain: &Brain,
    habits: &Habits,
    games: u64,
    players: &mut [Player],
    pools: &mut [Samples; 3],
) -> u64 {
    let share = ROUND.div_ceil(players.len() as u64);
    let results: Vec<([Samples; 3], u64)> = std::thread::scope(|scope| {
        let workers: Vec<_> = players
            .iter_mut()
            .enumerate()
            .map(|(index, player)| {
                let first = index as u64 * share;
                let last = (first + share).min(ROUND);
                scope.spawn(move || {
                    let mut samples: [Samples; 3] = Default::default();
                    let mut won = 0;
                    for game in first..last {
                        // Spread the seeds so that runs with neighbouring seeds share no game.
                        let number = plan.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(games + game);
                        won += u64::from(player.play(brain, habits, number, &mut samples));
                    }
                    (samples, won)
                })
            })
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let mut won = 0;
    for (samples, landlord) in &results {
        won += landlord;
        pools.iter_mut().zip(samples).for_each(|(pool, samples)| pool.append(samples));
    }
    won
}

/// Every role learns its pool, on a thread of its own where there is more than one.
fn learn(
    plan: &Plan,
    games: u64,
    rate: f32,
    decay: f32,
    learners: &mut [Learner; 3],
    pools: &mut [Samples; 3],
) -> [Loss; 3] {
    let mut losses = [Loss::default(); 3];
    let work = |((learner, pool), loss): ((&mut Learner, &mut Samples), &mut Loss), role: u64| {
        let mut order: Vec<u32> = (0..pool.len() as u32).collect();
        Dice::new(games ^ role << 60).shuffle(&mut order);
        *loss = learner.learn(pool, &order, rate, decay);
        pool.clear();
    };
    let jobs = learners.iter_mut().zip(pools.iter_mut()).zip(losses.iter_mut()).zip(0u64..);
    if plan.threads == 1 {
        jobs.for_each(|(job, role)| work(job, role));
    } else {
        std::thread::scope(|scope| {
            for (job, role) in jobs {
                scope.spawn(move || work(job, role));
            }
        });
    }
    losses
}
