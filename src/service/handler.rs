use std::sync::Arc;

use tonic::{Request, Response, Status};

use super::proto::decision_service_server::DecisionService;
use super::proto::{
    ClassifyPlayRequest, ClassifyPlayResponse, DecideRequest, DecideResponse, EvaluateHandRequest,
    EvaluateHandResponse,
};
use super::{Deadline, Decider};

/// The RPCs: takes the call's deadline off the request, names the call in the log, and asks the [`Decider`].
pub(super) struct Handler {
    pub(super) decider: Arc<Decider>,
}

/// The deadline that the front gave the call.
fn accept<T>(request: &Request<T>, request_id: &str) -> Deadline {
    let span = tracing::Span::current();
    if !span.is_none() {
        span.record("request_id", request_id);
    }
    request.extensions().get::<Deadline>().copied().unwrap_or_default()
}

#[tonic::async_trait]
impl DecisionService for Handler {
    async fn decide(&self, request: Request<DecideRequest>) -> Result<Response<DecideResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        Ok(Response::new(self.decider.decide(request.get_ref(), deadline)?))
    }

    async fn evaluate_hand(
        &self,
        request: Request<EvaluateHandRequest>,
    ) -> Result<Response<EvaluateHandResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        Ok(Response::new(self.decider.evaluate_hand(request.get_ref(), deadline)?))
    }

    async fn classify_play(
        &self,
        request: Request<ClassifyPlayRequest>,
    ) -> Result<Response<ClassifyPlayResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        Ok(Response::new(self.decider.classify_play(request.get_ref(), deadline)?))
    }
}
