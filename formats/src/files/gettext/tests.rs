use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use l10n_api_types::PluralCategory::{Few, Many, One, Other};
use l10n_api_types::{Content, FormatId, Plural, PluralCategory, State};

use crate::files::{EditError, Edited, Entry, FileKind, Format, LocalizationFile, by_id};
use crate::text::{Printf, Syntax};

fn format() -> &'static dyn Format {
    by_id(FormatId::Gettext)
}

fn parse(file: &str) -> LocalizationFile {
    format().parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{file}"))
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn plural(forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
    Content::Plural(Plural { arg: "count".to_owned(), forms })
}

fn pairs(entries: Vec<Entry>) -> Vec<(String, Content)> {
    entries.into_iter().map(|entry| (entry.key, entry.content)).collect()
}

fn translations(file: &str, language: &str) -> Vec<(String, Content)> {
    pairs(format().translations(file.as_bytes(), language).unwrap().entries)
}

/// The file in a language with these translations.
fn rendered(file: &str, language: &str, said: &[(&str, Content)]) -> String {
    let find = |key: &str| said.iter().find(|(name, _)| *name == key).map(|(_, content)| content.clone());
    String::from_utf8(format().render(&parse(file), language, &find)).unwrap()
}

fn merged(own: &str, published: &str) -> (String, Vec<String>) {
    let merged = format().merge(own.as_bytes(), published.as_bytes()).unwrap();
    (String::from_utf8(merged.bytes).unwrap(), merged.kept)
}

fn refusal(file: &str) -> String {
    format().parse(file.as_bytes()).unwrap_err().to_string()
}

const TEMPLATE: &str = "# Title\n#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n\"Language: \\n\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n\n\
    #. Greets\n#: a.py:1\n#, python-format, max-length:20\nmsgid \"Hello %s\"\nmsgstr \"\"\n\n\
    msgctxt \"verb\"\nmsgid \"Open\"\nmsgstr \"\"\n\n\
    msgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n\
    #~ msgid \"Old\"\n#~ msgstr \"\"\n";

#[test]
fn a_source_has_its_msgids_as_texts() {
    let document = parse(TEMPLATE);
    let said = &document.entries;
    assert_eq!(
        said[0],
        Entry {
            description: Some("Greets".to_owned()),
            max_length: Some(20),
            syntax: Some(Syntax::Printf(Printf::Python)),
            ..Entry::new("Hello %s", text("Hello %s"))
        }
    );
    assert_eq!(said[1], Entry::new("verb␄Open", text("Open")));
    assert_eq!(said[2], Entry::new("%d file", plural(&[(One, "%d file"), (Other, "%d files")])));
    assert_eq!((said.len(), document.language, format().kind()), (3, None, FileKind::Bilingual));
    assert_eq!(translations(TEMPLATE, "de"), []);
}

#[test]
fn a_target_has_its_msgstrs_as_texts_and_what_is_not_sure_is_missing() {
    let german = "msgid \"\"\nmsgstr \"Language: de\\nPlural-Forms: nplurals=2; plural=n != 1;\\n\"\n\n\
        msgid \"a\"\nmsgstr \"A\"\n#, c-format, fuzzy\nmsgid \"b\"\nmsgstr \"B\"\n\nmsgid \"c\"\nmsgstr \"\"\n\n\
        msgid \"d\"\nmsgid_plural \"ds\"\nmsgstr[0] \"D\"\nmsgstr[1] \"\"\n\
        msgid \"e\"\nmsgid_plural \"es\"\nmsgstr[0] \"E\"\nmsgstr[1] \"\\303\\211\\x73\"\n";
    let said = [("a".to_owned(), text("A")), ("e".to_owned(), plural(&[(One, "E"), (Other, "És")]))];
    assert_eq!(translations(german, "fr"), said);
    let document = format().translations(german.as_bytes(), "de").unwrap();
    assert_eq!(document.warnings, ["left out, since they have the flag `fuzzy`: 1 translations"]);
    assert_eq!(format().text_keys(german.as_bytes()).unwrap(), ["a", "e"]);
    assert_eq!(parse(german).entries.len(), 5);
}

#[test]
fn a_new_catalogue_is_the_template_with_translations() {
    let russian = rendered(
        TEMPLATE,
        "ru",
        &[
            ("Hello %s", text("Привет, «%s»\nи \"x\"")),
            ("%d file", plural(&[(One, "%d файл"), (Few, "%d файла"), (Many, "%d файлов"), (Other, "%d файла")])),
        ],
    );
    let rule = "nplurals=3; plural=n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && \
        (n % 100 < 12 || n % 100 > 14) ? 1 : 2;";
    let wanted = TEMPLATE
        .replace("#, fuzzy\n", "")
        .replace("\"Language: \\n\"", "\"Language: ru\\n\"")
        .replace("CHARSET\\n\"\n", &format!("UTF-8\\n\"\n\"Plural-Forms: {rule}\\n\"\n"))
        .replacen("%s\"\nmsgstr \"\"", "%s\"\nmsgstr \"\"\n\"Привет, «%s»\\n\"\n\"и \\\"x\\\"\"", 1)
        .replace("[0] \"\"\nmsgstr[1] \"\"", "[0] \"%d файл\"\nmsgstr[1] \"%d файла\"\nmsgstr[2] \"%d файлов\"");
    assert_eq!(russian, wanted);
    let japanese = rendered(TEMPLATE, "ja", &[("%d file", plural(&[(Other, "%d 件")]))]);
    assert!(japanese.contains("msgid_plural \"%d files\"\nmsgstr[0] \"%d 件\"\n\n#~"), "{japanese}");
    assert!(rendered("msgid \"a\"\nmsgstr \"\"", "pt-BR", &[("a", text("b"))]).contains("Language: pt_BR\\n"));
}

#[test]
fn an_import_sees_fuzzy_translations_as_drafts() {
    let own = "#, fuzzy\nmsgid \"\"\nmsgstr \"Language: de\\n\"\n\n\
        msgid \"a\"\nmsgstr \"A\"\n\n#, c-format, fuzzy\n#| msgid \"c\"\nmsgid \"b\"\nmsgstr \"B\"\n\n\
        #, fuzzy\nmsgid \"c\"\nmsgstr \"\"\n\n#, fuzzy\nmsgid \"d\"\nmsgid_plural \"ds\"\nmsgstr[0] \"D\"\nmsgstr[1] \"\"\n\n\
        #~ #, fuzzy\n#~ msgid \"e\"\n#~ msgstr \"E\"\n";
    let imports = format().imports(own.as_bytes(), "de").unwrap();
    let found: Vec<_> = imports.entries.iter().map(|entry| (entry.key.as_str(), entry.state)).collect();
    assert_eq!(found, [("a", Some(State::Translated)), ("b", Some(State::NeedsReview))]);
    assert!(imports.warnings.is_empty(), "{:?}", imports.warnings);
    let said = format().translations(own.as_bytes(), "de").unwrap();
    assert_eq!(said.entries, [Entry::new("a", text("A"))]);
    assert_eq!(said.warnings, ["left out, since they have the flag `fuzzy`: 3 translations"]);
}

#[test]
fn texts_of_the_source_are_never_translations() {
    let english = TEMPLATE.replace("\"Open\"\nmsgstr \"\"", "\"Open\"\nmsgstr \"Open it\"");
    let german = rendered(&english, "de", &[("Hello %s", text("Hallo %s"))]);
    assert_eq!(translations(&german, "de"), [("Hello %s".to_owned(), text("Hallo %s"))]);
    assert_eq!(parse(&german).entries, parse(&english).entries);
    let own: Vec<_> = parse(&english).entries.into_iter().map(|entry| (entry.key, entry.content)).collect();
    let own: Vec<_> = own.iter().map(|(key, content)| (key.as_str(), content.clone())).collect();
    assert_eq!(rendered(&english, "en", &own), english, "the source itself");
}

#[test]
fn a_merge_writes_new_translations_alone() {
    let own = "# Mine\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\
        \"Plural-Forms: nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) \"\n\
        \"? 1 : n%10==0 || (n%10>=5 && n%10<=9) || (n%100>=11 && n%100<=14)? 2 : 3);\\n\"\n\n\
        #, python-format, fuzzy\n#| msgid \"Hi %s\"\nmsgid \"Hello %s\"\nmsgstr \"?\"\n\n\n\
        # two\nmsgctxt \"verb\"\nmsgid \"Open\"\nmsgstr \"От\"\n\"крыть\"\n\n\
        msgid \"mine\"\nmsgstr \"моё\"\n\n\
        msgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"%d ф\"\nmsgstr[1] \"%d фа\"\nmsgstr[2] \"%d фай\"\nmsgstr[3] \"%d дробь\"\n";
    let forms = |few| plural(&[(One, "%d ф"), (Few, few), (Many, "%d фай"), (Other, "x")]);
    let same = rendered(TEMPLATE, "ru", &[("verb␄Open", text("Открыть")), ("%d file", forms("%d фа"))]);
    assert_eq!(merged(own, &same), (own.to_owned(), vec!["mine".to_owned()]));
    let new = rendered(TEMPLATE, "ru", &[("Hello %s", text("Привет %s")), ("%d file", forms("%d новых"))]);
    let wanted = own
        .replace("python-format, fuzzy\n#| msgid \"Hi %s\"\n", "python-format\n")
        .replace("\"?\"", "\"Привет %s\"")
        .replace("%d фа\"", "%d новых\"");
    assert_eq!(merged(own, &new), (wanted, vec!["verb␄Open".to_owned(), "mine".to_owned()]));
    let without = own.replace(own.get(own.find("# two").unwrap()..own.find("msgid \"mine\"").unwrap()).unwrap(), "");
    let (grown, _) = merged(&without, &same);
    assert!(
        grown.contains("msgstr \"?\"\n\nmsgctxt \"verb\"\nmsgid \"Open\"\nmsgstr \"Открыть\"\n\n\nmsgid \"mine\""),
        "{grown}"
    );
}

#[test]
fn a_file_in_ascii_says_utf_8_when_it_gets_other_characters() {
    let own = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ASCII\\n\"\n\nmsgid \"a\"\nmsgstr \"\"\n";
    let of = |said: &str| merged(own, &rendered(own, "de", &[("a", text(said))])).0;
    assert_eq!(of("A"), own.replace("\"a\"\nmsgstr \"\"", "\"a\"\nmsgstr \"A\""));
    assert_eq!(of("Ä"), own.replace("\"a\"\nmsgstr \"\"", "\"a\"\nmsgstr \"Ä\"").replace("ASCII", "UTF-8"));
}

#[test]
fn new_texts_are_wrapped_where_the_file_wraps() {
    let line = "seventy-seven columns of a text that goes on and on in a file that wraps it ";
    let file = format!("msgid \"\"\n\"{line}\"\n\"on\"\nmsgstr \"\"\n\r\n");
    let said = "word ".repeat(20);
    let out = rendered(&file, "de", &[(&format!("{line}on"), text(&said))]);
    assert!(
        out.contains(&format!("msgstr \"\"\n\"{}\"\n\"{}\"\n\r\n", "word ".repeat(15), "word ".repeat(5))),
        "{out}"
    );
}

#[test]
fn what_is_no_catalogue_is_refused_with_its_place() {
    let said = [
        ("x", "line 1, column 1: expected `msgctxt`, `msgid`, `msgid_plural`, `msgstr`, a text in quotes or a comment"),
        ("\"a\"", "line 1, column 1: expected `msgid` before a text"),
        ("msgid \"a\"\n", "line 1, column 1: the entry ends too early: expected `msgstr` after `msgid`"),
        ("msgid \"a\nb\"", "line 1, column 7: the text is not closed in its line: expected `\"`"),
        ("msgstr \"\"", "line 1, column 1: `msgstr` cannot stand here: expected `msgid`"),
        ("msgid \"a\"\nmsgstr[0] \"\"", "line 2, column 1: `msgstr[…]` needs a `msgid_plural`"),
        ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"\"", "line 3, column 1: expected `msgstr[0]`"),
        (
            "msgid \"a\"\nmsgstr \"\"\nmsgid \"a\"\nmsgstr \"\"",
            "line 3, column 7: two texts have the key `a`: this one and the one in line 1; take one of them out",
        ),
        ("msgid \"\\000\"\nmsgstr \"\"", "line 1, column 7: the text holds the character NUL"),
        (
            "msgid \"\\377\"\nmsgstr \"\"",
            "line 1, column 7: the escapes of this text are not UTF-8: write the characters",
        ),
        (
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=KOI8-R\\n\"",
            "line 1, column 7: the header says that the file is in `KOI8-R`: convert it with `msgconv --to-code=UTF-8`",
        ),
    ];
    for (file, message) in said {
        assert_eq!(refusal(file), message, "{file}");
    }
    assert!(refusal("msgid \"\\q\"").contains("there is no such escape"));
}

#[test]
fn changes_of_the_source_are_made_in_the_code() {
    let mut editor = format().editor(TEMPLATE.as_bytes()).unwrap();
    assert!(editor.has("verb␄Open"));
    let in_code = |key: &str| Err(EditError::InCode(key.to_owned()));
    assert_eq!(editor.set("verb␄Open", "Open", "Open it"), in_code("verb␄Open"));
    assert_eq!(editor.set("verb␄Open", "Close", "Open"), Ok(Edited::There));
    assert_eq!(editor.add("new", "new"), in_code("new"));
    assert_eq!(editor.remove("gone"), Ok(Edited::There));
    assert_eq!(editor.remove("Hello %s"), in_code("Hello %s"));
    assert_eq!(editor.rename("Hello %s", "x"), in_code("Hello %s"));
    assert_eq!(editor.bytes(), TEMPLATE.as_bytes());
}

#[test]
fn keys_that_a_source_lacks_come_at_its_end() {
    let long = "long ".repeat(200);
    let key = crate::files::refs::key_in(Some("c"), &long).unwrap();
    let added = [Entry::new("a.b", text("Text")), Entry::new(key.clone(), text(&long))];
    let bytes = format().extend(&parse(TEMPLATE), &added).unwrap();
    let document = format().parse(&bytes).unwrap();
    let keys: Vec<&str> = document.entries.iter().skip(3).map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["a.b", key.as_str()]);
    assert_eq!(document.entries[4].content, text(&long));
    assert!(bytes.starts_with(TEMPLATE.as_bytes()));
}

/// Judges a catalogue with msgfmt. `None` where it is not installed.
fn msgfmt(file: &[u8]) -> Option<Result<(), String>> {
    let is_required = std::env::var("L10N_REQUIRE").is_ok_and(|names| names.split(',').any(|name| name == "msgfmt"));
    let started = Command::new("msgfmt")
        .args(["--check", "--output-file=/dev/null", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) if is_required => panic!("msgfmt cannot be started: {error}"),
        Err(_) => {
            eprintln!("SKIPPED: msgfmt is not installed");
            return None;
        }
    };
    child.stdin.take().unwrap().write_all(file).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() { Ok(()) } else { Err(said) })
}

#[test]
fn msgfmt_takes_what_is_written() {
    for language in ["de", "fr", "ru", "ar", "ja", "pl", "cs", "sl", "cy", "ga", "lv", "br", "pt-BR"] {
        let forms: Vec<(PluralCategory, String)> = crate::locales::plural_categories(language)
            .into_iter()
            .map(|category| (category, format!("%d é {}", category.as_str())))
            .collect();
        let content = Content::Plural(Plural { arg: "count".to_owned(), forms: forms.into_iter().collect() });
        let said = [("Hello %s", text("\n«%s» \\ \"x\"\t\u{1}\n")), ("%d file", content)];
        let file = rendered(TEMPLATE, language, &said);
        let Some(verdict) = msgfmt(file.as_bytes()) else { return };
        assert_eq!(verdict, Ok(()), "{file}");
        let entries: Vec<Entry> = said.iter().map(|(key, content)| Entry::new(*key, content.clone())).collect();
        let new = format().render_new(language, &entries);
        assert_eq!(msgfmt(&new), Some(Ok(())), "{}", String::from_utf8_lossy(&new));
        assert_eq!(msgfmt(&format().merge(&new, file.as_bytes()).unwrap().bytes), Some(Ok(())));
    }
    assert!(msgfmt(b"msgid \"a\\n\"\nmsgstr \"b\"\n").unwrap().is_err(), "it judges");
}

/// Real catalogues: a translation of every second entry changes nothing else, and msgfmt agrees.
#[test]
fn real_catalogues_keep_their_bytes_but_for_new_translations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples");
    let folder = std::fs::read_dir(root.join("gettext")).into_iter().flatten().flatten().map(|file| file.path());
    let mut paths: Vec<_> = folder.chain([root.join("godot-editor.es.po")]).filter(|path| path.is_file()).collect();
    paths.sort();
    if paths.is_empty() {
        eprintln!("SKIPPED: ../shared/samples/gettext is not there");
    }
    let (mut size, mut entries, mut translated) = (0, 0, 0);
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let name = path.display();
        let document = format().parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let language = document.language.clone().unwrap_or_else(|| "de".to_owned());
        let own = pairs(format().translations(&bytes, &language).unwrap().entries);
        let own: std::collections::HashMap<String, Content> = own.into_iter().collect();
        // A version with what the file says changes no byte of it.
        let version = format().render(&document, &language, &|key| own.get(key).cloned());
        assert!(format().merge(&bytes, &version).unwrap().bytes == bytes, "{name}");
        assert!(format().merge(&bytes, &bytes).unwrap().bytes == bytes, "{name}");
        // One with new texts for every second entry changes these alone.
        let second: Vec<&Entry> = document.entries.iter().step_by(2).collect();
        let wanted: std::collections::HashMap<&str, Content> = second
            .iter()
            .filter(|entry| matches!(entry.content, Content::Text(_)))
            .map(|entry| match &entry.content {
                Content::Text(said) => (entry.key.as_str(), text(&super::text::edged(&format!("«{said}»"), said))),
                Content::Plural(_) => (entry.key.as_str(), entry.content.clone()),
            })
            .collect();
        let said = |key: &str| wanted.get(key).or_else(|| own.get(key)).cloned();
        let merged = format().merge(&bytes, &format().render(&document, &language, &said)).unwrap().bytes;
        let read = pairs(format().translations(&merged, &language).unwrap().entries);
        assert!(
            read.len() >= wanted.len() && read.iter().all(|(key, content)| said(key).as_ref() == Some(content)),
            "{name}"
        );
        if let (Some(Ok(())), Some(verdict)) = (msgfmt(&bytes), msgfmt(&merged)) {
            assert_eq!(verdict, Ok(()), "{name}");
        }
        (size, entries, translated) = (size + bytes.len(), entries + document.entries.len(), translated + own.len());
    }
    eprintln!("gettext: {} files, {size} bytes, {entries} entries, {translated} translated", paths.len());
}
