//! Plural forms: by category of the language, and for exact numbers.

use l10n_api_types::translations::KeyDetail;
use l10n_api_types::{Key, Plural, PluralKey};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, key, money, state, taken};

l10n_server::both_engines!(
    the_form_of_one_number_is_translated_in_every_language,
    zero_of_i18next_is_the_number_0,
    a_name_that_no_form_has_is_refused,
);

/// A server whose project has Japanese, too: of the categories it uses `other` alone.
async fn with_japanese(store: &TestStore) -> TestApp {
    let app = TestApp::on(store).await;
    let answer = app.post("/languages").json(&json!({"languages": [{"code": "ja"}]})).send().await;
    assert!(answer.status < 300, "{answer:?}");
    app
}

/// A key with forms.
fn files(forms: &[(&str, &str)]) -> Key {
    let forms = forms.iter().map(|(form, text)| (form.parse::<PluralKey>().unwrap(), (*text).to_owned()));
    let plural = Plural { arg: "count".to_owned(), forms: forms.collect() };
    Key { r#ref: "files".to_owned(), plural: Some(plural), ..Key::default() }
}

/// The names of the forms in a language, with their texts.
fn forms_in(key: &KeyDetail, language: &str) -> Vec<String> {
    let translation = key.translations.iter().find(|found| found.language.as_str() == language).unwrap();
    let plural = translation.plural.as_ref().unwrap_or_else(|| panic!("{translation:?}"));
    plural.forms.iter().map(|(form, text)| format!("{form} {text}")).collect()
}

async fn the_form_of_one_number_is_translated_in_every_language(store: TestStore) {
    let app = with_japanese(&store).await;
    let before = money(&app).await.balance;
    let source = files(&[("=0", "None"), ("one", "{{count}} file"), ("other", "{{count}} files")]);
    let body = json!({"keys": [source], "languages": ["de", "ja"]});
    let run = taken(app.post("/translate").json(&body).send().await);
    let job = ended(&app, &run).await;
    let found = key(&app, "files").await;
    assert_eq!(forms_in(&found, "de"), ["=0 [Ñöñé]", "one [{{count}} ƒîļé]", "other [{{count}} ƒîļéš]"]);
    assert_eq!(forms_in(&found, "ja"), ["=0 [Ñöñé]", "other [{{count}} ƒîļéš]"]);
    assert_eq!(before - money(&app).await.balance, job.credits_charged);
    let again = taken(app.post("/translate").json(&body).send().await);
    assert_eq!((again.classification.unchanged, again.tracking_token), (1, None));
}

async fn zero_of_i18next_is_the_number_0(store: TestStore) {
    let app = with_japanese(&store).await;
    let content = r#"{"files_zero": "None", "files_one": "{{count}} file", "files_other": "{{count}} files"}"#;
    let file = json!({"path": "en.json", "content": content, "encoding": "utf8", "format": "i18next"});
    ended(&app, &taken(app.post("/sync").json(&json!({"file": file, "languages": ["ja"]})).send().await)).await;
    assert_eq!(forms_in(&key(&app, "files").await, "ja"), ["=0 [Ñöñé]", "other [{{count}} ƒîļéš]"]);
    // A translation of the file has it, too, and loses it only with an error of the check.
    let import = |content: &str| {
        let file = json!({"path": "de.json", "content": content, "encoding": "utf8", "format": "i18next"});
        app.post("/sync").json(&json!({"file": file, "language": "de"}))
    };
    taken(
        import(r#"{"files_zero": "Keine", "files_one": "{{count}} Datei", "files_other": "{{count}} Dateien"}"#)
            .send()
            .await,
    );
    assert_eq!(
        forms_in(&key(&app, "files").await, "de"),
        ["=0 Keine", "one {{count}} Datei", "other {{count}} Dateien"]
    );
}

async fn a_name_that_no_form_has_is_refused(store: TestStore) {
    let app = TestApp::on(&store).await;
    let before = state(&app).await;
    for name in ["=", "=01", "=-1", "=+1", "= 1", "=1.5", "=1000000000", "1", "=zero"] {
        let mut forms = json!({"other": "Files"});
        forms[name] = json!("x");
        let keys = json!({"keys": [{"ref": "files", "plural": {"arg": "n", "forms": forms}}]});
        let answer = app.post("/translate").json(&keys).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{name}");
        let message = answer.error().message;
        assert!(message.contains("keys[0].plural.forms"), "{name}: {message}");
    }
    let mut forms = json!({"other": "Files"});
    for number in 0..64 {
        forms[format!("={number}")] = Value::from("x");
    }
    let keys = json!({"keys": [{"ref": "files", "plural": {"arg": "n", "forms": forms}}]});
    let answer = app.post("/translate").json(&keys).send().await;
    assert_eq!(answer.outcome(), "400 invalid_argument");
    assert!(answer.error().message.contains("at most 64"), "{answer:?}");
    assert_eq!(state(&app).await, before);
}
