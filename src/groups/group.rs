use std::fmt;

use crate::cards::{Hand, Rank};

/// The 14 types of group. The discriminants are the numbers that the RHCP articles gave them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum GroupType {
    /// One card (单张).
    Single = 1,
    /// Two of a rank (对子).
    Pair = 2,
    /// Three of a rank, bare (三张).
    Trio = 3,
    /// Five to twelve neighbouring ranks (顺子).
    Straight = 4,
    /// Three or more neighbouring pairs (连对).
    PairChain = 5,
    /// Two or more neighbouring trios, bare (飞机不带翅膀).
    Plane = 6,
    /// A trio and one card (三带一).
    TrioWithSingle = 7,
    /// A trio and a pair (三带二).
    TrioWithPair = 8,
    /// A plane and as many cards as trios (飞机带单).
    PlaneWithSingles = 9,
    /// A plane and as many pairs as trios (飞机带对).
    PlaneWithPairs = 10,
    /// Four of a rank and two cards (四带二单). Not a bomb.
    FourWithTwoSingles = 11,
    /// Four of a rank and two pairs (四带二对). Not a bomb.
    FourWithTwoPairs = 12,
    /// Four of a rank, alone (炸弹).
    Bomb = 13,
    /// Both jokers (王炸, 火箭).
    Rocket = 14,
}

impl GroupType {
    /// All types, in the order of their numbers.
    pub const ALL: [GroupType; 14] = [
        GroupType::Single,
        GroupType::Pair,
        GroupType::Trio,
        GroupType::Straight,
        GroupType::PairChain,
        GroupType::Plane,
        GroupType::TrioWithSingle,
        GroupType::TrioWithPair,
        GroupType::PlaneWithSingles,
        GroupType::PlaneWithPairs,
        GroupType::FourWithTwoSingles,
        GroupType::FourWithTwoPairs,
        GroupType::Bomb,
        GroupType::Rocket,
    ];

    /// The name used in text and as a metric label.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GroupType::Single => "single",
            GroupType::Pair => "pair",
            GroupType::Trio => "trio",
            GroupType::Straight => "straight",
            GroupType::PairChain => "pair_chain",
            GroupType::Plane => "plane",
            GroupType::TrioWithSingle => "trio_with_single",
            GroupType::TrioWithPair => "trio_with_pair",
            GroupType::PlaneWithSingles => "plane_with_singles",
            GroupType::PlaneWithPairs => "plane_with_pairs",
            GroupType::FourWithTwoSingles => "four_with_two_singles",
            GroupType::FourWithTwoPairs => "four_with_two_pairs",
            GroupType::Bomb => "bomb",
            GroupType::Rocket => "rocket",
        }
    }

    /// Whether groups of this type beat groups of every lesser type: bombs and the rocket.
    #[inline]
    #[must_use]
    pub const fn crosses_types(self) -> bool {
        matches!(self, GroupType::Bomb | GroupType::Rocket)
    }
}

impl fmt::Display for GroupType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A group: cards that may be played together, under the rule set it was recognised or generated with.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Group {
    cards: Hand,
    kind: GroupType,
    main_rank: Rank,
    links: u8,
}

impl Group {
    /// Only recognition and generation make groups; that is why one that exists is legal.
    #[inline]
    pub(super) const fn new(kind: GroupType, main_rank: Rank, links: u8, cards: Hand) -> Group {
        Group { cards, kind, main_rank, links }
    }

    /// The rocket.
    pub const ROCKET: Group = Group::new(GroupType::Rocket, Rank::BigJoker, 1, Hand::ROCKET);

    /// Its type.
    #[inline]
    #[must_use]
    pub const fn kind(&self) -> GroupType {
        self.kind
    }

    /// The highest rank of the body, by which groups of one type and size are compared.
    #[inline]
    #[must_use]
    pub const fn main_rank(&self) -> Rank {
        self.main_rank
    }

    /// The lowest rank of the body.
    #[inline]
    #[must_use]
    pub const fn lowest_rank(&self) -> Rank {
        match self.kind {
            GroupType::Rocket => Rank::SmallJoker,
            _ => Rank::from_index(self.main_rank.index() + 1 - self.links as usize),
        }
    }

    /// The number of ranks in the body: the length of a chain, 1 for everything else.
    #[inline]
    #[must_use]
    pub const fn links(&self) -> u8 {
        self.links
    }

    /// The cards, kickers included.
    #[inline]
    #[must_use]
    pub const fn cards(&self) -> Hand {
        self.cards
    }

    /// The cards of the body, without the kickers.
    #[must_use]
    pub const fn body(&self) -> Hand {
        match super::pattern::Pattern::of(self.kind) {
            None => self.cards,
            Some(pattern) => Hand::chain(self.lowest_rank(), self.links, pattern.copies),
        }
    }

    /// The kickers; `None` if its type has none.
    #[inline]
    #[must_use]
    pub(crate) fn attached(&self) -> Option<Hand> {
        match super::pattern::Pattern::of(self.kind) {
            Some(super::pattern::Pattern { kickers: Some(_), .. }) => Some(self.cards - self.body()),
            _ => None,
        }
    }

    /// How many kickers it has and of how many cards each: 1 for singles, 2 for pairs. `None` if it has none.
    #[must_use]
    pub(crate) const fn kickers(&self) -> Option<(u8, u8)> {
        match super::pattern::Pattern::of(self.kind) {
            Some(super::pattern::Pattern { kickers: Some(kickers), .. }) => {
                Some((self.links * kickers.per_link, kickers.size))
            }
            _ => None,
        }
    }

    /// Whether this group may be played on `table`: the rocket on anything, a bomb on anything but the rocket
    /// and bombs as high, and otherwise the same type and size with a higher body.
    #[inline]
    #[must_use]
    pub const fn beats(&self, table: &Group) -> bool {
        if self.kind as u8 == table.kind as u8 {
            self.links == table.links && self.main_rank as u8 > table.main_rank as u8
        } else {
            self.kind.crosses_types() && self.kind as u8 > table.kind as u8
        }
    }
}

impl fmt::Display for Group {
    /// Type and cards, body first: `trio_with_pair 444 33`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body();
        write!(f, "{} {body}", self.kind)?;
        let kickers = self.cards - body;
        if kickers.is_empty() { Ok(()) } else { write!(f, " {kickers}") }
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({self})")
    }
}

/// What a player does with a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Play {
    /// Pass (不出). A leader may not.
    Pass,
    /// Put a group on the table.
    Group(Group),
}

impl Play {
    /// The cards that leave the hand; none for a pass.
    #[inline]
    #[must_use]
    pub const fn cards(&self) -> Hand {
        match self {
            Play::Pass => Hand::EMPTY,
            Play::Group(group) => group.cards,
        }
    }

    /// The group, unless it is a pass.
    #[inline]
    #[must_use]
    pub const fn group(&self) -> Option<Group> {
        match self {
            Play::Pass => None,
            Play::Group(group) => Some(*group),
        }
    }

    /// The name of the group's type, or `pass`.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            Play::Pass => "pass",
            Play::Group(group) => group.kind.name(),
        }
    }
}

impl From<Group> for Play {
    fn from(group: Group) -> Play {
        Play::Group(group)
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Play::Pass => f.write_str("pass"),
            Play::Group(group) => group.fmt(f),
        }
    }
}
