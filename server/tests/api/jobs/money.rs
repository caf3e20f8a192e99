//! Money over any order of runs, crashes and expiries.

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::translations::Job;
use l10n_api_types::{Key, Millicredits, TrackingToken};
use l10n_server::clock::Clock as _;
use l10n_server::config::Settings;
use l10n_server::domain::credits::{self, HOLD_MILLIS};
use l10n_server::domain::jobs::{
    self, ChunkFailure, Claimant, ClaimedChunk, CommitOutcome, JOB_LEASE_MILLIS, Lease, NextStep,
};
use l10n_server::engines::Pseudo;
use l10n_server::engines::pipeline::translate_contents;
use l10n_server::store::jobs::PassedOver;
use l10n_server::testing::{CREDITS, TestApp, TestStore};
use l10n_server::workers::holds;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::jobs::fixtures::{claim_as, money, taken};

l10n_server::both_engines!(no_order_of_runs_crashes_and_expiries_loses_or_makes_a_credit);

/// The workspace begins with a hundred of these.
const CHARACTER: i64 = CREDITS.0 / 100;
const WORKERS: usize = 3;

#[derive(Debug, Clone)]
enum Step {
    /// Someone asks for a text of so many characters, into one language or two.
    Run(usize, bool),
    /// A worker that has nothing leases a job.
    Take(usize),
    /// A worker commits what the engine answered, and goes on with the job's next chunk.
    Commit(usize),
    /// A worker commits that the engine did not answer.
    Fail(usize),
    /// A worker dies.
    Crash(usize),
    /// Time passes: perhaps a lease or a hold ends.
    Wait(i64),
    /// Dead holds are marked as released.
    Sweep,
    /// The workspace is given the price of so many characters.
    Grant(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let waits = prop_oneof![Just(1_000), Just(JOB_LEASE_MILLIS), Just(HOLD_MILLIS - 1), Just(HOLD_MILLIS)];
    prop_oneof![
        4 => (1..30_usize, any::<bool>()).prop_map(|(length, two)| Step::Run(length, two)),
        4 => (0..WORKERS).prop_map(Step::Take),
        4 => (0..WORKERS).prop_map(Step::Commit),
        1 => (0..WORKERS).prop_map(Step::Fail),
        2 => (0..WORKERS).prop_map(Step::Crash),
        2 => waits.prop_map(Step::Wait),
        1 => Just(Step::Sweep),
        1 => (1..20_i64).prop_map(Step::Grant),
    ]
}

/// The state of the test.
struct World<'a> {
    app: &'a TestApp,
    workers: [Option<(Lease, ClaimedChunk)>; WORKERS],
    /// Each worker by the name of its leases; one that has crashed comes back by another.
    claimants: [Claimant; WORKERS],
    runs: Vec<(TrackingToken, Millicredits)>,
    granted: Millicredits,
    texts: &'a mut usize,
}

impl World<'_> {
    async fn take(&mut self, step: &Step) {
        match *step {
            Step::Run(length, two) => self.run(length, two).await,
            Step::Take(worker) => {
                if self.workers[worker].is_none() {
                    self.workers[worker] = lease(self.app, &self.claimants[worker]).await;
                }
            }
            Step::Commit(worker) => self.commit(worker, false).await,
            Step::Fail(worker) => self.commit(worker, true).await,
            Step::Crash(worker) => {
                self.workers[worker] = None;
                self.claimants[worker] = Claimant::new(self.app.clock.now());
            }
            Step::Wait(millis) => {
                self.app.clock.advance(Duration::from_millis(millis.unsigned_abs()));
            }
            Step::Sweep => {
                holds::sweep(&self.app.service).await.unwrap();
            }
            Step::Grant(characters) => {
                let (amount, now) = (Millicredits(characters * CHARACTER), self.app.clock.now());
                let mut tx = self.app.service.store.begin_write().await.unwrap();
                credits::grant(&mut tx, &self.app.project.workspace, amount, "more", now).await.unwrap();
                tx.commit().await.unwrap();
                self.granted += amount;
            }
        }
    }

    async fn run(&mut self, length: usize, two: bool) {
        *self.texts += 1;
        // No text comes twice: what memory knows is free.
        let text = format!("{:x<length$}", *self.texts);
        let languages: &[&str] = if two { &["de", "fr"] } else { &["de"] };
        let body = json!({"keys": [Key::text(format!("key {}", self.texts), text)], "languages": languages});
        let dry = taken(self.app.post("/translate?dryRun=true").json(&body).send().await);
        let answer = self.app.post("/translate").json(&body).send().await;
        if answer.status == 402 {
            assert_eq!(dry.would_fail, Some(answer.error()));
            return;
        }
        let run = taken(answer);
        assert_eq!(run.estimated_credits, dry.estimated_credits);
        self.runs.push((run.tracking_token.unwrap(), run.estimated_credits));
    }

    async fn commit(&mut self, worker: usize, fails: bool) {
        let Some((lease, wanted)) = self.workers[worker].take() else { return };
        let results = match wanted.refused() {
            Some(refused) => Err(refused.clone()),
            None if fails => Err(ChunkFailure { code: "engine_unavailable".into(), message: "it is off".into() }),
            None => {
                let (from, to) = (&wanted.source_language, wanted.language());
                Ok(translate_contents(&Pseudo, from, to, &wanted.texts()).await.unwrap())
            }
        };
        let mut tx = self.app.service.store.begin_write().await.unwrap();
        match jobs::commit(&mut tx, self.app.service.jobs(), &lease, &wanted, results).await.unwrap() {
            CommitOutcome::Lost => tx.rollback().await.unwrap(),
            CommitOutcome::Finished => tx.commit().await.unwrap(),
            CommitOutcome::Chunk => {
                tx.commit().await.unwrap();
                self.workers[worker] = self::lease(self.app, &self.claimants[worker]).await;
            }
        }
    }

    /// The balance is what was granted less what was charged, and what is held is there.
    async fn check(&self) -> Millicredits {
        let money = money(self.app).await;
        assert!(money.balance >= money.held, "{:?} of {:?} are held", money.held, money.balance);
        let mut charged = Millicredits::ZERO;
        for (token, quoted) in &self.runs {
            let job: Job = self.app.get(&format!("/translations?trackingToken={token}")).send().await.read();
            assert!(job.credits_charged <= *quoted, "{job:?}");
            charged += job.credits_charged;
        }
        assert_eq!(money.balance, self.granted - charged);
        money.held
    }
}

async fn lease(app: &TestApp, claimant: &Claimant) -> Option<(Lease, ClaimedChunk)> {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let lease = claim_as(app, &mut tx, claimant, &PassedOver::new()).await;
    tx.commit().await.unwrap();
    begin(app, lease?).await
}

async fn begin(app: &TestApp, lease: Lease) -> Option<(Lease, ClaimedChunk)> {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let begun = jobs::begin(&mut tx, app.service.jobs(), &lease).await.unwrap();
    tx.commit().await.unwrap();
    match begun {
        NextStep::ClaimedChunk(wanted) => Some((lease, *wanted)),
        NextStep::Finished | NextStep::Lost => None,
    }
}

/// RES-13, ERR-402-5: after each step the balance is grants less charges, no run has charged more than its quote, and what is
/// held is covered; when all jobs have ended, nothing is held.
async fn no_order_of_runs_crashes_and_expiries_loses_or_makes_a_credit(store: TestStore) {
    let change = |settings: &mut Settings| settings.pricing.millicredits_per_character = CHARACTER;
    let app = TestApp::idle(&store, change, Arc::new(Pseudo)).await;
    let histories = proptest::collection::vec(step(), 10..40);
    let mut runner = TestRunner::deterministic();
    let (mut granted, mut runs, mut texts) = (CREDITS, Vec::new(), 0);
    for _ in 0..16 {
        let history = histories.new_tree(&mut runner).unwrap().current();
        println!("{history:?}");
        let claimants = std::array::from_fn(|_| Claimant::new(app.clock.now()));
        let mut world =
            World { app: &app, workers: [const { None }; WORKERS], claimants, runs, granted, texts: &mut texts };
        for step in &history {
            world.take(step).await;
            world.check().await;
        }
        // Whoever held a job is gone; another server finishes what is left.
        world.workers = [const { None }; WORKERS];
        world.claimants = std::array::from_fn(|_| Claimant::new(app.clock.now()));
        app.clock.advance(Duration::from_millis(JOB_LEASE_MILLIS.unsigned_abs()));
        loop {
            world.take(&Step::Take(0)).await;
            if world.workers[0].is_none() {
                break;
            }
            while world.workers[0].is_some() {
                world.take(&Step::Commit(0)).await;
            }
        }
        assert_eq!(world.check().await, Millicredits::ZERO, "no hold is left");
        world.take(&Step::Grant(50)).await;
        // The next history begins with what this one has left.
        (granted, runs) = (money(&app).await.balance, Vec::new());
    }
}
