//! Tables of texts: with a column for each language one file holds the source and every translation, else each language has one.

use l10n_api_types::delivery::ManifestBody;
use l10n_api_types::translations::VersionFile;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::jobs::fixtures::{ended, files_in, key, publish_in, send, state, text_in};

l10n_server::both_engines!(
    a_published_table_keeps_every_byte_of_what_was_there,
    a_published_table_gets_columns_and_loses_archived_rows,
    a_table_without_the_name_of_its_source_keeps_it,
    a_table_in_one_language_stays_a_file_for_each,
    a_table_of_any_keys_is_written_as_its_path_says,
    a_table_of_a_table_is_written_as_its_path_says,
    the_columns_of_a_path_may_change,
);

const PATH: &str = "text.csv";

/// A table as spreadsheets write it: a mark of the byte order, semicolons, quotes here and there, a row without a key.
const TABLE: &str = "\u{feff}keys;en;note;de;fr\r\nSAVE;Save;a button;\"Sichern\";\r\nOPEN;Open;;;\r\n;;;;\r\n\"QUIT\";\"Quit; now\";;Beenden;Quitter";

/// An app with the keys of the table. The job ends first: what it writes is no doing of the imports.
async fn synced(store: &TestStore) -> TestApp {
    let app = TestApp::on(store).await;
    let run = send(&app, PATH, TABLE, &json!({"languages": ["fr"]})).await;
    assert_eq!((run.classification.new, run.warnings.len()), (3, 0), "{run:?}");
    ended(&app, &run).await;
    app
}

/// The only file of the next version in these languages, which each of them has.
async fn published(app: &TestApp, languages: &[&str]) -> VersionFile {
    let version = publish_in(app, languages).await;
    let mut found = files_in(app, &version, "en").await;
    for language in languages {
        assert_eq!(files_in(app, &version, language).await, found);
    }
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

async fn a_published_table_keeps_every_byte_of_what_was_there(store: TestStore) {
    let app = synced(&store).await;
    let run = send(&app, PATH, TABLE, &json!({"language": "de"})).await;
    assert_eq!((run.classification.new, run.held.len(), run.warnings.len()), (2, 0, 0), "{run:?}");
    assert_eq!(text_in(&key(&app, "SAVE").await, "de"), Some("Sichern"));
    let file = published(&app, &["de"]).await;
    assert_eq!((file.path.as_str(), file.language.as_str(), file.holds_all_languages), (PATH, "en", true));
    assert_eq!(file.content.as_deref(), Some(TABLE));
    // Apps learn it from the manifest.
    let manifest: ManifestBody = app.get("/manifest").send().await.read();
    let [told] = manifest.files.as_slice() else { panic!("{:?}", manifest.files) };
    assert_eq!((told.path.as_str(), told.holds_all_languages, told.sha256 == file.sha256), (PATH, true, true));
    assert_eq!(app.get(&format!("/bundles/live/{PATH}")).send().await.text(), TABLE);
    let before = state(&app).await;
    let again = send(&app, PATH, TABLE, &json!({"language": "de"})).await;
    assert_eq!(again.classification.unchanged, 2);
    assert_eq!(state(&app).await, before);
}

async fn a_published_table_gets_columns_and_loses_archived_rows(store: TestStore) {
    let app = TestApp::on(&store).await;
    let table = "key,en,comment\na,Save,\nb,Open,a door\n";
    ended(&app, &send(&app, PATH, table, &json!({"languages": ["de"]})).await).await;
    // A table with one language is a file for each of them, unless a format says otherwise.
    let stated = json!({"outputFormats": [{"format": "csv", "path": PATH}]});
    assert_eq!(app.post("/output-formats").json(&stated).send().await.status, 200);
    let german = |text: Option<&str>| format!("\"{}\"", text.unwrap().replace('"', "\"\""));
    let texts = [german(text_in(&key(&app, "a").await, "de")), german(text_in(&key(&app, "b").await, "de"))];
    let content = published(&app, &["de"]).await.content.unwrap();
    let plain = |text: &str| text.replace('"', "");
    let [a, b] = &texts;
    assert_eq!(plain(&content), plain(&format!("key,en,comment,de\na,Save,,{a}\nb,Open,a door,{b}\n")));
    // The file that a pull has written comes back, without a row.
    let rest =
        content.lines().filter(|line| !line.starts_with("b,")).fold(String::new(), |all, line| all + line + "\n");
    let run = send(&app, PATH, &rest, &json!({"onRemoved": "archive"})).await;
    assert_eq!((run.classification.removed, run.classification.unchanged), (1, 1), "{run:?}");
    assert_eq!(published(&app, &["de"]).await.content.as_deref(), Some(rest.as_str()));
}

/// Its first column holds texts that are keys: the base language has no column, and gets none.
async fn a_table_without_the_name_of_its_source_keeps_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let table = "source,de\nSave,Sichern\nOpen,\n";
    ended(&app, &send(&app, PATH, table, &json!({"languages": ["fr"]})).await).await;
    assert_eq!(send(&app, PATH, table, &json!({"language": "de"})).await.classification.new, 1);
    assert_eq!(published(&app, &["de"]).await.content.as_deref(), Some(table));
    let both = published(&app, &["de", "fr"]).await.content.unwrap();
    assert!(both.starts_with("source,de,fr\nSave,Sichern,"), "{both}");
}

async fn a_table_in_one_language_stays_a_file_for_each(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &send(&app, "i18n/en.csv", "key,text\na,Save\n", &json!({"languages": ["de"]})).await).await;
    let version = publish_in(&app, &["de"]).await;
    let files = [files_in(&app, &version, "en").await, files_in(&app, &version, "de").await].concat();
    let told: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.holds_all_languages)).collect();
    assert_eq!(told, [("i18n/en.csv", false), ("i18n/de.csv", false)]);
    let manifest = app.get("/manifest").send().await.json();
    assert_eq!(manifest["files"][0].get("holdsAllLanguages"), None, "it is left out where there is one");
}

async fn a_table_of_any_keys_is_written_as_its_path_says(store: TestStore) {
    is_written_as_its_path_says(&store, "en.json", "{\"a\": \"Save\"}").await;
}

/// The columns of the source are others.
async fn a_table_of_a_table_is_written_as_its_path_says(store: TestStore) {
    is_written_as_its_path_says(&store, "own.csv", "key,en,fr\na,Save,Garder\n").await;
}

/// With all languages, and in each of them.
async fn is_written_as_its_path_says(store: &TestStore, path: &str, content: &str) {
    let app = TestApp::on(store).await;
    ended(&app, &send(&app, path, content, &json!({"languages": ["de"]})).await).await;
    let formats = json!([{"format": "csv", "path": "all.csv"}, {"format": "csv", "path": "csv/{language}.csv"}]);
    let set = app.post("/output-formats").json(&json!({"outputFormats": formats})).send().await;
    assert_eq!(set.status, 200, "{set:?}");
    let text = key(&app, "a").await;
    let german = text_in(&text, "de").unwrap();
    let version = publish_in(&app, &["de"]).await;
    let files = files_in(&app, &version, "de").await;
    let told: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.holds_all_languages)).collect();
    assert_eq!(told, [("all.csv", true), ("csv/de.csv", false)]);
    let said = |at: usize| {
        l10n_formats::files::by_id(files[at].format.known().unwrap())
            .translations(files[at].content.as_ref().unwrap().as_bytes(), "de")
            .unwrap()
    };
    for at in 0..2 {
        assert_eq!(said(at).entries[0].content, l10n_api_types::Content::Text(german.to_owned()));
    }
    assert!(files[1].content.as_ref().unwrap().starts_with("key,de\n"), "{files:?}");
    // One path for all languages is that of tables alone.
    let wrong = json!({"outputFormats": [{"format": "json", "path": "all.json"}]});
    assert_eq!(app.post("/output-formats").json(&wrong).send().await.outcome(), "400 invalid_argument");
}

/// A sync says anew which languages its file holds.
async fn the_columns_of_a_path_may_change(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &send(&app, PATH, "key,text\na,Save\n", &json!({"languages": ["de"]})).await).await;
    let paths = async |app: &TestApp| {
        let version = publish_in(app, &["de"]).await;
        let files = files_in(app, &version, "de").await;
        files.into_iter().map(|file| (file.path, file.holds_all_languages)).collect::<Vec<_>>()
    };
    assert_eq!(paths(&app).await, [("de/text.csv".to_owned(), false)]);
    send(&app, PATH, "key,en,de\na,Save,\n", &json!({"languages": ["de"]})).await;
    assert_eq!(paths(&app).await, [(PATH.to_owned(), true)]);
    send(&app, PATH, "key,text\na,Save\n", &json!({"languages": ["de"]})).await;
    assert_eq!(paths(&app).await, [("de/text.csv".to_owned(), false)]);
}
