//! The trainer's command line.

use std::path::PathBuf;

use clap::Parser;
use doudizhu::train::run::{Plan, run};

/// Trains the networks of the expert by self-play.
#[derive(Parser)]
#[command(version)]
struct Arguments {
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
    #[arg(long, default_value_t = 1.5e-3)]
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
    /// λ of TD(λ).
    #[arg(long, default_value_t = 0.7)]
    trace: f32,
    /// Share of decisions with withheld facts.
    #[arg(long, default_value_t = 0.12)]
    withhold: f64,
    /// Decay of the running average of the weights a step.
    #[arg(long, default_value_t = 0.998)]
    decay: f32,
    /// Seed of the run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games between two checkpoints.
    #[arg(long, default_value_t = 102_400)]
    every: u64,
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let words: Vec<String> = std::env::args().skip(1).collect();
    run(&Plan {
        directory: arguments.directory,
        games: arguments.games,
        threads: arguments.threads.max(1),
        rates: [arguments.rate, arguments.last_rate],
        explore: [arguments.explore, arguments.last_explore],
        trace: arguments.trace,
        withhold: arguments.withhold,
        decay: arguments.decay,
        seed: arguments.seed,
        every: arguments.every,
        command: format!("doudizhu-train {}", words.join(" ")),
    })
}
