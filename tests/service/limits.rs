//! Too many calls, too little time, and strategies that panic.

use std::time::Duration;

use bytes::Bytes;
use prost::Message as _;
use tokio::net::TcpStream;
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

/// Decisions that take no time count as well: what arrives together is in flight together. Server and client take turns
/// on one thread here, so that it does arrive together.
#[tokio::test]
async fn calls_that_arrive_together_are_shed_beyond_the_limit() {
    let server = Server::start(&["--max-calls=2"]).await;
    let mut sender = server.h2().await;
    let body = Bytes::from(framed(&lead("3 4 5 6 7 9").encode_to_vec()));
    let mut answers = Vec::new();
    for _ in 0..5 {
        sender = sender.ready().await.expect("ready");
        let (response, mut stream) = sender.send_request(decide(), false).expect("sent");
        stream.send_data(body.clone(), true).expect("sent");
        answers.push(response);
    }
    let mut shed = 0;
    for answer in answers {
        let response = soon(answer).await.expect("a response");
        match response.headers().get("grpc-status").map(|code| code.as_bytes()) {
            None => {}
            Some(b"8") => shed += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(shed, 3);
    assert_eq!(server.metric("doudizhu_calls_shed_total", &[]).await, 3.0);
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

/// Starts a server with two places for calls, has `clog` do its worst from another connection, and sees that a
/// caller is served as ever.
async fn cannot_be_clogged<F: Future>(clog: impl FnOnce(std::net::SocketAddr) -> F) {
    let server = Server::start(&["--max-calls=2"]).await;
    let _clogging = clog(server.grpc).await;
    server.until_metric("grpc_server_started_total", &["grpc_method=\"Decide\""], 20.0).await;
    for _ in 0..10 {
        server.client().await.decide(lead("3 4 5 6 7 9")).await.expect("an answer");
    }
    assert_eq!(server.metric("doudizhu_calls_shed_total", &[]).await, 0.0);
    assert_eq!(server.metric("doudizhu_calls_in_flight", &[]).await, 0.0);
}

#[tokio::test]
async fn calls_whose_requests_never_arrive_hold_no_place() {
    cannot_be_clogged(async |address| {
        let stream = TcpStream::connect(address).await.expect("it listens");
        let (mut sender, connection) = h2::client::handshake(stream).await.expect("it speaks HTTP/2");
        tokio::spawn(connection);
        let mut calls: Vec<(h2::client::ResponseFuture, h2::SendStream<Bytes>)> = Vec::new();
        for _ in 0..20 {
            sender = sender.ready().await.expect("ready");
            calls.push(sender.send_request(decide(), false).expect("sent"));
        }
        (sender, calls)
    })
    .await;
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answers_holds_no_place() {
    cannot_be_clogged(async |address| {
        let stream = TcpStream::connect(address).await.expect("it listens");
        let mut builder = h2::client::Builder::new();
        let (mut sender, connection) =
            builder.initial_window_size(0).handshake(stream).await.expect("it speaks HTTP/2");
        tokio::spawn(connection);
        let body = Bytes::from(framed(&lead("3 4 5 6 7 9").encode_to_vec()));
        let mut answers = Vec::new();
        for _ in 0..20 {
            sender = sender.ready().await.expect("ready");
            let (response, mut stream) = sender.send_request(decide(), false).expect("sent");
            stream.send_data(body.clone(), true).expect("sent");
            answers.push(response.await.expect("headers need no window"));
        }
        (sender, answers)
    })
    .await;
}

/// Calls that are turned away, and calls that are taken back all at once, cost their connection nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_connection_outlives_any_number_of_refused_and_cancelled_calls() {
    let trouble = Troublemaker::default();
    let server = Server::with(&["--max-calls=1"], trouble.registry()).await;
    let mut busy = server.client().await;
    let waiting = tokio::spawn(async move { busy.decide(Troublemaker::request(Troublemaker::WAIT)).await });
    trouble.until_waiting(1).await;
    let client = server.client().await;
    for _ in 0..100 {
        let calls = (0..20).map(|_| {
            let mut client = client.clone();
            async move { client.decide(lead("3 4 5 6 7 9")).await }
        });
        for answer in soon(futures_util::future::join_all(calls)).await {
            assert_eq!(answer.expect_err("no room").code(), Code::ResourceExhausted);
        }
    }
    trouble.open();
    soon(waiting).await.expect("no panic").expect("an answer");

    let mut sender = server.h2().await;
    let mut calls = Vec::new();
    for _ in 0..60 {
        sender = sender.ready().await.expect("ready");
        calls.push(sender.send_request(decide(), false).expect("sent"));
    }
    for (_, stream) in &mut calls {
        stream.send_reset(h2::Reason::CANCEL);
    }
    drop(calls);
    let labels = ["grpc_method=\"Decide\"", "grpc_code=\"Canceled\""];
    sender = sender.ready().await.expect("the connection lives");
    let (response, mut stream) = sender.send_request(decide(), false).expect("sent");
    stream.send_data(Bytes::from(framed(&lead("3").encode_to_vec())), true).expect("sent");
    soon(response).await.expect("an answer");
    assert!(server.metric("grpc_server_handled_total", &labels).await <= 60.0);
}
