//! English names of languages.

use icu_experimental::displaynames::DisplayNamesOptions;
use icu_experimental::displaynames::multi::LocaleDisplayNamesFormatter;
use icu_locale::{Locale, locale};

/// The language's name in English, such as `Brazilian Portuguese`; the tag itself where CLDR has no name.
#[must_use]
pub fn name(code: &str) -> String {
    let Ok(locale) = code.parse::<Locale>() else { return code.to_owned() };
    match LocaleDisplayNamesFormatter::try_new(locale!("en").into(), DisplayNamesOptions::default()) {
        Ok(names) => names.of(&locale).into_owned(),
        Err(_) => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_names() {
        assert_eq!(name("pt-BR"), "Brazilian Portuguese");
        assert_eq!(name("de"), "German");
        assert_eq!(name("qqq"), "qqq");
    }
}
