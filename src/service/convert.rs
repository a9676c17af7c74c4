//! Messages to domain values and back. What a field may hold is said in the proto files; what the game allows is
//! the domain's to judge.

use std::fmt::Display;
use std::time::Duration;

use crate::cards::{Card, Hand, Rank, Suit, SuitedHand};
use crate::game::{History, HistoryPlay, PerRole, Role, Situation, SituationInput, Violation};
use crate::groups::{Group, GroupType, Play, Preset, RuleSet};
use crate::strategy::{self, HandValue};

use super::proto;

/// Longest request id, in bytes.
pub const LONGEST_REQUEST_ID: usize = 128;

/// Longest time budget that a request may ask for.
pub const LONGEST_TIME_BUDGET: Duration = Duration::from_secs(60);

/// Collects what is wrong with a request while it is read, so that all of it can be told at once.
#[derive(Debug, Default)]
pub(super) struct Reader {
    violations: Vec<Violation>,
}

impl Reader {
    /// Notes that `field` is wrong. Its path is only written out here: a sound request should not pay for the paths
    /// of its fields.
    pub(super) fn refuse(&mut self, field: impl Display, description: impl Into<String>) {
        self.violations.push(Violation { field: field.to_string(), description: description.into() });
    }

    /// Nothing, if nothing was wrong.
    pub(super) fn finish(self) -> Result<(), super::Refusal> {
        if self.violations.is_empty() { Ok(()) } else { Err(super::Refusal::Invalid(self.violations)) }
    }

    /// Whether the value that `read` returns was read without a violation.
    fn clean<T>(&mut self, read: impl FnOnce(&mut Reader) -> T) -> (T, bool) {
        let before = self.violations.len();
        let value = read(self);
        (value, self.violations.len() == before)
    }

    /// Checks a request id.
    pub(super) fn request_id(&mut self, id: &str) {
        if id.len() > LONGEST_REQUEST_ID {
            let length = id.len();
            self.refuse("request_id", format!("{length} bytes: at most {LONGEST_REQUEST_ID} are accepted"));
        }
    }

    /// Checks a time budget.
    pub(super) fn time_budget(&mut self, budget: Option<prost_types::Duration>) {
        // The conversion would mend nanoseconds that are out of range (google/protobuf/duration.proto).
        let sound = |budget: prost_types::Duration| {
            (0..1_000_000_000).contains(&budget.nanos)
                && Duration::try_from(budget).is_ok_and(|budget| budget <= LONGEST_TIME_BUDGET)
        };
        if !budget.is_none_or(sound) {
            let most = LONGEST_TIME_BUDGET.as_secs();
            self.refuse("time_budget", format!("is not a duration between 0 and {most} s"));
        }
    }

    fn card(&mut self, field: impl Display + Copy, position: usize, card: &proto::Card) -> Option<Card> {
        let rank = match u8::try_from(card.rank).ok().and_then(Rank::from_value) {
            Some(rank) => Some(rank),
            None if card.rank == proto::Rank::Unspecified as i32 => {
                self.refuse(format_args!("{field}[{position}].rank"), "is missing");
                None
            }
            None => {
                self.refuse(
                    format_args!("{field}[{position}].rank"),
                    format!("{} is no rank: 3 … 17", card.rank),
                );
                None
            }
        };
        let suit = Suit::ALL.into_iter().find(|suit| suit_number(*suit) == card.suit);
        if suit.is_none() && card.suit != proto::Suit::Unspecified as i32 {
            self.refuse(format_args!("{field}[{position}].suit"), format!("{} is no suit: 1 … 4", card.suit));
            return None;
        }
        Some(Card { rank: rank?, suit })
    }

    /// The cards of `field`, without those that cannot be read.
    pub(super) fn cards(&mut self, field: impl Display + Copy, cards: &[proto::Card]) -> Vec<Card> {
        // In one piece: what is filtered cannot tell how much it will be.
        let mut sound = Vec::with_capacity(cards.len());
        let cards = cards.iter().enumerate();
        sound.extend(cards.filter_map(|(position, card)| self.card(field, position, card)));
        sound
    }

    /// The group type of `field`, if it names one.
    pub(super) fn group_type(&mut self, field: impl Display + Copy, number: i32) -> Option<GroupType> {
        if number == proto::GroupType::Unspecified as i32 {
            return None;
        }
        let found = GroupType::ALL.into_iter().find(|kind| *kind as i32 == number);
        if found.is_none() {
            let why = if number == proto::GroupType::Pass as i32 {
                "a pass is no group: leave the cards out instead".to_owned()
            } else {
                format!("{number} is no group type: 1 … {}", GroupType::ALL.len())
            };
            self.refuse(field, why);
        }
        found
    }

    /// The role of `field`, if it names one.
    fn role(&mut self, field: impl Display + Copy, number: i32) -> Option<Role> {
        if number == proto::Role::Unspecified as i32 {
            return None;
        }
        let found = Role::ALL.into_iter().find(|role| proto::Role::from(*role) as i32 == number);
        if found.is_none() {
            self.refuse(field, format!("{number} is no role: 1 … {}", Role::ALL.len()));
        }
        found
    }

    /// The rules of `field`: the preset's, with the options that are present in place of its own.
    pub(super) fn rule_set(
        &mut self,
        field: impl Display + Copy,
        message: Option<&proto::RuleSet>,
    ) -> RuleSet {
        let Some(message) = message else { return RuleSet::default() };
        let preset = match usize::try_from(message.preset) {
            Ok(0) => Preset::default(),
            // The numbers follow the order of the presets; the test below holds them together by name.
            Ok(number) if number <= Preset::ALL.len() => Preset::ALL[number - 1],
            _ => {
                let most = Preset::ALL.len();
                self.refuse(
                    format_args!("{field}.preset"),
                    format!("{} is no preset: 1 … {most}", message.preset),
                );
                Preset::default()
            }
        };
        let base = preset.rules();
        RuleSet {
            distinct_kickers: message.distinct_kickers.unwrap_or(base.distinct_kickers),
            rocket_as_kickers: message.rocket_as_kickers.unwrap_or(base.rocket_as_kickers),
            adjacent_trio_kickers: message.adjacent_trio_kickers.unwrap_or(base.adjacent_trio_kickers),
            quad_kickers: message.quad_kickers.unwrap_or(base.quad_kickers),
            same_pair_twice: message.same_pair_twice.unwrap_or(base.same_pair_twice),
            no_four_with_two: message.no_four_with_two.unwrap_or(base.no_four_with_two),
        }
    }

    /// The cards of `field` as a pile that one hand can hold.
    ///
    /// They are judged as the hand of a landlord who leads, since that is where the rules for cards are stated:
    /// how many there are of a rank, that no card is there twice, that a joker has no suit.
    pub(super) fn pile(
        &mut self,
        field: impl Display + Copy,
        cards: &[proto::Card],
    ) -> Option<(Hand, Vec<Card>)> {
        let (cards, clean) = self.clean(|reader| reader.cards(field, cards));
        if !clean {
            return None;
        }
        if cards.is_empty() {
            self.refuse(field, "is missing: no cards");
            return None;
        }
        let input = SituationInput::lead(Role::Landlord, cards);
        match Situation::new(&input) {
            Ok(situation) => Some((situation.hand(), input.hand)),
            Err(violations) => {
                for Violation { field: path, description } in violations {
                    let rest = path.strip_prefix("hand").unwrap_or_default();
                    self.refuse(format_args!("{field}{rest}"), description);
                }
                None
            }
        }
    }

    /// The hand that `role` was dealt, all of it.
    pub(super) fn dealt(
        &mut self,
        field: impl Display + Copy,
        cards: &[proto::Card],
        role: Role,
    ) -> Option<Hand> {
        let (hand, _) = self.pile(field, cards)?;
        self.count_dealt(field, hand, role)?;
        Some(hand)
    }

    /// Nothing, if `hand` is not all that `role` was dealt.
    pub(super) fn count_dealt(&mut self, field: impl Display + Copy, hand: Hand, role: Role) -> Option<()> {
        let (cards, dealt) = (hand.len(), usize::from(role.starting_cards()));
        if cards == dealt {
            return Some(());
        }
        self.refuse(field, format!("{cards} cards: before play there are {dealt}"));
        None
    }

    /// A number to compare with, if it is given.
    pub(super) fn number(&mut self, field: impl Display + Copy, number: Option<f32>) -> Option<f32> {
        let number = number?;
        if number.is_nan() {
            self.refuse(field, "is not a number");
            return None;
        }
        Some(number)
    }

    /// The role of `field`, which must name one.
    pub(super) fn required_role(&mut self, field: impl Display + Copy, number: i32) -> Option<Role> {
        if number == proto::Role::Unspecified as i32 {
            self.refuse(field, "is missing: say whose turn it is");
        }
        self.role(field, number)
    }

    /// The situation, and the suits of its hand.
    pub(super) fn situation(&mut self, message: &proto::Situation) -> Option<(Situation, SuitedHand)> {
        self.situation_at("situation.", message)
    }

    /// The situation whose fields are found under `path`.
    pub(super) fn situation_at(
        &mut self,
        path: impl Display + Copy,
        message: &proto::Situation,
    ) -> Option<(Situation, SuitedHand)> {
        // A field that cannot be read is blanked, together with the facts that cannot be judged without it;
        // what the domain then says about these is passed over. All other violations are still told.
        let mut muted: Vec<&str> = Vec::new();

        let (hand, hand_clean) = self.clean(|reader| reader.cards(format_args!("{path}hand"), &message.hand));
        let (role, role_clean) = self.clean(|reader| {
            let role = reader.required_role(format_args!("{path}role"), message.role);
            role.unwrap_or(Role::Landlord)
        });
        let (rules, rules_clean) =
            self.clean(|reader| reader.rule_set(format_args!("{path}rule_set"), message.rule_set.as_ref()));
        let ((to_beat, to_beat_type, last_player), table_clean) = self.clean(|reader| {
            (
                reader.cards(format_args!("{path}to_beat"), &message.to_beat),
                reader.group_type(format_args!("{path}to_beat_type"), message.to_beat_type),
                reader.role(format_args!("{path}last_player"), message.last_player),
            )
        });
        let (history, history_clean) = self.clean(|reader| reader.history(path, &message.history));
        let (bottom_cards, bottom_clean) =
            self.clean(|reader| reader.cards(format_args!("{path}bottom_cards"), &message.bottom_cards));
        let cards_left = message.cards_left.unwrap_or_default();

        let mut input = SituationInput {
            hand,
            role,
            to_beat,
            to_beat_type,
            last_player,
            cards_left: PerRole([cards_left.landlord, cards_left.peasant_after, cards_left.peasant_before]),
            history,
            bottom_cards,
            bid: message.bid,
            multiplier: message.multiplier,
            rules,
        };
        if !hand_clean {
            input.hand.clear();
            muted.push("hand");
        }
        if !role_clean {
            // What is wrong for every seat's holder can be told all the same.
            for seat in Role::ALL {
                let possible = |left: &u32| (1..=u32::from(seat.starting_cards())).contains(left);
                input.cards_left[seat] = input.cards_left[seat].filter(|left| !possible(left));
            }
            input.history.clear();
            muted.push("last_player");
        }
        if !table_clean || !rules_clean {
            input.to_beat.clear();
            input.history.clear();
            muted.extend(["to_beat", "to_beat_type", "last_player"]);
        }
        if !history_clean {
            input.history.clear();
        }
        if !bottom_clean {
            input.bottom_cards.clear();
        }
        let readable =
            hand_clean && role_clean && table_clean && rules_clean && history_clean && bottom_clean;
        match Situation::new(&input) {
            Ok(situation) => readable.then(|| (situation, SuitedHand::new(input.hand))),
            Err(violations) => {
                for Violation { field, description } in violations {
                    let root = field.split(['.', '[']).next().unwrap_or_default();
                    if !muted.contains(&root) {
                        self.refuse(format_args!("{path}{field}"), description);
                    }
                }
                None
            }
        }
    }

    fn history(&mut self, path: impl Display + Copy, plays: &[proto::HistoryPlay]) -> Vec<HistoryPlay> {
        let mut history = Vec::with_capacity(plays.len());
        for (position, play) in plays.iter().enumerate() {
            let path = format_args!("{path}history[{position}]");
            history.push(HistoryPlay {
                cards: self.cards(format_args!("{path}.cards"), &play.cards),
                group_type: self.group_type(format_args!("{path}.group_type"), play.group_type),
            });
        }
        history
    }
}

const fn suit_number(suit: Suit) -> i32 {
    suit as i32 + 1
}

impl From<Role> for proto::Role {
    fn from(role: Role) -> proto::Role {
        match role {
            Role::Landlord => proto::Role::Landlord,
            Role::PeasantAfter => proto::Role::PeasantAfterLandlord,
            Role::PeasantBefore => proto::Role::PeasantBeforeLandlord,
        }
    }
}

impl From<GroupType> for proto::GroupType {
    fn from(kind: GroupType) -> proto::GroupType {
        // The numbers are the same; the test below holds them together by name.
        proto::GroupType::try_from(kind as i32).unwrap_or_default()
    }
}

impl From<Card> for proto::Card {
    fn from(card: Card) -> proto::Card {
        proto::Card {
            rank: i32::from(card.rank as u8),
            suit: card.suit.map_or(proto::Suit::Unspecified as i32, suit_number),
        }
    }
}

impl From<RuleSet> for proto::RuleSet {
    fn from(rules: RuleSet) -> proto::RuleSet {
        proto::RuleSet {
            preset: proto::Preset::Unspecified as i32,
            distinct_kickers: Some(rules.distinct_kickers),
            rocket_as_kickers: Some(rules.rocket_as_kickers),
            adjacent_trio_kickers: Some(rules.adjacent_trio_kickers),
            quad_kickers: Some(rules.quad_kickers),
            same_pair_twice: Some(rules.same_pair_twice),
            no_four_with_two: Some(rules.no_four_with_two),
        }
    }
}

/// All that the player to move knows, suits apart, which the domain does not keep.
impl From<&Situation> for proto::Situation {
    fn from(situation: &Situation) -> proto::Situation {
        let cards = |hand: Hand| hand.ranks().map(|rank| Card::suitless(rank).into()).collect();
        let table = situation.table();
        let left = Role::ALL.map(|role| situation.cards_left(role).map(u32::from));
        let plays = situation.history().map(History::plays).unwrap_or_default();
        proto::Situation {
            hand: cards(situation.hand()),
            role: proto::Role::from(situation.role()) as i32,
            to_beat: table.map(|(group, _)| cards(group.cards())).unwrap_or_default(),
            to_beat_type: table.map_or(0, |(group, _)| proto::GroupType::from(group.kind()) as i32),
            last_player: table.map_or(0, |(_, owner)| proto::Role::from(owner) as i32),
            cards_left: Some(proto::CardsLeft {
                landlord: left[0],
                peasant_after: left[1],
                peasant_before: left[2],
            }),
            history: plays
                .iter()
                .map(|play| proto::HistoryPlay {
                    cards: cards(play.cards()),
                    group_type: play.group().map_or(0, |group| proto::GroupType::from(group.kind()) as i32),
                })
                .collect(),
            bottom_cards: situation.bottom().map(cards).unwrap_or_default(),
            bid: situation.bid().map(u32::from),
            multiplier: situation.multiplier(),
            rule_set: Some(situation.rules().into()),
        }
    }
}

impl From<HandValue> for proto::HandValue {
    fn from(value: HandValue) -> proto::HandValue {
        proto::HandValue {
            sum: i32::from(value.sum),
            rounds: u32::from(value.rounds),
            score: i32::from(value.score()),
        }
    }
}

impl From<strategy::Evaluation> for proto::Evaluation {
    fn from(evaluation: strategy::Evaluation) -> proto::Evaluation {
        proto::Evaluation {
            rest: evaluation.rest.map(Into::into),
            win_probability: evaluation.win_probability,
            expected_points: evaluation.expected_points,
        }
    }
}

/// What a decision cost, `elapsed` included.
pub(super) fn cost(cost: strategy::Cost, elapsed: Duration) -> proto::Cost {
    proto::Cost {
        elapsed: prost_types::Duration::try_from(elapsed).ok(),
        states: cost.states,
        memo_hits: cost.memo_hits,
    }
}

/// A group, with cards of `suits`.
pub(super) fn group(group: &Group, suits: &SuitedHand) -> proto::Group {
    proto::Group {
        r#type: proto::GroupType::from(group.kind()) as i32,
        main_rank: i32::from(group.main_rank() as u8),
        chain_length: u32::from(group.links()),
        cards: suits.take(group.cards()).into_iter().map(Into::into).collect(),
    }
}

/// Groups that together are `cards`, each with its own cards of them.
pub(super) fn deal_out(groups: &[Group], mut cards: Vec<Card>) -> Vec<proto::Group> {
    let mut dealt = Vec::with_capacity(groups.len());
    for each in groups {
        let suits = SuitedHand::new(cards.clone());
        for taken in suits.take(each.cards()) {
            if let Some(position) = cards.iter().position(|card| *card == taken) {
                cards.swap_remove(position);
            }
        }
        dealt.push(group(each, &suits));
    }
    dealt
}

/// A play, with cards of `suits`.
pub(super) fn play(play: &Play, suits: &SuitedHand) -> proto::Group {
    match play {
        Play::Group(played) => group(played, suits),
        Play::Pass => proto::Group { r#type: proto::GroupType::Pass as i32, ..proto::Group::default() },
    }
}

/// A play and what was thought of it, with cards of `suits`.
pub(super) fn ranked_play(ranked: &strategy::RankedPlay, suits: &SuitedHand) -> proto::RankedPlay {
    proto::RankedPlay { play: Some(play(&ranked.play, suits)), evaluation: Some(ranked.evaluation.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain_name(proto_name: &str, prefix: &str) -> String {
        proto_name.strip_prefix(prefix).unwrap_or(proto_name).to_lowercase()
    }

    #[test]
    fn group_types_have_the_same_numbers_and_names() {
        for kind in GroupType::ALL {
            let message = proto::GroupType::from(kind);
            assert_eq!(message as i32, kind as i32);
            assert_eq!(domain_name(message.as_str_name(), "GROUP_TYPE_"), kind.name());
        }
    }

    #[test]
    fn ranks_have_the_same_numbers() {
        let numbers: Vec<i32> = Rank::ALL.iter().map(|rank| i32::from(*rank as u8)).collect();
        assert_eq!(numbers, (3..=17).collect::<Vec<i32>>());
        for rank in Rank::ALL {
            let message = proto::Rank::try_from(i32::from(rank as u8)).expect("every rank has a number");
            let name = format!("{rank:?}").to_lowercase();
            assert_eq!(domain_name(message.as_str_name(), "RANK_").replace('_', ""), name);
        }
    }

    #[test]
    fn presets_have_the_numbers_of_their_order() {
        for (position, preset) in Preset::ALL.into_iter().enumerate() {
            let message = proto::Preset::try_from(position as i32 + 1).expect("every preset has a number");
            assert_eq!(domain_name(message.as_str_name(), "PRESET_"), preset.name());
        }
    }

    #[test]
    fn situations_go_there_and_back() {
        let minimal = |turn: &Situation| turn.bottom().is_none();
        let turns = crate::bench::situations(&strategy::Random, 7, 2_000);
        assert!(turns.iter().any(minimal) && !turns.iter().all(minimal));
        for turn in turns {
            let mut reader = Reader::default();
            let back = reader.situation(&proto::Situation::from(&turn)).expect("it is valid");
            assert_eq!(back.0.minimal(), turn.minimal());
            assert_eq!(back.0.history(), turn.history().or(back.0.history().filter(|_| minimal(&turn))));
            assert_eq!(back.0.bottom(), turn.bottom());
            for role in Role::ALL {
                assert!(turn.cards_left(role).is_none_or(|left| back.0.cards_left(role) == Some(left)));
            }
        }
    }

    #[test]
    fn suits_and_roles_go_there_and_back() {
        let mut reader = Reader::default();
        for suit in Suit::ALL {
            let card = Card { rank: Rank::Three, suit: Some(suit) };
            let message = proto::Card::from(card);
            assert_eq!(
                domain_name(message.suit().as_str_name(), "SUIT_"),
                format!("{suit:?}").to_lowercase()
            );
            assert_eq!(reader.cards("cards", &[message]), [card]);
        }
        for role in Role::ALL {
            assert_eq!(reader.role("role", proto::Role::from(role) as i32), Some(role));
        }
        reader.finish().expect("nothing is wrong");
    }

    #[test]
    fn options_that_are_present_replace_the_presets() {
        let message = proto::RuleSet {
            preset: proto::Preset::Douzero as i32,
            quad_kickers: Some(false),
            no_four_with_two: Some(true),
            ..proto::RuleSet::default()
        };
        let expected = RuleSet { quad_kickers: false, no_four_with_two: true, ..Preset::DouZero.rules() };
        let mut reader = Reader::default();
        assert_eq!(reader.rule_set("rule_set", Some(&message)), expected);
        assert_eq!(reader.rule_set("rule_set", None), RuleSet::default());
    }
}
