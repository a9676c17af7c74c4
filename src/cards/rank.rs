use std::fmt;

/// A card's rank. The order of the variants is the order of strength; the discriminant is the card value
/// used all over the Dou Dizhu literature (3 … 10, J = 11, Q = 12, K = 13, A = 14, 2 = 15, jokers 16 and 17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rank {
    Three = 3,
    Four = 4,
    Five = 5,
    Six = 6,
    Seven = 7,
    Eight = 8,
    Nine = 9,
    Ten = 10,
    Jack = 11,
    Queen = 12,
    King = 13,
    Ace = 14,
    Two = 15,
    SmallJoker = 16,
    BigJoker = 17,
}

impl Rank {
    /// Number of ranks.
    pub const COUNT: usize = 15;

    /// All ranks, weakest first.
    pub const ALL: [Rank; Rank::COUNT] = [
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
        Rank::Two,
        Rank::SmallJoker,
        Rank::BigJoker,
    ];

    /// The rank whose card value is `value`, 3 … 17.
    #[inline]
    #[must_use]
    pub const fn from_value(value: u8) -> Option<Rank> {
        if value >= 3 && value <= 17 { Some(Rank::ALL[value as usize - 3]) } else { None }
    }

    /// The card value, 3 … 17.
    #[inline]
    #[must_use]
    pub const fn value(self) -> u8 {
        self as u8
    }

    /// Position in [`Rank::ALL`], 0 … 14.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize - 3
    }

    /// The rank at `index` (0 … 14) of [`Rank::ALL`].
    ///
    /// # Panics
    /// When `index` is above 14; callers pass positions of nibbles of a [`super::Hand`].
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Rank {
        Rank::ALL[index]
    }

    /// Whether this is one of the two jokers.
    #[inline]
    #[must_use]
    pub const fn is_joker(self) -> bool {
        self as u8 >= Rank::SmallJoker as u8
    }

    /// How many cards of this rank a deck holds: 4, or 1 for a joker.
    #[inline]
    #[must_use]
    pub const fn copies(self) -> u8 {
        if self.is_joker() { 1 } else { 4 }
    }

    /// The one character that stands for this rank in text: `3`…`9`, `T`, `J`, `Q`, `K`, `A`, `2`, `X`
    /// (small joker), `D` (big joker).
    #[must_use]
    pub const fn symbol(self) -> char {
        b"3456789TJQKA2XD"[self.index()] as char
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}
