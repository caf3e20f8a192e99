//! The laws on real files, where they are.

use std::path::Path;

use super::*;
use crate::files::{all, detect};

fn sample(name: &str) -> Option<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples").join(name);
    let bytes = std::fs::read(path).ok();
    if bytes.is_none() {
        eprintln!("SKIPPED: ../shared/samples/{name} is not there");
    }
    bytes
}

/// The files of a folder, and those at the top that end so.
fn samples(folder: &str, ends: &str) -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples");
    let list = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten().map(|file| file.path());
    let at_top = list(&root).filter(|path| path.to_string_lossy().ends_with(ends));
    let mut paths: Vec<_> = list(&root.join(folder)).chain(at_top).filter(|path| path.is_file()).collect();
    paths.sort();
    if paths.is_empty() {
        eprintln!("SKIPPED: ../shared/samples/{folder} is not there");
    }
    paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
}

/// Holds the laws against each file: it is found, it stays when nothing changes, in itself and as a target, and what is
/// written in place of every second text is read again while the others keep their content.
fn hold_laws(id: &str, folder: &str, ends: &str) {
    let (mut files, mut size, mut entries) = (0, 0, 0);
    for (name, bytes) in samples(folder, ends) {
        if REFUSED.iter().any(|refused| Path::new(&name).ends_with(refused)) {
            assert!(format(id).parse(&bytes).is_err(), "{name} can be read now");
            continue;
        }
        assert_eq!(detect(&name, &bytes).map(|format| format.id().as_str()), Ok(id), "{name}");
        let document = format(id).parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let language = document.language.as_deref().unwrap_or("en");
        assert_eq!(unchanged(id, &bytes, language), bytes, "{name}");
        let merged = format(id).merge(&bytes, &bytes).unwrap();
        assert!(merged.bytes == bytes && merged.kept.is_empty(), "{name}");
        let mut wanted = contents(&document);
        for entry in document.entries.iter().step_by(2) {
            if let Some(Content::Text(said)) = wanted.get_mut(&entry.key) {
                *said = format!("{said} «l'été» & \"x\"\n");
            }
        }
        let out = format(id).render(&document, language, &|key| wanted.get(key).cloned());
        assert_eq!(contents(&format(id).parse(&out).unwrap()), wanted, "{name}");
        (files, size, entries) = (files + 1, size + bytes.len(), entries + document.entries.len());
    }
    eprintln!("{id}: {files} files, {size} bytes, {entries} entries");
}

#[test]
fn resources_of_android_keep_their_bytes() {
    hold_laws("android", "android", ".strings.xml");
}

#[test]
fn resources_of_dot_net_keep_their_bytes() {
    hold_laws("resx", "resx", ".resx");
}

#[test]
fn plurals_of_apple_keep_their_bytes() {
    hold_laws("apple-stringsdict", "apple-stringsdict", ".stringsdict");
}

#[test]
fn catalogues_of_yaml_keep_their_bytes() {
    hold_laws("yaml", "yaml", ".en.yml");
}

#[test]
fn catalogues_of_toml_keep_their_bytes() {
    hold_laws("toml", "toml", ".en.toml");
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

/// Files that are refused: lists of objects, names with line ends, a table whose rows translate one text in two ways, XML in
/// ISO 8859-1, and a table of other data.
const REFUSED: [&str; 8] = [
    "csv/amazon-pay.fr.csv",
    "csv/lingo-demo.es.csv",
    "json/go-i18n-list.ar.json",
    "i18next/headlamp.ar.json",
    "i18next/headlamp.en.json",
    "yaml/hugo-book.ru.yaml",
    "yaml/papermod-crlf.zh-TW.yaml",
    "xliff-1.2/symfony-encoding-latin1.en.xlf",
];

/// Each file of `../shared/samples/<format>`: read, rendered, and merged into itself.
#[test]
fn every_real_file_keeps_its_bytes() {
    for format in all() {
        let id = format.id();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples").join(id.as_str());
        let Ok(files) = std::fs::read_dir(&folder) else {
            eprintln!("SKIPPED: ../shared/samples/{id} is not there");
            continue;
        };
        let (mut read, mut size, mut entries) = (0, 0, 0);
        for file in files {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            if REFUSED.iter().any(|name| path.ends_with(name)) {
                assert!(format.parse(&bytes).is_err(), "{} can be read now", path.display());
                continue;
            }
            let document = format.parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let language = document.language.as_deref().unwrap_or("en");
            assert!(unchanged(id.as_str(), &bytes, language) == bytes, "{} is rendered otherwise", path.display());
            let merged = format.merge(&bytes, &bytes).unwrap();
            assert!(merged.bytes == bytes && merged.kept.is_empty(), "{} is merged otherwise", path.display());
            (read, size, entries) = (read + 1, size + bytes.len(), entries + document.entries.len());
        }
        eprintln!("{id}: {read} files, {size} bytes, {entries} entries");
        assert!(read > 0, "{id} has files");
    }
}

/// Each file with source and translation: what is written in place of every second translation is read again, while the others
/// and the texts of the source stay.
#[test]
fn bilingual_files_take_translations_and_keep_their_sources() {
    for (id, folder, ends) in
        [("qt-ts", "qt-ts", ".ts"), ("xliff-1.2", "xliff-1.2", ".xlf"), ("xliff-2", "xliff-2", ".xliff-2")]
    {
        let (mut files, mut size, mut entries, mut translated) = (0, 0, 0, 0);
        for (name, bytes) in samples(folder, ends) {
            if REFUSED.iter().any(|refused| Path::new(&name).ends_with(refused)) {
                continue;
            }
            assert_eq!(detect(&name, &bytes).map(|format| format.id().as_str()), Ok(id), "{name}");
            let source = format(id).parse(&bytes).unwrap();
            let language = source.language.clone().unwrap_or_else(|| "ru".to_owned());
            let said = format(id).translations(&bytes, &language).unwrap();
            let mut wanted = contents(&said);
            let keys: Vec<&String> = said.entries.iter().map(|entry| &entry.key).collect();
            for key in keys.into_iter().step_by(2) {
                if let Some(Content::Text(said)) = wanted.get_mut(key) {
                    *said = format!("{said} «l'été» & \"x\" ]]>\n");
                }
            }
            let out = format(id).render(&source, &language, &|key| wanted.get(key).cloned());
            assert_eq!(contents(&format(id).translations(&out, &language).unwrap()), wanted, "{name}");
            assert_eq!(format(id).parse(&out).unwrap().entries, source.entries, "{name}");
            (files, size) = (files + 1, size + bytes.len());
            (entries, translated) = (entries + source.entries.len(), translated + said.entries.len());
        }
        eprintln!("{id}: {files} files, {size} bytes, {entries} entries, {translated} translated");
    }
}

/// The test suite of OASIS: what is valid is read and keeps its bytes, and what is not at least does no harm.
#[test]
fn valid_files_of_xliff_2_are_read() {
    let format = format("xliff-2");
    let (mut read, mut entries) = (0, 0);
    for (name, bytes) in samples("fixtures/oasis-xliff/valid", ".oasis") {
        // This one is not even XML: a `<target>` begins behind its text, and the prefix `pgs` is not declared.
        if name.ends_with("Good-pgs_plural.xlf") {
            assert!(format.parse(&bytes).is_err());
            continue;
        }
        assert_eq!(detect(&name, &bytes).map(|format| format.id().as_str()), Ok("xliff-2"), "{name}");
        let source = format.parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(unchanged("xliff-2", &bytes, "fr"), bytes, "{name}");
        let merged = format.merge(&bytes, &bytes).unwrap();
        assert!(merged.bytes == bytes && merged.kept.is_empty(), "{name}");
        let wanted = |key: &str| Some(text(&format!("[{key}]")));
        let out = format.render(&source, "de", &wanted);
        let said = format.translations(&out, "de").unwrap();
        assert_eq!(said.entries.len(), source.entries.len(), "{name}");
        assert!(said.entries.iter().all(|entry| Some(&entry.content) == wanted(&entry.key).as_ref()), "{name}");
        (read, entries) = (read + 1, entries + source.entries.len());
    }
    eprintln!("xliff-2: {read} valid files, {entries} entries");
    let mut refused = 0;
    for (name, bytes) in samples("fixtures/oasis-xliff/invalid", ".oasis") {
        match format.parse(&bytes) {
            Ok(_) => assert_eq!(unchanged("xliff-2", &bytes, "fr"), bytes, "{name}"),
            Err(_) => refused += 1,
        }
    }
    eprintln!("xliff-2: invalid files are read as far as they are XML, and {refused} of them refused");
}
