use std::sync::Arc;

use tokio::time::timeout_at;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use super::proto::decision_service_server::DecisionService;
use super::proto::{
    BidRequest, BidResponse, ClassifyPlayRequest, ClassifyPlayResponse, DecideRequest, DecideResponse,
    DoubleRequest, DoubleResponse, EvaluateHandRequest, EvaluateHandResponse, RankPlaysRequest,
    RankPlaysResponse,
};
use super::turn::TurnRequest;
use super::{Deadline, Decider, Refusal};

/// The RPCs: takes the call's deadline off the request, names the call in the log, and asks the [`Decider`].
///
/// Most answers take microseconds, less than handing them to another thread would cost: they are worked out on the
/// worker that received the call. A search goes to a thread of its own, and there are as many searches at once as
/// the [`Decider`] has permits for; it
/// has others help it while nobody else wants them.
pub(super) struct Handler {
    pub(super) decider: Arc<Decider>,
}

/// The deadline that the front gave the call.
fn accept<T>(request: &Request<T>, request_id: &str) -> Deadline {
    let span = tracing::Span::current();
    if !span.is_none() {
        span.record("request_id", request_id);
    }
    #[cfg(feature = "otlp")]
    if let Some(exported) = request.extensions().get::<crate::telemetry::export::CallSpan>() {
        exported.request_id(request_id);
    }
    request.extensions().get::<Deadline>().cloned().unwrap_or_else(Deadline::none)
}

impl Handler {
    /// Answers a request about a turn by `answer`, here or in a thread of its own.
    async fn turn<M, T>(
        &self,
        request: M,
        deadline: Deadline,
        answer: fn(&Decider, &M, &Deadline) -> Result<T, Refusal>,
    ) -> Result<Response<T>, Status>
    where
        M: Send + Sync + 'static,
        for<'a> TurnRequest<'a>: From<&'a M>,
        T: Send + 'static,
    {
        let turn = TurnRequest::from(&request);
        if turn.searches(&self.decider) {
            let until = deadline.think_until(turn.budget(&self.decider));
            // When no thread gets free in time the answer comes without a search: its budget is spent.
            if let Ok(Ok(permit)) =
                timeout_at(until.into(), Arc::clone(&self.decider.searches).acquire_owned()).await
            {
                let cancelled = CancellationToken::new();
                let deadline = deadline.or_cancelled(cancelled.clone());
                let _caller = cancelled.drop_guard();
                let decider = Arc::clone(&self.decider);
                let span = tracing::Span::current();
                let search = tokio::task::spawn_blocking(move || {
                    let _permit = permit;
                    span.in_scope(|| answer(&decider, &request, &deadline))
                });
                // The decider catches panics: only a runtime that ends takes the task away.
                let found = search.await.map_err(|_| Status::unavailable("the server is going away"))?;
                return Ok(Response::new(found?));
            }
        }
        Ok(Response::new(answer(&self.decider, &request, &deadline)?))
    }
}

#[tonic::async_trait]
impl DecisionService for Handler {
    async fn decide(&self, request: Request<DecideRequest>) -> Result<Response<DecideResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        self.turn(request.into_inner(), deadline, Decider::decide).await
    }

    async fn rank_plays(
        &self,
        request: Request<RankPlaysRequest>,
    ) -> Result<Response<RankPlaysResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        self.turn(request.into_inner(), deadline, Decider::rank_plays).await
    }

    async fn bid(&self, request: Request<BidRequest>) -> Result<Response<BidResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        Ok(Response::new(self.decider.bid(request.get_ref(), &deadline)?))
    }

    async fn double(&self, request: Request<DoubleRequest>) -> Result<Response<DoubleResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        Ok(Response::new(self.decider.double(request.get_ref(), &deadline)?))
    }

    async fn evaluate_hand(
        &self,
        request: Request<EvaluateHandRequest>,
    ) -> Result<Response<EvaluateHandResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        Ok(Response::new(self.decider.evaluate_hand(request.get_ref(), &deadline)?))
    }

    async fn classify_play(
        &self,
        request: Request<ClassifyPlayRequest>,
    ) -> Result<Response<ClassifyPlayResponse>, Status> {
        let deadline = accept(&request, &request.get_ref().request_id);
        Ok(Response::new(self.decider.classify_play(request.get_ref(), &deadline)?))
    }
}
