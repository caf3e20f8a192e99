//! API keys that people make: their end, their replacement, and what is seen of their use.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_api_types::operations::OperationStatus;
use l10n_api_types::{KeyKind, Scope, Timestamp};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::Actor;
use l10n_server::domain::api_keys::{self, ApiKeyRequest, KeyError, KeyReplacement, ListedKey, MadeKey, NEWEST};
use l10n_server::store::{StoreError, projects};
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::workers::expired;
use serde_json::json;

use crate::operations::support::{ask, get, greet, idle};

both_engines!(
    a_key_works_until_the_end_that_its_maker_chose,
    a_key_that_has_ended_is_revoked_with_what_it_asked_for,
    a_replaced_key_goes_on_for_its_time_and_no_longer,
    a_form_that_is_sent_twice_makes_one_key,
    a_key_of_another_project_is_not_there,
    what_no_key_has_is_refused_and_writes_nothing,
    the_hour_of_the_last_use_is_seen,
);

fn ann() -> Actor {
    Actor::Person { id: String::from("usr_ann").into(), email: "ann@example.com".to_owned() }
}

const HOUR: i64 = 60 * 60 * 1_000;

fn new(label: &str, kind: KeyKind, ends_at: Option<Timestamp>) -> ApiKeyRequest {
    ApiKeyRequest { label: label.to_owned(), scopes: vec![Scope::Admin], kind, ends_at }
}

async fn make(app: &TestApp, wanted: &ApiKeyRequest) -> Result<MadeKey, KeyError> {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let project = projects::find(&mut tx, &app.project.id).await.unwrap().unwrap();
    let made = api_keys::make(&mut tx, app.clock.now(), &project, &ann(), wanted).await?;
    tx.commit().await.unwrap();
    Ok(made)
}

async fn replace(app: &TestApp, id: &str, hours: i64, known_end: Option<Timestamp>) -> Result<MadeKey, KeyError> {
    let way = KeyReplacement { delay_millis: hours * HOUR, ends_at: None, known_end };
    let decided = &app.service.operation_decided;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let project = projects::find(&mut tx, &app.project.id).await.unwrap().unwrap();
    let done = api_keys::replace(&mut tx, decided, app.clock.now(), &project, (id, &ann()), way).await?;
    tx.commit().await.unwrap();
    Ok(done.made)
}

async fn listed(app: &TestApp, label: &str) -> Vec<ListedKey> {
    let mut tx = app.service.store.begin_read().await.unwrap();
    let all = api_keys::list(&mut tx, &app.project.id, app.clock.now(), NEWEST, 100).await.unwrap();
    all.into_iter().filter(|listed| listed.key.label == label).collect()
}

async fn outcome(app: &TestApp, made: &MadeKey) -> String {
    app.get("/meta").key(made.text.expose()).send().await.outcome()
}

fn pass(app: &TestApp, millis: i64) {
    app.clock.advance(std::time::Duration::from_millis(millis.unsigned_abs()));
}

async fn a_key_works_until_the_end_that_its_maker_chose(store: TestStore) {
    let app = idle(&store).await;
    let made = make(&app, &new("short", KeyKind::Ci, Some(app.clock.now().plus_millis(HOUR)))).await.unwrap();
    assert_eq!(outcome(&app, &made).await, "200");
    let of_list = listed(&app, "short").await.remove(0);
    assert!(!of_list.is_over && made.text.expose().ends_with(of_list.key.hint.as_deref().unwrap()));
    assert_eq!(of_list.key.made_by.as_deref(), Some("ann@example.com"));
    pass(&app, HOUR - 1);
    assert_eq!(outcome(&app, &made).await, "200");
    pass(&app, 1);
    assert_eq!(outcome(&app, &made).await, "401 unauthorized");
    assert!(listed(&app, "short").await[0].is_over);
}

async fn a_key_that_has_ended_is_revoked_with_what_it_asked_for(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let made = make(&app, &new("agent", KeyKind::Agent, Some(app.clock.now().plus_millis(HOUR)))).await.unwrap();
    let asked = ask(&app, made.text.expose(), &json!({"kind": "publish"})).await;
    expired::sweep(&app.service).await.unwrap();
    assert_eq!(get(&app, &asked).await.status, OperationStatus::Pending);
    pass(&app, HOUR);
    expired::sweep(&app.service).await.unwrap();
    assert_eq!(get(&app, &asked).await.status, OperationStatus::Canceled);
    assert_eq!(listed(&app, "agent").await[0].key.revoked_at, Some(app.clock.now()));
}

async fn a_replaced_key_goes_on_for_its_time_and_no_longer(store: TestStore) {
    let app = idle(&store).await;
    let first = make(&app, &new("pipeline", KeyKind::Ci, None)).await.unwrap();
    let second = replace(&app, &first.id, 24, None).await.unwrap();
    assert_eq!((outcome(&app, &first).await, outcome(&app, &second).await), ("200".into(), "200".into()));
    let both = listed(&app, "pipeline").await;
    assert_eq!(both.len(), 2);
    assert_eq!((&both[0].key.scopes, both[0].key.kind), (&both[1].key.scopes, both[1].key.kind));
    pass(&app, 24 * HOUR);
    assert_eq!((outcome(&app, &first).await, outcome(&app, &second).await), ("401 unauthorized".into(), "200".into()));
    let third = replace(&app, &second.id, 0, None).await.unwrap();
    assert_eq!((outcome(&app, &second).await, outcome(&app, &third).await), ("401 unauthorized".into(), "200".into()));
}

async fn a_form_that_is_sent_twice_makes_one_key(store: TestStore) {
    let app = idle(&store).await;
    let first = make(&app, &new("pipeline", KeyKind::Ci, None)).await.unwrap();
    assert!(matches!(make(&app, &new("pipeline", KeyKind::Ci, None)).await, Err(KeyError::LabelTaken)));
    replace(&app, &first.id, 24, None).await.unwrap();
    assert!(matches!(replace(&app, &first.id, 24, None).await, Err(KeyError::Changed)));
    let end = app.clock.now().plus_millis(24 * HOUR);
    replace(&app, &first.id, 48, Some(end)).await.unwrap();
    let old = listed(&app, "pipeline").await.pop().unwrap();
    assert_eq!((old.key.id, old.key.ends_at), (first.id.clone(), Some(end)), "an end never moves further away");
    replace(&app, &first.id, 0, Some(end)).await.unwrap();
    assert!(matches!(replace(&app, &first.id, 0, Some(end)).await, Err(KeyError::Over)));
}

async fn a_key_of_another_project_is_not_there(store: TestStore) {
    let app = idle(&store).await;
    let other = app.other_project("free").await;
    let key = make(&app, &new("ours", KeyKind::Ci, None)).await.unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    let (now, decided) = (app.clock.now(), &app.service.operation_decided);
    let theirs = projects::find(&mut tx, &other.id).await.unwrap().unwrap();
    let refused = api_keys::revoke(&mut tx, decided, now, &theirs, (&key.id, &ann())).await.unwrap_err();
    assert!(matches!(refused, KeyError::Unknown), "{refused:?}");
    let way = KeyReplacement { delay_millis: 0, ends_at: None, known_end: None };
    let refused = api_keys::replace(&mut tx, decided, now, &theirs, (&key.id, &ann()), way).await.unwrap_err();
    assert!(matches!(refused, KeyError::Unknown), "{refused:?}");
    assert!(api_keys::find(&mut tx, &other.id, &key.id).await.unwrap().is_none());
    tx.commit().await.unwrap();
    assert_eq!(outcome(&app, &key).await, "200");
}

async fn what_no_key_has_is_refused_and_writes_nothing(store: TestStore) {
    let app = idle(&store).await;
    let now = app.clock.now();
    let refused = [
        ApiKeyRequest { label: " ".into(), ..new("", KeyKind::Ci, None) },
        new(&"x".repeat(101), KeyKind::Ci, None),
        new("a\u{1b}[2J", KeyKind::Ci, None),
        ApiKeyRequest { scopes: Vec::new(), ..new("none", KeyKind::Ci, None) },
        new("past", KeyKind::Ci, Some(now)),
        new("far", KeyKind::Ci, Some(now.plus_millis(11 * 366 * 24 * HOUR))),
    ];
    let count = async || -> Result<usize, StoreError> {
        let mut tx = app.service.store.begin_read().await?;
        Ok(api_keys::list(&mut tx, &app.project.id, now, NEWEST, 100).await?.len())
    };
    let before = count().await.unwrap();
    for wanted in refused {
        let error = make(&app, &wanted).await.unwrap_err();
        assert!(matches!(error, KeyError::Label | KeyError::NoScope | KeyError::End), "{wanted:?}: {error:?}");
    }
    assert_eq!(count().await.unwrap(), before);
    let capture = |scopes: &[Scope]| ApiKeyRequest { scopes: scopes.to_vec(), ..new("app", KeyKind::Ci, None) };
    assert!(!capture(&[Scope::Capture]).is_capture_with_more());
    assert!(capture(&[Scope::Capture, Scope::Read]).is_capture_with_more());
    assert!(!capture(&[Scope::Admin]).is_capture_with_more());
}

async fn the_hour_of_the_last_use_is_seen(store: TestStore) {
    let app = idle(&store).await;
    let made = make(&app, &new("used", KeyKind::Ci, None)).await.unwrap();
    let used = async || listed(&app, "used").await.remove(0).key.used_at;
    app.service.key_uses.write(&app.service.store).await.unwrap();
    assert_eq!(used().await, None);
    assert_eq!(outcome(&app, &made).await, "200");
    assert_eq!(outcome(&app, &made).await, "200");
    app.service.key_uses.write(&app.service.store).await.unwrap();
    let hour = app.clock.now().as_millis() / HOUR * HOUR;
    assert_eq!(used().await, Some(Timestamp::from_millis(hour)));
    pass(&app, HOUR);
    assert_eq!(app.get("/meta").key("eik_wrong").send().await.outcome(), "401 unauthorized");
    app.service.key_uses.write(&app.service.store).await.unwrap();
    assert_eq!(used().await, Some(Timestamp::from_millis(hour)), "a refused request is no use");
    assert_eq!(outcome(&app, &made).await, "200");
    app.service.key_uses.write(&app.service.store).await.unwrap();
    assert_eq!(used().await, Some(Timestamp::from_millis(hour + HOUR)));
}
