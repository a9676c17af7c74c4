//! TLS and mutual TLS on the gRPC port.

use std::fs;
use std::path::Path;
use std::process::Command;

use doudizhu::service::proto::decision_service_client::DecisionServiceClient;
use doudizhu::service::{ServeError, Sockets, serve};
use doudizhu::strategy::Registry;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::spawn_blocking;
use tonic::transport::{Channel, ClientTlsConfig, Identity};

use crate::certificates::{Authority, Files, flag};
use crate::harness::{Server, lead, settings, soon};

pub(crate) async fn start(flags: &[String]) -> Server {
    Server::start(&flags.iter().map(String::as_str).collect::<Vec<_>>()).await
}

async fn assert_served(channel: Channel) {
    let response = DecisionServiceClient::new(channel).decide(lead("3 4 5 6 7 9")).await.expect("an answer");
    assert!(response.into_inner().play.is_some());
}

/// The connection fails, or the first call on it: with TLS 1.3 a client learns late that it was refused.
async fn assert_refused(server: &Server, tls: ClientTlsConfig) {
    if let Ok(channel) = soon(server.tls_channel(tls)).await {
        let answer = soon(DecisionServiceClient::new(channel).decide(lead("3"))).await;
        answer.expect_err("it must not be served");
    }
}

#[tokio::test]
async fn who_trusts_the_authority_is_served_over_tls() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let files = Files::of(&authority);
    let server = start(&files.flags()).await;
    assert_served(server.tls_channel(authority.trusted()).await.expect("connected")).await;
    assert!(soon(server.tls_channel(stranger.trusted())).await.is_err(), "a server of an unknown authority");
    server.until_metric("doudizhu_handshakes_failed_total", &[], 1.0).await;
}

#[tokio::test]
async fn plaintext_is_refused_where_tls_is_on() {
    let authority = Authority::new();
    let server = start(&Files::of(&authority).flags()).await;
    let mut stream = TcpStream::connect(server.grpc).await.expect("it listens");
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.expect("it reads");
    let mut answer = Vec::new();
    // An alert and the end, or a reset.
    let _ = soon(stream.read_to_end(&mut answer)).await;
    assert!(answer.len() < 16, "{answer:?}");
    server.until_metric("doudizhu_handshakes_failed_total", &[], 1.0).await;
    assert_served(server.tls_channel(authority.trusted()).await.expect("connected")).await;
}

#[tokio::test]
async fn clients_show_a_certificate_where_an_authority_of_clients_is_set() {
    let (authority, clients, stranger) = (Authority::new(), Authority::new(), Authority::new());
    let files = Files::of(&authority);
    let client_ca = files.write("clients.pem", &clients.pem());
    let server = start(&[files.flags(), vec![flag("--tls-client-ca", &client_ca)]].concat()).await;
    let with = |(certificate, key): (String, String)| {
        authority.trusted().identity(Identity::from_pem(certificate, key))
    };
    assert_served(server.tls_channel(with(clients.sign())).await.expect("connected")).await;
    assert_refused(&server, authority.trusted()).await;
    assert_refused(&server, with(stranger.sign())).await;
    assert_refused(&server, with(authority.sign())).await;
    assert_eq!(server.metric("grpc_server_started_total", &["grpc_method=\"Decide\""]).await, 1.0);
}

#[tokio::test]
async fn a_client_that_does_not_finish_the_tls_handshake_is_dropped_in_time() {
    let files = Files::of(&Authority::new());
    let server = start(&[files.flags(), vec!["--handshake-timeout=20ms".to_owned()]].concat()).await;
    let mut silent = TcpStream::connect(server.grpc).await.expect("it listens");
    // The head of a client's first record, and no more.
    silent.write_all(&[0x16, 0x03, 0x01, 0x02, 0x00]).await.expect("it reads");
    let _ = soon(silent.read_to_end(&mut Vec::new())).await;
    server.until_metric("doudizhu_handshakes_failed_total", &[], 1.0).await;
}

#[tokio::test]
async fn a_new_certificate_is_used_without_a_restart_and_a_bad_one_is_not() {
    let (old, new) = (Authority::new(), Authority::new());
    let files = Files::of(&old);
    let server = start(&files.flags()).await;
    let before = server.tls_channel(old.trusted()).await.expect("connected");
    let reloads = "doudizhu_reloads_total";
    let (ok, failed) = (["files=\"tls\"", "outcome=\"ok\""], ["files=\"tls\"", "outcome=\"failed\""]);

    files.write("cert.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    server.until_metric(reloads, &failed, 1.0).await;
    assert_served(server.tls_channel(old.trusted()).await.expect("the old one is in use")).await;
    fs::remove_file(files.path("cert.pem")).expect("it is there");
    server.until_metric(reloads, &failed, 2.0).await;
    assert_served(server.tls_channel(old.trusted()).await.expect("the old one is in use")).await;

    files.install(&new.sign());
    server.until_metric(reloads, &ok, 1.0).await;
    assert_served(server.tls_channel(new.trusted()).await.expect("the new one is in use")).await;
    assert!(soon(server.tls_channel(old.trusted())).await.is_err(), "the old one is still in use");
    // Connections that are open stay so.
    assert_served(before).await;
}

/// What a server with these settings says instead of serving.
pub(crate) async fn refusal(flags: &[String]) -> String {
    let args = settings(&flags.iter().map(String::as_str).collect::<Vec<_>>());
    let sockets = Sockets::bind(&args).await.expect("free ports");
    let outcome = soon(serve(sockets, &args, Registry::builtin(), std::future::pending())).await;
    let error = outcome.expect_err("it must not serve");
    assert!(matches!(error, ServeError::File(_)), "{error:?}");
    error.to_string()
}

#[tokio::test]
async fn bad_files_are_refused_at_start_by_the_name_of_their_setting() {
    let authority = Authority::new();
    let files = Files::of(&authority);
    let (other_cert, other_key) = authority.sign();
    let empty = files.write("empty.pem", "");
    let other_key = files.write("other.pem", &other_key);
    let garbage =
        files.write("garbage.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    let missing = files.path("missing.pem");
    let (cert, key) = (files.path("cert.pem"), files.path("key.pem"));
    let pair = |cert: &Path, key: &Path| vec![flag("--tls-cert", cert), flag("--tls-key", key)];
    for (flags, setting, file) in [
        (pair(&missing, &key), "--tls-cert, DOUDIZHU_TLS_CERT", &missing),
        (pair(&empty, &key), "--tls-cert, DOUDIZHU_TLS_CERT", &empty),
        (pair(&cert, &missing), "--tls-key, DOUDIZHU_TLS_KEY", &missing),
        (pair(&cert, &empty), "--tls-key, DOUDIZHU_TLS_KEY", &empty),
        (pair(&cert, &cert), "--tls-key, DOUDIZHU_TLS_KEY", &cert),
        (pair(&cert, &other_key), "--tls-key, DOUDIZHU_TLS_KEY", &other_key),
        (
            [pair(&cert, &key), vec![flag("--tls-client-ca", &garbage)]].concat(),
            "--tls-client-ca, DOUDIZHU_TLS_CLIENT_CA",
            &garbage,
        ),
        (
            [pair(&cert, &key), vec![flag("--tls-client-ca", &empty)]].concat(),
            "--tls-client-ca, DOUDIZHU_TLS_CLIENT_CA",
            &empty,
        ),
    ] {
        let said = refusal(&flags).await;
        assert!(said.starts_with(&format!("{setting} {}: ", file.display())), "{said}");
        assert!(!said.contains(&other_cert) && !said.contains("PRIVATE KEY"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_asks_over_tls_with_certificate_and_token() {
    let (authority, clients) = (Authority::new(), Authority::new());
    let files = Files::of(&authority);
    let tokens = files.write("tokens", "dG9rZW4tb2YtdGhlLWNsaQ==\n");
    let client_ca = files.write("clients.pem", &clients.pem());
    let guards = vec![flag("--tls-client-ca", &client_ca), flag("--auth-tokens-file", &tokens)];
    let server = start(&[files.flags(), guards].concat()).await;
    let (certificate, key) = clients.sign();
    let trust = [
        flag("--tls-ca", &files.write("ca.pem", &authority.pem())),
        flag("--tls-cert", &files.write("client.pem", &certificate)),
        flag("--tls-key", &files.write("client.key", &key)),
        flag("--token-file", &tokens),
    ];
    let addr = format!("--addr=https://localhost:{}", server.grpc.port());
    let run = async |args: &[&str], trust: &[String]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_doudizhu"));
        command.args(args).arg(&addr).args(trust);
        let output =
            soon(spawn_blocking(move || command.output())).await.expect("no panic").expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.success(), text(output.stdout), text(output.stderr))
    };
    let (success, printed, said) = run(&["decide", "--hand=3 4 5 6 7", "--timeout=30s"], &trust).await;
    assert!(success && printed.contains("straight"), "{printed}{said}");
    let (success, printed, said) = run(&["health", "--timeout=30s"], &trust[..3]).await;
    assert!(success && printed == "SERVING\n", "{said}");
    let (success, _, said) = run(&["decide", "--hand=3"], &trust[..3]).await;
    assert!(!success && said.contains("Unauthenticated"), "{said}");
    let (success, _, said) = run(&["decide", "--hand=3"], &[]).await;
    assert!(!success && said.contains("an https address needs --tls-ca"), "{said}");
}
