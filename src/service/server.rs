//! The life of a server: start, self-test, serve, lame duck, drain, end.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::{self, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use tonic::service::Routes;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::HealthService;

use crate::admin;
use crate::config::ServeArgs;
use crate::strategy::Registry;
use crate::telemetry::logs;
use crate::telemetry::metrics::{Metrics, UPKEEP_INTERVAL};

use super::body::MAX_REQUEST_BYTES;
use super::connection::Connections;
use super::front::{Front, Shared};
use super::handler::Handler;
use super::health::Health;
use super::proto::DESCRIPTORS;
use super::proto::decision_service_server::DecisionServiceServer;
use super::signals::Signals;
use super::tls::Tls;
use super::tokens::Tokens;
use super::turns::Turns;
use super::watched::BadFile;
use super::{Decider, SelfTestFailed};

/// How long to wait after a failed accept, which means that the process is out of file descriptors or memory:
/// connections must end before another attempt can succeed.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// How long killed connections are waited for, which only takes them being polled once more.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Tasks after which a busy worker looks at the sockets again. A task may be a connection with dozens of calls to refuse:
/// the runtime's own 61 of them would take a while.
const TASKS_PER_LOOK: u32 = 16;

/// The sockets of a server, bound and listening.
pub struct Sockets {
    /// For gRPC.
    pub grpc: TcpListener,
    /// For HTTP: metrics and probes.
    pub admin: TcpListener,
}

/// Why a server could not serve, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A socket could not be bound.
    #[error("cannot listen on {address} ({setting}): {source}")]
    Bind {
        /// The setting that names the address.
        setting: &'static str,
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The default strategy does not exist.
    #[error("--strategy: there is no strategy {0:?}")]
    UnknownStrategy(String),
    /// A file that a setting names is missing or wrong.
    #[error(transparent)]
    File(#[from] BadFile),
    /// A strategy is not fit to serve.
    #[error(transparent)]
    SelfTest(#[from] SelfTestFailed),
    /// The reflection service cannot be built from the descriptors.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// Spans cannot be exported as the environment wants it.
    #[cfg(feature = "otlp")]
    #[error(transparent)]
    Export(#[from] crate::telemetry::export::BadExport),
    /// Threads or signal handlers were refused by the system.
    #[error("{0}")]
    System(#[from] io::Error),
    /// A second signal came before the drain was over.
    #[error("a second signal came before the drain was over")]
    Interrupted,
}

/// Runs a server as the whole process: log, threads, signals, sockets. Returns when it has drained after SIGTERM
/// or SIGINT, or at once on a second signal.
///
/// # Errors
/// See [`ServeError`].
pub fn run(args: &ServeArgs) -> Result<(), ServeError> {
    logs::install(args.log_format, args.log_filter());
    #[cfg(feature = "otlp")]
    let export = crate::telemetry::export::Export::start()?;
    let threads = args.worker_threads();
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .event_interval(TASKS_PER_LOOK)
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(async {
        // Before anything else, so that a signal during the start is not lost.
        let mut signals = Signals::install()?;
        let sockets = Sockets::bind(args).await?;
        tracing::info!(version = env!("CARGO_PKG_VERSION"), threads, "starting");
        let (stop, stopped) = oneshot::channel::<()>();
        let mut server = std::pin::pin!(serve(sockets, args, Registry::builtin(), async {
            let _ = stopped.await;
        }));
        let signal = tokio::select! {
            outcome = server.as_mut() => return outcome,
            signal = signals.next() => signal,
        };
        tracing::info!(signal, "stopping");
        let _ = stop.send(());
        tokio::select! {
            outcome = server => outcome,
            signal = signals.next() => {
                tracing::warn!(signal, "second signal: not waiting for calls in flight");
                Err(ServeError::Interrupted)
            }
        }
    });
    // Whatever is still running has had its time.
    runtime.shutdown_background();
    #[cfg(feature = "otlp")]
    if let Some(export) = export.filter(|_| !matches!(outcome, Err(ServeError::Interrupted))) {
        export.shutdown();
    }
    outcome
}

impl Sockets {
    /// Binds the addresses of `args`.
    ///
    /// # Errors
    /// [`ServeError::Bind`].
    pub async fn bind(args: &ServeArgs) -> Result<Sockets, ServeError> {
        let bind = async |setting, address: SocketAddr| {
            let error = |source| ServeError::Bind { setting, address, source };
            TcpListener::bind(address).await.map_err(error)
        };
        Ok(Sockets {
            grpc: bind("--listen, DOUDIZHU_LISTEN", args.listen).await?,
            admin: bind("--admin-listen, DOUDIZHU_ADMIN_LISTEN", args.admin_listen).await?,
        })
    }
}

/// Serves the strategies of `registry` on `sockets` until `shutdown` resolves, then drains and returns.
///
/// The order of the end: health says NOT_SERVING; for the lame-duck pause everything is served as before, while
/// load balancers take notice; no connection is accepted any more, the open ones are told to go away, streams
/// end; calls in flight finish; what is left at the drain limit is dropped. Metrics and probes are served to
/// the last. If the future is dropped, everything ends at once.
///
/// # Errors
/// The configuration does not fit the registry, or a strategy fails the self-test.
pub async fn serve(
    sockets: Sockets,
    args: &ServeArgs,
    registry: Registry,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let metrics = Metrics::new();
    let decider =
        Decider::new(&registry, &args.strategy, args.time_budget.into(), args.max_searches(), &metrics)
            .ok_or_else(|| ServeError::UnknownStrategy(args.strategy.clone()))?;
    let decider = Arc::new(decider);
    let health = Health::starting().await;

    let kill = CancellationToken::new();
    let stop = kill.child_token();
    let _end_with_this_future = kill.clone().drop_guard();
    let tls = Tls::new(args, metrics.tls_reloads.clone())?;
    let certificates = tls.as_ref().map(|tls| Arc::clone(&tls.config));
    let tokens = Tokens::new(args, metrics.token_reloads.clone())?;
    if tokens.is_some() && tls.is_none() {
        tracing::warn!("tokens are asked for on a plaintext port: whatever brings calls here must add TLS");
    }
    let turns = Arc::new(Turns::new(Handle::current().metrics().num_workers()));
    let shared = Arc::new(Shared {
        tokens: tokens.clone(),
        metrics: Arc::clone(&metrics),
        in_flight: AtomicUsize::new(0),
        max_calls: args.max_calls,
        turns: Arc::clone(&turns),
        call_timeout: args.call_timeout.into(),
        stop: stop.clone(),
    });
    let front = Front { routes: routes(args, &health, Arc::clone(&decider))?, shared };
    let connections = Connections::new(args, front, tls, Arc::clone(&metrics), stop.clone(), kill.clone());

    let _admin = aside(sockets.admin, metrics, health.readiness()).await?;
    // Aborted when this future ends.
    let mut helpers = JoinSet::new();
    helpers.spawn(turns.take());
    if let Some(certificates) = certificates {
        helpers.spawn(certificates.watch(args.reload_interval.into()));
    }
    if let Some(tokens) = tokens {
        helpers.spawn(tokens.watch(args.reload_interval.into()));
    }
    let tracker = TaskTracker::new();
    tracker.spawn(accept(
        sockets.grpc,
        args.max_connections,
        Arc::new(connections),
        tracker.clone(),
        stop.clone(),
    ));

    decider.self_test()?;
    health.set_ready(true).await;
    tracing::info!(strategies = ?decider.strategies(), default = args.strategy, "ready");
    shutdown.await;

    health.set_ready(false).await;
    tracing::info!(pause = %args.lame_duck, "draining: not ready, still serving");
    sleep(args.lame_duck.into()).await;
    stop.cancel();
    tracker.close();
    if timeout(args.drain_limit.into(), tracker.wait()).await.is_err() {
        tracing::warn!(connections = tracker.len(), limit = %args.drain_limit, "drain limit reached: dropping connections");
        kill.cancel();
        let _ = timeout(LAST_WORDS, tracker.wait()).await;
    }
    tracing::info!("drained");
    Ok(())
}

/// The services behind one port.
fn routes(args: &ServeArgs, health: &Health, decider: Arc<Decider>) -> Result<Routes, ServeError> {
    let decisions =
        DecisionServiceServer::new(Handler { decider }).max_decoding_message_size(MAX_REQUEST_BYTES);
    let health = HealthServer::new(HealthService::from_health_reporter(health.reporter()))
        .max_decoding_message_size(MAX_REQUEST_BYTES);
    let mut routes = Routes::new(decisions).add_service(health);
    if args.reflection {
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(DESCRIPTORS)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let v1 = reflection().build_v1()?.max_decoding_message_size(MAX_REQUEST_BYTES);
        let v1alpha = reflection().build_v1alpha()?.max_decoding_message_size(MAX_REQUEST_BYTES);
        routes = routes.add_service(v1).add_service(v1alpha);
    }
    Ok(routes.prepare())
}

/// Accepts connections until `stop`.
///
/// Of those that have not sent their preface yet there are `most_silent` at most. A further one takes the place of
/// the oldest of them, so that clients who say nothing can only push out one another: others greet within a round
/// trip.
async fn accept(
    listener: TcpListener,
    most_silent: usize,
    connections: Arc<Connections>,
    tracker: TaskTracker,
    stop: CancellationToken,
) {
    let mut silent: VecDeque<oneshot::Sender<()>> = VecDeque::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => return,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_RETRY).await;
                continue;
            }
        };
        // Answers are small and each is waited for: none may be held back to be sent with the next one.
        let _ = stream.set_nodelay(true);
        // Those at the front that have spoken, or gone, have dropped their end.
        while silent.front().is_some_and(oneshot::Sender::is_closed) || silent.len() >= most_silent {
            silent.pop_front();
        }
        let (evict, evicted) = oneshot::channel();
        silent.push_back(evict);
        tracker.spawn(Arc::clone(&connections).serve(stream, evicted));
    }
}

/// Serves the admin port, and keeps the metrics small, on a thread of its own until the guard is dropped: probes and
/// scrapes are answered however busy the workers are, and folding a second's durations delays no call.
async fn aside(
    listener: TcpListener,
    metrics: Arc<Metrics>,
    ready: Arc<AtomicBool>,
) -> io::Result<DropGuard> {
    let listener = listener.into_std()?;
    let end = CancellationToken::new();
    let ended = end.clone();
    // From here on, so that the thread also ends if nobody waits for it any more.
    let guard = end.drop_guard();
    let (report, reported) = oneshot::channel::<io::Result<()>>();
    thread::Builder::new().name("admin".to_owned()).spawn(move || {
        let start = || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
            let listener = {
                let _inside = runtime.enter();
                TcpListener::from_std(listener)?
            };
            Ok((runtime, listener))
        };
        let (runtime, listener) = match start() {
            Ok(started) => started,
            Err(error) => {
                let _ = report.send(Err(error));
                return;
            }
        };
        // Nobody listens if the server has ended meanwhile; then this is over at once.
        let _ = report.send(Ok(()));
        runtime.block_on(async {
            tokio::select! {
                () = admin::serve(listener, Arc::clone(&metrics), ready) => {}
                () = upkeep(metrics) => {}
                () = ended.cancelled() => {}
            }
        });
    })?;
    reported.await.map_err(|_| io::Error::other("the admin thread is gone"))??;
    Ok(guard)
}

/// Keeps the metrics small.
async fn upkeep(metrics: Arc<Metrics>) {
    let mut ticks = interval(UPKEEP_INTERVAL);
    loop {
        ticks.tick().await;
        metrics.upkeep();
    }
}
