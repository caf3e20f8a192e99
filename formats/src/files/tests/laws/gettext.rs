//! Catalogues made at random, and the laws of files that hold source and translation.

use proptest::prelude::*;

use super::*;
use crate::files::Kind;

fn quoted() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just("a"),
        1 => Just("é"),
        1 => Just(" "),
        1 => Just("\\n"),
        1 => Just("\\\\"),
        1 => Just("\\\""),
        1 => Just("%s"),
        1 => Just("\\303\\251"),
        1 => Just("\\x41"),
        1 => Just("\\t"),
        1 => Just("\"\n\""),
        1 => Just("\" \"a"),
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

fn entry() -> impl Strategy<Value = String> {
    let above = prop_oneof![
        4 => Just(""), 1 => Just("#. note\n"), 1 => Just("#, fuzzy\n"), 1 => Just("#, fuzzy, python-format\n#| msgid \"b\"\n"),
        1 => Just("#: x.py:1\n#, python-format, max-length:9\n"), 1 => Just("# by hand\r\n\n"),
    ];
    let context = prop_oneof![3 => Just(String::new()), 1 => "msgctxt \"[ab]\"\n"];
    let says = prop_oneof![
        4 => quoted().prop_map(|text| format!("msgstr {text}\n")),
        1 => Just("msgstr \"\"\n".to_owned()),
        2 => (quoted(), quoted()).prop_map(|(one, other)| {
            format!("msgid_plural \"as\"\nmsgstr[0] {one}\nmsgstr[1] {other}\n")
        }),
    ];
    (above, context, quoted(), says)
        .prop_map(|(above, context, id, says)| format!("{above}{context}msgid {id}\n{says}"))
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        2 => Just(""),
        2 => Just("msgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Plural-Forms: nplurals=2; plural=n>1;\\n\"\n\n"),
        1 => Just("#, fuzzy\nmsgid \"\"\nmsgstr \"Language: \\n\"\n"),
        1 => Just("\u{feff}# Title\r\nmsgid \"\"\r\nmsgstr \"Plural-Forms: nplurals=3; plural=n;\\n\"\r\n"),
    ];
    let part = prop_oneof![6 => entry(), 2 => Just("\n".to_owned()), 1 => Just("#~ msgid \"old\"\n#~ msgstr \"x\"\n".to_owned())];
    (head, prop::collection::vec(part, 0..5)).prop_map(|(head, parts)| {
        let mut text = head.to_owned();
        for (at, part) in parts.into_iter().enumerate() {
            // Names differ mostly.
            text.push_str(&part.replacen("msgid \"", &format!("msgid \"{at}"), 1));
        }
        text.into_bytes()
    })
}

/// A translation of each entry that `pick` names, with the forms of French. Its edges are those of the text.
fn french(document: &Document, pick: u64) -> BTreeMap<String, Content> {
    let said = |text: &str, of: &str| {
        let begins = if of.starts_with('\n') { "\n" } else { "" };
        let ends = if of.ends_with('\n') { "\n" } else { "" };
        format!("{begins}«{text}» \"l'été\"\\ \n x{ends}")
    };
    let translate = |(at, entry): (usize, &Entry)| {
        let content = match &entry.content {
            Content::Text(text) => Content::Text(said("t", text)),
            Content::Plural(Plural { arg, forms }) => {
                let of = &forms[&PluralCategory::One];
                let all = [PluralCategory::One, PluralCategory::Many, PluralCategory::Other];
                let forms = all.map(|category| (category, said(category.as_str(), of)));
                Content::Plural(Plural { arg: arg.clone(), forms: forms.into() })
            }
        };
        (pick >> (at % 64) & 1 == 1).then(|| (entry.key.clone(), content))
    };
    document.entries.iter().enumerate().filter_map(translate).collect()
}

fn translated(bytes: &[u8]) -> BTreeMap<String, Content> {
    let document =
        format("gettext").translations(bytes, "fr").unwrap_or_else(|error| panic!("{error}\n{}", shown(bytes)));
    contents(&document).into_iter().collect()
}

/// The texts of contents; of plurals those for 1 and for most numbers.
fn texts(of: BTreeMap<String, Content>) -> BTreeMap<String, Vec<String>> {
    let texts = |content| match content {
        Content::Text(text) => vec![text],
        Content::Plural(Plural { mut forms, .. }) => {
            [PluralCategory::One, PluralCategory::Other].iter().filter_map(|category| forms.remove(category)).collect()
        }
    };
    of.into_iter().map(|(key, content)| (key, texts(content))).collect()
}

fn hold(law: impl Fn(Vec<u8>, Document, u64) -> Result<(), TestCaseError>) {
    assert_eq!(format("gettext").kind(), Kind::Bilingual);
    let mut runner = TestRunner::new(Config { failure_persistence: None, cases: 512, ..Config::default() });
    runner
        .run(&(file(), any::<u64>()), |(file, pick)| match format("gettext").parse(&file) {
            Ok(document) => law(file, document, pick),
            Err(_) => Ok(()),
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_rendered_catalogue_holds_every_entry_and_the_translations_that_were_written() {
    hold(|_, document, pick| {
        let wanted = french(&document, pick);
        let bytes = format("gettext").render(&document, "fr", &|key| wanted.get(key).cloned());
        if !document.entries.is_empty() {
            prop_assert_eq!(texts(translated(&bytes)), texts(wanted), "{}", shown(&bytes));
        }
        let again = format("gettext").parse(&bytes).unwrap();
        prop_assert_eq!(again.entries, document.entries, "the source stays");
        Ok(())
    });
}

#[test]
fn a_catalogue_into_which_nothing_new_comes_stays() {
    hold(|file, document, pick| {
        let (own, keys) = (translated(&file), format("gettext").text_keys(&file).unwrap());
        let merged = format("gettext").merge(&file, &file).unwrap();
        prop_assert_eq!((shown(&merged.bytes), merged.kept), (shown(&file), Vec::new()));
        // A version that lacks translations takes none away.
        let has = |key: &str| pick >> (key.len() % 64) & 1 == 1;
        let fewer = format("gettext").render(&document, "fr", &|key| own.get(key).filter(|_| has(key)).cloned());
        let merged = format("gettext").merge(&file, &fewer).unwrap();
        let lacking = translated(&fewer);
        prop_assert_eq!(shown(&merged.bytes), shown(&file), "{}", shown(&fewer));
        let kept: Vec<String> = keys.into_iter().filter(|key| !lacking.contains_key(key)).collect();
        prop_assert_eq!(merged.kept, kept);
        Ok(())
    });
}

#[test]
fn a_merge_brings_translations_and_is_done_once() {
    hold(|file, document, pick| {
        let wanted = french(&document, pick);
        let version = format("gettext").render(&document, "fr", &|key| wanted.get(key).cloned());
        let merged = format("gettext").merge(&file, &version).unwrap().bytes;
        let (found, wanted) = (texts(translated(&merged)), texts(translated(&version)));
        for (key, said) in &wanted {
            prop_assert_eq!(found.get(key), Some(said), "{} in {}", key, shown(&merged));
        }
        let again = format("gettext").merge(&merged, &version).unwrap();
        prop_assert_eq!(shown(&again.bytes), shown(&merged));
        // Entries that the file lacks come in, too.
        let grown = format("gettext").merge(b"# mine\n", &version).unwrap().bytes;
        prop_assert_eq!(texts(translated(&grown)), wanted, "{}", shown(&grown));
        Ok(())
    });
}
