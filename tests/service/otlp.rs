//! Spans of calls, from the program to a collector over a real socket.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use doudizhu::service::proto::DecideRequest;
use doudizhu::service::proto::decision_service_client::DecisionServiceClient;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::metadata::MetadataMap;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request, Response, Status};

use crate::harness::{lead, soon};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// A collector that keeps what it gets, and answers when its gate is open.
#[derive(Clone)]
struct Collector {
    got: Arc<Mutex<Vec<ExportTraceServiceRequest>>>,
    open: Arc<watch::Sender<bool>>,
    address: SocketAddr,
}

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.got.lock().expect("not poisoned").push(request.into_inner());
        self.open.subscribe().wait_for(|open| *open).await.expect("it lives as long as this");
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    async fn start(open: bool) -> Collector {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let collector = Collector { got: Arc::default(), open: Arc::new(watch::Sender::new(open)), address };
        let service = TraceServiceServer::new(collector.clone());
        tokio::spawn(
            Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener)),
        );
        collector
    }

    fn spans(&self) -> Vec<Span> {
        let got = self.got.lock().expect("not poisoned");
        let scopes = got.iter().flat_map(|each| &each.resource_spans).flat_map(|each| &each.scope_spans);
        scopes.flat_map(|each| each.spans.clone()).collect()
    }

    /// Its spans, once there are as many as there must be.
    async fn until(&self, count: usize) -> Vec<Span> {
        soon(async {
            while self.spans().len() < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            self.spans()
        })
        .await
    }
}

/// The program, as an operator starts it.
struct Program {
    child: Child,
    grpc: SocketAddr,
    log: Arc<Mutex<Vec<String>>>,
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port")
}

fn command(grpc: SocketAddr, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_doudizhu"));
    command.env_clear().envs(variables.iter().copied());
    command.args(["serve", "--admin-listen=127.0.0.1:0", "--lame-duck=0s", "--log-level=debug"]);
    command.arg(format!("--listen={grpc}")).stderr(Stdio::piped());
    command
}

impl Program {
    async fn start(collector: SocketAddr, variables: &[(&str, &str)]) -> Program {
        let grpc = free_port();
        let endpoint = format!("http://{collector}");
        let endpoint = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str())];
        let mut child = command(grpc, &[&endpoint, variables].concat()).spawn().expect("it starts");
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let kept = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                kept.lock().expect("not poisoned").push(line);
            }
        });
        let program = Program { child, grpc, log };
        program.until_logged("\"message\":\"ready\"").await;
        program
    }

    /// The first line of the log with `text`, once it is there.
    async fn until_logged(&self, text: &str) -> String {
        soon(async {
            loop {
                let found =
                    self.log.lock().expect("not poisoned").iter().find(|line| line.contains(text)).cloned();
                if let Some(line) = found {
                    return line;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
    }

    async fn client(&self) -> DecisionServiceClient<Channel> {
        let endpoint = Channel::from_shared(format!("http://{}", self.grpc)).expect("an address");
        DecisionServiceClient::new(endpoint.connect().await.expect("it listens"))
    }

    /// Ends it as an orchestrator does.
    async fn end(mut self) -> ExitStatus {
        let kill = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(kill.expect("there is a kill").success());
        soon(spawn_blocking(move || self.child.wait())).await.expect("no panic").expect("it ends")
    }
}

/// A request called `id` from a caller with this trace context.
fn request(id: &str, traceparent: Option<&str>) -> Request<DecideRequest> {
    let mut request = Request::new(DecideRequest { request_id: id.to_owned(), ..lead("3 4 5 6 7 9") });
    let metadata: &mut MetadataMap = request.metadata_mut();
    if let Some(traceparent) = traceparent {
        metadata.insert("traceparent", traceparent.parse().expect("plain text"));
    }
    request
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn attributes(of: &[KeyValue]) -> HashMap<String, Value> {
    let value = |value: &Option<AnyValue>| value.clone().and_then(|value| value.value).expect("a value");
    of.iter().map(|each| (each.key.clone(), value(&each.value))).collect()
}

fn string(text: &str) -> Value {
    Value::StringValue(text.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn otlp_spans_continue_the_callers_trace_and_are_in_the_log() {
    let collector = Collector::start(true).await;
    let program = Program::start(collector.address, &[("OTEL_BSP_SCHEDULE_DELAY", "10")]).await;
    let mut client = program.client().await;
    let sampled = format!("00-{TRACE}-{CALLER}-01");
    client.decide(request("first", Some(&sampled))).await.expect("an answer");
    let wrong = DecideRequest { request_id: "wrong".to_owned(), ..lead("3 3 3 3 3") };
    client.decide(wrong).await.expect_err("five of a rank");
    // The caller does not want this one recorded.
    client.decide(request("unsampled", Some(&format!("00-{TRACE}-{CALLER}-00")))).await.expect("an answer");
    client.decide(request("last", None)).await.expect("an answer");

    let spans = collector.until(3).await;
    let ids = spans.iter().map(|span| attributes(&span.attributes)["doudizhu.request_id"].clone());
    assert_eq!(ids.collect::<Vec<_>>(), ["first", "wrong", "last"].map(string));
    for (span, code) in spans.iter().zip([Code::Ok, Code::InvalidArgument, Code::Ok]) {
        assert_eq!(span.name, "doudizhu.v1.DecisionService/Decide");
        assert_eq!(span.kind(), SpanKind::Server);
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano);
        // A wrong request is no error of the server's.
        assert_eq!(span.status.as_ref().map_or(StatusCode::Unset, |status| status.code()), StatusCode::Unset);
        let attributes = attributes(&span.attributes);
        assert_eq!(attributes["rpc.system"], string("grpc"));
        assert_eq!(attributes["rpc.service"], string("doudizhu.v1.DecisionService"));
        assert_eq!(attributes["rpc.method"], string("Decide"));
        assert_eq!(attributes["rpc.grpc.status_code"], Value::IntValue(code as i64));
    }
    assert_eq!(
        (hex(&spans[0].trace_id), hex(&spans[0].parent_span_id)),
        (TRACE.to_owned(), CALLER.to_owned())
    );
    for own in [&spans[1], &spans[2]] {
        assert!(own.parent_span_id.is_empty() && hex(&own.trace_id) != TRACE);
    }
    assert_ne!(spans[1].trace_id, spans[2].trace_id);
    {
        let got = collector.got.lock().expect("not poisoned");
        let resource = got[0].resource_spans[0].resource.as_ref().expect("a resource");
        assert_eq!(attributes(&resource.attributes)["service.name"], string("doudizhu"));
    }
    for span in &spans {
        let Value::StringValue(id) = &attributes(&span.attributes)["doudizhu.request_id"] else { panic!() };
        let line = program.until_logged(&format!("\"request_id\":\"{id}\"")).await;
        for id in [
            format!("\"trace_id\":\"{}\"", hex(&span.trace_id)),
            format!("\"span_id\":\"{}\"", hex(&span.span_id)),
        ] {
            assert!(line.contains(&id), "{line}");
        }
    }
    assert!(program.end().await.success());
    assert_eq!(collector.spans().len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn otlp_spans_of_the_last_calls_are_sent_at_the_end() {
    let collector = Collector::start(true).await;
    let later = [("OTEL_BSP_SCHEDULE_DELAY", "3600000"), ("OTEL_SERVICE_NAME", "bots")];
    let program = Program::start(collector.address, &later).await;
    let mut client = program.client().await;
    for id in ["one", "two", "three"] {
        client.decide(request(id, None)).await.expect("an answer");
    }
    assert_eq!(collector.spans(), []);
    assert!(program.end().await.success());
    assert_eq!(collector.spans().len(), 3);
    let got = collector.got.lock().expect("not poisoned");
    let resource = got[0].resource_spans[0].resource.as_ref().expect("a resource");
    assert_eq!(attributes(&resource.attributes)["service.name"], string("bots"));
}

/// A queue that is full after a few calls, sent at once.
const SHORT_QUEUE: [(&str, &str); 3] = [
    ("OTEL_BSP_MAX_QUEUE_SIZE", "16"),
    ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8"),
    ("OTEL_BSP_SCHEDULE_DELAY", "10"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn otlp_a_collector_that_does_not_answer_holds_up_nothing() {
    let collector = Collector::start(false).await;
    let program = Program::start(collector.address, &SHORT_QUEUE).await;
    let mut client = program.client().await;
    client.decide(request("first", None)).await.expect("an answer");
    collector.until(1).await;
    // It has a batch and keeps it: an answer that waited for it would not come.
    for _ in 0..500 {
        soon(client.decide(request("more", None))).await.expect("an answer");
    }
    assert!(collector.spans().len() < 500);
    assert!(program.end().await.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn otlp_a_dead_collector_is_reported_once() {
    let program = Program::start(free_port(), &SHORT_QUEUE).await;
    let mut client = program.client().await;
    for _ in 0..500 {
        soon(client.decide(request("more", None))).await.expect("an answer");
    }
    program.until_logged("spans cannot be exported").await;
    let log = Arc::clone(&program.log);
    assert!(program.end().await.success());
    let log = log.lock().expect("not poisoned");
    let complaints = log.iter().filter(|line| line.contains("spans cannot be exported")).count();
    assert_eq!(complaints, 1);
}

#[tokio::test]
async fn otlp_settings_that_are_wrong_are_refused_by_their_names() {
    for (variable, value) in [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "no address"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "no address"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"),
    ] {
        let mut variables = vec![("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317")];
        variables.retain(|(name, _)| *name != variable);
        variables.push((variable, value));
        let mut child = command(free_port(), &variables).spawn().expect("it starts");
        let mut said = String::new();
        child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
        assert!(said.contains(variable), "{said}");
    }
}
