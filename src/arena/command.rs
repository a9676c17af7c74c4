use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::groups::{Preset, RuleSet};
use crate::strategy::Registry;
use crate::strategy::bidding::Models;

use super::bids::{fit, measure, play_records, source, text_bid_report};
use super::progress::with_progress;
use super::{
    Match, Player, Report, RoundRobin, Standings, UnknownPlayer, html_report, text_report, text_standings,
    text_verification, verify,
};

/// Play strategies against each other and measure their strength.
///
/// Every deck is played twice with the sides swapped. WP is the share of games won, ADP the mean points of a
/// game in DouZero's protocol; both are the first player's, with 95 % intervals. All but times depends on the
/// seed alone.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The players: names of strategies, with an allowance after an `@` (`expert@200` iterations,
    /// `expert@20ms`), or servers and strategies (`grpc://host:50051/expert@20ms`). Three or more play a round
    /// robin.
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// One more player, behind a server that speaks this API: `grpc://host:port`, and after a slash the name of
    /// its strategy if not the default.
    #[arg(long, value_name = "URL")]
    opponent: Option<String>,
    /// Decks to play for each pair; each is played twice, with the sides swapped.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    decks: u64,
    /// Decks and chance moves follow from it.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads to play on; 0 for one on each core. Results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// The rules of the room.
    #[arg(long, value_name = "PRESET", default_value = "official", value_parser = parse_rules)]
    rules: RuleSet,
    /// Print ratings on Elo's scale and the table of all pairs, for two players as well.
    #[arg(long)]
    round_robin: bool,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
    /// Leave out what the clock has a part in, so that the same seed prints the same bytes.
    #[arg(long)]
    no_timing: bool,
    /// Write the result as a self-contained web page to this file as well.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Instead of a match, play so many random games and check at every turn that generator, recogniser and
    /// referee agree.
    #[arg(long, value_name = "GAMES", conflicts_with_all = ["players", "round_robin", "report"])]
    verify: Option<u64>,
    /// Instead of a match, let the one player play the decks with each seat as landlord, fit the estimates on
    /// which bids and doubles rest, and write them to this file as source text.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["verify", "round_robin", "report"])]
    fit_bids: Option<PathBuf>,
    /// Instead of a match, let the one player play the decks with each seat as landlord and measure how well
    /// the estimates for bids and doubles are calibrated and what they gain.
    #[arg(long, conflicts_with_all = ["verify", "round_robin", "report", "fit_bids"])]
    calibrate_bids: bool,
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
    /// A match of fewer than two players, or of one against itself under the same name.
    #[error("name two different players or more")]
    TooFewPlayers,
    /// A player behind a server did not answer.
    #[error("{player}: {failure}")]
    NoAnswer {
        /// The player.
        player: String,
        /// What happened.
        failure: String,
    },
    /// Bids are fitted to one player.
    #[error("name one player")]
    OnePlayer,
    /// The verification found something.
    #[error("generator, recogniser and referee disagree in {0} places")]
    Disagreements(u64),
    /// Writing the result.
    #[error("the result could not be written: {0}")]
    Output(#[from] io::Error),
    /// Writing the result as JSON.
    #[error("the result could not be written: {0}")]
    Json(#[from] serde_json::Error),
    /// Writing the web page or the fit.
    #[error("{file} could not be written: {error}")]
    File {
        /// The file.
        file: String,
        /// Why not.
        error: io::Error,
    },
}

/// Does what the command line asks for and writes the result to `out`; progress goes to standard error where
/// that is a terminal.
///
/// # Errors
/// The players cannot play, or the result cannot be written.
pub fn run(args: &Args, registry: &Registry, out: &mut impl Write) -> Result<(), ArenaError> {
    if let Some(games) = args.verify {
        return run_verify(args, games, out);
    }
    let mut players = Vec::new();
    for text in args.players.iter().chain(&args.opponent) {
        players.push(Player::parse(text, registry)?);
    }
    if args.fit_bids.is_some() || args.calibrate_bids {
        let [player] = players.as_slice() else { return Err(ArenaError::OnePlayer) };
        return run_bids(args, player, out);
    }
    match players.as_slice() {
        [] | [_] => Err(ArenaError::TooFewPlayers),
        [a, b] if !args.round_robin => run_match(args, a, b, out),
        _ => run_round_robin(args, players, out),
    }
}

fn run_match(args: &Args, a: &Player, b: &Player, out: &mut impl Write) -> Result<(), ArenaError> {
    let duel = Match {
        a: a.clone(),
        b: b.clone(),
        decks: args.decks,
        seed: args.seed,
        threads: args.threads,
        rules: args.rules,
    };
    let result = with_progress(args.decks, "decks", |progress| duel.play(progress));
    all_answered(&[a.clone(), b.clone()])?;
    let mut report = Report::new(&duel, &result);
    if args.no_timing {
        report = report.without_timing();
    }
    write_page(args, || html_report(&Standings::of_match(&duel, &result, report.clone())))?;
    print(args, &report, text_report, out)
}

fn run_round_robin(args: &Args, players: Vec<Player>, out: &mut impl Write) -> Result<(), ArenaError> {
    // Results are told apart by the players' names.
    let mut labels: Vec<String> = players.iter().map(Player::label).collect();
    labels.sort();
    labels.dedup();
    if labels.len() != players.len() {
        return Err(ArenaError::TooFewPlayers);
    }
    let tournament =
        RoundRobin { players, decks: args.decks, seed: args.seed, threads: args.threads, rules: args.rules };
    let total = tournament.matches() * args.decks;
    let mut standings = with_progress(total, "decks", |progress| tournament.play(progress));
    all_answered(&tournament.players)?;
    if args.no_timing {
        standings = standings.without_timing();
    }
    write_page(args, || html_report(&standings))?;
    print(args, &standings, text_standings, out)
}

fn run_verify(args: &Args, games: u64, out: &mut impl Write) -> Result<(), ArenaError> {
    let found = with_progress(games, "games", |progress| {
        verify(games, args.seed, args.threads, args.rules, progress)
    });
    print(args, &found, text_verification, out)?;
    if found.disagreements > 0 { Err(ArenaError::Disagreements(found.disagreements)) } else { Ok(()) }
}

/// Whether every turn of a player behind a server got an answer.
fn all_answered(players: &[Player]) -> Result<(), ArenaError> {
    players.iter().try_for_each(|player| match player.failure() {
        None => Ok(()),
        Some(failure) => Err(ArenaError::NoAnswer { player: player.label(), failure }),
    })
}

/// Fits to the games of one seed, or measures on them: of different seeds, so that the hands are fresh.
fn run_bids(args: &Args, player: &Player, out: &mut impl Write) -> Result<(), ArenaError> {
    let records = with_progress(args.decks, "decks", |progress| {
        play_records(player, args.decks, args.seed, args.threads, args.rules, progress)
    });
    let models = match &args.fit_bids {
        None => Models::FITTED,
        Some(file) => {
            let models = fit(&records);
            write_file(file, &source(&models, &player.label(), args.decks, args.seed))?;
            models
        }
    };
    print(args, &measure(&models, &records, player.label(), args.seed), text_bid_report, out)
}

fn print<T: Serialize>(
    args: &Args,
    result: &T,
    text: impl FnOnce(&T) -> String,
    out: &mut impl Write,
) -> Result<(), ArenaError> {
    if args.json {
        serde_json::to_writer_pretty(&mut *out, result)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", text(result))?;
    }
    out.flush()?;
    Ok(())
}

fn write_page(args: &Args, page: impl FnOnce() -> String) -> Result<(), ArenaError> {
    args.report.as_ref().map_or(Ok(()), |file| write_file(file, &page()))
}

fn write_file(file: &Path, text: &str) -> Result<(), ArenaError> {
    fs::write(file, text).map_err(|error| ArenaError::File { file: file.display().to_string(), error })
}
