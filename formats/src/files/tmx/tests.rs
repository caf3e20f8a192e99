use l10n_api_types::{Content, Plural, PluralKey};
use proptest::prelude::*;

use super::{END, TmxVariant, begin, read, unit};
use crate::small_stack::{filled, nested, on_small_stack};

/// The size of an import at most.
const CAP: usize = 1024 * 1024;

fn text(language: &str, text: &str) -> TmxVariant {
    TmxVariant { language: language.into(), content: Content::Text(text.into()), engine: None }
}

fn file(units: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><!DOCTYPE tmx SYSTEM \"tmx14.dtd\"><tmx version=\"1.4\"><header/><body>{units}</body></tmx>"
    )
}

/// The text or the sentence of the one German segment.
fn german(seg: &str) -> Result<String, String> {
    let units = read(file(&format!("<tu><tuv xml:lang='de'><seg>{seg}</seg></tuv></tu>")).as_bytes()).unwrap();
    let [unit] = &units[..] else { panic!("{units:?}") };
    unit.variants[0].variant.clone().map(|variant| match variant.content {
        Content::Text(text) => text,
        Content::Plural(plural) => panic!("{plural:?}"),
    })
}

#[test]
fn a_file_of_another_tool_is_read_with_the_lines_of_its_units() {
    let source = "<?xml version=\"1.0\" encoding=\"utf-16\"?>\r\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\r\n<tmx version=\"1.4\">\r\n\
        <header creationtool=\"Other\" srclang=\"EN-US\" datatype=\"xml\"><note>n</note></header>\r\n<body>\r\n\
        <tu tuid=\"1\"><prop type=\"x-domain\">shop</prop>\r\n<tuv xml:lang=\"EN-US\"><seg>Save &amp; close</seg></tuv>\r\n\
        <tuv lang=\"DE-DE\"><note>x</note><seg>Speichern &#38; schließen</seg></tuv></tu>\r\n\
        <tu><tuv xml:lang=\"en\"><seg/></tuv><tuv><seg>a</seg></tuv></tu></body></tmx>";
    let units = |bytes: Vec<u8>| read(&bytes).unwrap();
    let narrow = units(source.as_bytes().to_vec());
    let expected = [text("EN-US", "Save & close"), text("DE-DE", "Speichern & schließen")];
    assert_eq!(narrow[0].variants.iter().map(|one| one.variant.clone().unwrap()).collect::<Vec<_>>(), expected);
    assert_eq!((narrow[0].line, narrow[0].variants[0].line, narrow[0].variants[1].line, narrow[1].line), (6, 7, 8, 9));
    assert_eq!(narrow[1].variants[0].variant, Ok(text("en", "")));
    assert_eq!(narrow[1].variants[1].variant, Err("the translation names no language: `xml:lang` is missing".into()));
    for big in [false, true] {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let wide = std::iter::once(0xfeff).chain(source.encode_utf16()).flat_map(bytes).collect();
        assert_eq!(units(wide), narrow);
    }
}

#[test]
fn inline_tags_become_the_code_that_they_hold() {
    for (seg, text) in [
        ("<bpt i=\"1\">&lt;b&gt;</bpt>Bold<ept i=\"1\">&lt;/b&gt;</ept> text", "<b>Bold</b> text"),
        ("Hello <ph x=\"1\">{name}</ph>!", "Hello {name}!"),
        ("<it pos=\"begin\">&lt;i></it>a <ut>&lt;br></ut><hi type=\"x\">marked</hi>", "<i>a <br>marked"),
        ("<ph>&lt;img alt=\"<sub>A <hi>cat</hi></sub>\"></ph>", "<img alt=\"A cat\">"),
        (" two\r\nlines <![CDATA[<&>]]><!-- c --> ", " two\nlines <&> "),
        ("&#13;&#x41;&lt;", "\rA<"),
        ("<hi/>", ""),
    ] {
        assert_eq!(german(seg).as_deref(), Ok(text), "{seg}");
    }
    for (seg, said) in [
        ("a <ph x=\"1\"/>", "`<ph>` is empty"),
        ("<bpt i=\"1\"></bpt>a<ept i=\"1\">x</ept>", "`<bpt>` is empty"),
        ("<b>a</b>", "cannot hold the element `b`"),
        ("<seg>a</seg>", "cannot hold the element `seg`"),
    ] {
        assert!(german(seg).unwrap_err().contains(said), "{seg}: {:?}", german(seg));
    }
}

#[test]
fn what_is_no_tmx_and_what_is_hostile_is_refused_with_its_place() {
    for (bytes, line, said) in [
        ("", 1, "no root element"),
        ("{}", 1, "outside of the root"),
        ("<xliff/>", 1, "the file is no TMX: its root is `xliff`"),
        ("\n<tmx/>", 2, "has one `body`"),
        ("<tmx><body/>\n<body/></tmx>", 1, "has one `body`"),
        ("<tmx><body>\n<tu></body></tmx>", 2, "closes where `tu` is open"),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><tmx><body/></tmx>", 1, "iso-8859-1"),
        ("<tmx><body><tu><tuv><seg>&x;</seg></tuv></tu></body></tmx>", 1, "declares no entity `x`"),
        ("<!DOCTYPE tmx [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><tmx><body/></tmx>", 1, "comes from elsewhere"),
        ("<!DOCTYPE tmx [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><tmx><body/></tmx>", 1, "has other entities in it"),
        ("<!DOCTYPE tmx [<!ENTITY % p SYSTEM 'x'> %p;]><tmx><body/></tmx>", 1, "parameter entities are not taken"),
    ] {
        let error = read(bytes.as_bytes()).unwrap_err();
        assert!(error.line == line && error.message.contains(said), "{bytes}: {error}");
    }
    assert!(read(b"<tmx><body>\xe9</body></tmx>").unwrap_err().message.contains("not valid UTF-8"));
    assert!(read(b"<\0t\0m\0x\0/\0>\0").is_err(), "UTF-16 needs its byte order mark");
    // An entity of the file's own is never expanded, and never taken for a text.
    for inside in [
        "<seg>a &x;</seg>",
        "<prop type='x-l10n-plural'>n</prop><prop type='x-l10n-plural-one'>a &x;</prop><seg>b</seg>",
        "<prop type='x-l10n-plural'>&x;</prop><seg>b</seg>",
        "<prop type='x-l10n-engine'>&x;</prop><seg>b</seg>",
    ] {
        let own =
            format!("<!DOCTYPE tmx [<!ENTITY x 'y'>]><tmx><body><tu><tuv lang='de'>{inside}</tuv></tu></body></tmx>");
        let units = read(own.as_bytes()).unwrap();
        let said = units[0].variants[0].variant.clone().unwrap_err();
        assert!(said.contains("the entity `&x;`, which the file declares"), "{inside}: {said}");
    }
    // What only looks like one is text, in a property as in a segment.
    let like = "<!DOCTYPE tmx [<!ENTITY x 'y'>]><tmx><body><tu><tuv lang='de'><prop type='x-l10n-plural'>n</prop>\
        <prop type='x-l10n-plural-one'>a &amp;x;</prop><seg>b &amp;x;</seg></tuv></tu></body></tmx>";
    let units = read(like.as_bytes()).unwrap();
    let read = units[0].variants[0].variant.clone().unwrap().content;
    assert_eq!(read.texts().collect::<Vec<_>>(), ["a &x;", "b &x;"]);
}

#[test]
fn properties_and_segments_that_do_not_fit_refuse_their_translation_alone() {
    for (inside, said) in [
        ("<seg>a</seg><seg>b</seg>", "one `seg`"),
        ("", "one `seg`"),
        ("<prop type='x-l10n-plural-one'>a</prop><seg>b</seg>", "has no argument"),
        ("<prop type='x-l10n-plural'>n</prop><prop type='x-l10n-plural-x'>a</prop><seg>b</seg>", "no plural form"),
        ("<prop type='x-l10n-engine'><a/></prop><seg>b</seg>", "holds elements"),
    ] {
        let units = file(&format!(
            "<tu><tuv xml:lang='de'>{inside}</tuv><tuv xml:lang='fr'><prop type='x'><a/></prop><seg>c</seg></tuv></tu>"
        ));
        let units = read(units.as_bytes()).unwrap();
        assert!(units[0].variants[0].variant.clone().unwrap_err().contains(said), "{inside}: {units:?}");
        assert_eq!(units[0].variants[1].variant, Ok(text("fr", "c")));
    }
    let long = format!(
        "<tu><tuv xml:lang='{0}'><seg>a</seg></tuv><tuv xml:lang='de'><prop type='x-l10n-engine'>{0}</prop><seg>a</seg></tuv></tu>",
        "x".repeat(257)
    );
    let units = read(file(&long).as_bytes()).unwrap();
    assert!(units[0].variants.iter().all(|one| one.variant.as_ref().is_err_and(|said| said.len() < 200)), "{units:?}");
}

#[test]
fn what_xml_cannot_hold_is_left_out_and_never_changed() {
    assert_eq!(unit(&[text("en", "a\u{1}"), text("de", "b")]), None);
    assert_eq!(unit(&[text("en", "a"), text("de", "\u{0}")]), None);
    assert_eq!(unit(&[text("en", "a")]), None);
    let some = unit(&[text("en", "a"), text("de", "\u{b}"), text("fr", "c")]).unwrap();
    assert!(some.contains("\"fr\"") && !some.contains("\"de\""), "{some}");
}

fn content() -> impl Strategy<Value = Content> {
    let text = || "[ -~\t\r\nä→\u{1f600}&<>'\"\\]]{0,20}";
    let first = prop_oneof![Just("=0"), Just("=21"), Just("one")];
    let plural = (text(), first, text(), text()).prop_map(|(arg, first, form, other)| {
        let forms = [(first.parse::<PluralKey>().unwrap(), form), (PluralKey::OTHER, other)].into();
        Content::Plural(Plural { arg, forms })
    });
    prop_oneof![text().prop_map(Content::Text), plural]
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        units in prop::collection::vec(prop::collection::vec(("[a-zA-Z-]{1,8}", content(), prop::option::of("[ -~]{0,9}")), 2..5), 0..6),
    ) {
        let units: Vec<Vec<TmxVariant>> = units
            .into_iter()
            .map(|unit| unit.into_iter().map(|(language, content, engine)| TmxVariant { language, content, engine }).collect())
            .collect();
        let written: String = units.iter().map(|variants| unit(variants).unwrap()).collect();
        let file = [begin("en"), written, END.to_owned()].concat();
        let found = read(file.as_bytes()).unwrap();
        let found: Vec<Vec<TmxVariant>> = found
            .into_iter()
            .map(|unit| unit.variants.into_iter().map(|one| one.variant.unwrap()).collect())
            .collect();
        prop_assert_eq!(found, units);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), at in 0..400_usize) {
        let _ = read(&bytes).is_ok();
        let mut whole = file("<tu><tuv xml:lang='de'><prop type='x-l10n-plural'>n</prop><seg>a<ph>b</ph>&amp;</seg></tuv></tu>").into_bytes();
        let at = at.min(whole.len());
        whole.splice(at..at, bytes);
        let _ = read(&whole).is_ok();
    }
}

/// The worst nesting and the worst length of every construct at the size of an import.
#[test]
fn the_worst_files_cost_neither_stack_nor_more_than_linear_time() {
    on_small_stack(|| {
        let around = [
            ("", ""),
            ("<tu>", "</tu>"),
            ("<tu><tuv xml:lang='de'>", "</tuv></tu>"),
            ("<tu><tuv xml:lang='de'><seg>", "</seg></tuv></tu>"),
            ("<tu><tuv xml:lang='de'><prop type='x-l10n-engine'>", "</prop><seg>a</seg></tuv></tu>"),
            ("<tu><tuv xml:lang='", "'><seg>a</seg></tuv></tu>"),
        ];
        let units = [
            "<tu/>",
            "<tu><tuv/></tu>",
            "<tuv xml:lang='de'/>",
            "<tuv><seg/></tuv>",
            "<seg/>",
            "<ph/>",
            "<ph>a</ph>",
            "<hi/>",
            "<prop type='x-l10n-plural-one'/>",
            "&amp;",
            "&#65;",
            "<![CDATA[x]]>",
            "<!--c-->",
            "\n",
            "\r",
            "a",
            "é",
        ];
        let whole = |before: &str, inside: &str, after: &str| file(&format!("{before}{inside}{after}"));
        for (before, after) in around {
            let size = if before.ends_with("<seg>") { CAP } else { CAP / 8 };
            for unit in units {
                let _ = read(whole(before, &filled(size, unit), after).as_bytes()).is_ok();
            }
            for (open, close) in [("<hi>", "</hi>"), ("<ph>", "</ph>"), ("<tu>", "</tu>")] {
                let deep = nested(115 * (open.len() + close.len()), open, "", close);
                let is_read = read(whole(before, &deep, after).as_bytes()).is_ok();
                assert!(is_read || before.ends_with('\''), "{before}{open}");
                let _ = read(whole(before, &nested(size, open, "a", close), after).as_bytes()).is_ok();
            }
        }
    });
}
