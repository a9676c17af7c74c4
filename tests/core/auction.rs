//! The auction and doubling.

use doudizhu::game::{
    Auction, AuctionRules, AuctionState, Bid, Dice, Doubling, DoublingRules, PerRole, Role, Shuffle, deal,
};

fn auction(rules: AuctionRules, bids: &[Bid]) -> Auction {
    let mut auction = Auction::new(rules);
    for bid in bids {
        auction.bid(*bid).unwrap();
    }
    auction
}

const P: Bid = Bid::Pass;
const ONE: Bid = Bid::Points(1);
const TWO: Bid = Bid::Points(2);
const THREE: Bid = Bid::Points(3);

#[test]
fn the_highest_bid_of_one_round_wins() {
    let state = |bids: &[Bid]| auction(AuctionRules::Points, bids).state();
    assert_eq!(state(&[]), AuctionState::Turn(0));
    assert_eq!(state(&[ONE, P]), AuctionState::Turn(2));
    assert_eq!(state(&[ONE, P, TWO]), AuctionState::Landlord { seat: 2, stake: 2 });
    assert_eq!(state(&[P, ONE, P]), AuctionState::Landlord { seat: 1, stake: 1 });
    assert_eq!(state(&[P, P, P]), AuctionState::AllPassed);
    assert_eq!(state(&[P, THREE]), AuctionState::Landlord { seat: 1, stake: 3 }, "three ends it");
}

#[test]
fn a_bid_must_exceed_the_one_before() {
    let mut open = auction(AuctionRules::Points, &[TWO]);
    assert_eq!(open.legal_bids().collect::<Vec<_>>(), [P, THREE]);
    for bid in [ONE, TWO, Bid::Points(0), Bid::Points(4), Bid::Call, Bid::Rob] {
        assert!(open.bid(bid).is_err(), "{bid:?}");
    }
    assert_eq!(open.bids(), [TWO], "a refused bid changes nothing");
    let mut over = auction(AuctionRules::Points, &[THREE]);
    assert!(over.bid(P).is_err());
    assert_eq!(over.legal_bids().count(), 0);
}

#[test]
fn the_caller_may_rob_back_once() {
    const CALL: Bid = Bid::Call;
    const ROB: Bid = Bid::Rob;
    let state = |bids: &[Bid]| auction(AuctionRules::CallAndRob, bids).state();
    let landlord = |seat, stake| AuctionState::Landlord { seat, stake };
    assert_eq!(state(&[CALL, P, P]), landlord(0, 1));
    assert_eq!(state(&[P, P, CALL]), landlord(2, 1), "those who passed have had their say");
    assert_eq!(state(&[P, P, P]), AuctionState::AllPassed);
    assert_eq!(state(&[P, CALL, ROB]), AuctionState::Turn(1));
    assert_eq!(state(&[P, CALL, ROB, P]), landlord(2, 2));
    assert_eq!(state(&[P, CALL, ROB, ROB]), landlord(1, 4));
    assert_eq!(state(&[CALL, ROB, P, P]), landlord(1, 2));
    assert_eq!(state(&[CALL, ROB, ROB, P]), landlord(2, 4));
    assert_eq!(state(&[CALL, ROB, ROB, ROB]), landlord(0, 8));
}

#[test]
fn one_calls_first_and_robs_later() {
    let first = auction(AuctionRules::CallAndRob, &[]);
    assert_eq!(first.legal_bids().collect::<Vec<_>>(), [P, Bid::Call]);
    let second = auction(AuctionRules::CallAndRob, &[Bid::Call]);
    assert_eq!(second.legal_bids().collect::<Vec<_>>(), [P, Bid::Rob]);
    assert!(!second.allows(ONE));
}

#[test]
fn the_landlord_redoubles_those_who_doubled() {
    let mut doubling = Doubling::new(DoublingRules::Redouble);
    assert_eq!(doubling.turn(), Some(Role::PeasantAfter));
    doubling.decide(false).unwrap();
    assert_eq!(doubling.turn(), Some(Role::PeasantBefore));
    doubling.decide(true).unwrap();
    assert_eq!(doubling.turn(), Some(Role::Landlord));
    doubling.decide(true).unwrap();
    assert_eq!(doubling.turn(), None);
    assert!(doubling.decide(true).is_err());
    assert_eq!(doubling.stakes(3).doubled, PerRole([1, 1, 4]));
    assert_eq!(doubling.stakes(3).bid, 3);
}

#[test]
fn without_a_doubling_there_is_nothing_to_redouble() {
    let mut doubling = Doubling::new(DoublingRules::Redouble);
    doubling.decide(false).unwrap();
    doubling.decide(false).unwrap();
    assert_eq!(doubling.turn(), None);
    assert_eq!(doubling.stakes(1).doubled, PerRole([1, 1, 1]));
    assert_eq!(Doubling::new(DoublingRules::None).turn(), None);
}

#[test]
fn where_everyone_may_double_the_landlord_doubles_against_both() {
    let mut doubling = Doubling::new(DoublingRules::Everyone);
    for doubles in [true, false, true] {
        doubling.decide(doubles).unwrap();
    }
    assert_eq!(doubling.stakes(2).doubled, PerRole([1, 4, 2]));
}

#[test]
fn the_landlords_seat_decides_who_is_who() {
    let shuffle = Shuffle::new(&mut Dice::new(5));
    let all = shuffle.seats.iter().fold(shuffle.bottom, |cards, hand| cards + *hand);
    assert_eq!(all.len(), 54);
    for seat in 0..3 {
        let deal = shuffle.deal(seat);
        assert_eq!(deal.hands[Role::Landlord], shuffle.seats[seat] + shuffle.bottom);
        assert_eq!(deal.hands[Role::PeasantAfter], shuffle.seats[(seat + 1) % 3]);
        assert_eq!(deal.hands[Role::PeasantBefore], shuffle.seats[(seat + 2) % 3]);
        assert_eq!(deal.bottom, shuffle.bottom);
        assert_eq!(
            Shuffle::role(3 - 1, seat),
            [Role::PeasantBefore, Role::PeasantAfter, Role::Landlord][seat]
        );
    }
    assert_eq!(shuffle.deal(0), deal(&mut Dice::new(5)));
}
