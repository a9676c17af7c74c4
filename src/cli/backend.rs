use std::error::Error as _;
use std::fmt::{self, Write as _};
use std::time::Duration;

use clap::Args;
use doudizhu::config::DEFAULT_STRATEGY;
use doudizhu::service::proto::decision_service_client::DecisionServiceClient;
use doudizhu::service::{Deadline, Decider, Refusal, proto};
use doudizhu::strategy::Registry;
use doudizhu::telemetry::metrics::Metrics;
use tonic::transport::{Channel, Endpoint};
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

    /// Print the response in protobuf's JSON mapping.
    #[arg(long)]
    pub(super) json: bool,
}

/// A call of one method, on a server or in this process.
pub(super) trait Method {
    type Response;
    /// Asks a server.
    async fn remote(
        self,
        client: &mut DecisionServiceClient<Channel>,
    ) -> Result<Response<Self::Response>, Status>;
    /// Asks this process.
    fn local(self, decider: &Decider) -> Result<Self::Response, Refusal>;
}

impl BackendArgs {
    /// The answer to `request`.
    pub(super) fn ask<M: Method>(&self, request: M) -> Result<M::Response, Failure> {
        let Some(addr) = &self.addr else {
            let decider =
                Decider::new(&Registry::builtin(), DEFAULT_STRATEGY, Duration::ZERO, &Metrics::new());
            let decider = decider.ok_or("there is no default strategy")?;
            return request.local(&decider).map_err(|refusal| described(&refusal.into()));
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let channel = connect(addr, self.timeout.into()).await?;
            let answer = request.remote(&mut DecisionServiceClient::new(channel)).await;
            answer.map(Response::into_inner).map_err(|status| described(&status))
        })
    }
}

/// A connection to `addr` on which every call may take `timeout`.
pub(super) async fn connect(addr: &str, timeout: Duration) -> Result<Channel, Failure> {
    let endpoint = endpoint(addr, timeout)?;
    endpoint.connect().await.map_err(|error| format!("{addr}: {}", causes(&error)).into())
}

/// A server's address, with the scheme left out if need be.
pub(super) fn endpoint(addr: &str, timeout: Duration) -> Result<Endpoint, Failure> {
    let url = if addr.contains("://") { addr.to_owned() } else { format!("http://{addr}") };
    let endpoint = Endpoint::from_shared(url).map_err(|error| format!("--addr {addr}: {error}"))?;
    Ok(endpoint.connect_timeout(timeout).timeout(timeout).tcp_nodelay(true))
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
                client: &mut DecisionServiceClient<Channel>,
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
