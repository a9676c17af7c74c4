use std::error::Error as _;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use doudizhu::config::{DEFAULT_STRATEGY, available_threads};
use doudizhu::service::proto::decision_service_client::DecisionServiceClient;
use doudizhu::service::{Deadline, Decider, Refusal, proto};
use doudizhu::strategy::Registry;
use doudizhu::telemetry::metrics::Metrics;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Response, Status};
use tonic_types::StatusExt as _;

use super::Failure;

/// Who answers, and how the answer is shown.
#[derive(Args, Debug)]
pub(super) struct BackendArgs {
    /// Ask the server at this address, such as http://127.0.0.1:50051, instead of deciding in this process.
    #[arg(long, value_name = "URL")]
    addr: Option<String>,

    /// How long to wait for the server.
    #[arg(long, value_name = "DURATION", default_value = "10s", requires = "addr")]
    timeout: humantime::Duration,

    #[command(flatten)]
    trust: TrustArgs,

    /// Print the response in protobuf's JSON mapping.
    #[arg(long)]
    pub(super) json: bool,
}

/// Whom to trust, and what to show for oneself.
#[derive(Args, Debug)]
pub(super) struct TrustArgs {
    /// PEM file with the authorities to trust, for a server with an https address.
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,

    /// PEM file with the certificate to show to a server that asks for one.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// PEM file with the key of that certificate.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,

    /// File with the bearer token to send.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// A connection that adds the token to every call, if there is one.
pub(super) type Connection = InterceptedService<Channel, Credentials>;

/// What is sent with every call.
#[derive(Clone)]
pub(super) struct Credentials(Option<MetadataValue<Ascii>>);

impl Interceptor for Credentials {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

impl TrustArgs {
    /// A server's address, with the scheme left out if need be; every call on it may take `timeout`.
    pub(super) fn endpoint(&self, addr: &str, timeout: Duration) -> Result<Endpoint, Failure> {
        let url = if addr.contains("://") { addr.to_owned() } else { format!("http://{addr}") };
        let secure = url.starts_with("https://");
        let endpoint = Endpoint::from_shared(url).map_err(|error| format!("--addr {addr}: {error}"))?;
        let endpoint = endpoint.connect_timeout(timeout).timeout(timeout).tcp_nodelay(true);
        if !secure {
            return Ok(endpoint);
        }
        let Some(ca) = &self.tls_ca else {
            return Err(format!("--addr {addr}: an https address needs --tls-ca").into());
        };
        let mut tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(read("--tls-ca", ca)?));
        if let (Some(cert), Some(key)) = (&self.tls_cert, &self.tls_key) {
            tls = tls.identity(Identity::from_pem(read("--tls-cert", cert)?, read("--tls-key", key)?));
        }
        endpoint.tls_config(tls).map_err(|error| format!("--tls-ca: {}", causes(&error)).into())
    }

    /// What is sent with every call.
    pub(super) fn credentials(&self) -> Result<Credentials, Failure> {
        let Some(path) = &self.token_file else { return Ok(Credentials(None)) };
        let token = String::from_utf8_lossy(&read("--token-file", path)?).trim().to_owned();
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}")
            .parse()
            .map_err(|_| format!("--token-file {}: not a token in one line", path.display()))?;
        value.set_sensitive(true);
        Ok(Credentials(Some(value)))
    }

    /// A connection to `addr` on which every call may take `timeout`.
    pub(super) async fn connect(&self, addr: &str, timeout: Duration) -> Result<Connection, Failure> {
        let credentials = self.credentials()?;
        let channel = self.endpoint(addr, timeout)?.connect().await;
        let channel = channel.map_err(|error| format!("{addr}: {}", causes(&error)))?;
        Ok(InterceptedService::new(channel, credentials))
    }
}

fn read(flag: &str, path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("{flag} {}: {error}", path.display()).into())
}

/// A call of one method, on a server or in this process.
pub(super) trait Method {
    type Response;
    /// Asks a server.
    async fn remote(
        self,
        client: &mut DecisionServiceClient<Connection>,
    ) -> Result<Response<Self::Response>, Status>;
    /// Asks this process.
    fn local(self, decider: &Decider) -> Result<Self::Response, Refusal>;
}

impl BackendArgs {
    /// The answer to `request`.
    pub(super) fn ask<M: Method>(&self, request: M) -> Result<M::Response, Failure> {
        let Some(addr) = &self.addr else {
            // This thread searches without a permit.
            let helpers = available_threads() - 1;
            let decider = Decider::new(
                &Registry::builtin(),
                DEFAULT_STRATEGY,
                Duration::ZERO,
                helpers,
                &Metrics::new(),
            )
            .ok_or("there is no default strategy")?;
            return request.local(&decider).map_err(|refusal| described(&refusal.into()));
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let channel = self.trust.connect(addr, self.timeout.into()).await?;
            let answer = request.remote(&mut DecisionServiceClient::new(channel)).await;
            answer.map(Response::into_inner).map_err(|status| described(&status))
        })
    }
}

/// An error with everything that led to it.
fn causes(error: &tonic::transport::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing to a string does not fail.
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

/// A status for people: every wrong field in a line of its own.
fn described(status: &Status) -> Failure {
    let violations = status.get_details_bad_request().map(|details| details.field_violations);
    let mut text = format!("{:?}: ", status.code());
    match violations {
        Some(violations) if violations.len() > 1 => {
            let _ = write!(text, "{} fields are wrong", violations.len());
            for violation in violations {
                let _ = write!(text, "\n  {}: {}", violation.field, violation.description);
            }
        }
        _ => text.push_str(status.message()),
    }
    text.into()
}

macro_rules! method {
    ($request:ident, $response:ident, $name:ident) => {
        impl Method for proto::$request {
            type Response = proto::$response;

            async fn remote(
                self,
                client: &mut DecisionServiceClient<Connection>,
            ) -> Result<Response<proto::$response>, Status> {
                client.$name(Request::new(self)).await
            }

            fn local(self, decider: &Decider) -> Result<proto::$response, Refusal> {
                decider.$name(&self, &Deadline::none())
            }
        }
    };
}

method!(DecideRequest, DecideResponse, decide);
method!(RankPlaysRequest, RankPlaysResponse, rank_plays);
method!(BidRequest, BidResponse, bid);
method!(DoubleRequest, DoubleResponse, double);
method!(EvaluateHandRequest, EvaluateHandResponse, evaluate_hand);
method!(ClassifyPlayRequest, ClassifyPlayResponse, classify_play);

/// Prints `response` as JSON, or as `people` writes it.
pub(super) fn show<M: prost::Name>(
    response: &M,
    json: bool,
    people: impl FnOnce(&M, &mut String) -> fmt::Result,
) -> Result<(), Failure> {
    let mut text = String::new();
    if json {
        text = proto::to_json(response)?;
        text.push('\n');
    } else {
        people(response, &mut text)?;
    }
    super::print::out(&text)
}
