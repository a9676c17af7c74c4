//! The program `doudizhu`: the server, and tools around it.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}
