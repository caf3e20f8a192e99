//! Workspaces, projects, keys of the API, languages, output formats.

use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::{FormatId, KeyKind, Millicredits, Scope, Timestamp};
use l10n_server::ids::ApiKeyText;
use l10n_server::store::api_keys::{self, NewApiKey};
use l10n_server::store::languages::{self, Language};
use l10n_server::store::output_formats::{self, OutputFormat};
use l10n_server::store::row::Json;
use l10n_server::store::{projects, workspaces};
use l10n_server::testing::TestStore;

use crate::fixtures::{NOW, project, workspace};

async fn a_workspace_is_found_by_id_and_handle_with_what_was_set(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "acme").await;
    workspace(&mut tx, "Bora").await;
    workspaces::update_terms(&mut tx, &"wsp_acme".into(), "free", Some(Millicredits(5_000))).await.unwrap();

    let found = workspaces::find(&mut tx, &"wsp_acme".into()).await.unwrap().unwrap();
    assert_eq!(
        (found.handle.as_str(), found.plan.as_str(), found.spending_cap, found.balance, found.created_at),
        ("acme", "free", Some(Millicredits(5_000)), Millicredits(0), NOW)
    );
    assert_eq!(workspaces::find_by_handle(&mut tx, "acme").await.unwrap(), Some(found));
    assert_eq!(workspaces::find_by_handle(&mut tx, "ACME").await.unwrap(), None);
    // By bytes on both engines: capitals first.
    let ids: Vec<_> = workspaces::list(&mut tx).await.unwrap().into_iter().map(|found| found.id).collect();
    assert_eq!(ids, ["wsp_Bora", "wsp_acme"].map(l10n_api_types::WorkspaceId::from));
}

async fn a_balance_moves_by_amounts_and_never_falls_below_zero(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = workspace(&mut tx, "acme").await;
    assert_eq!(workspaces::add_to_balance(&mut tx, &id, Millicredits(700)).await.unwrap(), Millicredits(700));
    assert_eq!(workspaces::add_to_balance(&mut tx, &id, Millicredits(-700)).await.unwrap(), Millicredits(0));
    workspaces::add_to_balance(&mut tx, &id, Millicredits(-1)).await.unwrap_err();
}

async fn a_project_is_found_by_id_slug_and_full_name(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    let found = projects::find(&mut tx, &id).await.unwrap().unwrap();
    assert_eq!((found.slug.as_str(), found.base_language.as_str(), found.version_seq), ("app", "en", 0));
    assert_eq!(found.live_version_id, None);
    assert_eq!(projects::find_by_slug(&mut tx, &"wsp_app".into(), "app").await.unwrap().as_ref(), Some(&found));
    assert_eq!(projects::find_by_handle_and_slug(&mut tx, "app", "app").await.unwrap().as_ref(), Some(&found));
    assert_eq!(projects::list(&mut tx, &"wsp_app".into()).await.unwrap(), [found]);
    assert_eq!(projects::find_by_handle_and_slug(&mut tx, "app", "none").await.unwrap(), None);
    assert_eq!(projects::find_by_handle_and_slug(&mut tx, "none", "app").await.unwrap(), None);
}

async fn a_projects_counters_and_name_change(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    assert_eq!(projects::add_counts(&mut tx, &id, 3, 5).await.unwrap(), 3);
    assert_eq!(projects::add_counts(&mut tx, &id, -1, 1).await.unwrap(), 2);
    projects::rename(&mut tx, &id, "Ålesund 🏔").await.unwrap();
    let found = projects::locked(&mut tx, &id).await.unwrap().unwrap();
    assert_eq!((found.key_count, found.changes_since_publish, found.version_seq), (2, 6, 0));
    assert_eq!(found.name, "Ålesund 🏔");
    projects::land_version(&mut tx, &id, 1, &"ver_none".into(), 6).await.unwrap_err();
}

/// RES-11, AUTH-5, AUTH-17: the store holds a hash, never the key.
async fn an_api_key_is_found_by_its_hash_until_it_is_revoked(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let project_id = project(&mut tx, "app").await;
    let text = ApiKeyText::generate();
    let scopes = [Scope::Read, Scope::Publish, Scope::MembersRead];
    let new = NewApiKey {
        id: "key_1",
        project_id: &project_id,
        hash: text.hash(),
        label: "pipeline",
        scopes: &scopes,
        kind: KeyKind::Agent,
        created_at: NOW,
        ends_at: None,
        hint: "abcd",
        made_by: Some("ann@example.com"),
    };
    api_keys::insert(&mut tx, new).await.unwrap();

    let found = api_keys::find_by_hash(&mut tx, &text.hash()).await.unwrap().unwrap();
    assert_eq!((found.project_id.as_str(), found.kind, found.revoked_at), (project_id.as_str(), KeyKind::Agent, None));
    assert_eq!(found.scopes, Json(scopes.to_vec()));
    assert_eq!(api_keys::find_by_hash(&mut tx, &ApiKeyText::generate().hash()).await.unwrap(), None);

    let at = Timestamp::from_millis(NOW.as_millis() + 1);
    assert!(api_keys::revoke(&mut tx, "key_1", at).await.unwrap());
    assert!(!api_keys::revoke(&mut tx, "key_1", at).await.unwrap());
    assert_eq!(api_keys::find_by_hash(&mut tx, &text.hash()).await.unwrap(), None);
    assert_eq!(api_keys::find(&mut tx, "key_1").await.unwrap().unwrap().revoked_at, Some(at));
    assert_eq!(api_keys::list(&mut tx, &project_id).await.unwrap().len(), 1);
}

fn language(position: i64) -> Language {
    Language { code: format!("x{position:04}"), is_base: position == 0, position, created_at: NOW }
}

/// More rows than three statements take.
async fn languages_are_added_once_in_batches_and_listed_by_position(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    let other = project(&mut tx, "other").await;
    let all: Vec<_> = (0..1_203).map(language).collect();
    assert_eq!(languages::insert(&mut tx, &id, &all[..2]).await.unwrap(), 2);
    assert_eq!(languages::insert(&mut tx, &id, &all).await.unwrap(), 1_201);
    assert_eq!(languages::insert(&mut tx, &id, &all).await.unwrap(), 0);
    assert_eq!(languages::insert(&mut tx, &id, &[]).await.unwrap(), 0);
    assert_eq!(languages::list(&mut tx, &id).await.unwrap(), all);
    assert_eq!(languages::count(&mut tx, &id).await.unwrap(), 1_203);
    assert_eq!(languages::count(&mut tx, &other).await.unwrap(), 0);
}

async fn output_formats_are_replaced_as_a_whole_list_in_order(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    let format = |id: &str, namespaces: Option<Vec<String>>| OutputFormat {
        id: id.into(),
        format: FormatId::Json,
        path: format!("{id}/{{language}}.json"),
        empty_as: if namespaces.is_some() { EmptyAs::Base } else { EmptyAs::Skip },
        namespaces: namespaces.map(Json),
    };
    let (a, b) = (format("fmt_a", None), format("fmt_b", Some(vec!["web".into(), "é".into()])));
    assert_eq!(output_formats::list(&mut tx, &id).await.unwrap(), []);
    output_formats::replace(&mut tx, &id, &[a.clone(), b.clone()]).await.unwrap();
    assert_eq!(output_formats::list(&mut tx, &id).await.unwrap(), [a.clone(), b.clone()]);
    output_formats::replace(&mut tx, &id, &[b.clone(), a.clone()]).await.unwrap();
    assert_eq!(output_formats::list(&mut tx, &id).await.unwrap(), [b, a]);
    output_formats::replace(&mut tx, &id, &[]).await.unwrap();
    assert_eq!(output_formats::list(&mut tx, &id).await.unwrap(), []);
}

async fn a_stored_value_that_cannot_be_read_names_its_column(store: TestStore) {
    use l10n_server::store::Tx;
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    const BROKEN: &str = "INSERT INTO api_keys (id, project_id, hash, label, scopes, kind, created_at) \
        VALUES ('key_1', 'prj_app', $1, 'x', '[\"fly\"]', 'ci', 0)";
    match &mut tx {
        Tx::Sqlite(tx) => drop(sqlx::query(BROKEN).bind(&[1u8][..]).execute(&mut **tx).await.unwrap()),
        Tx::Postgres(tx) => drop(sqlx::query(BROKEN).bind(&[1u8][..]).execute(&mut **tx).await.unwrap()),
    }
    let error = api_keys::list(&mut tx, &id).await.unwrap_err();
    assert!(error.to_string().contains("scopes"), "{error}");
}

l10n_server::both_engines!(
    a_workspace_is_found_by_id_and_handle_with_what_was_set,
    a_balance_moves_by_amounts_and_never_falls_below_zero,
    a_project_is_found_by_id_slug_and_full_name,
    a_projects_counters_and_name_change,
    an_api_key_is_found_by_its_hash_until_it_is_revoked,
    languages_are_added_once_in_batches_and_listed_by_position,
    output_formats_are_replaced_as_a_whole_list_in_order,
    a_stored_value_that_cannot_be_read_names_its_column,
);
