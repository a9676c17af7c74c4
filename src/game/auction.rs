use super::Role;

/// How the landlord is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuctionRules {
    /// Score bids (叫分), as in the official competition rules: one round, each player once, 1 to 3 points and
    /// more than the bid before; 3 ends the auction.
    #[default]
    Points,
    /// Call and rob (叫地主, 抢地主): the first to call is landlord unless a player who has not yet spoken robs;
    /// whoever called may rob back once. Every robbing doubles the stakes.
    CallAndRob,
}

/// What a player says in the auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bid {
    /// Not this time (不叫, 不抢).
    Pass,
    /// So many points, 1 … 3.
    Points(u8),
    /// Call for the landlord's part (叫地主).
    Call,
    /// Rob the landlord's part (抢地主).
    Rob,
}

/// How an auction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuctionState {
    /// The player of this seat is to speak.
    Turn(usize),
    /// The player of this seat is the landlord.
    Landlord {
        /// The seat, counted from the one that spoke first.
        seat: usize,
        /// The bid, or by how much the stakes have been multiplied.
        stake: u32,
    },
    /// Nobody wants it: the cards are dealt anew, and the next seat speaks first.
    AllPassed,
}

/// The bid is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bid:?} is not allowed here")]
pub struct IllegalBid {
    /// The bid.
    pub bid: Bid,
}

/// The auction of one deal. Seats are numbered 0 … 2 in the order in which they speak.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Auction {
    rules: AuctionRules,
    bids: Vec<Bid>,
}

/// The most points a player can bid.
pub const HIGHEST_BID: u8 = 3;

impl Auction {
    /// An auction in which nobody has spoken.
    #[must_use]
    pub fn new(rules: AuctionRules) -> Auction {
        Auction { rules, bids: Vec::new() }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> AuctionRules {
        self.rules
    }

    /// What was said, in order.
    #[must_use]
    pub fn bids(&self) -> &[Bid] {
        &self.bids
    }

    /// The highest points bid so far; 0 if there are none.
    #[must_use]
    pub fn highest(&self) -> u8 {
        let points = self.bids.iter().map(|bid| if let Bid::Points(points) = bid { *points } else { 0 });
        points.max().unwrap_or(0)
    }

    /// How it stands.
    #[must_use]
    pub fn state(&self) -> AuctionState {
        match self.rules {
            AuctionRules::Points => self.points_state(),
            AuctionRules::CallAndRob => self.rob_state(),
        }
    }

    fn points_state(&self) -> AuctionState {
        let highest = self.highest();
        if self.bids.len() < Role::ALL.len() && highest < HIGHEST_BID {
            return AuctionState::Turn(self.bids.len());
        }
        match self.bids.iter().position(|bid| *bid == Bid::Points(highest)) {
            Some(seat) => AuctionState::Landlord { seat, stake: u32::from(highest) },
            None => AuctionState::AllPassed,
        }
    }

    fn rob_state(&self) -> AuctionState {
        let spoken = self.bids.len();
        if spoken < Role::ALL.len() {
            return AuctionState::Turn(spoken);
        }
        let Some(caller) = self.bids.iter().position(|bid| *bid == Bid::Call) else {
            return AuctionState::AllPassed;
        };
        let robberies = self.bids.iter().filter(|bid| **bid == Bid::Rob).count();
        // The fourth to speak is the caller, who is asked only if somebody robbed.
        if robberies > 0 && spoken == Role::ALL.len() {
            return AuctionState::Turn(caller);
        }
        let last = self.bids.iter().rposition(|bid| *bid == Bid::Rob);
        let seat = last.filter(|position| *position < Role::ALL.len()).unwrap_or(caller);
        AuctionState::Landlord { seat, stake: 1 << robberies }
    }

    /// Whether the player whose turn it is may say `bid`.
    #[must_use]
    pub fn allows(&self, bid: Bid) -> bool {
        let AuctionState::Turn(_) = self.state() else { return false };
        let called = self.bids.contains(&Bid::Call);
        match (self.rules, bid) {
            (_, Bid::Pass) => true,
            (AuctionRules::Points, Bid::Points(points)) => {
                (self.highest() + 1..=HIGHEST_BID).contains(&points)
            }
            (AuctionRules::CallAndRob, Bid::Call) => !called,
            (AuctionRules::CallAndRob, Bid::Rob) => called,
            (AuctionRules::Points, Bid::Call | Bid::Rob) | (AuctionRules::CallAndRob, Bid::Points(_)) => {
                false
            }
        }
    }

    /// What the player whose turn it is may say, from least to most; nothing when the auction is over.
    pub fn legal_bids(&self) -> impl Iterator<Item = Bid> {
        const ALL: [Bid; 6] =
            [Bid::Pass, Bid::Points(1), Bid::Points(2), Bid::Points(3), Bid::Call, Bid::Rob];
        ALL.into_iter().filter(|bid| self.allows(*bid))
    }

    /// Adds what the player whose turn it is says.
    ///
    /// # Errors
    /// It is not allowed, or the auction is over; the auction is unchanged.
    pub fn bid(&mut self, bid: Bid) -> Result<(), IllegalBid> {
        if !self.allows(bid) {
            return Err(IllegalBid { bid });
        }
        self.bids.push(bid);
        Ok(())
    }
}
