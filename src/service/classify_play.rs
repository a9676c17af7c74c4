//! `ClassifyPlay`: which group cards are, and whether they beat another.

use crate::cards::SuitedHand;
use crate::groups::{readings, recognise};

use super::convert::{self, Reader};
use super::{Refusal, proto};

pub(super) fn answer(request: &proto::ClassifyPlayRequest) -> Result<proto::ClassifyPlayResponse, Refusal> {
    let mut reader = Reader::default();
    reader.request_id(&request.request_id);
    let rules = reader.rule_set("rule_set", request.rule_set.as_ref());
    let named = reader.group_type("group_type", request.group_type);
    let pile = reader.pile("cards", &request.cards);
    let table_type = reader.group_type("to_beat_type", request.to_beat_type);
    let mut table = None;
    if !request.to_beat.is_empty() {
        if let Some((table_pile, _)) = reader.pile("to_beat", &request.to_beat) {
            if let Some((cards, _)) = &pile
                && cards.checked_add(table_pile).is_none()
            {
                reader.refuse("to_beat", "together with the cards played more than a deck holds");
            }
            match recognise(table_pile, rules, table_type) {
                Ok(group) => table = Some(group),
                Err(error) => reader.refuse("to_beat", error.to_string()),
            }
        }
    } else if table_type.is_some() {
        reader.refuse("to_beat_type", "names the type of a group to beat, but there is none");
    }
    reader.finish()?;
    let (hand, cards) = pile.unwrap_or_default();

    let suits = SuitedHand::new(cards);
    let group = recognise(hand, rules, named).ok();
    Ok(proto::ClassifyPlayResponse {
        request_id: request.request_id.clone(),
        group: group.as_ref().map(|group| convert::group(group, &suits)),
        readings: readings(hand, rules).iter().map(|reading| convert::group(reading, &suits)).collect(),
        beats: group.as_ref().zip(table.as_ref()).map(|(group, table)| group.beats(table)),
    })
}
