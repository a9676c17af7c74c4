//! The command line: one file per subcommand. It knows the library, which knows nothing of it.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use doudizhu::config::ServeArgs;
use doudizhu::strategy::Registry;
use doudizhu::{arena, service};

mod backend;
mod bench;
mod bid;
mod classify;
mod decide;
mod double;
mod evaluate;
mod health;
mod load;
mod print;
mod rank;
mod turn;
mod values;

/// A decision service for Dou Dizhu (斗地主): one turn's situation in, the cards to play out, over gRPC.
///
/// Without a command it serves. Every option of the server can also be set by the environment variable shown
/// with it.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Serve decisions over gRPC, metrics and probes over HTTP.
    Serve(ServeArgs),
    /// Decide what to play in one turn.
    Decide(decide::Args),
    /// List the legal plays of one turn, best first.
    Rank(rank::Args),
    /// Decide what to say in the auction.
    Bid(bid::Args),
    /// Decide whether to double the stakes before play.
    Double(double::Args),
    /// Tell what a hand is worth and which groups it falls into.
    Evaluate(evaluate::Args),
    /// Tell which group cards are, and whether they beat another.
    Classify(classify::Args),
    /// Ask a server whether it is ready: exit status 0 if it is.
    Health(health::Args),
    /// Play strategies against each other and measure their strength.
    Arena(arena::Args),
    /// Print a signature of every strategy's play, and its decisions a second.
    Bench(bench::Args),
    /// Put load on a server and measure its latency and throughput.
    Load(load::Args),
}

/// What a command that failed says on standard error. The exit status is 1; wrong usage is 2.
type Failure = Box<dyn std::error::Error>;

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command.unwrap_or(Command::Serve(cli.serve)) {
        Command::Serve(args) => return serve(&args),
        Command::Decide(args) => decide::run(args),
        Command::Rank(args) => rank::run(args),
        Command::Bid(args) => bid::run(args),
        Command::Double(args) => double::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Classify(args) => classify::run(args),
        Command::Health(args) => health::run(&args),
        Command::Arena(args) => {
            arena::run(&args, &Registry::builtin(), &mut std::io::stdout().lock()).map_err(Failure::from)
        }
        Command::Bench(args) => bench::run(&args),
        Command::Load(args) => load::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("doudizhu: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Serves. What goes wrong is said in the log's own format, which is on standard error too.
fn serve(args: &ServeArgs) -> ExitCode {
    match service::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "stopped");
            ExitCode::FAILURE
        }
    }
}
