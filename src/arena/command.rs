use std::io::{self, IsTerminal as _, Write};
use std::time::Instant;

use crate::groups::{Preset, RuleSet};
use crate::strategy::Registry;

use super::{Match, Player, Report, UnknownPlayer, text_report};

/// Play strategies against each other and measure their strength.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The two players: names of strategies, with an allowance after an `@` (`expert@200` iterations,
    /// `expert@20ms`).
    #[arg(value_name = "PLAYER", num_args = 2, required = true)]
    players: Vec<String>,
    /// Decks to play; each is played twice, with the sides swapped.
    #[arg(long, default_value_t = 1000)]
    decks: u64,
    /// Decks and chance moves follow from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to play on; 0 for one on each core. Results do not depend on it.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The rules of the room.
    #[arg(long, default_value = "official", value_parser = parse_rules)]
    rules: RuleSet,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

fn parse_rules(text: &str) -> Result<RuleSet, String> {
    let found = Preset::ALL.into_iter().find(|preset| preset.name() == text);
    found.map(RuleSet::from).ok_or_else(|| {
        let known = Preset::ALL.map(Preset::name).join(", ");
        format!("there are {known}")
    })
}

/// Why the arena could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A player's name.
    #[error(transparent)]
    Player(#[from] UnknownPlayer),
    /// Writing the report.
    #[error("the report could not be written: {0}")]
    Output(#[from] io::Error),
    /// Writing the report as JSON.
    #[error("the report could not be written: {0}")]
    Json(#[from] serde_json::Error),
}

/// Does what the command line asks for and writes the report to `out`; progress goes to standard error where
/// that is a terminal.
///
/// # Errors
/// No such player, or `out` cannot be written to.
pub fn run(args: &Args, registry: &Registry, out: &mut impl Write) -> Result<(), ArenaError> {
    let [a, b] = args.players.as_slice() else {
        return Err(UnknownPlayer::Strategy { name: String::new(), known: String::new() }.into());
    };
    let duel = Match {
        a: Player::parse(a, registry)?,
        b: Player::parse(b, registry)?,
        decks: args.decks,
        seed: args.seed,
        threads: args.threads,
        rules: args.rules,
    };
    let begin = Instant::now();
    let result = with_progress(args.decks, |progress| duel.play(progress));
    let seconds = begin.elapsed().as_secs_f64();
    let report = Report::new(&duel, &result);
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", text_report(&report))?;
        let games = 2 * args.decks;
        writeln!(out, "  {games} games in {seconds:.2} s: {:.0} games/s", games as f64 / seconds)?;
    }
    Ok(())
}

/// Runs `work` with a progress line on standard error, if that is a terminal.
fn with_progress<T>(total: u64, work: impl FnOnce(super::Progress<'_>) -> T) -> T {
    if !io::stderr().is_terminal() {
        return work(&|_| {});
    }
    let step = (total / 200).max(1);
    let result = work(&|done| {
        if done % step == 0 {
            let _ = write!(io::stderr(), "\r{done} of {total} decks ");
        }
    });
    let _ = write!(io::stderr(), "\r\x1b[K");
    result
}
