//! The manifest and bundles, for anyone.

use http::Method;
use l10n_api_types::delivery::ManifestBody;
use l10n_api_types::languages::Direction;
use l10n_api_types::{FormatId, State};
use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::publish::fixtures::{App, Spec, hex};

/// PUB-2, PUB-3, PUB-4: before the first publish nobody learns a text, with a key or without.
async fn drafts_are_not_delivered(store: TestStore) {
    let app = App::greeting(&store).await;
    for path in ["/manifest", "/bundles/live/de.json"] {
        assert_eq!(app.public(path).send().await.outcome(), "404 not_published", "{path}");
        assert_eq!(app.named(path).send().await.outcome(), "404 not_published", "{path}");
        assert_eq!(app.get(path).send().await.outcome(), "404 not_published", "{path}");
    }
    app.publish().await;
    for path in ["/manifest", "/bundles/live/de.json"] {
        let without = app.public(path).send().await;
        assert_eq!(without.outcome(), "200", "{path}");
        for key in ["eik_nonsense", &app.project.keys.revoked, &app.project.keys.none] {
            assert_eq!(app.get(path).key(key).send().await.bytes, without.bytes, "{path}");
        }
    }
}

async fn the_manifest_says_what_is_live(store: TestStore) {
    let app = App::greeting(&store).await;
    let published = app.publish().await;
    let answer = app.public("/manifest").send().await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let manifest: ManifestBody = answer.read();
    assert_eq!(manifest.project_id, app.project.id);
    assert_eq!(manifest.version_id, published.version_id);
    assert_eq!((manifest.label.as_str(), manifest.base_language.as_str()), ("v1", "en"));
    assert_eq!(manifest.published_at, published.published_at);
    let languages: Vec<_> = manifest.languages.iter().map(|l| (l.code.as_str(), l.is_base, l.direction)).collect();
    assert_eq!(languages, [("en", true, Direction::Ltr), ("de", false, Direction::Ltr), ("fr", false, Direction::Ltr)]);
    let paths: Vec<_> =
        manifest.files.iter().map(|f| (f.path.as_str(), f.language.as_str(), f.format.as_str())).collect();
    assert_eq!(paths, [("en.json", "en", "json"), ("de.json", "de", "json"), ("fr.json", "fr", "json")]);
}

/// The path of a URL on this server.
fn path_of<'a>(app: &App, url: &'a str) -> &'a str {
    url.strip_prefix(&format!("http://{}", app.address)).unwrap()
}

/// Every file of the manifest can be read at its URL, with the size and hash that the manifest states.
async fn the_manifests_hashes_are_those_of_the_bytes_that_are_served(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    for (position, namespace) in [(0, "ü b"), (1, "a?#%")] {
        let spec =
            Spec { name: namespace, text: "Ünïcode 🎉", namespace: Some(namespace), position, ..Spec::default() };
        let key = app.key_in(&mut tx, spec).await;
        app.translate_in(&mut tx, &key, "de", "Größe", State::Reviewed).await;
    }
    let format = ("{language}/{namespace}.json", FormatId::Json, l10n_api_types::output_formats::EmptyAs::Base, None);
    app.outputs_in(&mut tx, &[format]).await;
    tx.commit().await.unwrap();
    app.publish().await;
    for named in [false, true] {
        let call = if named { app.named("/manifest") } else { app.public("/manifest") };
        let manifest: ManifestBody = call.send().await.read();
        assert_eq!(manifest.files.len(), 6);
        for file in manifest.files {
            let answer = app.at(Method::GET, path_of(&app, &file.url)).send().await;
            assert_eq!(answer.status, 200, "{}", file.url);
            assert_eq!(hex(&answer.bytes), file.sha256);
            assert_eq!(answer.bytes.len() as u64, file.bytes);
            assert_eq!(answer.header("etag"), Some(format!("\"{}\"", file.sha256).as_str()));
            assert_eq!(file.url.contains("/@acme/app/"), named, "a reader stays in its own window: {}", file.url);
        }
    }
}

async fn headers_say_how_long_an_answer_holds(store: TestStore) {
    let app = App::greeting(&store).await;
    let version = app.publish().await.version_id;
    const LIVE: &str = "public, max-age=60, stale-while-revalidate=600";
    const FOR_EVER: &str = "public, max-age=31536000, immutable";
    for (path, cache) in [
        ("/manifest".to_owned(), LIVE),
        ("/bundles/live/de.json".to_owned(), LIVE),
        (format!("/bundles/{version}/de.json"), FOR_EVER),
    ] {
        for call in [app.public(&path), app.named(&path)] {
            let answer = call.send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
            assert_eq!(answer.header("cache-control"), Some(cache), "{path}");
            assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.header("vary"), Some("accept-encoding"));
        }
    }
}

async fn head_answers_as_get_without_a_body(store: TestStore) {
    let app = App::greeting(&store).await;
    app.publish().await;
    for path in ["/manifest", "/bundles/live/de.json"] {
        let get = app.public(path).send().await;
        let head = app.call(Method::HEAD, path).no_key().send().await;
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
        for header in ["etag", "content-type", "cache-control", "content-length", "vary"] {
            assert!(head.header(header).is_some(), "{header}");
            assert_eq!(head.header(header), get.header(header), "{header}");
        }
        let other = app.call(Method::POST, path).send().await;
        assert_eq!(other.outcome(), "405 method_not_allowed", "{path}");
    }
}

/// A page of another origin may send `If-None-Match` of its own.
async fn browsers_may_ask_before_they_read(store: TestStore) {
    let app = App::greeting(&store).await;
    for path in ["/manifest", "/bundles/live/de.json"] {
        let preflight = app.call(Method::OPTIONS, path).no_key().header("access-control-request-method", "GET");
        let asked = preflight.header("origin", "https://app.example").send().await;
        assert_eq!((asked.status, asked.header("access-control-allow-origin")), (204, Some("*")), "{path}");
        assert_eq!(asked.header("access-control-allow-headers"), Some("*, authorization"), "{path}");
    }
    let keyed = app.call(Method::OPTIONS, "/publish").header("access-control-request-method", "POST");
    assert_eq!(keyed.no_key().send().await.outcome(), "401 unauthorized");
}

async fn what_is_not_there_is_404_by_kind(store: TestStore) {
    let app = App::greeting(&store).await;
    let version = app.publish().await.version_id;
    let other = app.other_project("unlimited").await;
    for (path, outcome) in [
        (format!("/bundles/{version}/es.json"), "404 not_found"),
        ("/bundles/live/es.json".to_owned(), "404 not_found"),
        ("/bundles/ver_none/de.json".to_owned(), "404 version_not_found"),
        ("/bundles/LIVE/de.json".to_owned(), "404 version_not_found"),
        ("/bundles/live".to_owned(), "404 not_found"),
    ] {
        assert_eq!(app.named(&path).send().await.outcome(), outcome, "{path}");
    }
    let public = async |path: String| app.at(Method::GET, &path).send().await.outcome();
    assert_eq!(public("/v1/projects/prj_none/manifest".into()).await, "404 not_found");
    assert_eq!(public("/v1/projects/prj_none/bundles/live/de.json".into()).await, "404 not_found");
    assert_eq!(public("/v1/@acme/none/manifest".into()).await, "404 not_found");
    assert_eq!(public("/v1/@none/app/bundles/live/de.json".into()).await, "404 not_found");
    assert_eq!(public(format!("/v1/projects/{}/bundles/{version}/de.json", other.id)).await, "404 version_not_found");
}

/// HOSTILE-INPUTS S4: a path is looked up and never followed.
async fn paths_that_lead_elsewhere_are_404(store: TestStore) {
    let app = App::greeting(&store).await;
    let version = app.publish().await.version_id;
    for path in [
        "../de.json",
        "%2e%2e/de.json",
        "x/../de.json",
        "x/%2e%2e/de.json",
        "./de.json",
        "/de.json",
        "x//de.json",
        "%2Fde.json",
        "de.json/",
        "de.json%00",
        "%00",
        "de.json%0a",
        "..%5cde.json",
        "%5c",
        "%ff",
        "%zz",
        "de.json;x=1",
        "../../../../etc/passwd",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "DE.json",
    ] {
        for form in [format!("/bundles/{version}/{path}"), format!("/bundles/live/{path}")] {
            for call in [app.public(&form), app.named(&form)] {
                assert_eq!(call.send().await.outcome(), "404 not_found", "{form}");
            }
        }
    }
    let long = format!("/bundles/live/{}", "x".repeat(5_000));
    assert_eq!(app.public(&long).send().await.outcome(), "404 not_found");
    let encoded = app.public("/bundles/live/%64e.json").send().await;
    assert_eq!(encoded.status, 200, "an encoded letter is that letter");
}

/// LIM-REQ-5, LIM-REQ-8
async fn delivery_counts_in_the_projects_window_and_its_named_form_in_another(store: TestStore) {
    let app =
        TestApp::with(&store, |settings| settings.limits.requests_per_minute = 5, ConnectionTimeouts::default()).await;
    let app = App::new(app);
    app.greet().await;
    let published = app.published().await;
    for path in ["/manifest", "/manifest", "/bundles/live/de.json"] {
        assert_eq!(app.public(path).send().await.status, 200);
    }
    assert_eq!(app.public("/bundles/live/none.json").send().await.status, 404);
    let unchanged = app.public("/manifest").header("if-none-match", "*").send().await;
    assert_eq!(unchanged.status, 304, "the fifth");
    let over = app.get("/credential").send().await;
    assert_eq!((over.outcome().as_str(), over.header("retry-after")), ("429 rate_limited", Some("60")));
    assert_eq!(app.public("/manifest").send().await.outcome(), "429 rate_limited");

    let bundle = format!("/bundles/{}/de.json", published.version_id);
    for _ in 0..5 {
        assert_eq!(app.named(&bundle).send().await.status, 200, "a window of its own");
    }
    assert_eq!(app.named("/manifest").send().await.outcome(), "429 rate_limited");
    app.clock.advance(std::time::Duration::from_secs(60));
    assert_eq!(app.public("/manifest").send().await.status, 200);
    assert_eq!(app.named("/manifest").send().await.status, 200);
}

/// RES: a manifest of right-to-left languages says so.
async fn the_manifest_knows_the_direction(store: TestStore) {
    let app = App::greeting(&store).await;
    let mut tx = app.write().await;
    let arabic = l10n_server::store::languages::Language {
        code: "ar".into(),
        is_base: false,
        position: 3,
        created_at: l10n_api_types::Timestamp::from_millis(0),
    };
    l10n_server::store::languages::insert(&mut tx, &app.project.id, &[arabic]).await.unwrap();
    tx.commit().await.unwrap();
    app.publish().await;
    let manifest = app.public("/manifest").send().await.json();
    assert_eq!(manifest["languages"][3], json!({"code": "ar", "isBase": false, "direction": "rtl"}));
}

both_engines!(
    drafts_are_not_delivered,
    the_manifest_says_what_is_live,
    the_manifests_hashes_are_those_of_the_bytes_that_are_served,
    headers_say_how_long_an_answer_holds,
    head_answers_as_get_without_a_body,
    browsers_may_ask_before_they_read,
    what_is_not_there_is_404_by_kind,
    paths_that_lead_elsewhere_are_404,
    delivery_counts_in_the_projects_window_and_its_named_form_in_another,
    the_manifest_knows_the_direction,
);
