//! Public delivery of published versions: no key is needed (§5.8).
//!
//! Every file is immutable under the URL that names its version; `live` in place of a version id means the live
//! version.
//! The `/@{handle}/{slug}/` form of a project has a request window of its own (§8).

mod bundle;
mod manifest;
mod named_bundle;
mod named_manifest;

use serde::{Deserialize, Serialize};

pub use bundle::{Bundle, BundlePath};
pub use manifest::{Manifest, ManifestBody, ManifestFile, ManifestLanguage};
pub use named_bundle::{NamedBundle, NamedBundlePath};
pub use named_manifest::{NamedManifest, NamedPath};

/// Bytes of a published file, in its own media type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = Binary))]
#[serde(transparent)]
pub struct FileBytes(pub Vec<u8>);

/// Stands for the live version in place of a version id.
pub const LIVE: &str = "live";
