//! Values of options.

use clap::Args;
use doudizhu::cards::parse_cards;
use doudizhu::game::Role;
use doudizhu::groups::{GroupType, Preset};
use doudizhu::service::proto;

/// Cards, as on the command line: `3 3 4 T J Q K A 2 X D`, `33344`, `Th 9s`.
#[derive(Clone, Debug)]
pub(super) struct Cards(pub(super) Vec<proto::Card>);

pub(super) fn cards(text: &str) -> Result<Cards, String> {
    let cards = parse_cards(text).map_err(|error| error.to_string())?;
    Ok(Cards(cards.into_iter().map(Into::into).collect()))
}

pub(super) fn role(text: &str) -> Result<proto::Role, String> {
    let role = Role::ALL.into_iter().find(|role| role.name() == text);
    role.map(Into::into).ok_or_else(|| format!("one of {}", Role::ALL.map(Role::name).join(", ")))
}

pub(super) fn group_type(text: &str) -> Result<proto::GroupType, String> {
    let kind = GroupType::ALL.into_iter().find(|kind| kind.name() == text);
    kind.map(Into::into).ok_or_else(|| format!("one of {}", GroupType::ALL.map(GroupType::name).join(", ")))
}

/// The plays of a game: `33344, pass, pass, 5`.
#[derive(Clone, Debug)]
pub(super) struct History(pub(super) Vec<proto::HistoryPlay>);

pub(super) fn history(text: &str) -> Result<History, String> {
    let play = |text: &str| {
        let text = text.trim();
        let cards = if text == "pass" || text == "-" { Vec::new() } else { cards(text)?.0 };
        Ok(proto::HistoryPlay { cards, group_type: proto::GroupType::Unspecified as i32 })
    };
    Ok(History(text.split(',').map(play).collect::<Result<_, String>>()?))
}

pub(super) fn cards_left(text: &str) -> Result<proto::CardsLeft, String> {
    let counts: Vec<Option<u32>> = text
        .split(',')
        .map(|count| match count.trim() {
            "?" => Ok(None),
            count => count.parse().map(Some).map_err(|_| format!("{count:?} is neither a number nor ?")),
        })
        .collect::<Result<_, String>>()?;
    let [landlord, peasant_after, peasant_before] = counts[..] else {
        return Err(
            "three numbers: landlord, peasant after, peasant before; ? where one is not known".to_owned()
        );
    };
    Ok(proto::CardsLeft { landlord, peasant_after, peasant_before })
}

/// The rules of the room.
#[derive(Args, Debug)]
pub(super) struct RuleArgs {
    /// The rules of the room: official, douzero, pagat, open_spiel, loose.
    #[arg(long, value_name = "PRESET", default_value = "official", value_parser = preset)]
    rules: proto::Preset,

    /// An option of the rules that differs from the preset, such as distinct_kickers or quad_kickers=false. May
    /// be given several times.
    #[arg(long, value_name = "OPTION", value_parser = rule)]
    rule: Vec<(RuleField, bool)>,
}

type RuleField = fn(&mut proto::RuleSet) -> &mut Option<bool>;

/// The options, by their names in the API.
const RULES: [(&str, RuleField); 6] = [
    ("distinct_kickers", |rules| &mut rules.distinct_kickers),
    ("rocket_as_kickers", |rules| &mut rules.rocket_as_kickers),
    ("adjacent_trio_kickers", |rules| &mut rules.adjacent_trio_kickers),
    ("quad_kickers", |rules| &mut rules.quad_kickers),
    ("same_pair_twice", |rules| &mut rules.same_pair_twice),
    ("no_four_with_two", |rules| &mut rules.no_four_with_two),
];

fn preset(text: &str) -> Result<proto::Preset, String> {
    let known = Preset::ALL.map(Preset::name);
    let position = known.iter().position(|name| *name == text);
    // The API numbers the presets in this order, from 1 on.
    let preset = position.and_then(|position| proto::Preset::try_from(position as i32 + 1).ok());
    preset.ok_or_else(|| format!("one of {}", known.join(", ")))
}

fn rule(text: &str) -> Result<(RuleField, bool), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "true"));
    let value = value.parse().map_err(|_| format!("{value:?} is neither true nor false"))?;
    let field = RULES.iter().find(|(known, _)| *known == name);
    let field = field.ok_or_else(|| format!("one of {}", RULES.map(|(name, _)| name).join(", ")))?;
    Ok((field.1, value))
}

impl RuleArgs {
    pub(super) fn message(&self) -> proto::RuleSet {
        let mut rules = proto::RuleSet { preset: self.rules as i32, ..proto::RuleSet::default() };
        for (field, value) in &self.rule {
            *field(&mut rules) = Some(*value);
        }
        rules
    }
}
