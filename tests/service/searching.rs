//! Strategies that use the time they are given.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use doudizhu::game::Situation;
use doudizhu::service::proto::DecideRequest;
use doudizhu::strategy::{Cost, Decision, Registry, Rhcp, Strategy, Thinking};

use crate::harness::{Server, lead, soon};

/// Thinks until its budget is spent, and plays as `rhcp` does. The number of states it reports is 1 if it
/// searched at all.
#[derive(Clone, Default)]
struct Searcher {
    searching: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Searcher {
    fn registry(&self) -> Registry {
        Registry::new(vec![Arc::new(Rhcp::default()), Arc::new(self.clone())])
    }

    async fn until_searching(&self, count: usize) {
        soon(async {
            while self.searching.load(Ordering::SeqCst) != count {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
    }
}

impl Strategy for Searcher {
    fn name(&self) -> &'static str {
        "searcher"
    }

    fn searches(&self) -> bool {
        true
    }

    fn decide(&self, turn: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        let mut states = 0;
        let mut iterations = 0;
        let now = self.searching.fetch_add(1, Ordering::SeqCst) + 1;
        while !(thinking.budget.is_spent)() && thinking.budget.iterations.is_none_or(|most| iterations < most)
        {
            self.most.fetch_max(now, Ordering::SeqCst);
            states = 1;
            iterations += 1;
            std::thread::sleep(Duration::from_millis(1));
        }
        self.searching.fetch_sub(1, Ordering::SeqCst);
        Decision { cost: Cost { states, memo_hits: 0 }, ..Rhcp::default().decide(turn, thinking) }
    }
}

fn request(budget: Option<Duration>, search_iterations: Option<u32>) -> DecideRequest {
    DecideRequest {
        strategy: "searcher".to_owned(),
        time_budget: budget.map(|budget| budget.try_into().expect("short")),
        search_iterations,
        ..lead("3 4 5 6 7 9")
    }
}

const LONG: Duration = Duration::from_secs(60);

async fn states(server: &Server, request: DecideRequest) -> u64 {
    let response = soon(async { server.client().await.decide(request).await }).await;
    response.expect("an answer").into_inner().cost.expect("a cost").states
}

#[tokio::test]
async fn the_budget_decides_whether_there_is_a_search() {
    let server = Server::with(&[], Searcher::default().registry()).await;
    assert_eq!(states(&server, request(Some(Duration::from_millis(500)), None)).await, 1);
    // The limit on iterations alone: as long as it takes.
    assert_eq!(states(&server, request(None, Some(3))).await, 1);
    assert_eq!(states(&server, request(Some(Duration::ZERO), None)).await, 0);
    assert_eq!(states(&server, request(Some(LONG), Some(0))).await, 0);
    // The server's default is not to search.
    assert_eq!(states(&server, request(None, None)).await, 0);
    let server = Server::with(&["--time-budget=500ms"], Searcher::default().registry()).await;
    assert_eq!(states(&server, request(None, None)).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_calls_do_not_wait_for_a_search() {
    let searcher = Searcher::default();
    let server = Server::with(&["--max-searches=2"], searcher.registry()).await;
    let mut client = server.client().await;
    let mut searches = Vec::new();
    for _ in 0..2 {
        let mut client = client.clone();
        searches.push(tokio::spawn(async move { client.decide(request(Some(LONG), None)).await }));
    }
    searcher.until_searching(2).await;
    for _ in 0..100 {
        soon(client.decide(lead("3 4 5 6 7 9"))).await.expect("an answer");
    }
    // A third search finds no thread within its budget, and is answered without.
    assert_eq!(states(&server, request(Some(Duration::from_millis(20)), None)).await, 0);
    assert_eq!(searcher.most.load(Ordering::SeqCst), 2);
    searches.iter().for_each(tokio::task::JoinHandle::abort);
    searcher.until_searching(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_ends_with_its_call() {
    let searcher = Searcher::default();
    let server = Server::with(&["--max-searches=1"], searcher.registry()).await;
    // The caller gives up.
    let mut client = server.client().await;
    let call = tokio::spawn(async move { client.decide(request(Some(LONG), None)).await });
    searcher.until_searching(1).await;
    call.abort();
    searcher.until_searching(0).await;
    // The call's deadline is sooner than the end of the budget: the best so far, in time.
    let mut short = tonic::Request::new(request(Some(LONG), None));
    short.set_timeout(Duration::from_secs(2));
    let response = soon(server.client().await.decide(short)).await.expect("an answer before the deadline");
    assert!(response.into_inner().play.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_waits_for_a_search() {
    let searcher = Searcher::default();
    let mut server = Server::with(&["--drain-limit=1h"], searcher.registry()).await;
    let mut client = server.client().await;
    let budget = Some(Duration::from_millis(300));
    let call = tokio::spawn(async move { client.decide(request(budget, None)).await });
    searcher.until_searching(1).await;
    server.stop();
    soon(call).await.expect("no panic").expect("the call is answered");
    server.ended().await.expect("it drained");
}

/// Has a crew of a hundred, if there are so many, and reports how many there were as the number of states.
struct Greedy;

impl Strategy for Greedy {
    fn name(&self) -> &'static str {
        "searcher"
    }

    fn searches(&self) -> bool {
        true
    }

    fn decide(&self, turn: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        let (arrived, all) = (Mutex::new(0), Condvar::new());
        (thinking.budget.crew)(100, &|| {
            // Everyone stays until five are here, or none has come for a while.
            let mut count = arrived.lock().expect("nobody panics");
            *count += 1;
            all.notify_all();
            let patience = Duration::from_millis(500);
            drop(all.wait_timeout_while(count, patience, |count| *count < 5).expect("nobody panics"));
        });
        let states = arrived.into_inner().expect("nobody panics");
        Decision { cost: Cost { states, memo_hits: 0 }, ..Rhcp::default().decide(turn, thinking) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_may_use_the_threads_that_no_other_wants() {
    let registry = Registry::new(vec![Arc::new(Rhcp::default()), Arc::new(Greedy)]);
    let server = Server::with(&["--max-searches=5"], registry).await;
    // Its own, and four more: five; the same again once they are given back.
    for _ in 0..3 {
        assert_eq!(states(&server, request(Some(LONG), None)).await, 5);
    }
}
