//! Checks that the subtags of a language tag exist, and finds the tag that a mistyped one most likely means.
//!
//! A subtag exists where CLDR or ISO 639 has it. The IANA registry takes its languages from ISO 639, and its scripts and
//! regions from the standards that CLDR names all members of.

use icu_experimental::displaynames::DisplayNamesOptions;
use icu_experimental::displaynames::multi::{LanguageDisplayNames, RegionDisplayNames, ScriptDisplayNames};
use icu_locale::subtags::{Language, Region, Script};
use icu_locale::{LanguageIdentifier, Locale, LocaleExpander, locale};

/// A well-formed tag with a subtag that neither CLDR nor the IANA registry has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownSubtag {
    /// The language.
    #[error("`{tag}` is not a language: neither CLDR nor the IANA registry has `{subtag}`{}", hint(.nearest.as_deref()))]
    Language {
        /// The whole tag.
        tag: String,
        /// Its language subtag.
        subtag: String,
        /// The tag that is most likely meant.
        nearest: Option<String>,
    },
    /// The script.
    #[error("`{tag}` names an unknown script `{subtag}`; leave it out, or use a script such as Latn or Cyrl")]
    Script {
        /// The whole tag.
        tag: String,
        /// Its script subtag.
        subtag: String,
    },
    /// The region.
    #[error("`{tag}` names an unknown region `{subtag}`; leave it out, or use a region such as DE or 419")]
    Region {
        /// The whole tag.
        tag: String,
        /// Its region subtag.
        subtag: String,
    },
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |code| format!("; did you mean `{code}` ({})?", super::name(code)))
}

/// Checks that the language, script and region of a canonical tag exist.
///
/// # Errors
///
/// [`UnknownSubtag`] for the first that does not. A tag that does not parse is left to
/// [`canonicalize`](super::canonicalize).
pub fn check_known(tag: &str) -> Result<(), UnknownSubtag> {
    let Ok(locale) = tag.parse::<Locale>() else { return Ok(()) };
    let names = CldrNames::load();
    let LanguageIdentifier { language, script, region, .. } = locale.id;
    let whole = || tag.to_owned();
    if !names.has_language(language) {
        let nearest = names.nearest(language);
        return Err(UnknownSubtag::Language { tag: whole(), subtag: language.to_string(), nearest });
    }
    match (script, region) {
        (Some(script), _) if !names.has_script(script) => {
            Err(UnknownSubtag::Script { tag: whole(), subtag: script.to_string() })
        }
        (_, Some(region)) if !names.has_region(region) => {
            Err(UnknownSubtag::Region { tag: whole(), subtag: region.to_string() })
        }
        _ => Ok(()),
    }
}

/// The English names of CLDR. They are compiled in; where one is missing all the same, its subtags count as unknown.
struct CldrNames {
    languages: Option<LanguageDisplayNames>,
    scripts: Option<ScriptDisplayNames>,
    regions: Option<RegionDisplayNames>,
}

impl CldrNames {
    fn load() -> Self {
        let options = DisplayNamesOptions::default();
        let english = locale!("en");
        Self {
            languages: LanguageDisplayNames::try_new((&english).into(), options).ok(),
            scripts: ScriptDisplayNames::try_new((&english).into(), options).ok(),
            regions: RegionDisplayNames::try_new((&english).into(), options).ok(),
        }
    }

    fn has_language(&self, language: Language) -> bool {
        let code = language.as_str();
        // qaa to qtz are the registry's own range for private use.
        let is_private = ("qaa"..="qtz").contains(&code) && code.len() == 3;
        is_private
            || isolang::Language::from_639_3(code).is_some()
            || isolang::Language::from_639_1(code).is_some()
            || self.languages.as_ref().is_some_and(|names| names.of(language).is_some())
    }

    fn has_script(&self, script: Script) -> bool {
        let is_private = ("Qaaa"..="Qabx").contains(&script.as_str());
        is_private || self.scripts.as_ref().is_some_and(|names| names.of(script).is_some())
    }

    /// CLDR's `XA` and `XB` are the regions of pseudo languages; `QM` to `QZ` and `XA` to `XZ` are for private use.
    fn has_region(&self, region: Region) -> bool {
        let code = region.as_str();
        let is_private = ("QM"..="QZ").contains(&code) || ("XA"..="XZ").contains(&code) && code.len() == 2;
        is_private || self.regions.as_ref().is_some_and(|names| names.of(region).is_some())
    }

    /// The language that is most likely meant: that of a country (`jp`), or one of two letters whose code has one letter
    /// more, less or other.
    fn nearest(&self, language: Language) -> Option<String> {
        let code = language.as_str();
        self.of_country(code).or_else(|| of_similar_code(code))
    }

    fn of_country(&self, code: &str) -> Option<String> {
        let region: Region = code.parse().ok()?;
        self.regions.as_ref()?.of(region)?;
        let mut id = LanguageIdentifier { region: Some(region), ..LanguageIdentifier::UNKNOWN };
        LocaleExpander::new_extended().maximize(&mut id);
        (!id.language.is_unknown()).then(|| id.language.to_string())
    }
}

fn of_similar_code(code: &str) -> Option<String> {
    let two_letters = isolang::languages().filter_map(|language| language.to_639_1());
    two_letters.filter(|known| strsim::osa_distance(known, code) == 1).min().map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cldr_or_iana_have_is_known() {
        for tag in [
            "de",
            "de-AT",
            "sr-Latn",
            "zh-Hans-CN",
            "es-419",
            "en-XA",
            "ar-XB",
            "haw",
            "gsw",
            "tlh",
            "nds-NL",
            "fil",
            "de-x-formal",
            "ca-valencia",
            "en-US-u-hc-h12",
            "qaa",
            "sr-Qaaa",
            "ast",
            "cmn",
            "yue-Hant-HK",
            "mis",
        ] {
            assert_eq!(check_known(tag), Ok(()), "{tag}");
        }
    }

    #[test]
    fn a_mistyped_tag_is_refused_with_the_nearest_known_one() {
        let nearest = |tag: &str| match check_known(tag) {
            Err(UnknownSubtag::Language { nearest, .. }) => nearest,
            other => panic!("{tag}: {other:?}"),
        };
        for (tag, expected) in [("jp", "ja"), ("cz", "cs"), ("dk", "da"), ("jp-JP", "ja")] {
            assert_eq!(nearest(tag).as_deref(), Some(expected), "{tag}");
        }
        assert_eq!(nearest("qzz"), None);
        assert_eq!(
            check_known("jp").unwrap_err().to_string(),
            "`jp` is not a language: neither CLDR nor the IANA registry has `jp`; did you mean `ja` (Japanese)?"
        );
        assert!(matches!(check_known("de-Xyzw"), Err(UnknownSubtag::Script { .. })));
        assert!(matches!(check_known("de-ZY"), Err(UnknownSubtag::Region { .. })));
    }
}
