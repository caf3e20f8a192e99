//! The worst length of every construct of formats in XML, as in [`worst`](super::worst).

use super::worst_lines::exercise;
use super::*;
use crate::small_stack::{filled, nested, on_small_stack};

/// Bytes of a file. What grows with the square of them takes minutes.
const SIZE: usize = 64 * 1024;

/// The text before and after the entries, entries with `#` in their name, and the text around a value.
struct Shape {
    format: &'static str,
    around: (&'static str, &'static str),
    entries: &'static [&'static str],
    text: (&'static str, &'static str),
}

const SHAPES: [Shape; 6] = [
    Shape {
        format: "android",
        around: ("<resources>\n", "</resources>\n"),
        entries: &[
            "<string name=\"k#\">v</string>\n",
            "<string name=\"k#\"/>",
            "<!-- c -->\n<string name=\"k#\">v</string> <!-- c -->\n\n",
            "<string name=\"k#\">@string/x</string>\n",
            "<string name=\"k#\">\"<![CDATA[x]]>\"<b/></string>",
            "<plurals name=\"k#\"><item quantity=\"one\">1</item><item quantity=\"other\">2</item></plurals>\n",
            "<string-array name=\"k#\"><item>1</item></string-array>\n",
            "<string name=\"same\" product=\"p#\"> x </string>\n",
        ],
        text: ("<string name=\"k\">", "</string>"),
    },
    Shape {
        format: "resx",
        around: ("<root>\n", "</root>\n"),
        entries: &[
            "<data name=\"k#\"><value>v</value></data>\n",
            "<!-- c --> <data name=\"k#\">\n<value/><comment>c</comment></data>",
            "<data name=\"k#\" type=\"t\"><value>v</value></data>\n",
        ],
        text: ("<data name=\"k\"><value>", "</value></data>"),
    },
    Shape {
        format: "apple-stringsdict",
        around: ("<plist><dict>\n", "</dict></plist>\n"),
        entries: &[
            "<key>k#</key><dict><key>NSStringLocalizedFormatKey</key><string>x</string></dict>\n",
            "<key>k#</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>other</key><string>x</string></dict></dict>\n",
            "<key>k#</key><string>x</string>\n",
            "<key>k#</key><dict/>",
        ],
        text: ("<key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>", "</string></dict>"),
    },
    Shape {
        format: "qt-ts",
        around: ("<TS><context><name>c</name>\n", "</context></TS>\n"),
        entries: &[
            "<message><source>k#</source><translation>v</translation></message>\n",
            "<message><source>k#</source></message>",
            "<message><source>k#<b/></source><translation type=\"unfinished\"/></message>\n",
            "<message numerus=\"yes\"><source>k#</source><translation><numerusform>v</numerusform></translation></message>\n",
            "<message id=\"k#\"><source>s</source><translation type=\"vanished\">v</translation></message>\n",
        ],
        text: ("<message><source>k</source><translation>", "</translation></message>"),
    },
    Shape {
        format: "xliff-1.2",
        around: ("<xliff version=\"1.2\"><file original=\"f\"><body>\n", "</body></file></xliff>\n"),
        entries: &[
            "<trans-unit id=\"k#\"><source>k</source><target state=\"new\">v</target></trans-unit>\n",
            "<trans-unit id=\"k#\"><source>k</source></trans-unit>",
            "<trans-unit id=\"k#\"><source>k<x id=\"1\"/></source><target/><note>n</note></trans-unit>\n",
            "<trans-unit id=\"i#\" resname=\"k#\"><source/><seg-source><mrk mid=\"0\">k</mrk></seg-source></trans-unit>\n",
            "<group id=\"g#\" xml:space=\"preserve\"><trans-unit id=\"k#\"><source>k</source></trans-unit></group>\n",
            "</body></file><file original=\"f#\"><body><trans-unit id=\"k\"><source>k</source></trans-unit>\n",
        ],
        text: ("<trans-unit id=\"k\"><source>k<b/></source><target>", "</target></trans-unit>"),
    },
    Shape {
        format: "xliff-2",
        around: ("<xliff version=\"2.0\"><file id=\"f\">\n", "</file></xliff>\n"),
        entries: &[
            "<unit id=\"k#\"><segment state=\"initial\"><source>k</source><target>v</target></segment></unit>\n",
            "<unit id=\"k#\"><segment><source>k</source></segment><segment><source>k</source></segment></unit>",
            "<unit id=\"i#\" name=\"k#\"><notes><note>n</note></notes><segment><source>k<ph id=\"1\" disp=\"d\"/></source><target/></segment></unit>\n",
            "<unit id=\"k#\"><originalData><data id=\"d\">x</data></originalData><segment><source><pc id=\"1\" dataRefStart=\"d\">k</pc></source></segment></unit>\n",
            "<group id=\"g#\" translate=\"no\"><unit id=\"k#\" translate=\"yes\"><segment><source>k</source></segment></unit></group>\n",
            "</file><file id=\"f#\"><unit id=\"k\"><segment><source>k</source></segment></unit>\n",
        ],
        text: ("<unit id=\"k\"><segment><source>k<b/></source><target>", "</target></segment></unit>"),
    },
];

const UNITS: [&str; 24] = [
    "a",
    " ",
    "\n",
    "\\",
    "\\u",
    "\\ud83d\\ude00",
    "\\u0041",
    "\"",
    "'",
    "&amp;",
    "&lt;b>",
    "&#65;",
    "<b/>",
    "<b>x</b>",
    "<![CDATA[x]]>",
    "<!-- c -->",
    "]]",
    ">",
    "%s",
    "{",
    "@",
    "<x:g>%d</x:g>",
    "&amp;lt;b",
    "é",
];

#[test]
fn the_worst_texts_and_entries_take_linear_time() {
    on_small_stack(|| {
        for Shape { format: id, around: (before, after), entries, text: (open, close) } in SHAPES {
            let format = format(id);
            for unit in UNITS {
                exercise(format, format!("{before}{open}{}{close}{after}", filled(SIZE, unit)).as_bytes());
                exercise(format, format!("{before}{}{open}x{close}{after}", filled(SIZE, unit)).as_bytes());
            }
            exercise(format, format!("{before}{open}{}{close}{after}", nested(800, "<b>", "x", "</b>")).as_bytes());
            for entry in entries {
                let all: String =
                    (0..SIZE / entry.len()).map(|number| entry.replace('#', &number.to_string())).collect();
                assert!(format.parse(format!("{before}{all}{after}").as_bytes()).is_ok(), "{entry}");
                let some: String = (0..1_000).map(|number| entry.replace('#', &number.to_string())).collect();
                exercise(format, format!("{before}{some}{after}").as_bytes());
            }
        }
    });
}
