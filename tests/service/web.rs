//! gRPC-Web, as browsers speak it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doudizhu::service::proto::DecideResponse;
use prost::Message as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::certificates::{Files, flag};
use crate::harness::{Server, framed, lead, soon, text};
use crate::tls::start;

const PATH: &str = "/doudizhu.v1.DecisionService/Decide";
const PAGE: &str = "https://play.example.com";

/// Head, in lower case, and body of the answer to one HTTP/1.1 request.
async fn exchange(server: &Server, method: &str, headers: &[(&str, &str)], body: &[u8]) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(server.grpc).await.expect("it listens");
    let mut request = format!("{method} {PATH} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += &format!("content-length: {}\r\n\r\n", body.len());
    stream.write_all(request.as_bytes()).await.expect("it reads");
    stream.write_all(body).await.expect("it reads");
    let mut answer = Vec::new();
    soon(stream.read_to_end(&mut answer)).await.expect("it answers");
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text").to_lowercase();
    let body = &answer[end + 4..];
    let body = if head.contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_vec() };
    (head, body)
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|bytes| bytes == b"\r\n").expect("a chunk's length");
        let length = std::str::from_utf8(&rest[..end]).expect("text");
        let length = usize::from_str_radix(length, 16).expect("a number");
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 2 + length + 2..];
    }
}

/// Message and trailers of an answer's body.
fn message_and_trailers(body: &[u8]) -> (DecideResponse, String) {
    let frame = |at: usize| {
        let length = u32::from_be_bytes(body[at + 1..at + 5].try_into().expect("four bytes")) as usize;
        (body[at], &body[at + 5..at + 5 + length])
    };
    let (kind, message) = frame(0);
    assert_eq!(kind, 0);
    let (kind, trailers) = frame(5 + message.len());
    assert_eq!(kind, 0x80);
    assert_eq!(body.len(), 10 + message.len() + trailers.len());
    let message = DecideResponse::decode(message).expect("a response");
    (message, String::from_utf8(trailers.to_vec()).expect("text"))
}

fn request() -> Vec<u8> {
    framed(&lead("3 4 5 6 7 9").encode_to_vec())
}

fn assert_answered(body: &[u8]) {
    let (response, trailers) = message_and_trailers(body);
    assert_eq!(text(&response.play.expect("a play").cards), "3 4 5 6 7");
    assert!(trailers.split("\r\n").any(|line| line.replace(' ', "") == "grpc-status:0"), "{trailers:?}");
}

#[tokio::test]
async fn a_page_calls_with_bytes_over_http_1() {
    let server = Server::start(&["--grpc-web=true"]).await;
    for content_type in ["application/grpc-web", "application/grpc-web+proto"] {
        let (head, body) = exchange(&server, "POST", &[("content-type", content_type)], &request()).await;
        assert!(head.starts_with("http/1.1 200 "), "{head}");
        assert!(head.contains("content-type: application/grpc-web"), "{head}");
        assert_answered(&body);
    }
    let labels = ["grpc_method=\"Decide\"", "grpc_code=\"OK\""];
    server.until_metric("grpc_server_handled_total", &labels, 2.0).await;
}

#[tokio::test]
async fn a_page_calls_with_base64_over_http_1() {
    let server = Server::start(&["--grpc-web=true"]).await;
    let text = "application/grpc-web-text";
    let body = STANDARD.encode(request());
    let (head, body) =
        exchange(&server, "POST", &[("content-type", text), ("accept", text)], body.as_bytes()).await;
    assert!(head.starts_with("http/1.1 200 ") && head.contains(&format!("content-type: {text}")), "{head}");
    // Each part is padded by itself.
    let bytes = body.chunks(4).flat_map(|quad| STANDARD.decode(quad).expect("Base64")).collect::<Vec<u8>>();
    assert_answered(&bytes);
}

#[tokio::test]
async fn grpc_goes_on_beside_it() {
    let server = Server::start(&["--grpc-web=true"]).await;
    server.assert_well().await;
    let (head, _) = exchange(&server, "POST", &[("content-type", "application/grpc")], &request()).await;
    assert!(head.starts_with("http/1.1 400 "), "gRPC itself needs HTTP/2: {head}");
    let (head, _) = exchange(&server, "GET", &[], b"").await;
    assert!(head.starts_with("http/1.1 400 "), "{head}");
    let mut garbage = TcpStream::connect(server.grpc).await.expect("it listens");
    garbage.write_all(&[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, b'\n', b'\n']).await.expect("it reads");
    let _ = soon(garbage.read_to_end(&mut Vec::new())).await;
    server.assert_well().await;
}

#[tokio::test]
async fn limits_and_tokens_hold_for_pages() {
    let files = Files::empty();
    let tokens = files.write("tokens", "dG9rZW4tb2YtYS1wYWdl\n");
    let server = start(&["--grpc-web=true".to_owned(), flag("--auth-tokens-file", &tokens)]).await;
    let web = ("content-type", "application/grpc-web+proto");
    let (head, body) = exchange(&server, "POST", &[web], &request()).await;
    assert!(head.starts_with("http/1.1 200 ") && head.contains("grpc-status: 16"), "{head}");
    assert!(body.is_empty());
    let token = ("authorization", "Bearer dG9rZW4tb2YtYS1wYWdl");
    assert_answered(&exchange(&server, "POST", &[web, token], &request()).await.1);
    // What it announces is enough to refuse it.
    let long = framed(&[0; 70_000])[..5].to_vec();
    let (head, _) = exchange(&server, "POST", &[web, token], &long).await;
    assert!(head.contains("grpc-status: 11"), "{head}");
    let (head, _) = exchange(&server, "POST", &[web, token, ("grpc-timeout", "soon")], &request()).await;
    assert!(head.contains("grpc-status: 3"), "{head}");
}

/// What the server tells a browser before a page of `origin` may call.
async fn preflight(server: &Server, origin: &str) -> String {
    let asked = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,x-grpc-web"),
    ];
    exchange(server, "OPTIONS", &asked, b"").await.0
}

#[tokio::test]
async fn pages_of_listed_origins_may_call_and_no_others() {
    let server =
        Server::start(&["--grpc-web=true", &format!("--cors-origin=http://localhost:8080,{PAGE}")]).await;
    for origin in [PAGE, "http://localhost:8080"] {
        let head = preflight(&server, origin).await;
        assert!(head.contains(&format!("access-control-allow-origin: {origin}")), "{head}");
        assert!(head.contains("access-control-allow-methods: post"), "{head}");
        assert!(head.contains("x-grpc-web") && head.contains("authorization"), "{head}");
        let asked = [("content-type", "application/grpc-web+proto"), ("origin", origin)];
        let (head, body) = exchange(&server, "POST", &asked, &request()).await;
        assert!(head.contains(&format!("access-control-allow-origin: {origin}")), "{head}");
        assert!(head.contains("grpc-status-details-bin"), "{head}");
        assert_answered(&body);
    }
    for origin in ["https://evil.example.com", "https://play.example.com.evil.com", "null"] {
        let head = preflight(&server, origin).await;
        assert!(!head.contains("access-control-allow-origin"), "{head}");
    }
}

#[tokio::test]
async fn no_origin_may_call_unless_one_is_listed() {
    let server = Server::start(&["--grpc-web=true"]).await;
    let head = preflight(&server, PAGE).await;
    assert!(!head.contains("access-control-allow-origin"), "{head}");
}

#[tokio::test]
async fn an_idle_page_does_not_hold_the_drain() {
    let mut server = Server::start(&["--grpc-web=true", "--drain-limit=1h", "--handshake-timeout=1h"]).await;
    let mut stream = TcpStream::connect(server.grpc).await.expect("it listens");
    let body = request();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: test\r\ncontent-type: application/grpc-web+proto\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), &body].concat()).await.expect("it reads");
    let labels = ["grpc_method=\"Decide\"", "grpc_code=\"OK\""];
    server.until_metric("grpc_server_handled_total", &labels, 1.0).await;
    server.stop();
    server.ended().await.expect("it drained");
    let mut answer = Vec::new();
    let _ = soon(stream.read_to_end(&mut answer)).await;
    assert!(answer.starts_with(b"HTTP/1.1 200"));
}
