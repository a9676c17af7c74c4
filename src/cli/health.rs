use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use super::backend::TrustArgs;
use super::{Failure, print};

/// Ask a server whether it is ready: exit status 0 if it is.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The server's address.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:50051")]
    addr: String,

    /// The name to ask for: empty or doudizhu.v1.DecisionService for readiness, liveness for being alive.
    #[arg(long, value_name = "NAME", default_value = "")]
    service: String,

    /// How long to wait for the answer.
    #[arg(long, value_name = "DURATION", default_value = "1s")]
    timeout: humantime::Duration,

    #[command(flatten)]
    trust: TrustArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let status = runtime.block_on(async {
        let channel = args.trust.connect(&args.addr, args.timeout.into()).await?;
        let request = HealthCheckRequest { service: args.service.clone() };
        match HealthClient::new(channel).check(request).await {
            Ok(response) => Ok(response.into_inner().status()),
            Err(status) if status.code() == Code::NotFound => Ok(ServingStatus::ServiceUnknown),
            Err(status) => Err(Failure::from(format!("{:?}: {}", status.code(), status.message()))),
        }
    })?;
    match status {
        ServingStatus::Serving => print::out("SERVING\n"),
        other => Err(other.as_str_name().into()),
    }
}
