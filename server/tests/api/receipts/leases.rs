//! Writes of server processes that die, seem dead, or are slow: who gives them up, and when.

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::requests::ReceiptStatus;
use l10n_api_types::{ApiKeyId, DailyBudget, KeyKind, ProjectId, RequestId, Scope};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::Caller;
use l10n_server::domain::ServiceError;
use l10n_server::domain::receipts::{self, BeginOutcome, IdempotencyKey, RECEIPT_LEASE_MILLIS, Write, WriteRequest};
use l10n_server::engines::Pseudo;
use l10n_server::service::Service;
use l10n_server::store::daily_counts;
use l10n_server::store::{Store, api_keys};
use l10n_server::testing::postgres::DurableCluster;
use l10n_server::testing::{TestApp, TestStore, some_turns, sql};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::receipts::{receipt, until};

both_engines!(
    a_write_that_nobody_waits_for_from_its_beginning_is_said_to_have_failed,
    a_killed_processs_key_is_free_within_a_minute,
    a_write_slower_than_its_lease_keeps_it_and_lands,
    a_process_that_was_given_up_cannot_land_and_writes_nothing,
    whatever_two_processes_live_through_a_key_is_carried_out_once,
);

const LEASE: Duration = Duration::from_millis(RECEIPT_LEASE_MILLIS.unsigned_abs());

/// The caller with this key and correlation id.
async fn caller(app: &TestApp, request: &str) -> Caller {
    let mut tx = app.service.store.begin_read().await.unwrap();
    let keys = api_keys::list(&mut tx, &app.project.id).await.unwrap();
    Caller {
        project: app.project.id.clone(),
        workspace: app.project.workspace.clone(),
        key: ApiKeyId::new(keys[0].id.clone()),
        scopes: vec![Scope::Admin],
        kind: KeyKind::Ci,
        request: RequestId::new(request),
    }
}

async fn begin(service: &Service, caller: &Caller, key: &str) -> Result<BeginOutcome, ServiceError> {
    let idempotency = Some(IdempotencyKey { text: key.to_owned(), fingerprint: [0; 32] });
    receipts::begin(&service.receipts(), caller, WriteRequest { kind: "test", idempotency }).await
}

async fn begin_new(service: &Service, caller: &Caller, key: &str) -> Arc<Write> {
    match begin(service, caller, key).await.unwrap() {
        BeginOutcome::New(write) => write,
        BeginOutcome::Before(replayed) => panic!("{replayed:?}"),
    }
}

/// Ends a write as its process's SIGKILL would: nothing is said of it any more.
fn kill(write: Arc<Write>) {
    std::mem::forget(write);
}

/// One unit of a budget, the effect of a write of these tests: `day` says whose.
async fn land(service: &Service, write: &Arc<Write>, project: &ProjectId, day: i64) -> Result<(), ServiceError> {
    let mut tx = service.store.begin_write().await?;
    daily_counts::take(&mut tx, project, day, DailyBudget::Runs, 1, 1_000).await?;
    write.land(&mut tx, 200, None, b"{}").await?;
    tx.commit().await?;
    Ok(())
}

async fn effects(app: &TestApp, day: i64) -> i64 {
    let mut tx = app.service.store.begin_read().await.unwrap();
    daily_counts::used(&mut tx, &app.project.id, day).await.unwrap().iter().map(|(_, used)| used).sum()
}

/// API-COMPLETION 1: a process that died gives its running request up with its lease. Until then the refusal says when to
/// ask again, later and later.
async fn a_killed_processs_key_is_free_within_a_minute(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let beside = app.beside(&store).await;
    let caller = caller(&app, "first").await;
    kill(begin_new(&app.service, &caller, "k").await);
    for (seconds, retry_after) in [(0, 1), (1, 1), (4, 4), (12, 10)] {
        let refused = begin_at(&app, &beside, &caller, seconds).await.unwrap_err();
        assert!(
            matches!(refused, ServiceError::IdempotencyInProgress { retry_after_seconds } if retry_after_seconds == retry_after),
            "after {seconds} seconds: {refused:?}"
        );
    }
    assert!(LEASE < Duration::from_secs(60));
    app.clock.advance(LEASE - Duration::from_secs(12) - Duration::from_millis(1));
    assert!(begin(&beside.service, &caller, "k").await.is_err());
    app.clock.advance(Duration::from_millis(1));
    let second = begin_new(&beside.service, &caller, "k").await;
    assert_ne!(second.request(), &RequestId::new("first"));
    let told = receipt(&beside, "first").await;
    assert_eq!((told.status, told.finished_at), (ReceiptStatus::Failed, Some(app.clock.now())));
    assert!(told.error.unwrap().message.contains("nothing was written"));
    land(&beside.service, &second, &app.project.id, 1).await.unwrap();
    assert!(matches!(begin(&beside.service, &caller, "k").await.unwrap(), BeginOutcome::Before(_)));
}

/// Asks so many seconds after the test's beginning.
async fn begin_at(
    app: &TestApp,
    beside: &TestApp,
    caller: &Caller,
    seconds: i64,
) -> Result<BeginOutcome, ServiceError> {
    let began = l10n_server::clock::TestClock::default().now();
    app.clock.set(began.plus_millis(seconds * 1_000));
    begin(&beside.service, caller, "k").await
}

/// As when clients hang up the moment after they have asked: whatever was begun ends.
async fn a_write_that_nobody_waits_for_from_its_beginning_is_said_to_have_failed(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let first = caller(&app, "first").await;
    drop(begin_new(&app.service, &first, "k").await);
    let parts = app.service.receipts();
    let begin = async |request: String| {
        let caller = Caller { request: RequestId::new(request), ..first.clone() };
        receipts::begin(&parts, &caller, WriteRequest { kind: "test", idempotency: None }).await.unwrap()
    };
    for turns in 0..60 {
        tokio::select! {
            biased;
            write = begin(format!("given up {turns}")) => drop(write),
            () = some_turns(turns * turns) => {}
        }
    }
    let BeginOutcome::New(last) = begin("last".to_owned()).await else { panic!("nothing is replayed without a key") };
    land(&app.service, &last, &app.project.id, 1).await.unwrap();
    until(async || running(&app).await == 0).await;
    assert_eq!(receipt(&app, "last").await.status, ReceiptStatus::Succeeded);
}

/// Receipts that say `running`.
async fn running(app: &TestApp) -> i64 {
    sql::count(&app.service.store, "requests WHERE status = 'running'").await
}

async fn a_write_slower_than_its_lease_keeps_it_and_lands(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let beside = app.beside(&store).await;
    let caller = caller(&app, "slow").await;
    let slow = begin_new(&app.service, &caller, "k").await;
    for _ in 0..25 {
        app.clock.advance(Duration::from_secs(20));
        assert_eq!(receipts::keep_up(&app.service.receipts()).await.unwrap(), 0);
        assert_eq!(receipts::keep_up(&beside.service.receipts()).await.unwrap(), 0);
        assert!(begin(&beside.service, &caller, "k").await.is_err());
    }
    land(&app.service, &slow, &app.project.id, 1).await.unwrap();
    assert_eq!((receipt(&app, "slow").await.status, effects(&app, 1).await), (ReceiptStatus::Succeeded, 1));
}

async fn a_process_that_was_given_up_cannot_land_and_writes_nothing(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let beside = app.beside(&store).await;
    let caller = caller(&app, "frozen").await;
    let frozen = begin_new(&app.service, &caller, "k").await;
    let other = begin_new(&app.service, &Caller { request: RequestId::new("other"), ..caller.clone() }, "k-2").await;
    app.clock.advance(LEASE);
    assert_eq!(receipts::keep_up(&beside.service.receipts()).await.unwrap(), 2);
    for id in ["frozen", "other"] {
        assert_eq!(receipt(&app, id).await.status, ReceiptStatus::Failed);
    }
    let second = begin_new(&beside.service, &caller, "k").await;
    land(&beside.service, &second, &app.project.id, 1).await.unwrap();
    for write in [&frozen, &other] {
        let late = land(&app.service, write, &app.project.id, 1).await.unwrap_err();
        assert!(matches!(late, ServiceError::Late), "{late:?}");
        write.fail(&late).await;
    }
    assert_eq!(effects(&app, 1).await, 1);
    // It goes on with new writes under a new lease.
    let third = begin_new(&app.service, &Caller { request: RequestId::new("third"), ..caller.clone() }, "k-3").await;
    app.clock.advance(LEASE - Duration::from_millis(1));
    assert_eq!(receipts::keep_up(&beside.service.receipts()).await.unwrap(), 0);
    land(&app.service, &third, &app.project.id, 1).await.unwrap();
}

/// A write of the model, and the key that it came with.
struct Running {
    write: Arc<Write>,
    process: usize,
    key: usize,
    id: String,
}

/// Two processes begin, land, fail, are killed and seem dead, in random orders. A receipt says `succeeded` if and only if
/// its effect is there, an `Idempotency-Key` takes effect once at most, and a minute after the end nothing runs.
async fn whatever_two_processes_live_through_a_key_is_carried_out_once(store: TestStore) {
    const KEYS: usize = 4;
    let seed = std::env::var("L10N_SEED").map_or_else(|_| u64::from(std::process::id()), |seed| seed.parse().unwrap());
    println!("L10N_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let project = &app.project.id;
    let url = store.url().to_owned();
    let mut processes = [app.service.clone(), fresh(&app, &url).await];
    let mut running: Vec<Running> = Vec::new();
    let (mut begun, mut landed): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut carried_out = [0_i64; KEYS];
    for step in 0..300 {
        let process = random.random_range(0..processes.len());
        let one = (!running.is_empty()).then(|| random.random_range(0..running.len().max(1)));
        match random.random_range(0..100) {
            0..40 => {
                let (key, id) = (random.random_range(0..KEYS), format!("step-{step}"));
                let caller = caller(&app, &id).await;
                match begin(&processes[process], &caller, &format!("k-{key}")).await {
                    Ok(BeginOutcome::New(write)) => {
                        assert_eq!(carried_out[key], 0, "carried out once");
                        begun.push(id.clone());
                        running.push(Running { write, process, key, id });
                    }
                    Ok(BeginOutcome::Before(_)) => assert_eq!(carried_out[key], 1, "replayed after it was carried out"),
                    Err(ServiceError::IdempotencyInProgress { .. }) => assert_eq!(carried_out[key], 0),
                    Err(error) => panic!("{error:?}"),
                }
            }
            40..60 => {
                let Some(one) = one else { continue };
                let one = running.swap_remove(one);
                let day = i64::try_from(one.key).unwrap();
                match land(&processes[one.process], &one.write, project, day).await {
                    Ok(()) => {
                        carried_out[one.key] += 1;
                        landed.push(one.id);
                    }
                    Err(late @ ServiceError::Late) => one.write.fail(&late).await,
                    Err(error) => panic!("{error:?}"),
                }
            }
            60..68 => {
                let Some(one) = one else { continue };
                running.swap_remove(one).write.fail(&ServiceError::internal("planned")).await;
            }
            68..76 => {
                // Killed, and another one started in its place.
                for index in (0..running.len()).rev() {
                    if running[index].process == process {
                        kill(running.swap_remove(index).write);
                    }
                }
                processes[process] = fresh(&app, &url).await;
            }
            76..90 => drop(receipts::keep_up(&processes[process].receipts()).await.unwrap()),
            _ => drop(app.clock.advance(Duration::from_secs(random.random_range(0..40)))),
        }
        for (key, expected) in carried_out.iter().enumerate() {
            let there = effects(&app, i64::try_from(key).unwrap()).await;
            assert_eq!((there, there <= 1), (*expected, true), "step {step}, key {key}");
        }
    }
    running.into_iter().for_each(|one| kill(one.write));
    app.clock.advance(LEASE);
    receipts::keep_up(&fresh(&app, &url).await.receipts()).await.unwrap();
    for id in begun {
        let expected = if landed.contains(&id) { ReceiptStatus::Succeeded } else { ReceiptStatus::Failed };
        assert_eq!(receipt(&app, &id).await.status, expected, "{id}");
    }
}

/// A process of its own on the same datastore.
async fn fresh(app: &TestApp, url: &str) -> Service {
    let store = Store::connect(url).await.unwrap();
    let settings = (*app.service.settings).clone();
    Service::new(store, Arc::new(app.clock.clone()), settings, Arc::new(Pseudo)).unwrap()
}

/// A failure that the datastore did not take, because it was away, is written down when it is back, so that the key does not
/// wait for the age of its receipt.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_that_met_an_outage_is_settled_after_it() {
    let Some(mut cluster) = DurableCluster::for_test() else { return };
    let store = TestStore::at(cluster.database().await).await;
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let caller = caller(&app, "cut").await;
    let write = begin_new(&app.service, &caller, "k").await;
    tokio::task::block_in_place(|| cluster.crash()).unwrap();
    write.fail(&ServiceError::Late).await;
    drop(write);
    tokio::task::block_in_place(|| cluster.run()).unwrap();
    until(|| async { receipts::keep_up(&app.service.receipts()).await.is_ok() }).await;
    until(|| async {
        let _ = receipts::keep_up(&app.service.receipts()).await;
        receipt(&app, "cut").await.status == ReceiptStatus::Failed
    })
    .await;
    begin_new(&app.service, &caller, "k").await;
}
