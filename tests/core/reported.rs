//! Turns from public reports that a strategy settles: one table, asked in process and over the wire. The names
//! are those reports'.

use doudizhu::cards::{Hand, parse_cards};
use doudizhu::game::{Role, SituationInput};

/// A turn from a report, and what may be answered.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) hand: &'static str,
    pub(crate) role: Role,
    /// The group to beat and its owner.
    pub(crate) beat: Option<(&'static str, Role)>,
    /// Cards of the landlord, the peasant after and the peasant before the landlord.
    pub(crate) left: [u32; 3],
    pub(crate) right: Right,
    /// The strategies that settle it.
    pub(crate) by: &'static [&'static str],
}

pub(crate) enum Right {
    /// One of these answers, empty for a pass.
    Want(&'static [&'static str]),
    /// None of these.
    Never(&'static [&'static str]),
}

use Right::{Never, Want};

const EVERY: &[&str] = &["classic", "rhcp", "rhcp-team"];

pub(crate) const CASES: &[Case] = &[
    // https://github.com/kwai/DouZero/issues/26: nothing beats the rocket.
    Case {
        name: "p03",
        hand: "3 3 4 4 4 4 5 6 7 8 T T J Q K K 2",
        role: Role::PeasantAfter,
        beat: Some(("X D", Role::Landlord)),
        left: [4, 17, 12],
        right: Want(&[""]),
        by: EVERY,
    },
    // https://github.com/An0nym6/LandlordsEndgame/issues/5: the chain through the ten, and then out.
    Case {
        name: "p06",
        hand: "5 T T J J Q Q",
        role: Role::Landlord,
        beat: None,
        left: [7, 2, 2],
        right: Want(&["TTJJQQ"]),
        by: &["rhcp-team"],
    },
    // https://github.com/kwai/DouZero/issues/43: the rocket is no pair of kickers.
    Case {
        name: "p07",
        hand: "3 4 7 7 7 7 X D",
        role: Role::Landlord,
        beat: None,
        left: [8, 5, 5],
        right: Never(&["7777XD"]),
        by: EVERY,
    },
    // The second report there: the whole hand is one group. RHCP keeps its bombs to the end.
    Case {
        name: "p08",
        hand: "6 6 8 8 8 8",
        role: Role::PeasantAfter,
        beat: None,
        left: [6, 6, 5],
        right: Want(&["668888"]),
        by: &["classic", "rhcp-team"],
    },
    // https://github.com/datamllab/rlcard/issues/198: the landlord has passed, the partner goes out.
    Case {
        name: "p09",
        hand: "5 A 2",
        role: Role::PeasantAfter,
        beat: Some(("9", Role::PeasantBefore)),
        left: [6, 3, 1],
        right: Want(&[""]),
        by: &["rhcp-team"],
    },
    // The same report: no single into an enemy with one card.
    Case {
        name: "p10",
        hand: "3 9 9",
        role: Role::PeasantBefore,
        beat: None,
        left: [1, 5, 3],
        right: Want(&["99"]),
        by: &["rhcp-team"],
    },
    // https://github.com/freefuiiismyname/ddz-ai/issues/2: the best cards are not for opening with.
    Case {
        name: "p15",
        hand: "3 4 4 5 6 7 8 9 T J Q K K A 2 2 D",
        role: Role::Landlord,
        beat: None,
        left: [17, 10, 10],
        right: Never(&["A", "2", "D", "22"]),
        by: EVERY,
    },
    // https://github.com/kwai/DouZero/issues/10: the free card rather than a pass.
    Case {
        name: "p16",
        hand: "6 7 7 7 9 J Q A A",
        role: Role::PeasantAfter,
        beat: Some(("5", Role::Landlord)),
        left: [14, 9, 12],
        right: Want(&["6"]),
        by: &["classic", "rhcp-team"],
    },
    // The same turn: RHCP parts with another card, but it does play.
    Case {
        name: "p16, to play at all",
        hand: "6 7 7 7 9 J Q A A",
        role: Role::PeasantAfter,
        beat: Some(("5", Role::Landlord)),
        left: [14, 9, 12],
        right: Never(&[""]),
        by: EVERY,
    },
];

impl Case {
    /// The turn as a caller tells it.
    pub(crate) fn input(&self) -> SituationInput {
        let mut input = match self.beat {
            None => SituationInput::lead(self.role, parse_cards(self.hand).unwrap()),
            Some((group, owner)) => SituationInput::follow(
                self.role,
                parse_cards(self.hand).unwrap(),
                parse_cards(group).unwrap(),
                owner,
            ),
        };
        for (role, left) in Role::ALL.into_iter().zip(self.left) {
            input.cards_left[role] = Some(left);
        }
        input
    }

    /// Whether `answer` is right.
    pub(crate) fn accepts(&self, answer: Hand) -> bool {
        let is = |text: &&str| {
            let ranks = parse_cards(text).unwrap().into_iter().map(|card| card.rank);
            Hand::from_ranks(ranks) == Some(answer)
        };
        match self.right {
            Want(wanted) => wanted.iter().any(is),
            Never(wrong) => !wrong.iter().any(is),
        }
    }
}
