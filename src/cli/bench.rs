use std::fmt::Write as _;
use std::time::Instant;

use doudizhu::bench::{signature, situations};
use doudizhu::strategy::{Random, Registry};

use super::{Failure, print};

/// Print a signature of every strategy's play, and its decisions a second.
///
/// The signature is a digest of what the strategy plays in ten thousand fixed situations. A change that is meant
/// to leave play as it is must leave it as it is.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Only this strategy.
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,

    /// Print the signatures alone, which are the same on every machine.
    #[arg(long)]
    signatures: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let registry = Registry::builtin();
    let chosen = |name: &str| args.strategy.as_ref().is_none_or(|strategy| strategy == name);
    if !registry.names().any(chosen) {
        let known = registry.names().collect::<Vec<_>>().join(", ");
        let name = args.strategy.as_deref().unwrap_or_default();
        return Err(format!("--strategy: there is no {name:?}; there are {known}").into());
    }
    let situations = situations(&Random, doudizhu::bench::SEED, doudizhu::bench::COUNT);
    for strategy in registry.names().filter(|name| chosen(name)).filter_map(|name| registry.find(name)) {
        let name = strategy.name();
        let start = Instant::now();
        let signature = signature(strategy.as_ref(), &situations);
        let rate = situations.len() as f64 / start.elapsed().as_secs_f64();
        let mut line = format!("{name:<12} {signature:016x}");
        if !args.signatures {
            write!(line, " {rate:>12.0} decisions/s")?;
        }
        print::out(&format!("{line}\n"))?;
    }
    Ok(())
}
