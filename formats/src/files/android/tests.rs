//! The traps of aapt2, one by one.

use l10n_api_types::{Content, FormatId, Plural, PluralCategory};

use crate::files::{Edited, Entry, by_id};

fn file(inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources xmlns:xliff=\"urn:oasis:names:tc:xliff:document:1.2\">\n{inside}</resources>\n"
    )
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn listing(file: &str) -> String {
    let document = by_id(FormatId::Android).parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{file}"));
    let line = |entry: Entry| {
        let content = match entry.content {
            Content::Text(text) => text,
            Content::Plural(Plural { forms, .. }) => {
                forms.iter().map(|(category, text)| format!("{category} {text}")).collect::<Vec<_>>().join(" | ")
            }
        };
        format!("{}={content}{}", entry.key, entry.description.map(|text| format!(" // {text}")).unwrap_or_default())
    };
    document.entries.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The text of `raw`, and what stands in its place when it says `new`, which is read back.
fn respelled(raw: &str, new: &str) -> (String, String) {
    let file = file(&format!("<string name=\"a\">{raw}</string>\n"));
    let format = by_id(FormatId::Android);
    let document = format.parse(file.as_bytes()).unwrap();
    let Content::Text(old) = document.entries[0].content.clone() else { panic!("no text") };
    assert_eq!(format.render(&document, "ru", &|_| Some(text(&old))), file.as_bytes());
    let out = String::from_utf8(format.render(&document, "ru", &|_| Some(text(new)))).unwrap();
    let again = format.parse(out.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{out}"));
    assert_eq!(again.entries[0].content, text(new), "{out}");
    let (head, tail) = ("<string name=\"a\">", "</string>\n</resources>\n");
    let out = out.get(out.find(head).unwrap()..).unwrap();
    (old, out.strip_prefix(head).unwrap().strip_suffix(tail).unwrap().to_owned())
}

#[test]
fn texts_are_read_as_an_app_shows_them() {
    let read = |raw: &str| respelled(raw, "x").0;
    assert_eq!(read("\n    Don\\'t\n     go  \n"), "Don't go");
    assert_eq!(read("\"  two  blanks, don't \""), "  two  blanks, don't ");
    assert_eq!(read(r"a\n\tb\u0041\u00e9\\ \@ \? \# \q \ud83d\ude00"), "a\n\tbAé\\ @ ? # q 😀");
    assert_eq!(read("a &amp; b &lt; c &gt; &#233;&quot;x  y&quot;"), "a & b < c > éx  y");
    assert_eq!(read("<![CDATA[ <b>Don\\'t</b> &amp; \\\"q\\\" ]]>"), "<b>Don't</b> &amp; \"q\"");
    assert_eq!(read(" a <b> c </b> d "), " a <b> c </b> d ");
    assert_eq!(read("\"x  <b>  y</b>\""), "x  <b> y</b>", "a tag ends what quotes begin");
    assert_eq!(read("\"x  <xliff:g id=\"n\">  %s</xliff:g>  y\""), "x  <xliff:g id=\"n\">  %s</xliff:g>  y");
    assert_eq!(read("a<!-- note -->b"), "ab");
    assert_eq!(read("\\u0020a\\u0020"), " a ");
}

#[test]
fn each_text_is_written_in_the_hand_of_the_one_before() {
    let written = |raw: &str, new: &str| respelled(raw, new).1;
    assert_eq!(written("x", "L'été \"q\" \\ \n\t&<"), r#"L\'été \"q\" \\ \n\t&amp;&lt;"#);
    assert_eq!(written("\n   x\n  ", "y"), "\n   y\n  ");
    assert_eq!(written("\"x\"", "L'été  \"q\" "), "\"L'été  \\\"q\\\" \"");
    assert_eq!(written("x", " a  b "), "\\u0020a \\u0020b\\u0020");
    assert_eq!(written("x", "@home"), "\\@home");
    assert_eq!(written("x", "?"), "\\?");
    assert_eq!(written("&lt;b>x&lt;/b>", "<i>l'a</i>"), "&lt;i>l\\'a&lt;/i>");
    assert_eq!(written("&lt;b&gt;x&lt;/b&gt;", "<i>"), "&lt;i&gt;");
    assert_eq!(written("<![CDATA[<b>x</b>]]>", "<i>l'a & ]]></i>"), "<![CDATA[<i>l\\'a & ]]]]><![CDATA[></i>]]>");
    assert_eq!(written("<b>x</b> y", "<i>l'a</i> & <a href='u'>z</a>"), "<i>l\\'a</i> &amp; <a href='u'>z</a>");
    assert_eq!(written("<b>x</b> &lt;c> &lt; y", "<b>z</b> &lt;c> < y"), "<b>z</b> &lt;c> &lt; y");
    assert_eq!(written("<b>x</b>", "l'a"), "l\\'a");
    assert_eq!(written("<b>x</b>", "<b>l'a"), "&lt;b>l\\'a", "tags that do not fit together are text");
    let own = "<xliff:g id=\"n\" example=\"5\">%1$d</xliff:g>";
    assert_eq!(written(&format!("\"It's {own}\""), &format!("C'est  {own}")), format!("\"C'est  {own}\""));
    assert_eq!(written(&format!("Its {own}"), &format!("{own} l'a")), format!("{own} l\\'a"));
    assert_eq!(written("\\u2022 x", "• y"), "• y");
    assert_eq!(written("x", "a\u{1}b\r"), "a\\u0001b\\u000d");
    assert_eq!(written("", "y"), "y");
}

#[test]
fn an_element_without_text_gets_one() {
    let source = file("  <string name=\"a\"/>\n  <string-array name=\"l\">\n    <item />\n  </string-array>\n");
    let format = by_id(FormatId::Android);
    let document = format.parse(source.as_bytes()).unwrap();
    let out = format.render(&document, "ru", &|_| Some(text("l'a")));
    let expected = source.replace("\"a\"/>", "\"a\">l\\'a</string>").replace("<item />", "<item >l\\'a</item>");
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

const WHOLE: &str = "  <!-- Settings -->\n\n  <!-- Shown on\n       top -->\n  <string name=\"title\">Title</string>\n  <string name=\"id\" translatable=\"false\">x</string>\n  <string name=\"ref\">@string/title</string>\n  <string name=\"attr\">?attr/title</string>\n  <string name=\"mail\">@ home</string>\n  <string name=\"where\" product=\"tablet\">tablet</string>\n  <string product=\"default\" name=\"where\">phone</string>\n  <item name=\"typed\" type=\"string\">Typed</item>\n  <dimen name=\"d\">1dp</dimen>\n  <string-array name=\"list\"> <!-- no -->\n    <item>One</item>\n    <item>@string/title</item>\n    <item>Three</item>\n  </string-array>\n  <plurals name=\"files\">\n    <item quantity=\"one\">%d file</item>\n    <item quantity=\"other\">%d files</item>\n  </plurals>\n  <plurals name=\"broken\"><item quantity=\"one\">1</item></plurals>\n";

#[test]
fn every_kind_of_resource_has_its_key() {
    assert_eq!(
        listing(&file(WHOLE)),
        "title=Title // Shown on\ntop\nmail=@ home\nwhere@tablet=tablet\nwhere@default=phone\ntyped=Typed\nlist[0]=One\nlist[2]=Three\nfiles=one %d file | other %d files"
    );
    let document = by_id(FormatId::Android).parse(file(WHOLE).as_bytes()).unwrap();
    assert_eq!(document.warnings, ["`broken` is left as it is: a `<plurals>` needs an item for other"]);
}

#[test]
fn what_has_no_translation_goes_with_its_comment_and_lists_go_whole() {
    let format = by_id(FormatId::Android);
    let source = file(WHOLE);
    let document = format.parse(source.as_bytes()).unwrap();
    let out = format.render(&document, "ru", &|key| {
        (!["title", "list[2]"].contains(&key))
            .then(|| document.entries.iter().find(|entry| entry.key == key).unwrap().content.clone())
    });
    let title = "  <!-- Shown on\n       top -->\n  <string name=\"title\">Title</string>\n";
    let list = &WHOLE[WHOLE.find("  <string-array").unwrap()..WHOLE.find("  <plurals").unwrap()];
    let plurals = "    <item quantity=\"one\">%d file</item>\n";
    let expected = source.replace(title, "").replace(list, "");
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    assert!(expected.contains(plurals), "a plural that did not change keeps its categories");
}

#[test]
fn categories_of_the_language_come_after_the_one_before_them() {
    let source = file(
        "  <plurals name=\"files\">\r\n\t<item quantity=\"one\">%d file</item>\r\n\t<item quantity=\"other\">%d files</item>\r\n  </plurals>\n",
    );
    let format = by_id(FormatId::Android);
    let document = format.parse(source.as_bytes()).unwrap();
    let forms = |of: &[(PluralCategory, &str)]| {
        let forms = of.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
        Content::Plural(Plural { arg: "count".to_owned(), forms })
    };
    let russian = forms(&[
        (PluralCategory::One, "1"),
        (PluralCategory::Few, "2"),
        (PluralCategory::Many, "5"),
        (PluralCategory::Other, "l'a"),
    ]);
    let out = String::from_utf8(format.render(&document, "ru", &|_| Some(russian.clone()))).unwrap();
    let expected = file(
        "  <plurals name=\"files\">\r\n\t<item quantity=\"one\">1</item>\r\n\t<item quantity=\"few\">2</item>\r\n\t<item quantity=\"many\">5</item>\r\n\t<item quantity=\"other\">l\\'a</item>\r\n  </plurals>\n",
    );
    assert_eq!(out, expected);
    let japanese = forms(&[(PluralCategory::Other, "x")]);
    let out = String::from_utf8(format.render(&document, "ja", &|_| Some(japanese.clone()))).unwrap();
    assert!(!out.contains("quantity=\"one\"") && out.contains("<item quantity=\"other\">x</item>"), "{out}");
}

#[test]
fn entities_of_the_file_are_placeholders() {
    let source = "<!DOCTYPE resources [<!ENTITY app \"App\">]>\n<resources>\n    <string name=\"a\">Hi &app; &amp;app; &amp;</string>\n</resources>";
    assert_eq!(listing(source), "a=Hi &app; &amp;app; &");
    let format = by_id(FormatId::Android);
    let document = format.parse(source.as_bytes()).unwrap();
    let out = format.render(&document, "de", &|_| Some(text("& &app; &amp;app; Hallo")));
    assert_eq!(
        String::from_utf8(out).unwrap(),
        source.replace("Hi &app; &amp;app; &amp;", "&amp; &app; &amp;app; Hallo")
    );
}

#[test]
fn new_resources_are_laid_out_like_the_ones_beside_them() {
    let format = by_id(FormatId::Android);
    let extended = |source: &str, key: &str| {
        let document = format.parse(source.as_bytes()).unwrap();
        String::from_utf8(format.extend(&document, &[Entry::new(key, text("l'a"))]).unwrap()).unwrap()
    };
    let tabs = "<resources>\r\n\t<string name=\"a\">A</string>\r\n</resources>";
    assert_eq!(
        extended(tabs, "b"),
        "<resources>\r\n\t<string name=\"a\">A</string>\r\n\t<string name=\"b\">l\\'a</string>\r\n</resources>"
    );
    let line = "<resources><string name=\"a\">A</string></resources>";
    assert_eq!(
        extended(line, "b@tablet"),
        "<resources><string name=\"a\">A</string><string name=\"b\" product=\"tablet\">l\\'a</string></resources>"
    );
    assert_eq!(
        extended("<resources>\n</resources>\n", "b"),
        "<resources>\n    <string name=\"b\">l\\'a</string>\n</resources>\n"
    );
    let forms = [(PluralCategory::One, "1".to_owned()), (PluralCategory::Other, "n".to_owned())].into();
    let entries = [Entry {
        description: Some("About\nit".to_owned()),
        ..Entry::new("p", Content::Plural(Plural { arg: "count".to_owned(), forms }))
    }];
    let new = String::from_utf8(format.render_new("de", &entries)).unwrap();
    assert_eq!(
        new,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n    <!-- About\nit -->\n    <plurals name=\"p\">\n        <item quantity=\"one\">1</item>\n        <item quantity=\"other\">n</item>\n    </plurals>\n</resources>\n"
    );
    assert_eq!(format.parse(new.as_bytes()).unwrap().entries, entries);
}

/// aapt2 refuses any other name, and the whole file with it.
#[test]
fn new_arrays_come_whole_and_keys_that_are_no_names_of_resources_stay_out() {
    let format = by_id(FormatId::Android);
    let entry = |key: &str| Entry::new(key, text(&format!("l'{}", key.len())));
    let keys = ["l[1]", "l[0]", "gap[1]", "t@tablet[0]", "own[2]", "a b", "1st", "a:b", "l[01]", "_a.b-c@x", "größe"];
    let entries: Vec<Entry> = keys.into_iter().map(entry).collect();
    let own = "    <string-array name=\"own\">\n        <item>x</item>\n    </string-array>\n";
    let document = format.parse(file(own).as_bytes()).unwrap();
    assert_eq!(format.extend(&document, &entries), None);
    let new = "    <string-array name=\"l\">\n        <item>l\\'4</item>\n        <item>l\\'4</item>\n    </string-array>\n    \
        <string-array name=\"t\" product=\"tablet\">\n        <item>l\\'11</item>\n    </string-array>\n    \
        <string name=\"_a.b-c\" product=\"x\">l\\'8</string>\n    <string name=\"größe\">l\\'7</string>\n";
    let extended = format.extend_where_it_can(&document, &entries).unwrap();
    assert_eq!(String::from_utf8(extended).unwrap(), file(&[own, new].concat()));
    let fresh = format.parse(&format.render_new("de", &entries)).unwrap();
    let found: Vec<&str> = fresh.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(found, ["l[0]", "l[1]", "t@tablet[0]", "_a.b-c@x", "größe"]);
}

#[test]
fn a_target_file_keeps_its_bytes_and_gets_what_it_lacks() {
    let format = by_id(FormatId::Android);
    let own = file("    <string name=\"b\">\"B'\"</string> <!-- mine -->\n\n    <string name=\"old\">Old</string>\n");
    let published = file(
        "    <string name=\"a\">A</string>\n    <string name=\"b\">B\\'</string>\n    <string name=\"c\">C</string>\n",
    );
    let merged = format.merge(own.as_bytes(), published.as_bytes()).unwrap();
    assert_eq!(merged.kept, ["old"]);
    let text = String::from_utf8(merged.bytes).unwrap();
    let again = format.merge(text.as_bytes(), published.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(again.bytes).unwrap(), text, "a second pull changes nothing");
    assert!(text.contains("<string name=\"b\">\"B'\"</string> <!-- mine -->\n"), "{text}");
    assert_eq!(listing(&text).lines().count(), 4);
}

#[test]
fn lists_and_tags_come_as_the_version_has_them() {
    let format = by_id(FormatId::Android);
    let array = |items: &str| format!("    <string-array name=\"l\">\n{items}    </string-array>\n");
    let (one, two) = ("        <item>1</item>\n", "        <item>@string/x</item>\n        <item>2</item>\n");
    let tagged = "    <string name=\"t\" formatted=\"false\">\"a <b>b</b>\"</string>\n";
    let first = "    <string name=\"a\">A</string>\n";
    let published = file(&[first, &array(&[one, two].concat()), tagged].concat());
    let merged = |own: &str| {
        let merged = format.merge(own.as_bytes(), published.as_bytes()).unwrap();
        let again = format.merge(&merged.bytes, published.as_bytes()).unwrap();
        assert_eq!(again, merged, "a second pull changes nothing");
        String::from_utf8(merged.bytes).unwrap()
    };
    assert_eq!(merged(&file(first)), published);
    assert_eq!(merged(&file("")), published);
    let shorter = file(&[first, &array(&[one, two].concat().replace("        <item>2</item>\n", ""))].concat());
    assert_eq!(merged(&shorter), file(&[first, &array(&[one, two].concat()), tagged].concat()));
    let longer = file(
        &[
            first,
            &array(
                &[one, "        <item>@string/y</item>\n        <item>@string/x</item>\n        <item>4</item>\n"]
                    .concat(),
            ),
        ]
        .concat(),
    );
    assert!(merged(&longer).contains("<item>4</item>"));
}

#[test]
fn single_texts_are_changed_in_place() {
    let format = by_id(FormatId::Android);
    let source = file(
        "    <!-- d -->\n    <string name=\"a\">\"A\"</string>\n    <string name=\"p\" product=\"tv\">P</string>\n",
    );
    let edited = |edit: &dyn Fn(&mut dyn crate::files::Editor)| {
        let mut editor = format.editor(source.as_bytes()).unwrap();
        edit(editor.as_mut());
        String::from_utf8(editor.bytes()).unwrap()
    };
    assert_eq!(
        edited(&|editor| assert_eq!(editor.set("a", "A", "l'a"), Ok(Edited::Written))),
        source.replace("\"A\"", "\"l'a\"")
    );
    assert_eq!(
        edited(&|editor| assert_eq!(editor.rename("a", "b"), Ok(Edited::Written))),
        source.replace("\"a\"", "\"b\"")
    );
    let removed = edited(&|editor| assert_eq!(editor.remove("a"), Ok(Edited::Written)));
    assert_eq!(removed, source.replace("    <!-- d -->\n    <string name=\"a\">\"A\"</string>\n", ""));
    let moved = edited(&|editor| assert_eq!(editor.rename("p@tv", "q"), Ok(Edited::Written)));
    assert_eq!(listing(&moved), "a=A // d\nq=P");
}

#[test]
fn what_is_no_resource_file_is_refused_with_its_place() {
    let refused = |text: &str| by_id(FormatId::Android).parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused("<plist/>"), "line 1, column 1: a file of string resources has the root element `<resources>`");
    assert_eq!(
        refused("<resources>\n <string>x</string></resources>"),
        "line 2, column 2: this `<string>` has no name"
    );
    assert!(
        refused("<resources><string name='a'>x</string>\n<string name='a'>y</string></resources>")
            .starts_with("line 2, column 15: two texts have the key `a`")
    );
    assert!(
        refused("<resources><plurals name='a'><item quantity='some'>x</item></plurals></resources>")
            .contains("zero, one, two")
    );
    assert!(refused("<resources><plurals name='a'><item quantity='one'>x</item><item quantity='one'>x</item></plurals></resources>").contains("two items for one"));
    for text in ["", "<resources", "<!DOCTYPE r [<!ENTITY a SYSTEM 'x'>]><resources/>"] {
        refused(text);
    }
}

/// Each stays the kind of resource that it is, and says what the version has.
#[test]
fn a_text_stays_a_text_and_a_plural_stays_a_plural() {
    let plural = |items: &str| file(&format!("    <plurals name=\"n\">\n{items}    </plurals>\n"));
    let item = |category: &str, text: &str| format!("        <item quantity=\"{category}\">{text}</item>\n");
    let string = |text: &str| file(&format!("    <string name=\"n\">{text}</string>\n"));
    let merged = |own: &str, published: &str| {
        let merged = by_id(FormatId::Android).merge(own.as_bytes(), published.as_bytes()).unwrap();
        String::from_utf8(merged.bytes).unwrap()
    };
    let both = plural(&[item("one", "1"), item("other", "many")].concat());
    assert_eq!(merged(&string("N"), &both), string("many"));
    assert_eq!(merged(&both, &string("N")), plural(&item("other", "N")));
}
