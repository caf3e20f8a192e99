//! The codes of languages that services know, which are not those of BCP 47 throughout.

/// Languages that DeepL translates from and into, without their regions.
const DEEPL: &[&str] = &[
    "ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hu", "id", "it", "ja", "ko", "lt", "lv",
    "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh",
];

/// Regions whose Portuguese is that of Portugal.
const EUROPEAN_PORTUGUESE: &[&str] = &["PT", "AO", "MZ"];

/// The first subtag of a tag.
pub(super) fn language(tag: &str) -> &str {
    tag.split('-').next().unwrap_or_default()
}

/// Returns true for Chinese that is written in traditional characters.
fn is_traditional(tag: &str) -> bool {
    language(tag) == "zh" && has(tag, &["Hant", "TW", "HK", "MO"])
}

/// DeepL's code for a source language.
pub(super) fn deepl_source(tag: &str) -> Option<String> {
    let language = match language(tag) {
        "no" => "nb",
        language => language,
    };
    DEEPL.contains(&language).then(|| language.to_ascii_uppercase())
}

/// DeepL's code for a target language. It wants to know which English and Portuguese.
pub(super) fn deepl_target(tag: &str) -> Option<String> {
    let source = deepl_source(tag)?;
    let code = match source.as_str() {
        "EN" if has(tag, &["GB", "AU", "NZ", "IE", "IN", "ZA"]) => "EN-GB",
        "EN" => "EN-US",
        "PT" if has(tag, EUROPEAN_PORTUGUESE) => "PT-PT",
        "PT" => "PT-BR",
        "ZH" if is_traditional(tag) => "ZH-HANT",
        "ZH" => "ZH-HANS",
        _ => return Some(source),
    };
    Some(code.to_owned())
}

/// DeepL's code for a language of a glossary, which holds for all of its variants.
pub(super) fn deepl_glossary(tag: &str) -> Option<String> {
    deepl_source(tag).map(|code| code.to_ascii_lowercase())
}

/// Returns true if a tag has one of these subtags behind its language.
fn has(tag: &str, subtags: &[&str]) -> bool {
    tag.split('-').skip(1).any(|part| subtags.contains(&part))
}

/// Google's code: of the language alone, but where it tells scripts and regions apart.
pub(super) fn google(tag: &str) -> &str {
    match language(tag) {
        "zh" if is_traditional(tag) => "zh-TW",
        "zh" => "zh-CN",
        "pt" if has(tag, EUROPEAN_PORTUGUESE) => "pt-PT",
        // Its Serbian is Cyrillic: it is to refuse the other one.
        "sr" if has(tag, &["Latn"]) => "sr-Latn",
        "nb" => "no",
        language => language,
    }
}

/// Azure's code: of the language alone, but where it tells scripts and regions apart.
pub(super) fn azure(tag: &str) -> &str {
    match language(tag) {
        "zh" if is_traditional(tag) => "zh-Hant",
        "zh" => "zh-Hans",
        "pt" if has(tag, EUROPEAN_PORTUGUESE) => "pt-pt",
        "fr" if has(tag, &["CA"]) => "fr-ca",
        "sr" if has(tag, &["Latn"]) => "sr-Latn",
        "sr" => "sr-Cyrl",
        "mn" => "mn-Cyrl",
        "no" => "nb",
        "tl" => "fil",
        language => language,
    }
}

/// LibreTranslate's code: of the language alone, but for traditional Chinese.
pub(super) fn libretranslate(tag: &str) -> &str {
    match language(tag) {
        "zh" if is_traditional(tag) => "zt",
        "no" => "nb",
        language => language,
    }
}

/// Returns whether a text has a letter of the script that a language is written in; true where the language has none of its
/// own, or one that is not known here.
pub(super) fn has_script(tag: &str, text: &str) -> bool {
    let ranges: &[std::ops::RangeInclusive<char>] = match language(tag) {
        _ if tag.contains("-Latn") => return true,
        "ja" => &['\u{3040}'..='\u{30ff}', '\u{4e00}'..='\u{9fff}'],
        "zh" | "yue" => &['\u{3400}'..='\u{4dbf}', '\u{4e00}'..='\u{9fff}'],
        "ko" => &['\u{1100}'..='\u{11ff}', '\u{ac00}'..='\u{d7af}'],
        "ru" | "uk" | "be" | "bg" | "mk" | "kk" | "ky" | "mn" | "tg" => &['\u{400}'..='\u{52f}'],
        "el" => &['\u{370}'..='\u{3ff}', '\u{1f00}'..='\u{1fff}'],
        "he" | "yi" => &['\u{590}'..='\u{5ff}'],
        "ar" | "fa" | "ur" | "ps" => &['\u{600}'..='\u{6ff}'],
        "hi" | "mr" | "ne" => &['\u{900}'..='\u{97f}'],
        "th" => &['\u{e00}'..='\u{e7f}'],
        "ka" => &['\u{10a0}'..='\u{10ff}'],
        "hy" => &['\u{530}'..='\u{58f}'],
        _ => return true,
    };
    text.chars().any(|character| ranges.iter().any(|range| range.contains(&character)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_service_gets_its_own_codes() {
        let deepl = |tag| deepl_target(tag).unwrap_or_default();
        assert_eq!(["en", "en-AU", "pt", "pt-PT"].map(deepl), ["EN-US", "EN-GB", "PT-BR", "PT-PT"]);
        assert_eq!(["zh-TW", "zh", "de-AT", "no", "tlh"].map(deepl), ["ZH-HANT", "ZH-HANS", "DE", "NB", ""]);
        assert_eq!(deepl_source("en-GB").as_deref(), Some("EN"));
        assert_eq!(["es-MX", "zh-Hant-HK", "zh", "no"].map(libretranslate), ["es", "zt", "zh", "nb"]);
        assert_eq!(
            ["zh-HK", "zh", "pt-AO", "pt-BR", "nb", "sr-Latn", "de-AT"].map(google),
            ["zh-TW", "zh-CN", "pt-PT", "pt", "no", "sr-Latn", "de"]
        );
        assert_eq!(
            ["zh-HK", "zh", "pt-AO", "pt-BR", "no", "sr-Latn", "fr-CA"].map(azure),
            ["zh-Hant", "zh-Hans", "pt-pt", "pt", "nb", "sr-Latn", "fr-ca"]
        );
    }

    #[test]
    fn a_script_is_asked_for_where_a_language_has_its_own() {
        assert!(has_script("ja", "ファイル") && has_script("ru-RU", "Файл") && has_script("de", "Datei"));
        assert!(!has_script("ja", "File") && !has_script("uk", "File"));
    }
}
