//! The parts that every rule and worker uses: the store, the clock, the settings, the engine, contents in memory,
//! counts of requests and the egress.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::WorkspaceId;
use tokio_util::sync::CancellationToken;

use crate::byte_budget::ByteBudget;
use crate::clock::Clock;
use crate::config::Settings;
use crate::deliveries_due::DeliveriesDue;
use crate::delivery::blob_cache::BlobCache;
use crate::delivery::published::{PublishedIndex, SEEN_BY_ALL};
use crate::domain::api_keys::KeyUses;
use crate::domain::content::PushParts;
use crate::domain::deliveries::DeliveryRules;
use crate::domain::delivery::ReadParts;
use crate::domain::events::EventParts;
use crate::domain::glossary::Glossaries;
use crate::domain::jobs::JobParts;
use crate::domain::long_poll::PollParts;
use crate::domain::operations::DecisionParts;
use crate::domain::people::{PasswordHashing, PeopleParts};
use crate::domain::provision::ProvisionParts;
use crate::domain::publish::{PublishLimiter, PublishParts};
use crate::domain::receipts::{ReceiptParts, ServerProcess};
use crate::domain::run::RunParts;
use crate::egress::{Egress, EgressError};
use crate::engines::{EngineRegistry, Engines, Translator};
use crate::large_requests::LargeRequestLimiter;
use crate::oidc::Provider;
use crate::request_windows::RequestWindows;
use crate::signal::Signal;
use crate::store::Store;
use crate::store::engine::DatabaseKind;
use crate::vault::Vault;

/// The parts that a running server is made of. Clones share them, and cost too much for each request: those share one.
#[derive(Clone)]
pub struct Service {
    /// The datastore.
    pub store: Store,
    /// The only source of time.
    pub clock: Arc<dyn Clock>,
    /// Settings.
    pub settings: Arc<Settings>,
    /// The engines that translate, from which projects choose.
    pub engines: EngineRegistry,
    /// Contents of published files in memory.
    pub contents: BlobCache,
    /// Published versions in memory: what is live, and which content lies where.
    pub published: PublishedIndex,
    /// Lists of terms in memory.
    pub glossaries: Arc<Glossaries>,
    /// Counts of requests.
    pub request_windows: RequestWindows,
    /// Turns for large requests.
    pub turns: LargeRequestLimiter,
    /// Large answers that clients have not taken yet.
    pub unsent: ByteBudget<WorkspaceId>,
    /// Large public files, in memory or not, that the clients of an address have not taken yet.
    pub unsent_files: ByteBudget<IpAddr>,
    /// Turns of publishing.
    pub publish_turns: PublishLimiter,
    /// Turns of hashing passwords.
    pub hashing: PasswordHashing,
    /// Turns of comparing versions and of previews of publishes.
    pub comparison_turns: PublishLimiter,
    /// The way to webhooks.
    pub egress: Egress,
    /// The identity provider that people may sign in with.
    pub oidc: Option<Provider>,
    /// The waits between attempts of a delivery, and the number of failures that disables a webhook.
    pub delivery_rules: Arc<DeliveryRules>,
    /// The time for which deliveries of a publish wait, so that receivers find it at every process. Zero where there is no
    /// other process: this one sees its own publishes at once.
    pub seen_by_all: Duration,
    /// Last uses of keys that are not written yet.
    pub key_uses: KeyUses,
    /// Seals and opens the secrets of webhooks.
    pub vault: Vault,
    /// This server process, and its lease on the writes that it carries out.
    pub process: Arc<ServerProcess>,
    /// Tells the translation worker of this process that work may be due.
    pub work_queued: Signal,
    /// Tells those who wait for a job that one has ended in this process.
    pub job_ended: Signal,
    /// Tells those who wait for a person's decision that one was made in this process.
    pub operation_decided: Signal,
    /// Tells the delivery worker of this process that deliveries may be due.
    pub deliveries_due: Arc<DeliveriesDue>,
    /// Cancelled once the server was told to end: long polls answer at once.
    pub draining: CancellationToken,
}

impl Service {
    /// Puts the parts together, with one engine.
    ///
    /// # Errors
    ///
    /// As [`with_engines`](Self::with_engines).
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        settings: Settings,
        engine: Arc<dyn Translator>,
    ) -> Result<Self, EgressError> {
        Self::with_engines(store, clock, settings, Engines::from(engine))
    }

    /// Puts the parts together.
    ///
    /// # Errors
    ///
    /// Returns an error if the settings of webhooks name certificates that cannot be read.
    pub fn with_engines(
        store: Store,
        clock: Arc<dyn Clock>,
        settings: Settings,
        engines: impl Into<EngineRegistry>,
    ) -> Result<Self, EgressError> {
        #[cfg(feature = "lab")]
        let settings = crate::lab::rules().applied(settings);
        let egress = Egress::new(&settings.webhooks.egress)?;
        let oidc = Provider::new(&settings)?;
        let of_index = settings.delivery.cache_bytes / 8;
        let unsent_bytes = settings.limits.unsent_answer_bytes;
        let contents = BlobCache::new(settings.delivery.cache_bytes - of_index, unsent_bytes);
        let published = PublishedIndex::new(of_index);
        let vault = Vault::new(&settings.master_keys);
        let request_windows = RequestWindows::new(&store, settings.limits.requests_per_minute);
        let turns = LargeRequestLimiter::new(settings.limits.large_requests, settings.limits.large_requests_waiting);
        let process = Arc::new(ServerProcess::new(clock.as_ref()));
        let delivery_rules = DeliveryRules::PRODUCTION;
        #[cfg(feature = "lab")]
        let delivery_rules = crate::lab::rules().delivery(delivery_rules);
        let seen_by_all = match store.engine() {
            DatabaseKind::Sqlite => Duration::ZERO,
            DatabaseKind::Postgres => SEEN_BY_ALL,
        };
        Ok(Self {
            store,
            seen_by_all,
            process,
            clock,
            settings: Arc::new(settings),
            engines: engines.into(),
            contents,
            published,
            glossaries: Arc::default(),
            request_windows,
            turns,
            unsent: ByteBudget::new(unsent_bytes, unsent_bytes / 2),
            // What all of them hold is bounded with the contents themselves, which they share.
            unsent_files: ByteBudget::new(u64::MAX, unsent_bytes / 2),
            publish_turns: PublishLimiter::of_publishes(),
            hashing: PasswordHashing::new(),
            comparison_turns: PublishLimiter::of_comparisons(),
            egress,
            oidc,
            delivery_rules: Arc::new(delivery_rules),
            key_uses: KeyUses::default(),
            vault,
            work_queued: Signal::default(),
            job_ended: Signal::default(),
            operation_decided: Signal::default(),
            deliveries_due: Arc::default(),
            draining: CancellationToken::new(),
        })
    }

    /// The parts that events use.
    #[must_use]
    pub fn events(&self) -> EventParts<'_> {
        let Self { clock, seen_by_all, deliveries_due, .. } = self;
        EventParts { clock: clock.as_ref(), seen_by_all: *seen_by_all, deliveries_due }
    }

    /// The parts that publishes and restores use.
    #[must_use]
    pub fn publishing(&self) -> PublishParts<'_> {
        let Self { store, publish_turns: turns, comparison_turns: comparisons, settings, .. } = self;
        PublishParts { store, turns, comparisons, limits: &settings.limits, events: self.events() }
    }

    /// The parts that public reads use.
    pub(crate) fn reads(&self) -> ReadParts<'_> {
        let Self { store, contents, published, settings, .. } = self;
        ReadParts { store, contents, published, base_url: &settings.base_url }
    }

    /// The parts that receipts use.
    #[must_use]
    pub fn receipts(&self) -> ReceiptParts {
        ReceiptParts {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            vault: self.vault.clone(),
            process: Arc::clone(&self.process),
            kept_answer_bytes: self.settings.limits.kept_answer_bytes,
        }
    }

    /// The parts that runs use.
    pub(crate) fn runs(&self) -> RunParts<'_> {
        let Self { store, clock, settings, engines, work_queued, glossaries, .. } = self;
        RunParts { store, clock: clock.as_ref(), settings, engines, work_queued, glossaries }
    }

    /// The parts that pushes of documents use.
    pub(crate) fn pushes(&self) -> PushParts<'_> {
        PushParts { clock: self.clock.as_ref(), settings: &self.settings }
    }

    /// The parts that provisioning uses.
    #[must_use]
    pub fn provisioning(&self) -> ProvisionParts<'_> {
        let Self { clock, settings, engines, .. } = self;
        ProvisionParts { clock: clock.as_ref(), settings, engines }
    }

    /// The parts that a long poll uses, which `hint` ends.
    pub(crate) fn poll<'a>(&'a self, hint: &'a Signal) -> PollParts<'a> {
        PollParts { store: &self.store, hint, draining: &self.draining }
    }

    /// The parts that a person's decision uses.
    #[must_use]
    pub fn decisions(&self) -> DecisionParts<'_> {
        let Self { clock, settings, operation_decided, .. } = self;
        DecisionParts { clock: clock.as_ref(), settings, decided: operation_decided }
    }

    /// The parts that people need: accounts, sessions, memberships.
    #[must_use]
    pub fn people(&self) -> PeopleParts<'_> {
        let Self { store, clock, hashing, .. } = self;
        PeopleParts { store, clock: clock.as_ref(), hashing }
    }

    /// The parts that work on jobs uses.
    #[must_use]
    pub fn jobs(&self) -> JobParts<'_> {
        let Self { clock, job_ended, settings, engines, glossaries, .. } = self;
        JobParts { clock: clock.as_ref(), pricing: &settings.pricing, engines, job_ended, glossaries }
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("store", &self.store).finish_non_exhaustive()
    }
}
