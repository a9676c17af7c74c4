//! Health, as probes and load balancers ask for it, and reflection, as tools do.

use doudizhu::service::LIVENESS;
use doudizhu::service::proto::SERVICE_NAME;
use tokio_stream::iter;
use tonic::Code;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::{v1, v1alpha};

use crate::harness::{Server, soon};

/// The status of `service`, or the code of the refusal.
pub(crate) async fn check(channel: &Channel, service: &str) -> Result<ServingStatus, Code> {
    let request = HealthCheckRequest { service: service.to_owned() };
    let response = HealthClient::new(channel.clone()).check(request).await.map_err(|status| status.code())?;
    Ok(response.into_inner().status())
}

#[tokio::test]
async fn a_ready_server_serves_under_its_names() {
    let server = Server::start(&[]).await;
    let channel = server.channel().await;
    for name in ["", SERVICE_NAME, LIVENESS] {
        assert_eq!(check(&channel, name).await, Ok(ServingStatus::Serving), "{name:?}");
    }
    assert_eq!(check(&channel, "doudizhu.v1.Nothing").await, Err(Code::NotFound));
    assert_eq!(server.get("/readyz").await, (200, "ready\n".to_owned()));
    assert_eq!(server.get("/healthz").await, (200, "alive\n".to_owned()));
}

#[tokio::test]
async fn a_lame_duck_is_alive_serves_and_is_not_ready() {
    let mut server = Server::start(&["--lame-duck=1h"]).await;
    let channel = server.channel().await;
    let request = HealthCheckRequest { service: SERVICE_NAME.to_owned() };
    let mut watch = HealthClient::new(channel.clone()).watch(request).await.expect("a watch").into_inner();
    let first = soon(watch.message()).await.expect("a message").expect("a status");
    assert_eq!(first.status(), ServingStatus::Serving);

    server.stop();
    let second = soon(watch.message()).await.expect("a message").expect("a status");
    assert_eq!(second.status(), ServingStatus::NotServing);
    for name in ["", SERVICE_NAME] {
        soon(async {
            while check(&channel, name).await != Ok(ServingStatus::NotServing) {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
    assert_eq!(check(&channel, LIVENESS).await, Ok(ServingStatus::Serving));
    assert_eq!(server.get("/readyz").await.0, 503);
    assert_eq!(server.get("/healthz").await.0, 200);
    // On this connection and on new ones.
    server.assert_well().await;
}

#[tokio::test]
async fn reflection_knows_the_services_in_both_versions() {
    let server = Server::start(&[]).await;
    let channel = server.channel().await;
    macro_rules! services {
        ($version:ident) => {{
            use $version::server_reflection_request::MessageRequest;
            use $version::server_reflection_response::MessageResponse;
            let mut client = $version::server_reflection_client::ServerReflectionClient::new(channel.clone());
            let list = $version::ServerReflectionRequest {
                host: String::new(),
                message_request: Some(MessageRequest::ListServices(String::new())),
            };
            let symbol = $version::ServerReflectionRequest {
                host: String::new(),
                message_request: Some(MessageRequest::FileContainingSymbol(SERVICE_NAME.to_owned())),
            };
            let mut answers =
                client.server_reflection_info(iter([list, symbol])).await.expect("a stream").into_inner();
            let answer = soon(answers.message()).await.expect("a message").expect("an answer");
            let Some(MessageResponse::ListServicesResponse(listed)) = answer.message_response else {
                panic!("not a list");
            };
            let answer = soon(answers.message()).await.expect("a message").expect("an answer");
            let Some(MessageResponse::FileDescriptorResponse(files)) = answer.message_response else {
                panic!("not a file");
            };
            assert!(!files.file_descriptor_proto.is_empty());
            listed.service.into_iter().map(|service| service.name).collect::<Vec<String>>()
        }};
    }
    for listed in [services!(v1), services!(v1alpha)] {
        for name in [SERVICE_NAME, "grpc.health.v1.Health"] {
            assert!(listed.iter().any(|service| service == name), "{name} is not in {listed:?}");
        }
    }
}

#[tokio::test]
async fn reflection_can_be_switched_off() {
    let server = Server::start(&["--reflection=false"]).await;
    let mut client = v1::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let none = iter(Vec::<v1::ServerReflectionRequest>::new());
    let status = client.server_reflection_info(none).await.expect_err("it is off");
    assert_eq!(status.code(), Code::Unimplemented);
    server.assert_well().await;
}
