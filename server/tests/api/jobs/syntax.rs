//! The syntax of a text: engines and checks see the placeholders that its file says.

use l10n_api_types::{Check, Severity, State};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, key, taken, text_in};

l10n_server::both_engines!(
    a_text_has_the_placeholders_of_its_file,
    a_key_that_moves_to_another_file_has_the_syntax_of_that,
);

async fn synced(app: &TestApp, path: &str, format: &str, content: &str, more: Value) {
    let mut body = json!({"file": {"path": path, "content": content, "encoding": "utf8", "format": format}});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let run = taken(app.post("/sync").json(&body).send().await);
    if run.tracking_token.is_some() {
        ended(app, &run).await;
    }
}

fn android(text: &str) -> String {
    format!("<resources>\n    <string name=\"a\">{text}</string>\n</resources>\n")
}

async fn a_text_has_the_placeholders_of_its_file(store: TestStore) {
    let app = TestApp::on(&store).await;
    synced(&app, "strings.xml", "android", &android("%1$s of {all}"), json!({"languages": ["fr"]})).await;
    let catalogue = "#, python-brace-format\nmsgid \"100%s of {all}\"\nmsgstr \"\"\n";
    synced(&app, "app.pot", "gettext", catalogue, json!({"languages": ["fr"]})).await;
    let keys = json!({"keys": [{"ref": "t", "text": "%1$s of {all} now"}], "languages": ["fr"]});
    ended(&app, &taken(app.post("/translate").json(&keys).send().await)).await;
    // The pseudo engine marks what it may translate.
    let french = |key| text_in(&key, "fr").unwrap().to_owned();
    assert_eq!(french(key(&app, "a").await), "[%1$s öƒ {åļļ}]");
    assert_eq!(french(key(&app, "100%25s%20of%20%7Ball%7D").await), "[100%š öƒ {all}]");
    let mixed = french(key(&app, "t").await);
    assert!(mixed.contains("%1$s") && mixed.contains("{all}"), "{mixed}");
    // The checks agree: a word in braces may change, `%1$s` may not.
    let german = |text: &str| (android(text), json!({"language": "de"}));
    for (text, state) in [("%1$s von {allen}", State::Translated), ("alle von {all}", State::NeedsReview)] {
        let (file, more) = german(text);
        synced(&app, "de.xml", "android", &file, more).await;
        let found = key(&app, "a").await;
        let translation = found.translations.iter().find(|found| found.language.as_str() == "de").unwrap();
        let errors: Vec<Check> = translation
            .issues
            .iter()
            .filter(|issue| issue.severity == Severity::Error)
            .map(|issue| issue.check)
            .collect();
        assert_eq!(translation.state, state, "{text}: {:?}", translation.issues);
        assert_eq!(errors.is_empty(), state == State::Translated, "{text}");
    }
}

async fn a_key_that_moves_to_another_file_has_the_syntax_of_that(store: TestStore) {
    let app = TestApp::on(&store).await;
    synced(&app, "strings.xml", "android", &android("Hi {name}"), json!({})).await;
    let import = || {
        synced(
            &app,
            "de.xml",
            "android",
            "<resources><string name=\"a\">Hallo</string></resources>",
            json!({"language": "de"}),
        )
    };
    import().await;
    assert_eq!(key(&app, "a").await.translations[0].state, State::Translated);
    // The text is the same, and so is everything else about the key but its file.
    synced(&app, "en.json", "json", "{\"a\": \"Hi {name}\"}", json!({})).await;
    synced(&app, "de.json", "json", "{\"a\": \"Hallo du\"}", json!({"language": "de"})).await;
    assert_eq!(key(&app, "a").await.translations[0].state, State::NeedsReview);
}
