//! Plurals of other formats as one text.

use l10n_api_types::{Content, Plural, PluralCategory};

use crate::locales::Plurals;
use crate::text::parts::laravel_categories;

/// The form that fits any number.
pub(super) fn other(content: Content, _language: &str) -> String {
    match content {
        Content::Text(text) => text,
        Content::Plural(Plural { mut forms, .. }) => forms.remove(PluralCategory::Other).unwrap_or_default(),
    }
}

/// A part for each category of the language, in the order of CLDR.
pub(super) fn docusaurus_parts(content: Content, language: &str) -> String {
    parts(content, &Plurals::cardinal(language).categories())
}

/// As many parts as Laravel's own table has.
pub(in crate::files) fn laravel_parts(content: Content, language: &str) -> String {
    parts(content, laravel_categories(language))
}

fn parts(content: Content, categories: &[PluralCategory]) -> String {
    let forms = match content {
        Content::Text(text) => return text,
        Content::Plural(Plural { forms, .. }) => forms,
    };
    let other = forms.other().map_or("", String::as_str);
    let form = |category| forms.get(category).map_or(other, String::as_str);
    categories.iter().map(form).collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use PluralCategory::{Few, Many, One, Other};

    use super::*;

    #[test]
    fn plurals_are_parts_in_the_order_of_the_framework() {
        let forms =
            [(One, "1"), (Few, "2"), (Many, "5"), (Other, "x")].map(|(category, text)| (category, text.to_owned()));
        let plural = Content::Plural(Plural { arg: "count".into(), forms: forms.into() });
        let said = |parts: fn(Content, &str) -> String, language| parts(plural.clone(), language);
        assert_eq!(said(docusaurus_parts, "ru"), "1|2|5|x");
        assert_eq!(said(docusaurus_parts, "en"), "1|x");
        assert_eq!(said(docusaurus_parts, "ja"), "x");
        for (language, parts) in
            [("ru", "1|2|5"), ("cs", "1|2|x"), ("ar", "x|1|x|2|5|x"), ("ja", "x"), ("de-AT", "1|x")]
        {
            assert_eq!(said(laravel_parts, language), parts);
        }
        assert_eq!(said(other, "ru"), "x");
        assert_eq!(laravel_parts(Content::Text("a|b".into()), "ru"), "a|b");
    }
}
