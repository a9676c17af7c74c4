//! Whether the server is up, for probes and load balancers.
//!
//! | name | asked by | SERVING |
//! |---|---|---|
//! | `""`, `doudizhu.v1.DecisionService` | readiness probes, clients, load balancers | from the passed self-test until the drain begins |
//! | `liveness` | liveness probes | from start to exit, drain included, so that a draining pod is not killed |
//!
//! The HTTP admin port says the same: `/readyz` and `/healthz`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use super::proto::SERVICE_NAME;

/// The name under which the health service tells that the process is alive.
pub const LIVENESS: &str = "liveness";

/// The state of the server, and whoever asks for it.
#[derive(Clone)]
pub(super) struct Health {
    reporter: HealthReporter,
    ready: Arc<AtomicBool>,
}

impl Health {
    /// Alive, but not ready.
    pub(super) async fn starting() -> Health {
        let health = Health { reporter: HealthReporter::new(), ready: Arc::new(AtomicBool::new(false)) };
        health.reporter.set_service_status(LIVENESS, ServingStatus::Serving).await;
        health.set_ready(false).await;
        health
    }

    /// Tells everyone, open watches included, whether the server wants calls.
    pub(super) async fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Ordering::Release);
        let status = if ready { ServingStatus::Serving } else { ServingStatus::NotServing };
        for name in ["", SERVICE_NAME] {
            self.reporter.set_service_status(name, status).await;
        }
    }

    /// The health service's source.
    pub(super) fn reporter(&self) -> HealthReporter {
        self.reporter.clone()
    }

    /// Readiness, for the admin port.
    pub(super) fn readiness(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.ready)
    }
}
