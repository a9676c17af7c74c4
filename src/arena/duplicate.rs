use std::time::{Duration, Instant};

use crate::game::{Dice, PerRole, deal};
use crate::groups::RuleSet;
use crate::strategy::Scratch;

use super::game::{Tally, landlord_points, play_game};
use super::{Estimate, PairedSum, Player, Progress, derive_seed, for_each_index};

/// A against B on duplicate decks: each deck is played twice, once with A as landlord against two Bs and once
/// with B as landlord against two As.
#[derive(Clone, Debug)]
pub struct Match {
    /// One side.
    pub a: Player,
    /// The other.
    pub b: Player,
    /// Number of decks; twice as many games.
    pub decks: u64,
    /// Decks and chance moves follow from it.
    pub seed: u64,
    /// Threads; 0 for one on each core. The result does not depend on it.
    pub threads: usize,
    /// The rules of the room.
    pub rules: RuleSet,
}

/// What a match found. Points and shares are A's.
#[derive(Clone, Debug, Default)]
pub struct MatchResult {
    /// Number of decks played.
    pub decks: u64,
    /// A's share of the games won.
    pub wp: Estimate,
    /// A's mean points a game.
    pub adp: Estimate,
    /// A's share of wins in the games in which it is the landlord.
    pub landlord_wp: Estimate,
    /// A's mean points in the games in which it is the landlord.
    pub landlord_adp: Estimate,
    /// A's share of wins in the games in which it is both peasants.
    pub peasants_wp: Estimate,
    /// A's mean points, both peasants' added, in the games in which it is the peasants.
    pub peasants_adp: Estimate,
    /// What A did.
    pub a: Tally,
    /// What B did.
    pub b: Tally,
    /// How long one core would have been busy with it.
    pub busy: Duration,
}

#[derive(Default)]
struct Sums {
    wins: PairedSum,
    points: PairedSum,
    landlord_wins: PairedSum,
    landlord_points: PairedSum,
    peasants_wins: PairedSum,
    peasants_points: PairedSum,
    tallies: [Tally; 2],
    busy: Duration,
    scratch: Scratch,
}

impl Sums {
    fn merge(&mut self, other: &Sums) {
        self.wins.merge(&other.wins);
        self.points.merge(&other.points);
        self.landlord_wins.merge(&other.landlord_wins);
        self.landlord_points.merge(&other.landlord_points);
        self.peasants_wins.merge(&other.peasants_wins);
        self.peasants_points.merge(&other.peasants_points);
        for (mine, theirs) in self.tallies.iter_mut().zip(&other.tallies) {
            mine.merge(theirs);
        }
        self.busy += other.busy;
    }
}

impl Match {
    /// Plays all decks. `progress` is told the number of decks done.
    #[must_use]
    pub fn play(&self, progress: Progress<'_>) -> MatchResult {
        let collected = for_each_index(self.decks, self.threads, progress, |sums, deck| {
            let begin = Instant::now();
            self.play_deck(deck, sums);
            sums.busy += begin.elapsed();
        });
        let mut sums = Sums::default();
        for part in &collected {
            sums.merge(part);
        }
        let [a, b] = sums.tallies;
        MatchResult {
            decks: self.decks,
            // Both games of a deck are one observation, twice the size of a game's.
            wp: sums.wins.estimate(2.0),
            adp: sums.points.estimate(2.0),
            landlord_wp: sums.landlord_wins.estimate(1.0),
            landlord_adp: sums.landlord_points.estimate(1.0),
            peasants_wp: sums.peasants_wins.estimate(1.0),
            peasants_adp: sums.peasants_points.estimate(1.0),
            a,
            b,
            busy: sums.busy,
        }
    }

    fn play_deck(&self, deck: u64, sums: &mut Sums) {
        const A: usize = 0;
        const B: usize = 1;
        let players = [&self.a, &self.b];
        let deal = deal(&mut Dice::new(derive_seed(self.seed, &[deck])));
        let mut play = |seats: [usize; 3], game: u64| {
            let seed = derive_seed(self.seed, &[deck, game]);
            play_game(&deal, self.rules, &players, PerRole(seats), seed, &mut sums.tallies, &mut sums.scratch)
        };
        let landlord = play([A, B, B], 0);
        let peasants = play([B, A, A], 1);
        let landlord_win = i64::from(landlord.winner.is_landlord());
        let peasants_win = i64::from(!peasants.winner.is_landlord());
        sums.landlord_wins.add(landlord_win);
        sums.peasants_wins.add(peasants_win);
        sums.wins.add(landlord_win + peasants_win);
        let as_landlord = landlord_points(&landlord);
        let as_peasants = -landlord_points(&peasants);
        sums.landlord_points.add(as_landlord);
        sums.peasants_points.add(as_peasants);
        sums.points.add(as_landlord + as_peasants);
    }
}
