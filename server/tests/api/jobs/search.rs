//! `GET /translations?query=`: keys with a text.

use std::time::Duration;

use http::Method;
use l10n_api_types::translations::{KeyDetail, KeyList};
use l10n_server::clock::Clock as _;
use l10n_server::domain::search::{self, IndexCursors};
use l10n_server::store::languages::{self, Language};
use l10n_server::store::{common_tokens, keys};
use l10n_server::testing::{Answer, TestApp, TestStore, sql};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use crate::jobs::fixtures::{ended, sync, sync_with, taken, texts, translate};

l10n_server::both_engines!(
    a_text_is_found_in_ref_source_and_translations_in_any_case,
    with_a_language_other_translations_are_not_searched,
    hostile_queries_are_texts_like_others,
    a_query_that_cannot_be_is_refused_by_name,
    keys_of_others_are_never_found,
    a_search_goes_with_the_other_filters,
    a_search_that_finds_nothing_ends_and_reads_a_bounded_number_of_keys,
    a_text_that_most_keys_of_a_large_project_have_is_found_without_the_index,
    frequent_tokens_are_asked_for_only_where_the_others_find_too_much,
    a_large_project_is_sampled_again_with_other_numbers_or_after_a_day,
    whatever_was_written_is_found_indexed_or_not,
    keys_of_a_large_run_are_found_once_it_is_live,
    keys_that_are_gone_leave_nothing_in_the_index,
    keys_in_many_languages_are_indexed_in_smaller_steps,
    keys_with_long_translations_are_indexed_in_smaller_steps,
    a_project_that_cannot_be_sampled_keeps_no_other_from_it,
    a_key_that_is_marked_again_waits_for_the_next_round,
);

fn asked(query: &str) -> String {
    format!("query={}", utf8_percent_encode(query, NON_ALPHANUMERIC))
}

async fn answer(app: &TestApp, query: &str) -> Answer {
    app.get(&format!("/translations?{query}")).key(&app.project.keys.read).send().await
}

/// All keys that a query finds, in pages of this size.
async fn all(app: &TestApp, query: &str, limit: usize) -> Vec<KeyDetail> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let answer = answer(app, &format!("{query}&limit={limit}{cursor}")).await;
        assert_eq!(answer.status, 200, "{query}: {answer:?}");
        let page: KeyList = answer.read();
        assert!(page.keys.len() <= limit, "{query}");
        found.extend(page.keys);
        let Some(next) = page.next_cursor else { return found };
        assert_ne!(cursor, format!("&cursor={next}"), "{query}");
        cursor = format!("&cursor={next}");
    }
}

async fn found(app: &TestApp, query: &str) -> Vec<String> {
    all(app, query, 100).await.into_iter().map(|key| key.r#ref).collect()
}

/// Both while the keys are marked and once they are indexed, which nobody may notice.
async fn finds(app: &TestApp, query: &str, names: &[&str]) {
    for _ in 0..2 {
        assert_eq!(found(app, query).await, names, "{query}");
        app.indexed().await;
    }
}

async fn german(app: &TestApp, content: Value) {
    taken(sync_with(app, "", "de.json", &content, json!({"language": "de"})).send().await);
}

async fn a_text_is_found_in_ref_source_and_translations_in_any_case(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = texts([("menu.höhe", "Height"), ("save", "SAVE Changes"), ("settings", "設定を開く"), ("z", "Привет")]);
    ended(&app, &taken(translate(&app, &keys).send().await)).await;
    german(&app, json!({"save": "Änderungen auf der Straße sichern"})).await;
    for (query, names) in [
        ("HÖHE", ["menu.höhe"]),
        ("save c", ["save"]),
        ("ÄNDERUNGEN", ["save"]),
        ("STRASSE", ["save"]),
        ("aße sich", ["save"]),
        ("ПРИВЕТ", ["z"]),
        ("ив", ["z"]),
        ("設定", ["settings"]),
        ("開", ["settings"]),
        ("menu.", ["menu.höhe"]),
    ] {
        finds(&app, &asked(query), &names).await;
    }
    finds(&app, &asked("h"), &["menu.höhe", "save"]).await;
    finds(&app, &asked("höhen"), &[]).await;
    finds(&app, "query=", &["menu.höhe", "save", "settings", "z"]).await;
    let plural =
        json!([{"ref": "n", "plural": {"arg": "n", "forms": {"one": "# file", "other": "# files by the dozen"}}}]);
    taken(app.post("/translate").json(&json!({"keys": plural})).send().await);
    finds(&app, &asked("THE DOZEN"), &["n"]).await;
    finds(&app, &asked("forms"), &[]).await;
}

async fn with_a_language_other_translations_are_not_searched(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &taken(translate(&app, &texts([("save", "Save")])).send().await)).await;
    german(&app, json!({"save": "Sichern"})).await;
    finds(&app, &asked("sichern"), &["save"]).await;
    finds(&app, &format!("{}&language=de", asked("sichern")), &["save"]).await;
    finds(&app, &format!("{}&language=fr", asked("sichern")), &[]).await;
    finds(&app, &format!("{}&language=fr", asked("save")), &["save"]).await;
}

async fn hostile_queries_are_texts_like_others(store: TestStore) {
    let app = TestApp::on(&store).await;
    let odd =
        ["100%", "a_b", "\"x\" OR 1", "it's; DROP TABLE keys", "a* NEAR(b)", "{x} AND NOT y", "\\%\\_", "col:val"];
    let keys: Vec<_> = (0..).zip(odd).map(|(n, text)| l10n_api_types::Key::text(format!("k{n}"), text)).collect();
    taken(translate(&app, &keys).send().await);
    for (n, text) in (0..).zip(odd) {
        finds(&app, &asked(text), &[&format!("k{n}")]).await;
    }
    for query in ["%%%", "___", "a%b", "* * *", "\"\"\"", "')) --", "NOT", "AND OR NOT", "^abc$", "abc\\"] {
        let expected: Vec<&str> = if query == "NOT" { vec!["k5"] } else { vec![] };
        finds(&app, &asked(query), &expected).await;
    }
}

async fn a_query_that_cannot_be_is_refused_by_name(store: TestStore) {
    let app = TestApp::on(&store).await;
    let long = format!("query={}", "x".repeat(501));
    let very_long = format!("query={}", "x".repeat(10_000));
    for query in ["query=%00", "query=a%0Ab", "query=a%7F", "query=%C2%85", &long, &very_long, "query=a&query=b"] {
        for more in ["", "&ref=a", "&version=ver_none"] {
            let answer = answer(&app, &format!("{query}{more}")).await;
            assert_eq!(answer.outcome(), "400 invalid_argument", "{query:.40}{more}");
            assert!(answer.error().message.contains("query"), "{:?}", answer.error());
        }
    }
    assert_eq!(answer(&app, "query=%FF").await.outcome(), "400 invalid_argument");
    let umlauts = format!("query={}", "%C3%BC".repeat(500));
    assert_eq!(answer(&app, &umlauts).await.status, 200);
    for key in [&app.project.keys.translate, &app.project.keys.write, &app.project.keys.none] {
        assert_eq!(app.get("/translations?query=a").key(key).send().await.outcome(), "403 forbidden");
    }
}

async fn keys_of_others_are_never_found(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (other, beside) = (app.other_project("unlimited").await, app.project_beside("beside").await);
    let body = json!({"keys": texts([("secret.launch", "Launch codes")])});
    for project in [&other, &beside] {
        let path = format!("/v1/projects/{}/translate", project.id);
        taken(app.at(Method::POST, &path).key(&project.keys.admin).json(&body).send().await);
    }
    for query in ["launch", "la", "l"] {
        finds(&app, &asked(query), &[]).await;
    }
    taken(translate(&app, &texts([("own", "Launch")])).send().await);
    finds(&app, &asked("launch"), &["own"]).await;
}

async fn a_search_goes_with_the_other_filters(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut keys = texts([("a.cart", "Cart"), ("b.cart", "Cart"), ("b.other", "Other"), ("c.cart", "Cart")]);
    keys[3].namespace = Some("shop".into());
    ended(&app, &taken(translate(&app, &keys).send().await)).await;
    german(&app, json!({"b.cart": "Wagen"})).await;
    taken(translate(&app, &texts([("a.cart", "Cart!")])).send().await);
    finds(&app, &format!("{}&prefix=b.", asked("CART")), &["b.cart"]).await;
    finds(&app, &format!("{}&namespace=shop", asked("CART")), &["c.cart"]).await;
    finds(&app, &format!("{}&state=translated&language=de", asked("wagen")), &["b.cart"]).await;
    finds(&app, &format!("{}&state=reviewed", asked("CART")), &[]).await;
    let pages = all(&app, &asked("cart"), 1).await;
    assert_eq!(pages.iter().map(|key| key.r#ref.as_str()).collect::<Vec<_>>(), ["a.cart", "b.cart", "c.cart"]);
    assert_eq!(answer(&app, &format!("{}&cursor=x", asked("cart"))).await.outcome(), "400 invalid_argument");
}

async fn a_search_that_finds_nothing_ends_and_reads_a_bounded_number_of_keys(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let content: Map<String, Value> = (0..5_000).map(|n| (format!("k{n:05}"), json!(format!("text {n}")))).collect();
    taken(sync_with(&app, "", "en.json", &Value::Object(content), json!({"languages": ["de"]})).send().await);
    // Too short for the index: each request reads a bounded number of keys, and says where the next goes on.
    let (mut requests, mut cursor) = (0, String::new());
    loop {
        let page: KeyList = answer(&app, &format!("query=zq{cursor}")).await.read();
        assert!(page.keys.is_empty());
        requests += 1;
        let Some(next) = page.next_cursor else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(requests, 3, "2,048 keys each");
    app.indexed().await;
    let page: KeyList = answer(&app, "query=nothing").await.read();
    assert_eq!((page.keys.len(), page.next_cursor), (0, None), "the index says at once that there is none");
    let page: KeyList = answer(&app, "query=text%204999").await.read();
    assert_eq!((page.keys.len(), page.next_cursor), (1, None));
    let page: KeyList = answer(&app, "query=text&limit=5").await.read();
    assert_eq!((page.keys.len(), page.next_cursor.is_some()), (5, true));
}

/// The index would list each of the keys, however many they are.
async fn a_text_that_most_keys_of_a_large_project_have_is_found_without_the_index(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    many(&app, 400).await;
    let rare = ["k00010", "k00030", "k00399"];
    for name in rare {
        taken(translate(&app, &texts([(name, "text and others")])).send().await);
    }
    large(&app, 10_000).await;
    assert_eq!(common(&app).await, "", "the project is small");
    large(&app, 10_001).await;
    let common = common(&app).await;
    assert!(common.split(' ').count() > 2 && common.len() < 400, "{common}");
    let numbers = async |query: &str| found(&app, query).await.len();
    let answers = async || {
        let prefixed = |text: &str| format!("{}&prefix=k003", asked(text));
        [
            numbers(&asked("text")).await,
            numbers(&asked("and others")).await,
            numbers(&asked("text and")).await,
            all(&app, &asked("text"), 7).await.len(),
            numbers(&prefixed("text")).await,
            numbers(&prefixed("and others")).await,
        ]
    };
    assert_eq!(answers().await, [400, 3, 3, 400, 100, 1]);
    assert_eq!(found(&app, &asked("text and")).await, rare);
    // With an index that has nothing, what is found is found without it.
    sql::run(&store, "DELETE FROM search_grams").await;
    assert_eq!(answers().await, [400, 0, 0, 400, 100, 0], "the index is asked for what few keys have");
}

/// The index reads the list of each token that it is asked for, and these are long.
async fn frequent_tokens_are_asked_for_only_where_the_others_find_too_much(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    // Of the keys that are sampled, the 39th, 78th and so on, two say "often". The others have the text of most keys.
    let text = |n: usize| match (n % 39, n < 80) {
        (38, true) => "often".to_owned(),
        (38, false) => "unlike".to_owned(),
        (_, true) => format!("word often {n}"),
        (_, false) => format!("word of {n}"),
    };
    let content: Value = (0..400).map(|n| (format!("k{n:05}"), json!(text(n)))).collect();
    taken(sync(&app, "en.json", &content).send().await);
    taken(translate(&app, &texts([("special", "en treasure")])).send().await);
    large(&app, 10_001).await;
    // Behind the server's back: the index does not know that the key says "often", too.
    sql::run(&store, r#"UPDATE keys SET source = '{"text":"often treasure"}' WHERE ref = 'special'"#).await;
    sql::run(&store, "DELETE FROM search_marks").await;
    finds(&app, &asked("often treasure"), &["special"]).await;
    assert_eq!(found(&app, &asked("word often")).await.len(), 78, "the others find most keys");
    assert_eq!(found(&app, &asked("word of")).await.len(), 390);
}

async fn a_large_project_is_sampled_again_with_other_numbers_or_after_a_day(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    many(&app, 300).await;
    large(&app, 20_000).await;
    let first = common(&app).await;
    let other: Value = (0..300).map(|n| (format!("k{n:05}"), json!(format!("words {n}")))).collect();
    taken(sync(&app, "en.json", &other).send().await);
    large(&app, 40_000).await;
    assert_eq!(common(&app).await, first, "it was sampled a moment ago, with half of the keys");
    large(&app, 40_001).await;
    let second = common(&app).await;
    assert_ne!(first, second);
    many(&app, 300).await;
    app.clock.advance(Duration::from_hours(24));
    large(&app, 40_001).await;
    assert_eq!(common(&app).await, second);
    app.clock.advance(Duration::from_millis(1));
    large(&app, 40_001).await;
    assert_ne!(common(&app).await, second);
    assert_eq!(found(&app, &asked("text 29")).await.len(), 11);
}

/// Indexes and samples the app's project as if it had so many keys.
async fn large(app: &TestApp, keys: usize) {
    sql::run(&app.service.store, &format!("UPDATE key_counts SET number = {keys} WHERE state = 'active'")).await;
    app.indexed().await;
}

async fn common(app: &TestApp) -> String {
    let mut tx = app.service.store.begin_read().await.unwrap();
    common_tokens::of(&mut tx, &app.project.id).await.unwrap().common
}

/// Numbers that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn text(&mut self) -> String {
        let words = ["Save", "ÄNDERN", "Мир", "設定", "50%", "a_b", "\"or\"", "cart", "Cancel", "ok"];
        (0..=self.roll(3)).map(|_| words[self.roll(words.len())]).collect::<Vec<_>>().join(" ")
    }

    fn content(&mut self) -> Value {
        (0..=self.roll(8)).map(|_| (format!("key.{}", self.roll(12)), json!(self.text()))).collect()
    }
}

/// The keys that a search has to find, from the whole list.
async fn expected(app: &TestApp, query: &str) -> Vec<String> {
    let query = query.to_lowercase();
    let has = |text: &Option<String>| text.as_deref().unwrap_or_default().to_lowercase().contains(&query);
    let keys = all(app, "", 500).await.into_iter();
    let matching = keys.filter(|key| {
        key.r#ref.to_lowercase().contains(&query) || has(&key.text) || key.translations.iter().any(|one| has(&one.text))
    });
    matching.map(|key| key.r#ref).collect()
}

async fn whatever_was_written_is_found_indexed_or_not(store: TestStore) {
    let app = TestApp::on(&store).await;
    let many: Value = (0..100).map(|n| (format!("many.{n}"), json!("Save the cart: ok"))).collect();
    taken(sync(&app, "more/en.json", &many).send().await);
    let mut dice = Dice(7);
    for round in 0..30 {
        match dice.roll(6) {
            0 | 1 => {
                let on_removed = ["keep", "archive"][dice.roll(2)];
                let more = json!({"onRemoved": on_removed});
                let content = dice.content();
                taken(sync_with(&app, "", "en.json", &content, more).send().await);
            }
            2 => drop(sync_with(&app, "", "de.json", &dice.content(), json!({"language": "de"})).send().await),
            3 => {
                let name = format!("key.{}", dice.roll(12));
                taken(translate(&app, &texts([(name.as_str(), dice.text().as_str())])).send().await);
            }
            4 => {
                let captured = json!({"keys": [{"ref": format!("seen.{round}"), "text": dice.text()}]});
                assert_eq!(app.post("/capture").json(&captured).send().await.status, 200);
            }
            _ => {
                let mut tx = app.service.store.begin_write().await.unwrap();
                let name = format!("key.{}", dice.roll(12));
                if let Some(key) = keys::find(&mut tx, &app.project.id, &name).await.unwrap() {
                    let (id, to) = (&app.project.id, format!("renamed.{round}"));
                    keys::rename(&mut tx, id, &key.id, &to, key.updated_at).await.unwrap();
                }
                tx.commit().await.unwrap();
            }
        }
        if dice.roll(3) == 0 {
            app.indexed().await;
        }
    }
    settled(&app).await;
    for sampled in [false, true] {
        for query in
            ["save", "ändern", "МИР", "設定", "定", "0%", "a_b", "\"OR\"", "key.1", "renamed", "ancel ok", "ok", "none"]
        {
            assert_eq!(found(&app, &asked(query)).await, expected(&app, query).await, "{query} {sampled}");
        }
        large(&app, 10_001).await;
    }
    assert_ne!(common(&app).await, "");
    let (marks, indexed, keys) = counts(&store).await;
    assert_eq!((marks, indexed), (0, keys), "each key is indexed");
}

/// Waits until no job is left, so that nothing changes beside the test.
async fn settled(app: &TestApp) {
    while sql::count(&app.service.store, "jobs WHERE status IN ('queued', 'running')").await > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn keys_of_a_large_run_are_found_once_it_is_live(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let content = |last: &str| -> Value {
        let many = (0..3_000).map(|n| (format!("k{n:05}"), json!(format!("text {n}"))));
        many.chain([("last".to_owned(), json!(last))]).collect()
    };
    taken(sync(&app, "en.json", &content("Treasure")).send().await);
    finds(&app, &asked("treasure"), &["last"]).await;
    taken(sync(&app, "en.json", &content("Rubbish")).send().await);
    finds(&app, &asked("rubbish"), &["last"]).await;
    finds(&app, &asked("treasure"), &[]).await;
    finds(&app, &asked("text 2999"), &["k02999"]).await;
}

async fn keys_that_are_gone_leave_nothing_in_the_index(store: TestStore) {
    let app = TestApp::on(&store).await;
    let captured = json!({"keys": [{"ref": "seen.once", "text": "Seen"}, {"ref": "seen.twice", "text": "Seen"}]});
    assert_eq!(app.post("/capture").json(&captured).send().await.status, 200);
    app.indexed().await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let key = keys::find(&mut tx, &app.project.id, "seen.once").await.unwrap().unwrap();
    assert_eq!(keys::discard(&mut tx, &[&key.id]).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(counts(&store).await, (0, 1, 1));
    assert_eq!(sql::count(&app.service.store, "search_grams").await, 1);
}

/// A step holds the only writer of SQLite, and reads the texts in all languages.
async fn keys_in_many_languages_are_indexed_in_smaller_steps(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    many(&app, 250).await;
    assert_eq!(step(&app, &mut IndexCursors::new()).await, Some(100));
    let mut tx = app.service.store.begin_write().await.unwrap();
    let number = languages::count(&mut tx, &app.project.id).await.unwrap();
    let more = (number..30).map(|position| Language {
        code: format!("de-x-number{position}"),
        is_base: false,
        position,
        created_at: app.clock.now(),
    });
    languages::insert(&mut tx, &app.project.id, &more.collect::<Vec<_>>()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(step(&app, &mut IndexCursors::new()).await, Some(10));
    app.indexed().await;
    let (marks, indexed, keys) = counts(&store).await;
    assert_eq!((marks, indexed, keys), (0, 250, 250));
}

/// Before, a step read the translations of 100 keys, however long they were.
async fn keys_with_long_translations_are_indexed_in_smaller_steps(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    many(&app, 25).await;
    german(&app, (0..25).map(|n| (format!("k{n:05}"), json!(format!("Wort {n} {}", "x".repeat(60_000))))).collect())
        .await;
    assert_eq!(step(&app, &mut IndexCursors::new()).await, Some(17));
    app.indexed().await;
    finds(&app, &asked("wort 24"), &["k00024"]).await;
}

/// Before, one project whose texts could not be read kept all after it from being sampled.
async fn a_project_that_cannot_be_sampled_keeps_no_other_from_it(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let other = app.project_beside("other").await;
    let mut projects = [&app.project.id, &other.id];
    projects.sort_by_key(|id| id.as_str().to_owned());
    for project in [&app.project, &other] {
        let keys: Vec<Value> = (0..100).map(|n| json!({"ref": format!("k{n}"), "text": "Common"})).collect();
        let call = app.at(http::Method::POST, &format!("/v1/projects/{}/translate", project.id));
        taken(call.key(&project.keys.admin).json(&json!({ "keys": keys })).send().await);
    }
    let broken = format!(
        "UPDATE key_counts SET number = 20000; UPDATE keys SET source = 'none' WHERE project_id = '{}'",
        projects[0]
    );
    sql::run(&store, &broken).await;
    assert!(search::sample_all(&app.service.store, app.clock.now()).await.is_err());
    let sampled = async |id: &str| sql::count(&store, &format!("common_tokens WHERE project_id = '{id}'")).await;
    assert_eq!((sampled(projects[0].as_str()).await, sampled(projects[1].as_str()).await), (0, 1));
}

/// A large job marks a key again for each of its languages, one after the other.
async fn a_key_that_is_marked_again_waits_for_the_next_round(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    many(&app, 150).await;
    let mut places = IndexCursors::new();
    assert_eq!(step(&app, &mut places).await, Some(100));
    german(&app, (0..150).map(|n| (format!("k{n:05}"), json!(format!("Wort {n}")))).collect()).await;
    assert_eq!(step(&app, &mut places).await, Some(50));
    assert_eq!(step(&app, &mut places).await, Some(0));
    assert_eq!(counts(&store).await, (100, 150, 150));
    assert_eq!(step(&app, &mut IndexCursors::new()).await, Some(100));
    assert_eq!(counts(&store).await, (0, 150, 150));
    finds(&app, &asked("wort 149"), &["k00149"]).await;
}

async fn many(app: &TestApp, keys: usize) {
    let content: Value = (0..keys).map(|n| (format!("k{n:05}"), json!(format!("text {n}")))).collect();
    taken(sync(app, "en.json", &content).send().await);
}

/// The keys of the next step; `None` if none is marked.
async fn step(app: &TestApp, places: &mut IndexCursors) -> Option<usize> {
    search::index_some(&app.service.store, "", places).await.unwrap().map(|indexed| indexed.keys)
}

/// Keys that are marked, keys that are indexed, and keys.
async fn counts(store: &TestStore) -> (i64, i64, i64) {
    let mut counts = Vec::new();
    for table in ["search_marks", "search_keys", "keys"] {
        counts.push(sql::count(store, table).await);
    }
    (counts[0], counts[1], counts[2])
}
