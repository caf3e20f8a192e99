//! Laws that hold for any source.

use l10n_formats::locales::plural_categories;
use l10n_formats::text::checks::Facts;
use l10n_formats::text::checks::check;
use proptest::prelude::*;

use super::*;

/// Anything at all, rich in the signs of placeholders, tags and ICU.
fn anything() -> impl Strategy<Value = String> {
    r"(\PC|[a-z ]|[{}'#,=<>%&$;:\[\]/\\.!?]|\{n, plural,|\{g, select,| other \{| one \{|\}|''|\{name\}|\{\{b\}\}|%1\$s|%d|<b>|</b>|\$t\(c\)|&amp;|https://x\.org|\[%key:a::b%\]|\\n|\{0:N2\}){0,30}"
}

/// A sound ICU message.
fn message() -> impl Strategy<Value = String> {
    let words = r"([a-zA-Z .!é]|''|\{name\}|<b>x</b>|%1\$s|'\{'){0,8}".prop_map(|words| words);
    words.prop_recursive(3, 12, 3, |inner| {
        (inner.clone(), inner.clone(), inner, 0..4).prop_map(|(a, b, c, kind)| match kind {
            0 => format!("{a}{{n, plural, one {{{b} #}} other {{# {c}}}}}"),
            1 => format!("{{g, select, x {{{a}}} other {{{b}}}}} {c}"),
            2 => format!("{a} {{n, selectordinal, =1 {{first}} one{{#st}}two{{#nd}} few{{#rd}} other{{{b}#th}}\n}}{c}"),
            _ => format!("{a}{b}{c}"),
        })
    })
}

fn target() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["de", "ru", "ar", "ja", "fr", "es", "cy", "pl", "en-GB"])
}

fn sound(source: &str) -> bool {
    errors(&check(&text(source), &text(source), "en", "en", None)).is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn identity_gives_any_sound_text_back(source in prop_oneof![anything(), message()]) {
        match one(&IdentityEngine, "en", text(&source)) {
            Ok(translated) if sound(&source) => prop_assert_eq!(translated.content, text(&source)),
            // Its plurals lack a category, which is filled.
            Ok(_) => {}
            Err(failure) => prop_assert_eq!(failure.code(), "source_invalid"),
        }
    }

    #[test]
    fn identity_fills_exactly_the_categories_of_the_target(
        forms in (anything(), anything()), target in target()
    ) {
        let content = plural([(PluralCategory::One, &forms.0), (PluralCategory::Other, &forms.1)]);
        if let Ok(translated) = one(&IdentityEngine, target, content) {
            let Content::Plural(plural) = translated.content else { panic!("a plural") };
            prop_assert_eq!(plural.forms.categories().map(|(category, _)| category).collect::<Vec<_>>(), plural_categories(target));
        }
    }

    #[test]
    fn pseudo_passes_the_error_checks_where_its_source_does(source in anything(), target in target()) {
        if let Ok(translated) = one(&Pseudo, target, text(&source)) && sound(&source) {
            prop_assert_eq!(errors(&translated.issues), Vec::<&Issue>::new(), "{:?}", translated.content);
        }
    }

    #[test]
    fn pseudo_passes_the_error_checks_for_plural_forms(forms in (anything(), anything()), target in target()) {
        let content = plural([(PluralCategory::One, &forms.0), (PluralCategory::Other, &forms.1)]);
        if errors(&check(&content, &content, "en", "en", None)).is_empty() {
            let translated = one(&Pseudo, target, content).unwrap();
            prop_assert_eq!(errors(&translated.issues), Vec::<&Issue>::new(), "{:?}", translated.content);
        }
    }

    #[test]
    fn pseudo_passes_the_error_checks_for_messages(source in message(), target in target()) {
        let translated = one(&Pseudo, target, text(&source)).unwrap();
        prop_assert_eq!(errors(&translated.issues), Vec::<&Issue>::new(), "{:?}", translated.content);
    }

    #[test]
    fn pseudo_keeps_a_length_that_its_source_keeps(source in prop_oneof![message(), "[a-z ]{0,30}"], target in target(), room in 0_u32..40) {
        // How long the source itself is: what a check against nothing at all complains of.
        let issues = check(&text(&source), &text(&source), "en", "en", Some(0));
        let own = issues.iter().find_map(|issue| issue.message.split_once(" characters")?.0.parse().ok()).unwrap_or(0);
        let unit = SourceText { facts: Facts { max_length: Some(own + room), ..Facts::default() }, ..unit(text(&source)) };
        let translated = translate(&Pseudo, target, &[unit]).remove(0).unwrap();
        prop_assert_eq!(errors(&translated.issues), Vec::<&Issue>::new(), "{:?}", translated.content);
    }
}
