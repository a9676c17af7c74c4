//! Before play: bidding and doubling.

use doudizhu::service::proto::{
    AuctionRules, Bid, BidRequest, BidThresholds, BidType, Card, DoubleRequest, Role,
};

use crate::harness::{Server, cards, fields};

const STRONG: &str = "D X 2 2 2 A A A K K Q Q J J T T 9";
const WEAK: &str = "3 4 4 5 6 6 7 8 8 9 T T J Q Q K 5";

fn said(kind: BidType, points: u32) -> Bid {
    Bid { r#type: kind as i32, points }
}

fn request(hand: &str, rules: AuctionRules, bids: &[Bid]) -> BidRequest {
    BidRequest {
        hand: cards(hand),
        auction_rules: rules as i32,
        bids: bids.to_vec(),
        ..BidRequest::default()
    }
}

#[tokio::test]
async fn strong_hands_bid_and_weak_ones_pass() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut bid = async |hand, rules, bids: &[Bid]| {
        let response = client.bid(request(hand, rules, bids)).await.expect("an answer").into_inner();
        (response.bid.expect("a bid"), response.outlook.expect("an outlook"))
    };
    let (strong, hopes) = bid(STRONG, AuctionRules::Points, &[]).await;
    let (weak, fears) = bid(WEAK, AuctionRules::Points, &[]).await;
    assert_eq!(strong, said(BidType::Points, 3));
    assert_eq!(weak, said(BidType::Pass, 0));
    assert!(hopes.win_probability > 0.8 && fears.win_probability < 0.3, "{hopes:?} {fears:?}");
    assert!(hopes.expected_points > fears.expected_points);
    assert_eq!(bid(STRONG, AuctionRules::CallAndRob, &[]).await.0, said(BidType::Call, 0));
    let called = [said(BidType::Call, 0)];
    assert_eq!(bid(STRONG, AuctionRules::CallAndRob, &called).await.0, said(BidType::Rob, 0));
    assert_eq!(bid(WEAK, AuctionRules::CallAndRob, &called).await.0, said(BidType::Pass, 0));
}

#[tokio::test]
async fn a_bid_is_never_below_the_one_on_the_table() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let bids = [said(BidType::Pass, 0), said(BidType::Points, 2)];
    let mut eager = request(WEAK, AuctionRules::Points, &bids);
    eager.thresholds = Some(BidThresholds {
        one_point: Some(-1e9),
        two_points: Some(-1e9),
        three_points: Some(1e9),
        ..BidThresholds::default()
    });
    let answer = client.bid(eager.clone()).await.expect("an answer").into_inner();
    assert_eq!(answer.bid, Some(said(BidType::Pass, 0)), "1 and 2 are too low, 3 is too much");
    eager.bids.pop();
    let answer = client.bid(eager).await.expect("an answer").into_inner();
    assert_eq!(answer.bid, Some(said(BidType::Points, 2)));
}

#[tokio::test]
async fn double_looks_at_the_hand_of_the_seat() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut double = async |hand: &str, role: Role, threshold| {
        let request =
            DoubleRequest { hand: cards(hand), role: role as i32, threshold, ..DoubleRequest::default() };
        client.double(request).await.expect("an answer").into_inner()
    };
    assert!(double(STRONG, Role::PeasantAfterLandlord, None).await.doubles);
    assert!(!double(WEAK, Role::PeasantBeforeLandlord, None).await.doubles);
    let landlord = double(&format!("{STRONG} 9 9 8"), Role::Landlord, None).await;
    assert!(landlord.doubles && landlord.outlook.expect("an outlook").win_probability > 0.8);
    assert!(!double(STRONG, Role::PeasantAfterLandlord, Some(1e9)).await.doubles);
    assert!(double(WEAK, Role::PeasantBeforeLandlord, Some(-1e9)).await.doubles);
}

#[tokio::test]
async fn bad_requests_name_their_fields() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let over = [said(BidType::Points, 3)];
    let rob = [said(BidType::Rob, 0)];
    let low = [said(BidType::Points, 2), said(BidType::Points, 1)];
    let points = |spoil: fn(&mut BidRequest)| {
        let mut request = request(STRONG, AuctionRules::Points, &[]);
        spoil(&mut request);
        request
    };
    for (request, field) in [
        (BidRequest::default(), "hand"),
        (request("3 4 5", AuctionRules::Points, &[]), "hand"),
        (points(|request| request.hand[0].rank = 2), "hand[0].rank"),
        (points(|request| request.auction_rules = 3), "auction_rules"),
        (points(|request| request.bids = vec![Bid::default()]), "bids[0].type"),
        (points(|request| request.bids = vec![said(BidType::Points, 0)]), "bids[0].points"),
        (points(|request| request.bids = vec![said(BidType::Points, 300)]), "bids[0].points"),
        (points(|request| request.bids = vec![said(BidType::Pass, 1)]), "bids[0].points"),
        (points(|request| request.bids = vec![Bid { r#type: 9, points: 0 }]), "bids[0].type"),
        (points(|request| request.bids = vec![said(BidType::Call, 0)]), "bids[0]"),
        (points(|request| request.bids = vec![said(BidType::Pass, 0); 3]), "bids"),
        (points(|request| request.bids = vec![said(BidType::Pass, 0); 4]), "bids[3]"),
        (request(STRONG, AuctionRules::Points, &over), "bids"),
        (request(STRONG, AuctionRules::Points, &low), "bids[1]"),
        (request(STRONG, AuctionRules::CallAndRob, &rob), "bids[0]"),
        (
            points(|request| {
                request.thresholds = Some(BidThresholds { call: Some(f32::NAN), ..BidThresholds::default() });
            }),
            "thresholds.call",
        ),
        (points(|request| request.request_id = "x".repeat(129)), "request_id"),
    ] {
        assert_eq!(fields(&client.bid(request.clone()).await.expect_err(field)), [field], "{request:?}");
    }

    let peasant = || DoubleRequest {
        hand: cards(STRONG),
        role: Role::PeasantAfterLandlord as i32,
        ..DoubleRequest::default()
    };
    type Spoil = fn(&mut DoubleRequest);
    let spoils: [(Spoil, &str); 10] = [
        (|request| request.hand.clear(), "hand"),
        (|request| request.hand.truncate(16), "hand"),
        (|request| request.role = 0, "role"),
        (|request| request.role = Role::Landlord as i32, "hand"),
        (|request| request.role = 7, "role"),
        (|request| request.bid = Some(4), "bid"),
        (|request| request.doubled = 3, "doubled"),
        (|request| request.threshold = Some(f32::NAN), "threshold"),
        (|request| request.bottom_cards = vec![Card::default()], "bottom_cards[0].rank"),
        (|request| request.bottom_cards = request.hand[..2].to_vec(), "bottom_cards"),
    ];
    for (spoil, field) in spoils {
        let mut request = peasant();
        spoil(&mut request);
        assert_eq!(fields(&client.double(request.clone()).await.expect_err(field)), [field], "{request:?}");
    }
}
