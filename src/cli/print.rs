//! Messages as text for people.

use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::time::Duration;

use doudizhu::cards::{Card, Rank, Suit};
use doudizhu::service::proto;

use super::Failure;

/// Writes `text` to standard output. A reader that has gone away is no failure.
pub(super) fn out(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// A rank as it is written on the command line.
pub(super) fn rank(number: i32) -> String {
    let rank = u8::try_from(number).ok().and_then(Rank::from_value);
    rank.map_or_else(|| "?".to_owned(), |rank| rank.symbol().to_string())
}

/// A card as it is written on the command line.
fn card(card: &proto::Card) -> String {
    let rank = u8::try_from(card.rank).ok().and_then(Rank::from_value);
    let suit = usize::try_from(card.suit - 1).ok().and_then(|index| Suit::ALL.get(index).copied());
    rank.map_or_else(|| "?".to_owned(), |rank| Card { rank, suit }.to_string())
}

/// A play and what the strategy thinks of it, on one line.
pub(super) fn ranked_play(ranked: &proto::RankedPlay) -> String {
    let play = ranked.play.as_ref().map(group).unwrap_or_default();
    let evaluation = ranked.evaluation.unwrap_or_default();
    let thought = match (evaluation.win_probability, &evaluation.rest) {
        (Some(chance), _) => probability(chance),
        (None, Some(rest)) => format!("leaves {}", value(rest)),
        (None, None) => String::new(),
    };
    format!("{play:<44} {thought}").trim_end().to_owned()
}

/// A group: its type and its cards.
pub(super) fn group(group: &proto::Group) -> String {
    let name =
        group.r#type().as_str_name().trim_start_matches("GROUP_TYPE_").to_lowercase().replace('_', " ");
    let cards = group.cards.iter().map(card).collect::<Vec<_>>().join(" ");
    format!("{name} {cards}").trim_end().to_owned()
}

/// The value of a hand.
pub(super) fn value(value: &proto::HandValue) -> String {
    format!("{} in {} rounds, score {}", value.sum, value.rounds, value.score)
}

/// A probability.
pub(super) fn probability(probability: f32) -> String {
    format!("{:.1} %", 100.0 * probability)
}

/// What to expect of a game.
pub(super) fn outlook(outlook: &proto::Outlook, whose: &str, text: &mut String) -> fmt::Result {
    writeln!(text, "to win   {} {whose}", probability(outlook.win_probability))?;
    writeln!(text, "points   {:+.2} expected in a game for one point", outlook.expected_points)
}

/// What a decision cost.
pub(super) fn cost(cost: &proto::Cost, text: &mut String) -> fmt::Result {
    let elapsed = cost.elapsed.and_then(|elapsed| Duration::try_from(elapsed).ok()).unwrap_or_default();
    writeln!(
        text,
        "cost     {elapsed:.1?}, {} hands valued, {} found in the memo",
        cost.states, cost.memo_hits
    )
}
