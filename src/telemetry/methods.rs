//! The RPC methods of the server: the closed set of the labels `grpc_service` and `grpc_method`.

/// Whether a method answers once or goes on answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One request, one response.
    Unary,
    /// One request, a stream of responses.
    ServerStream,
    /// A stream of requests, a stream of responses.
    BidiStream,
}

impl Kind {
    /// The value of the label `grpc_type`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Kind::Unary => "unary",
            Kind::ServerStream => "server_stream",
            Kind::BidiStream => "bidi_stream",
        }
    }
}

/// An RPC method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Unary or streaming.
    pub kind: Kind,
    /// The full name of its service.
    pub service: &'static str,
    /// Its name.
    pub name: &'static str,
}

const DECISION: &str = "doudizhu.v1.DecisionService";
const HEALTH: &str = "grpc.health.v1.Health";
const REFLECTION_V1: &str = "grpc.reflection.v1.ServerReflection";
const REFLECTION_V1ALPHA: &str = "grpc.reflection.v1alpha.ServerReflection";

/// Every method of the server.
pub const METHODS: [Method; 10] = [
    Method { kind: Kind::Unary, service: DECISION, name: "Decide" },
    Method { kind: Kind::Unary, service: DECISION, name: "RankPlays" },
    Method { kind: Kind::Unary, service: DECISION, name: "Bid" },
    Method { kind: Kind::Unary, service: DECISION, name: "Double" },
    Method { kind: Kind::Unary, service: DECISION, name: "EvaluateHand" },
    Method { kind: Kind::Unary, service: DECISION, name: "ClassifyPlay" },
    Method { kind: Kind::Unary, service: HEALTH, name: "Check" },
    Method { kind: Kind::ServerStream, service: HEALTH, name: "Watch" },
    Method { kind: Kind::BidiStream, service: REFLECTION_V1, name: "ServerReflectionInfo" },
    Method { kind: Kind::BidiStream, service: REFLECTION_V1ALPHA, name: "ServerReflectionInfo" },
];

/// Stands for every path that is no method of the server.
pub const UNKNOWN: Method = Method { kind: Kind::Unary, service: "unknown", name: "unknown" };

impl Method {
    /// The method that a request path names.
    #[must_use]
    pub fn of_path(path: &str) -> &'static Method {
        let named = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let found = named.and_then(|(service, name)| {
            METHODS.iter().find(|method| method.name == name && method.service == service)
        });
        found.unwrap_or(&UNKNOWN)
    }

    /// Whether it belongs to the decision service, and so counts against its limits.
    #[must_use]
    pub fn decides(&self) -> bool {
        self.service == DECISION
    }

    /// Whether it is closed to callers without a token where the server asks for one. Health is open: probes and load
    /// balancers have none, and learn nothing but whether the server is up. What is unknown is closed.
    #[must_use]
    pub fn needs_token(&self) -> bool {
        self.service != HEALTH
    }

    /// Its position in the table, after which the unknown method comes.
    pub(crate) fn index(&self) -> usize {
        METHODS.iter().position(|known| known == self).unwrap_or(METHODS.len())
    }
}

#[cfg(test)]
mod tests {
    use prost_reflect::DescriptorPool;

    use super::*;

    #[test]
    fn every_method_of_the_proto_files_is_in_the_table() {
        let pool = DescriptorPool::decode(crate::service::proto::DESCRIPTORS).expect("build.rs made it");
        let service = pool.get_service_by_name(DECISION).expect("it is the service");
        for method in service.methods() {
            let path = format!("/{DECISION}/{}", method.name());
            assert_eq!(Method::of_path(&path).name, method.name());
            assert!(Method::of_path(&path).decides());
        }
    }

    #[test]
    fn only_health_needs_no_token() {
        for method in METHODS.iter().chain([&UNKNOWN]) {
            assert_eq!(method.needs_token(), method.service != "grpc.health.v1.Health", "{method:?}");
        }
    }

    #[test]
    fn other_paths_are_one_unknown_method() {
        for path in ["", "/", "/doudizhu.v1.DecisionService/Nope", "/x/Decide", "/a/b/c", "*"] {
            assert_eq!(Method::of_path(path), &UNKNOWN, "{path}");
        }
    }
}
