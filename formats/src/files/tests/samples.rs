//! The laws on real files, where they are.

use std::path::Path;

use super::*;
use crate::files::detect;

fn sample(name: &str) -> Option<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples").join(name);
    let bytes = std::fs::read(path).ok();
    if bytes.is_none() {
        eprintln!("SKIPPED: ../shared/samples/{name} is not there");
    }
    bytes
}

#[test]
fn the_home_assistant_catalogue_is_json_and_keeps_its_bytes() {
    let Some(bytes) = sample("ha-frontend.en.json") else {
        return;
    };
    let found = detect("translations/en.json", &bytes).unwrap();
    assert_eq!(found.id().as_str(), "json");
    assert_eq!(found.parse(&bytes).unwrap().entries.len(), 7984);
    for id in ["json", "i18next", "arb"] {
        assert_eq!(unchanged(id, &bytes, "en"), bytes);
    }
}

#[test]
fn every_second_key_of_the_home_assistant_catalogue_renders_to_a_readable_file() {
    let Some(bytes) = sample("ha-frontend.en.json") else {
        return;
    };
    let document = format("json").parse(&bytes).unwrap();
    let kept: HashMap<_, _> = document
        .entries
        .iter()
        .step_by(2)
        .map(|entry| (entry.key.clone(), text(&format!("[{}]", entry.key))))
        .collect();
    let out = format("json").render(&document, "de", &|key| kept.get(key).cloned());
    assert_eq!(contents(&format("json").parse(&out).unwrap()), kept);
    assert!(std::str::from_utf8(&out).unwrap().lines().all(|line| !line.trim().is_empty()));
}

#[test]
fn the_flutter_gallery_keeps_its_bytes_and_its_translation_has_no_metadata() {
    for (name, language) in [("flutter-gallery.en.arb", "en"), ("flutter-gallery.es.arb", "es")] {
        let Some(bytes) = sample(name) else { continue };
        assert_eq!(unchanged("arb", &bytes, language), bytes);
        let document = format("arb").parse(&bytes).unwrap();
        let out = format("arb").render(&document, "de", &|key| Some(text(key)));
        assert!(!String::from_utf8(out.clone()).unwrap().contains("\n  \"@"), "metadata is left");
        assert_eq!(format("arb").parse(&out).unwrap().entries.len(), document.entries.len());
    }
}
