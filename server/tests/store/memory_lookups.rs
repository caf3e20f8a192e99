//! Lookups in translation memory.

use l10n_api_types::{Content, ProjectId, WorkspaceId};
use l10n_formats::SourceHash;
use l10n_server::similar::Similar;
use l10n_server::store::languages::{self, Language};
use l10n_server::store::memory::{self, MemoryOwner, MemoryScope, MemorySpace};
use l10n_server::store::projects::{self, MemorySetting};
use l10n_server::store::{Tx, engine_choices, memory_index, memory_sources};
use l10n_server::testing::TestStore;

use crate::fixtures::{NOW, project};

l10n_server::both_engines!(a_lookup_reads_all_that_it_needs_of_its_project_at_once);

/// Plans that PostgreSQL makes for the values of a statement before it may keep one for all of them.
const PLANS_BEFORE: i64 = 5;

/// To plan the read of a few entries takes three times as long as the read (ADD-20).
#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_the_plans_of_a_lookup_are_kept() {
    let Some(store) = TestStore::postgres().await else { return };
    let (own, shared) = (ProjectId::new("prj_app"), WorkspaceId::new("wsp_app"));
    let owners = [MemoryOwner::Project(&own), MemoryOwner::Workspace(&shared)];
    let spaces = owners.map(|owner| MemorySpace { owner, source_language: "en", is_human: true });
    let scopes = owners.map(|owner| MemoryScope { owner, source_language: "en", target_language: "de" });
    let text = "Delete this message?";
    let (hash, similar) = (SourceHash::of(&Content::Text(text.to_owned())), Similar::of(text).unwrap());
    let mut tx = store.begin_read().await.unwrap();
    for _ in 0..PLANS_BEFORE * 2 {
        memory::lookup_project(&mut tx, &own, "de").await.unwrap();
        memory_index::near(&mut tx, &spaces, &similar, 60).await.unwrap();
        memory_sources::find(&mut tx, owners, &[1]).await.unwrap();
        memory::of_both(&mut tx, &own, Some(&shared), ("en", "de"), &[hash]).await.unwrap();
        for scope in scopes {
            memory::find(&mut tx, scope, "pseudo", &[hash]).await.unwrap();
        }
    }
    let Tx::Postgres(mut tx) = tx else { unreachable!("the store is on PostgreSQL") };
    let plans = "SELECT statement, custom_plans, generic_plans FROM pg_prepared_statements ORDER BY statement";
    let plans: Vec<(String, i64, i64)> = sqlx::query_as(plans).persistent(false).fetch_all(&mut *tx).await.unwrap();
    let plans: Vec<_> = plans.into_iter().filter(|(_, custom, generic)| custom + generic >= PLANS_BEFORE * 2).collect();
    assert_eq!(plans.len(), 6, "{plans:#?}");
    for (statement, custom, generic) in plans {
        assert!(custom <= PLANS_BEFORE, "{custom} plans for single values, {generic} for all: {statement}");
    }
    drop(tx);
    store.remove().await;
}

async fn a_lookup_reads_all_that_it_needs_of_its_project_at_once(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    let german = Language { code: "de".to_owned(), is_base: false, position: 1, created_at: NOW };
    languages::insert(&mut tx, &id, &[german]).await.unwrap();
    let found = memory::lookup_project(&mut tx, &id, "de").await.unwrap().unwrap();
    assert_eq!((found.workspace_id.as_str(), found.base_language.as_str()), ("wsp_app", "en"));
    assert_eq!((found.memory, found.has_language), (MemorySetting::Workspace, true));
    assert!(found.engines.is_none());

    projects::set_memory(&mut tx, &id, MemorySetting::Off).await.unwrap();
    let choice = engine_choices::EngineChoice { chain: vec!["pseudo".to_owned()], ..Default::default() };
    engine_choices::set(&mut tx, &id, &choice).await.unwrap();
    let found = memory::lookup_project(&mut tx, &id, "fr").await.unwrap().unwrap();
    assert_eq!((found.memory, found.has_language), (MemorySetting::Off, false));
    assert_eq!(found.engines.unwrap().0, choice);
    assert!(memory::lookup_project(&mut tx, &ProjectId::new("prj_other"), "de").await.unwrap().is_none());
}
