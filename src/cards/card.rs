use std::fmt;
use std::str::FromStr;

use super::Rank;

/// A suit. It never matters to legality or strength; it only tells equal ranks apart, so that an answer
/// can hold the very cards of the request. The order is the one used to choose among equal ranks (see
/// [`super::SuitedHand::take`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Suit {
    Clubs,
    Diamonds,
    Spades,
    Hearts,
}

impl Suit {
    /// All suits, in order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts];

    /// The letter that stands for this suit in text: `c`, `d`, `s`, `h`.
    #[must_use]
    pub const fn symbol(self) -> char {
        b"cdsh"[self as usize] as char
    }
}

/// A card: its rank and, where the caller distinguishes them, its suit.
///
/// In text a card is its rank's symbol, optionally followed by its suit's: `T`, `Th`, `X`. `10` is accepted
/// for `T`, lower case for upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    /// The rank.
    pub rank: Rank,
    /// The suit; `None` for jokers and for callers that ignore suits.
    pub suit: Option<Suit>,
}

impl Card {
    /// A card whose suit is not known.
    #[must_use]
    pub const fn suitless(rank: Rank) -> Card {
        Card { rank, suit: None }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rank)?;
        match self.suit {
            Some(suit) => write!(f, "{}", suit.symbol()),
            None => Ok(()),
        }
    }
}

/// A piece of text that is no card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a card: write 3 4 5 6 7 8 9 T J Q K A 2 X (small joker) D (big joker), with c d s h for a suit"
)]
pub struct ParseCardError(pub String);

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        let error = || ParseCardError(text.to_owned());
        let (rank, rest) = split_rank(text).ok_or_else(error)?;
        let suit = match rest {
            "" => None,
            "c" => Some(Suit::Clubs),
            "d" => Some(Suit::Diamonds),
            "s" => Some(Suit::Spades),
            "h" => Some(Suit::Hearts),
            _ => return Err(error()),
        };
        if rank.is_joker() && suit.is_some() {
            return Err(error());
        }
        Ok(Card { rank, suit })
    }
}

/// Splits the rank's symbol off the front of `text`.
fn split_rank(text: &str) -> Option<(Rank, &str)> {
    if let Some(rest) = text.strip_prefix("10") {
        return Some((Rank::Ten, rest));
    }
    let symbol = text.chars().next()?;
    let rank = Rank::ALL.into_iter().find(|rank| rank.symbol() == symbol.to_ascii_uppercase())?;
    Some((rank, &text[symbol.len_utf8()..]))
}

/// Reads a list of cards. Words are separated by white space or commas; a word is a card (`Th`) or several
/// ranks in a row without suits (`33344`, `10JQKA`).
///
/// # Errors
/// The first word that is neither.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, ParseCardError> {
    let mut cards = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        if let Ok(card) = word.parse() {
            cards.push(card);
            continue;
        }
        let mut rest = word;
        while !rest.is_empty() {
            let (rank, tail) = split_rank(rest).ok_or_else(|| ParseCardError(word.to_owned()))?;
            cards.push(Card::suitless(rank));
            rest = tail;
        }
    }
    Ok(cards)
}
