//! A server on free ports, clients for it, and requests to change.

use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use bytes::Bytes;
use clap::Parser;
use doudizhu::cards::parse_cards;
use doudizhu::config::ServeArgs;
use doudizhu::game::Situation as Turn;
use doudizhu::service::proto::decision_service_client::DecisionServiceClient;
use doudizhu::service::proto::{Card, DecideRequest, Role, Situation};
use doudizhu::service::{ServeError, Sockets, serve};
use doudizhu::strategy::{Decision, Registry, Rhcp, Strategy, Thinking};
use http::Request;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::{Channel, ClientTlsConfig};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// How long a test waits for what must happen. Long: it only passes when something is broken.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for `future`, which must not take forever.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("it should have happened by now")
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    serve: ServeArgs,
}

/// Settings from flags, with short pauses, free ports and a strategy unless the flags say otherwise.
pub(crate) fn settings(flags: &[&str]) -> ServeArgs {
    let defaults = ["doudizhu", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--log-level=off"];
    // `rhcp`, whose plays are known from its vectors.
    let pauses = ["--lame-duck=0s", "--call-timeout=60s", "--strategy=rhcp"];
    let given = |name: &str| flags.iter().any(|flag| flag.starts_with(name));
    let ours = pauses.into_iter().filter(|flag| !given(flag.split('=').next().unwrap_or_default()));
    Cli::parse_from(defaults.into_iter().chain(ours).chain(flags.iter().copied())).serve
}

pub(crate) struct Server {
    pub(crate) grpc: SocketAddr,
    pub(crate) admin: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<Result<(), ServeError>>,
}

impl Server {
    pub(crate) async fn start(flags: &[&str]) -> Server {
        Server::with(flags, Registry::builtin()).await
    }

    pub(crate) async fn with(flags: &[&str], registry: Registry) -> Server {
        let args = settings(flags);
        let sockets = Sockets::bind(&args).await.expect("free ports");
        let (grpc, admin) = (local(&sockets.grpc), local(&sockets.admin));
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move {
            serve(sockets, &args, registry, async {
                let _ = stopped.await;
            })
            .await
        });
        let server = Server { grpc, admin, stop: Some(stop), ended };
        server.until_ready().await;
        server
    }

    pub(crate) async fn until_ready(&self) {
        soon(async {
            while self.get("/readyz").await.0 != 200 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.grpc)).expect("an address");
        endpoint.connect().await.expect("the server listens")
    }

    /// A channel over TLS, or why there is none. The server is called localhost in its certificate.
    pub(crate) async fn tls_channel(&self, tls: ClientTlsConfig) -> Result<Channel, tonic::transport::Error> {
        let endpoint = Channel::from_shared(format!("https://{}", self.grpc)).expect("an address");
        endpoint.tls_config(tls.domain_name("localhost"))?.connect().await
    }

    pub(crate) async fn client(&self) -> DecisionServiceClient<Channel> {
        DecisionServiceClient::new(self.channel().await)
    }

    pub(crate) async fn h2(&self) -> h2::client::SendRequest<Bytes> {
        let stream = TcpStream::connect(self.grpc).await.expect("the server listens");
        let (sender, connection) = h2::client::handshake(stream).await.expect("it speaks HTTP/2");
        tokio::spawn(connection);
        sender
    }

    /// Status and text of an admin page.
    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        let (head, body) = self.admin_exchange("GET", path).await;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
        (status, body)
    }

    /// Head and body of the answer of the admin port.
    pub(crate) async fn admin_exchange(&self, method: &str, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.admin).await.expect("the admin port listens");
        let request = format!("{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("it reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("it answers");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        (head.to_owned(), body.to_owned())
    }

    /// The value of the one series of `/metrics` that starts with `name` and has all `labels`.
    pub(crate) async fn metric(&self, name: &str, labels: &[&str]) -> f64 {
        let page = self.get("/metrics").await.1;
        let mut values = page.lines().filter(|line| {
            let rest = line.strip_prefix(name).unwrap_or("-");
            rest.starts_with(['{', ' ']) && labels.iter().all(|label| rest.contains(label))
        });
        let line = values.next().unwrap_or_else(|| panic!("{name} {labels:?} is not on the page"));
        assert_eq!(values.next(), None, "{name} {labels:?} is there twice");
        line.rsplit(' ').next().and_then(|value| value.parse().ok()).expect("a number")
    }

    /// Waits until a metric has the value it must come to have.
    pub(crate) async fn until_metric(&self, name: &str, labels: &[&str], value: f64) {
        soon(async {
            while self.metric(name, labels).await != value {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    /// Asks the server to end.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits for the end.
    pub(crate) async fn ended(self) -> Result<(), ServeError> {
        soon(self.ended).await.expect("it does not panic")
    }

    /// The server answers as it should.
    pub(crate) async fn assert_well(&self) {
        let response =
            self.client().await.decide(lead("3 4 5 6 7 9")).await.expect("it answers").into_inner();
        assert!(!response.play.expect("a play").cards.is_empty());
    }
}

fn local(listener: &tokio::net::TcpListener) -> SocketAddr {
    listener.local_addr().expect("it is bound")
}

/// Cards from their text.
pub(crate) fn cards(text: &str) -> Vec<Card> {
    parse_cards(text).expect("cards").into_iter().map(Into::into).collect()
}

/// The text of cards.
pub(crate) fn text(cards: &[Card]) -> String {
    let word = |card: &Card| {
        let rank = card.rank - 3;
        let rank = "3456789TJQKA2XD".chars().nth(rank as usize).expect("a rank");
        let suit = ["", "c", "d", "s", "h"][card.suit as usize];
        format!("{rank}{suit}")
    };
    cards.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A landlord's lead.
pub(crate) fn lead(hand: &str) -> DecideRequest {
    let situation = Situation { hand: cards(hand), role: Role::Landlord as i32, ..Situation::default() };
    DecideRequest { situation: Some(situation), ..DecideRequest::default() }
}

/// A turn of the peasant after the landlord, on a group of the landlord's.
pub(crate) fn follow(hand: &str, to_beat: &str) -> DecideRequest {
    let situation = Situation {
        hand: cards(hand),
        role: Role::PeasantAfterLandlord as i32,
        to_beat: cards(to_beat),
        last_player: Role::Landlord as i32,
        ..Situation::default()
    };
    DecideRequest { situation: Some(situation), ..DecideRequest::default() }
}

/// The fields that a status names, sorted.
pub(crate) fn fields(status: &Status) -> Vec<String> {
    assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
    let details = status.get_details_bad_request().expect("a BadRequest");
    let mut fields: Vec<String> = details.field_violations.into_iter().map(|each| each.field).collect();
    fields.sort();
    fields.dedup();
    fields
}

/// Wraps a strategy so that some seeds make trouble: one panics, one waits.
#[derive(Clone, Default)]
pub(crate) struct Troublemaker {
    gate: Arc<(Mutex<Gate>, Condvar)>,
}

#[derive(Default)]
struct Gate {
    waiting: usize,
    open: bool,
}

impl Troublemaker {
    /// The seed that panics.
    pub(crate) const PANIC: u64 = 13;
    /// The seed that waits until the gate is opened.
    pub(crate) const WAIT: u64 = 7;

    pub(crate) fn registry(&self) -> Registry {
        Registry::new(vec![Arc::new(Rhcp::default()), Arc::new(self.clone())])
    }

    /// Lets all waiting decisions go on, and all later ones.
    pub(crate) fn open(&self) {
        self.gate.0.lock().expect("not poisoned").open = true;
        self.gate.1.notify_all();
    }

    /// Waits until `count` decisions are waiting.
    pub(crate) async fn until_waiting(&self, count: usize) {
        soon(async {
            while self.gate.0.lock().expect("not poisoned").waiting < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    /// A request that makes trouble.
    pub(crate) fn request(seed: u64) -> DecideRequest {
        DecideRequest { strategy: "troublemaker".to_owned(), seed, ..lead("3 4 5 6 7 9") }
    }
}

impl Strategy for Troublemaker {
    fn name(&self) -> &'static str {
        "troublemaker"
    }

    fn decide(&self, turn: &Turn, thinking: &mut Thinking<'_>) -> Decision {
        if thinking.seed == Troublemaker::PANIC {
            panic!("this seed panics");
        }
        if thinking.seed == Troublemaker::WAIT {
            // What is due on this worker has another one meanwhile: it would wait here for the gate.
            tokio::task::block_in_place(|| {
                let mut gate = self.gate.0.lock().expect("not poisoned");
                gate.waiting += 1;
                let opened = self.gate.1.wait_timeout_while(gate, PATIENCE, |gate| !gate.open);
                let (_gate, patience) = opened.expect("not poisoned");
                assert!(!patience.timed_out(), "nobody opened the gate");
            });
        }
        Rhcp::default().decide(turn, thinking)
    }
}

/// A raw gRPC request to `path`.
pub(crate) fn post(path: &str) -> http::request::Builder {
    Request::post(format!("http://test{path}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
}

/// A raw `Decide` request.
pub(crate) fn decide() -> Request<()> {
    post("/doudizhu.v1.DecisionService/Decide").body(()).expect("a request")
}

/// A message with its five-byte gRPC prefix.
pub(crate) fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("short");
    [&[0], &length.to_be_bytes()[..], message].concat()
}
