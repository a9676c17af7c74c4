//! gRPC-Web (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md>): the same calls from pages in browsers,
//! which see neither trailers nor, often, HTTP/2.

use std::time::Duration;

use http::{HeaderName, Method, Request, header};
use hyper::body::Incoming;
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::util::MapRequest;
use tower::{Layer as _, ServiceExt as _};
use tower_http::cors::{AllowOrigin, Cors, CorsLayer};

use crate::config::ServeArgs;

use super::body::Arriving;
use super::front::Front;

/// Calls as browsers make them, in front of the calls that they are.
pub(super) type Web = MapRequest<Cors<GrpcWebService<Front>>, fn(Request<Incoming>) -> Request<Arriving>>;

/// What a page may send besides what every page may: the headers of gRPC-Web and those that this server reads.
const REQUEST_HEADERS: [HeaderName; 6] = [
    header::CONTENT_TYPE,
    header::AUTHORIZATION,
    HeaderName::from_static("x-grpc-web"),
    HeaderName::from_static("x-user-agent"),
    HeaderName::from_static("grpc-timeout"),
    HeaderName::from_static("traceparent"),
];

/// What a page may read besides what every page may: how a call ended that has no body.
const RESPONSE_HEADERS: [HeaderName; 3] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// How long a browser may remember what a page may do. No browser remembers longer.
const PREFLIGHT_AGE: Duration = Duration::from_secs(2 * 60 * 60);

/// gRPC-Web as the settings want it; nothing if they do not.
pub(super) fn web(args: &ServeArgs, front: &Front) -> Option<Web> {
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::list(args.cors_origin.iter().cloned()))
        .allow_methods([Method::POST])
        .allow_headers(REQUEST_HEADERS)
        .expose_headers(RESPONSE_HEADERS)
        .max_age(PREFLIGHT_AGE);
    let arriving: fn(Request<Incoming>) -> Request<Arriving> = |request| request.map(Arriving);
    args.grpc_web.then(|| cors.layer(GrpcWebLayer::new().layer(front.clone())).map_request(arriving))
}
