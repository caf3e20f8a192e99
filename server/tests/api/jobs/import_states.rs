//! States that files say of their translations.

use l10n_api_types::translations::{HeldReason, Run};
use l10n_api_types::{Check, State};
use l10n_server::domain::review::{review, waiting};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::jobs::fixtures::{ended, files_in, key, publish_in, send, state, taken, text_in, texts};

l10n_server::both_engines!(
    drafts_of_a_file_wait_for_a_persons_review,
    a_draft_takes_the_place_of_no_translation,
    what_a_file_calls_reviewed_is_so_unless_a_check_finds_an_error,
);

/// An app with keys of a catalogue, whose texts are their names.
async fn with_keys(store: &TestStore, names: &[&str]) -> TestApp {
    let app = TestApp::on(store).await;
    let source: String = names.iter().map(|name| format!("msgid \"{name}\"\nmsgstr \"\"\n\n")).collect();
    // Its job ends first: what it writes is no doing of the imports.
    ended(&app, &send(&app, "po/app.pot", &source, &json!({"languages": ["fr"]})).await).await;
    app
}

/// Imports a catalogue in German; those with `?` are fuzzy.
async fn import(app: &TestApp, said: &[(&str, &str)]) -> Run {
    let entry = |(name, text): &(&str, &str)| {
        let fuzzy = if text.ends_with('?') { "#, fuzzy\n" } else { "" };
        format!("{fuzzy}msgid \"{name}\"\nmsgstr \"{text}\"\n\n")
    };
    let entries: String = said.iter().map(entry).collect();
    send(app, "po/de.po", &entries, &json!({"language": "de"})).await
}

fn held(run: &Run) -> Vec<(&str, HeldReason)> {
    run.held.iter().map(|text| (text.r#ref.as_str(), text.reason)).collect()
}

async fn state_of(app: &TestApp, name: &str) -> State {
    key(app, name).await.translations[0].state
}

async fn drafts_of_a_file_wait_for_a_persons_review(store: TestStore) {
    let app = with_keys(&store, &["Save", "Open", "Hi %(name)s", "Close"]).await;
    let said = [("Save", "Sichern"), ("Open", "Offen?"), ("Hi %(name)s", "Hallo?"), ("Close", "?")];
    let run = import(&app, &said[..3]).await;
    assert_eq!(held(&run), [("Open", HeldReason::NeedsReview), ("Hi %(name)s", HeldReason::NeedsReview)]);
    assert_eq!(run.held[0].message, "the file calls it a draft");
    assert!(run.held[1].message.contains("%(name)s"), "an error counts for more: {:?}", run.held[1]);
    let expected = [
        "drafts of the file, which no version has until a person reviews them: 1 translation",
        "a check holds back 1 translation; no version has it until a person reviews it",
    ];
    assert_eq!(run.warnings, expected);
    let open = key(&app, "Open").await;
    assert_eq!((open.translations[0].state, text_in(&open, "de")), (State::NeedsReview, Some("Offen?")));
    assert_eq!(state_of(&app, "Save").await, State::Translated);
    // Nothing of it is remembered, and no version has it.
    let more = texts([("again", "Open"), ("known", "Save")]);
    let priced =
        taken(app.post("/translate?dryRun=true").json(&json!({"keys": more, "languages": ["de"]})).send().await);
    assert_eq!(priced.per_language[0].from_memory, 1);
    assert_eq!(german(&app).await, "Sichern");
    // No engine takes its place, and the same file changes nothing.
    let before = state(&app).await;
    let again = import(&app, &said[..3]).await;
    assert_eq!((again.classification.unchanged, held(&again)), (3, held(&run)));
    assert_eq!(state(&app).await, before);
    // A person sees it beside what was translated, and reviews it; what a check holds back is not there.
    let mut tx = app.service.store.begin_write().await.unwrap();
    let listed = waiting(&mut tx, &app.project.id, "de", None, "", 10).await.unwrap();
    assert_eq!(listed.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["Open", "Save"]);
    assert_eq!(review(&mut tx, &app.clock, &app.project.id, "de", &["Open"]).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(german(&app).await, "Sichern, Offen?");
    let after = import(&app, &said[..3]).await;
    assert_eq!(state_of(&app, "Open").await, State::Reviewed, "the file's mark takes no review away");
    assert_eq!(held(&after), [("Hi %(name)s", HeldReason::NeedsReview)]);
}

/// The German texts of the next version, in the order of its file.
async fn german(app: &TestApp) -> String {
    let version = publish_in(app, &["de"]).await;
    let files = files_in(app, &version, "de").await;
    let [file] = files.as_slice() else { panic!("{files:?}") };
    let content = file.content.clone().unwrap();
    let said = content.lines().filter_map(|line| line.strip_prefix("msgstr \"")?.strip_suffix('"'));
    said.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

async fn a_draft_takes_the_place_of_no_translation(store: TestStore) {
    let app = with_keys(&store, &["Save", "Open", "Close"]).await;
    import(&app, &[("Save", "Sichern"), ("Open", "Offen?")]).await;
    let before = state(&app).await;
    let run = import(&app, &[("Save", "Retten?")]).await;
    assert_eq!((run.classification.unchanged, held(&run)), (1, vec![("Save", HeldReason::Draft)]));
    assert_eq!(
        run.warnings,
        ["left out, since they are drafts of what the project has translations of: 1 translation"]
    );
    let run = import(&app, &[("Save", "Sichern")]).await;
    assert_eq!((run.classification.unchanged, run.held.len()), (1, 0));
    assert_eq!(state(&app).await, before);
    // A draft takes the place of a draft, and a translation that of both; also of one with the same text.
    let run = import(&app, &[("Open", "Öffnen?")]).await;
    assert_eq!((run.classification.changed, held(&run)), (1, vec![("Open", HeldReason::NeedsReview)]));
    let unit = |target: &str| {
        format!(
            "<xliff version=\"1.2\"><file original=\"f\" source-language=\"en\" target-language=\"de\"><body>\
             <trans-unit id=\"Open\"><source>Open</source>{target}</trans-unit></body></file></xliff>"
        )
    };
    let run =
        send(&app, "de.xlf", &unit("<target state=\"translated\">Öffnen?</target>"), &json!({"language": "de"})).await;
    assert_eq!((run.classification.changed, run.held.len()), (1, 0));
    let open = key(&app, "Open").await;
    assert_eq!((open.translations[0].state, text_in(&open, "de")), (State::Translated, Some("Öffnen?")));
    // The same text, called a draft, is no worse than it was.
    let run =
        send(&app, "de.xlf", &unit("<target state=\"needs-l10n\">Öffnen?</target>"), &json!({"language": "de"})).await;
    assert_eq!((run.classification.unchanged, run.held.len()), (1, 0));
    assert_eq!(state_of(&app, "Open").await, State::Translated);
    assert_eq!(state_of(&app, "Close").await, State::Missing);
}

async fn what_a_file_calls_reviewed_is_so_unless_a_check_finds_an_error(store: TestStore) {
    let app = with_keys(&store, &["Save", "Open", "Hi %(name)s"]).await;
    import(&app, &[("Save", "Sichern")]).await;
    let units = |said: &[(&str, &str)]| -> String {
        let unit = |(name, text): &(&str, &str)| {
            format!(
                "<trans-unit id=\"{name}\" approved=\"yes\"><source>{name}</source><target>{text}</target></trans-unit>"
            )
        };
        let units: String = said.iter().map(unit).collect();
        format!(
            "<xliff version=\"1.2\"><file original=\"f\" source-language=\"en\" target-language=\"de\"><body>{units}\
             </body></file></xliff>"
        )
    };
    let approved = units(&[("Save", "Sichern"), ("Open", "Öffnen"), ("Hi %(name)s", "Hallo")]);
    let run = send(&app, "de.xlf", &approved, &json!({"language": "de"})).await;
    assert_eq!(held(&run), [("Hi %(name)s", HeldReason::NeedsReview)]);
    assert_eq!((run.classification.new, run.classification.changed), (2, 1));
    for name in ["Save", "Open"] {
        assert_eq!(state_of(&app, name).await, State::Reviewed, "{name}");
    }
    let hi = key(&app, "Hi%20%25(name)s").await;
    assert_eq!(hi.translations[0].state, State::NeedsReview);
    assert_eq!(hi.translations[0].issues[0].check, Check::Placeholders);
    let before = state(&app).await;
    let again = send(&app, "de.xlf", &approved, &json!({"language": "de"})).await;
    assert_eq!(again.classification.unchanged, 3);
    assert_eq!(state(&app).await, before);
    let run = import(&app, &[("Save", "Retten")]).await;
    assert_eq!(held(&run), [("Save", HeldReason::Reviewed)]);
}
