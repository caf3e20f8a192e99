use l10n_api_types::{Check, Content, Plural, PluralCategory, Severity};
use proptest::prelude::*;

use super::{Checker, Facts, check, has_error};

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn plural(forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, form)| (*category, (*form).to_owned())).collect();
    Content::Plural(Plural { arg: "count".to_owned(), forms })
}

/// The checks that object, from English into a language.
fn found(source: &str, target: &str, language: &str) -> Vec<Check> {
    check(&text(source), &text(target), "en", language, None).into_iter().map(|issue| issue.check).collect()
}

/// Cases of source, translation, its language and the checks that object.
fn expect(cases: &[(&str, &str, &str, &[Check])]) {
    for (source, target, language, checks) in cases {
        assert_eq!(found(source, target, language), *checks, "{source} → {target} ({language})");
    }
}

#[test]
fn placeholders_must_all_come_back() {
    let lost: &[Check] = &[Check::Placeholders];
    expect(&[
        ("Hi {name}", "Hallo {name}", "de", &[]),
        ("Hi {name}", "Hallo", "de", lost),
        ("Hi", "Hallo {name}", "de", lost),
        ("{a} and {a}", "{a} und", "de", lost),
        ("Hi {name}", "Hallo {Name}", "de", lost),
        ("{{ count }} new of {{total}}", "{{total}}, neu: {{count}}", "de", &[]),
        ("{{- name}} left", "{{name}} ging", "de", lost),
        ("On {d, date, short}", "Am {d, date, dd.MM.}", "de", &[]),
        ("%s of %s", "%2$s: %1$s", "de", &[]),
        ("%d of %s", "%s: %d", "de", lost),
        ("%@ is here", "%s ist hier", "de", lost),
        ("100%% of it", "alles", "de", &[Check::Placeholders, Check::Numbers]),
        ("%{a} ${b} $t(c) %(d)s", "$t(c) %{a} %(d)s ${b}", "de", &[]),
        ("%{a} ${b}", "%{a} $b", "de", lost),
    ]);
    // `%%` counts softly.
    assert!(!has_error(&check(&text("50%% off"), &text("die Hälfte"), "en", "de", None)));
}

#[test]
fn an_issue_says_where_in_unicode_scalar_values() {
    let issues = check(&text("Hi"), &text("Grüß 😀 {name}!"), "en", "de", None);
    let issue = &issues[0];
    assert_eq!(
        (issue.check, issue.severity, issue.start, issue.end),
        (Check::Placeholders, Severity::Error, Some(7), Some(13))
    );
    assert_eq!(issue.message, "placeholders: more than in the source `{name}`");
    let issues = check(&text("{n, plural, one {a} other {b}}"), &text("ü {n, plural, other {b}"), "en", "ja", None);
    assert_eq!((issues[0].check, issues[0].start), (Check::IcuSyntax, Some(23)));
}

#[test]
fn messages_are_compared_by_the_names_of_their_arguments() {
    let source = "{n, plural, one {# file in {dir}} other {# files in {dir}}}";
    expect(&[
        (source, "{n, plural, one {# Datei in {dir}} other {# Dateien in {dir}}}", "de", &[]),
        (source, "{dir}: {n, plural, one {eine Datei} other {# Dateien}}", "de", &[]),
        (source, "{n, plural, one {# Datei} other {# Dateien}}", "de", &[Check::Placeholders]),
        (source, "{n, plural, one {# Datei in {dir}} other {Dateien in {dir}}}", "de", &[Check::Placeholders]),
        (source, "{n, plural, one {# Datei in {dir}} other {{n} Dateien in {dir}}}", "de", &[]),
        (source, "{n, plural, one {# Datei in {dir}}}", "de", &[Check::IcuSyntax]),
        (source, "{n, plural, other {{dir}に#個}}", "ja", &[]),
        (source, "{n, plural, one {# {dir}} few {# {dir}} other {# {dir}}}", "ru", &[Check::PluralCategories]),
        (source, "{n, plural, =1 {eine in {dir}} other {# in {dir}}}", "de", &[]),
        ("{g, select, f {she} other {they}}", "{g, select, f {sie} other {man}}", "de", &[]),
        ("{g, select, f {she} other {they}}", "{g, select, w {sie} other {man}}", "de", &[Check::IcuSyntax]),
        ("{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}", "{n, selectordinal, other {#.}}", "de", &[]),
    ]);
    let broken = check(&text("{n, plural, one {x}}"), &text("x"), "en", "de", None);
    assert!(broken[0].message.starts_with("the source is not an ICU message"), "{broken:?}");
}

#[test]
fn two_choices_on_one_argument_may_change_places() {
    let source = "{n, plural, one {# file} other {# files}} {n, plural, one {was} other {were}} deleted";
    expect(&[
        (source, source, "en", &[]),
        (source, "{n, plural, one {wurde} other {wurden}} {n, plural, one {# Datei} other {# Dateien}}", "de", &[]),
    ]);
}

#[test]
fn a_plural_has_all_categories_of_its_language() {
    use PluralCategory::{Few, Many, One, Other};
    let source = plural(&[(One, "{{count}} file"), (Other, "{{count}} files")]);
    let russian = plural(&[(One, "{{count}} a"), (Few, "{{count}} b"), (Many, "{{count}} c"), (Other, "{{count}} d")]);
    assert_eq!(check(&source, &russian, "en", "ru", None), []);
    let issues = check(&source, &plural(&[(One, "{{count}} a"), (Other, "{{count}} d")]), "en", "ru", None);
    assert_eq!(issues.len(), 1);
    assert_eq!(issues[0].message, "the plural lacks `few`, `many`");
    assert!(has_error(&check(&source, &text("{{count}} Dateien"), "en", "de", None)));
    assert!(has_error(&check(&text("files"), &russian, "en", "ru", None)));
}

/// Flutter's generator makes one form of `=1` and `one`, and so with `=0` and `=2`.
#[test]
fn exact_numbers_stand_for_zero_one_and_two() {
    let source = "{n, plural, =0{none} =1{1 item} other{{n} items}}";
    expect(&[
        (source, "{n,plural,=0{нет}=1{1 файл}few{{n} файла}many{{n} файлов}other{{n} файла}}", "ru", &[]),
        (source, "{n,plural,=1{1 файл}few{{n} файла}other{{n} файла}}", "ru", &[Check::PluralCategories]),
        (source, "{n,plural,=1{1}few{{n}}many{{n}}other{{n}}}", "pl", &[]),
        (source, "{n,plural,=0{a}=1{1 b}=2{c}few{{n} d}many{{n} e}other{{n} f}}", "ar", &[]),
        (source, "{n,plural,=0{a}=1{1 b}few{{n} d}many{{n} e}other{{n} f}}", "ar", &[Check::PluralCategories]),
        (source, "{n,plural,=0{a}=1{1 b}=2{c}other{{n} f}}", "cy", &[Check::PluralCategories]),
        (
            "{n, selectordinal, =1{#st} other{#th}}",
            "{n, selectordinal, =1{#a} other{#o}}",
            "it",
            &[Check::PluralCategories],
        ),
    ]);
}

#[test]
fn a_category_of_millions_or_fractions_may_be_left_out() {
    expect(&[
        ("{n, plural, one {# a} other {# b}}", "{n, plural, one {# c} other {# d}}", "es", &[]),
        ("{n, plural, one {# a} other {# b}}", "{n, plural, one {# c} few {# d} other {# e}}", "cs", &[]),
        ("{n, plural, one {# a} other {# b}}", "{n, plural, one {# c} other {# e}}", "cs", &[Check::PluralCategories]),
    ]);
}

#[test]
fn names_in_angle_brackets_are_prose() {
    expect(&[("Visit http://<some address>:80", "http://<eine Adresse>:80 öffnen", "de", &[])]);
}

#[test]
fn each_plural_form_is_held_against_the_matching_source_form() {
    use PluralCategory::{Few, Many, One, Other};
    let source = plural(&[(One, "One file in {{dir}}"), (Other, "{{count}} files in {{dir}}, of {{all}}")]);
    let russian = |few| {
        plural(&[
            (One, "{{count}} файл в {{dir}}"),
            (Few, few),
            (Many, "{{count}} файлов в {{dir}}, {{all}}"),
            (Other, "{{count}} файла в {{dir}}, {{all}}"),
        ])
    };
    assert_eq!(check(&source, &russian("{{count}} файла в {{dir}}, {{all}}"), "en", "ru", None), []);
    let issues = check(&source, &russian("файла в {{dir}}, {{all}}"), "en", "ru", None);
    assert_eq!(issues[0].message, "form `few`: placeholders: missing `{{count}}`");
    let german = plural(&[(One, "Eine Datei in {{dir}}"), (Other, "{{count}} Dateien in {{dir}} von {{all}}")]);
    assert_eq!(check(&source, &german, "en", "de", None), []);
    // French counts 0 as `one`, which is `other` in English.
    let french =
        |one| plural(&[(One, one), (Many, "{{count}} de {{dir}} {{all}}"), (Other, "{{count}} dans {{dir}}, {{all}}")]);
    for one in ["Un fichier dans {{dir}}", "{{count}} fichier dans {{dir}} ({{all}})"] {
        assert_eq!(check(&source, &french(one), "en", "fr", None), [], "{one}");
    }
}

#[test]
fn the_one_form_may_do_without_its_number() {
    use PluralCategory::{One, Other};
    let source = plural(&[(One, "%d item, 1 day"), (Other, "%d items")]);
    assert_eq!(check(&source, &plural(&[(One, "ein Ding"), (Other, "%d Dinge")]), "en", "de", None), []);
    assert!(has_error(&check(&source, &plural(&[(One, "ein Ding"), (Other, "Dinge")]), "en", "de", None)));
}

#[test]
fn tags_must_come_back_and_be_closed_in_order() {
    let tags: &[Check] = &[Check::Tags];
    expect(&[
        ("<b>Save</b> now", "Jetzt <b>sichern</b>", "de", &[]),
        ("<b>Save</b> now", "Jetzt <b>sichern", "de", tags),
        ("<b>Save</b> now", "Jetzt </b>sichern<b>", "de", tags),
        ("<b><i>Save</i></b>", "<i><b>Sichern</i></b>", "de", tags),
        ("a<br>b <0>c</0>", "d<br />e <0>f</0>", "de", &[]),
        ("See <img src=\"a\" alt=\"a dog\">", "Sieh <img src=\"a\" alt=\"ein kleiner Hund\">", "de", &[]),
        ("Opens with <b>", "Beginnt mit <b>", "de", &[]),
        ("Tom & Jerry &amp; more", "Tom und Jerry und mehr", "de", &[]),
    ]);
}

#[test]
fn markup_that_can_run_scripts_is_refused_unless_the_source_has_it() {
    let dangerous = [
        "<ScRiPt>alert(1)</script>",
        "<script src=x",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<a title=\">\" onclick = \"x()\">y</a>",
        "<a title=\"> <img src=x onerror=alert(1)>",
        "<a href=\"java\tscript:alert(1)\">x</a>",
        "<a href=' &#106;avascript&colon;alert(1)'>x</a>",
        "[x](javascript:alert(1))",
        "javascript:alert(1)",
    ];
    for target in dangerous {
        assert!(found("Hello there", target, "de").contains(&Check::UnsafeHtml), "{target}");
        assert!(!has_error(&check(&text(target), &text(target), "en", "de", None)), "{target}");
    }
    for harmless in [
        "JavaScript: die guten Teile",
        "Bewegung on = an",
        "<b>on</b> x=1",
        "a < b on=c",
        "script",
        "<a title=\"x on=1\">y</a>",
    ] {
        assert!(!found("Hello there", harmless, "de").contains(&Check::UnsafeHtml), "{harmless}");
    }
}

#[test]
fn a_translation_is_neither_empty_nor_too_long() {
    use PluralCategory::{One, Other};
    expect(&[("Save", " ", "de", &[Check::Empty]), ("", "", "de", &[]), (" ", "", "de", &[])]);
    let files = plural(&[(One, "file"), (Other, "files")]);
    let issues = check(&files, &plural(&[(One, ""), (Other, "Dateien")]), "en", "de", Some(5));
    let messages: Vec<_> = issues.iter().map(|issue| issue.message.as_str()).collect();
    assert_eq!(
        messages,
        ["form `one`: the translation is empty and the source is not", "form `other`: 7 characters, and 5 are allowed"]
    );
    assert_eq!((issues[1].start, issues[1].end), (Some(5), Some(7)));
    assert_eq!(check(&text("größe"), &text("größe"), "de", "de", Some(5)), []);
    let message = text("{n, plural, one {1 b} other {# bs}}");
    assert_eq!(check(&message, &message, "en", "en", Some(4)), []);
    assert!(has_error(&check(&message, &message, "en", "en", Some(3))));
}

#[test]
fn white_space_and_line_breaks_are_those_of_the_source() {
    expect(&[
        ("Name: ", "Imię: ", "pl", &[]),
        ("Name: ", "Imię:", "pl", &[Check::EdgeWhitespace]),
        ("Name", " Imię", "pl", &[Check::EdgeWhitespace]),
        ("Name: ", "名前：", "ja", &[]),
        ("a\nb", "c d", "pl", &[Check::Newlines]),
        ("a\r\nb", "c\nd", "pl", &[]),
    ]);
}

#[test]
fn end_punctuation_is_that_of_the_language() {
    let warned: &[Check] = &[Check::EndPunctuation];
    expect(&[
        ("Really?", "Αλήθεια;", "el", &[]),
        ("Saved.", "保存しました。", "ja", &[]),
        ("Save?", "保存？", "ja", &[]),
        ("Save?", "保存しますか。", "ja", &[]),
        ("Wait!", "等一下！", "zh", &[]),
        ("Name:", "名前：", "ja", &[]),
        ("Really?", "حقا؟", "ar", &[]),
        ("Sure?", "¿Seguro?", "es", &[]),
        ("Sure?", "Seguro?", "es", warned),
        ("Loading...", "Lädt…", "de", &[]),
        ("Loading…", "Lädt.", "de", warned),
        ("Saved.", "Gesichert", "de", warned),
        ("Saved", "Gesichert.", "de", warned),
        ("Saved.", "บันทึกแล้ว", "th", &[]),
        ("He said \"no.\"", "Er sagte „nein.“", "de", &[]),
        ("Leave?", "[Ļéåṽé?]", "fr", &[]),
        ("<b>Sure?</b>", "<b>Sicher?</b>", "de", &[]),
        ("<b>Sure?</b>", "<b>Sicher</b>", "de", warned),
        ("Sure?", "Sûr\u{a0}?", "fr", &[]),
    ]);
}

#[test]
fn numbers_are_those_of_the_source_in_any_script() {
    let warned: &[Check] = &[Check::Numbers];
    expect(&[
        ("1,000.50 on 12/31", "am 31.12. 1.000,50", "de", &[]),
        ("10000 files", "10 000 fichiers", "fr", &[]),
        ("5 files", "٥ ملفات", "ar", &[]),
        ("5 files", "6 Dateien", "de", warned),
        ("5 files", "fünf Dateien", "de", warned),
        ("{0} of %1$s &#8230;", "%1$s von {0} …", "de", &[]),
        ("January", "1月", "ja", &[]),
    ]);
}

#[test]
fn addresses_are_those_of_the_source_but_for_the_language() {
    expect(&[
        ("See https://a.org/en/x.", "Siehe https://a.org/de/x.", "de", &[]),
        ("See https://en.a.org/", "Siehe https://de.a.org", "de", &[]),
        ("See https://a.org/x", "Siehe https://b.org/x", "de", &[Check::Urls]),
        ("See https://a.org/x", "Siehe dort", "de", &[Check::Urls]),
    ]);
}

#[test]
fn a_text_left_as_it_was_is_noticed_unless_it_is_a_name() {
    expect(&[
        ("Save all changes", "Save all changes", "de", &[Check::SameAsSource]),
        ("Save all changes", "Save all changes", "en-GB", &[]),
        ("{count} / {total}", "{count} / {total}", "de", &[]),
        ("Status", "Status", "de", &[]),
        ("GitHub API", "GitHub API", "de", &[]),
        ("12:30", "12:30", "de", &[]),
    ]);
}

#[test]
fn a_doubled_word_is_noticed_but_not_across_a_placeholder() {
    let warned: &[Check] = &[Check::DoubledWord];
    expect(&[
        ("in the house", "in dem dem Haus", "de", warned),
        ("the {a} the", "les {a} les", "fr", &[]),
        ("Bora Bora trip", "Reise nach Bora Bora", "de", &[]),
        ("you sit", "vous vous asseyez", "fr", &[]),
        ("slowly now", "yavaş yavaş şimdi", "tr", &[]),
        ("no way", "nein, nein", "de", &[]),
    ]);
}

/// Texts made of the parts that the checks look for.
fn any_text() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(vec![
        "{",
        "}",
        "{n}",
        "{n, plural, one {",
        "other {#",
        "}}",
        "{{count}}",
        "%s",
        "%1$d",
        "%%",
        "%d",
        "<b>",
        "</b>",
        "<br/>",
        "<a onx=",
        "javascript:",
        "&#106;",
        "'",
        "\"",
        "#",
        " ",
        "\n",
        "the ",
        "5",
        "٣",
        "é",
        "😀",
        ".",
        "…",
        "؟",
        "[",
        "]",
        "https://a.org/en",
        "{g, select, other {x}}",
        "{n, plural, one {a} other {# b}}",
        "=",
        "\u{a0}",
        "word",
    ]);
    prop_oneof![proptest::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat()), any::<String>()]
}

fn any_content() -> impl Strategy<Value = Content> {
    let form = proptest::option::of(any_text());
    let forms = (proptest::array::uniform5(form), any_text()).prop_map(|(some, other)| {
        let categories = PluralCategory::ALL.iter().copied();
        let forms = categories.zip(some.into_iter().chain([Some(other)]));
        Content::Plural(Plural {
            arg: "count".to_owned(),
            forms: forms.filter_map(|(category, form)| Some((category, form?))).collect(),
        })
    });
    prop_oneof![any_text().prop_map(Content::Text), forms]
}

fn language() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec!["en", "de", "fr", "ru", "cs", "ar", "ja", "el", "es", "cy", "xx", ""])
}

proptest! {
    #[test]
    fn nothing_makes_the_checks_panic(
        source in any_content(), target in any_content(), from in language(), to in language(), most in proptest::option::of(0_u32..40)
    ) {
        for issue in check(&source, &target, from, to, most) {
            prop_assert!(issue.start <= issue.end && issue.start.is_some() == issue.end.is_some());
        }
    }

    #[test]
    fn a_sound_text_is_no_error_against_itself(content in any_content(), language in language()) {
        let issues = Checker::new(language, language).check(&content, &content, Facts::default());
        // Syntax and categories may be wrong in a random text; nothing else can differ.
        let unsound = |check| matches!(check, Check::IcuSyntax | Check::PluralCategories);
        let errors: Vec<_> = issues.iter().filter(|issue| issue.severity == Severity::Error && !unsound(issue.check)).collect();
        prop_assert!(errors.is_empty(), "{errors:?}");
    }
}
