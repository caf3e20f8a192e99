use super::*;
use crate::delivery::keys::FileKey;

fn source(path: &str, format: FormatId) -> BaseFile {
    let holds_all_languages = format == FormatId::Xcstrings;
    BaseFile { path: path.into(), format, namespace: None, holds_all_languages }
}

fn key<'a>(namespace: Option<&'a str>, source_path: Option<&'a str>) -> PlannedKey<'a> {
    PlannedKey { namespace, source_path }
}

fn plan(base: &str, stated: &[PlannedFormat], sources: &[BaseFile], keys: &[PlannedKey<'_>]) -> Vec<FileSet> {
    super::plan(&base.into(), 2, stated, sources, keys).unwrap()
}

fn in_file(source_path: Option<&str>) -> FileKey<'_> {
    FileKey { source_path, ..FileKey::default() }
}

fn stated(path: &str) -> PlannedFormat {
    PlannedFormat {
        format: FormatId::Json,
        path: Template::parse(path).unwrap(),
        empty_as: EmptyAs::Skip,
        namespaces: None,
    }
}

/// Path in German, namespace, keys and skeleton of each set.
type PlannedFile<'a> = (String, Option<&'a str>, &'a [usize], Option<usize>);

fn shown(sets: &[FileSet]) -> Vec<PlannedFile<'_>> {
    sets.iter().map(|set| (set.path(&"de".into()), set.namespace.as_deref(), &*set.keys, set.skeleton)).collect()
}

#[test]
fn without_output_formats_each_source_has_its_file_and_loose_keys_have_theirs() {
    let sources = [source("app/en.json", FormatId::Json), source("lib/app_en.arb", FormatId::Arb)];
    let keys = [
        key(None, Some("app/en.json")),
        key(None, Some("lib/app_en.arb")),
        key(None, None),
        key(None, Some("app/en.json")),
    ];
    let sets = plan("en", &[], &sources, &keys);
    assert_eq!(
        shown(&sets),
        [
            ("app/de.json".into(), None, &[0, 3][..], Some(0)),
            ("lib/app_de.arb".into(), None, &[1][..], Some(1)),
            ("de.json".into(), None, &[2][..], None),
        ]
    );
}

#[test]
fn loose_keys_join_the_source_that_lies_where_their_own_file_would() {
    let keys = [key(None, Some("en.json")), key(None, None)];
    let sets = plan("en", &[], &[source("en.json", FormatId::Json)], &keys);
    assert_eq!(shown(&sets), [("de.json".into(), None, &[0, 1][..], Some(0))]);
}

#[test]
fn a_source_with_all_languages_is_one_file() {
    let keys = [key(None, Some("App/en.lproj/Main.xcstrings"))];
    let sources = [source("App/en.lproj/Main.xcstrings", FormatId::Xcstrings)];
    let sets = plan("en", &[], &sources, &keys);
    assert_eq!(shown(&sets), [("App/en.lproj/Main.xcstrings".into(), None, &[0][..], Some(0))]);
    assert!(sets.iter().all(|set| set.holds_all_languages));
}

#[test]
fn a_source_without_keys_has_no_file() {
    let sets = plan("en", &[], &[source("a/en.json", FormatId::Json)], &[key(None, None)]);
    assert_eq!(shown(&sets), [("de.json".into(), None, &[0][..], None)]);
}

#[test]
fn a_stated_format_holds_every_key_and_follows_a_source_only_when_there_is_one() {
    let sources = [source("a.json", FormatId::Json), source("b.json", FormatId::Json)];
    let one = [key(None, Some("a.json")), key(None, None)];
    let sets = plan("en", &[stated("x/{language}.json")], &sources, &one);
    assert_eq!(shown(&sets), [("x/de.json".into(), None, &[0, 1][..], Some(0))]);
    let two = [key(None, Some("a.json")), key(None, Some("b.json"))];
    let sets = plan("en", &[stated("x/{language}.json")], &sources, &two);
    assert_eq!(shown(&sets), [("x/de.json".into(), None, &[0, 1][..], None)]);
    let arb = [PlannedFormat { format: FormatId::Arb, ..stated("{language}.arb") }];
    assert_eq!(shown(&plan("en", &arb, &sources, &one)).first().map(|set| set.3), Some(None));
}

/// Each set follows its own source, and adds no key that another one has a place for.
#[test]
fn formats_beside_their_sources_follow_them() {
    let sources = [source("app/en.json", FormatId::Json), source("web/en.json", FormatId::Json)];
    let keys = [key(None, Some("app/en.json")), key(None, Some("web/en.json")), key(None, None)];
    let formats = [stated("app/{language}.json"), stated("web/{language}.json"), stated("all/{language}.json")];
    let sets = plan("en", &formats, &sources, &keys);
    assert_eq!(sets.iter().map(|set| set.skeleton).collect::<Vec<_>>(), [Some(0), Some(1), None]);
    let added = |set: &FileSet| {
        let of = |key: &PlannedKey<'static>| set.home.as_ref().is_none_or(|home| home.adds(&in_file(key.source_path)));
        keys.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(
        sets.iter().map(added).collect::<Vec<_>>(),
        [[true, false, true], [false, true, true], [true, true, true]]
    );
}

/// `values/strings.xml` names a language only where it is translated; a source whose place no format has goes everywhere.
#[test]
fn a_source_without_a_place_of_its_own_is_added_to_each_file() {
    let sources = [source("res/values/strings.xml", FormatId::Android), source("more.xml", FormatId::Android)];
    let keys = [key(None, Some("res/values/strings.xml")), key(None, Some("more.xml"))];
    let android = PlannedFormat { format: FormatId::Android, ..stated("res/values-{androidLanguage}/strings.xml") };
    let sets = plan("en", &[android], &sources, &keys);
    let home = sets.first().and_then(|set| set.home.as_ref()).unwrap();
    assert_eq!(sets.first().and_then(|set| set.skeleton), Some(0));
    assert!(home.adds(&in_file(Some("more.xml"))));
}

#[test]
fn a_path_with_a_namespace_has_a_file_for_each() {
    let keys = [key(Some("shop"), None), key(Some("admin"), None), key(Some("shop"), None), key(None, None)];
    let sets = plan("en", &[stated("{language}/{namespace}.json")], &[], &keys);
    assert_eq!(
        shown(&sets),
        [
            ("de/admin.json".into(), Some("admin"), &[1][..], None),
            ("de/default.json".into(), None, &[3][..], None),
            ("de/shop.json".into(), Some("shop"), &[0, 2][..], None),
        ]
    );
}

#[test]
fn a_format_that_names_namespaces_holds_theirs_alone() {
    let keys = [key(Some("shop"), None), key(None, None), key(Some("admin"), None)];
    let output = PlannedFormat { namespaces: Some(vec!["shop".into()]), ..stated("{language}.json") };
    let sets = plan("en", &[output], &[], &keys);
    assert_eq!(shown(&sets), [("de.json".into(), Some("shop"), &[0][..], None)]);
}

#[test]
fn a_version_of_too_many_files_is_not_planned() {
    let sources = [source("app/en.json", FormatId::Json), source("web/en.json", FormatId::Json)];
    let keys = [key(None, Some("app/en.json")), key(None, Some("web/en.json"))];
    let files = |languages, stated: &[PlannedFormat]| {
        super::plan(&"en".into(), languages, stated, &sources, &keys).map(|sets| sets.len())
    };
    assert_eq!(files(10_000, &[]), Ok(2));
    assert_eq!(files(10_001, &[]), Err(TooManyFiles { files: 20_002, is_stated: false }));
    let formats = [stated("a/{language}.json"), stated("b/{language}.json"), stated("c/{language}.json")];
    assert_eq!(files(6_666, &formats), Ok(3));
    assert_eq!(files(6_667, &formats), Err(TooManyFiles { files: 20_001, is_stated: true }));
}
