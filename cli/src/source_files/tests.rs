use super::*;
use crate::error::Failure as _;

fn project(files: &[&str], config: &str) -> (tempfile::TempDir, SourceFiles) {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, r#"{"a":"A"}"#).unwrap();
    }
    let path = folder.path().join("l10n.toml");
    let files = SourceFiles::of(&Config::parse(config, &path).unwrap(), &path).unwrap();
    (folder, files)
}

fn paths(files: &[SourceFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn the_files_of_the_base_language_are_found_in_order() {
    let (_folder, files) = project(
        &["l/en/b.json", "l/en/a.json", "l/de/a.json", "node_modules/l/en/c.json"],
        "[[files]]\nsource = \"l/{language}/{namespace}.json\"\n",
    );
    assert_eq!(paths(&files.base("en").unwrap()), ["l/en/a.json", "l/en/b.json"]);
    assert_eq!(files.all().unwrap().len(), 3);
    let formats = files.output_formats(&files.base("en").unwrap()).unwrap();
    assert_eq!(formats.len(), 1);
    assert_eq!(formats[0].path, "l/{language}/{namespace}.json");
}

/// A filter without a match must fail: otherwise a deployment could go out untranslated.
#[test]
fn a_pattern_without_a_match_is_an_error_that_says_what_there_is() {
    let (_folder, files) = project(&["l/de.json", "l/fr.json"], "[[files]]\nsource = \"l/{language}.json\"\n");
    let error = files.base("en").unwrap_err();
    assert_eq!(error.to_string(), "`l/{language}.json` matches no file in the base language `en`");
    let hint = error.hint().unwrap();
    assert!(hint.starts_with("there are files in de, fr"), "{hint}");
}

#[test]
fn wildcards_give_each_base_file_an_output_of_its_own() {
    let (_folder, files) = project(
        &["packages/a/i18n/en.json", "packages/b/i18n/en.json"],
        "[[files]]\nsource = \"packages/*/i18n/{language}.json\"\nformat = \"json\"\n",
    );
    let formats = files.output_formats(&files.base("en").unwrap()).unwrap();
    let paths: Vec<&str> = formats.iter().map(|format| format.path.as_str()).collect();
    assert_eq!(paths, ["packages/a/i18n/{language}.json", "packages/b/i18n/{language}.json"]);
}

#[test]
fn a_source_without_language_needs_an_output() {
    let config = Config::parse("[[files]]\nsource = \"en.json\"\n", Path::new("l10n.toml")).unwrap();
    let error = SourceFiles::of(&config, Path::new("l10n.toml")).unwrap_err();
    assert!(error.to_string().contains("has no {language}"), "{error}");
}

#[test]
fn translations_beside_a_source_without_a_language_are_found() {
    let files = ["res/values/a.xml", "res/values-en/a.xml", "res/values-pt-rBR/a.xml", "res/values-night/a.xml"];
    let (_folder, files) = project(
        &files,
        "[[files]]\nsource = \"res/values/a.xml\"\nformat = \"android\"\noutput = \"res/values-{androidLanguage}/a.xml\"\n",
    );
    assert_eq!(paths(&files.base("en").unwrap()), ["res/values/a.xml"]);
    let found = files.all_with_outputs().unwrap();
    let languages: Vec<_> = found.iter().map(|file| (file.path.as_str(), file.language.as_deref())).collect();
    assert_eq!(
        languages,
        [("res/values/a.xml", None), ("res/values-en/a.xml", Some("en")), ("res/values-pt-rBR/a.xml", Some("pt-BR"))]
    );
    let stand_in = StandIn { source: "res/values/a.xml".to_owned(), is_catalogue: false };
    assert_eq!(files.base_stand_ins("en"), BTreeMap::from([("res/values-en/a.xml".to_owned(), stand_in)]));
}

#[test]
fn a_file_whose_language_is_spelled_otherwise_is_found_by_the_path_of_versions() {
    let (folder, files) = project(
        &["res/values/a.xml", "res/values-iw-rIL/a.xml", "res/values-de/a.xml", "l/in/a.json", "l/pt_BR/a.json"],
        "[[files]]\nsource = \"res/values/a.xml\"\nformat = \"android\"\noutput = \"res/values-{androidLanguage}/a.xml\"\n\
         [[files]]\nsource = \"l/{language}/{namespace}.json\"\nformat = \"json\"\n",
    );
    let found = files.spelled_otherwise(folder.path()).unwrap();
    let pairs = [
        ("l/id/a.json", "l/in/a.json"),
        ("l/pt-BR/a.json", "l/pt_BR/a.json"),
        ("res/values-he-rIL/a.xml", "res/values-iw-rIL/a.xml"),
    ];
    assert_eq!(found, pairs.map(|(path, own)| (path.to_owned(), own.to_owned())).into());
    assert_eq!(files.spelled_otherwise(&folder.path().join("res")).unwrap(), BTreeMap::new());
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_uploaded() {
    let outside = tempfile::NamedTempFile::new().unwrap();
    let (folder, files) = project(&["l/de.json"], "[[files]]\nsource = \"l/{language}.json\"\n");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("l/en.json")).unwrap();
    assert!(matches!(files.base("en").unwrap_err(), SourceError::LeadsOut(path) if path == "l/en.json"));
}
