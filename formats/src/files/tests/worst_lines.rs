//! The worst length of every construct of formats that are read line by line, as in [`worst`](super::worst).

use std::fmt::Write as _;

use super::*;
use crate::files::Entry;
use crate::small_stack::{filled, on_small_stack};

/// Bytes of a file that is read: an eighth of what `POST /sync` takes.
const SIZE: usize = 256 * 1024;

/// Bytes of a file that is written as well: more levels or steps of recursion than the stack has room for.
const WRITTEN: usize = SIZE / 4;

/// Beginnings, what comes after them as often as it fits, and entries that do so with a number in place of `#`.
type Constructs = (&'static [(&'static str, &'static str)], &'static [&'static str]);

fn constructs(id: FormatId) -> Option<Constructs> {
    match id {
        FormatId::Json
        | FormatId::I18next
        | FormatId::Arb
        | FormatId::Chrome
        | FormatId::Docusaurus
        | FormatId::FormatJs
        | FormatId::LaravelJson
        | FormatId::Android
        | FormatId::Resx
        | FormatId::AppleStringsdict
        | FormatId::QtTs
        | FormatId::Xcstrings
        | FormatId::Xliff1
        | FormatId::Xliff2 => None,
        FormatId::Fluent => Some((
            &[
                ("", "\n"),
                ("", "#\n"),
                ("", "# x\n"),
                ("", "x\n"),
                ("a=", "x\n "),
                ("a=", " \n"),
                ("a=", "{"),
                ("a=", "}"),
                ("a=", "{\"x\"}"),
                ("a=", "{$a}\n"),
                ("a={", "\n"),
                ("a={", "{"),
                ("a={A(", "A("),
                ("a={A(", "$a,"),
                ("a={A(", "a:1,\n"),
                ("a={\"", "a"),
                ("a={\"", "\\u0041"),
                ("a={$a->\n", "[one] x\n"),
                ("a={$a->\n*[o]", "{$a->\n*[o]"),
                ("a=", "{$a->\n[one] x\n*[other] y\n}"),
                ("a=b\n", ".a=b\n"),
                ("a=b\n", ".\n"),
                ("a", "a"),
                ("-", "-"),
                ("", "a={\n"),
                ("", "a={$a->\n"),
            ],
            &[
                "k#=v\n",
                "# c\nk# = v\n    .a = b\n\n",
                "-k# = v\n    .a = b\n",
                "k# =\n    a\n    b\r\n",
                "k# = { $n ->\n    [one] a\n   *[other] b\n  }\n",
                "k# =\n.a=b\n",
                "k#\n",
            ],
        )),
        FormatId::AppleStrings => Some((
            &[
                ("", "\n"),
                ("", "// x\n"),
                ("", "/**/"),
                ("/*", "*"),
                ("\"", "a"),
                ("a=\"", "\\"),
                ("a=\"", "\\U"),
                ("a=\"", "\\1"),
                ("a", ";"),
                ("a", " "),
                ("a", "/"),
                ("a=", "/**/"),
                ("a=b;", " "),
                ("a=b;", "/*"),
                ("", "a=b;"),
                ("'", "''"),
                ("", "\u{2028}"),
            ],
            &[
                "k#=v;",
                "k#;\n",
                "\"k#\" = \"v\";\n\n",
                "/* c */k#=v;",
                "// c\nk#=v;//\n",
                "k#='\\Ud83d\\Ude00';\r",
                "/* c\n\n*/\nk#.x=v;",
            ],
        )),
        FormatId::Gettext => Some((
            &[
                ("", "\n"),
                ("", "#\n"),
                ("", "#, fuzzy\n"),
                ("#, ", "fuzzy,"),
                ("", "#| msgid\n"),
                ("", "#~ msgid\n"),
                ("", "#. x\n"),
                ("msgid \"", "a"),
                ("msgid ", "\"a\" "),
                ("msgid ", "\"a\"\n"),
                ("msgid \"", "\\n"),
                ("msgid \"", "\\303"),
                ("msgid \"a\"\nmsgstr ", "\"a \"\n"),
                ("msgid \"a\"\nmsgid_plural \"b\"\n", "msgstr[0]\"\"\n"),
                ("msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=", "("),
                ("msgid \"\"\nmsgstr \"", "Language: x\\n"),
                ("", "msgctxt"),
                ("msgid \"a\" msgstr[", "9"),
            ],
            &[
                "msgid \"k#\"\nmsgstr \"v\"\n",
                "msgid\"k#\"msgstr\"v\"",
                "#, fuzzy\n#| msgid \"x\"\nmsgctxt \"c\"\nmsgid \"k#\"\nmsgstr \"\"\n\n",
                "# c\n#. d\n#: x.c:1\nmsgid \"k#\"\nmsgid_plural \"ks\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n",
                "msgid \"\"\n\"a \"\n\"k#\"\nmsgstr \"\"\n\"a \"\n\"b\"\r\n",
                "#~ msgid \"k#\"\n#~ msgstr \"v\"\n",
            ],
        )),
        FormatId::Csv => Some((
            &[
                ("", "\n"),
                ("", ","),
                ("", "\""),
                ("", "\"\","),
                ("key,en", ",aa-a"),
                ("key,text\n", ",\n"),
                ("key,text\na", ","),
                ("key,text\na,\"", "\"\""),
                ("key,text\na,\"", "\n"),
                ("key,text\n", "a,b\n"),
                ("source;target\n", "a;\n"),
                ("key\ten\tde\n", "a\tb\r"),
                ("", "a,b\n"),
                ("", "a|"),
            ],
            &["k#,v\n", "\"k#\",\"v\"\r\n", "k#,v,module,M\n", "k#,\"a\n\"\"b\"\n", "k#;v;\n", "k#\n"],
        )),
        FormatId::Ini => Some((
            &[
                ("", "\n"),
                ("", ";\n"),
                ("", "[a]\n"),
                ("[", "a."),
                ("[", "]"),
                ("a=", "`"),
                ("a=", "\""),
                ("a=", "'"),
                ("a=`", "x\n"),
                ("a=`", "\n`"),
                ("a=\"\"\"", "\n\""),
                ("a", "="),
                ("`", "a"),
                ("\"", "\""),
                ("a", " "),
                ("a=", "\r"),
                ("a", "."),
            ],
            &[
                "k#=v\n",
                "[k#]\n",
                "[k#]\na=b\n",
                "[k#.a]\nb=`c\n`\n\n",
                "; c\nk# : v\r\n",
                "k#=`\n",
                "k#.x.y=\"v\"\n",
                "[a]\nk#=v\n",
            ],
        )),
        FormatId::Yaml => Some((
            &[
                ("", "\n"),
                ("", "#\n"),
                ("a: x\n", "# c\n"),
                ("", "- "),
                ("", "["),
                ("", "{"),
                ("a: ", "["),
                ("a: ", "{b: "),
                ("a: ", "- "),
                ("", "a: "),
                ("", "? "),
                ("", "a:\n"),
                ("a: ", "&x "),
                ("a: ", "!x "),
                ("a: &x [x]\nb: [", "*x,"),
                ("a: \"", "x\n  "),
                ("a: \"", "\\x41"),
                ("a: '", "''"),
                ("a: ", "x\n  "),
                ("a: |\n", "  x\n"),
                ("a: |\n", "\n"),
                ("a: |+\n  x\n", "\n"),
                ("a: >\n", "  x\n\n"),
                ("a: >\n", "   x\n  y\n"),
                ("a: [", "b,"),
                ("a: {", "b: c,"),
                ("a: {", "one: c,"),
                ("a: b #", "x"),
                ("", "---\n"),
                ("", "%x\n"),
                ("", "\t"),
                ("a:\n", "- b\n"),
                ("a:\n", "- |\n  b\n"),
                ("en:\n", "  a: b\n"),
                ("a: '", "\n"),
            ],
            &[
                "k#: v\n",
                "k#:\n  a: v\n",
                "k#:\n  a:\n    b:\n      c: |\n        v\n",
                "k#: {one: a, other: b}\n",
                "k#:\n  one: a\n  other: b\n",
                "# c\nk#: \"v\" # d\r\n",
                "k#: &k# v\n",
                "k#: [a, b]\n",
                "k#:\n- a\n- b: c\n",
                "k#.x.y: 'v'\n\n",
                "k#: 1\n",
                "k#:\n",
                "k#: ~\nx#k#: v\n",
            ],
        )),
        FormatId::Php => Some((
            &[
                ("<?php ", "\n"),
                ("<?php\n", "//\n"),
                ("<?php ", "/**/"),
                ("<?php /*", "*"),
                ("<?php return ", "["),
                ("<?php return [\n", "'a' => [\n"),
                ("<?php return [\n'a' => ", "["),
                ("<?php return [\n'a' => [", "'b',"),
                ("<?php return [\n'a' => [", "[],"),
                ("<?php return [\n'a' => '", "\\'"),
                ("<?php return [\n'a' => \"", "\\x41"),
                ("<?php return [\n'a' => \"", "{$a["),
                ("<?php return [\n'a' => \"", "{$a[\""),
                ("<?php return [\n'a' => ", "<<<"),
                ("<?php return [\n'a' => ", "<<< "),
                ("<?php return [\n'a' => <<<E\n", "  x\n"),
                ("<?php return [\n'a' => <<<E\n", "E_\n"),
                ("<?php return [\n'a' => 'x'", " . 'y'"),
                ("<?php return [\n'a' => ", "f("),
                ("<?php return [\n'a' => ", "fn () => "),
                ("<?php return [\n'a' => 'x', ", "/*\n*/"),
                ("<?php ", "use a;"),
                ("<?php return [\n", "1,\n"),
            ],
            &[
                "'k#' => 'v',\n",
                "'k#' => [\n'a' => 'v',\n],\n",
                "'k#' => array('a', ['b']),\n",
                "// c\n'k#' => <<<'E'\nv\nE,\n",
                "'k#.x.y' => \"v\", // d\r\n",
                "'k#' => [],\n",
                "'k#' => f('v'),\n\n",
                "/*\n*/\n'k#' => 'a' . 'b',\n",
            ],
        )),
        FormatId::Toml => Some((
            &[
                ("", "\n"),
                ("", "#\n"),
                ("a = 1\n", "# c\n"),
                ("", "a."),
                ("[", "a."),
                ("", "[a"),
                ("a = ", "["),
                ("a = ", "{a = "),
                ("a = [", "[],"),
                ("a = [", "1,"),
                ("a = {", "b.c = 1, "),
                ("a = \"", "b"),
                ("a = \"", "\\n"),
                ("a = \"", "\\u00e9"),
                ("a = \"\"\"", "\n"),
                ("a = \"\"\"", "\\\n"),
                ("a = \"\"\"", "\""),
                ("a = '''", "\n'"),
                ("a = '", "x"),
                ("a = ", " "),
                ("a = ", "1"),
                ("\"", "a"),
                ("", "="),
                ("", "\r"),
                ("[a]\n", "\n# c\n"),
            ],
            &[
                "k# = \"v\"\n",
                "k#.a = 'v'\r\n",
                "[k#]\nother = \"v\"\n\n",
                "# c\n[k#]\none = \"v\"\nother = \"v\"\n",
                "[k#]\na = \"v\"\n",
                "[[a]]\nk# = \"v\"\n",
                "[[k#]]\n[k#.b]\nk# = \"v\"\n",
                "k# = {one = \"v\", other = \"w\"}\n",
                "k#.one = \"v\"\nk#.other = \"w\"\n",
                "k# = [\"v\"]\n",
                "k# = '''\nv'''\n",
                "[k#]\nother = \"v\"\na = 'x'\n",
                "[k#.a]\nother = \"v\"\n",
                "k#.a.b.c.d.e.f = 1\n",
                "# k# = 1\n",
            ],
        )),
        FormatId::Properties => Some((
            &[
                ("", "\n"),
                ("", "  "),
                ("", "\\\n"),
                ("", "#\n"),
                ("#", "x"),
                ("a=", "x"),
                ("a=", "\\\n"),
                ("a=", "\\"),
                ("a=", "\\u0041"),
                ("a=", "\\ud83d\\ude00"),
                ("a=", "\\u"),
                ("a=", "''"),
                ("a={0}", "'"),
                ("a=", "{"),
                ("a", "b"),
                ("a", " "),
                ("a", "="),
                ("a=", "\r"),
                ("", "\0"),
            ],
            &["k#=v\n", "k#\n", "k#=v\n\n", "# c\nk# : \\\n v\r\n", "k#.x=\\u00e9\n", "k#=v\r", "a=#\n"],
        )),
    }
}

fn of_entries(size: usize, entry: &str, around: (&str, &str)) -> String {
    let mut file = String::with_capacity(size);
    file.push_str(around.0);
    for number in 0.. {
        if file.len() + entry.len() + 8 > size {
            break;
        }
        let _ = write!(
            file,
            "{}",
            entry.replacen(if entry.contains("k#") { "k#" } else { "=#" }, &named(entry, number), 1)
        );
    }
    file.push_str(around.1);
    file
}

fn named(entry: &str, number: usize) -> String {
    if entry.contains("k#") { format!("k{number}") } else { format!("={number}") }
}

/// Reads long files, and [exercises](exercise) shorter ones of the same kinds; `files` gets their size.
pub(super) fn read_and_write<F: IntoIterator<Item = String>>(format: &dyn Format, files: impl Fn(usize) -> F) {
    for file in files(SIZE) {
        let _ = format.parse(file.as_bytes()).is_ok();
    }
    for file in files(WRITTEN) {
        exercise(format, file.as_bytes());
    }
}

/// Writes a file unchanged and with other contents, merges, extends and edits it.
pub(super) fn exercise(format: &dyn Format, file: &[u8]) {
    let Ok(document) = format.parse(file) else { return };
    let id = format.id().as_str();
    assert_eq!(unchanged(id, file, "en"), file);
    let other = format.render(&document, "ru", &|key| key.ends_with('1').then(|| text("l'x")));
    assert!(format.parse(&other).is_ok());
    assert!(format.merge(&other, file).is_ok() && format.merge(file, &other).is_ok());
    let entries: Vec<Entry> = (0..1_000).map(|number| Entry::new(format!("new.{number}"), text("x"))).collect();
    let _ = format.extend(&document, &entries);
    assert!(!format.render_new("ru", &document.entries).is_empty() || document.entries.is_empty());
    let mut editor = format.editor(file).unwrap();
    for (at, entry) in document.entries.iter().enumerate() {
        let name = format!("{}{at}", entry.key);
        let _ = if at % 2 == 0 { editor.rename(&entry.key, &name) } else { editor.add(&name, "x") };
    }
    assert!(!editor.bytes().is_empty() || file.is_empty());
}

#[test]
fn the_worst_lines_take_no_more_stack_and_time_than_others() {
    on_small_stack(|| {
        for format in super::super::all() {
            let Some((repeated, entries)) = constructs(format.id()) else { continue };
            for (beginning, unit) in repeated {
                read_and_write(format, |size| [format!("{beginning}{}", filled(size, unit))]);
            }
            let around = if format.id() == FormatId::Php { ("<?php\nreturn [\n", "];\n") } else { ("", "") };
            for entry in entries {
                read_and_write(format, |size| [of_entries(size, entry, around)]);
            }
        }
    });
}
