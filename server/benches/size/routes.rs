//! Each read route and each small write, over HTTP, in a project of so many keys.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Method;
use l10n_api_types::{Content, Timestamp};
use l10n_server::clock::Clock as _;
use l10n_server::config::Settings;
use l10n_server::domain::code_changes::edit::Edit;
use l10n_server::domain::search;
use l10n_server::engines::Pseudo;
use l10n_server::store::Tx;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use super::Medians;
use super::fill::{self, WEBHOOK};

/// Of so many calls the median is taken, after two that count for nothing.
const CALLS: usize = 15;

/// A server with a project of so many keys.
pub(crate) struct Site {
    app: TestApp,
    size: usize,
}

impl Site {
    pub(crate) async fn on(store: &TestStore, size: usize) -> Self {
        let settings = |settings: &mut Settings| {
            settings.limits.requests_per_minute = u32::MAX;
            settings.limits.captures_per_day = u32::MAX;
        };
        let app = TestApp::idle(store, settings, Arc::new(Pseudo)).await;
        fill::fill(&app, size).await;
        let began = Instant::now();
        search::index_all(&app.service.store).await.unwrap();
        search::sample_all(&app.service.store, app.clock.now()).await.unwrap();
        eprintln!("  indexed in {:.1} s", began.elapsed().as_secs_f64());
        Self { app, size }
    }
}

/// The medians of every route, at each site. The sites are called in turn, so that what else the machine does falls on all of
/// them alike.
pub(crate) async fn measure(sites: &[Site], publishes: bool) -> Medians {
    let mut medians = Medians::new();
    for at in 0..reads(&sites[0]).len() {
        let paths: Vec<String> = sites.iter().map(|site| reads(site).swap_remove(at).1).collect();
        let name = reads(&sites[0])[at].0;
        medians
            .push((name.to_owned(), median(sites, async |site, place, _| read(&site.app, &paths[place]).await).await));
    }
    writes(sites, &mut medians).await;
    if publishes {
        let mut took = Vec::new();
        for Site { app, size } in sites {
            let began = Instant::now();
            let answer = app.post("/publish").json(&json!({"label": format!("{size} keys")})).send().await;
            assert_eq!(answer.status, 201, "{}", answer.outcome());
            took.push(began.elapsed());
        }
        medians.push(("publish".to_owned(), took));
        medians
            .push(("manifest".to_owned(), median(sites, async |site, _, _| read(&site.app, "/manifest").await).await));
    }
    medians
}

/// `call` gets the site, its place and the number of the round.
async fn median(sites: &[Site], call: impl AsyncFn(&Site, usize, usize)) -> Vec<Duration> {
    let mut took = vec![Vec::with_capacity(CALLS); sites.len()];
    for round in 0..CALLS + 2 {
        for (place, site) in sites.iter().enumerate() {
            let began = Instant::now();
            call(site, place, round).await;
            if round >= 2 {
                took[place].push(began.elapsed());
            }
        }
    }
    let middle = |mut took: Vec<Duration>| {
        took.sort_unstable();
        took[CALLS / 2]
    };
    took.into_iter().map(middle).collect()
}

async fn read(app: &TestApp, path: &str) {
    let answer = app.get(path).send().await;
    assert!(answer.status < 300, "{path}: {}", answer.outcome());
}

fn reads(Site { app, size }: &Site) -> Vec<(&'static str, String)> {
    let size = *size;
    let at = |number: usize| format!("page.{number:026}.title");
    let after = |number: usize| URL_SAFE_NO_PAD.encode(format!("k{}", at(number)));
    let last = size - 50;
    let now = serde_json::to_value(Timestamp::from_millis(app.clock.now().as_millis())).unwrap();
    let since = now.as_str().unwrap_or_default().to_owned();
    vec![
        ("credential", "/credential".to_owned()),
        ("meta", "/meta".to_owned()),
        ("translations: one key", format!("/translations?ref={}", at(size / 2))),
        ("translations: first page", "/translations".to_owned()),
        ("translations: page in the middle", format!("/translations?cursor={}", after(size / 2))),
        ("translations: last page", format!("/translations?cursor={}", after(last))),
        ("translations: prefix of ten", format!("/translations?prefix={}", &at(size / 2)[..30])),
        ("translations: prefix of none", "/translations?prefix=page.x".to_owned()),
        ("translations: one language", format!("/translations?language=de&cursor={}", after(size / 2))),
        ("translations: few to review", "/translations?state=needs_review".to_owned()),
        (
            "translations: few to review, from the middle",
            format!("/translations?state=needs_review&cursor={}", after(size / 2)),
        ),
        ("translations: none reviewed", "/translations?state=reviewed&language=de".to_owned()),
        ("translations: all translated", format!("/translations?state=translated&cursor={}", after(size / 2))),
        ("translations: few stale", "/translations?stale=true".to_owned()),
        ("translations: none stale among most", format!("/translations?stale=false&cursor={}", after(size / 2))),
        ("translations: few since", format!("/translations?updatedSince={since}")),
        ("translations: few since, in one language", format!("/translations?updatedSince={since}&language=fr")),
        ("translations: none missing", "/translations?state=missing".to_owned()),
        ("translations: none missing in one language", "/translations?state=missing&language=de".to_owned()),
        ("translations: small namespace", "/translations?namespace=rare".to_owned()),
        ("translations: text of one key", format!("/translations?query=number%20{}%20SAYS", size / 2)),
        ("translations: text of none", "/translations?query=nowhere%20to%20be%20found".to_owned()),
        ("translations: text of all", "/translations?query=says%20what".to_owned()),
        ("translations: text of none, too short for the index", "/translations?query=zq".to_owned()),
        ("versions", "/versions".to_owned()),
        ("deliveries", format!("/webhooks/{WEBHOOK}/deliveries")),
        ("webhooks", "/webhooks".to_owned()),
        ("content: list", "/content".to_owned()),
        ("content: by external id", "/content?externalId=docs/7.md".to_owned()),
        ("pending code changes", "/pending-code-changes".to_owned()),
    ]
}

async fn writes(sites: &[Site], medians: &mut Medians) {
    let file = |round: usize| {
        let texts: serde_json::Map<String, Value> =
            (0..10).map(|n| (format!("own.{n}"), json!(format!("Text {n} of round {round}")))).collect();
        let content = Value::Object(texts).to_string();
        json!({"file": {"path": "own.json", "content": content, "encoding": "utf8", "format": "json"}})
    };
    // Known keys of the project, whose texts are others now.
    let known = |round: usize| {
        let keys: Vec<_> = (1..=10)
            .map(
                |n| json!({"ref": format!("page.{:026}.title", round * 10 + n), "text": format!("Now {n} of {round}")}),
            )
            .collect();
        json!({"keys": keys, "languages": ["de"]})
    };
    let new = |round: usize| {
        let keys: Vec<_> = (0..10)
            .map(|n| json!({"ref": format!("new.{round}.{n}"), "text": format!("New {n} of {round}")}))
            .collect();
        json!({"keys": keys, "languages": ["de"]})
    };
    let captured = |round: usize| {
        let keys: Vec<_> =
            (0..10).map(|n| json!({"ref": format!("seen.{round}.{n}"), "text": format!("Seen {n}")})).collect();
        json!({"keys": keys})
    };
    let mut post = async |name: &str, path: &str, body: &dyn Fn(usize) -> Value| {
        let one = async |site: &Site, _: usize, round: usize| {
            let answer = site.app.post(path).json(&body(round)).send().await;
            assert!(answer.status < 300, "{name}: {:?}", answer.bytes);
        };
        medians.push((name.to_owned(), median(sites, one).await));
    };
    post("sync of a small file, dry run", "/sync?dryRun=true", &file).await;
    post("sync of a small file", "/sync", &file).await;
    post("sync of an unchanged small file", "/sync", &|_| file(99)).await;
    post("translate ten known keys, dry run", "/translate?dryRun=true", &known).await;
    post("translate ten known keys", "/translate", &known).await;
    post("translate ten new keys", "/translate", &new).await;
    post("capture ten keys", "/capture", &captured).await;
    let text = async |site: &Site, _: usize, round: usize| {
        let name = format!("page.{:026}.title", 300 + round);
        edit(&site.app, async |edit, tx| {
            edit.text(tx, &name, &Content::Text(format!("Edited {round}"))).await.map(drop).unwrap()
        })
        .await;
    };
    medians.push(("keys-edit text".to_owned(), median(sites, text).await));
    let archive = async |site: &Site, _: usize, round: usize| {
        let name = format!("page.{:026}.title", 400 + round);
        edit(&site.app, async |edit, tx| edit.archive(tx, &name).await.unwrap()).await;
    };
    medians.push(("keys-edit archive".to_owned(), median(sites, archive).await));
    let webhook = async |site: &Site, _: usize, round: usize| {
        let body = json!({"enabled": round.is_multiple_of(2)});
        let answer = site.app.call(Method::PATCH, &format!("/webhooks/{WEBHOOK}")).json(&body).send().await;
        assert!(answer.status < 300, "{:?}", answer.bytes);
    };
    medians.push(("webhook switched off and on".to_owned(), median(sites, webhook).await));
}

/// An edit by a person on the server.
async fn edit(app: &TestApp, deed: impl AsyncFnOnce(&Edit<'_>, &mut Tx)) {
    let edit = Edit {
        clock: app.service.clock.as_ref(),
        settings: &app.service.settings,
        project: &app.project.id,
        by: "bench",
    };
    let mut tx = app.service.store.begin_write().await.unwrap();
    deed(&edit, &mut tx).await;
    tx.commit().await.unwrap();
}
