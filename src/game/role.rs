use std::fmt;
use std::ops::{Index, IndexMut};

/// A seat, named by its part in the game. The order of the variants is the order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The landlord (地主), who plays first, alone against both peasants.
    Landlord,
    /// The peasant who plays right after the landlord (下家).
    PeasantAfter,
    /// The peasant who plays right before the landlord (上家).
    PeasantBefore,
}

impl Role {
    /// The seats in the order of play.
    pub const ALL: [Role; 3] = [Role::Landlord, Role::PeasantAfter, Role::PeasantBefore];

    /// The seat that plays next.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Role {
        Role::ALL[(self as usize + 1) % 3]
    }

    /// The seat that played before.
    #[inline]
    #[must_use]
    pub const fn previous(self) -> Role {
        Role::ALL[(self as usize + 2) % 3]
    }

    /// Whether this seat plays for the landlord.
    #[inline]
    #[must_use]
    pub const fn is_landlord(self) -> bool {
        matches!(self, Role::Landlord)
    }

    /// The other peasant, for a peasant.
    #[inline]
    #[must_use]
    pub const fn partner(self) -> Option<Role> {
        match self {
            Role::Landlord => None,
            Role::PeasantAfter => Some(Role::PeasantBefore),
            Role::PeasantBefore => Some(Role::PeasantAfter),
        }
    }

    /// Whether both seats win and lose together. A seat is its own ally.
    #[inline]
    #[must_use]
    pub const fn is_ally(self, other: Role) -> bool {
        self.is_landlord() == other.is_landlord()
    }

    /// Cards this seat starts the game with, the bottom cards included: 20 or 17.
    #[inline]
    #[must_use]
    pub const fn starting_cards(self) -> u8 {
        if self.is_landlord() { 20 } else { 17 }
    }

    /// The name used in text and as a metric label.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Landlord => "landlord",
            Role::PeasantAfter => "peasant_after",
            Role::PeasantBefore => "peasant_before",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One value for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerRole<T>(pub [T; 3]);

impl<T> Index<Role> for PerRole<T> {
    type Output = T;
    #[inline]
    fn index(&self, role: Role) -> &T {
        &self.0[role as usize]
    }
}

impl<T> IndexMut<Role> for PerRole<T> {
    #[inline]
    fn index_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[role as usize]
    }
}
