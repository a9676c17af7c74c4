//! Plays one turn of Dou Dizhu: asks what to play, what else could be played (the hint button), and whether a play
//! is legal.
//!
//! ```text
//! cargo run [HOST:PORT]
//! ```

use std::error::Error;
use std::time::Duration;

use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Response, Status};

use pb::decision_service_client::DecisionServiceClient;
use pb::{Card, ClassifyPlayRequest, DecideRequest, Group, RankPlaysRequest, Role, Situation};

mod pb {
    tonic::include_proto!("doudizhu.v1");
}

const RANKS: [&str; 15] = ["3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "SJ", "BJ"];
const SUITS: [&str; 5] = ["", "c", "d", "s", "h"];

/// Of one attempt.
const DEADLINE: Duration = Duration::from_secs(3);

/// Attempts in all. Every call is safe to retry.
const ATTEMPTS: u32 = 4;

/// Before the second attempt; twice as long before each further one.
const BACKOFF: Duration = Duration::from_millis(50);

/// A channel that spreads calls over the addresses that `target` has now. tonic reads no service config: balancing,
/// deadline and retries are spelled out here.
async fn connect(target: &str) -> Result<Channel, Box<dyn Error>> {
    let mut endpoints = Vec::new();
    for address in tokio::net::lookup_host(target).await? {
        let endpoint = Endpoint::from_shared(format!("http://{address}"))?;
        endpoints.push(endpoint.timeout(DEADLINE).connect_timeout(DEADLINE));
    }
    Ok(Channel::balance_list(endpoints.into_iter()))
}

/// Calls until there is an answer, or an error that another attempt would not mend, or no attempt left.
async fn call<Q: Clone, A>(
    request: Q,
    mut method: impl AsyncFnMut(Request<Q>) -> Result<Response<A>, Status>,
) -> Result<A, Status> {
    let mut backoff = BACKOFF;
    for _ in 1..ATTEMPTS {
        match method(Request::new(request.clone())).await {
            Err(status) if matches!(status.code(), Code::Unavailable | Code::ResourceExhausted) => {
                tokio::time::sleep(backoff).await;
                backoff *= 2;
            }
            outcome => return outcome.map(Response::into_inner),
        }
    }
    method(Request::new(request)).await.map(Response::into_inner)
}

/// Cards from text such as "9s 9h".
fn cards(text: &str) -> Vec<Card> {
    let card = |word: &str| Card { rank: 3 + number(&RANKS, &word[..1]), suit: number(&SUITS, &word[1..]) };
    text.split(' ').map(card).collect()
}

fn number(names: &[&str], name: &str) -> i32 {
    names.iter().position(|each| *each == name).expect("a known name") as i32
}

fn show(group: &Group) -> String {
    let mut text = group.r#type().as_str_name().replace("GROUP_TYPE_", "");
    for card in &group.cards {
        text += &format!(" {}{}", RANKS[card.rank as usize - 3], SUITS[card.suit as usize]);
    }
    text
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let target = std::env::args().nth(1).unwrap_or("localhost:50051".to_owned());
    let mut service = DecisionServiceClient::new(connect(&target).await?);

    // The landlord has played a pair of eights; the peasant after the landlord is to move.
    let situation = Situation {
        hand: cards("3c 4d 5s 6h 7c 9s 9h Jd Ks Kh As 2c"),
        role: Role::PeasantAfterLandlord.into(),
        to_beat: cards("8c 8d"),
        last_player: Role::Landlord.into(),
        ..Default::default()
    };
    let turn = DecideRequest {
        request_id: "turn-1".to_owned(),
        situation: Some(situation.clone()),
        ..Default::default()
    };
    let answer = call(turn, async |request| service.decide(request).await).await?;
    println!("play: {}", show(&answer.play.unwrap_or_default()));
    println!("strategy: {}", answer.strategy);

    // A hint for a human: the best plays, to be shown one after the other.
    let wanted = RankPlaysRequest { situation: Some(situation), limit: 3, ..Default::default() };
    let hint = call(wanted, async |request| service.rank_plays(request).await).await?;
    println!("legal plays: {}", hint.legal_plays);
    for ranked in hint.plays {
        println!("  {}", show(&ranked.play.unwrap_or_default()));
    }

    // Checks what a human wants to put on the table.
    let wanted = ClassifyPlayRequest { cards: cards("9s 9h"), to_beat: cards("8c 8d"), ..Default::default() };
    let check = call(wanted, async |request| service.classify_play(request).await).await?;
    let verdict = if check.beats() { "beats" } else { "does not beat" };
    println!("check: {} {verdict}", show(&check.group.unwrap_or_default()));
    Ok(())
}
