//! The trainer's command line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use doudizhu::arena::{Allowance, Match, Player, Report, text_report};
use doudizhu::groups::RuleSet;
use doudizhu::strategy::{Expert, Registry, Strategy};
use doudizhu::train::calibration::{self, Calibration, correct};
use doudizhu::train::checkpoint;
use doudizhu::train::curve;
use doudizhu::train::duel::{Told, Uninformed};
use doudizhu::train::run::{Plan, run};

/// Trains the networks of the expert by self-play, and watches what comes of it.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Trains, from the last checkpoint if there is one.
    Run(Run),
    /// Plays two players against each other on duplicate decks.
    Duel(Duel),
    /// Compares the win probabilities that a player states with the games it wins.
    Calibrate {
        /// A strategy's name or a file of weights.
        player: String,
        /// Games against itself.
        #[arg(long, default_value_t = 5_000)]
        games: u64,
        /// The player is told nothing but the minimal situation.
        #[arg(long)]
        minimal: bool,
        /// Decks follow from it.
        #[arg(long, default_value_t = 3 << 61)]
        seed: u64,
        /// Corrects the networks of the file `player` and writes them to this file.
        #[arg(long)]
        write: Option<PathBuf>,
    },
    /// Takes the mean of the weights of some checkpoints, each as often as it is named, as a checkpoint to go on from.
    Mean {
        /// The `state.bin` of runs with a common beginning.
        #[arg(required = true)]
        checkpoints: Vec<PathBuf>,
        /// Where to write it.
        #[arg(long)]
        write: PathBuf,
    },
    /// Takes what another checkpoint has learnt of turns at which the player does not know how many cards the enemies
    /// hold: networks of their own, which share no weight with the others.
    Graft {
        /// The `state.bin` that all else comes from.
        onto: PathBuf,
        /// The `state.bin` that has learnt such turns.
        from: PathBuf,
        /// Where to write it.
        #[arg(long)]
        write: PathBuf,
    },
    /// Draws the learning curve of a run.
    Curve {
        /// The directory of the run.
        #[arg(long)]
        directory: PathBuf,
    },
}

#[derive(Args)]
struct Run {
    /// Where checkpoints and weights go; a run continues from the checkpoint it finds there.
    #[arg(long)]
    directory: PathBuf,
    /// Games in all; learning rate and exploration are annealed over them.
    #[arg(long, default_value_t = 2_000_000)]
    games: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Learning rate at the beginning.
    #[arg(long, default_value_t = 1.2e-3)]
    rate: f32,
    /// Learning rate at the end.
    #[arg(long, default_value_t = 3e-5)]
    last_rate: f32,
    /// Share of random decisions at the beginning.
    #[arg(long, default_value_t = 0.04)]
    explore: f64,
    /// Share of random decisions at the end.
    #[arg(long, default_value_t = 0.01)]
    last_explore: f64,
    /// λ of TD(λ) at the beginning.
    #[arg(long, default_value_t = 0.7)]
    trace: f32,
    /// λ of TD(λ) at the end.
    #[arg(long, default_value_t = 0.9)]
    last_trace: f32,
    /// Share of games in which a side plays with facts withheld.
    #[arg(long, default_value_t = 0.3)]
    withhold: f64,
    /// Share of those sides that know the minimal situation alone.
    #[arg(long, default_value_t = 0.5)]
    minimal: f64,
    /// Share of games in which one side is played by a guest.
    #[arg(long, default_value_t = 0.0)]
    guests: f64,
    /// The guests: names of strategies or files of weights, each of which comes as often as it stands here.
    #[arg(long, value_delimiter = ',', default_value = "rhcp-team,rhcp-team,rhcp-team,rhcp,classic")]
    guest_list: Vec<String>,
    /// Decay of the running average of the weights a step.
    #[arg(long, default_value_t = 0.998)]
    decay: f32,
    /// Seed of the run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games between two checkpoints.
    #[arg(long, default_value_t = 102_400)]
    every: u64,
    /// Decks against each fixed opponent at every rung of the learning curve.
    #[arg(long, default_value_t = 500)]
    decks: u64,
}

#[derive(Args)]
struct Duel {
    /// A strategy's name or a file of weights.
    a: String,
    /// A strategy's name or a file of weights.
    b: String,
    /// Decks, each played from both sides.
    #[arg(long, default_value_t = 2_000)]
    decks: u64,
    /// Search of the first player: iterations (`200`) or time (`20ms`).
    #[arg(long)]
    search: Option<Allowance>,
    /// Search of the second player.
    #[arg(long)]
    b_search: Option<Allowance>,
    /// What the first player is told, if not everything.
    #[arg(long)]
    told: Option<Told>,
    /// Decks follow from it.
    #[arg(long, default_value_t = 1_000_000_007)]
    seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

fn player(name: &str) -> io::Result<Arc<dyn Strategy>> {
    if let Some(strategy) = Registry::builtin().find(name) {
        return Ok(Arc::clone(strategy));
    }
    let expert = Expert::from_bytes(&fs::read(Path::new(name))?);
    Ok(Arc::new(expert.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?))
}

fn main() -> io::Result<()> {
    match Arguments::parse().task {
        Task::Run(arguments) => {
            let words: Vec<String> = std::env::args().skip(1).collect();
            run(&Plan {
                directory: arguments.directory,
                games: arguments.games,
                threads: arguments.threads.max(1),
                rates: [arguments.rate, arguments.last_rate],
                explore: [arguments.explore, arguments.last_explore],
                trace: [arguments.trace, arguments.last_trace],
                withhold: arguments.withhold,
                minimal: arguments.minimal,
                guests: arguments.guests,
                guest_list: arguments
                    .guest_list
                    .iter()
                    .map(|name| player(name))
                    .collect::<io::Result<_>>()?,
                decay: arguments.decay,
                seed: arguments.seed,
                every: arguments.every,
                decks: arguments.decks,
                command: format!("doudizhu-train {}", words.join(" ")),
            })
        }
        Task::Duel(arguments) => {
            let mut a = player(&arguments.a)?;
            if let Some(told) = arguments.told {
                a = Arc::new(Uninformed { strategy: a, told });
            }
            let player = |strategy, search: Option<Allowance>| {
                let mut player = Player::new(strategy);
                player.allowance = search.unwrap_or_default();
                player
            };
            let played = Match {
                a: player(a, arguments.search),
                b: player(self::player(&arguments.b)?, arguments.b_search),
                decks: arguments.decks,
                seed: arguments.seed,
                threads: arguments.threads,
                rules: RuleSet::default(),
            };
            print!("{}", text_report(&Report::new(&played, &played.play(&|_| {}))));
            Ok(())
        }
        Task::Calibrate { player: name, games, minimal, seed, write } => {
            let statements = calibration::statements(&*player(&name)?, games, seed, minimal);
            println!("{}", Calibration::of(&statements));
            let Some(target) = write else { return Ok(()) };
            // The other stages of a game: those in which the player knows as little as possible, or else all.
            let mut statements = statements;
            statements.extend(calibration::statements(
                &*player(&name)?,
                games,
                seed.wrapping_add(games),
                !minimal,
            ));
            let corrected = correct(&fs::read(Path::new(&name))?, &statements);
            fs::write(target, corrected.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?)
        }
        Task::Mean { checkpoints, write } => {
            let (learners, games) = checkpoint::mean(&checkpoints)?;
            checkpoint::save(&write, &learners, games)
        }
        Task::Graft { onto, from, write } => {
            let (mut learners, games) = checkpoint::load(&onto)?;
            let (blind, _) = checkpoint::load(&from)?;
            learners.iter_mut().zip(&blind).for_each(|(learner, blind)| learner.graft_blind(blind));
            checkpoint::save(&write, &learners, games)
        }
        Task::Curve { directory } => curve::draw(&directory),
    }
}
