//! Bytes to connections of a real server, in plaintext and in TLS: whatever comes, the connection ends, nothing
//! panics, nothing is kept, and the next good call is answered. Shared by the tests and the fuzzer.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use doudizhu::service::proto::decision_service_client::DecisionServiceClient;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::certificates::{Authority, Files, flag};
use crate::harness::{Server, lead};

/// How an input reaches a server, by the number that it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// The bytes, to a server of gRPC.
    Plain,
    /// HTTP/2 frames: a preface, and then for each four bytes (type, flags, stream, length) a frame whose length is
    /// right.
    Frames,
    /// The bytes, to a server that browsers may call as well.
    Web,
    /// The bytes, where TLS is spoken: a ClientHello and what follows.
    Tls,
    /// A good handshake, and then the bytes in its records, with ALPN `h2`.
    WithinTls,
    /// The same with ALPN `http/1.1`.
    WebWithinTls,
    /// A good handshake and a good start of HTTP/2 whose bytes are bent on the way.
    Bent,
    /// The same where clients show a certificate.
    BentWithCertificate,
}

impl Door {
    pub(crate) const ALL: [Door; 8] = [
        Door::Plain,
        Door::Frames,
        Door::Web,
        Door::Tls,
        Door::WithinTls,
        Door::WebWithinTls,
        Door::Bent,
        Door::BentWithCertificate,
    ];
}

/// What every HTTP/2 connection begins with.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The client's first SETTINGS, empty.
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

/// How long a connection may take to end after its client has said all: this often this long. In pieces, so that
/// a process that was stopped for a while has not used it up.
const PATIENCE: (usize, Duration) = (12, Duration::from_secs(5));

/// Most that a server may answer to one input.
const LONGEST_ANSWER: usize = 16 << 20;

/// Servers of every kind.
pub(crate) struct Target {
    pub(crate) plain: Server,
    web: Server,
    tls: Server,
    mutual: Server,
    authority: Authority,
    client: (String, String),
    h2: TlsConnector,
    http1: TlsConnector,
    with_certificate: TlsConnector,
    _files: Files,
}

impl Target {
    pub(crate) async fn start() -> Target {
        let (authority, clients) = (Authority::new(), Authority::new());
        let files = Files::of(&authority);
        let tls =
            vec![flag("--tls-cert", &files.path("cert.pem")), flag("--tls-key", &files.path("key.pem"))];
        let client_ca = flag("--tls-client-ca", &files.write("clients.pem", &clients.pem()));
        let start = async |flags: &[String]| {
            Server::start(&flags.iter().map(String::as_str).collect::<Vec<_>>()).await
        };
        let web = "--grpc-web=true".to_owned();
        let client = clients.sign();
        Target {
            plain: start(&[]).await,
            web: start(std::slice::from_ref(&web)).await,
            tls: start(&[tls.clone(), vec![web]].concat()).await,
            mutual: start(&[tls, vec![client_ca]].concat()).await,
            h2: connector(&authority, b"h2", None),
            http1: connector(&authority, b"http/1.1", None),
            with_certificate: connector(&authority, b"h2", Some(&client)),
            authority,
            client,
            _files: files,
        }
    }

    /// Sends what `input` is, and waits for the connection's end.
    pub(crate) async fn send(&self, input: &[u8]) {
        let Some((door, bytes)) = input.split_first() else { return };
        match Door::ALL[usize::from(*door) % Door::ALL.len()] {
            Door::Plain => exchange(connect(&self.plain).await, bytes).await,
            Door::Frames => exchange(connect(&self.plain).await, &frames(bytes)).await,
            Door::Web => exchange(connect(&self.web).await, bytes).await,
            Door::Tls => exchange(connect(&self.tls).await, bytes).await,
            Door::WithinTls => self.within(&self.h2, bytes).await,
            Door::WebWithinTls => self.within(&self.http1, bytes).await,
            Door::Bent => self.bent(&self.tls, &self.h2, bytes).await,
            Door::BentWithCertificate => self.bent(&self.mutual, &self.with_certificate, bytes).await,
        }
    }

    async fn within(&self, connector: &TlsConnector, bytes: &[u8]) {
        let stream = connector.connect(localhost(), connect(&self.tls).await).await;
        exchange(stream.expect("a good handshake"), bytes).await;
    }

    /// A handshake in which `bends` change what the client sends: each four bytes hold the distance to the next
    /// place in two, and what is XORed there; zero ends the connection there.
    async fn bent(&self, server: &Server, connector: &TlsConnector, bends: &[u8]) {
        let mut client =
            ClientConnection::new(Arc::clone(connector.config()), localhost()).expect("a client");
        let mut stream = connect(server).await;
        let mut bends = Bends { bends, ahead: 0 };
        bends.next();
        let mut started = false;
        patiently(async {
            loop {
                if !client.is_handshaking() && !started {
                    started = true;
                    let mut writer = client.writer();
                    io::Write::write_all(&mut writer, PREFACE).expect("it is buffered");
                    io::Write::write_all(&mut writer, SETTINGS).expect("it is buffered");
                }
                let mut out = Vec::new();
                while client.wants_write() {
                    client.write_tls(&mut out).expect("memory takes all");
                }
                if !out.is_empty() {
                    let whole = bends.bend(&mut out);
                    // It may have gone already, which is its right.
                    if stream.write_all(&out).await.is_err() || !whole {
                        break;
                    }
                }
                if started {
                    break;
                }
                let mut answer = [0; 4096];
                match stream.read(&mut answer).await {
                    Ok(0) | Err(_) => break,
                    Ok(count) => {
                        let mut rest = &answer[..count];
                        while !rest.is_empty() {
                            client.read_tls(&mut rest).expect("memory gives all");
                            // What the server thinks wrong it says in an alert, which is an error here.
                            if client.process_new_packets().is_err() {
                                return;
                            }
                        }
                    }
                }
            }
        })
        .await;
        exchange(stream, &[]).await;
    }

    /// Every server answers a good call, has seen no panic, and has forgotten everything else.
    pub(crate) async fn assert_well(&self) {
        for server in [&self.plain, &self.web] {
            server.assert_well().await;
        }
        let trusted = || ClientTlsConfig::new().ca_certificate(Certificate::from_pem(self.authority.pem()));
        let (certificate, key) = &self.client;
        let identity = Identity::from_pem(certificate, key);
        for (server, tls) in [(&self.tls, trusted()), (&self.mutual, trusted().identity(identity))] {
            let channel = server.tls_channel(tls).await.expect("it lets good clients in");
            let answer = DecisionServiceClient::new(channel).decide(lead("3 4 5 6 7 9")).await;
            assert!(answer.expect("it answers").into_inner().play.is_some());
        }
        for server in [&self.plain, &self.web, &self.tls, &self.mutual] {
            assert_eq!(server.metric("doudizhu_panics_total", &[]).await, 0.0);
            server.until_metric("doudizhu_connections", &[], 0.0).await;
            assert_eq!(server.metric("doudizhu_calls_in_flight", &[]).await, 0.0);
        }
    }
}

/// Where and how the bytes of a client are changed.
struct Bends<'a> {
    /// From the one that is next on.
    bends: &'a [u8],
    /// Bytes that pass before it.
    ahead: usize,
}

impl Bends<'_> {
    /// The distance to the next one.
    fn next(&mut self) {
        self.ahead = match self.bends {
            [high, low, _, ..] => usize::from(u16::from_be_bytes([*high, *low])),
            _ => usize::MAX,
        };
    }

    /// Bends `bytes`; says whether they go on after them.
    fn bend(&mut self, bytes: &mut Vec<u8>) -> bool {
        let mut at = 0;
        while self.ahead < bytes.len() - at {
            at += self.ahead;
            let change = self.bends[2];
            if change == 0 {
                bytes.truncate(at);
                return false;
            }
            bytes[at] ^= change;
            at += 1;
            self.bends = &self.bends[3..];
            self.next();
            if at == bytes.len() {
                break;
            }
        }
        self.ahead = self.ahead.saturating_sub(bytes.len() - at);
        true
    }
}

/// Frames of HTTP/2 as [`Door::Frames`] says.
fn frames(mut bytes: &[u8]) -> Vec<u8> {
    let mut out = [PREFACE, SETTINGS].concat();
    while let [kind, flags, stream, length, rest @ ..] = bytes {
        let payload = &rest[..rest.len().min(usize::from(*length))];
        out.extend([0, 0, payload.len() as u8, *kind, *flags, 0, 0, 0, *stream]);
        out.extend(payload);
        bytes = &rest[payload.len()..];
    }
    out
}

fn connector(authority: &Authority, protocol: &[u8], identity: Option<&(String, String)>) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    let root = CertificateDer::from_pem_slice(authority.pem().as_bytes()).expect("a certificate");
    roots.add(root).expect("an authority");
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots);
    let mut config = match identity {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).expect("a certificate")];
            let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).expect("a key");
            builder.with_client_auth_cert(chain, key).expect("its key")
        }
    };
    config.alpn_protocols = vec![protocol.to_vec()];
    TlsConnector::from(Arc::new(config))
}

fn localhost() -> ServerName<'static> {
    ServerName::try_from("localhost").expect("a name")
}

async fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.grpc).await.expect("it listens");
    stream.set_nodelay(true).expect("a socket");
    stream
}

/// Sends `bytes` and says that they were all, reads what comes, and waits for the end.
async fn exchange<S: AsyncRead + AsyncWrite>(stream: S, bytes: &[u8]) {
    let (mut reader, mut writer) = tokio::io::split(stream);
    let send = async {
        // A server that has heard enough need not listen to the rest.
        let _ = writer.write_all(bytes).await;
        let _ = writer.shutdown().await;
    };
    let receive = async {
        let mut answer = [0; 8192];
        let mut length = 0;
        while let Ok(count @ 1..) = reader.read(&mut answer).await {
            length += count;
            assert!(length <= LONGEST_ANSWER, "the answer does not end");
        }
    };
    patiently(async { tokio::join!(send, receive) }).await;
}

/// Waits for what must happen.
async fn patiently<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    for _ in 0..PATIENCE.0 {
        if let Ok(done) = timeout(PATIENCE.1, future.as_mut()).await {
            return done;
        }
    }
    panic!("the server does not let go of a connection");
}
