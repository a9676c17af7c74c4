use serde::Serialize;

use crate::cards::Hand;
use crate::game::{Dice, Role, Table, deal};
use crate::groups::{Group, GroupType, Play, RuleSet, is_reading, recognise};

use super::{Progress, derive_seed, for_each_index};

/// What playing random games found out about generator, recogniser and referee.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verification {
    /// Games played to their end.
    pub games: u64,
    /// Turns.
    pub turns: u64,
    /// Legal plays that the generator listed, passes included.
    pub plays: u64,
    /// Groups of each type that were played, by [`GroupType`]'s number; passes at 0.
    pub played: [u64; GroupType::ALL.len() + 1],
    /// Disagreements between generator, recogniser and referee.
    pub disagreements: u64,
    /// The first few of them.
    pub examples: Vec<String>,
}

const MOST_EXAMPLES: usize = 10;

impl Verification {
    fn disagree(&mut self, example: impl FnOnce() -> String) {
        self.disagreements += 1;
        if self.examples.len() < MOST_EXAMPLES {
            self.examples.push(example());
        }
    }

    fn merge(&mut self, other: Verification) {
        self.games += other.games;
        self.turns += other.turns;
        self.plays += other.plays;
        for (mine, theirs) in self.played.iter_mut().zip(other.played) {
            *mine += theirs;
        }
        self.disagreements += other.disagreements;
        self.examples.extend(other.examples);
        self.examples.sort();
        self.examples.truncate(MOST_EXAMPLES);
    }
}

/// Plays `games` games of random plays and checks at every turn that
///
/// * every play that the generator lists is held, is recognised from its bare cards, beats the group on the
///   table, and comes once;
/// * the group that is played is accepted by the referee, and one that the generator did not list is refused;
/// * a player has a play to make, and the game ends with exactly one empty hand and 54 cards accounted for.
///
/// What it finds follows from `seed` alone, whatever the number of threads.
#[must_use]
pub fn verify(games: u64, seed: u64, threads: usize, rules: RuleSet, progress: Progress<'_>) -> Verification {
    let parts = for_each_index(games, threads, progress, |found: &mut Verification, game| {
        verify_game(derive_seed(seed, &[game]), rules, found);
    });
    let mut all = Verification::default();
    for part in parts {
        all.merge(part);
    }
    all
}

fn verify_game(seed: u64, rules: RuleSet, found: &mut Verification) {
    let mut dice = Dice::new(seed);
    let mut table = Table::new(&deal(&mut dice), rules);
    let mut plays: Vec<Play> = Vec::new();
    let mut previous: Option<Group> = None;
    while table.winner().is_none() {
        plays.clear();
        table.situation().for_each_play(|play| plays.push(play));
        let (hand, to_beat) = (table.situation().hand(), table.situation().to_beat().copied());
        found.turns += 1;
        found.plays += plays.len() as u64;
        for play in &plays {
            check_play(play, hand, to_beat.as_ref(), rules, found);
        }
        check_distinct(&mut plays, found);
        check_unlisted(&table, previous, &plays, found);
        if plays.is_empty() {
            found.disagree(|| format!("no play from {hand} on {to_beat:?}"));
            return;
        }
        let play = plays[dice.below(plays.len())];
        if let Err(error) = table.play(play) {
            found.disagree(|| format!("the referee refuses {play} from {hand} on {to_beat:?}: {error}"));
            return;
        }
        found.played[play.group().map_or(0, |group| group.kind() as usize)] += 1;
        previous = play.group().or(previous);
    }
    check_end(&table, found);
    found.games += 1;
}

fn check_play(play: &Play, hand: Hand, to_beat: Option<&Group>, rules: RuleSet, found: &mut Verification) {
    let agrees = match play {
        Play::Pass => to_beat.is_some(),
        Play::Group(group) => {
            let named = recognise(group.cards(), rules, Some(group.kind()));
            // Cards that read as several groups of one type are taken for the highest one.
            let same = named.is_ok_and(|named| named == *group || is_reading(group, rules));
            same && hand.contains(group.cards()) && to_beat.is_none_or(|table| group.beats(table))
        }
    };
    if !agrees {
        found.disagree(|| format!("{play} is listed for {hand} on {to_beat:?}"));
    }
}

fn check_distinct(plays: &mut [Play], found: &mut Verification) {
    let key = |play: &Play| {
        let group = play.group();
        (play.cards().bits(), group.map(|group| (group.kind() as u8, group.main_rank())))
    };
    plays.sort_unstable_by_key(key);
    if let Some(twice) = plays.windows(2).find(|pair| pair[0] == pair[1]) {
        found.disagree(|| format!("{} is listed twice", twice[0]));
    }
}

/// The group that was played last, which its player no longer holds and which does not beat itself, and a pass
/// on the lead: neither is listed, and the referee must refuse both.
fn check_unlisted(table: &Table, previous: Option<Group>, plays: &[Play], found: &mut Verification) {
    for play in previous.map(Play::Group).into_iter().chain([Play::Pass]) {
        let listed = plays.contains(&play);
        let accepted = table.clone().play(play).is_ok();
        if listed != accepted {
            let hand = table.situation().hand();
            found.disagree(|| format!("{play} from {hand}: listed {listed}, accepted {accepted}"));
        }
    }
}

fn check_end(table: &Table, found: &mut Verification) {
    let played = table.situation().history().map_or(Hand::EMPTY, |history| history.all_played());
    let held = Role::ALL.map(|role| table.hand(role));
    let empty = held.iter().filter(|hand| hand.is_empty()).count();
    let cards: usize = held.iter().map(|hand| hand.len()).sum();
    if empty != 1 || cards + played.len() != Hand::DECK.len() || table.outcome().is_none() {
        found.disagree(|| format!("the game ends with {held:?} after {played}"));
    }
}

/// The verification for people.
#[must_use]
pub fn text_verification(found: &Verification) -> String {
    let mut text = format!(
        "{} games, {} turns, {} legal plays listed: {} disagreements\n",
        found.games, found.turns, found.plays, found.disagreements
    );
    for example in &found.examples {
        text.push_str(&format!("  {example}\n"));
    }
    text
}
