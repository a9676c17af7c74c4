//! `Double`: whether to double the stakes before play.

use crate::cards::Hand;
use crate::game::Role;
use crate::strategy::Scratch;
use crate::strategy::bidding::{DoubleThresholds, DoubleTurn, choose_double};

use super::convert::Reader;
use super::{Refusal, proto};

pub(super) fn answer(
    request: &proto::DoubleRequest,
    scratch: &mut Scratch,
) -> Result<proto::DoubleResponse, Refusal> {
    let mut reader = Reader::default();
    reader.request_id(&request.request_id);
    let role = reader.required_role("role", request.role);
    let mut thresholds = DoubleThresholds::default();
    if let Some(given) = reader.number("threshold", request.threshold) {
        thresholds = DoubleThresholds { peasant: given, landlord: given };
    }
    let others = Role::ALL.len() as u32 - 1;
    if request.doubled > others {
        reader.refuse("doubled", format!("{}: there are {others} other players", request.doubled));
    }
    let turn = role.and_then(|role| reader.double_turn(request, role));
    reader.finish()?;
    // Whatever is absent here has been refused above.
    let Some((hand, turn)) = turn else { return Err(Refusal::Invalid(Vec::new())) };
    let decision = choose_double(hand, &turn, &thresholds, scratch);
    Ok(proto::DoubleResponse {
        request_id: request.request_id.clone(),
        doubles: decision.doubles,
        outlook: Some(decision.outlook.into()),
    })
}

impl Reader {
    /// Hand and turn of `role`. They are judged as the situation in which that player leads, since that is where
    /// the rules for cards and bids are stated.
    fn double_turn(&mut self, request: &proto::DoubleRequest, role: Role) -> Option<(Hand, DoubleTurn)> {
        let message = proto::Situation {
            hand: request.hand.clone(),
            role: request.role,
            bottom_cards: request.bottom_cards.clone(),
            bid: request.bid,
            ..proto::Situation::default()
        };
        let (situation, _) = self.situation_at("", &message)?;
        self.count_dealt("hand", situation.hand(), role)?;
        let turn = DoubleTurn {
            role,
            bid: situation.bid(),
            bottom: situation.bottom(),
            doubled: u8::try_from(request.doubled).unwrap_or(u8::MAX),
        };
        Some((situation.hand(), turn))
    }
}
