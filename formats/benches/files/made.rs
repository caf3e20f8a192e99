//! A file of each format, as teams have them: comments, placeholders, plurals, escapes.

use l10n_api_types::FormatId;

/// The number of an entry in `unit`.
const NUMBER: &str = "NNN";

struct Shape {
    head: &'static str,
    unit: &'static str,
    between: &'static str,
    tail: &'static str,
}

/// A file of about `size` bytes.
pub(crate) fn file(id: FormatId, size: usize) -> Vec<u8> {
    let Shape { head, unit, between, tail } = shape(id);
    let mut out = head.to_owned();
    for number in 0.. {
        out.push_str(&unit.replace(NUMBER, &format!("{number:06}")));
        if out.len() + unit.len() + tail.len() > size {
            break;
        }
        out.push_str(between);
    }
    out.push_str(tail);
    out.into_bytes()
}

const fn object(unit: &'static str) -> Shape {
    Shape { head: "{\n", unit, between: ",\n", tail: "\n}\n" }
}

const fn lines(head: &'static str, unit: &'static str, tail: &'static str) -> Shape {
    Shape { head, unit, between: "", tail }
}

fn shape(id: FormatId) -> Shape {
    match id {
        FormatId::Json => object(
            r#"  "screenNNN": {
    "title": "Save “{name}” now",
    "hint": "It is kept for {days} days.\nThen it goes.",
    "files": "{count, plural, one {# file} other {# files}}"
  }"#,
        ),
        FormatId::I18next => object(
            r#"  "screenNNN": {
    "title": "Save “{{name}}” now",
    "hint": "It is kept for {{days}} days.\nThen it goes.",
    "files_one": "{{count}} file",
    "files_other": "{{count}} files"
  }"#,
        ),
        FormatId::Arb => object(
            r#"  "titleNNN": "Save {name} now",
  "@titleNNN": {
    "description": "The button of the screen",
    "placeholders": { "name": { "type": "String" } }
  },
  "filesNNN": "{count, plural, one {# file} other {# files}}""#,
        ),
        FormatId::LaravelJson => object(
            r#"  "Save :name number NNN now": "Save :name number NNN now",
  "It is kept for NNN days.": "It is kept for NNN days.",
  ":count file of NNN|:count files of NNN": ":count file of NNN|:count files of NNN""#,
        ),
        FormatId::Chrome => object(
            r#"  "titleNNN": {
    "message": "Save $NAME$ now",
    "description": "The button of the screen",
    "placeholders": {
      "name": { "content": "$1", "example": "a.txt" }
    }
  }"#,
        ),
        FormatId::Docusaurus => object(
            r#"  "theme.screenNNN.title": {
    "message": "Save {name} now",
    "description": "The button of the screen"
  },
  "theme.screenNNN.files": {
    "message": "One file|{count} files"
  }"#,
        ),
        FormatId::FormatJs => object(
            r#"  "screenNNN.title": {
    "defaultMessage": "Save <b>{name}</b> now",
    "description": "The button of the screen"
  },
  "screenNNN.files": {
    "defaultMessage": "{count, plural, one {# file} other {# files}}"
  }"#,
        ),
        FormatId::Properties => lines(
            "# Texts of the application\n\n",
            "# The button of the screen\nscreenNNN.title = Save {0} now\n\
             screenNNN.hint=It is kept for {0} days. \\\n    Then it goes.\nscreenNNN.name=Caf\\u00e9\n\n",
            "",
        ),
        FormatId::AppleStrings => lines(
            "",
            "/* The button of the screen */\n\"screenNNN.title\" = \"Save \\\"%@\\\" now\";\n\n\
             /* Below the button */\n\"screenNNN.hint\" = \"It is kept for %d days.\\nThen it goes.\";\n\n",
            "",
        ),
        FormatId::Gettext => lines(
            "# Texts\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\"MIME-Version: 1.0\\n\"\n\
             \"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\
             \"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 \
             : 2);\\n\"\n\n",
            "#. The button of the screen\n#: src/screen.c:NNN src/other.c:12\n#, c-format\n\
             msgid \"Save %s of NNN now\"\nmsgstr \"Сохранить %s из NNN\"\n\n\
             #: src/screen.c:NNN\n#, c-format\nmsgid \"\"\n\"It is kept for NNN days.\\n\"\n\"Then it goes.\"\nmsgstr \"\"\n\
             \"Это хранится NNN дней.\\n\"\n\"Потом уходит.\"\n\n\
             #, c-format\nmsgid \"%d file of NNN\"\nmsgid_plural \"%d files of NNN\"\nmsgstr[0] \"%d файл из NNN\"\n\
             msgstr[1] \"%d файла из NNN\"\nmsgstr[2] \"%d файлов из NNN\"\n\n",
            "",
        ),
        FormatId::Csv => lines(
            "key,source,target,comment\n",
            "screenNNN.title,Save {name} now,Jetzt {name} sichern,The button of the screen\n\
             screenNNN.hint,\"It is kept for days, then it goes.\",\"Es bleibt Tage, dann \"\"geht\"\" es.\",\n",
            "",
        ),
        FormatId::Xcstrings => Shape {
            head: "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n",
            unit: r#"    "screenNNN.title" : {
      "comment" : "The button of the screen",
      "localizations" : {
        "de" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "%@ jetzt sichern"
          }
        },
        "en" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "Save %@ now"
          }
        }
      }
    },
    "screenNNN.files" : {
      "localizations" : {
        "en" : {
          "variations" : {
            "plural" : {
              "one" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "%lld file"
                }
              },
              "other" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "%lld files"
                }
              }
            }
          }
        }
      }
    }"#,
            between: ",\n",
            tail: "\n  },\n  \"version\" : \"1.0\"\n}",
        },
        FormatId::Ini => lines(
            "; Texts of the application\n",
            "[screenNNN]\n; The button of the screen\ntitle = Save %s now\nhint = It is kept for %d days.\n\n",
            "",
        ),
        FormatId::Android => lines(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources xmlns:xliff=\"urn:oasis:names:tc:xliff:document:1.2\">\n",
            "    <!-- The button of the screen -->\n    <string name=\"screenNNN_title\">Don\\'t save <b><xliff:g id=\"name\" \
             example=\"a.txt\">%1$s</xliff:g></b> &amp; go</string>\n    <plurals name=\"screenNNN_files\">\n        \
             <item quantity=\"one\">%d file</item>\n        <item quantity=\"other\">%d files</item>\n    </plurals>\n",
            "</resources>\n",
        ),
        FormatId::Resx => lines(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<root>\n  <resheader name=\"resmimetype\">\n    \
             <value>text/microsoft-resx</value>\n  </resheader>\n",
            "  <data name=\"ScreenNNN_Title\" xml:space=\"preserve\">\n    <value>Save {0} &amp; go</value>\n    \
             <comment>The button of the screen</comment>\n  </data>\n  <data name=\"ScreenNNN_Hint\" \
             xml:space=\"preserve\">\n    <value>It is kept for {0} days.</value>\n  </data>\n",
            "</root>\n",
        ),
        FormatId::AppleStringsdict => lines(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
             \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n",
            "\t<key>screenNNN.files</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@files@</string>\n\
             \t\t<key>files</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\
             \t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t<key>NSStringFormatValueTypeKey</key>\n\t\t\t<string>d</string>\n\
             \t\t\t<key>one</key>\n\t\t\t<string>%d file &amp; more</string>\n\t\t\t<key>other</key>\n\
             \t\t\t<string>%d files &amp; more</string>\n\t\t</dict>\n\t</dict>\n",
            "</dict>\n</plist>\n",
        ),
        FormatId::Yaml => lines(
            "en:\n",
            "  screenNNN:\n    # The button of the screen\n    title: \"Save %{name} now\"\n    hint: It is kept for days\n    \
             long: |\n      It is kept for days.\n      Then it goes.\n    files:\n      one: \"%{count} file\"\n      \
             other: \"%{count} files\"\n",
            "",
        ),
        FormatId::Php => lines(
            "<?php\n\nreturn [\n",
            "    // The button of the screen\n    'screenNNN' => [\n        'title' => 'Don\\'t save :name now',\n        \
             'hint' => \"It is kept for :days days.\\nThen it goes.\",\n        'files' => ':count file|:count files',\n    ],\n",
            "];\n",
        ),
        FormatId::QtTs => lines(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"de\" \
             sourcelanguage=\"en\">\n<context>\n    <name>Screen</name>\n",
            "    <message>\n        <location filename=\"../screen.cpp\" line=\"NNN\"/>\n        <source>Don&apos;t save %1 of \
             NNN</source>\n        <extracomment>The button of the screen</extracomment>\n        <translation>%1 von NNN nicht \
             sichern</translation>\n    </message>\n    <message numerus=\"yes\">\n        <source>%n file(s) of \
             NNN</source>\n        <translation>\n            <numerusform>%n Datei von NNN</numerusform>\n            \
             <numerusform>%n Dateien von NNN</numerusform>\n        </translation>\n    </message>\n",
            "</context>\n</TS>\n",
        ),
        FormatId::Toml => lines(
            "# Texts of the application\n\n",
            "[screenNNN_title]\ndescription = \"The button of the screen\"\nother = \"Save {{.Name}} now\"\n\n\
             [screenNNN_files]\none = \"{{.Count}} file\"\nother = \"{{.Count}} files\"\n\n",
            "",
        ),
        FormatId::Xliff1 => lines(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff version=\"1.2\" \
             xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n  <file source-language=\"en\" target-language=\"de\" \
             datatype=\"plaintext\" original=\"a.strings\">\n    <body>\n",
            "      <trans-unit id=\"screenNNN.title\">\n        <source>Don't save <x id=\"1\" equiv-text=\"{{name}}\"/> \
             &amp; go</source>\n        <target state=\"translated\"><x id=\"1\" equiv-text=\"{{name}}\"/> nicht \
             sichern</target>\n        <note>The button of the screen</note>\n      </trans-unit>\n      <trans-unit \
             id=\"screenNNN.hint\">\n        <source>It is kept for <g id=\"2\">some</g> days.</source>\n      \
             </trans-unit>\n",
            "    </body>\n  </file>\n</xliff>\n",
        ),
        FormatId::Xliff2 => lines(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" \
             version=\"2.0\" srcLang=\"en\" trgLang=\"de\">\n  <file id=\"f1\">\n",
            "    <unit id=\"screenNNN.title\">\n      <notes>\n        <note>The button of the screen</note>\n      </notes>\n      \
             <segment state=\"translated\">\n        <source>Don't save <ph id=\"1\"/> &amp; go</source>\n        \
             <target><ph id=\"1\"/> nicht sichern</target>\n      </segment>\n    </unit>\n    <unit \
             id=\"screenNNN.hint\">\n      <segment>\n        <source>It is kept for <pc id=\"2\">some</pc> \
             days.</source>\n      </segment>\n    </unit>\n",
            "  </file>\n</xliff>\n",
        ),
        FormatId::Fluent => lines(
            "### Texts of the application\n\n",
            "# The button of the screen\nscreenNNN-title = Save { $name } now\n    .tooltip = It is kept for days\n\
             screenNNN-hint =\n    It is kept for { NUMBER($days) } days.\n    Then it goes.\nscreenNNN-files = { $count ->\n    \
             [one] { $count } file\n   *[other] { $count } files\n}\n\n",
            "",
        ),
    }
}
