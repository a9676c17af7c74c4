//! The end of a server, of a connection, and clients that make neither easy.

use std::time::Duration;

use bytes::Bytes;
use doudizhu::game::Situation;
use doudizhu::groups::Play;
use doudizhu::service::ServeError;
use doudizhu::service::proto::SERVICE_NAME;
use doudizhu::strategy::{Cost, Decision, Evaluation, Registry, Strategy, Thinking};
use prost::Message as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::{Server, Troublemaker, decide, framed, lead, settings, soon};

/// Reads until the server closes the connection.
async fn until_closed(stream: &mut TcpStream) {
    let mut buffer = [0; 1024];
    // A reset is an end as well.
    while matches!(soon(stream.read(&mut buffer)).await, Ok(read) if read > 0) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_in_flight_finish_when_the_server_drains() {
    let trouble = Troublemaker::default();
    let mut server = Server::with(&["--drain-limit=1h"], trouble.registry()).await;
    let mut client = server.client().await;
    let call = tokio::spawn(async move { client.decide(Troublemaker::request(Troublemaker::WAIT)).await });
    trouble.until_waiting(1).await;
    server.stop();
    // Without a lame-duck pause the drain begins when readiness ends.
    soon(async {
        while server.get("/readyz").await.0 == 200 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    assert_eq!(server.get("/healthz").await.0, 200);
    trouble.open();
    let response = soon(call).await.expect("no panic").expect("the call is answered").into_inner();
    assert!(response.play.is_some());
    server.ended().await.expect("it drained");
}

/// Calls one after the other on one connection, until it takes no more; how many were answered. A call that
/// the connection took must be answered: one that it did not take never left the client.
async fn call_until_told_to_go_away(server: &Server) -> u64 {
    let mut sender = server.h2().await;
    let body = Bytes::from(framed(&lead("3 4 4 5 6 7 8 9 9 J J J Q K A A 2 X").encode_to_vec()));
    let mut answered = 0;
    loop {
        let Ok(ready) = soon(sender.ready()).await else { return answered };
        sender = ready;
        let Ok((response, mut stream)) = sender.send_request(decide(), false) else { return answered };
        stream.send_data(body.clone(), true).expect("the stream is open");
        let response = match soon(response).await {
            // Told to go away before the call had left: the server never saw it, and says so.
            Err(error) if error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR) => {
                return answered;
            }
            response => response.expect("the call is answered"),
        };
        let mut body = response.into_body();
        while let Some(chunk) = soon(body.data()).await {
            let length = chunk.expect("in full").len();
            body.flow_control().release_capacity(length).expect("released");
        }
        let trailers = soon(body.trailers()).await.expect("to its end").expect("with trailers");
        assert_eq!(trailers["grpc-status"], "0");
        answered += 1;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_call_fails_when_the_server_drains_under_load() {
    let mut server = Server::start(&["--lame-duck=50ms", "--drain-limit=1h"]).await;
    server.stop();
    let callers = (0..8).map(|_| call_until_told_to_go_away(&server));
    let answered = futures_util::future::join_all(callers).await;
    assert!(answered.iter().all(|count| *count > 0), "{answered:?}");
    server.ended().await.expect("it drained");
}

#[tokio::test]
async fn a_client_that_says_nothing_cannot_hold_the_drain() {
    let mut server = Server::start(&["--drain-limit=1h", "--handshake-timeout=1h"]).await;
    let mut silent = TcpStream::connect(server.grpc).await.expect("it listens");
    let mut stammering = TcpStream::connect(server.grpc).await.expect("it listens");
    stammering.write_all(b"PRI * HT").await.expect("it reads");
    server.stop();
    server.ended().await.expect("it drained");
    until_closed(&mut silent).await;
    until_closed(&mut stammering).await;
}

#[tokio::test]
async fn a_client_that_stops_answering_is_dropped_at_the_limit() {
    let mut server = Server::start(&["--drain-limit=100ms"]).await;
    let mut deaf = TcpStream::connect(server.grpc).await.expect("it listens");
    // It says hello and begins a call, and is never heard of again: it acknowledges no goodbye.
    deaf.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.expect("it reads");
    server.until_metric("doudizhu_connections", &[], 1.0).await;
    server.stop();
    server.ended().await.expect("it ended");
    until_closed(&mut deaf).await;
}

#[tokio::test]
async fn an_open_watch_ends_with_the_server() {
    let mut server = Server::start(&["--drain-limit=1h"]).await;
    let request = HealthCheckRequest { service: SERVICE_NAME.to_owned() };
    let mut watch =
        HealthClient::new(server.channel().await).watch(request).await.expect("a watch").into_inner();
    soon(watch.message()).await.expect("a message").expect("a status");
    server.stop();
    let status = soon(async {
        loop {
            match watch.message().await {
                Ok(message) => assert!(message.is_some(), "it ended as if all were well"),
                Err(status) => return status,
            }
        }
    })
    .await;
    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
    server.ended().await.expect("it drained");
}

#[tokio::test]
async fn a_decision_outlives_no_drain_limit() {
    // A call whose request never arrives in full.
    let mut server = Server::start(&["--drain-limit=100ms"]).await;
    let mut sender = server.h2().await.ready().await.expect("ready");
    let (_response, _stream) = sender.send_request(decide(), false).expect("sent");
    server.until_metric("grpc_server_started_total", &["grpc_method=\"Decide\""], 1.0).await;
    server.stop();
    server.ended().await.expect("it ended");
}

#[tokio::test]
async fn clients_that_say_nothing_do_not_keep_others_out() {
    let server = Server::start(&["--handshake-timeout=1h", "--max-connections=8"]).await;
    // More than may be silent at once: the oldest make way, and none takes a place of those who speak.
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(TcpStream::connect(server.grpc).await.expect("it listens"));
    }
    server.assert_well().await;
    until_closed(&mut silent[0]).await;
    assert!(server.metric("doudizhu_handshakes_failed_total", &[]).await >= 1.0);
}

#[tokio::test]
async fn a_client_that_says_nothing_is_dropped_in_time() {
    let server = Server::start(&["--handshake-timeout=20ms"]).await;
    let mut silent = TcpStream::connect(server.grpc).await.expect("it listens");
    until_closed(&mut silent).await;
    server.until_metric("doudizhu_handshakes_failed_total", &[], 1.0).await;
}

#[tokio::test]
async fn a_client_that_speaks_http_1_is_dropped() {
    let server = Server::start(&["--handshake-timeout=1h"]).await;
    let mut stream = TcpStream::connect(server.grpc).await.expect("it listens");
    stream.write_all(b"GET / HTTP/1.1\r\nHost: test\r\n\r\n").await.expect("it reads");
    until_closed(&mut stream).await;
    server.until_metric("doudizhu_handshakes_failed_total", &[], 1.0).await;
    server.assert_well().await;
}

#[tokio::test]
async fn connections_beyond_the_limit_are_closed() {
    let server = Server::start(&["--max-connections=2"]).await;
    let first = server.client().await;
    let second = server.client().await;
    server.until_metric("doudizhu_connections", &[], 2.0).await;
    let mut third = TcpStream::connect(server.grpc).await.expect("it listens");
    third.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.expect("it reads");
    until_closed(&mut third).await;
    assert_eq!(server.metric("doudizhu_connections_refused_total", &[]).await, 1.0);
    for mut client in [first, second] {
        client.decide(lead("3")).await.expect("who is in is served");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn connections_grow_old_without_losing_calls() {
    let server = Server::start(&["--max-connection-age=20ms"]).await;
    for _ in 0..10 {
        assert!(call_until_told_to_go_away(&server).await > 0);
    }
}

#[tokio::test]
async fn dead_peers_are_found_by_pings() {
    let server = Server::start(&["--keepalive-interval=20ms", "--keepalive-timeout=20ms"]).await;
    let mut deaf = TcpStream::connect(server.grpc).await.expect("it listens");
    deaf.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.expect("it reads");
    until_closed(&mut deaf).await;
    server.until_metric("doudizhu_connections", &[], 0.0).await;
}

struct AlwaysPasses;

impl Strategy for AlwaysPasses {
    fn name(&self) -> &'static str {
        "always_passes"
    }

    fn decide(&self, _: &Situation, _: &mut Thinking<'_>) -> Decision {
        Decision { play: Play::Pass, evaluation: Evaluation::default(), cost: Cost::default() }
    }
}

#[tokio::test]
async fn a_server_that_fails_its_self_test_does_not_serve() {
    let mut args = settings(&[]);
    args.strategy = "always_passes".to_owned();
    let sockets = doudizhu::service::Sockets::bind(&args).await.expect("free ports");
    let registry = Registry::new(vec![std::sync::Arc::new(AlwaysPasses)]);
    let outcome = soon(doudizhu::service::serve(sockets, &args, registry, std::future::pending())).await;
    assert!(matches!(outcome, Err(ServeError::SelfTest(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_default_strategy_that_does_not_exist_is_refused_at_start() {
    let mut args = settings(&[]);
    args.strategy = "clairvoyant".to_owned();
    let sockets = doudizhu::service::Sockets::bind(&args).await.expect("free ports");
    let outcome =
        soon(doudizhu::service::serve(sockets, &args, Registry::builtin(), std::future::pending())).await;
    let error = outcome.expect_err("it does not exist").to_string();
    assert_eq!(error, "--strategy: there is no strategy \"clairvoyant\"");
}
