//! The files of a version, and their formatting.

use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::{FormatId, State};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::store::languages::{self, Language};
use l10n_server::testing::TestStore;

use crate::publish::fixtures::{App, Spec, error, warning};

const APP: &str = "{\n\t\"menu\": {\"open\": \"Open\", \"close\": \"Close\"},\n\t\"version\": 3\n}";
const ARB: &str =
    "{\n  \"@@locale\": \"en\",\n  \"title\": \"Title\",\n  \"@title\": {\"description\": \"Of the page\"}\n}\n";

/// Two synced files and a key without one; German lacks `menu.close`.
async fn synced(store: &TestStore) -> App {
    let app = App::on(store).await;
    let mut tx = app.write().await;
    app.source_in(&mut tx, "locales/en/app.json", FormatId::Json, APP).await;
    app.source_in(&mut tx, "lib/app_en.arb", FormatId::Arb, ARB).await;
    for (position, name, text, german, path) in [
        (0, "menu.open", "Open", Some("Öffnen"), Some("locales/en/app.json")),
        (1, "menu.close", "Close", None, Some("locales/en/app.json")),
        (0, "title", "Title", Some("Titel"), Some("lib/app_en.arb")),
        (0, "loose", "Loose", Some("Lose"), None),
    ] {
        let spec = Spec { name, text, position, source_path: path, ..Spec::default() };
        let key = app.key_in(&mut tx, spec).await;
        if let Some(german) = german {
            app.translate_in(&mut tx, &key, "de", german, State::Translated).await;
        }
    }
    tx.commit().await.unwrap();
    app
}

async fn of_language(app: &App, language: &str) -> Vec<(String, String)> {
    let published = app.publish().await;
    let files = app.files(published.version_id.as_str()).await.files.into_iter();
    files.filter(|file| file.language.as_str() == language).map(|file| (file.path, file.content.unwrap())).collect()
}

fn file(path: &str, content: &str) -> (String, String) {
    (path.into(), content.into())
}

/// Without output formats a version mirrors the source files, in their own hand.
async fn files_lie_beside_their_sources_and_keep_their_hand(store: TestStore) {
    let app = synced(&store).await;
    assert_eq!(
        of_language(&app, "en").await,
        [
            file("lib/app_en.arb", ARB),
            file("locales/en/app.json", APP),
            file("en.json", "{\n  \"loose\": \"Loose\"\n}\n"),
        ]
    );
    assert_eq!(
        of_language(&app, "de").await,
        [
            file("lib/app_de.arb", "{\n  \"@@locale\": \"de\",\n  \"title\": \"Titel\"\n}\n"),
            file("locales/de/app.json", "{\n\t\"menu\": {\"open\": \"Öffnen\"},\n\t\"version\": 3\n}"),
            file("de.json", "{\n  \"loose\": \"Lose\"\n}\n"),
        ]
    );
}

async fn stated_output_formats_take_the_place_of_the_sources(store: TestStore) {
    let app = synced(&store).await;
    let mut tx = app.write().await;
    app.outputs_in(
        &mut tx,
        &[
            ("out/{language}.json", FormatId::Json, EmptyAs::Base, None),
            ("out/{languageUnderscore}.arb", FormatId::Arb, EmptyAs::Skip, None),
        ],
    )
    .await;
    tx.commit().await.unwrap();
    assert_eq!(
        of_language(&app, "de").await,
        [
            file(
                "out/de.json",
                "{\n  \"title\": \"Titel\",\n  \"menu.open\": \"Öffnen\",\n  \"menu.close\": \"Close\",\n  \"loose\": \"Lose\"\n}\n"
            ),
            file(
                "out/de.arb",
                "{\n  \"@@locale\": \"de\",\n  \"title\": \"Titel\",\n  \"menu.open\": \"Öffnen\",\n  \"loose\": \"Lose\"\n}\n"
            ),
        ]
    );
}

/// A key that a sync kept although its file holds it no more stays published, in the file's hand.
async fn kept_keys_stay_in_the_file_that_they_came_from(store: TestStore) {
    let app = synced(&store).await;
    let mut tx = app.write().await;
    let kept = Spec {
        name: "menu.kept",
        text: "Kept",
        position: 2,
        source_path: Some("locales/en/app.json"),
        ..Spec::default()
    };
    app.key_in(&mut tx, kept).await;
    tx.commit().await.unwrap();
    let english = of_language(&app, "en").await;
    assert_eq!(
        english[1].1,
        "{\n\t\"menu\": {\"open\": \"Open\", \"close\": \"Close\", \"kept\": \"Kept\"},\n\t\"version\": 3\n}"
    );
}

async fn namespaces_split_files_and_are_not_repeated_inside(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    for (name, namespace) in [("shop:cart", Some("shop")), ("admin:users", Some("admin")), ("plain", None)] {
        app.key_in(&mut tx, Spec { name, text: name, namespace, ..Spec::default() }).await;
    }
    let outputs: [(&str, FormatId, EmptyAs, Option<&[&str]>); 2] = [
        ("{language}/{namespace}.json", FormatId::Json, EmptyAs::Skip, None),
        ("shop-{language}.json", FormatId::Json, EmptyAs::Skip, Some(&["shop"])),
    ];
    app.outputs_in(&mut tx, &outputs).await;
    tx.commit().await.unwrap();
    assert_eq!(
        of_language(&app, "en").await,
        [
            file("en/admin.json", "{\n  \"users\": \"admin:users\"\n}\n"),
            file("en/default.json", "{\n  \"plain\": \"plain\"\n}\n"),
            file("en/shop.json", "{\n  \"cart\": \"shop:cart\"\n}\n"),
            file("shop-en.json", "{\n  \"cart\": \"shop:cart\"\n}\n"),
        ]
    );
    let version = app.publish().await.version_id;
    let namespaces: Vec<_> = app.files(version.as_str()).await.files.into_iter().map(|file| file.namespace).collect();
    assert_eq!(namespaces[..3], [Some("admin".into()), Some("admin".into()), Some("admin".into())]);
    assert!(namespaces.contains(&None) && namespaces.contains(&Some("shop".into())));
}

/// Of two sources that would have one path, the first has it: an odd project is published and not refused.
async fn sources_that_meet_in_one_path_do_not_fail_the_publish(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    for (name, path) in [("first", "EN/x.json"), ("second", "en/x.json")] {
        app.source_in(&mut tx, path, FormatId::Json, &format!("{{\"{name}\": \"{name}\"}}")).await;
        app.key_in(&mut tx, Spec { name, text: name, source_path: Some(path), ..Spec::default() }).await;
    }
    tx.commit().await.unwrap();
    assert_eq!(of_language(&app, "en").await, [file("en/x.json", "{\"first\": \"first\"}")]);
}

both_engines!(
    files_lie_beside_their_sources_and_keep_their_hand,
    stated_output_formats_take_the_place_of_the_sources,
    kept_keys_stay_in_the_file_that_they_came_from,
    namespaces_split_files_and_are_not_repeated_inside,
    sources_that_meet_in_one_path_do_not_fail_the_publish,
    each_of_many_languages_gets_its_own_texts,
    sources_keep_their_hand_whatever_their_size_and_number,
    a_version_of_too_many_files_is_refused,
);

/// Several languages are read at once.
async fn each_of_many_languages_gets_its_own_texts(store: TestStore) {
    const MORE: [&str; 11] = ["bg", "cs", "da", "el", "es", "fi", "hu", "it", "ja", "nl", "pl"];
    let app = App::greeting(&store).await;
    let mut tx = app.write().await;
    let language = |(position, code): (i64, &&str)| Language {
        code: (*code).into(),
        is_base: false,
        position,
        created_at: app.clock.now(),
    };
    let rows: Vec<Language> = (10..).zip(&MORE).map(language).collect();
    languages::insert(&mut tx, &app.project.id, &rows).await.unwrap();
    let key = app.key_in(&mut tx, Spec { name: "welcome", text: "Welcome", position: 1, ..Spec::default() }).await;
    for code in MORE {
        let issues = if code == "nl" { vec![warning()] } else { Vec::new() };
        app.translate_with(&mut tx, &key, code, &format!("Welcome in {code}"), State::Translated, &issues).await;
    }
    app.translate_with(&mut tx, &key, "de", "Willkommen", State::NeedsReview, &[error()]).await;
    tx.commit().await.unwrap();

    let published = app.publish().await;
    assert_eq!((published.issues.error, published.issues.warning), (1, 1));
    let files = app.contents(published.version_id.as_str()).await;
    assert_eq!(files[0], file("en.json", "{\n  \"greeting\": \"Hello\",\n  \"welcome\": \"Welcome\"\n}\n"));
    assert_eq!(files[1], file("de.json", "{\n  \"greeting\": \"Hallo\"\n}\n"));
    let expected =
        MORE.map(|code| file(&format!("{code}.json"), &format!("{{\n  \"welcome\": \"Welcome in {code}\"\n}}\n")));
    assert_eq!(files[3..], expected);
}

/// Small sources of a project that has few of them are read with their list.
async fn sources_keep_their_hand_whatever_their_size_and_number(store: TestStore) {
    let app = App::on(&store).await;
    let source = |number: usize, size: usize| format!("{{\t\"key{number}\": \"Text\",\n\n\t\"large\": {size:>size$}}}");
    let sizes = [1, 20_000].into_iter().chain(std::iter::repeat_n(2, 70)).enumerate();
    let mut expected = Vec::new();
    for (number, size) in sizes {
        let (name, path, content) = (format!("key{number}"), format!("en/f{number:02}.json"), source(number, size));
        let mut tx = app.write().await;
        app.source_in(&mut tx, &path, FormatId::Json, &content).await;
        app.key_in(&mut tx, Spec { name: &name, text: "Text", source_path: Some(&path), ..Spec::default() }).await;
        tx.commit().await.unwrap();
        expected.push(file(&path, &content));
        if [1, 71].contains(&number) {
            assert_eq!(of_language(&app, "en").await, expected, "{} sources", expected.len());
        }
    }
}

/// 134 namespaces in 50 output formats and 3 languages.
async fn a_version_of_too_many_files_is_refused(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    for number in 0..134 {
        let namespace = format!("part{number}");
        let name = format!("{namespace}:key");
        app.key_in(&mut tx, Spec { name: &name, text: "Text", namespace: Some(&namespace), ..Spec::default() }).await;
    }
    let paths: Vec<String> = (0..50).map(|number| format!("out{number}/{{language}}/{{namespace}}.json")).collect();
    let outputs: Vec<_> = paths.iter().map(|path| (path.as_str(), FormatId::Json, EmptyAs::Skip, None)).collect();
    app.outputs_in(&mut tx, &outputs).await;
    tx.commit().await.unwrap();
    let refused = app.post("/publish").send().await;
    assert_eq!(refused.outcome(), "400 invalid_argument");
    let message = refused.json()["message"].as_str().unwrap().to_owned();
    for part in ["20000", "20100", "`{namespace}`", "`languages`"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(
        app.get("/unpublished-changes").send().await.status,
        200,
        "a preview is left out, as of a large project"
    );
    let mut tx = app.write().await;
    app.outputs_in(&mut tx, &outputs[..1]).await;
    tx.commit().await.unwrap();
    assert_eq!(app.publish().await.files, 402);
}
