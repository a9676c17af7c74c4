//! The command line.

use std::io::{self, BufWriter};
use std::process::ExitCode;

use clap::Parser;
use doudizhu::arena;
use doudizhu::strategy::Registry;

/// A stateless Dou Dizhu decision service.
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Play strategies against each other and measure their strength.
    Arena(arena::Args),
}

fn main() -> ExitCode {
    let Command::Arena(args) = Command::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    match arena::run(&args, &Registry::builtin(), &mut out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("doudizhu: {error}");
            ExitCode::FAILURE
        }
    }
}
