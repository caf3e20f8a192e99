//! String catalogues of Xcode: one file holds the source and every translation.

use l10n_api_types::translations::HeldReason;
use l10n_api_types::{Content, FormatId, PluralCategory, State};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, files_in, key, publish_in, send, state, text_in};

l10n_server::both_engines!(
    a_published_catalogue_keeps_every_byte_of_what_was_there,
    a_published_catalogue_has_what_is_new_in_its_place,
    drafts_of_a_catalogue_stay_in_it_and_wait,
);

const PATH: &str = "App/Localizable.xcstrings";

/// A language of a key, in Xcode's hand.
fn unit(language: &str, state: &str, value: &str) -> String {
    format!(
        "        \"{language}\" : {{\n          \"stringUnit\" : {{\n            \"state\" : \"{state}\",\n            \
         \"value\" : \"{value}\"\n          }}\n        }}"
    )
}

fn localizations(units: &[String]) -> String {
    format!("      \"localizations\" : {{\n{}\n      }}", units.join(",\n"))
}

/// A catalogue in Xcode's hand, with the German of `Open`: plurals, drafts, keys that are not translated, no line end at the end.
fn catalogue(open: Option<&str>) -> String {
    let form = |category: &str, text: &str| {
        format!(
            "              \"{category}\" : {{\n                \"stringUnit\" : {{\n                  \"state\" : \
             \"translated\",\n                  \"value\" : \"{text}\"\n                }}\n              }}"
        )
    };
    let forms = |language: &str, one: &str, other: &str| {
        format!(
            "        \"{language}\" : {{\n          \"variations\" : {{\n            \"plural\" : {{\n{},\n{}\n            \
             }}\n          }}\n        }}",
            form("one", one),
            form("other", other)
        )
    };
    let plurals = localizations(&[forms("de", "%lld Datei", "%lld Dateien"), forms("en", "%lld file", "%lld files")]);
    let save = localizations(&[unit("de", "translated", "Sichern"), unit("fr", "needs_review", "Sauver")]);
    let open = open.map(|text| format!(",\n{}", localizations(&[unit("de", "translated", text)]))).unwrap_or_default();
    format!(
        "{{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {{\n    \"Save\" : {{\n{save}\n    }},\n    \"%lld files\" : \
         {{\n{plurals}\n    }},\n    \"\u{a9}\" : {{\n      \"shouldTranslate\" : false\n    }},\n    \"Open\" : {{\n      \
         \"comment\" : \"A button\"{open}\n    }},\n    \"\" : {{\n\n    }}\n  }},\n  \"version\" : \"1.0\"\n}}"
    )
}

/// An app with the keys of the catalogue. The job ends first: what it writes is no doing of the imports.
async fn synced(store: &TestStore) -> TestApp {
    let app = TestApp::on(store).await;
    let run = send(&app, PATH, &catalogue(None), &json!({"languages": ["fr"]})).await;
    assert_eq!(run.classification.new, 3, "{run:?}");
    ended(&app, &run).await;
    app
}

/// The only file of the next version in these languages.
async fn published(app: &TestApp, languages: &[&str]) -> String {
    let version = publish_in(app, languages).await;
    let mut contents = Vec::new();
    // One file holds all languages, so each of them has it.
    for language in languages {
        let files = files_in(app, &version, language).await;
        let [file] = files.as_slice() else { panic!("{files:?}") };
        assert_eq!(file.format, FormatId::Xcstrings);
        assert_eq!((file.path.as_str(), file.holds_all_languages), (PATH, true));
        contents.push(file.content.clone().unwrap());
    }
    contents.dedup();
    assert_eq!(contents.len(), 1);
    contents.remove(0)
}

fn german() -> Value {
    json!({"language": "de"})
}

async fn a_published_catalogue_keeps_every_byte_of_what_was_there(store: TestStore) {
    let app = synced(&store).await;
    let run = send(&app, PATH, &catalogue(None), &german()).await;
    assert_eq!((run.classification.new, run.held.len()), (2, 0), "{run:?}");
    let files = key(&app, "%25lld%20files").await;
    let Some(plural) = &files.translations[0].plural else { panic!("{files:?}") };
    assert_eq!(plural.forms.get(PluralCategory::One).map(String::as_str), Some("%lld Datei"));
    assert_eq!(published(&app, &["de"]).await, catalogue(None));
    let before = state(&app).await;
    let again = send(&app, PATH, &catalogue(None), &german()).await;
    assert_eq!(again.classification.unchanged, 2);
    assert_eq!(state(&app).await, before);
}

async fn a_published_catalogue_has_what_is_new_in_its_place(store: TestStore) {
    let app = synced(&store).await;
    // The source that was synced lacks the translation: it comes from another copy of the file.
    send(&app, "Other.xcstrings", &catalogue(Some("Öffnen")), &german()).await;
    assert_eq!(published(&app, &["de"]).await, catalogue(Some("Öffnen")));
    // With French as well: what the engine made has its place behind German, and nothing else changes.
    let open = key(&app, "Open").await;
    let french = |text: Option<&str>| unit("fr", "translated", &text.unwrap().replace('"', "\\\""));
    let both = published(&app, &["de", "fr"]).await;
    let expected = format!("{},\n{}", unit("de", "translated", "Öffnen"), french(text_in(&open, "fr")));
    assert!(both.contains(&expected), "{both}");
    let save = format!("{},\n{}", unit("de", "translated", "Sichern"), french(text_in(&key(&app, "Save").await, "fr")));
    assert!(both.contains(&save), "a draft gives way to a translation: {both}");
    assert!(both.contains("\"\u{a9}\" : {\n      \"shouldTranslate\" : false\n    }"), "{both}");
}

async fn drafts_of_a_catalogue_stay_in_it_and_wait(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &send(&app, PATH, &catalogue(None), &json!({"languages": ["de"]})).await).await;
    let run = send(&app, PATH, &catalogue(None), &json!({"language": "fr"})).await;
    assert_eq!(run.held.iter().map(|text| text.reason).collect::<Vec<_>>(), [HeldReason::NeedsReview]);
    let save = key(&app, "Save").await;
    let french = save.translations.iter().find(|translation| translation.language.as_str() == "fr").unwrap();
    assert_eq!((french.state, french.text.as_deref()), (State::NeedsReview, Some("Sauver")));
    let fresh = published(&app, &["fr"]).await;
    assert_eq!(fresh, catalogue(None), "no version has the draft as a translation");
    let source = l10n_formats::files::by_id(FormatId::Xcstrings);
    let said = source.translations(fresh.as_bytes(), "fr").unwrap().entries;
    assert!(said.iter().all(|entry| entry.content != Content::Text("Sauver".to_owned())), "{said:?}");
}
