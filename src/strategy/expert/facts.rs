use crate::cards::{Hand, Rank, RankMask};
use crate::game::{History, PerRole, Role, Situation};
use crate::groups::{Group, GroupType, Play};

/// The two other seats, as the player to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Other {
    /// The seat that plays next.
    Next = 0,
    /// The seat that played before.
    Previous = 1,
}

impl Other {
    pub(crate) const BOTH: [Other; 2] = [Other::Next, Other::Previous];

    /// The seat's role, seen from `role`.
    pub(crate) const fn role(self, role: Role) -> Role {
        match self {
            Other::Next => role.next(),
            Other::Previous => role.previous(),
        }
    }
}

/// What the network may know of a turn: nothing but what its [`Situation`] says, arranged around the player to
/// move. Each optional fact may be missing.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The seat of the player to move.
    pub role: Role,
    /// What it holds.
    pub hand: Hand,
    /// All that the other two can hold; exactly what they hold if the record is known.
    pub unseen: Hand,
    /// The group to beat, and whose it is.
    pub table: Option<(Group, Other)>,
    /// Cards the others hold.
    pub left: [Option<u8>; 2],
    /// What the others did, if the history is known.
    pub record: Option<Record>,
    /// Bottom cards that the landlord surely still holds, if that can be told.
    pub bottom: Option<Hand>,
}

/// What a history says about the other two seats.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Record {
    /// Everything they played.
    pub played: [Hand; 2],
    /// Their last group.
    pub last: [Option<Group>; 2],
    /// The single and the pair of an enemy on which they passed last.
    pub passed: [[Option<Rank>; 2]; 2],
    /// What else their plays show.
    pub shown: [Shown; 2],
    /// Bombs and rockets so far.
    pub doublings: u32,
}

/// What the plays of a seat show of the hand it holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// The lowest single and the lowest pair of an enemy on which it passed.
    pub lowest_passed: [Option<Rank>; 2],
    /// Types of enemies' groups on which it passed: bit [`type_index`].
    pub types_passed: u16,
    /// The ranks it played as a single, and as a pair, alone.
    pub alone: [RankMask; 2],
    /// The group that it led last.
    pub led: Option<Group>,
    /// Groups it led.
    pub leads: u8,
    /// Groups it played.
    pub groups: u8,
}

/// The number of a type of group, from 0 on.
#[inline]
pub(crate) const fn type_index(kind: GroupType) -> u16 {
    kind as u16 - 1
}

impl Facts {
    /// The facts of `situation`.
    pub(crate) fn of(situation: &Situation) -> Facts {
        let role = situation.role();
        let other = |seat: Role| if seat == role.next() { Other::Next } else { Other::Previous };
        Facts {
            role,
            hand: situation.hand(),
            unseen: situation.unseen(),
            table: situation.table().map(|(group, owner)| (group, other(owner))),
            left: Other::BOTH.map(|seat| situation.cards_left(seat.role(role))),
            record: situation.history().map(|history| Public::of(history).seen_by(role)),
            // What the landlord holds is no news to the landlord.
            bottom: situation.bottom_left().filter(|_| !role.is_landlord()),
        }
    }

    /// Forgets the history, as if the caller had not told it, and with it all that follows from it.
    #[cfg(feature = "train")]
    pub(crate) fn forget_history(&mut self) {
        self.record = None;
        self.bottom = None;
        let on_table = self.table.map_or(Hand::EMPTY, |(group, _)| group.cards());
        self.unseen = Hand::DECK - self.hand - on_table;
    }

    /// Whether `seat` plays against the player to move.
    #[inline]
    pub(crate) fn is_enemy(&self, seat: Other) -> bool {
        !self.role.is_ally(seat.role(self.role))
    }

    /// The most cards that an enemy can play at once.
    pub(crate) fn enemy_reach(&self) -> u8 {
        let of = |seat: Other| match self.left[seat as usize] {
            _ if !self.is_enemy(seat) => 0,
            Some(left) => left,
            None => seat.role(self.role).starting_cards(),
        };
        of(Other::Next).max(of(Other::Previous))
    }
}

impl Shown {
    #[inline]
    fn see_group(&mut self, group: &Group, on_lead: bool) {
        self.groups += 1;
        if on_lead {
            self.leads += 1;
            self.led = Some(*group);
        }
        if let Some(size) = few(group.kind()) {
            self.alone[size] = self.alone[size].or(RankMask::only(group.main_rank()));
        }
    }

    #[inline]
    fn see_pass(&mut self, group: &Group) {
        self.types_passed |= 1 << type_index(group.kind());
        if let Some(size) = few(group.kind()) {
            let rank = group.main_rank();
            let lowest = &mut self.lowest_passed[size];
            *lowest = Some(lowest.map_or(rank, |lowest| lowest.min(rank)));
        }
    }
}

/// 0 for a single, 1 for a pair.
#[inline]
fn few(kind: GroupType) -> Option<usize> {
    match kind {
        GroupType::Single => Some(0),
        GroupType::Pair => Some(1),
        _ => None,
    }
}

/// What everybody at the table has seen of each seat.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Public {
    /// Everything the seat played.
    pub played: PerRole<Hand>,
    /// Its last group.
    last: PerRole<Option<Group>>,
    /// The single and the pair of an enemy on which it passed last.
    passed: PerRole<[Option<Rank>; 2]>,
    shown: PerRole<Shown>,
    /// Bombs and rockets so far.
    doublings: u32,
}

impl Public {
    /// Notes that `mover` made `play` with `table` to beat, or with the own last group there, to lead.
    #[inline]
    pub(crate) fn see(&mut self, mover: Role, play: &Play, table: Option<&(Group, Role)>) {
        match play {
            Play::Group(group) => {
                self.played[mover] = self.played[mover] + group.cards();
                self.last[mover] = Some(*group);
                // Two passes, and the owner of the group on the table leads.
                let on_lead = table.is_none_or(|(_, owner)| *owner == mover);
                self.shown[mover].see_group(group, on_lead);
                self.doublings += u32::from(group.kind().crosses_types());
            }
            Play::Pass => {
                if let Some((group, owner)) = table
                    && !owner.is_ally(mover)
                {
                    if let Some(size) = few(group.kind()) {
                        self.passed[mover][size] = Some(group.main_rank());
                    }
                    self.shown[mover].see_pass(group);
                }
            }
        }
    }

    /// What `history` shows.
    pub(crate) fn of(history: &History) -> Public {
        let mut public = Public::default();
        let mut table: Option<(Group, Role)> = None;
        let mut mover = Role::Landlord;
        for play in history.plays() {
            public.see(mover, play, table.as_ref());
            if let Play::Group(group) = play {
                table = Some((*group, mover));
            }
            mover = mover.next();
        }
        public
    }

    /// The same as `role` looks at it.
    #[inline]
    pub(crate) fn seen_by(&self, role: Role) -> Record {
        let seats = Other::BOTH.map(|seat| seat.role(role));
        Record {
            played: seats.map(|seat| self.played[seat]),
            last: seats.map(|seat| self.last[seat]),
            passed: seats.map(|seat| self.passed[seat]),
            shown: seats.map(|seat| self.shown[seat]),
            doublings: self.doublings,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::cards::parse_cards;
    use crate::groups::{RuleSet, recognise};

    fn group(cards: &str) -> Group {
        let ranks = parse_cards(cards).unwrap().into_iter().map(|card| card.rank);
        recognise(Hand::from_ranks(ranks).unwrap(), RuleSet::default(), None).unwrap()
    }

    /// Whoever beats and is not beaten leads next; who only follows has led nothing.
    #[test]
    fn leads_are_told_from_follows() {
        let mut history = History::default();
        for cards in ["3", "5", "8", "", "", "4 4", "6 6", "", "", "7"] {
            history.push(if cards.is_empty() { Play::Pass } else { group(cards).into() }).unwrap();
        }
        let public = Public::of(&history);
        let [landlord, after, before] = public.shown.0;
        assert_eq!((landlord.led, landlord.leads, landlord.groups), (Some(group("7")), 2, 3));
        assert_eq!((after.led, after.leads, after.groups), (None, 0, 1));
        assert_eq!((before.led, before.leads, before.groups), (Some(group("4 4")), 1, 2));
    }
}
