use std::time::Instant;

use crate::game::{Deal, Outcome, PerRole, Role, ScoreRules, Stakes, Table};
use crate::groups::{GroupType, Play, RuleSet};
use crate::strategy::Scratch;

use super::{Player, Times, derive_seed};

/// What one player did in the games it played.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Plays of each group type, by [`GroupType`]'s number; passes at 0.
    pub plays: [u64; GroupType::ALL.len() + 1],
    /// Plays that the referee refused.
    pub illegal: u64,
    /// How long its decisions took.
    pub times: Times,
}

impl Tally {
    /// Adds what another thread observed.
    pub fn merge(&mut self, other: &Tally) {
        for (mine, theirs) in self.plays.iter_mut().zip(other.plays) {
            *mine += theirs;
        }
        self.illegal += other.illegal;
        self.times.merge(&other.times);
    }
}

/// The landlord's points of a game in DouZero's protocol: ±2, doubled by every bomb and rocket.
#[must_use]
pub fn landlord_points(outcome: &Outcome) -> i64 {
    outcome.points(&Stakes::default(), ScoreRules::default())[Role::Landlord]
}

/// Plays one game to its end. `seats` says who sits where, as positions in `players`; `tallies` has one entry
/// for each player. Chance moves follow from `seed`.
///
/// A play that the referee refuses is counted and replaced by the first legal one, so that a faulty strategy
/// shows in the result instead of ending the match.
pub fn play_game(
    deal: &Deal,
    rules: RuleSet,
    players: &[&Player],
    seats: PerRole<usize>,
    seed: u64,
    tallies: &mut [Tally],
    scratch: &mut Scratch,
) -> Outcome {
    let mut table = Table::new(deal, rules);
    let mut turn = 0;
    loop {
        if let Some(outcome) = table.outcome() {
            return outcome;
        }
        let seat = seats[table.turn()];
        let begin = Instant::now();
        let decision = players[seat].decide(table.situation(), derive_seed(seed, &[turn]), scratch);
        let tally = &mut tallies[seat];
        tally.times.add(begin.elapsed());
        let mut play = decision.play;
        if table.play(play).is_err() {
            tally.illegal += 1;
            play = play_first_legal(&mut table);
        }
        tally.plays[play.group().map_or(0, |group| group.kind() as usize)] += 1;
        turn += 1;
    }
}

/// Makes the first legal play of the seat to move. A player who is to move holds a card, so there is one.
fn play_first_legal(table: &mut Table) -> Play {
    let mut plays = Vec::new();
    table.situation().for_each_play(|play| plays.push(play));
    plays.into_iter().find(|play| table.play(*play).is_ok()).unwrap_or(Play::Pass)
}
