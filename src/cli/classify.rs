use std::fmt::Write as _;

use doudizhu::service::proto::{self, ClassifyPlayRequest, ClassifyPlayResponse};

use super::backend::{BackendArgs, show};
use super::values::{Cards, RuleArgs, cards, group_type};
use super::{Failure, print};

/// Tell which group cards are, and whether they beat another.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The cards played.
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    cards: Cards,

    /// The type they are meant to be, where the rules let them read as several.
    #[arg(long, value_name = "TYPE", value_parser = group_type)]
    group_type: Option<proto::GroupType>,

    /// The cards of the group to beat.
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    to_beat: Option<Cards>,

    /// The type of the group to beat, where the rules let its cards read as several.
    #[arg(long, value_name = "TYPE", value_parser = group_type)]
    to_beat_type: Option<proto::GroupType>,

    #[command(flatten)]
    rules: RuleArgs,

    #[command(flatten)]
    backend: BackendArgs,
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let request = ClassifyPlayRequest {
        request_id: String::new(),
        cards: args.cards.0,
        group_type: args.group_type.unwrap_or_default() as i32,
        to_beat: args.to_beat.map(|cards| cards.0).unwrap_or_default(),
        to_beat_type: args.to_beat_type.unwrap_or_default() as i32,
        rule_set: Some(args.rules.message()),
    };
    show(&args.backend.ask(request)?, args.backend.json, |response: &ClassifyPlayResponse, text| {
        match &response.group {
            Some(group) => writeln!(text, "group    {}", print::group(group))?,
            None if response.readings.is_empty() => {
                writeln!(text, "group    none: these cards may not be played together")?
            }
            None => writeln!(text, "group    several readings: name the type with --group-type")?,
        }
        if response.readings.len() > 1 || response.group.is_none() {
            for reading in &response.readings {
                let body = print::rank(reading.main_rank);
                writeln!(text, "reading  {}, body up to {body}", print::group(reading))?;
            }
        }
        match response.beats {
            Some(beats) => writeln!(text, "beats    {}", if beats { "yes" } else { "no" }),
            None => Ok(()),
        }
    })
}
