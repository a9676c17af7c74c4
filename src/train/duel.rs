//! Two players on the same decks, each taking the landlord's part and the peasants' part of every deck: how a
//! run is watched, and how two files of weights are told apart.

use std::fmt;

use crate::game::{Dice, PerRole, Role, Situation, Table, deal};
use crate::groups::RuleSet;
use crate::strategy::{Budget, Scratch, Strategy, Thinking};

/// A contestant: a strategy, how much it may search, and how much it is told.
#[derive(Clone, Copy)]
pub struct Contestant<'a> {
    /// The player.
    pub strategy: &'a dyn Strategy,
    /// Search iterations a decision.
    pub iterations: u32,
    /// Whether it is told nothing but the minimal situation.
    pub minimal: bool,
}

impl<'a> Contestant<'a> {
    /// A player that does not search and is told everything.
    #[must_use]
    pub fn plain(strategy: &'a dyn Strategy) -> Contestant<'a> {
        Contestant { strategy, iterations: 0, minimal: false }
    }
}

/// How the first contestant did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Decks played, each twice.
    pub decks: u64,
    /// Share of games won as landlord.
    pub landlord: f64,
    /// Share of games won as the peasants.
    pub peasants: f64,
    /// Share of games won.
    pub wins: f64,
    /// Half of the 95 % interval of `wins`, from the spread between decks.
    pub wins_error: f64,
    /// Mean points a game: 2 a game for a landlord, 1 for a peasant, doubled by each bomb or rocket.
    pub points: f64,
    /// Half of the 95 % interval of `points`.
    pub points_error: f64,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "WP {:.4} ± {:.4} (landlord {:.4}, peasants {:.4}), ADP {:+.3} ± {:.3}, {} decks",
            self.wins,
            self.wins_error,
            self.landlord,
            self.peasants,
            self.points,
            self.points_error,
            self.decks
        )
    }
}

/// How often the stakes double at most: what is beyond says more of luck than of strength.
const MOST_DOUBLINGS: u32 = 10;

/// Plays `decks` decks, numbered from `seed`, on `threads` threads.
#[must_use]
pub fn duel(a: Contestant<'_>, b: Contestant<'_>, decks: u64, seed: u64, threads: usize) -> Score {
    let threads = threads.max(1) as u64;
    let results: Vec<[Side; 2]> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let mut scratch = Scratch::default();
                    let numbers = (worker..decks).step_by(threads as usize);
                    numbers
                        .map(|number| both_sides(a, b, seed.wrapping_add(number), &mut scratch))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    let count = results.len().max(1) as f64;
    let of = |value: &dyn Fn(&[Side; 2]) -> f64| {
        let mean = results.iter().map(value).sum::<f64>() / count;
        let spread = results.iter().map(|result| (value(result) - mean).powi(2)).sum::<f64>() / count;
        (mean, 1.96 * (spread / count).sqrt())
    };
    let (wins, wins_error) = of(&|[landlord, peasants]| (landlord.won + peasants.won) / 2.0);
    let (points, points_error) = of(&|[landlord, peasants]| (landlord.points + peasants.points) / 2.0);
    Score {
        decks: results.len() as u64,
        landlord: of(&|[landlord, _]| landlord.won).0,
        peasants: of(&|[_, peasants]| peasants.won).0,
        wins,
        wins_error,
        points,
        points_error,
    }
}

/// What the first contestant made of one game.
#[derive(Clone, Copy)]
struct Side {
    won: f64,
    points: f64,
}

fn both_sides(a: Contestant<'_>, b: Contestant<'_>, seed: u64, scratch: &mut Scratch) -> [Side; 2] {
    let (landlord, doublings) = game(PerRole([a, b, b]), seed, scratch);
    let stakes = f64::from(1u32 << doublings.min(MOST_DOUBLINGS));
    let sign = |won: bool| if won { 1.0 } else { -1.0 };
    let as_landlord = Side { won: f64::from(u8::from(landlord)), points: 2.0 * stakes * sign(landlord) };
    let (landlord, doublings) = game(PerRole([b, a, a]), seed, scratch);
    let stakes = f64::from(1u32 << doublings.min(MOST_DOUBLINGS));
    let as_peasants = Side { won: f64::from(u8::from(!landlord)), points: stakes * sign(!landlord) };
    [as_landlord, as_peasants]
}

/// Whether the landlord won, and how often the stakes doubled.
fn game(seats: PerRole<Contestant<'_>>, seed: u64, scratch: &mut Scratch) -> (bool, u32) {
    let mut table = Table::new(&deal(&mut Dice::new(seed)), RuleSet::default());
    let mut turn = 0;
    while table.winner().is_none() {
        let seat = seats[table.turn()];
        let mut thinking = Thinking {
            seed: seed ^ (turn << 48),
            budget: Budget { is_spent: &|| seat.iterations == 0, iterations: Some(seat.iterations) },
            scratch,
        };
        let minimal: Situation;
        let situation = if seat.minimal {
            minimal = table.situation().minimal();
            &minimal
        } else {
            table.situation()
        };
        let play = seat.strategy.decide(situation, &mut thinking).play;
        turn += 1;
        if table.play(play).is_err() {
            // A strategy that answers with an illegal play forfeits the game.
            return (!table.turn().is_landlord(), table.doublings());
        }
    }
    (table.winner() == Some(Role::Landlord), table.doublings())
}
