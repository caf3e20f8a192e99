//! Places of published files in memory. A read asks for one without a copy of its texts.

use std::hash::{Hash, Hasher};

use l10n_api_types::VersionId;
use quick_cache::Equivalent;

use super::paths::ProjectAddress;

/// The place of a published file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FilePlace<'a> {
    /// A path of a version.
    Path(&'a VersionId, &'a str),
    /// The manifest of a version: its URLs bear the address of the project.
    Manifest(&'a VersionId, &'a ProjectAddress),
}

/// A [`FilePlace`] that is remembered.
#[derive(Debug, Clone)]
pub(super) enum KnownPlace {
    Path(VersionId, String),
    Manifest(VersionId, ProjectAddress),
}

impl KnownPlace {
    fn place(&self) -> FilePlace<'_> {
        match self {
            Self::Path(version, path) => FilePlace::Path(version, path),
            Self::Manifest(version, address) => FilePlace::Manifest(version, address),
        }
    }
}

impl From<FilePlace<'_>> for KnownPlace {
    fn from(place: FilePlace<'_>) -> Self {
        match place {
            FilePlace::Path(version, path) => Self::Path(version.clone(), path.to_owned()),
            FilePlace::Manifest(version, address) => Self::Manifest(version.clone(), address.clone()),
        }
    }
}

impl Equivalent<KnownPlace> for FilePlace<'_> {
    fn equivalent(&self, known: &KnownPlace) -> bool {
        *self == known.place()
    }
}

impl PartialEq for KnownPlace {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for KnownPlace {}

impl Hash for KnownPlace {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

/// A key of the memory of what is published, whose texts count.
pub(super) trait Texts {
    /// Their bytes.
    fn bytes(&self) -> usize;
}

impl Texts for ProjectAddress {
    fn bytes(&self) -> usize {
        match self {
            Self::Id(id) => id.as_str().len(),
            Self::Names { handle, slug } => handle.len() + slug.len(),
        }
    }
}

impl Texts for KnownPlace {
    fn bytes(&self) -> usize {
        match self {
            Self::Path(version, path) => version.as_str().len() + path.len(),
            Self::Manifest(version, address) => version.as_str().len() + address.bytes(),
        }
    }
}
