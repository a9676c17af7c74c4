//! The floor for `doudizhu load --floor-addr`: the same method with the same messages, on tonic as it comes, that
//! gives the cards of the request back without a thought.
//!
//! `cargo run --release --example echo -- 127.0.0.1:50052`

use doudizhu::service::proto::decision_service_server::{DecisionService, DecisionServiceServer};
use doudizhu::service::proto::{
    ClassifyPlayRequest, ClassifyPlayResponse, DecideRequest, DecideResponse, EvaluateHandRequest,
    EvaluateHandResponse, Group, RankPlaysRequest, RankPlaysResponse,
};
use tonic::transport::Server;
use tonic::{Request, Response, Status};

struct Echo;

#[tonic::async_trait]
impl DecisionService for Echo {
    async fn decide(&self, request: Request<DecideRequest>) -> Result<Response<DecideResponse>, Status> {
        let request = request.into_inner();
        let cards = request.situation.map(|situation| situation.hand).unwrap_or_default();
        Ok(Response::new(DecideResponse {
            request_id: request.request_id,
            play: Some(Group { cards, ..Group::default() }),
            ..DecideResponse::default()
        }))
    }

    async fn rank_plays(&self, _: Request<RankPlaysRequest>) -> Result<Response<RankPlaysResponse>, Status> {
        Err(Status::unimplemented("only Decide is echoed"))
    }

    async fn evaluate_hand(
        &self,
        _: Request<EvaluateHandRequest>,
    ) -> Result<Response<EvaluateHandResponse>, Status> {
        Err(Status::unimplemented("only Decide is echoed"))
    }

    async fn classify_play(
        &self,
        _: Request<ClassifyPlayRequest>,
    ) -> Result<Response<ClassifyPlayResponse>, Status> {
        Err(Status::unimplemented("only Decide is echoed"))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:50052".to_owned());
    Server::builder().add_service(DecisionServiceServer::new(Echo)).serve(address.parse()?).await?;
    Ok(())
}
