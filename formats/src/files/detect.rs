//! Finds the format of a file by its name and, where names leave it open, by its content.

use l10n_api_types::FormatId;

use super::arb::LOCALE;
use super::i18next::I18next;
use super::json::Tree;
use super::{Fit, Format, all, members};

/// The reason why the format of a file cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DetectError {
    /// No format has files of this kind (API: 400 `format_unsupported`).
    #[error("no known format has files like this; the formats are {}", listed(known))]
    Unknown {
        /// The ids of all formats of this build.
        known: Vec<FormatId>,
    },
    /// Several formats fit (API: 400 `format_ambiguous`).
    #[error("the file may be any of: {}; name its format", listed(candidates))]
    Ambiguous {
        /// The ids of the formats that fit.
        candidates: Vec<FormatId>,
    },
}

/// The format of a file.
///
/// The extension decides. If several formats share it, the one of which the content bears signs wins; a file that
/// bears no sign, or cannot be read, is taken for the plainest one, whose reader then reports the fault.
///
/// # Errors
/// Returns an error if nothing fits, or if the content bears signs of two formats.
pub fn detect(path: &str, bytes: &[u8]) -> Result<&'static dyn Format, DetectError> {
    let candidates = of_extension(path);
    if let [only] = candidates.as_slice()
        && only.fit(bytes) != Fit::No
    {
        return Ok(*only);
    }
    let fits: Vec<_> = candidates.into_iter().map(|format| (format.fit(bytes), format)).collect();
    let with = |fit: Fit| fits.iter().filter(move |(found, _)| *found == fit).map(|(_, format)| *format);
    let signs: Vec<_> = with(Fit::Signs).collect();
    let mut plain = with(Fit::Plain);
    match (signs.as_slice(), with(Fit::Unclear).next(), plain.next()) {
        ([only], None, _) => Ok(*only),
        ([], None, Some(plain)) => Ok(plain),
        ([], None, None) => Err(DetectError::Unknown { known: all().map(|format| format.id()).collect() }),
        _ => {
            let fitting = fits.iter().filter(|(fit, _)| *fit != Fit::No);
            Err(DetectError::Ambiguous { candidates: fitting.map(|(_, format)| format.id()).collect() })
        }
    }
}

/// The format of a file, where one must be named: as [`detect`] finds it, and where that leaves it open the one whose signs
/// are more. A JSON file that names its language as ARB does is ARB, whatever its extension. A file that cannot be read
/// is `json`: its reader then reports the place of the fault.
#[must_use]
pub fn likeliest(path: &str, bytes: &[u8]) -> FormatId {
    let candidates = of_extension(path);
    if let [only] = candidates.as_slice() {
        return only.id();
    }
    // The names of JSON leave it open most often, and bring other formats with them.
    let is_json = |format: &&dyn Format| format.extensions().contains(&"json");
    if let Some(best) = candidates.iter().rev().max_by_key(|format| format.fit(bytes))
        && !candidates.iter().any(is_json)
    {
        return best.id();
    }
    if let Some(format) = members::likeliest(bytes) {
        return format.id();
    }
    let Ok(tree) = Tree::parse(bytes) else { return FormatId::Json };
    let has_locale = tree.children(0).any(|child| tree.nodes.get(child).is_some_and(|node| node.name() == LOCALE));
    let (i18next, icu) = I18next.signs(bytes);
    match (has_locale, i18next > icu) {
        (true, _) => FormatId::Arb,
        (false, true) => FormatId::I18next,
        (false, false) => FormatId::Json,
    }
}

/// Returns true if some format has files with this extension.
#[must_use]
pub fn has_known_extension(path: &str) -> bool {
    !of_extension(path).is_empty()
}

/// The formats whose files have this extension.
fn of_extension(path: &str) -> Vec<&'static dyn Format> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase();
    let has_extension = |format: &&'static dyn Format| {
        format.extensions().iter().any(|extension| {
            name.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.')).is_some_and(|stem| !stem.is_empty())
        })
    };
    all().filter(has_extension).collect()
}

fn listed(formats: &[FormatId]) -> String {
    formats.iter().map(|format| format.as_str()).collect::<Vec<_>>().join(", ")
}
