//! Lists of terms and the glossaries made of them, in memory: a run or a job asks for the same ones again and again, often in a
//! transaction that others wait for.
//!
//! A list is known by its project and the revisions of both lists, so that nothing is served after it has changed. No transaction
//! asks for the glossary of a list that it has changed itself: if it were rolled back, another change would have its revision.

use std::sync::Arc;

use l10n_api_types::ProjectId;
use l10n_formats::text::checks::glossary::Glossary;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::between::Lists;
use crate::compute::{MANY, compute};
use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::glossary::{self as rows, GlossaryRevision};

/// Most bytes of lists, and of glossaries: those of one project with as many long terms as it may have, in dozens of languages.
const MOST_BYTES: u64 = 40 << 20;
/// Memory of an entry beside what it holds, rounded up.
const OVERHEAD: usize = 256;
/// Usual number of entries.
const USUAL: usize = 1_000;

/// The lists of a project, at a time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ListsKey {
    project: ProjectId,
    revision: GlossaryRevision,
}

/// The lists of a project at a time, and the languages of a glossary that is made of them.
type GlossaryKey = (ListsKey, String, String);

type Bounded<K, V> = Option<Cache<K, Arc<V>, ByBytes>>;

/// The memory.
pub struct Glossaries {
    lists: Bounded<ListsKey, Lists>,
    glossaries: Bounded<GlossaryKey, Glossary>,
}

#[derive(Clone)]
struct ByBytes;

impl<K> Weighter<K, Arc<Lists>> for ByBytes {
    fn weight(&self, _: &K, lists: &Arc<Lists>) -> u64 {
        (OVERHEAD + lists.bytes()) as u64
    }
}

impl<K> Weighter<K, Arc<Glossary>> for ByBytes {
    fn weight(&self, _: &K, glossary: &Arc<Glossary>) -> u64 {
        (OVERHEAD + glossary.bytes()) as u64
    }
}

/// A memory of so many bytes. It is in one piece: of several each would take entries up to its own share of the bound alone.
fn bounded<K: std::hash::Hash + Eq, V>() -> Bounded<K, V>
where
    ByBytes: Weighter<K, Arc<V>>,
{
    let options = OptionsBuilder::new().shards(1).weight_capacity(MOST_BYTES).estimated_items_capacity(USUAL).build();
    // Options are refused where one of the two capacities is missing.
    options.ok().map(|options| {
        Cache::with_options(options, ByBytes, DefaultHashBuilder::default(), DefaultLifecycle::default())
    })
}

impl Default for Glossaries {
    fn default() -> Self {
        Self { lists: bounded(), glossaries: bounded() }
    }
}

impl Glossaries {
    /// The glossary for translations of a project's texts: its own terms, then those of its workspace that it does not have.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails, or if there is no such project.
    pub(crate) async fn between(
        &self,
        tx: &mut Tx,
        project: &ProjectId,
        source: &str,
        target: &str,
    ) -> Result<Arc<Glossary>, ServiceError> {
        let key = (ListsKey::of(tx, project).await?, source.to_owned(), target.to_owned());
        if let Some(found) = self.glossaries.as_ref().and_then(|kept| kept.get(&key)) {
            return Ok(found);
        }
        let lists = self.at(tx, &key.0).await?;
        let glossary = compute(lists.len() >= MANY, || lists.between(source, target));
        if let Some(kept) = &self.glossaries {
            kept.insert(key, Arc::clone(&glossary));
        }
        Ok(glossary)
    }

    /// The lists that hold for a project.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails, or if there is no such project.
    pub(super) async fn lists(&self, tx: &mut Tx, project: &ProjectId) -> Result<Arc<Lists>, ServiceError> {
        let key = ListsKey::of(tx, project).await?;
        self.at(tx, &key).await
    }

    /// The lists of a project, whose revision was read in the same transaction. On PostgreSQL they may be newer than that; then
    /// nobody asks for this revision any more.
    async fn at(&self, tx: &mut Tx, key: &ListsKey) -> Result<Arc<Lists>, ServiceError> {
        if let Some(found) = self.lists.as_ref().and_then(|kept| kept.get(key)) {
            return Ok(found);
        }
        let lists = Arc::new(Lists::of(tx, &key.project).await?);
        if let Some(kept) = &self.lists {
            kept.insert(key.clone(), Arc::clone(&lists));
        }
        Ok(lists)
    }
}

impl ListsKey {
    async fn of(tx: &mut Tx, project: &ProjectId) -> Result<Self, ServiceError> {
        Ok(Self { project: project.clone(), revision: rows::revision(tx, project).await? })
    }
}

impl std::fmt::Debug for Glossaries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Glossaries").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Content;
    use l10n_api_types::glossary::GlossaryRule;
    use l10n_formats::text::checks::glossary::Term;
    use serde_json::json;

    use super::*;
    use crate::testing::{TestApp, TestStore};

    crate::both_engines!(a_glossary_is_made_once_for_each_state_of_its_lists);

    async fn stated(app: &TestApp, term: &str) {
        let terms = json!({"terms": [{"term": term, "rule": "keep"}]});
        let put = app.at(http::Method::PUT, &format!("/v1/projects/{}/glossary", app.project.id));
        assert_eq!(put.key(&app.project.keys.write).json(&terms).send().await.status, 200);
    }

    /// Before, each transaction that took texts from memory read all terms, and made a glossary of them, for each language.
    async fn a_glossary_is_made_once_for_each_state_of_its_lists(store: TestStore) {
        let app = TestApp::on(&store).await;
        let glossaries = Glossaries::default();
        let between = async |target: &str| {
            let mut tx = app.service.store.begin_read().await.unwrap();
            let found = glossaries.between(&mut tx, &app.project.id, "en", target).await.unwrap();
            tx.rollback().await.unwrap();
            found
        };
        assert!(between("de").await.is_empty());
        stated(&app, "Acme").await;
        let first = between("de").await;
        assert!(Arc::ptr_eq(&first, &between("de").await));
        assert!(!Arc::ptr_eq(&first, &between("fr").await));
        let own = first.of_source(&Content::Text("Acme Pay".to_owned()));
        assert!(own.len() == 1 && own[0].is_own);
        stated(&app, "Pay").await;
        let second = between("de").await;
        assert!(!Arc::ptr_eq(&first, &second));
        assert_eq!(&*second.of_source(&Content::Text("Acme Pay".to_owned()))[0].term, "Pay");
    }

    /// A project with the longest list of the longest terms has the glossaries of many languages in memory.
    #[test]
    fn the_largest_glossary_has_room_in_many_languages() {
        let term = |number: usize| Term {
            term: format!("{number:05}{}", "a".repeat(170)).as_str().into(),
            rule: GlossaryRule::Keep,
            case_sensitive: true,
            translation: None,
            note: None,
            is_own: true,
        };
        let glossary = Glossary::new((0..5_000).map(term));
        assert!(42 * glossary.bytes() as u64 <= MOST_BYTES, "{}", glossary.bytes());
    }
}
