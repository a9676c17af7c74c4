//! What the network sees: sparse yes-or-no inputs, each the number of a row of the first layer.

use crate::cards::{Hand, Rank};
use crate::groups::{Group, GroupType, Play};

use super::facts::{Facts, Other, Shown, type_index};
use super::partition::{MOST_ROUNDS, Partition};

/// A block of inputs.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u16,
    size: u16,
}

/// Inputs of a pile of cards: which rank in which number.
const CARDS: u16 = 13 * 4 + 2;
/// Inputs of a number of cards: 0 … 20. As a fact that may be missing, 0 is *unknown*.
const LEFT: u16 = 21;
/// Inputs of a type.
const TYPES: u16 = 14;
/// Inputs of a rank.
const RANKS: u16 = Rank::COUNT as u16;
/// Inputs of the number of links of a chain.
const LINKS: u16 = 13;

/// Inputs of how many ranks are above a candidate: 0 … 4, and more.
const ABOVE_COUNTS: u16 = 6;

/// Inputs of a number of groups: 0 … 10, and more.
const GROUPS: u16 = 12;

/// Inputs of numbers of loose singles, of loose pairs, of trios and of chains: the last is *so many and more*.
const LOOSE_SINGLES: u16 = 8;
const LOOSE_PAIRS: u16 = 6;
const TRIO_COUNTS: u16 = 5;
const CHAIN_COUNTS: u16 = 4;

/// Classes of the number of cards that a seat holds.
const LEFTS: u16 = 9;

/// The class of a number of cards: every small number is one.
#[inline]
const fn left_class(left: u8) -> u16 {
    match left {
        0..=5 => left as u16 - (left > 0) as u16,
        6..=7 => 5,
        8..=10 => 6,
        11..=14 => 7,
        _ => 8,
    }
}

/// Lays blocks out one after the other.
const fn layout<const N: usize>(sizes: [u16; N]) -> ([Block; N], usize) {
    let mut blocks = [Block { first: 0, size: 0 }; N];
    let (mut at, mut next) = (0, 0);
    while at < N {
        blocks[at] = Block { first: next, size: sizes[at] };
        next += sizes[at];
        at += 1;
    }
    (blocks, next as usize)
}

const LAYOUT: ([Block; 38], usize) = layout([
    CARDS,                       // unseen
    2 * LEFT,                    // cards left of the others
    2 * CARDS,                   // played by the others
    2 * TYPES,                   // their last group: type
    2 * RANKS,                   // and rank
    4 * RANKS,                   // singles and pairs they passed on
    TYPES * RANKS,               // the group to beat
    LINKS,                       // its length
    3,                           // whose it is
    CARDS + 1,                   // bottom cards; unknown
    8,                           // doublings
    1,                           // history unknown
    6,                           // bombs that may be out: quads 0 … 3 and more, rocket, no rocket
    TYPES * RANKS + 3,           // the candidate; pass on whom
    LINKS,                       // its length
    CARDS,                       // its kickers
    CARDS,                       // the rest of the hand
    LEFT,                        // its size
    MOST_ROUNDS as u16 + 1,      // its rounds
    4,                           // can the candidate be beaten: by its like, by a bomb
    3,                           // certain endings
    6,                           // singles of the rest above all unseen
    4,                           // pairs of the rest above all unseen
    18,                          // small candidate against small hands
    4,                           // bombs of the rest
    3 * ABOVE_COUNTS,            // by how many higher ranks a single, a pair, another group can be beaten
    4 * RANKS,                   // lowest singles and pairs the others passed on
    2 * TYPES,                   // types they passed on
    4 * RANKS,                   // ranks they played as singles and as pairs
    2 * TYPES,                   // the group they led last: type
    2 * RANKS,                   // and rank
    2 * GROUPS,                  // groups they played
    2 * GROUPS,                  // groups they led
    LEFTS * LEFTS,               // cards left of the others, jointly
    LOOSE_SINGLES * LOOSE_PAIRS, // loose singles and pairs of the rest, jointly
    TRIO_COUNTS * CHAIN_COUNTS,  // its trios and chains, jointly
    2 * (RANKS + 1),             // its lowest loose single and pair; none
    RANKS + 1,                   // its second-lowest loose single; none
]);

const BLOCKS: [Block; 38] = LAYOUT.0;
/// Number of inputs.
pub(crate) const INPUTS: usize = LAYOUT.1;
const UNSEEN: Block = BLOCKS[0];
const OTHERS_LEFT: Block = BLOCKS[1];
const PLAYED: Block = BLOCKS[2];
const LAST_TYPE: Block = BLOCKS[3];
const LAST_RANK: Block = BLOCKS[4];
const PASSED: Block = BLOCKS[5];
const TABLE: Block = BLOCKS[6];
const TABLE_LINKS: Block = BLOCKS[7];
const OWNER: Block = BLOCKS[8];
const BOTTOM: Block = BLOCKS[9];
const DOUBLINGS: Block = BLOCKS[10];
const NO_HISTORY: Block = BLOCKS[11];
const BOMBS_OUT: Block = BLOCKS[12];
const KIND: Block = BLOCKS[13];
const KIND_LINKS: Block = BLOCKS[14];
const KICKERS: Block = BLOCKS[15];
const REST: Block = BLOCKS[16];
const REST_LEFT: Block = BLOCKS[17];
const ROUNDS: Block = BLOCKS[18];
const BEATABLE: Block = BLOCKS[19];
const CERTAIN: Block = BLOCKS[20];
const TOP_SINGLES: Block = BLOCKS[21];
const TOP_PAIRS: Block = BLOCKS[22];
const SMALL: Block = BLOCKS[23];
const REST_BOMBS: Block = BLOCKS[24];
const ABOVE: Block = BLOCKS[25];
const LOWEST_PASSED: Block = BLOCKS[26];
const TYPES_PASSED: Block = BLOCKS[27];
const ALONE: Block = BLOCKS[28];
const LED_TYPE: Block = BLOCKS[29];
const LED_RANK: Block = BLOCKS[30];
const GROUPS_PLAYED: Block = BLOCKS[31];
const LEADS: Block = BLOCKS[32];
const BOTH_LEFT: Block = BLOCKS[33];
const LOOSE: Block = BLOCKS[34];
const TRIOS: Block = BLOCKS[35];
const LOWEST_LOOSE: Block = BLOCKS[36];
const SECOND_LOOSE: Block = BLOCKS[37];

/// Most rows that are listed at once, as a power of two: every card is in few piles.
const MOST_ROWS: usize = 256;

/// Numbers of rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    rows: [u16; MOST_ROWS],
    len: usize,
}

impl Rows {
    pub(crate) const fn new() -> Rows {
        Rows { rows: [0; MOST_ROWS], len: 0 }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.rows[..self.len]
    }

    #[inline]
    fn push(&mut self, block: Block, offset: u16) {
        let row = block.first + offset;
        debug_assert!(offset < block.size);
        self.rows[self.len & (MOST_ROWS - 1)] = row;
        self.len = (self.len + 1).min(MOST_ROWS);
    }

    #[inline]
    fn push_cards(&mut self, block: Block, hand: Hand) {
        let mut bits = hand.bits();
        while bits != 0 {
            let index = bits.trailing_zeros() / 4;
            let count = (bits >> (4 * index)) as u16 & 0xF;
            bits &= !(0xF << (4 * index));
            self.push(block, slot(index as u16, count));
        }
    }
}

/// The input of `count` cards of the rank at `index`. Jokers, of which there is one, have one input.
#[inline]
const fn slot(index: u16, count: u16) -> u16 {
    if index < 13 { 4 * index + count - 1 } else { 52 + index - 13 }
}

#[inline]
fn group_of(group: &Group) -> u16 {
    type_index(group.kind()) * RANKS + group.main_rank().index() as u16
}

/// What the candidates of one turn have in common.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    hand: Hand,
    unseen: Hand,
    reach: u8,
    owner: u16,
    small: [Option<u16>; 2],
    quads_out: bool,
    rocket_out: bool,
    top_single: u64,
    top_pair: u64,
}

impl Context {
    pub(crate) fn new(facts: &Facts) -> Context {
        let reach = facts.enemy_reach();
        let small = Other::BOTH.map(|seat| {
            let place = 9 * seat as u16;
            match facts.left[seat as usize] {
                Some(left @ 1..=2) => Some(place + 3 * (u16::from(left) - 1)),
                Some(3..) => Some(place + 6),
                _ => None,
            }
        });
        let highest = |count: u8| facts.unseen.at_least(count).highest();
        let above = |count: u8| highest(count).map_or(u64::MAX, |rank| u64::MAX << (4 * rank.index() + 4));
        Context {
            hand: facts.hand,
            unseen: facts.unseen,
            reach,
            owner: facts.table.map_or(0, |(_, owner)| 1 + owner as u16),
            small,
            quads_out: reach >= 4 && !facts.unseen.exactly(4).is_empty(),
            rocket_out: reach >= 2 && facts.unseen.has_rocket(),
            top_single: above(1),
            top_pair: above(2),
        }
    }
}

/// The rows of the turn itself, without the hand.
pub(crate) fn turn_rows(facts: &Facts, rows: &mut Rows) {
    rows.push_cards(UNSEEN, facts.unseen);
    for seat in Other::BOTH {
        let left = facts.left[seat as usize].unwrap_or(0).min(LEFT as u8 - 1);
        rows.push(OTHERS_LEFT, seat as u16 * LEFT + u16::from(left));
    }
    if let [Some(next), Some(previous)] = facts.left {
        rows.push(BOTH_LEFT, left_class(next) * LEFTS + left_class(previous));
    }
    match &facts.record {
        None => rows.push(NO_HISTORY, 0),
        Some(record) => {
            rows.push(DOUBLINGS, record.doublings.min(7) as u16);
            for seat in [0, 1] {
                let played = Block { first: PLAYED.first + CARDS * seat as u16, size: CARDS };
                rows.push_cards(played, record.played[seat]);
                if let Some(last) = record.last[seat] {
                    rows.push(LAST_TYPE, seat as u16 * TYPES + type_index(last.kind()));
                    rows.push(LAST_RANK, seat as u16 * RANKS + last.main_rank().index() as u16);
                }
                shown_rows(seat as u16, &record.shown[seat], rows);
                for (size, passed) in record.passed[seat].iter().enumerate() {
                    if let Some(rank) = passed {
                        rows.push(PASSED, (2 * seat + size) as u16 * RANKS + rank.index() as u16);
                    }
                }
            }
        }
    }
    match &facts.table {
        None => rows.push(OWNER, 0),
        Some((group, owner)) => {
            rows.push(TABLE, group_of(group));
            rows.push(TABLE_LINKS, u16::from(group.links()));
            rows.push(OWNER, 1 + *owner as u16);
        }
    }
    match facts.bottom {
        Some(bottom) => rows.push_cards(BOTTOM, bottom),
        None => rows.push(BOTTOM, CARDS),
    }
    rows.push(BOMBS_OUT, facts.unseen.exactly(4).len().min(3) as u16);
    rows.push(BOMBS_OUT, if facts.unseen.has_rocket() { 4 } else { 5 });
}

/// The rows of what the plays of `seat` show.
fn shown_rows(seat: u16, shown: &Shown, rows: &mut Rows) {
    for size in [0, 1] {
        let place = (2 * seat + size as u16) * RANKS;
        if let Some(rank) = shown.lowest_passed[size] {
            rows.push(LOWEST_PASSED, place + rank.index() as u16);
        }
        for rank in shown.alone[size] {
            rows.push(ALONE, place + rank.index() as u16);
        }
    }
    for kind in (0..TYPES).filter(|kind| shown.types_passed >> kind & 1 == 1) {
        rows.push(TYPES_PASSED, seat * TYPES + kind);
    }
    if let Some(led) = &shown.led {
        rows.push(LED_TYPE, seat * TYPES + type_index(led.kind()));
        rows.push(LED_RANK, seat * RANKS + led.main_rank().index() as u16);
    }
    let count = |groups: u8| seat * GROUPS + u16::from(groups).min(GROUPS - 1);
    rows.push(GROUPS_PLAYED, count(shown.groups));
    rows.push(LEADS, count(shown.leads));
}

/// The rows of a hand that is left after a candidate.
#[inline]
pub(crate) fn rest_rows(rest: Hand, rows: &mut Rows) {
    rows.push_cards(REST, rest);
}

/// The rows by which the rest of the hand differs from the hand.
#[inline]
pub(crate) fn rest_changes(hand: Hand, rest: Hand, gone: &mut Rows, new: &mut Rows) {
    let mut bits = hand.bits() ^ rest.bits();
    while bits != 0 {
        let index = bits.trailing_zeros() / 4;
        bits &= !(0xF << (4 * index));
        let count = |hand: Hand| (hand.bits() >> (4 * index)) as u16 & 0xF;
        gone.push(REST, slot(index as u16, count(hand)));
        if count(rest) > 0 {
            new.push(REST, slot(index as u16, count(rest)));
        }
    }
}

/// The rows of how the rest of a hand falls into groups.
#[inline]
fn partition_rows(partition: &Partition, rows: &mut Rows) {
    rows.push(ROUNDS, u16::from(partition.rounds));
    let [singles, pairs] = partition.loose;
    let class = |number: u32, classes: u16| (number as u16).min(classes - 1);
    let of_pairs = LOOSE_SINGLES * class(pairs.count_ones(), LOOSE_PAIRS);
    rows.push(LOOSE, of_pairs + class(singles.count_ones(), LOOSE_SINGLES));
    let of_chains = TRIO_COUNTS * class(partition.chains.into(), CHAIN_COUNTS);
    rows.push(TRIOS, of_chains + class(partition.trios.into(), TRIO_COUNTS));
    let lowest = |ranks: u64| (ranks.trailing_zeros() as u16 / 4).min(RANKS);
    rows.push(LOWEST_LOOSE, lowest(singles));
    rows.push(LOWEST_LOOSE, RANKS + 1 + lowest(pairs));
    rows.push(SECOND_LOOSE, lowest(singles & singles.wrapping_sub(1)));
}

/// The rows of one candidate, without the cards of the rest, whose partition is `partition`.
#[inline]
pub(crate) fn candidate_rows(
    context: &Context,
    play: &Play,
    rest: Hand,
    partition: &Partition,
    rows: &mut Rows,
) {
    rows.push(REST_LEFT, rest.len().min(LEFT as usize - 1) as u16);
    partition_rows(partition, rows);
    let top = |hand: Hand, above: u64| (hand.at_least(1).times(1).bits() & above).count_ones();
    let pairs = rest.at_least(2).times(1);
    rows.push(TOP_SINGLES, top(rest, context.top_single).min(5) as u16);
    rows.push(TOP_PAIRS, top(pairs, context.top_pair).min(3) as u16);
    let bombs = rest.exactly(4).len() + usize::from(rest.has_rocket());
    rows.push(REST_BOMBS, bombs.min(3) as u16);
    let Play::Group(group) = play else {
        rows.push(KIND, TYPES * RANKS + context.owner.min(2));
        return;
    };
    rows.push(KIND, group_of(group));
    if group.links() > 1 {
        rows.push(KIND_LINKS, u16::from(group.links()).min(LINKS - 1));
    }
    let kickers = group.cards() - group.body();
    if !kickers.is_empty() {
        rows.push_cards(KICKERS, kickers);
    }
    let above = ranks_above(context, group);
    let by_like = above > 0;
    let by_bomb = beaten_by_bomb(context, group);
    rows.push(BEATABLE, 2 * u16::from(by_like) + u16::from(by_bomb));
    if partition.rounds == 1 {
        rows.push(CERTAIN, if by_like { 2 } else { u16::from(by_bomb) });
    }
    let size = match group.kind() {
        GroupType::Single => 0,
        GroupType::Pair => 1,
        _ => 2,
    };
    for place in context.small.iter().flatten() {
        rows.push(SMALL, place + size);
    }
    rows.push(ABOVE, size * ABOVE_COUNTS + (above as u16).min(ABOVE_COUNTS - 1));
}

/// How many ranks the unseen cards can begin a group of the same type and size with that is higher, if an enemy
/// has cards enough to play it.
#[inline]
fn ranks_above(context: &Context, group: &Group) -> usize {
    let copies = match group.kind() {
        GroupType::Single | GroupType::Straight => 1,
        GroupType::Pair | GroupType::PairChain => 2,
        GroupType::Bomb | GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs => 4,
        GroupType::Rocket => return 0,
        _ => 3,
    };
    if group.cards().len() > context.reach as usize {
        return 0;
    }
    let ranks = context.unseen.at_least(copies);
    let ranks = if group.links() > 1 { ranks.and(crate::cards::RankMask::CHAINABLE) } else { ranks };
    let higher = crate::cards::RankMask::above(group.lowest_rank());
    ranks.chain_starts(group.links()).and(higher).len()
}

#[inline]
fn beaten_by_bomb(context: &Context, group: &Group) -> bool {
    match group.kind() {
        GroupType::Rocket => false,
        GroupType::Bomb => context.rocket_out,
        _ => context.rocket_out || context.quads_out,
    }
}

/// The rest of the hand of `context` after `play`.
#[inline]
pub(crate) fn rest_after(context: &Context, play: &Play) -> Hand {
    context.hand - play.cards()
}
