//! The formats of this build. Some come with a feature: those that need a parser of others which nothing else needs.

use l10n_api_types::FormatId;

#[cfg(feature = "toml")]
use super::toml;
#[cfg(feature = "yaml")]
use super::yaml;
use super::{
    Format, apple_strings, arb, csv, fluent, gettext, i18next, ini, json, members, php, properties, spliced, xcstrings,
};
#[cfg(feature = "xml")]
use super::{android, apple_stringsdict, bilingual, qt_ts, resx, xliff};

/// The format of an id, and what is to be done where this build lacks it.
macro_rules! format_of {
    ($id:expr $(, $absent:expr)?) => {
        match $id {
            FormatId::Json => &json::Json,
            FormatId::I18next => &i18next::I18next,
            FormatId::Arb => &arb::Arb,
            FormatId::LaravelJson => &members::LARAVEL_JSON,
            FormatId::Chrome => &members::CHROME,
            FormatId::Docusaurus => &members::DOCUSAURUS,
            FormatId::FormatJs => &members::FORMATJS,
            FormatId::Properties => &spliced::Spliced(properties::Properties),
            FormatId::AppleStrings => &spliced::Spliced(apple_strings::AppleStrings),
            FormatId::Gettext => &gettext::Gettext,
            FormatId::Csv => &csv::Csv,
            FormatId::Xcstrings => &xcstrings::Xcstrings,
            FormatId::Ini => &spliced::Spliced(ini::Ini),
            #[cfg(feature = "xml")]
            FormatId::Android => &spliced::Spliced(android::Android),
            #[cfg(feature = "xml")]
            FormatId::Resx => &spliced::Spliced(resx::Resx),
            #[cfg(feature = "xml")]
            FormatId::AppleStringsdict => &spliced::Spliced(apple_stringsdict::AppleStringsdict),
            #[cfg(feature = "yaml")]
            FormatId::Yaml => &spliced::Spliced(yaml::Yaml),
            FormatId::Php => &spliced::Spliced(php::Php),
            #[cfg(feature = "xml")]
            FormatId::QtTs => &bilingual::Bilingual(qt_ts::QtTs),
            #[cfg(feature = "toml")]
            FormatId::Toml => &spliced::Spliced(toml::Toml),
            #[cfg(feature = "xml")]
            FormatId::Xliff1 => &bilingual::Bilingual(xliff::Xliff1),
            #[cfg(feature = "xml")]
            FormatId::Xliff2 => &bilingual::Bilingual(xliff::Xliff2),
            FormatId::Fluent => &fluent::Fluent,
            $(_ => $absent,)?
        }
    };
}

/// Every format of this build, in the order in which the API lists them.
pub fn all() -> impl Iterator<Item = &'static dyn Format> {
    FormatId::ALL.iter().filter_map(|id| find(*id))
}

/// The format of that name. It is there in builds with every format; [`find`] is there in all.
#[cfg(all(feature = "toml", feature = "xml", feature = "yaml"))]
pub fn by_id(id: FormatId) -> &'static dyn Format {
    format_of!(id)
}

/// The format of that name. `None` where the feature that it comes with is off.
#[cfg(all(feature = "toml", feature = "xml", feature = "yaml"))]
pub fn find(id: FormatId) -> Option<&'static dyn Format> {
    Some(by_id(id))
}

/// The format of that name. `None` where the feature that it comes with is off.
#[cfg(not(all(feature = "toml", feature = "xml", feature = "yaml")))]
pub fn find(id: FormatId) -> Option<&'static dyn Format> {
    Some(format_of!(id, return None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_id() {
        for id in FormatId::ALL {
            assert_eq!(find(*id).map(Format::id), Some(*id));
            assert_eq!(by_id(*id).id(), *id);
        }
        assert_eq!(all().count(), FormatId::ALL.len());
    }
}
