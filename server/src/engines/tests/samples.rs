//! Real texts.

use std::collections::BTreeMap;
use std::path::Path;

use l10n_formats::text::Syntax;
use l10n_formats::text::checks::check;
use l10n_formats::text::message::is_message;

use super::*;

/// A file of real texts, where there are any.
fn sample(name: &str) -> Option<serde_json::Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples").join(name);
    match std::fs::read(&file) {
        Ok(content) => Some(serde_json::from_slice(&content).unwrap()),
        Err(_) => {
            println!("SKIPPED: no {}", file.display());
            None
        }
    }
}

fn texts(value: &serde_json::Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::Object(members) => {
            let members = members.iter().filter(|(name, _)| !name.starts_with('@'));
            members.for_each(|(name, value)| texts(value, &format!("{path}.{name}"), found));
        }
        serde_json::Value::String(text) => found.push((path.to_owned(), text.clone())),
        _ => {}
    }
}

#[test]
fn pseudo_leaves_no_error_in_real_files_and_identity_gives_them_back() {
    for name in ["ha-frontend.en.json", "flutter-gallery.en.arb"] {
        let Some(content) = sample(name) else { continue };
        let mut found = Vec::new();
        texts(&content, "", &mut found);
        let units: Vec<_> = found.iter().map(|(_, source)| unit(text(source))).collect();
        for target in ["ru", "ja"] {
            for ((path, source), answer) in found.iter().zip(translate(&Pseudo, target, &units)) {
                let translated = answer.unwrap_or_else(|failure| panic!("{path}: {source}: {failure}"));
                assert_eq!(errors(&translated.issues), [] as [&Issue; 0], "{path}: {source}");
            }
        }
        for ((path, source), back) in found.iter().zip(translate(&IdentityEngine, "en", &units)) {
            // Where a plural has no form `one` for English, it is filled.
            let filled = is_message(source, Syntax::Mixed) && !source.contains("one {") && !source.contains("one{");
            let partly = path.ends_with("conditions.type.state.description.full");
            assert!(filled || partly || back.unwrap().content == text(source), "{path}: {source}");
        }
    }
}

#[test]
fn what_people_have_translated_has_no_errors() {
    let (Some(source), Some(target)) = (sample("flutter-gallery.en.arb"), sample("flutter-gallery.es.arb")) else {
        return;
    };
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    texts(&source, "", &mut sources);
    texts(&target, "", &mut targets);
    let sources: BTreeMap<_, _> = sources.into_iter().collect();
    for (path, translation) in targets {
        let Some(source) = sources.get(&path) else { continue };
        let issues = check(&text(source), &text(&translation), "en", "es", None);
        assert_eq!(errors(&issues), [] as [&Issue; 0], "{path}: {source}: {translation}");
    }
}
