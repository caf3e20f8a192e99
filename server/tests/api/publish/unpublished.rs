//! `GET /unpublished-changes`: how a publish now would differ from the live version.

use http::Method;
use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::unpublished_changes::{ChangeClass, UnpublishedChanges};
use l10n_api_types::{Check, FormatId, Issue, Severity, State};
use l10n_server::testing::{Answer, TestStore};
use serde_json::json;

use super::fixtures::{App, Spec};

l10n_server::both_engines!(
    everything_is_added_before_the_first_publish,
    changes_are_told_by_language_and_class,
    what_a_check_holds_back_is_told_and_not_added,
    changes_come_in_pages_each_once,
    parameters_that_cannot_be_are_refused,
    the_scope_is_read_and_others_projects_are_not_shown,
    a_project_that_is_too_large_is_not_compared,
    an_empty_project_has_none,
);

async fn answer(app: &App, query: &str) -> Answer {
    app.get(&format!("/unpublished-changes{query}")).key(&app.project.keys.read).send().await
}

async fn changes(app: &App, query: &str) -> UnpublishedChanges {
    let answer = answer(app, query).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

/// `language class ref: from -> to` of each item.
fn told(page: &UnpublishedChanges) -> Vec<String> {
    let side = |side: &Option<_>| side.as_ref().map(|side| serde_json::to_string(side).unwrap()).unwrap_or_default();
    let items = page.items.iter();
    items
        .map(|one| format!("{} {} {}: {} -> {}", one.language, one.class, one.r#ref, side(&one.from), side(&one.to)))
        .collect()
}

/// A language, and its numbers of added, changed, removed and held texts.
type Counts = (String, Option<u64>, Option<u64>, Option<u64>, u64);

fn counts(page: &UnpublishedChanges) -> Vec<Counts> {
    let languages = page.languages.iter();
    languages.map(|one| (one.code.to_string(), one.added, one.changed, one.removed, one.held)).collect()
}

fn of(code: &str, counts: [u64; 4]) -> Counts {
    let [added, changed, removed, held] = counts;
    (code.to_owned(), Some(added), Some(changed), Some(removed), held)
}

async fn everything_is_added_before_the_first_publish(store: TestStore) {
    let app = App::greeting(&store).await;
    let page = changes(&app, "").await;
    assert_eq!((&page.live_version_id, &page.next_cursor), (&None, &None));
    assert_eq!(counts(&page)[..2], [of("en", [1, 0, 0, 0]), of("de", [1, 0, 0, 0])]);
    assert_eq!(told(&page), [r#"en added greeting:  -> "Hello""#, r#"de added greeting:  -> "Hallo""#]);
    let published = app.publish().await;
    let page = changes(&app, "").await;
    assert_eq!((page.live_version_id.as_ref(), told(&page)), (Some(&published.version_id), vec![]));
}

async fn changes_are_told_by_language_and_class(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    for (name, text) in [("a", "A"), ("b", "B"), ("c", "C")] {
        let key = app.key_in(&mut tx, Spec { name, text, ..Spec::default() }).await;
        app.translate_in(&mut tx, &key, "de", &format!("{text} de"), State::Translated).await;
    }
    tx.commit().await.unwrap();
    app.publish().await;
    let mut tx = app.write().await;
    let found = l10n_server::store::keys::find(&mut tx, &app.project.id, "b").await.unwrap().unwrap();
    let gone = l10n_server::store::keys::find(&mut tx, &app.project.id, "c").await.unwrap().unwrap();
    app.key_in(&mut tx, Spec { id: Some(&found.id), name: "b", text: "B2", ..Spec::default() }).await;
    app.key_in(&mut tx, Spec { name: "d", text: "D", ..Spec::default() }).await;
    l10n_server::store::keys::archive(&mut tx, &[&gone.id], gone.updated_at).await.unwrap();
    tx.commit().await.unwrap();
    let page = changes(&app, "").await;
    assert_eq!(counts(&page)[..2], [of("en", [1, 1, 1, 0]), of("de", [0, 0, 1, 0])]);
    let expected = [
        r#"en changed b: "B" -> "B2""#,
        r#"en removed c: "C" -> "#,
        r#"en added d:  -> "D""#,
        r#"de removed c: "C de" -> "#,
    ];
    assert_eq!(told(&page), expected);
    let german = changes(&app, "?language=DE").await;
    assert_eq!((counts(&german), told(&german)), (vec![of("de", [0, 0, 1, 0])], vec![expected[3].to_owned()]));
}

async fn what_a_check_holds_back_is_told_and_not_added(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    let key = app.key_in(&mut tx, Spec { name: "greeting", text: "Hello, {name}", ..Spec::default() }).await;
    let lost = Issue {
        check: Check::Placeholders,
        severity: Severity::Error,
        message: "`{name}` is missing".into(),
        start: None,
        end: None,
    };
    app.translate_with(&mut tx, &key, "de", "Hallo", State::NeedsReview, &[lost]).await;
    tx.commit().await.unwrap();
    let page = changes(&app, "?language=de").await;
    assert_eq!(counts(&page), [of("de", [0, 0, 0, 1])]);
    assert_eq!(told(&page), [r#"de held greeting: "Hello, {name}" -> "Hallo""#]);
    assert_eq!(page.items[0].class, ChangeClass::Held);
}

async fn changes_come_in_pages_each_once(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    app.outputs_in(
        &mut tx,
        &[
            ("{namespace}/{language}.json", FormatId::Json, EmptyAs::Skip, None),
            ("{language}.arb", FormatId::Arb, EmptyAs::Skip, None),
        ],
    )
    .await;
    for n in 0..7 {
        let (name, namespace) = (format!("k{n}"), ["app", "web"][n % 2]);
        let spec = Spec { name: &name, text: "Text", namespace: Some(namespace), ..Spec::default() };
        let key = app.key_in(&mut tx, spec).await;
        let state = if n < 4 { State::NeedsReview } else { State::Translated };
        app.translate_in(&mut tx, &key, "de", "Wort", state).await;
    }
    tx.commit().await.unwrap();
    let whole = changes(&app, "?limit=500").await;
    assert_eq!(whole.next_cursor, None);
    assert!(whole.items.len() >= 14 && whole.items.iter().any(|one| one.class == ChangeClass::Held), "{whole:?}");
    for limit in [1, 2, 5, whole.items.len()] {
        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = changes(&app, &format!("?limit={limit}{cursor}")).await;
            assert_eq!(page.languages, whole.languages, "each page counts all");
            items.extend(page.items);
            let Some(next) = page.next_cursor else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(items, whole.items, "{limit}");
    }
}

async fn parameters_that_cannot_be_are_refused(store: TestStore) {
    let app = App::greeting(&store).await;
    let first = changes(&app, "?limit=1").await.next_cursor.unwrap();
    let of_keys = "a2dyZWV0aW5n";
    for query in [
        "?limit=0".to_owned(),
        "?limit=501".into(),
        "?limit=x".into(),
        "?limit=1&limit=2".into(),
        "?cursor=x".into(),
        format!("?cursor={of_keys}"),
        format!("?cursor={first}x"),
        "?language=%21".into(),
        "?language=pl".into(),
        "?language=de%00".into(),
        // The cursor is of English.
        format!("?language=de&cursor={first}"),
    ] {
        assert_eq!(answer(&app, &query).await.outcome(), "400 invalid_argument", "{query}");
    }
    assert_eq!(answer(&app, "?dryRun=true&nothing=1").await.status, 200, "reads ignore what they do not know");
}

async fn the_scope_is_read_and_others_projects_are_not_shown(store: TestStore) {
    let app = App::greeting(&store).await;
    let keys = &app.project.keys;
    for key in [&keys.translate, &keys.write, &keys.publish, &keys.capture, &keys.none] {
        assert_eq!(app.get("/unpublished-changes").key(key).send().await.outcome(), "403 forbidden");
    }
    for key in [&keys.admin, &keys.read, &keys.agent_read] {
        assert_eq!(app.get("/unpublished-changes").key(key).send().await.status, 200);
    }
    let other = app.other_project("unlimited").await;
    assert_eq!(app.get("/unpublished-changes").key(&other.keys.read).send().await.outcome(), "401 unauthorized");
    let path = format!("/v1/projects/{}/unpublished-changes", other.id);
    let page: UnpublishedChanges = app.at(Method::GET, &path).key(&other.keys.read).send().await.read();
    assert!(page.items.is_empty());
    assert_eq!(
        app.call(Method::POST, "/unpublished-changes").json(&json!({})).send().await.outcome(),
        "405 method_not_allowed"
    );
}

async fn a_project_that_is_too_large_is_not_compared(store: TestStore) {
    let app = App::greeting(&store).await;
    // As if it had a million keys, which would take long to make.
    let mut tx = app.write().await;
    l10n_server::store::projects::add_counts(&mut tx, &app.project.id, 1_000_000, 0).await.unwrap();
    tx.commit().await.unwrap();
    let page = changes(&app, "").await;
    assert_eq!(counts(&page)[0], ("en".into(), None, None, None, 0));
    assert!(page.items.is_empty() && page.next_cursor.is_none());
}

async fn an_empty_project_has_none(store: TestStore) {
    let app = App::on(&store).await;
    let page = changes(&app, "").await;
    assert_eq!(counts(&page), ["en", "de", "fr"].map(|code| of(code, [0; 4])));
    assert_eq!((page.items, page.next_cursor), (vec![], None));
}
