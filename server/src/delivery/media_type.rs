//! Media types of delivered files.

use l10n_api_types::FormatId;

/// The `Content-Type` of a file of this format. JSON is UTF-8 by definition and takes no `charset` (RFC 8259 §11); properties
/// and strings are in the encoding of their source.
#[must_use]
pub(crate) fn of(format: FormatId) -> &'static str {
    match format {
        FormatId::Json | FormatId::I18next | FormatId::Arb => "application/json",
        FormatId::Properties => "text/x-java-properties",
        FormatId::AppleStrings | FormatId::Ini => "text/plain",
    }
}
