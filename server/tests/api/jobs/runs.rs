//! Real runs: what is registered, queued, translated and charged.

use l10n_api_types::translations::{Class, JobStatus, RunStatus};
use l10n_api_types::{Key, Millicredits, Origin, State};
use l10n_server::testing::{CREDITS, TestApp, TestStore};
use serde_json::json;

use crate::jobs::fixtures::{
    ended, files_in, key, money, price_of, publish_in, send, state, sync, sync_with, taken, text_in, texts, translate,
};

l10n_server::both_engines!(
    strings_are_registered_priced_translated_polled_and_charged,
    a_file_is_synced_and_its_second_sync_is_unchanged,
    every_item_of_the_whole_input_is_in_one_class,
    a_sync_keeps_what_a_file_lacks_unless_told_to_archive_it_and_undoes_that,
    a_renamed_key_brings_its_translations_along_free_of_charge,
    a_key_that_moves_to_another_file_is_told,
    memory_is_free_and_belongs_to_the_workspace,
    identical_texts_are_paid_for_once,
    what_an_unfinished_job_will_translate_is_not_queued_again,
    translating_anew_pays_again_and_a_changed_source_is_stale_until_then,
    a_subset_of_languages_and_left_out_fields_change_nothing_else,
    counters_move_with_the_keys,
    a_namespace_is_found_by_the_template_of_an_output_format,
    a_source_without_a_language_in_its_path_shows_its_namespace,
    long_lists_of_items_are_cut_and_say_so,
);

/// FN-1, RES-12: register, price, run, poll to the end; charged at most what was estimated.
async fn strings_are_registered_priced_translated_polled_and_charged(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = texts([("save", "Save"), ("hello", "Hello, {name}!")]);
    let dry = taken(app.post("/translate?dryRun=true").json(&json!({ "keys": keys })).send().await);
    assert_eq!((dry.status, dry.tracking_token), (RunStatus::Preview, None));
    let run = taken(translate(&app, &keys).send().await);
    assert_eq!(run.status, RunStatus::Queued);
    assert_eq!(run.estimated_credits, dry.estimated_credits);
    assert_eq!(run.estimated_credits, price_of(&keys, 2));
    assert_eq!((run.credits_charged, run.balance), (Millicredits::ZERO, CREDITS));
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.total, job.progress.done), (JobStatus::Completed, 4, 4));
    assert_eq!(job.credits_charged, run.estimated_credits);
    assert_eq!(job.balance, CREDITS - run.estimated_credits);
    assert_eq!(job.translations.len(), 4);
    assert!(job.finished_at.is_some() && job.failures.is_empty());
    let hello = key(&app, "hello").await;
    for translation in &hello.translations {
        assert_eq!((translation.state, translation.origin), (State::Translated, Some(Origin::Machine)));
        assert!(translation.text.as_ref().unwrap().contains("{name}"), "{translation:?}");
    }
    assert_eq!(money(&app).await.held, Millicredits::ZERO);
}

async fn a_file_is_synced_and_its_second_sync_is_unchanged(store: TestStore) {
    let app = TestApp::on(&store).await;
    let file = json!({"app": {"title": "Title", "save": "Save"}, "empty": ""});
    let run = taken(sync(&app, "locales/en.json", &file).send().await);
    assert_eq!((run.classification.new, run.items.len()), (3, 3));
    ended(&app, &run).await;
    let before = state(&app).await;
    let again = taken(sync(&app, "locales/en.json", &file).send().await);
    assert_eq!((again.status, again.classification.unchanged, again.items.len()), (RunStatus::Completed, 3, 0));
    assert_eq!(again.estimated_credits, Millicredits::ZERO);
    assert_eq!(state(&app).await, before, "an unchanged sync changes nothing");
    let key = key(&app, "app.title").await;
    assert_eq!(key.file.as_deref(), Some("locales/en.json"));
}

async fn every_item_of_the_whole_input_is_in_one_class(store: TestStore) {
    let app = TestApp::on(&store).await;
    let first = taken(sync(&app, "en.json", &json!({"same": "Same", "edited": "Before", "gone": "Gone"})).send().await);
    ended(&app, &first).await;
    let second = json!({"same": "Same", "edited": "After", "fresh": "Fresh"});
    let dry = taken(sync_with(&app, "?dryRun=true", "en.json", &second, json!({})).send().await);
    let real = taken(sync(&app, "en.json", &second).send().await);
    for run in [&dry, &real] {
        let counts = run.classification;
        assert_eq!((counts.new, counts.changed, counts.unchanged, counts.removed), (1, 1, 1, 1));
        let items: Vec<_> = run
            .items
            .iter()
            .map(|item| (item.r#ref.as_str(), item.class, item.previous_text.as_deref(), item.languages.len()))
            .collect();
        assert_eq!(
            items,
            [
                ("edited", Class::Changed, Some("Before"), 2),
                ("fresh", Class::New, None, 2),
                ("gone", Class::Removed, Some("Gone"), 0)
            ]
        );
        assert_eq!(run.estimated_credits, Millicredits(20));
        let german = &run.per_language[0];
        assert_eq!((german.language.as_str(), german.keys, german.characters, german.from_memory), ("de", 2, 10, 0));
        assert_eq!(german.estimated_credits, Millicredits(10));
        assert!(run.renamed.is_empty() && !run.items_truncated && !run.requires_operation);
    }
}

async fn a_sync_keeps_what_a_file_lacks_unless_told_to_archive_it_and_undoes_that(store: TestStore) {
    let app = TestApp::on(&store).await;
    let whole = json!({"a": "A text", "b": "B text"});
    ended(&app, &taken(sync(&app, "en.json", &whole).send().await)).await;
    let part = json!({"a": "A text"});
    let kept = taken(sync(&app, "en.json", &part).send().await);
    assert_eq!(kept.classification.removed, 1);
    assert!(!key(&app, "b").await.archived, "kept unless told otherwise");
    let archived = taken(sync_with(&app, "", "en.json", &part, json!({"onRemoved": "archive"})).send().await);
    assert_eq!(archived.classification.removed, 1);
    assert!(key(&app, "b").await.archived);
    assert_eq!(app.get("/meta").send().await.json()["keyCount"], 1);
    let again = taken(sync_with(&app, "", "en.json", &part, json!({"onRemoved": "archive"})).send().await);
    assert_eq!(again.classification.removed, 0, "what is archived is not removed again");
    let back = taken(sync(&app, "en.json", &whole).send().await);
    assert_eq!((back.classification.new, back.status), (1, RunStatus::Completed), "its translations are still there");
    let key = key(&app, "b").await;
    assert!(!key.archived && text_in(&key, "de").is_some());
    assert_eq!(app.get("/meta").send().await.json()["keyCount"], 2);
}

async fn a_renamed_key_brings_its_translations_along_free_of_charge(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &taken(sync(&app, "en.json", &json!({"old": "Same text"})).send().await)).await;
    let before = text_in(&key(&app, "old").await, "de").unwrap().to_owned();
    let run = taken(
        sync_with(&app, "", "en.json", &json!({"new": "Same text"}), json!({"onRemoved": "archive"})).send().await,
    );
    assert_eq!((run.status, run.estimated_credits), (RunStatus::Completed, Millicredits::ZERO));
    assert_eq!((run.renamed[0].from.as_str(), run.renamed[0].to.as_str()), ("old", "new"));
    assert_eq!((run.classification.new, run.classification.removed), (1, 1), "both are in the class that they are in");
    let renamed = key(&app, "new").await;
    assert_eq!(text_in(&renamed, "de"), Some(before.as_str()));
    assert_eq!(renamed.translations[0].origin, Some(Origin::Machine), "it is the same translation, not a new one");
}

async fn a_key_that_moves_to_another_file_is_told(store: TestStore) {
    let app = TestApp::on(&store).await;
    let file = json!({"title": "Title"});
    ended(&app, &taken(sync(&app, "a/en.json", &file).send().await)).await;
    let run = taken(sync(&app, "b/en.json", &file).send().await);
    assert_eq!(run.classification.unchanged, 1);
    assert!(run.warnings[0].contains("`a/en.json`") && run.warnings[0].contains("{namespace}"), "{:?}", run.warnings);
    assert_eq!(key(&app, "title").await.file.as_deref(), Some("b/en.json"));
    let back = taken(sync(&app, "a/en.json", &json!({"other": "Other"})).send().await);
    assert_eq!(back.classification.removed, 0, "it is the other file's by now");
}

async fn memory_is_free_and_belongs_to_the_workspace(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &taken(translate(&app, &texts([("a", "The same")])).send().await)).await;
    let run = taken(translate(&app, &texts([("b", "The same")])).send().await);
    assert_eq!((run.status, run.estimated_credits), (RunStatus::Completed, Millicredits::ZERO));
    assert_eq!((run.per_language[0].keys, run.per_language[0].from_memory), (1, 1));
    let from_memory = key(&app, "b").await;
    assert_eq!(from_memory.translations[0].origin, Some(Origin::Memory));
    assert_eq!(text_in(&from_memory, "de"), text_in(&key(&app, "a").await, "de"));
    let other = app.other_project("unlimited").await;
    let elsewhere = app.at("POST".parse().unwrap(), &format!("/v1/projects/{}/translate?dryRun=true", other.id));
    let answer = elsewhere.key(&other.keys.admin).json(&json!({"keys": texts([("b", "The same")])})).send().await;
    assert_eq!(taken(answer).per_language[0].from_memory, 0, "another workspace remembers nothing of it");
}

async fn identical_texts_are_paid_for_once(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = texts([("a", "Twice"), ("b", "Twice"), ("c", "Once")]);
    let run = taken(translate(&app, &keys).send().await);
    assert_eq!(run.estimated_credits, Millicredits(2 * 9));
    assert_eq!((run.per_language[0].keys, run.per_language[0].characters), (3, 9));
    let job = ended(&app, &run).await;
    assert_eq!((job.progress.done, job.credits_charged), (6, Millicredits(18)));
    assert_eq!(text_in(&key(&app, "a").await, "fr"), text_in(&key(&app, "b").await, "fr"));
}

async fn what_an_unfinished_job_will_translate_is_not_queued_again(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let keys = texts([("a", "Text")]);
    let first = taken(translate(&app, &keys).send().await);
    let again = taken(translate(&app, &keys).send().await);
    assert_eq!((again.status, again.estimated_credits), (RunStatus::Completed, Millicredits::ZERO));
    assert_eq!(again.warnings, ["left to a run that had not ended yet: 2 translations"]);
    let edited = taken(translate(&app, &texts([("a", "Text!")])).send().await);
    assert_eq!(edited.estimated_credits, Millicredits(10), "the new text is other work");
    assert!(first.warnings.is_empty() && edited.warnings.is_empty(), "{first:?} {edited:?}");
    let _worker = crate::jobs::fixtures::TestWorker::start(&app);
    let overtaken = ended(&app, &first).await;
    assert_eq!((overtaken.status, overtaken.credits_charged), (JobStatus::Completed, Millicredits::ZERO));
    assert!(overtaken.translations.is_empty(), "the old text is not translated any more");
    assert_eq!(ended(&app, &edited).await.credits_charged, Millicredits(10));
}

async fn translating_anew_pays_again_and_a_changed_source_is_stale_until_then(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let worker = crate::jobs::fixtures::TestWorker::start(&app);
    let keys = texts([("a", "Text")]);
    ended(&app, &taken(translate(&app, &keys).send().await)).await;
    let anew = taken(app.post("/translate").json(&json!({"keys": keys, "retranslate": true})).send().await);
    assert_eq!((anew.classification.unchanged, anew.estimated_credits), (1, Millicredits(8)));
    assert_eq!(ended(&app, &anew).await.credits_charged, Millicredits(8));
    worker.shut_down().await;
    taken(translate(&app, &texts([("a", "Edited")])).send().await);
    let key_now = key(&app, "a").await;
    assert!(key_now.translations.iter().all(|translation| translation.stale && translation.text.is_some()));
    let reverted = taken(translate(&app, &keys).send().await);
    assert_eq!(reverted.estimated_credits, Millicredits::ZERO, "what there is translates it");
    assert!(key(&app, "a").await.translations.iter().all(|translation| !translation.stale));
}

async fn a_subset_of_languages_and_left_out_fields_change_nothing_else(store: TestStore) {
    let app = TestApp::on(&store).await;
    let noted = Key {
        description: Some("On a button".into()),
        max_length: Some(40),
        namespace: Some("ui".into()),
        tags: vec!["x".into(), "x".into(), "y".into()],
        ..Key::text("a", "Text")
    };
    let body = json!({"keys": [noted], "languages": ["FR"]});
    let run = taken(app.post("/translate").json(&body).send().await);
    assert_eq!(run.per_language.len(), 1);
    ended(&app, &run).await;
    let later = taken(translate(&app, &texts([("a", "Text")])).send().await);
    assert_eq!((later.per_language[0].keys, later.per_language[1].keys), (1, 0), "French is there");
    let held = key(&app, "a").await;
    assert_eq!(held.description.as_deref(), Some("On a button"));
    assert_eq!((held.max_length, held.namespace.as_deref()), (Some(40), Some("ui")));
    assert_eq!(held.tags, ["x", "y"]);
}

async fn counters_move_with_the_keys(store: TestStore) {
    let app = TestApp::on(&store).await;
    let counters = async || {
        let meta = app.get("/meta").send().await.json();
        (meta["keyCount"].as_i64().unwrap(), meta["unpublishedChanges"].as_i64().unwrap())
    };
    ended(&app, &taken(sync(&app, "en.json", &json!({"a": "A", "b": "B"})).send().await)).await;
    assert_eq!(counters().await, (2, 2 + 4), "two keys, four translations");
    taken(sync(&app, "en.json", &json!({"b": "B", "a": "A"})).send().await);
    assert_eq!(counters().await, (2, 6), "another order is no change of a key");
    taken(sync_with(&app, "", "en.json", &json!({"a": "A"}), json!({"onRemoved": "archive"})).send().await);
    assert_eq!(counters().await, (1, 7));
}

async fn a_namespace_is_found_by_the_template_of_an_output_format(store: TestStore) {
    let app = TestApp::on(&store).await;
    let formats = json!({"outputFormats": [{"format": "json", "path": "l/{language}/{namespace}.json"}]});
    assert_eq!(app.post("/output-formats").json(&formats).send().await.status, 200);
    taken(sync(&app, "l/en/common.json", &json!({"save": "Save"})).send().await);
    taken(sync(&app, "l/en/shop.json", &json!({"save": "Put by"})).send().await);
    let common = key(&app, "common:save").await;
    assert_eq!((common.namespace.as_deref(), common.text.as_deref()), (Some("common"), Some("Save")));
    assert_eq!(key(&app, "shop:save").await.text.as_deref(), Some("Put by"));
    taken(sync(&app, "elsewhere/en.json", &json!({"save": "Save"})).send().await);
    assert_eq!(key(&app, "save").await.namespace, None);
}

async fn a_source_without_a_language_in_its_path_shows_its_namespace(store: TestStore) {
    let app = TestApp::on(&store).await;
    let path = "{namespace}/res/values-{androidLanguage}/strings.xml";
    let formats = json!({"outputFormats": [{"format": "android", "path": path}]});
    assert_eq!(app.post("/output-formats").json(&formats).send().await.status, 200);
    let strings = |text: &str| format!("<resources>\n    <string name=\"save\">{text}</string>\n</resources>\n");
    for (module, text) in [("app", "Save"), ("wear", "Put by")] {
        let path = format!("{module}/res/values/strings.xml");
        let run = send(&app, &path, &strings(text), &json!({"languages": ["fr"]})).await;
        assert_eq!((run.classification.new, run.warnings.len()), (1, 0), "{run:?}");
        ended(&app, &run).await;
    }
    assert_eq!(key(&app, "wear:save").await.text.as_deref(), Some("Put by"));
    let german = send(&app, "app/res/values-de/strings.xml", &strings("Sichern"), &json!({"language": "de"})).await;
    assert_eq!(german.classification.new, 1);
    // Each file follows the source beside it.
    let version = publish_in(&app, &["de"]).await;
    let files = files_in(&app, &version, "de").await;
    let told: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.namespace.as_deref())).collect();
    assert_eq!(told[0], ("app/res/values-de/strings.xml", Some("app")));
    assert_eq!(files[0].content.as_deref(), Some(strings("Sichern").as_str()));
}

async fn long_lists_of_items_are_cut_and_say_so(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let keys = |count: usize| (0..count).map(|n| Key::text(format!("k{n:05}"), "x")).collect::<Vec<_>>();
    let run = taken(translate(&app, &keys(1_001)).send().await);
    assert_eq!((run.items.len(), run.items_truncated, run.classification.new), (1_000, true, 1_001));
    let other = taken(translate(&app, &keys(1_000)).send().await);
    assert_eq!((other.classification.unchanged, other.items_truncated), (1_000, false));
}
