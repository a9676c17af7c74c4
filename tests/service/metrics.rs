//! What Prometheus sees.

use std::collections::{BTreeMap, BTreeSet};

use doudizhu::telemetry::metrics::DURATION_BUCKETS;

use crate::harness::{Server, follow, lead};

/// Every metric of ours: its type and the names of its labels. Dashboards and alerts depend on these.
const METRICS: &[(&str, &str, &[&str])] = &[
    ("doudizhu_build_info", "gauge", &["revision", "version"]),
    ("doudizhu_calls_in_flight", "gauge", &[]),
    ("doudizhu_calls_shed_total", "counter", &[]),
    ("doudizhu_connections", "gauge", &[]),
    ("doudizhu_connections_refused_total", "counter", &[]),
    ("doudizhu_decision_duration_seconds", "histogram", &["le", "strategy", "turn"]),
    ("doudizhu_decisions_total", "counter", &["group", "role", "strategy"]),
    ("doudizhu_evaluator_states_total", "counter", &["strategy"]),
    ("doudizhu_handshakes_failed_total", "counter", &[]),
    ("doudizhu_memo_hits_total", "counter", &["strategy"]),
    ("doudizhu_panics_total", "counter", &[]),
    ("doudizhu_reloads_total", "counter", &["files", "outcome"]),
    ("grpc_server_handled_total", "counter", &["grpc_code", "grpc_method", "grpc_service", "grpc_type"]),
    ("grpc_server_handling_seconds", "histogram", &["grpc_method", "grpc_service", "grpc_type", "le"]),
    ("grpc_server_started_total", "counter", &["grpc_method", "grpc_service", "grpc_type"]),
];

#[tokio::test]
async fn every_metric_has_its_type_its_labels_and_a_description() {
    let server = Server::start(&[]).await;
    let page = server.get("/metrics").await.1;
    let mut types = BTreeMap::new();
    let mut described = BTreeSet::new();
    let mut labels: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').expect("a type");
            types.insert(name.to_owned(), kind.to_owned());
        } else if let Some(rest) = line.strip_prefix("# HELP ") {
            described.insert(rest.split(' ').next().expect("a name").to_owned());
        } else if let Some(series) = line.split(' ').next().filter(|series| !series.is_empty()) {
            let (name, rest) = series.split_once('{').unwrap_or((series, ""));
            let base = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix));
            let names = labels.entry(base.unwrap_or(name).to_owned()).or_default();
            let pairs = rest.trim_end_matches('}').split(',').filter_map(|pair| pair.split_once('='));
            names.extend(pairs.map(|(label, _)| label.to_owned()));
        }
    }
    let ours: Vec<_> = types.iter().filter(|(name, _)| !name.starts_with("process_")).collect();
    let expected: Vec<_> =
        METRICS.iter().map(|(name, kind, _)| (name.to_string(), kind.to_string())).collect();
    assert_eq!(ours, expected.iter().map(|(name, kind)| (name, kind)).collect::<Vec<_>>());
    for (name, _, names) in METRICS {
        let seen: Vec<&str> = labels[*name].iter().map(String::as_str).collect();
        assert_eq!(seen, *names, "{name}");
        assert!(described.contains(*name), "{name}");
        assert!(
            include_str!("../../README.md").contains(&format!("`{name}`")),
            "{name} is not in the README"
        );
    }
    assert!(types.contains_key("process_resident_memory_bytes"));
    assert!(types.contains_key("process_cpu_seconds_total"));
}

#[tokio::test]
async fn calls_are_counted_under_their_codes() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    client.decide(lead("3 4 5 6 7 9")).await.expect("an answer");
    client.decide(follow("5 5 9 K", "4 4")).await.expect("an answer");
    client.decide(follow("3", "2")).await.expect("an answer");
    client.decide(lead("")).await.expect_err("no hand");

    let method = "grpc_method=\"Decide\"";
    server.until_metric("grpc_server_handled_total", &[method, "grpc_code=\"OK\""], 3.0).await;
    server.until_metric("grpc_server_handled_total", &[method, "grpc_code=\"InvalidArgument\""], 1.0).await;
    assert_eq!(server.metric("grpc_server_started_total", &[method]).await, 4.0);
    assert_eq!(server.metric("grpc_server_handling_seconds_count", &[method]).await, 4.0);

    let rhcp = "strategy=\"rhcp\"";
    let decisions = |role: &'static str, group: &'static str| {
        let (role, group) = (format!("role=\"{role}\""), format!("group=\"{group}\""));
        let server = &server;
        async move { server.metric("doudizhu_decisions_total", &[rhcp, &role, &group]).await }
    };
    assert_eq!(decisions("landlord", "straight").await, 1.0);
    assert_eq!(decisions("peasant_after", "pair").await, 1.0);
    assert_eq!(decisions("peasant_after", "pass").await, 1.0);
    assert_eq!(decisions("peasant_before", "pass").await, 0.0);
    let durations = "doudizhu_decision_duration_seconds_count";
    assert_eq!(server.metric(durations, &[rhcp, "turn=\"lead\""]).await, 1.0);
    assert_eq!(server.metric(durations, &[rhcp, "turn=\"follow\""]).await, 2.0);
    assert!(server.metric("doudizhu_evaluator_states_total", &[rhcp]).await > 0.0);
    assert_eq!(server.metric("doudizhu_calls_in_flight", &[]).await, 0.0);
}

#[tokio::test]
async fn durations_are_real_histograms() {
    let server = Server::start(&[]).await;
    let page = server.get("/metrics").await.1;
    let series = "doudizhu_decision_duration_seconds_bucket{strategy=\"rhcp\",turn=\"lead\",le=\"";
    let bounds: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix(series)?.split('"').next()).collect();
    let expected: Vec<String> =
        DURATION_BUCKETS.iter().map(f64::to_string).chain(["+Inf".to_owned()]).collect();
    assert_eq!(bounds, expected);
    assert!(!page.contains("quantile"), "a histogram without buckets is shown as a summary");
}

#[tokio::test]
async fn callers_cannot_create_series() {
    let server = Server::start(&[]).await;
    let count = |page: &str| page.lines().filter(|line| !line.starts_with('#')).count();
    let before = count(&server.get("/metrics").await.1);
    let mut sender = server.h2().await;
    for attempt in 0..50 {
        sender = sender.ready().await.expect("ready");
        let request = http::Request::post(format!("http://test/some.Service{attempt}/Method"))
            .header("content-type", "application/grpc")
            .body(())
            .expect("a request");
        let (response, _) = sender.send_request(request, true).expect("sent");
        response.await.expect("a response");
    }
    let labels = ["grpc_method=\"unknown\"", "grpc_code=\"Unimplemented\""];
    server.until_metric("grpc_server_handled_total", &labels, 50.0).await;
    let mut request = lead("3");
    request.strategy = "my own".to_owned();
    request.request_id = "label, please".to_owned();
    server.client().await.decide(request).await.expect_err("there is no such strategy");
    let page = server.get("/metrics").await.1;
    assert_eq!(count(&page), before);
    assert!(!page.contains("my own") && !page.contains("label, please") && !page.contains("some.Service"));
}

#[tokio::test]
async fn the_admin_port_answers_what_it_knows() {
    let server = Server::start(&[]).await;
    let (head, _) = server.admin_exchange("GET", "/metrics").await;
    assert!(head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{head}");
    assert!(server.admin_exchange("GET", "/").await.0.starts_with("HTTP/1.1 404"));
    assert!(server.admin_exchange("GET", "/metrics/").await.0.starts_with("HTTP/1.1 404"));
    assert!(server.admin_exchange("POST", "/metrics").await.0.starts_with("HTTP/1.1 405"));
    let (head, body) = server.admin_exchange("HEAD", "/healthz").await;
    assert!(head.starts_with("HTTP/1.1 200") && body.is_empty(), "{head}");
}
