use crate::cards::{Card, Hand, Rank};
use crate::groups::{Group, GroupType, Play, RuleSet};

use super::history::History;
use super::{Deal, IllegalPlay, PerRole, Role};

mod validate;

/// A turn as a caller describes it, unchecked.
///
/// Hand, role and, to follow, the group to beat and who played it are the *minimal situation*; everything else
/// may be left out, and makes the answer better when it is there.
#[derive(Clone, Debug)]
pub struct SituationInput {
    /// The cards of the player to move, 1 … 20.
    pub hand: Vec<Card>,
    /// The seat of the player to move.
    pub role: Role,
    /// The cards of the group to beat; none to lead.
    pub to_beat: Vec<Card>,
    /// The type of the group to beat, where its cards read as several.
    pub to_beat_type: Option<GroupType>,
    /// Who played the group to beat. To lead: the player to move, or left out.
    pub last_player: Option<Role>,
    /// How many cards each seat holds now.
    pub cards_left: PerRole<Option<u32>>,
    /// Every play of the game in order, from the landlord's first; none if it is not known.
    pub history: Vec<HistoryPlay>,
    /// The three bottom cards; none if they are not known.
    pub bottom_cards: Vec<Card>,
    /// The landlord's bid, 1 … 3.
    pub bid: Option<u32>,
    /// The multiplier of the stakes so far, 1 or more.
    pub multiplier: Option<u32>,
    /// The rules of the room.
    pub rules: RuleSet,
}

impl SituationInput {
    /// A lead of `role` from `hand`, with nothing else known.
    #[must_use]
    pub fn lead(role: Role, hand: Vec<Card>) -> SituationInput {
        SituationInput {
            hand,
            role,
            to_beat: Vec::new(),
            to_beat_type: None,
            last_player: None,
            cards_left: PerRole::default(),
            history: Vec::new(),
            bottom_cards: Vec::new(),
            bid: None,
            multiplier: None,
            rules: RuleSet::default(),
        }
    }

    /// A turn of `role` with `hand` on `to_beat` that `last_player` put down, with nothing else known.
    #[must_use]
    pub fn follow(role: Role, hand: Vec<Card>, to_beat: Vec<Card>, last_player: Role) -> SituationInput {
        SituationInput { to_beat, last_player: Some(last_player), ..SituationInput::lead(role, hand) }
    }
}

/// One play of a game's history, as a caller describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryPlay {
    /// The cards played; none for a pass.
    pub cards: Vec<Card>,
    /// The type of the group, where its cards read as several.
    pub group_type: Option<GroupType>,
}

/// Something wrong with a [`SituationInput`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {description}")]
pub struct Violation {
    /// The field's path: `hand[3]`, `history[2].cards`.
    pub field: String,
    /// What is wrong with it, for people.
    pub description: String,
}

/// What the player to move knows, free of contradictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    role: Role,
    hand: Hand,
    table: Option<(Group, Role)>,
    cards_left: PerRole<Option<u8>>,
    history: Option<History>,
    bottom: Option<Hand>,
    bid: Option<u8>,
    multiplier: Option<u32>,
    rules: RuleSet,
}

impl Situation {
    /// Checks a caller's description.
    ///
    /// # Errors
    /// Every contradiction found, each with its field.
    pub fn new(input: &SituationInput) -> Result<Situation, Vec<Violation>> {
        validate::validate(input)
    }

    /// The landlord's first turn of a game.
    #[must_use]
    pub(super) fn opening(deal: &Deal, rules: RuleSet) -> Situation {
        Situation {
            role: Role::Landlord,
            hand: deal.hands[Role::Landlord],
            table: None,
            cards_left: PerRole(Role::ALL.map(|role| Some(role.starting_cards()))),
            history: Some(History::default()),
            bottom: Some(deal.bottom),
            bid: None,
            multiplier: None,
            rules,
        }
    }

    /// Moves on to the next player, who holds `next_hand`.
    #[inline]
    pub(super) fn advance(&mut self, play: Play, next_hand: Hand) -> Result<(), IllegalPlay> {
        if let Some(history) = &mut self.history {
            history.push(play)?;
            self.table = history.table();
            self.cards_left[self.role] = Some(history.cards_left(self.role));
        }
        self.role = self.role.next();
        self.hand = next_hand;
        Ok(())
    }

    /// The same turn as seen by a caller that tells only the minimum: hand, role, group to beat, last player.
    #[must_use]
    pub fn minimal(&self) -> Situation {
        Situation {
            cards_left: PerRole::default(),
            history: None,
            bottom: None,
            bid: None,
            multiplier: None,
            ..*self
        }
    }

    /// The same turn as seen by a caller that knows how many cards everyone holds, but not what was played before.
    #[must_use]
    pub fn without_history(&self) -> Situation {
        Situation {
            cards_left: PerRole(Role::ALL.map(|role| self.cards_left(role))),
            history: None,
            bottom: None,
            ..*self
        }
    }

    /// The seat of the player to move.
    #[inline]
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// What the player to move holds.
    #[inline]
    #[must_use]
    pub fn hand(&self) -> Hand {
        self.hand
    }

    /// The group to beat; `None` to lead.
    #[inline]
    #[must_use]
    pub fn to_beat(&self) -> Option<&Group> {
        self.table.as_ref().map(|(group, _)| group)
    }

    /// The group to beat and who played it; `None` to lead.
    #[inline]
    #[must_use]
    pub fn table(&self) -> Option<(Group, Role)> {
        self.table
    }

    /// Whether the player to move leads.
    #[inline]
    #[must_use]
    pub fn is_lead(&self) -> bool {
        self.table.is_none()
    }

    /// How many cards `role` holds, if known. It always is for the player to move.
    #[inline]
    #[must_use]
    pub fn cards_left(&self, role: Role) -> Option<u8> {
        if role == self.role { Some(self.hand.len() as u8) } else { self.cards_left[role] }
    }

    /// The record of the game, if known.
    #[inline]
    #[must_use]
    pub fn history(&self) -> Option<&History> {
        self.history.as_ref()
    }

    /// The bottom cards, if known.
    #[inline]
    #[must_use]
    pub fn bottom(&self) -> Option<Hand> {
        self.bottom
    }

    /// The landlord's bid, 1 … 3, if known.
    #[must_use]
    pub fn bid(&self) -> Option<u8> {
        self.bid
    }

    /// The multiplier of the stakes so far, if known.
    #[must_use]
    pub fn multiplier(&self) -> Option<u32> {
        self.multiplier
    }

    /// The rules of the room.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The cards that the player to move has not seen: neither held nor known to have been played. With a
    /// history these are exactly the cards of the other two; without one, all they can hold.
    #[inline]
    #[must_use]
    pub fn unseen(&self) -> Hand {
        let played = match (&self.history, self.table) {
            (Some(history), _) => history.all_played(),
            (None, Some((group, _))) => group.cards(),
            (None, None) => Hand::EMPTY,
        };
        Hand::DECK - self.hand - played
    }

    /// The bottom cards that the landlord must still hold, as far as the player to move can tell; `None` if
    /// they are not known or may have been played unseen.
    #[must_use]
    pub fn bottom_left(&self) -> Option<Hand> {
        let (bottom, history) = (self.bottom?, self.history.as_ref()?);
        // A rank that the landlord has played may have come from the bottom cards: only the excess is sure.
        let played = history.played(Role::Landlord);
        Some(bottom - bottom.min(played))
    }

    /// Calls `each` with every legal play.
    #[inline]
    pub fn for_each_play(&self, each: impl FnMut(Play)) {
        crate::groups::for_each_play(self.hand, self.to_beat(), self.rules, each);
    }
}
