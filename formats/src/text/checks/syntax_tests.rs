//! Checks of texts whose syntax is known, and of texts as they stand in a file.

use l10n_api_types::{Check, Content, FormatId, Plural, PluralCategory, Severity};

use super::{Checker, Facts, check};
use crate::text::{Brace, Printf, Syntax};

const JAVA: Syntax = Syntax::Printf(Printf::Java);

/// The checks that object, from English into a language.
fn found(facts: Facts, source: &str, target: &str, language: &str) -> Vec<(Check, Severity)> {
    let (source, target) = (Content::Text(source.to_owned()), Content::Text(target.to_owned()));
    let issues = Checker::new("en", language).check(&source, &target, facts);
    issues.into_iter().map(|issue| (issue.check, issue.severity)).collect()
}

fn expect(syntax: Syntax, in_file: Option<FormatId>, cases: &[(&str, &str, &str, Option<Check>)]) {
    for (source, target, language, check) in cases {
        let facts = Facts { syntax, in_file, max_length: None };
        let checks: Vec<Check> = found(facts, source, target, language).into_iter().map(|(check, _)| check).collect();
        assert_eq!(checks, check.iter().copied().collect::<Vec<_>>(), "{source} → {target} ({language})");
    }
}

#[test]
fn what_is_a_placeholder_elsewhere_is_a_word_here() {
    expect(
        Syntax::Brace(Brace::CSharp),
        None,
        &[
            ("{{all}} of {0}", "{0} von {{allen}}", "de", None),
            ("{0,-5:N2} left", "{0} übrig", "de", None),
            ("{0} left", "{1} übrig", "de", Some(Check::Placeholders)),
        ],
    );
    expect(
        Syntax::Fluent,
        None,
        &[
            ("100 %d of { $all }", "100 %s von {$all}", "de", None),
            ("{ NUMBER($n, x: 2) } left", "{ NUMBER($n) } übrig", "de", None),
        ],
    );
    expect(JAVA, None, &[("{name} of %s", "{Name} von %s", "de", None)]);
    expect(
        Syntax::Printf(Printf::Qt),
        None,
        &[
            ("%1 of %L2", "%2 von %1", "de", None),
            ("%1 of %2", "%1", "de", Some(Check::Placeholders)),
            ("&Open", "Ö&ffnen", "de", None),
            ("&Open", "Öffnen", "de", Some(Check::Accelerator)),
            ("Salt && oil", "Salz und Öl", "de", None),
        ],
    );
}

/// Each row has a source, a translation that keeps its placeholder, one that loses it, and one that changes it. `msgfmt -c`
/// refuses the last two wherever it knows the syntax.
#[test]
fn placeholders_of_every_syntax_are_neither_lost_nor_changed() {
    let (c, objc, python, php, ruby) = (
        Syntax::Printf(Printf::C),
        Syntax::Printf(Printf::Objc),
        Syntax::Printf(Printf::Python),
        Syntax::Printf(Printf::Php),
        Syntax::Printf(Printf::Ruby),
    );
    let (python_brace, csharp) = (Syntax::Brace(Brace::Python), Syntax::Brace(Brace::CSharp));
    for (syntax, placeholder, changed) in [
        (python, "%(price).2f", "%(preis).2f"),
        (python, "%(num)05d", "%(zahl)05d"),
        (python, "%(num)-10s", "%(zahl)-10s"),
        (python, "%(user name)s", "%(name)s"),
        (python, "% d", "%s"),
        (python, "%*d", "%*s"),
        (python, "%r", "%d"),
        (Syntax::Mixed, "%(price).2f", "%(preis).2f"),
        (Syntax::Mixed, "%(num)05d", "%(zahl)05d"),
        (c, "%.*s", "%.*d"),
        (c, "%*d", "%d"),
        (c, "% d", "% s"),
        (c, "%'d", "%'s"),
        (c, "IPv4%s", "IPv4%d"),
        (c, "MP3%1$s", "MP3%1$d"),
        (c, "%<PRIu64>", "%s"),
        (objc, "IPv4%@", "IPv4%d"),
        (objc, "MP3%1$@", "MP3%1$d"),
        (JAVA, "IPv4%s", "IPv4%d"),
        (JAVA, "MP3%1$s", "MP3%1$d"),
        (JAVA, "%1$tB", "%1$tY"),
        (JAVA, "%1$tHh%1$tM", "%1$tHh"),
        (JAVA, "%h", "%s"),
        (JAVA, "%1$,.2f", "%1$s"),
        (php, "%'.10d", "%'.10s"),
        (php, "%b", "%s"),
        (php, "IPv4%s", "IPv4%d"),
        (ruby, "%.2f", "%s"),
        (ruby, "%<a>.2f", "%<b>.2f"),
        (ruby, "%{a}", "%{b}"),
        (python_brace, "{:.1f}", "{a:.1f}"),
        (python_brace, "{:?}", "{a:?}"),
        (python_brace, "{items[0]}", "{items[1]}"),
        (python_brace, "{when:%d %B %Y}", "{wann:%d %B %Y}"),
        (python_brace, "{0!r:>{1}}", "{2!r:>{1}}"),
        (csharp, "{0:dd MMM yyyy}", "{1:dd MMM yyyy}"),
        (csharp, "{0:h:mm tt}", "{1:h:mm tt}"),
        (Syntax::I18next, "${items[0]}", "${items[1]}"),
        (Syntax::Mixed, "${items[0]}", "${items[1]}"),
        (Syntax::Laravel, ":current/:total", ":current/:all"),
        (Syntax::Mixed, ":current/:total", ":current/:all"),
        // In addresses and tags.
        (Syntax::Mixed, "https://a.org/{id}/x", "https://a.org/{uid}/x"),
        (Syntax::Mixed, "https://a.org/%d0%bf?x=%s", "https://a.org/%d0%bf?x=%d"),
        (Syntax::Laravel, "https://a.org/:id", "https://a.org/:uid"),
        (Syntax::Mixed, "<img title=\"{name}\"/>", "<img title=\"{Name}\"/>"),
        (Syntax::Mixed, "<img alt=\"%(name)s\"/>", "<img alt=\"%(n)s\"/>"),
        (Syntax::I18next, "<img alt='a {{name}} b'/>", "<img alt='a {{n}} b'/>"),
        (Syntax::Fluent, "<img title=\"{ $name }\"/>", "<img title=\"{ $n }\"/>"),
        (Syntax::Fluent, "https://a.org/{ $id }/x", "https://a.org/{ $uid }/x"),
    ] {
        let facts = Facts { syntax, ..Facts::default() };
        let has_error = |target: &str| {
            let found = found(facts, &format!("from {placeholder} on"), target, "de");
            found.contains(&(Check::Placeholders, Severity::Error))
                || found.contains(&(Check::PlaceholderType, Severity::Error))
        };
        let shown = || format!("{placeholder} ({})", syntax.as_str());
        assert!(!has_error(&format!("ab {placeholder}")), "kept: {}", shown());
        assert!(has_error("ab"), "lost: {}", shown());
        assert!(has_error(&format!("ab {changed}")), "changed to {changed}: {}", shown());
    }
}

/// The type of a value is compared, and the format of one with a name may be that of another language.
#[test]
fn formats_of_dates_and_the_order_of_widths_are_the_translators() {
    let python = Syntax::Brace(Brace::Python);
    expect(python, None, &[("on {when:%B %d, %Y}", "am {when:%d. %B %Y}", "de", None)]);
    expect(Syntax::Brace(Brace::CSharp), None, &[("on {0:MMM dd, yyyy}", "am {0:dd. MMM yyyy}", "de", None)]);
    expect(Syntax::Printf(Printf::C), None, &[("%*d of %s", "%3$s: %2$*1$d", "de", None)]);
    let text = [("off of 100", "100 % der", "de", None), ("100 files", "100%-Zeichen", "de", None)];
    expect(Syntax::Mixed, None, &text);
    expect(JAVA, None, &text);
}

/// A branch is all that a reader sees. `one` may do without its number, and without the tags around it.
#[test]
fn what_all_branches_of_the_source_show_is_in_all_branches_of_the_translation() {
    let (placeholders, tags) = (Some(Check::Placeholders), Some(Check::Tags));
    let files = "{n, plural, one {# file in {dir}} other {# files in {dir}}}";
    let bold = "{n, plural, one {<b>#</b> file <i>a</i>} other {<b>#</b> files <i>a</i>}}";
    let nested = "{g, select, f {{n, plural, one {{x} a} other {{x} #}}} other {{x}}}";
    expect(
        Syntax::Icu,
        None,
        &[
            (files, "{n, plural, one {eine Datei in {dir}} other {# Dateien in {dir}}}", "de", None),
            (files, "{n, plural, one {eine Datei in {dir}} other {# Dateien}}", "de", placeholders),
            (files, "{n, plural, one {eine Datei} other {# Dateien in {dir}}}", "de", placeholders),
            (files, "{n, plural, =0 {nichts in {dir}} one {eins in {dir}} other {# in {dir}}}", "de", None),
            ("{n} files of {who}", "{n, plural, one {eine von {who}} other {{n} von {who}}}", "de", None),
            ("{n} files of {who}", "{n, plural, one {eine von {who}} other {{n} Dateien}}", "de", placeholders),
            // What the source itself shows in some branches.
            ("{n, plural, one {a} other {# in {dir}}}", "{n, plural, one {ein} other {# in {dir}}}", "de", None),
            ("{n, plural, one {one} other {{n} b}}", "{n, plural, one {eins} other {{n} c}}", "de", None),
            (nested, "{g, select, f {{n, plural, one {{x}} other {{x} #}}} other {{x}}}", "de", None),
            (nested, "{g, select, f {{n, plural, one {b} other {{x} #}}} other {{x}}}", "de", placeholders),
            (bold, "{n, plural, one {eine Datei <i>b</i>} other {<b>#</b> Dateien <i>b</i>}}", "de", None),
            (bold, "{n, plural, one {<b>#</b> Datei} other {<b>#</b> Dateien <i>b</i>}}", "de", tags),
            (bold, "{n, plural, one {<b>#</b> Datei <i>b</i>} other {# Dateien <i>b</i>}}", "de", tags),
        ],
    );
    let fluent = "{ $n ->\n [one] One file of { $who }\n *[other] { $n } files of { $who }\n}";
    expect(
        Syntax::Fluent,
        None,
        &[
            (fluent, "{ $n ->\n [1] Eine von { $who }\n *[other] { $n } von { $who }\n}", "de", None),
            (fluent, "{ $n ->\n [one] Eine\n *[other] { $n } von { $who }\n}", "de", placeholders),
            (fluent, "{ $n ->\n [one] Eine von { $who }\n *[other] Dateien von { $who }\n}", "de", placeholders),
        ],
    );
    expect(
        Syntax::Laravel,
        None,
        &[
            (":count file of :who|:count files of :who", "ein Ding von :who|:count Dinge von :who", "de", None),
            (":count file of :who|:count files of :who", "ein Ding|:count Dinge von :who", "de", placeholders),
            ("<b>:count</b> file|<b>:count</b> files", "ein Ding|<b>:count</b> Dinge", "de", None),
        ],
    );
    let facts = Facts { syntax: Syntax::Icu, ..Facts::default() };
    let of = |text: &str| Content::Text(text.to_owned());
    let target = of("{n, plural, one {eine Datei} other {# Dateien in {dir}}}");
    let issues = Checker::new("en", "de").check(&of(files), &target, facts);
    assert_eq!(issues[0].message, "placeholders: missing in some branches `{dir}`");
}

#[test]
fn addresses_are_shown_as_they_stand() {
    let of = |text: &str| Content::Text(text.to_owned());
    let (source, target) = (of("See https://a.org/en/x?l=en/"), of("Siehe https://b.org/de/x."));
    let issues = Checker::new("en", "de").check(&source, &target, Facts::default());
    let urls = issues.iter().find(|issue| issue.check == Check::Urls).unwrap();
    let expected = "addresses: missing `https://a.org/en/x?l=en/`; not in the source `https://b.org/de/x`";
    assert_eq!((urls.message.as_str(), urls.start), (expected, Some(6)));
}

#[test]
fn references_lead_to_what_the_source_refers_to() {
    let other = Some(Check::References);
    expect(
        Syntax::Fluent,
        None,
        &[
            ("{ -brand } runs", "Es läuft", "de", other),
            ("{ -brand } runs", "{ -marke } läuft", "de", other),
            // Each language asks a term for its own forms.
            ("{ -brand } runs", "{-brand(case: \"genitive\")} läuft", "de", None),
            ("See { menu.label }", "Siehe {menu.label}", "de", None),
            ("See { menu.label }", "Siehe { menu }", "de", other),
            ("Press { ok } now", "Drücken Sie jetzt { ok }", "de", None),
            ("{ DATETIME($at) } now", "jetzt { DATETIME($at) }", "de", None),
        ],
    );
    expect(
        Syntax::I18next,
        None,
        &[
            ("$t(a.b) and {{x}}", "{{x}} und $t( a.b )", "de", None),
            ("$t(a.b) and {{x}}", "{{x}} und $t(a.c)", "de", other),
        ],
    );
    expect(
        Syntax::Vue,
        None,
        &[("See @:a.b and {x}", "{x} und @:a.c", "de", other), ("See @:a", "Siehe @:a", "de", None)],
    );
}

/// Languages have selectors of their own, and a text may do without one; the default variant is needed.
#[test]
fn selectors_of_fluent_are_read_in_their_variants() {
    let source = "{ $who } { $gender ->\n    [male] likes his { $thing }\n   *[other] likes their { $thing }\n}";
    let none: Option<Check> = None;
    for (target, check) in [
        ("{ $who } mag { $thing }", none),
        ("{ $who } { $gender ->\n    [female] mag ihr { $thing }\n   *[male] mag sein { $thing }\n}", none),
        ("{ $who } { -brand.gender ->\n    [a] mag { $thing }\n   *[b] mag { $thing }\n}", none),
        ("{ $who } { $gender ->\n    [male] mag\n   *[other] mag\n}", Some(Check::Placeholders)),
        ("{ $who } { $sex ->\n    [male] mag { $thing }\n   *[other] mag { $thing }\n}", Some(Check::Placeholders)),
        ("{ $who } { $gender ->\n    [male] mag { $thing }\n}", Some(Check::References)),
    ] {
        expect(Syntax::Fluent, None, &[(source, target, "de", check)]);
    }
}

/// A language may have more or fewer parts than the source.
#[test]
fn parts_between_bars_are_branches() {
    expect(
        Syntax::Laravel,
        None,
        &[
            (":count file|:count files", ":count plik|:count pliki|:count plików", "pl", None),
            (":count file|:count files", "ファイル", "ja", Some(Check::Placeholders)),
            (":count file|:count files", ":count 個", "ja", None),
            (
                "{0} none|{1} one by :name|[2,*] :count by :name",
                "{0} nic|{1} jeden|[2,*] :count",
                "pl",
                Some(Check::Placeholders),
            ),
        ],
    );
    let docusaurus = Syntax::Brace(Brace::Named);
    expect(docusaurus, None, &[("One post|{count} posts", "Jeden wpis|{count} wpisy|{count} wpisów", "pl", None)]);
    expect(
        Syntax::Vue,
        None,
        &[("{n} <b>car</b> | {n} <b>cars</b>", "{n} <b>auto</b> | {n} <b>auta</b> | {n} <b>aut</b>", "pl", None)],
    );
}

/// aapt2 takes quotes away that are not escaped.
#[test]
fn quotes_around_a_value_do_not_make_another_tag() {
    expect(
        JAVA,
        Some(FormatId::Android),
        &[
            ("<a href=#>more</a> here", "<a href=\"#\">mehr</a> hier", "de", None),
            ("<a href='#' class=\"a b\">more</a> here", "<a href=# class=\"a b\">mehr</a> hier", "de", None),
            ("<a href=#>more</a> here", "<a href=\"#top\">mehr</a> hier", "de", Some(Check::Tags)),
        ],
    );
}

#[test]
fn a_placeholder_of_another_type_is_told_from_one_that_is_lost() {
    expect(
        JAVA,
        None,
        &[
            ("%1$d of %2$s", "%2$s: %1$s", "de", Some(Check::PlaceholderType)),
            ("%1$d of %2$s", "%2$s", "de", Some(Check::Placeholders)),
        ],
    );
    expect(
        Syntax::Brace(Brace::JavaMessage),
        None,
        &[
            ("on {0,date}", "am {0,time}", "de", Some(Check::PlaceholderType)),
            ("on {0,date,short}", "am {0,date,long}", "de", None),
        ],
    );
}

#[test]
fn signs_that_are_read_as_something_else_are_errors() {
    let escapes = Some(Check::FormatEscapes);
    expect(JAVA, None, &[("%1$s of %2$s", "%2$s von %1$s", "de", None), ("%s of %s", "%s von %s", "de", None)]);
    let facts = Facts { syntax: JAVA, ..Facts::default() };
    let two = found(facts, "%1$s of %2$s", "%s von %s", "de");
    assert!(two.contains(&(Check::FormatEscapes, Severity::Error)), "{two:?}");
    expect(
        Syntax::Vue,
        None,
        &[
            ("Mail to us", "Mail an a@b", "de", escapes),
            ("Mail to us", "Mail an a{'@'}b", "de", None),
            ("a@b", "an a@b", "de", None),
        ],
    );
    let message = Syntax::Brace(Brace::JavaMessage);
    let cases = |check| [("{0} is there", "l'{0} est là", "fr", check), ("{0} is there", "l''{0} est là", "fr", None)];
    expect(message, Some(FormatId::Properties), &cases(escapes));
    expect(message, None, &cases(None));
    expect(Syntax::Mixed, Some(FormatId::Resx), &[("a", "b\u{1}", "de", escapes)]);
    expect(Syntax::Mixed, Some(FormatId::Json), &[("a", "b\u{1}", "de", None)]);
}

#[test]
fn line_ends_at_the_edges_are_those_of_the_source_in_catalogues() {
    let facts = |in_file| Facts { in_file, ..Facts::default() };
    let error = (Check::NewlineEdges, Severity::Error);
    assert!(found(facts(Some(FormatId::Gettext)), "a\n", "b", "de").contains(&error));
    assert!(!found(facts(Some(FormatId::Gettext)), "a\n", "b\n", "de").contains(&error));
    assert!(!found(facts(None), "a\n", "b", "de").contains(&error));
}

#[test]
fn blanks_brackets_and_letters_are_looked_at() {
    let long = "A text that is long enough to be compared with others";
    expect(
        Syntax::Mixed,
        None,
        &[
            ("a b c", "a  b c", "de", Some(Check::DoubleSpace)),
            ("a  b c", "a  b d", "de", None),
            ("a b c", "a b\n  c", "de", Some(Check::Newlines)),
            ("word", "wo\u{200b}rt", "de", Some(Check::ZeroWidth)),
            ("word", "คำ\u{200b}พูด", "th", None),
            ("Really?", "Vraiment ?", "fr", Some(Check::PunctuationSpacing)),
            ("Really?", "Vraiment\u{202f}?", "fr", None),
            ("Really?", "Vraiment?", "fr-CA", None),
            ("a (b)", "a (c", "de", Some(Check::Brackets)),
            ("a (b)", "a （c）", "ja", None),
            ("a) one", "a) eins", "de", None),
            ("See [here](/a)", "Siehe [hier]", "de", Some(Check::MarkdownLinks)),
            ("It is done.", "es ist fertig.", "de", Some(Check::Capitalization)),
            ("Done", "fertig", "de", None),
            (long, "Kurz", "de", Some(Check::LengthRatio)),
            (long, "what somebody wrote instead of the words of that language", "ru", Some(Check::Script)),
            (long, "what somebody wrote instead of the words of that language", "sr-Latn", None),
            (" a", "\u{200f} b", "ar", None),
            ("a ", "b\u{200f}", "ar", Some(Check::EdgeWhitespace)),
        ],
    );
}

#[test]
fn forms_that_all_say_the_same_are_noticed() {
    let plural = |one: &str, other: &str| {
        let forms = [(PluralCategory::One, one.to_owned()), (PluralCategory::Other, other.to_owned())].into();
        Content::Plural(Plural { arg: "n".to_owned(), forms })
    };
    let checks = |target: &Content| -> Vec<Check> {
        let issues = check(&plural("{n} file", "{n} files"), target, "en", "de", None);
        issues.into_iter().map(|issue| issue.check).collect()
    };
    assert_eq!(checks(&plural("{n} Dateien", "{n} Dateien")), [Check::SamePlurals]);
    assert_eq!(checks(&plural("{n} Datei", "{n} Dateien")), []);
}

/// A number of parts that the framework would not choose between in the language. Titles with `|` are no plurals.
#[test]
fn parts_are_as_many_as_the_language_has() {
    let facts = |format| Facts { syntax: Syntax::of_format(format), ..Facts::default() };
    let vue = Facts { syntax: Syntax::Vue, ..Facts::default() };
    let (laravel, docusaurus) = (facts(FormatId::LaravelJson), facts(FormatId::Docusaurus));
    for (facts, source, target, language, wrong) in [
        (laravel, ":count file|:count files", ":count plik|:count pliki", "pl", true),
        (laravel, ":count file|:count files", ":count plik|:count pliki|:count plików", "pl", false),
        (laravel, "file|files", "1 個|:count 個", "ja", true),
        (laravel, "file|files", "plik", "pl", true),
        (laravel, "Shop | Basket", "Sklep | Koszyk", "pl", false),
        (laravel, "Shop", "Sklep", "pl", false),
        (laravel, "{0} none|{1} one|[2,*] many", "{0} nic|{1} jeden|[2,*] wiele", "pl", false),
        (laravel, "{0} none|{1} one|[2,*] many", "{0} nic|{1} jeden", "pl", true),
        (laravel, "{0} none|{1} one|[2,*] many", "{0} nic|{1} jeden|[2,4] kilka|[5,*] wiele", "pl", false),
        (laravel, "{0} none|[1,9] some|[10,*] many", "{0} nic|[1,*] wiele", "pl", false),
        (docusaurus, "One post|{count} posts", "Wpis|{count} wpisy", "pl", true),
        (docusaurus, "One post|{count} posts", "a|{count} b|{count} c|{count} d", "pl", false),
        (docusaurus, "One post|{count} posts", "Un post|{count} posts", "fr", false),
        (docusaurus, "One post|{count} posts", "{count} a|{count} b", "ja", true),
        (vue, "{n} car | {n} cars", "{n} auto", "pl", true),
        (vue, "{n} car | {n} cars", "{n} auto | {n} auta | {n} aut", "pl", false),
    ] {
        let found = found(facts, source, target, language);
        let is_said = found.contains(&(Check::PluralCategories, Severity::Warning));
        assert_eq!(is_said, wrong, "{target}: {found:?}");
    }
}
