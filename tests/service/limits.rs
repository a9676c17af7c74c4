//! Too many calls, too little time, and strategies that panic.

use std::time::Duration;

use prost::Message as _;
use tonic::{Code, Request};
use tonic_types::StatusExt as _;

use crate::harness::{Server, Troublemaker, decide, framed, lead, soon};
use crate::health::check;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_beyond_the_limit_are_shed_and_probes_are_not() {
    let trouble = Troublemaker::default();
    let server = Server::with(&["--max-calls=1"], trouble.registry()).await;
    let mut client = server.client().await;
    let mut other = client.clone();
    let call = tokio::spawn(async move { other.decide(Troublemaker::request(Troublemaker::WAIT)).await });
    trouble.until_waiting(1).await;
    for _ in 0..3 {
        let status = client.decide(lead("3")).await.expect_err("the server is full");
        assert_eq!(status.code(), Code::ResourceExhausted);
        let retry = status.get_details_retry_info().and_then(|info| info.retry_delay);
        assert_eq!(retry, Some(Duration::from_millis(100)));
    }
    let channel = server.channel().await;
    check(&channel, "").await.expect("probes are answered");
    assert_eq!(server.metric("doudizhu_calls_shed_total", &[]).await, 3.0);
    assert_eq!(server.metric("doudizhu_calls_in_flight", &[]).await, 1.0);
    trouble.open();
    soon(call).await.expect("no panic").expect("the call in flight is answered");
    server.until_metric("doudizhu_calls_in_flight", &[], 0.0).await;
    client.decide(lead("3")).await.expect("there is room again");
}

#[tokio::test]
async fn a_panic_costs_one_call() {
    let trouble = Troublemaker::default();
    let server = Server::with(&[], trouble.registry()).await;
    let mut client = server.client().await;
    for count in 1..=3 {
        let status = client.decide(Troublemaker::request(Troublemaker::PANIC)).await.expect_err("it panics");
        assert_eq!(status.code(), Code::Internal);
        assert!(!status.message().contains("seed"), "what it said is for the log: {}", status.message());
        assert_eq!(server.metric("doudizhu_panics_total", &[]).await, f64::from(count));
        // On the same connection.
        client.decide(Troublemaker::request(0)).await.expect("other calls are answered");
    }
    assert_eq!(server.metric("doudizhu_connections", &[]).await, 1.0);
}

#[tokio::test]
async fn an_expired_deadline_gets_no_answer() {
    let server = Server::start(&[]).await;
    // Raw, since tonic's client would not wait for the answer.
    let mut request = decide();
    request.headers_mut().insert("grpc-timeout", "0n".parse().expect("a header"));
    let mut sender = server.h2().await.ready().await.expect("ready");
    let (response, mut stream) = sender.send_request(request, false).expect("sent");
    stream.send_data(framed(&lead("3").encode_to_vec()).into(), true).expect("sent");
    let response = soon(response).await.expect("a response");
    assert_eq!(response.headers().get("grpc-status").map(|code| code.as_bytes()), Some(&b"4"[..]));
    let labels = ["grpc_method=\"Decide\"", "grpc_code=\"DeadlineExceeded\""];
    server.until_metric("grpc_server_handled_total", &labels, 1.0).await;
    let mut request = Request::new(lead("3"));
    request.set_timeout(Duration::from_secs(3600));
    server.client().await.decide(request).await.expect("an hour is enough");
}

#[tokio::test]
async fn a_request_that_does_not_arrive_is_given_up() {
    let server = Server::start(&["--call-timeout=20ms"]).await;
    let mut sender = server.h2().await.ready().await.expect("ready");
    let (response, _stream) = sender.send_request(decide(), false).expect("sent");
    let response = soon(response).await.expect("a response");
    assert_eq!(response.headers().get("grpc-status").map(|code| code.as_bytes()), Some(&b"4"[..]));
    server.assert_well().await;
}

#[tokio::test]
async fn a_time_budget_of_nothing_still_gets_an_answer() {
    let server = Server::start(&[]).await;
    let mut request = lead("3 3 4");
    request.time_budget = Some(prost_types::Duration::default());
    let response = server.client().await.decide(request).await.expect("an answer").into_inner();
    assert!(response.play.is_some());
}
