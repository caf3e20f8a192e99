//! Output formats: the files of a published version.

mod set;

use serde::{Deserialize, Serialize};

pub use set::{NewOutputFormat, OutputFormatsSet, Set, SetOutputFormats};

use crate::{FormatName, OutputFormatId};

/// Most output formats of a project.
pub const MOST_OUTPUT_FORMATS: usize = 50;

string_enum! {
    /// The entry in a file for a key that has no publishable translation.
    EmptyAs {
        /// No entry: the app falls back as it does for an unknown key.
        Skip = "skip",
        /// The base language's text.
        Base = "base",
        ..Unknown
    }
}

/// One kind of file that a published version has, in every language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutputFormat {
    /// Its id; it stays the same while format and path do.
    pub output_format_id: OutputFormatId,
    /// The file format.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::FormatId))]
    pub format: FormatName,
    /// Template of the path, such as `locales/{language}.json`.
    pub path: String,
    /// The entry for a key without a translation.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub empty_as: EmptyAs,
    /// The namespaces that it includes; all of them when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespaces: Option<Vec<String>>,
}
