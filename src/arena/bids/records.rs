use crate::arena::{Player, Progress, Tally, derive_seed, for_each_index, play_game};
use crate::cards::Hand;
use crate::game::{Dice, Outcome, PerRole, Role, Shuffle};
use crate::groups::RuleSet;
use crate::strategy::{HandValue, Scratch, bidding};

/// A deck and how it ends with each seat as landlord.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The deck.
    pub shuffle: Shuffle,
    /// The value of each seat's 17 cards.
    pub values: [HandValue; 3],
    /// The value of each seat's cards with the bottom cards.
    pub landlord_values: [HandValue; 3],
    /// How the game ends when the seat is the landlord.
    pub outcomes: [Outcome; 3],
}

impl Record {
    /// The cards that the seat `landlord` holds as landlord.
    pub(super) fn landlord_hand(&self, landlord: usize) -> Hand {
        self.shuffle.seats[landlord] + self.shuffle.bottom
    }

    /// Where `role` sits when the landlord sits at `landlord`.
    pub(super) fn seat(role: Role, landlord: usize) -> usize {
        (landlord + role as usize) % 3
    }
}

/// Plays `decks` decks with each seat as landlord, `player` in all seats. What comes out follows from `seed`
/// alone, whatever the number of threads.
#[must_use]
pub fn play_records(
    player: &Player,
    decks: u64,
    seed: u64,
    threads: usize,
    rules: RuleSet,
    progress: Progress<'_>,
) -> Vec<Record> {
    #[derive(Default)]
    struct Part {
        records: Vec<(u64, Record)>,
        scratch: Scratch,
        tally: Tally,
    }
    let parts = for_each_index(decks, threads, progress, |part: &mut Part, deck| {
        let shuffle = Shuffle::new(&mut Dice::new(derive_seed(seed, &[deck])));
        let outcomes = [0, 1, 2].map(|landlord| {
            let seed = derive_seed(seed, &[deck, landlord]);
            let (players, seats) = ([player], PerRole([0; 3]));
            let tallies = std::slice::from_mut(&mut part.tally);
            play_game(
                &shuffle.deal(landlord as usize),
                rules,
                &players,
                seats,
                seed,
                tallies,
                &mut part.scratch,
            )
        });
        let mut value = |hand| bidding::value(hand, &mut part.scratch);
        let values = shuffle.seats.map(&mut value);
        let landlord_values = shuffle.seats.map(|hand| value(hand + shuffle.bottom));
        part.records.push((deck, Record { shuffle, values, landlord_values, outcomes }));
    });
    let mut records: Vec<(u64, Record)> = parts.into_iter().flat_map(|part| part.records).collect();
    records.sort_unstable_by_key(|(deck, _)| *deck);
    records.into_iter().map(|(_, record)| record).collect()
}
