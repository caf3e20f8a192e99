//! Glossaries that translation services keep: made before the first text that has a term, used by all chunks of the list's owner
//! and languages, and removed once the list has changed or is gone. A service is asked between two transactions, never inside.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use l10n_api_types::glossary::GlossaryRule;
use l10n_api_types::{ProjectId, WorkspaceId};
use tokio::time::Instant;

use super::Glossaries;
use super::between::Lists;
use crate::clock::{Clock, Timestamp};
use crate::domain::ServiceError;
use crate::engines::{EngineError, EngineRegistry, GlossaryService, KeptGlossaries, NewGlossary, Translator};
use crate::ids::{IdKind, new_id};
use crate::store::glossary::{self, GlossaryOwner, GlossaryRevision};
use crate::store::service_glossaries::{
    self as rows, GlossaryTermsKey, ObsoleteGlossary, ServiceGlossary, ServiceGlossaryState,
};
use crate::store::{Store, StoreError, Tx};

/// The time after which one that is being made is nobody's any more. A call of a service ends before.
const MAKING_MILLIS: i64 = 10 * 60_000;

/// The time for which nothing is made at a service that could not.
const FAILED_MILLIS: i64 = 10 * 60_000;

/// The time that a chunk waits for another process that makes the glossary, and the pause between two looks.
const WAIT: Duration = Duration::from_secs(15);
const LOOK: Duration = Duration::from_millis(200);

/// Tries to remove a glossary, with pauses that begin with a minute and double up to a day: about a week.
const MOST_ATTEMPTS: i64 = 16;
const FIRST_PAUSE_MILLIS: i64 = 60_000;
const LONGEST_PAUSE_MILLIS: i64 = 24 * 3_600_000;

/// Glossaries that are looked at to be removed at a time.
const MOST_REMOVED: i64 = 100;

/// The glossaries for the texts of a chunk.
pub(crate) struct ServiceGlossaries<'a> {
    /// The datastore.
    pub(crate) store: &'a Store,
    /// The source of time.
    pub(crate) clock: &'a dyn Clock,
    /// The lists of terms.
    pub(crate) glossaries: &'a Glossaries,
    /// The project of the texts.
    pub(crate) project: &'a ProjectId,
    /// Its workspace.
    pub(crate) workspace: &'a WorkspaceId,
    /// The language of the texts.
    pub(crate) source: &'a str,
    /// The language of their translations.
    pub(crate) target: &'a str,
}

/// The list that holds for the texts of a chunk.
struct HeldList {
    owner: String,
    revision: GlossaryRevision,
}

#[async_trait]
impl KeptGlossaries for ServiceGlossaries<'_> {
    async fn find(&self, engine: &dyn Translator) -> Option<Arc<str>> {
        let service = engine.glossaries()?;
        let found = self.find_or_make(engine.name(), service).await;
        found.unwrap_or_else(|error| {
            tracing::warn!(engine = engine.name(), ?error, "texts go without the glossary of the engine's service");
            None
        })
    }

    async fn replace(&self, engine: &dyn Translator, lost: &str) -> Option<Arc<str>> {
        tracing::info!(engine = engine.name(), glossary = lost, "the engine's service has lost a glossary");
        let forgotten = async {
            let mut tx = self.store.begin_background_write().await?;
            rows::forget(&mut tx, engine.name(), lost).await?;
            tx.commit().await
        };
        match forgotten.await {
            Ok(()) => self.find(engine).await.filter(|found| **found != *lost),
            Err(error) => {
                tracing::warn!(?error, "cannot forget a glossary that the engine's service has lost");
                None
            }
        }
    }
}

impl ServiceGlossaries<'_> {
    async fn find_or_make(
        &self,
        engine: &str,
        service: &dyn GlossaryService,
    ) -> Result<Option<Arc<str>>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let list = self.list(&mut tx).await?;
        let list = GlossaryTermsKey {
            engine,
            owner: &list.owner,
            source_language: self.source,
            language: self.target,
            revision: list.revision,
        };
        let mut found = rows::find(&mut tx, list).await?;
        tx.rollback().await?;
        let end = Instant::now() + WAIT;
        while self.is_being_made(found.as_ref()) && Instant::now() < end {
            tokio::time::sleep(LOOK).await;
            let mut tx = self.store.begin_read().await?;
            found = rows::find(&mut tx, list).await?;
            tx.rollback().await?;
        }
        match found {
            Some(ServiceGlossary { state: ServiceGlossaryState::Made, service_id: Some(id), .. }) => {
                Ok(Some(id.into()))
            }
            Some(found) if found.next_at > self.clock.now() => Ok(None),
            _ => self.make(list, service).await,
        }
    }

    fn is_being_made(&self, found: Option<&ServiceGlossary>) -> bool {
        found.is_some_and(|found| found.state == ServiceGlossaryState::Making && found.next_at > self.clock.now())
    }

    /// The list that holds for the texts: that of the workspace where the project has no terms.
    async fn list(&self, tx: &mut Tx) -> Result<HeldList, ServiceError> {
        let revision = glossary::revision(tx, self.project).await?;
        let own = glossary::list(tx, GlossaryOwner::Project(self.project), ("", ""), 1).await?;
        Ok(match own.is_empty() {
            true => HeldList {
                owner: self.workspace.as_str().to_owned(),
                revision: GlossaryRevision { own: 0, ..revision },
            },
            false => HeldList { owner: self.project.as_str().to_owned(), revision },
        })
    }

    /// Makes a glossary, unless another process makes it. One that cannot be made is not tried again for a while.
    async fn make(
        &self,
        list: GlossaryTermsKey<'_>,
        service: &dyn GlossaryService,
    ) -> Result<Option<Arc<str>>, ServiceError> {
        let now = self.clock.now();
        let id = new_id(IdKind::ServiceGlossary, now);
        let mut tx = self.store.begin_background_write().await?;
        let is_ours = rows::claim(&mut tx, &id, list, now.plus_millis(MAKING_MILLIS), now).await?;
        // In the transaction of the claim: a list that has changed since is another one.
        let held = self.list(&mut tx).await?;
        if !is_ours || (held.owner.as_str(), held.revision) != (list.owner, list.revision) {
            tx.rollback().await?;
            return Ok(None);
        }
        let terms = terms(&*self.glossaries.lists(&mut tx, self.project).await?, self.source, self.target);
        tx.commit().await?;
        let name = format!("l10n {id}");
        let new = NewGlossary { name: &name, source: self.source, target: self.target, terms: &terms };
        let made = service.make(&new).await;
        let mut tx = self.store.begin_background_write().await?;
        let (made, is_kept) = match made {
            Ok(Some(made)) => {
                let is_kept = rows::made(&mut tx, &id, &made.id).await?;
                (made, is_kept)
            }
            other => {
                rows::failed(&mut tx, &id, self.clock.now().plus_millis(FAILED_MILLIS)).await?;
                tx.commit().await?;
                if let Err(error) = other {
                    tracing::warn!(engine = list.engine, %error, "the engine's service does not make a glossary");
                }
                return Ok(None);
            }
        };
        tx.commit().await?;
        if !is_kept {
            remove(service, list.engine, &made.id).await;
            return Ok(None);
        }
        Ok(made.is_ready.then(|| made.id.into()))
    }
}

/// The terms that a service can be told, with their translations: those that are translated so, and those that are kept. What a
/// project's own list says of a term goes before what its workspace's says.
fn terms(lists: &Lists, source: &str, target: &str) -> Vec<(String, String)> {
    let mut known = BTreeSet::new();
    let said = lists.terms(source, target).filter_map(|term| match term.rule {
        GlossaryRule::Translate => Some((term.term.to_string(), term.translation?.to_string())),
        GlossaryRule::Keep => Some((term.term.to_string(), term.term.to_string())),
        _ => None,
    });
    said.filter(|(term, _)| known.insert(term.clone())).collect()
}

/// Removes glossaries whose list has changed or is gone at their services. What cannot be removed is tried again later, some
/// times.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn sweep(store: &Store, clock: &dyn Clock, engines: &EngineRegistry) -> Result<(), ServiceError> {
    let mut tx = store.begin_background_write().await?;
    rows::retire(&mut tx, clock.now()).await?;
    let due = rows::due(&mut tx, clock.now(), MOST_REMOVED).await?;
    tx.commit().await?;
    for one in due {
        if !begin_to_remove(store, &one, clock.now()).await? {
            continue;
        }
        let engine = engines.get(&one.engine);
        let is_removed = match engine.as_deref().and_then(Translator::glossaries) {
            Some(service) => remove(service, &one.engine, &one.service_id).await,
            None => false,
        };
        let is_given_up = !is_removed && one.attempts + 1 >= MOST_ATTEMPTS;
        if is_given_up {
            let (engine, glossary) = (&one.engine, &one.service_id);
            tracing::warn!(engine, glossary, "a glossary stays at the engine's service: it could not be removed");
        }
        if is_removed || is_given_up {
            let mut tx = store.begin_background_write().await?;
            rows::removed(&mut tx, &one.id).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

async fn begin_to_remove(store: &Store, one: &ObsoleteGlossary, now: Timestamp) -> Result<bool, StoreError> {
    let doubled = u32::try_from(one.attempts).ok().and_then(|attempts| FIRST_PAUSE_MILLIS.checked_shl(attempts));
    let pause = doubled.filter(|pause| (1..LONGEST_PAUSE_MILLIS).contains(pause)).unwrap_or(LONGEST_PAUSE_MILLIS);
    let mut tx = store.begin_background_write().await?;
    let is_ours = rows::postpone(&mut tx, one, now.plus_millis(pause)).await?;
    tx.commit().await?;
    Ok(is_ours)
}

/// Removes a glossary at a service; false if it may still be there.
async fn remove(service: &dyn GlossaryService, engine: &str, id: &str) -> bool {
    let removed: Result<(), EngineError> = service.remove(id).await;
    if let Err(error) = &removed {
        tracing::warn!(engine, glossary = id, %error, "the engine's service does not remove a glossary");
    }
    removed.is_ok()
}
