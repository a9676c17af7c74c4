//! TLS on the gRPC port: the server's certificate, and those it asks of its clients.

use std::io;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use tokio_rustls::server::TlsStream;

use crate::config::ServeArgs;
use crate::telemetry::metrics::Reloads;

use super::watched::{BadFile, Source, Watched};

/// The protocol that gRPC speaks within TLS (RFC 7301): clients refuse a server that does not say so.
const HTTP2: &[u8] = b"h2";

/// The protocol of browsers that do not speak HTTP/2.
const HTTP1: &[u8] = b"http/1.1";

/// What TLS connections begin with.
pub(super) struct Tls {
    pub(super) config: Arc<Watched<ServerConfig>>,
}

impl Tls {
    /// TLS as the settings want it; nothing if they want none.
    pub(super) fn new(args: &ServeArgs, reloads: Reloads) -> Result<Option<Tls>, BadFile> {
        let (Some(cert), Some(key)) = (&args.tls_cert, &args.tls_key) else { return Ok(None) };
        let mut sources = vec![
            Source { setting: "--tls-cert, DOUDIZHU_TLS_CERT", path: cert.clone() },
            Source { setting: "--tls-key, DOUDIZHU_TLS_KEY", path: key.clone() },
        ];
        let client_ca = args.tls_client_ca.clone();
        sources.extend(
            client_ca.map(|path| Source { setting: "--tls-client-ca, DOUDIZHU_TLS_CLIENT_CA", path }),
        );
        let mut protocols = vec![HTTP2.to_vec()];
        if args.grpc_web {
            protocols.push(HTTP1.to_vec());
        }
        let config = Watched::load(sources, reloads, move |sources, contents| {
            let mut config = server_config(sources, contents)?;
            config.alpn_protocols = protocols.clone();
            Ok(config)
        })?;
        Ok(Some(Tls { config: Arc::new(config) }))
    }

    /// The server's side of a TLS handshake.
    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        TlsAcceptor::from(self.config.current()).accept(stream).await
    }
}

/// The configuration from certificate chain, key, and the authorities of clients if these must have certificates.
fn server_config(sources: &[Source], contents: &[Vec<u8>]) -> Result<ServerConfig, BadFile> {
    let (cert, key) = (&sources[0], &sources[1]);
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| cert.bad(error))?;
    let builder = match (sources.get(2), contents.get(2)) {
        (Some(source), Some(pem)) => {
            let mut roots = RootCertStore::empty();
            for authority in certificates(source, pem)? {
                roots.add(authority).map_err(|error| source.bad(error))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.map_err(|error| source.bad(error))?)
        }
        _ => builder.with_no_client_auth(),
    };
    let chain = certificates(cert, &contents[0])?;
    let secret = PrivateKeyDer::from_pem_slice(&contents[1])
        .map_err(|error| key.bad(format!("no private key in PEM form: {error}")))?;
    // It also refuses a key that is not the certificate's.
    builder.with_single_cert(chain, secret).map_err(|error| key.bad(error))
}

fn certificates(source: &Source, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, BadFile> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem)
        .collect::<Result<_, _>>()
        .map_err(|error| source.bad(format!("not in PEM form: {error}")))?;
    if found.is_empty() { Err(source.bad("no certificate in PEM form")) } else { Ok(found) }
}
