//! Bids and doubles.

use doudizhu::cards::Hand;
use doudizhu::game::{Auction, AuctionRules, AuctionState, Bid, BidTurn, Dice, Role, Shuffle};
use doudizhu::strategy::bidding::{
    BidThresholds, DoubleThresholds, DoubleTurn, choose_bid, choose_double, series_bid,
};
use doudizhu::strategy::{HandValue, Scratch};

use crate::support::hand;

const STRONG: &str = "X D 2 2 2 A A K K Q Q J T 9 8 7 6";
const WEAK: &str = "3 3 4 4 6 6 7 7 8 9 9 J J Q T 5 4";

fn turn(rules: AuctionRules, highest: u8, position: Option<u8>) -> BidTurn {
    BidTurn { rules, highest, position }
}

fn bid(cards: Hand, turn: &BidTurn) -> Bid {
    choose_bid(cards, turn, &BidThresholds::default(), &mut Scratch::default()).bid
}

#[test]
fn no_bid_is_illegal() {
    let mut dice = Dice::new(31);
    let mut scratch = Scratch::default();
    for deck in 0..2000 {
        let shuffle = Shuffle::new(&mut dice);
        let rules = if deck % 2 == 0 { AuctionRules::Points } else { AuctionRules::CallAndRob };
        let odd = BidThresholds { points: [dice.fraction() as f32, -1.0, f32::NAN], call: -9.0, rob: -9.0 };
        let thresholds = if deck % 3 == 0 { odd } else { BidThresholds::default() };
        let mut auction = Auction::new(rules);
        while let AuctionState::Turn(seat) = auction.state() {
            let turn = auction.turn().unwrap();
            let decision = choose_bid(shuffle.seats[seat], &turn, &thresholds, &mut scratch);
            auction.bid(decision.bid).expect("legal");
            assert!((0.0..=1.0).contains(&decision.outlook.win_probability), "{decision:?}");
        }
    }
    // Whatever the table says, known position or not.
    for rules in [AuctionRules::Points, AuctionRules::CallAndRob] {
        for highest in 0..=5 {
            for position in [None, Some(0), Some(1), Some(2), Some(3), Some(200)] {
                let turn = turn(rules, highest, position);
                for cards in [STRONG, WEAK] {
                    assert!(turn.allows(bid(hand(cards), &turn)), "{turn:?}");
                }
            }
        }
    }
}

#[test]
fn a_strong_hand_bids_and_a_weak_one_passes() {
    let first = turn(AuctionRules::Points, 0, Some(0));
    assert_eq!(bid(hand(STRONG), &first), Bid::Points(3));
    assert_eq!(bid(hand(WEAK), &first), Bid::Pass);
    assert_eq!(bid(hand(STRONG), &turn(AuctionRules::Points, 2, None)), Bid::Points(3));
    assert_eq!(bid(hand(STRONG), &turn(AuctionRules::Points, 3, None)), Bid::Pass, "nothing left to bid");
    assert_eq!(bid(hand(STRONG), &turn(AuctionRules::CallAndRob, 0, None)), Bid::Call);
    assert_eq!(bid(hand(STRONG), &turn(AuctionRules::CallAndRob, 2, None)), Bid::Rob);
    assert_eq!(bid(hand(WEAK), &turn(AuctionRules::CallAndRob, 1, None)), Bid::Pass);
}

/// Each bid is said, by hands that are the better the more is bid.
#[test]
fn middling_hands_bid_one_or_two() {
    let (mut dice, mut scratch) = (Dice::new(17), Scratch::default());
    let first = turn(AuctionRules::Points, 0, Some(0));
    let mut expected: [Vec<f32>; 4] = Default::default();
    for _ in 0..1000 {
        for cards in Shuffle::new(&mut dice).seats {
            let decision = choose_bid(cards, &first, &BidThresholds::default(), &mut scratch);
            let points = if let Bid::Points(points) = decision.bid { usize::from(points) } else { 0 };
            expected[points].push(decision.outlook.points);
        }
    }
    let counts = expected.each_ref().map(Vec::len);
    assert!(counts.iter().all(|count| *count > 200), "{counts:?} of 3000 pass, bid 1, 2 and 3");
    let least = expected.each_ref().map(|points| points.iter().copied().fold(f32::MAX, f32::min));
    let most = expected.each_ref().map(|points| points.iter().copied().fold(f32::MIN, f32::max));
    assert!((0..3).all(|bid| most[bid] < least[bid + 1]), "{least:?} {most:?}");
}

#[test]
fn better_cards_are_expected_to_fare_better() {
    let outlook = |cards: &str| {
        let turn = turn(AuctionRules::Points, 0, None);
        choose_bid(hand(cards), &turn, &BidThresholds::default(), &mut Scratch::default()).outlook
    };
    let base = "3 4 5 6 7 8 9 T T J J Q K K A";
    let steps =
        [format!("{base} 3 4"), format!("{base} 2 X"), format!("{base} X D")].map(|cards| outlook(&cards));
    assert!(steps.is_sorted_by(|one, other| one.win_probability < other.win_probability), "{steps:?}");
    assert!(steps.is_sorted_by(|one, other| one.points < other.points), "{steps:?}");
    assert!(outlook(STRONG).win_probability > 0.75, "{:?}", outlook(STRONG));
    assert!(outlook(WEAK).win_probability < 0.45, "{:?}", outlook(WEAK));
}

#[test]
fn the_callers_thresholds_decide() {
    let mut scratch = Scratch::default();
    let first = turn(AuctionRules::Points, 0, Some(0));
    let always = BidThresholds { points: [f32::MIN; 3], call: f32::MIN, rob: f32::MIN };
    let never = BidThresholds { points: [f32::MAX; 3], call: f32::MAX, rob: f32::MAX };
    let one_only = BidThresholds { points: [f32::MIN, f32::MAX, f32::MAX], ..never };
    assert_eq!(choose_bid(hand(WEAK), &first, &always, &mut scratch).bid, Bid::Points(3));
    assert_eq!(choose_bid(hand(STRONG), &first, &never, &mut scratch).bid, Bid::Pass);
    assert_eq!(choose_bid(hand(STRONG), &first, &one_only, &mut scratch).bid, Bid::Points(1));
    let after_one = turn(AuctionRules::Points, 1, Some(1));
    assert_eq!(choose_bid(hand(STRONG), &after_one, &one_only, &mut scratch).bid, Bid::Pass);
}

#[test]
fn doubling_follows_from_what_the_player_itself_expects() {
    let mut scratch = Scratch::default();
    let mut double = |cards: &str, role, thresholds: &DoubleThresholds| {
        let turn = DoubleTurn { role, bid: Some(1), bottom: None, doubled: 0 };
        choose_double(hand(cards), &turn, thresholds, &mut scratch)
    };
    let usual = DoubleThresholds::default();
    let strong = double(STRONG, Role::PeasantAfter, &usual);
    assert!(strong.doubles && strong.outlook.win_probability > 0.6, "{strong:?}");
    let weak = double(WEAK, Role::PeasantAfter, &usual);
    assert!(!weak.doubles && weak.outlook.points < strong.outlook.points, "{weak:?}");
    assert!(double(&format!("{STRONG} 2 A K"), Role::Landlord, &usual).doubles);
    assert!(!double("3 3 4 4 5 5 5 6 6 7 8 8 9 T T J Q Q K 9", Role::Landlord, &usual).doubles);
    let never = DoubleThresholds { peasant: f32::MAX, landlord: f32::MAX };
    assert!(!double(STRONG, Role::PeasantBefore, &never).doubles);
}

/// The bids of the articles, at their edges.
#[test]
fn the_series_bids_by_the_sum_of_values() {
    let of =
        |sum, highest| series_bid(HandValue { sum, rounds: 5 }, &turn(AuctionRules::Points, highest, None));
    let free = [
        (9, Bid::Pass),
        (10, Bid::Points(1)),
        (14, Bid::Points(1)),
        (15, Bid::Points(2)),
        (19, Bid::Points(2)),
    ];
    for (sum, expected) in free {
        assert_eq!(of(sum, 0), expected, "{sum}");
    }
    assert_eq!((of(20, 0), of(43, 2)), (Bid::Points(3), Bid::Points(3)));
    assert_eq!((of(14, 1), of(19, 2), of(43, 3)), (Bid::Pass, Bid::Pass, Bid::Pass), "never below the table");
}
