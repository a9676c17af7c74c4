//! The options of the commands about a turn.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use doudizhu::service::proto::{self, CardsLeft, Situation};

use super::Failure;
use super::values::{Cards, History, RuleArgs, cards, cards_left, group_type, history, role};

/// A request about a turn.
#[derive(Args, Debug)]
pub(super) struct TurnArgs {
    #[command(flatten)]
    situation: SituationArgs,

    /// The strategy to ask [default: the server's].
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    strategy: String,

    /// How long the strategy may think [default: the server's].
    #[arg(long, value_name = "DURATION")]
    time_budget: Option<humantime::Duration>,

    /// How many iterations a search may make at most.
    #[arg(long, value_name = "N")]
    search_iterations: Option<u32>,

    /// How lots fall, where the strategy draws any.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// A whole request in protobuf's JSON mapping, from a file or from standard input (-), instead of options.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["SituationArgs", "strategy", "time_budget", "search_iterations", "seed"])]
    request: Option<PathBuf>,
}

/// The fields that requests about a turn have in common.
pub(super) struct TurnFields {
    pub(super) situation: Option<Situation>,
    pub(super) strategy: String,
    pub(super) time_budget: Option<prost_types::Duration>,
    pub(super) search_iterations: Option<u32>,
    pub(super) seed: u64,
}

impl TurnArgs {
    /// The request: from a file, or `build` from options.
    pub(super) fn request<M>(self, build: impl FnOnce(TurnFields) -> M) -> Result<M, Failure>
    where
        M: prost::Name + Default,
    {
        let Some(path) = &self.request else {
            return Ok(build(TurnFields {
                situation: Some(self.situation.message()),
                strategy: self.strategy,
                time_budget: self
                    .time_budget
                    .and_then(|budget| prost_types::Duration::try_from(*budget).ok()),
                search_iterations: self.search_iterations,
                seed: self.seed,
            }));
        };
        let read = || -> Result<M, Failure> {
            let mut text = String::new();
            if path == Path::new("-") {
                std::io::stdin().lock().read_to_string(&mut text)?;
            } else {
                text = std::fs::read_to_string(path)?;
            }
            Ok(proto::from_json(&text)?)
        };
        read().map_err(|error| format!("{}: {error}", path.display()).into())
    }
}

/// What the player to move knows.
#[derive(clap::Args, Debug)]
struct SituationArgs {
    /// The cards of the player to move: 3 4 5 6 7 8 9 T (or 10) J Q K A 2, X the small and D the big joker; c d
    /// s h after a rank for its suit, where suits matter to you.
    #[arg(long, value_name = "CARDS", value_parser = cards, required_unless_present = "request")]
    hand: Option<Cards>,

    /// The seat of the player to move: landlord, peasant_after or peasant_before (in the order of play).
    #[arg(long, value_name = "ROLE", value_parser = role, default_value = "landlord")]
    role: proto::Role,

    /// The cards of the group to beat. Left out: the player to move leads.
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    to_beat: Option<Cards>,

    /// The type of the group to beat, where the rules let its cards read as several.
    #[arg(long, value_name = "TYPE", value_parser = group_type)]
    to_beat_type: Option<proto::GroupType>,

    /// Who played the group to beat. Required with --to-beat.
    #[arg(long, value_name = "ROLE", value_parser = role)]
    last_player: Option<proto::Role>,

    /// Cards left with landlord, peasant after, peasant before: 20,17,17; ? where one is not known.
    #[arg(long, value_name = "N,N,N", value_parser = cards_left)]
    cards_left: Option<CardsLeft>,

    /// All plays so far from the landlord's first on: 33344, pass, pass, 5.
    #[arg(long, value_name = "PLAYS", value_parser = history)]
    history: Option<History>,

    /// The three bottom cards (底牌).
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    bottom_cards: Option<Cards>,

    /// The landlord's bid, 1 … 3.
    #[arg(long, value_name = "N")]
    bid: Option<u32>,

    /// What the stakes have been multiplied by so far.
    #[arg(long, value_name = "N")]
    multiplier: Option<u32>,

    #[command(flatten)]
    rules: RuleArgs,
}

impl SituationArgs {
    fn message(self) -> Situation {
        let cards = |cards: Option<Cards>| cards.map(|cards| cards.0).unwrap_or_default();
        Situation {
            rule_set: Some(self.rules.message()),
            hand: cards(self.hand),
            role: self.role as i32,
            to_beat: cards(self.to_beat),
            to_beat_type: self.to_beat_type.unwrap_or_default() as i32,
            last_player: self.last_player.unwrap_or_default() as i32,
            cards_left: self.cards_left,
            history: self.history.map(|history| history.0).unwrap_or_default(),
            bottom_cards: cards(self.bottom_cards),
            bid: self.bid,
            multiplier: self.multiplier,
        }
    }
}
