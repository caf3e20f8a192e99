//! Files of XML made at random.

use proptest::prelude::*;

fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just("\n    "), 1 => Just(""), 1 => Just("\r\n\t"), 1 => Just(" "), 1 => Just("\n\n    <!-- note -->\n    ")]
}

fn head() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just(""),
        Just("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"),
        Just("<?xml version='1.0'?><!-- head -->\r\n"),
        Just("<!DOCTYPE resources [<!ENTITY app \"App\">]>\n"),
    ]
}

/// A text of Android with its tags and escapes.
fn value() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("a"),
        Just("é"),
        Just("  "),
        Just("\n   "),
        Just("\\'"),
        Just("\\n"),
        Just("\\u0020"),
        Just("\\@"),
        Just("&amp;"),
        Just("&lt;b>"),
        Just("&#233;"),
        Just("%1$s"),
        Just("<b>x</b>"),
        Just("<xliff:g id=\"n\">%d</xliff:g>"),
        Just("<br/>"),
        Just("<!-- c -->"),
        Just("<![CDATA[<i>]]>"),
        Just("\\\""),
    ];
    let parts = || prop::collection::vec(part.clone(), 0..5).prop_map(|parts| parts.concat());
    prop_oneof![
        4 => parts(),
        1 => "[a-z' ]{0,6}".prop_map(|text| format!("\"{text}\"")),
        1 => "[a-z <&]{0,6}".prop_map(|text| format!("<![CDATA[{text}]]>")),
        1 => "[a-z ]{0,6}".prop_map(|text| format!("\n  {text}\n  ")),
    ]
}

fn resource(number: usize) -> impl Strategy<Value = String> {
    let string =
        (value(), prop_oneof![3 => Just(""), 1 => Just(" product=\"tv\""), 1 => Just(" translatable=\"false\"")])
            .prop_map(move |(value, more)| format!("<string name=\"s{number}\"{more}>{value}</string>"));
    let array = (prop::collection::vec((value(), blank()), 0..3), blank()).prop_map(move |(items, end)| {
        let items: String = items.iter().map(|(value, blank)| format!("{blank}<item>{value}</item>")).collect();
        format!("<string-array name=\"l{number}\">{items}{end}</string-array>")
    });
    let plurals = (value(), value(), blank()).prop_map(move |(one, other, blank)| {
        let items = format!("<item quantity=\"one\">{one}</item>{blank}<item quantity=\"other\">{other}</item>");
        format!("<plurals name=\"p{number}\">{blank}{items}{blank}</plurals>")
    });
    prop_oneof![
        5 => string,
        1 => array,
        2 => plurals,
        1 => Just("<string name=\"empty\"/>".to_owned()).prop_map(move |text| text.replace("empty", &format!("e{number}"))),
        1 => Just("<color name=\"c\">#fff</color>".to_owned()),
    ]
}

pub(super) fn android() -> impl Strategy<Value = Vec<u8>> {
    let resources: Vec<_> = (0..5).map(|number| (blank(), resource(number))).collect();
    let count = 0_usize..6;
    (head(), resources, count, blank(), prop_oneof![Just(""), Just("\n")]).prop_map(
        |(head, resources, count, end, last)| {
            let inside: String =
                resources.into_iter().take(count).map(|(blank, resource)| format!("{blank}{resource}")).collect();
            format!(
                "{head}<resources xmlns:xliff=\"urn:oasis:names:tc:xliff:document:1.2\">{inside}{end}</resources>{last}"
            )
            .into_bytes()
        },
    )
}

/// Characters as XML holds them.
fn plain() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just("a"), 1 => Just("é"), 1 => Just("  "), 1 => Just("\n"), 1 => Just("\r\n"), 1 => Just("&amp;"),
        1 => Just("&lt;b&gt;"), 1 => Just(">"), 1 => Just("&#233;"), 1 => Just("{0:N2}"), 1 => Just("%d"), 1 => Just("'"),
        1 => Just("<!-- c -->"), 1 => Just("<![CDATA[<&]]>"),
    ];
    prop_oneof![
        4 => prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat()),
        1 => "[a-z <&]{0,6}".prop_map(|text| format!("<![CDATA[{text}]]>")),
    ]
}

pub(super) fn resx() -> impl Strategy<Value = Vec<u8>> {
    let data = |number: usize| {
        let more = prop_oneof![4 => Just(" xml:space=\"preserve\""), 1 => Just(""), 1 => Just(" type=\"x\"")];
        let comment = prop_oneof![2 => Just(""), 1 => Just("<comment>c &amp; d</comment>"), 1 => Just("<comment />")];
        let value = prop_oneof![6 => plain().prop_map(|text| format!("<value>{text}</value>")), 1 => Just("<value />".to_owned())];
        (more, comment, value, blank()).prop_map(move |(more, comment, value, blank)| {
            format!("<data name=\"n{number}\"{more}>{blank}{value}{blank}{comment}</data>")
        })
    };
    let entries: Vec<_> = (0..5).map(|number| (blank(), data(number))).collect();
    (head(), entries, 0_usize..6, blank()).prop_map(|(head, entries, count, end)| {
        let inside: String = entries.into_iter().take(count).map(|(blank, data)| format!("{blank}{data}")).collect();
        format!("{head}<root>{inside}{end}</root>").into_bytes()
    })
}

pub(super) fn stringsdict() -> impl Strategy<Value = Vec<u8>> {
    let string = || plain().prop_map(|text| format!("<string>{text}</string>"));
    let variable = move |name: &'static str| {
        (string(), string(), blank()).prop_map(move |(one, other, blank)| {
            let rule = "<key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>";
            let forms = format!("{blank}<key>one</key>{blank}{one}{blank}<key>other</key>{other}");
            format!("{blank}<key>{name}</key>{blank}<dict>{blank}{rule}{forms}{blank}</dict>")
        })
    };
    let entry = move |number: usize| {
        let one = variable("v").prop_map(|variable| format!("<string>%#@v@</string>{variable}"));
        let two = (variable("v"), variable("w")).prop_map(|(v, w)| format!("<string>%#@v@ of %#@w@</string>{v}{w}"));
        let inside = prop_oneof![4 => one, 1 => two, 1 => string()];
        (inside, blank(), blank()).prop_map(move |(inside, blank, more)| {
            format!(
                "<key>k{number}\u{e9} %d</key>{blank}<dict>{more}<key>NSStringLocalizedFormatKey</key>{inside}</dict>"
            )
        })
    };
    let entries: Vec<_> = (0..4).map(|number| (blank(), entry(number))).collect();
    (head(), entries, 0_usize..5, blank()).prop_map(|(head, entries, count, end)| {
        let inside: String = entries.into_iter().take(count).map(|(blank, entry)| format!("{blank}{entry}")).collect();
        format!("{head}<plist version=\"1.0\"><dict>{inside}{end}</dict></plist>\n").into_bytes()
    })
}

/// A text of Qt with its escapes and elements.
fn message_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => Just("a"), 1 => Just("\u{e9}"), 1 => Just("  "), 1 => Just("\n"), 1 => Just("&apos;"), 1 => Just("\""),
        1 => Just("&lt;b>"), 1 => Just("%1"), 1 => Just("<byte value=\"x7\"/>"), 1 => Just("<![CDATA[<i>]]>"),
        1 => Just("<!-- c -->"), 1 => Just("&amp;lt;b"),
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

fn message(number: usize) -> impl Strategy<Value = String> {
    let kind = prop_oneof![3 => Just(""), 1 => Just(" type=\"unfinished\""), 1 => Just(" type='vanished'")];
    let comment = prop_oneof![3 => Just(""), 1 => Just("<comment>c&amp;</comment>"), 1 => Just("<extracomment>x</extracomment>\n")];
    // Of one form nothing but that form could be read again.
    let forms = prop_oneof![Just(0_usize), Just(2), Just(3)]
        .prop_flat_map(|count| prop::collection::vec(message_text(), count));
    (message_text(), message_text(), kind, comment, prop::option::of(forms), blank(), 0..9).prop_map(
        move |(source, text, kind, comment, forms, blank, odd)| {
            let head = format!("<source>{number}{source}</source>{blank}{comment}");
            match forms {
                Some(forms) => {
                    let forms: String =
                        forms.iter().map(|form| format!("{blank}<numerusform>{form}</numerusform>")).collect();
                    format!("<message numerus=\"yes\">{blank}{head}<translation{kind}>{forms}{blank}</translation></message>")
                }
                None if odd == 0 => format!("<message>{head}{blank}</message>"),
                None if odd == 1 => format!("<message id=\"i{number}\">{head}<translation{kind} /></message>"),
                None => format!("<message>{blank}{head}<translation{kind}>{text}</translation>{blank}</message>"),
            }
        },
    )
}

pub(super) fn qt_ts() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        Just("<TS version=\"2.1\" language=\"fr\">"),
        Just("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\">\n"),
        Just("<TS>\r\n"),
    ];
    let context = |at: usize| {
        let messages = (0..3).map(|number| message(at * 10 + number).boxed()).collect::<Vec<_>>();
        (messages, blank(), 0..4_usize).prop_map(move |(messages, blank, count)| {
            let messages: String = messages.iter().take(count).map(|message| format!("{blank}{message}")).collect();
            format!("<context>{blank}<name>C{at}</name>{messages}{blank}</context>")
        })
    };
    (head, context(1), context(2), blank())
        .prop_map(|(head, one, two, blank)| format!("{head}{one}{blank}{two}{blank}</TS>").into_bytes())
}

/// A text of XLIFF with its escapes and elements.
fn unit_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => Just("a"), 1 => Just("\u{e9}"), 1 => Just("  "), 1 => Just("\n"), 1 => Just("&gt;"), 1 => Just("\""),
        1 => Just("&lt;b>"), 1 => Just("%1"), 1 => Just("<x id=\"1\" ctype=\"lb\"/>"), 1 => Just("<g id='2'>t</g>"),
        1 => Just("<![CDATA[<i>]]>"), 1 => Just("<!-- c -->"), 1 => Just("&amp;lt;b"), 1 => Just("<ph id=\"3\">&lt;br/></ph>"),
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

fn trans_unit(number: usize) -> impl Strategy<Value = String> {
    let state = prop_oneof![3 => Just(""), 1 => Just(" state=\"new\""), 1 => Just(" state='translated'"),
        1 => Just(" state=\"needs-review-translation\" xml:space=\"preserve\"")];
    let note = prop_oneof![3 => Just(""), 1 => Just("<note>n&amp;</note>"), 1 => Just("<alt-trans><target>x</target></alt-trans>\n")];
    let resname = prop::option::of(Just(format!(" resname=\"r{number}\"")));
    (unit_text(), unit_text(), state, note, resname, blank(), 0..9).prop_map(
        move |(source, text, state, note, resname, blank, odd)| {
            let source = format!("<source>{number}{source}</source>{blank}");
            let attributes = resname.unwrap_or_default();
            let open = format!("<trans-unit id=\"i{number}\"{attributes}>{blank}{source}");
            match odd {
                0 => format!("{open}{note}</trans-unit>"),
                1 => format!("{open}<target{state} />{note}{blank}</trans-unit>"),
                2 => format!("{open}<seg-source><mrk mid=\"0\">{text}</mrk></seg-source>{note}</trans-unit>"),
                3 => format!(
                    "<group xml:space=\"preserve\">{blank}{open}<target{state}>{text}</target></trans-unit></group>"
                ),
                4 => format!("<trans-unit id=\"i{number}\" translate=\"no\">{source}</trans-unit>"),
                _ => format!("{open}<target{state}>{text}</target>{blank}{note}</trans-unit>"),
            }
        },
    )
}

pub(super) fn xliff_1() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        Just("<xliff version=\"1.2\">"),
        Just(
            "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.2\" version=\"1.2\">\n"
        ),
        Just("<xliff version='1.1' xml:space='preserve'>\r\n"),
    ];
    let file = |at: usize| {
        let units = (0..3).map(|number| trans_unit(at * 10 + number).boxed()).collect::<Vec<_>>();
        let language = prop::option::of(Just(" target-language='fr'"));
        (units, blank(), 0..4_usize, language).prop_map(move |(units, blank, count, language)| {
            let units: String = units.iter().take(count).map(|unit| format!("{blank}{unit}")).collect();
            let language = language.unwrap_or_default();
            format!("<file original=\"f{at}\" source-language=\"en\"{language}>{blank}<body>{units}{blank}</body>{blank}</file>")
        })
    };
    (head, file(1), prop::option::of(file(2)), blank()).prop_map(|(head, one, two, blank)| {
        format!("{head}{one}{blank}{}{blank}</xliff>", two.unwrap_or_default()).into_bytes()
    })
}

fn unit(number: usize) -> impl Strategy<Value = String> {
    let state = prop_oneof![3 => Just(""), 1 => Just(" state=\"initial\""), 1 => Just(" state='translated'"),
        1 => Just(" state=\"final\" subState=\"a:b\"")];
    let note = prop_oneof![3 => Just(""), 1 => Just("<notes><note>n&amp;</note></notes>\n"),
        1 => Just("<originalData><data id=\"d\">x</data></originalData>")];
    let name = prop::option::of(Just(format!(" name=\"n{number}\"")));
    (unit_text(), unit_text(), state, note, name, blank(), 0..9).prop_map(
        move |(source, text, state, note, name, blank, odd)| {
            let source = format!("<source>{number}{source}</source>{blank}");
            let name = name.unwrap_or_default();
            let open = format!("<unit id=\"i{number}\"{name}>{blank}{note}");
            match odd {
                0 => format!("{open}<segment>{source}</segment></unit>"),
                1 => format!("{open}<segment{state}>{blank}{source}<target xml:space=\"default\" /></segment>{blank}</unit>"),
                2 => format!("{open}<segment{state}>{source}<target>{text}</target></segment><ignorable><source> </source></ignorable><segment id=\"s\">{source}</segment>{blank}</unit>"),
                3 => format!("<group id=\"g\" translate=\"no\"><unit id=\"i{number}\" translate=\"yes\"><segment{state}>{source}</segment></unit></group>"),
                4 => format!("<unit id=\"i{number}\" translate=\"no\"><segment>{source}</segment></unit>"),
                _ => format!("{open}<segment{state}>{source}<target>{text}</target>{blank}</segment>{blank}</unit>"),
            }
        },
    )
}

pub(super) fn xliff_2() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        Just("<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"fr\">"),
        Just(
            "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.2\" srcLang='en'>\n"
        ),
        Just("<xliff version='2.1' xml:space='preserve'>\r\n"),
    ];
    let file = |at: usize| {
        let units = (0..3).map(|number| unit(at * 10 + number).boxed()).collect::<Vec<_>>();
        let notes = prop::option::of(Just("<notes><note>x</note></notes>\n"));
        (units, blank(), 0..4_usize, notes).prop_map(move |(units, blank, count, notes)| {
            let units: String = units.iter().take(count).map(|unit| format!("{blank}{unit}")).collect();
            let notes = notes.unwrap_or_default();
            format!("<file id=\"f{at}\">{blank}{notes}{units}{blank}</file>")
        })
    };
    (head, file(1), prop::option::of(file(2)), blank()).prop_map(|(head, one, two, blank)| {
        format!("{head}{one}{blank}{}{blank}</xliff>", two.unwrap_or_default()).into_bytes()
    })
}
