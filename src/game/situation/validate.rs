//! The checks that turn a caller's description into a [`Situation`].

use std::fmt::Display;

use super::{Card, GroupType, Hand, History, Play, Rank, Role, Situation, SituationInput, Violation};
use crate::game::PerRole;
use crate::groups::{Group, RuleSet, recognise};

/// More plays than any game can have: 54 cards, one at a time, each answered by two passes.
const MOST_PLAYS: usize = 3 * 54;

pub(super) fn validate(input: &SituationInput) -> Result<Situation, Vec<Violation>> {
    let mut checks = Checks::default();
    let hand = checks.hand(input);
    let table = checks.table(input);
    let history = checks.history(input).or_else(|| is_opening(input).then(History::default));
    let bottom = checks.bottom(input);
    checks.no_card_twice(input);
    if let Some(hand) = hand {
        let seen = history
            .as_ref()
            .map_or(table.map_or(Hand::EMPTY, |(group, _)| group.cards()), |history| history.all_played());
        checks.fits_the_deck(hand, seen, history.is_some());
        checks.counts(input, hand, table, history.as_ref());
        if let Some(history) = &history {
            checks.history_agrees(input, hand, table, history);
        }
        if let Some(bottom) = bottom {
            checks.bottom_agrees(input.role, hand, bottom, history.as_ref());
        }
    }
    checks.stakes(input);
    if !checks.violations.is_empty() {
        return Err(checks.violations);
    }
    let hand = hand.unwrap_or_default();
    let cards_left = match &history {
        Some(history) => PerRole(Role::ALL.map(|role| Some(history.cards_left(role)))),
        None => PerRole(input.cards_left.0.map(|count| count.and_then(|count| u8::try_from(count).ok()))),
    };
    Ok(Situation {
        role: input.role,
        hand,
        table,
        cards_left,
        history,
        bottom,
        bid: input.bid.and_then(|bid| u8::try_from(bid).ok()),
        multiplier: input.multiplier,
        rules: input.rules,
    })
}

/// A landlord who leads from 20 cards has not played yet: the whole history is known to be empty.
fn is_opening(input: &SituationInput) -> bool {
    let unplayed = input.hand.len() == Role::Landlord.starting_cards() as usize;
    unplayed && input.role.is_landlord() && input.to_beat.is_empty() && input.history.is_empty()
}

#[derive(Default)]
struct Checks {
    violations: Vec<Violation>,
}

impl Checks {
    /// Notes that `field` is wrong. Its path is only written out here: a sound situation should not pay for the paths
    /// of its fields.
    fn add(&mut self, field: impl Display, description: impl Into<String>) {
        self.violations.push(Violation { field: field.to_string(), description: description.into() });
    }

    /// The cards of `field` as a hand, or nothing if they are more of a rank than the deck holds.
    fn pile(&mut self, field: impl Display + Copy, cards: &[Card]) -> Option<Hand> {
        let mut counts = [0u32; Rank::COUNT];
        for (position, card) in cards.iter().enumerate() {
            counts[card.rank.index()] += 1;
            if card.rank.is_joker() && card.suit.is_some() {
                self.add(format_args!("{field}[{position}].suit"), "a joker has no suit");
            }
        }
        let mut fits = true;
        for rank in Rank::ALL {
            let (count, copies) = (counts[rank.index()], rank.copies());
            if count > u32::from(copies) {
                self.add(field, format!("{count} cards of rank {rank}: a deck has {copies}"));
                fits = false;
            }
        }
        fits.then(|| Hand::from_ranks(cards.iter().map(|card| card.rank))).flatten()
    }

    fn hand(&mut self, input: &SituationInput) -> Option<Hand> {
        let (held, most) = (input.hand.len(), input.role.starting_cards());
        if held == 0 {
            self.add("hand", "no cards: the game is over for a player without cards");
        } else if held > most as usize {
            self.add("hand", format!("{held} cards: a {} holds at most {most}", side(input.role)));
        }
        self.pile("hand", &input.hand).filter(|hand| !hand.is_empty())
    }

    /// The group that `cards` are, or nothing and a violation.
    fn group(
        &mut self,
        field: impl Display + Copy,
        cards: &[Card],
        named: Option<GroupType>,
        rules: RuleSet,
    ) -> Option<Group> {
        let pile = self.pile(field, cards)?;
        recognise(pile, rules, named).map_err(|error| self.add(field, error.to_string())).ok()
    }

    fn table(&mut self, input: &SituationInput) -> Option<(Group, Role)> {
        if input.to_beat.is_empty() {
            if input.to_beat_type.is_some() {
                self.add("to_beat_type", "names the type of a group to beat, but there is none");
            }
            if let Some(last) = input.last_player
                && last != input.role
            {
                self.add(
                    "last_player",
                    format!(
                        "is {last}, but without a group to beat {} leads: name it or leave this out",
                        input.role
                    ),
                );
            }
            return None;
        }
        match input.last_player {
            None => self.add("last_player", "is missing: say who played the group to beat"),
            Some(last) if last == input.role => {
                self.add(
                    "last_player",
                    format!("is the asker, {last}: one does not beat one's own group, one leads"),
                );
            }
            Some(_) => {}
        }
        let group = self.group("to_beat", &input.to_beat, input.to_beat_type, input.rules)?;
        let last = input.last_player?;
        if group.cards().len() >= last.starting_cards() as usize {
            self.add(
                "to_beat",
                format!("has {} cards: {last} has none left, the game is over", group.cards().len()),
            );
        }
        Some((group, last))
    }

    /// The record of the game, or nothing if there is none or it is not legal.
    fn history(&mut self, input: &SituationInput) -> Option<History> {
        if input.history.is_empty() {
            return None;
        }
        if input.history.len() > MOST_PLAYS {
            let plays = input.history.len();
            self.add("history", format!("{plays} plays: a game has at most {MOST_PLAYS}"));
            return None;
        }
        let mut history = History::with_capacity(input.history.len());
        let mut legal = true;
        for (position, entry) in input.history.iter().enumerate() {
            let field = format_args!("history[{position}].cards");
            let play = if entry.cards.is_empty() {
                if entry.group_type.is_some() {
                    self.add(format_args!("history[{position}].group_type"), "names the type of a pass");
                    legal = false;
                }
                Some(Play::Pass)
            } else {
                self.group(field, &entry.cards, entry.group_type, input.rules).map(Play::Group)
            };
            let Some(play) = play else {
                // Later plays are still read for what is wrong in themselves; whether they may follow cannot be told.
                legal = false;
                continue;
            };
            if legal && let Err(error) = history.push(play) {
                self.add(field, error.to_string());
                legal = false;
            }
        }
        legal.then_some(history)
    }

    fn bottom(&mut self, input: &SituationInput) -> Option<Hand> {
        if input.bottom_cards.is_empty() {
            return None;
        }
        if input.bottom_cards.len() != 3 {
            self.add(
                "bottom_cards",
                format!("{} cards: there are three, or none if unknown", input.bottom_cards.len()),
            );
        }
        self.pile("bottom_cards", &input.bottom_cards)
    }

    /// The same physical card, suit and all, in two places where it can only be in one.
    fn no_card_twice(&mut self, input: &SituationInput) {
        let mut seen = 0u64;
        let mut visit = |field: &dyn Display, cards: &[Card]| {
            for (position, card) in cards.iter().enumerate() {
                let bit = card_bit(card);
                if seen & bit != 0 {
                    self.add(
                        format_args!("{field}[{position}]"),
                        format!("the same {card} is here or elsewhere already"),
                    );
                }
                seen |= bit;
            }
        };
        visit(&"hand", &input.hand);
        if input.history.is_empty() {
            // With a history, legal or not, the group to beat is the last one of it.
            visit(&"to_beat", &input.to_beat);
        }
        for (position, play) in input.history.iter().take(MOST_PLAYS).enumerate() {
            visit(&format_args!("history[{position}].cards"), &play.cards);
        }
        if input.bottom_cards.len() > 3 {
            return;
        }
        // The bottom cards are the landlord's: in the hand or the plays of the landlord they are no second copy.
        let held = if input.role.is_landlord() {
            0
        } else {
            input.hand.iter().fold(0, |bits, card| bits | card_bit(card))
        };
        let mut bottom = 0u64;
        for (position, card) in input.bottom_cards.iter().enumerate() {
            let bit = card_bit(card);
            if (bottom | held) & bit != 0 {
                let place = if held & bit != 0 { "is in the hand of a peasant" } else { "is here already" };
                self.add(format_args!("bottom_cards[{position}]"), format!("the same {card} {place}"));
            }
            bottom |= bit;
        }
    }

    fn fits_the_deck(&mut self, hand: Hand, seen: Hand, has_history: bool) {
        for rank in Rank::ALL {
            let (held, played, copies) = (hand.count(rank), seen.count(rank), rank.copies());
            if held + played > copies && held <= copies && played <= copies {
                let elsewhere = if has_history { "history" } else { "to_beat" };
                self.add(
                    elsewhere,
                    format!("{played} cards of rank {rank} here and {held} in the hand: a deck has {copies}"),
                );
            }
        }
    }

    fn counts(
        &mut self,
        input: &SituationInput,
        hand: Hand,
        table: Option<(Group, Role)>,
        history: Option<&History>,
    ) {
        let mut in_play = hand.len() as u32;
        for role in Role::ALL {
            let Some(count) = input.cards_left[role] else { continue };
            let field = format_args!("cards_left.{role}");
            let on_table = match table {
                Some((group, owner)) if owner == role => group.cards().len() as u32,
                _ => 0,
            };
            let most = u32::from(role.starting_cards()).saturating_sub(on_table);
            if role == input.role {
                if count as usize != hand.len() {
                    self.add(field, format!("{count} cards, but the hand holds {}", hand.len()));
                }
                continue;
            }
            in_play = in_play.saturating_add(count);
            if count == 0 {
                self.add(field, "no cards left: the game is over");
            } else if count > most {
                let played = if on_table > 0 { format!(" after playing {on_table}") } else { String::new() };
                self.add(field, format!("{count} cards: a {} holds at most {most}{played}", side(role)));
            } else if let Some(history) = history
                && count != u32::from(history.cards_left(role))
            {
                let left = history.cards_left(role);
                self.add(field, format!("{count} cards, but it is {left} at this point of the game"));
            }
        }
        let on_table = table.map_or(0, |(group, _)| group.cards().len() as u32);
        let deck = Hand::DECK.len() as u32;
        if self.violations.is_empty() && in_play.saturating_add(on_table) > deck {
            self.add("cards_left", format!("with the group to beat more than the {deck} cards of the deck"));
        }
    }

    fn history_agrees(
        &mut self,
        input: &SituationInput,
        hand: Hand,
        table: Option<(Group, Role)>,
        history: &History,
    ) {
        if let Some(winner) = history.winner() {
            self.add("history", format!("the game is over: {winner} has no cards left"));
            return;
        }
        if history.turn() != input.role {
            self.add(
                "history",
                format!(
                    "after {} plays it is the turn of {}, not of {}",
                    history.plays().len(),
                    history.turn(),
                    input.role
                ),
            );
            return;
        }
        let left = history.cards_left(input.role);
        if usize::from(left) != hand.len() {
            self.add("hand", format!("{} cards, but it is {left} at this point of the game", hand.len()));
        }
        match (history.table(), table) {
            (None, None) => {}
            (Some((group, owner)), None) if input.to_beat.is_empty() => {
                self.add("to_beat", format!("is missing: by the history it is {group} of {owner}"));
            }
            (Some(_), None) => {}
            (None, Some(_)) => self.add("to_beat", "is given, but by the history the asker leads"),
            (Some((group, owner)), Some((named, last))) => {
                if group != named {
                    self.add("to_beat", format!("is {named}, but by the history it is {group}"));
                } else {
                    self.same_cards(input);
                }
                if owner != last {
                    self.add("last_player", format!("is {last}, but by the history it is {owner}"));
                }
            }
        }
    }

    /// The group to beat is the last one of the history to the very cards, as far as suits are told.
    fn same_cards(&mut self, input: &SituationInput) {
        let last = input.history.iter().rev().find(|play| !play.cards.is_empty());
        let Some(played) = last.map(|play| &play.cards) else { return };
        for (position, card) in input.to_beat.iter().enumerate() {
            let could_be = |other: &Card| {
                other.rank == card.rank
                    && (card.suit.is_none() || other.suit.is_none() || other.suit == card.suit)
            };
            if !played.iter().any(could_be) {
                self.add(format_args!("to_beat[{position}]"), "is not in the last group of the history");
            }
        }
    }

    fn bottom_agrees(&mut self, role: Role, hand: Hand, bottom: Hand, history: Option<&History>) {
        let played = |role| history.map_or(Hand::EMPTY, |history| history.played(role));
        if role.is_landlord() {
            if history.is_some() && !(hand + played(role)).contains(bottom) {
                self.add(
                    "bottom_cards",
                    "the landlord took them, but neither holds nor has played all of them",
                );
            }
            return;
        }
        let peasants = hand + played(Role::PeasantAfter) + played(Role::PeasantBefore);
        for rank in Rank::ALL {
            if peasants.count(rank) + bottom.count(rank) > rank.copies() {
                self.add(
                    "bottom_cards",
                    format!(
                        "the landlord took {} of rank {rank}, but the peasants have {}",
                        bottom.count(rank),
                        peasants.count(rank)
                    ),
                );
            }
        }
    }

    fn stakes(&mut self, input: &SituationInput) {
        if input.bid.is_some_and(|bid| !(1..=3).contains(&bid)) {
            self.add("bid", "a landlord has bid 1, 2 or 3");
        }
        if input.multiplier == Some(0) {
            self.add("multiplier", "is 1 or more");
        }
    }
}

/// One bit for each physical card; none for a card whose suit is not told, which cannot be told from another.
fn card_bit(card: &Card) -> u64 {
    card.suit.map_or(0, |suit| 1 << (4 * card.rank.index() + suit as usize))
}

fn side(role: Role) -> &'static str {
    if role.is_landlord() { "landlord" } else { "peasant" }
}
