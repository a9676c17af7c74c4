use super::{PerRole, Role, Stakes};

/// Who may double the stakes (加倍) after the auction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DoublingRules {
    /// Nobody.
    #[default]
    None,
    /// As in the official competition rules: each peasant may double, then the landlord may redouble those who
    /// did.
    Redouble,
    /// Everyone may double, the landlord against both peasants.
    Everyone,
}

/// The doubling of one deal: the peasants speak in the order of play, then the landlord.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubling {
    rules: DoublingRules,
    doubled: PerRole<Option<bool>>,
}

/// Nobody is to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("doubling is over")]
pub struct DoublingOver;

impl Doubling {
    /// Doubling in which nobody has spoken.
    #[must_use]
    pub fn new(rules: DoublingRules) -> Doubling {
        Doubling { rules, doubled: PerRole::default() }
    }

    /// Who is to speak; `None` when it is over.
    #[must_use]
    pub fn turn(&self) -> Option<Role> {
        let peasants = [Role::PeasantAfter, Role::PeasantBefore];
        if self.rules == DoublingRules::None {
            return None;
        }
        if let Some(silent) = peasants.into_iter().find(|role| self.doubled[*role].is_none()) {
            return Some(silent);
        }
        let landlord_may =
            self.rules == DoublingRules::Everyone || peasants.into_iter().any(|role| self.has_doubled(role));
        (landlord_may && self.doubled[Role::Landlord].is_none()).then_some(Role::Landlord)
    }

    /// Whether `role` has doubled.
    #[must_use]
    pub fn has_doubled(&self, role: Role) -> bool {
        self.doubled[role] == Some(true)
    }

    /// Adds the decision of the player who is to speak.
    ///
    /// # Errors
    /// Nobody is.
    pub fn decide(&mut self, doubles: bool) -> Result<(), DoublingOver> {
        let role = self.turn().ok_or(DoublingOver)?;
        self.doubled[role] = Some(doubles);
        Ok(())
    }

    /// The stakes of a game whose auction ended at `bid`.
    #[must_use]
    pub fn stakes(&self, bid: u32) -> Stakes {
        let factor = |role| {
            let peasant = self.has_doubled(role);
            // A redoubling answers a doubling; a landlord who may double freely doubles against everyone.
            let landlord =
                self.has_doubled(Role::Landlord) && (peasant || self.rules == DoublingRules::Everyone);
            (1 << u32::from(peasant)) * (1 << u32::from(landlord))
        };
        Stakes { bid, doubled: PerRole([1, factor(Role::PeasantAfter), factor(Role::PeasantBefore)]) }
    }
}
