//! Deliveries whose servers are killed again and again at random points, with publishes going on.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use l10n_server::both_engines;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use l10n_testkit::receiver::{Delivery, Receiver};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::publishing::{Ledger, Publishing};
use super::rounds;
use super::server::Server;
use super::setting::{Unverified, environment, identity, projects, statuses, webhooks};

/// DEL-16, DEL-17, EV-6, §6 rule 8: one server, killed and started again.
async fn no_publish_is_lost_by_a_server_that_is_killed(store: TestStore) {
    let mut proof = Proof::begin(&store, 1).await;
    let publishing = proof.publish();
    for _ in 0..rounds() {
        proof.some_moment(0, &publishing).await;
        proof.kill(0);
        proof.servers[0].start();
    }
    proof.end(publishing).await;
}

/// DEL-16, DEL-17, §6 rule 8: two servers on one database, one of which is killed and started again all the time. Both
/// look for what is due, and neither takes what the other has.
#[test]
fn two_servers_lose_nothing_and_never_attempt_a_delivery_at_once() {
    l10n_server::testing::on_postgres(|store| async move {
        let mut proof = Proof::begin(&store, 2).await;
        let publishing = proof.publish();
        for _ in 0..rounds() {
            proof.some_moment(1, &publishing).await;
            proof.kill(1);
            proof.servers[1].start();
        }
        proof.end(publishing).await;
    });
}

struct Proof {
    store: TestStore,
    receiver: Receiver,
    servers: Vec<Server>,
    projects: Vec<super::setting::Project>,
    unverified: Unverified,
    random: StdRng,
    /// Kills while an attempt was being answered.
    cut: usize,
    _folder: tempfile::TempDir,
}

impl Proof {
    async fn begin(store: &TestStore, servers: usize) -> Self {
        let seed =
            std::env::var("L10N_SEED").map_or_else(|_| u64::from(std::process::id()), |seed| seed.parse().unwrap());
        println!("L10N_SEED={seed} L10N_ROUNDS={}", rounds());
        let folder = tempfile::tempdir().unwrap();
        let receiver = Receiver::builder().patience(TEST_TIMEOUT).start().await.unwrap();
        let environment = environment(folder.path(), store, &receiver);
        let mut servers: Vec<Server> = (0..servers).map(|_| Server::new(folder.path(), &environment)).collect();
        for server in &mut servers {
            server.start();
            server.ready().await;
        }
        let mut projects = projects(folder.path(), store, &servers[0]).await;
        let unverified = webhooks(&servers[0], &receiver, &mut projects).await;
        let (store, random) = (store.clone(), StdRng::seed_from_u64(seed));
        Self { store, receiver, servers, projects, unverified, random, cut: 0, _folder: folder }
    }

    fn publish(&self) -> Publishing {
        Publishing::start(&self.store, &self.servers.iter().collect::<Vec<_>>(), &self.projects)
    }

    /// A moment to kill a server at: any, perhaps before it serves; soon after an answer to a publish, while its event is
    /// taken; or while attempts are under way.
    async fn some_moment(&mut self, server: usize, publishing: &Publishing) {
        let (kind, some) = (self.random.random_range(0..4), self.random.random_range(0..6_u64));
        if kind > 0 {
            self.servers[server].ready().await;
        }
        let (answered, seen) = (publishing.answered(), self.receiver.look(<[_]>::len));
        match kind {
            0 => tokio::time::sleep(Duration::from_millis(20 * some)).await,
            1 => {
                while publishing.answered() <= answered + usize::try_from(some).unwrap() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                tokio::time::sleep(Duration::from_micros(300 * some)).await;
            }
            _ => {
                let under_way = |all: &[Delivery]| {
                    all.len() > seen + usize::try_from(some).unwrap()
                        && all.last().is_some_and(|delivery| delivery.ended.is_none())
                };
                self.receiver.wait_until("an attempt", under_way).await.unwrap();
            }
        }
    }

    fn kill(&mut self, server: usize) {
        let under_way = self.receiver.look(|all| all.iter().rev().take(100).any(|delivery| delivery.ended.is_none()));
        self.servers[server].kill();
        self.cut += usize::from(under_way);
    }

    /// Waits until everything promised has come and all is quiet, and looks at what came.
    async fn end(mut self, publishing: Publishing) {
        for server in &mut self.servers {
            server.ready().await;
        }
        let before = publishing.answered();
        while publishing.answered() < before + 10 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let ledger = publishing.stop().await;
        let promised: BTreeSet<_> = ledger.promised.iter().cloned().collect();
        let (mut missing, mut seen) = (promised.clone(), 0);
        let all_came = |all: &[Delivery]| {
            for delivery in &all[seen..] {
                missing.remove(&identity(delivery));
            }
            seen = all.len();
            missing.is_empty()
        };
        let came = self.receiver.wait_until("everything that was promised", all_came).await;
        if let Err(error) = came {
            panic!("{error}; missing: {missing:?}; in the database: {:?}", statuses(&self.store).await);
        }
        self.settled().await;
        let all = self.receiver.deliveries();
        self.check(&ledger, &all).await;
    }

    /// Waits until every delivery has ended well: also those of publishes that nobody was told of.
    async fn settled(&self) {
        let began = Instant::now();
        loop {
            let statuses = statuses(&self.store).await;
            if statuses.keys().eq(["delivered"]) {
                return;
            }
            assert!(began.elapsed() < TEST_TIMEOUT, "not all are delivered: {statuses:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn check(&self, ledger: &Ledger, all: &[Delivery]) {
        assert_eq!(self.unverified.count(), 0, "every delivery is signed with the secret of its webhook");
        let mut of = BTreeMap::<_, Vec<&Delivery>>::new();
        for delivery in all {
            let (webhook, event) = identity(delivery);
            let body: serde_json::Value = serde_json::from_slice(&delivery.body).unwrap();
            assert_eq!(body["id"], *event);
            of.entry((webhook, event)).or_default().push(delivery);
        }
        for (identity, attempts) in &of {
            for pair in attempts.windows(2) {
                assert_eq!(pair[0].body, pair[1].body, "{identity:?}: the same bytes at every attempt");
                assert!(!pair[0].overlaps(pair[1]), "{identity:?}: two attempts at once: {pair:?}");
            }
        }
        // A publish of which nobody knows made one event or none; no publish made two.
        let events: BTreeSet<_> = of.keys().map(|(_, event)| event).collect();
        let most = ledger.answered + ledger.unanswered;
        assert!(events.len() <= most, "{} events of at most {most} publishes", events.len());
        let duplicates = all.len() - of.len();
        println!(
            "{} publishes answered, {} not; {} deliveries and {duplicates} duplicates; {} kills during an attempt",
            ledger.answered,
            ledger.unanswered,
            of.len(),
            self.cut,
        );
        assert!(self.cut > 0, "no kill was in the way of an attempt");
    }
}

both_engines!(no_publish_is_lost_by_a_server_that_is_killed);
