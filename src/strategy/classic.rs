//! The rule player of 单机斗地主: fixed groups, the lowest first.
//!
//! The computer player of a series of articles on the source of a cocos2d-x game. It cuts its hand greedily into
//! [`Parts`] and never weighs one cut against another: it leads the lowest part, follows with the lowest part
//! that beats the table, and breaks a part up where none does, in a fixed order.
//!
//! Where it differs from the original:
//!
//! * The original cuts its hand up once, after the deal, and from then on only plays parts and breaks them up.
//!   A service that remembers nothing cuts the hand up afresh each turn. The two come apart once a part was
//!   broken up or left a neighbour behind: the singles that a broken straight left may join a new one here.
//! * A part is broken up only if what comes off it beats the table, and a kicker is sought before a trio is
//!   touched; the original breaks parts up for nothing and can be left with a group without its kickers.
//! * Neither a kicker nor a break-up answers the partner, and only cards below 2 do; the original beats its
//!   partner with 222 and a kicker.
//! * A bomb answers what nothing else beats only near the end: the enemy has at most five cards or the player
//!   at most three parts. The original bombs anything.
//! * No plane holds 2s, and a hand that is one group is played whole.
//! * A trio takes the lowest kicker even where the original has moved that to the end of its list.

mod follow;
mod lead;
mod parts;
mod split;

use crate::game::Situation;
use crate::groups::Play;

use super::{Cost, Decision, Evaluation, Strategy, Thinking, goes_out};

use parts::Parts;

/// The `classic` strategy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic;

impl Strategy for Classic {
    fn name(&self) -> &'static str {
        "classic"
    }

    fn decide(&self, situation: &Situation, _: &mut Thinking<'_>) -> Decision {
        let (hand, rules) = (situation.hand(), situation.rules());
        let play = goes_out(situation).map_or_else(
            || {
                let parts = Parts::of(hand, rules);
                match situation.table() {
                    None => lead::lead(&parts, rules).map_or(Play::Pass, Play::Group),
                    Some((table, owner)) => follow::follow(&parts, &table, owner, situation),
                }
            },
            Play::Group,
        );
        let rest = Parts::of(hand - play.cards(), rules).value();
        Decision {
            play,
            evaluation: Evaluation { rest: Some(rest), ..Evaluation::default() },
            cost: Cost::default(),
        }
    }
}
