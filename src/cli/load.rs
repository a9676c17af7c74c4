//! Load on a server: what callers see of latency and throughput.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::builder::RangedU64ValueParser;
use doudizhu::bench::situations;
use doudizhu::service::proto::DecideRequest;
use doudizhu::service::proto::decision_service_client::DecisionServiceClient;
use doudizhu::strategy::Rhcp;
use hdrhistogram::Histogram;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};
use tonic::Code;
use tonic::service::interceptor::InterceptedService;

use super::Failure;
use super::backend::{Connection, TrustArgs};

mod report;

use report::{Level, Report};

/// Put load on a server and measure its latency and throughput.
///
/// Calls Decide with the situations of real games, every second one minimal. Without --rate each of the
/// concurrent callers sends its next call when the last one is answered; with --rate calls are due at fixed times
/// and latency counts from then, so that a server that falls behind is not flattered.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The server's address.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:50051")]
    addr: String,

    /// A second server to compare with, in turns of a second in the same run; such as the bare `echo` example,
    /// which does nothing.
    #[arg(long, value_name = "URL")]
    floor_addr: Option<String>,

    /// Calls in flight at once; several numbers are run one after the other.
    #[arg(long, value_name = "N,N,…", default_value = "1,64", value_delimiter = ',',
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    concurrency: Vec<usize>,

    /// Connections that the calls are spread over; never more than calls in flight.
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    connections: usize,

    /// How long to load each server at each concurrency.
    #[arg(long, value_name = "DURATION", default_value = "10s")]
    duration: humantime::Duration,

    /// Calls a second, spread evenly, instead of as many as the callers get through.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rate: Option<u32>,

    /// Deadline of every call.
    #[arg(long, value_name = "DURATION", default_value = "1s")]
    timeout: humantime::Duration,

    /// Attempts after the first, 100 ms apart, for calls that end with UNAVAILABLE or RESOURCE_EXHAUSTED.
    #[arg(long, value_name = "N", default_value_t = 0)]
    retries: u32,

    /// The strategy that decides [default: the server's].
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    strategy: String,

    #[command(flatten)]
    trust: TrustArgs,

    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Situations that are sent in turn.
const SITUATIONS: usize = 5_000;

/// How long one server is loaded before it is the other one's turn.
const TURN: Duration = Duration::from_secs(1);

/// Latencies beyond it count as this long, in nanoseconds: one hour.
const LONGEST_LATENCY: u64 = 3_600_000_000_000;

/// Pause before another attempt: what the server's RetryInfo asks for.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// What the callers of one server saw at one concurrency.
#[derive(Clone)]
struct Seen {
    /// Latencies of answered calls, in nanoseconds.
    latency: Histogram<u64>,
    /// Latencies of calls that were turned away because the server was full, in nanoseconds.
    shed: Histogram<u64>,
    /// Calls that ended with something else than an answer, by code.
    failed: BTreeMap<i32, u64>,
    elapsed: Duration,
}

impl Seen {
    fn new() -> Result<Seen, Failure> {
        // Three digits: a relative error of a thousandth.
        Ok(Seen {
            latency: Histogram::new_with_max(LONGEST_LATENCY, 3)?,
            shed: Histogram::new_with_max(LONGEST_LATENCY, 3)?,
            failed: BTreeMap::new(),
            elapsed: Duration::ZERO,
        })
    }

    fn add(&mut self, other: &Seen) -> Result<(), Failure> {
        self.latency.add(&other.latency)?;
        self.shed.add(&other.shed)?;
        for (code, count) in &other.failed {
            *self.failed.entry(*code).or_default() += count;
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let requests: Vec<DecideRequest> = situations(&Rhcp::default(), 1, SITUATIONS)
        .iter()
        .map(|situation| DecideRequest {
            situation: Some(situation.into()),
            strategy: args.strategy.clone(),
            ..DecideRequest::default()
        })
        .collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = runtime.block_on(measure(args, Arc::new(requests)))?;
    let text = if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.to_string() };
    super::print::out(&text)?;
    if report.failed() > 0 {
        return Err(format!("{} calls failed", report.failed()).into());
    }
    Ok(())
}

async fn measure(args: &Args, requests: Arc<Vec<DecideRequest>>) -> Result<Report, Failure> {
    let mut report = Report::default();
    let addrs: Vec<&str> =
        [Some(args.addr.as_str()), args.floor_addr.as_deref()].into_iter().flatten().collect();
    for concurrency in &args.concurrency {
        let mut targets = Vec::new();
        for addr in &addrs {
            targets.push((Target::connect(addr, *concurrency, args).await?, Seen::new()?));
        }
        let turn = if targets.len() > 1 { TURN.min(*args.duration) } else { *args.duration };
        let turns = (args.duration.as_secs_f64() / turn.as_secs_f64().max(1e-9)).ceil().max(1.0) as u32;
        for _ in 0..turns {
            for (target, seen) in &mut targets {
                let start = Instant::now();
                seen.add(&target.load(*concurrency, turn, args, &requests).await?)?;
                seen.elapsed += start.elapsed();
            }
        }
        let mut targets = targets.into_iter().map(|(_, seen)| seen);
        if let Some(server) = targets.next() {
            report.levels.push(Level::new(*concurrency, &server, targets.next().as_ref()));
        }
    }
    Ok(report)
}

/// A server under load, and the connections to it.
struct Target {
    channels: Vec<Connection>,
}

impl Target {
    async fn connect(addr: &str, concurrency: usize, args: &Args) -> Result<Target, Failure> {
        let endpoint = args.trust.endpoint(addr, args.timeout.into())?;
        let credentials = args.trust.credentials()?;
        let mut channels = Vec::new();
        for _ in 0..args.connections.min(concurrency) {
            let channel = endpoint.connect().await.map_err(|error| format!("{addr}: {error}"))?;
            channels.push(InterceptedService::new(channel, credentials.clone()));
        }
        Ok(Target { channels })
    }

    /// Loads the server for `turn` with `concurrency` callers.
    async fn load(
        &self,
        concurrency: usize,
        turn: Duration,
        args: &Args,
        requests: &Arc<Vec<DecideRequest>>,
    ) -> Result<Seen, Failure> {
        let start = Instant::now();
        let next = Arc::new(AtomicU64::new(0));
        let mut callers = JoinSet::new();
        for channel in self.channels.iter().cycle().take(concurrency) {
            let caller = Caller {
                client: DecisionServiceClient::new(channel.clone()),
                next: Arc::clone(&next),
                requests: Arc::clone(requests),
                start,
                end: start + turn,
                interval: args.rate.map(|rate| Duration::from_secs(1) / rate),
                retries: args.retries,
                seen: Seen::new()?,
            };
            callers.spawn(caller.run());
        }
        let mut seen = Seen::new()?;
        while let Some(caller) = callers.join_next().await {
            seen.add(&caller?)?;
        }
        Ok(seen)
    }
}

/// One caller: one call at a time.
struct Caller {
    client: DecisionServiceClient<Connection>,
    /// The number of the next call, shared by all callers.
    next: Arc<AtomicU64>,
    requests: Arc<Vec<DecideRequest>>,
    start: Instant,
    end: Instant,
    /// Between two calls of all callers together, if calls are due at fixed times.
    interval: Option<Duration>,
    retries: u32,
    seen: Seen,
}

impl Caller {
    async fn run(mut self) -> Seen {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let due = match self.interval {
                None => Instant::now(),
                Some(interval) => self.start + interval.mul_f64(number as f64),
            };
            if due >= self.end {
                return self.seen;
            }
            sleep_until(due.into()).await;
            let request = &self.requests[number as usize % self.requests.len()];
            let code = self.call(request.clone()).await;
            let nanos = u64::try_from(due.elapsed().as_nanos()).unwrap_or(u64::MAX);
            match code {
                Code::Ok => self.seen.latency.saturating_record(nanos),
                Code::ResourceExhausted => self.seen.shed.saturating_record(nanos),
                _ => {}
            }
            if code != Code::Ok {
                *self.seen.failed.entry(code as i32).or_default() += 1;
            }
        }
    }

    async fn call(&mut self, request: DecideRequest) -> Code {
        let mut attempts_left = self.retries;
        loop {
            let code = match self.client.decide(request.clone()).await {
                Ok(_) => return Code::Ok,
                Err(status) => code_of(&status),
            };
            if attempts_left == 0 || !matches!(code, Code::Unavailable | Code::ResourceExhausted) {
                return code;
            }
            attempts_left -= 1;
            sleep(RETRY_DELAY).await;
        }
    }
}

/// The code of a call that failed. What ended on this side of the wire carries its cause: a connection that went
/// away before the call had left is UNAVAILABLE, whatever the client library makes of it.
fn code_of(status: &tonic::Status) -> Code {
    match status.source() {
        None => status.code(),
        Some(cause) if cause.is::<tonic::TimeoutExpired>() => Code::DeadlineExceeded,
        Some(_) => Code::Unavailable,
    }
}
