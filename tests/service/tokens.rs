//! Bearer tokens.

use doudizhu::service::proto::SERVICE_NAME;
use tokio_stream::iter;
use tonic::{Code, Request, Status};
use tonic_health::ServingStatus;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

use crate::certificates::{Files, flag};
use crate::harness::{Server, lead, post, soon};
use crate::tls::start;

const FIRST: &str = "Zmlyc3QtdG9rZW4tb2YtMTk=";
const SECOND: &str = "c2Vjb25kLXRva2VuLW9mLTE5";

async fn guarded(files: &Files) -> Server {
    let file = files.write("tokens", &format!("# in use\n{FIRST}\n\n# the next one\n{SECOND}\n"));
    start(&[flag("--auth-tokens-file", &file), "--reload-interval=5ms".to_owned()]).await
}

fn bearing<T>(message: T, authorization: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", authorization.parse().expect("a value"));
    request
}

/// How a call with this header ends.
async fn decide(server: &Server, authorization: &str) -> Result<(), Status> {
    server.client().await.decide(bearing(lead("3 4 5 6 7 9"), authorization)).await.map(drop)
}

async fn assert_refused(server: &Server, authorization: &str) {
    let status = decide(server, authorization).await.expect_err("it must be refused");
    assert_eq!(status.code(), Code::Unauthenticated, "{authorization}");
    assert!(!status.message().contains("dG9rZW4"), "{status:?}");
}

#[tokio::test]
async fn each_token_of_the_file_lets_in_and_nothing_else() {
    let files = Files::empty();
    let server = guarded(&files).await;
    decide(&server, &format!("Bearer {FIRST}")).await.expect("let in");
    decide(&server, &format!("bearer {SECOND}")).await.expect("let in");
    for wrong in
        ["", "Bearer", "Bearer ", FIRST, "Bearer Zmlyc3QtdG9rZW4tb2YtMTk", "Bearer in use", "Basic YTpi"]
    {
        assert_refused(&server, wrong).await;
    }
    let status = server.client().await.decide(lead("3")).await.expect_err("no token");
    assert_eq!(status.code(), Code::Unauthenticated);
}

#[tokio::test]
async fn health_is_open_and_everything_else_is_not() {
    let files = Files::empty();
    let server = guarded(&files).await;
    let channel = server.channel().await;
    let request = || HealthCheckRequest { service: SERVICE_NAME.to_owned() };
    let mut health = HealthClient::new(channel.clone());
    let status = health.check(request()).await.expect("open").into_inner().status;
    assert_eq!(status, ServingStatus::Serving as i32);
    let mut watch = health.watch(request()).await.expect("open").into_inner();
    soon(watch.message()).await.expect("open").expect("a status");

    let mut reflection = ServerReflectionClient::new(channel);
    let ask = || iter([ServerReflectionRequest::default()]);
    let refused = reflection.server_reflection_info(ask()).await.expect_err("closed");
    assert_eq!(refused.code(), Code::Unauthenticated);
    reflection.server_reflection_info(bearing(ask(), &format!("Bearer {FIRST}"))).await.expect("let in");

    // What is no method is closed as well: strangers learn nothing about what there is.
    let mut sender = server.h2().await.ready().await.expect("ready");
    let request = post("/doudizhu.v1.DecisionService/Nothing").body(()).expect("a request");
    let (response, _) = sender.send_request(request, true).expect("sent");
    assert_eq!(response.await.expect("a response").headers()["grpc-status"], "16");
}

#[tokio::test]
async fn a_stranger_takes_no_place_and_is_not_listened_to() {
    let files = Files::empty();
    let server = guarded(&files).await;
    let mut sender = server.h2().await.ready().await.expect("ready");
    let (response, mut stream) = sender.send_request(crate::harness::decide(), false).expect("sent");
    server.until_metric("grpc_server_started_total", &["grpc_method=\"Decide\""], 1.0).await;
    assert_eq!(server.metric("doudizhu_calls_in_flight", &[]).await, 0.0);
    // Bytes that are no request: nobody looks.
    stream.send_data(bytes::Bytes::from_static(b"\xff\xff"), true).expect("sent");
    let response = soon(response).await.expect("an answer");
    assert_eq!(response.headers()["grpc-status"], "16");
    let labels = ["grpc_method=\"Decide\"", "grpc_code=\"Unauthenticated\""];
    server.until_metric("grpc_server_handled_total", &labels, 1.0).await;
}

#[tokio::test]
async fn tokens_change_without_a_restart_and_a_bad_file_changes_nothing() {
    let files = Files::empty();
    let server = guarded(&files).await;
    let (ok, failed) = (["files=\"tokens\"", "outcome=\"ok\""], ["files=\"tokens\"", "outcome=\"failed\""]);
    // One connection all along: a token is looked at with every call.
    let mut client = server.client().await;
    let first = || bearing(lead("3"), &format!("Bearer {FIRST}"));
    client.decide(first()).await.expect("let in");
    files.write("tokens", "short\n");
    server.until_metric("doudizhu_reloads_total", &failed, 1.0).await;
    client.decide(first()).await.expect("the last good tokens are in use");
    files.write("tokens", &format!("{SECOND}\n"));
    server.until_metric("doudizhu_reloads_total", &ok, 1.0).await;
    let status = client.decide(first()).await.expect_err("withdrawn");
    assert_eq!(status.code(), Code::Unauthenticated);
    decide(&server, &format!("Bearer {SECOND}")).await.expect("let in");
}

#[tokio::test]
async fn tokens_are_not_on_the_metrics_page() {
    let files = Files::empty();
    let server = guarded(&files).await;
    decide(&server, &format!("Bearer {FIRST}")).await.expect("let in");
    assert_refused(&server, "Bearer c3RyYW5nZXItdG9rZW4=").await;
    let page = server.get("/metrics").await.1;
    assert!(![FIRST, SECOND, "c3RyYW5nZXItdG9rZW4="].iter().any(|token| page.contains(token)));
}

#[tokio::test]
async fn a_file_without_tokens_is_refused_at_start() {
    let files = Files::empty();
    let file = files.write("tokens", "# nobody\n");
    let said = crate::tls::refusal(&[flag("--auth-tokens-file", &file)]).await;
    assert_eq!(
        said,
        format!(
            "--auth-tokens-file, DOUDIZHU_AUTH_TOKENS_FILE {}: no token: nobody could call",
            file.display()
        )
    );
}
