//! Published files: public, immutable by version, no key needed.

use std::fmt::Write as _;

use http::StatusCode;
use l10n_api_types::delivery::{
    Bundle, BundlePath, LIVE, Manifest, ManifestBody, ManifestFile, NamedBundle, NamedBundlePath, NamedManifest,
    NamedPath,
};
use l10n_api_types::{NoBody, NoQuery, ProjectId, ProjectPath, VersionId};
use sha2::{Digest as _, Sha256};

use crate::Client;
use crate::error::{Error, IntegrityError, Result};
use crate::exchange::Incoming;
use crate::options::CallOptions;
use crate::project::Project;

/// Published files of a project. Made by [`Project::delivery`](crate::Project::delivery) or, by workspace handle and
/// project slug, [`Client::delivery_by_name`].
///
/// ```no_run
/// # async fn example() -> Result<(), l10n_client::Error> {
/// let client = l10n_client::Client::new("https://l10n.example.com/v1")?;
/// let delivery = client.delivery_by_name("demo", "app");
/// let manifest = delivery.manifest().await?;
/// for file in &manifest.files {
///     let bytes = delivery.download_verified(&manifest, file).await?;
///     println!("{}: {} bytes", file.path, bytes.len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Delivery {
    pub(crate) client: Client,
    pub(crate) address: Address,
}

/// The name of a project in its public routes.
#[derive(Debug, Clone)]
pub(crate) enum Address {
    Id(ProjectId),
    Names(NamedPath),
}

/// A published file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishedFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its `ETag`, to ask later if it has changed.
    pub etag: Option<String>,
    /// Its media type.
    pub media_type: Option<String>,
}

/// The current state, compared with the caller's copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed<T> {
    /// The copy is current.
    No,
    /// The copy is outdated.
    Yes {
        /// The current value.
        value: T,
        /// Its `ETag`, for the next time.
        etag: Option<String>,
    },
}

impl Project {
    /// Its published files, which need no key.
    #[must_use]
    pub fn delivery(&self) -> Delivery {
        Delivery { client: self.client.clone(), address: Address::Id(self.path.project_id.clone()) }
    }
}

impl Client {
    /// Published files of a project, by workspace handle and project slug: no id, no key and no earlier request is
    /// needed. Counted in a request window of their own (§8).
    #[must_use]
    pub fn delivery_by_name(&self, handle: impl Into<String>, slug: impl Into<String>) -> Delivery {
        let names = NamedPath { handle: handle.into(), slug: slug.into() };
        Delivery { client: self.clone(), address: Address::Names(names) }
    }
}

impl Delivery {
    /// `GET …/manifest` (§4): reads the contents of the live version.
    ///
    /// # Errors
    ///
    /// `not_published` before the first publish, `not_found`.
    pub async fn manifest(&self) -> Result<ManifestBody> {
        self.client.decode(&self.send_manifest(None).await?)
    }

    /// Like [`manifest`](Self::manifest), for a caller that has a copy with this `ETag`. Without an `ETag`, the
    /// manifest always counts as changed.
    ///
    /// ```no_run
    /// # async fn example(delivery: l10n_client::Delivery) -> Result<(), l10n_client::Error> {
    /// use l10n_client::Changed;
    ///
    /// let mut known = None;
    /// if let Changed::Yes { value: manifest, etag } = delivery.manifest_if_changed(known.as_deref()).await? {
    ///     println!("{} is live", manifest.label);
    ///     known = etag;
    /// }
    /// # let _ = known;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`manifest`](Self::manifest).
    pub async fn manifest_if_changed(&self, etag: Option<&str>) -> Result<Changed<ManifestBody>> {
        let incoming = self.send_manifest(etag).await?;
        if incoming.status == StatusCode::NOT_MODIFIED {
            return Ok(Changed::No);
        }
        Ok(Changed::Yes { value: self.client.decode(&incoming)?, etag: incoming.etag })
    }

    /// `GET …/bundles/{versionId}/{path}` (§4): reads a file of a version, which never changes.
    ///
    /// # Errors
    ///
    /// `version_not_found`, `not_found` for a path that the version does not have.
    pub async fn bundle(&self, version: impl Into<VersionId>, path: impl Into<String>) -> Result<PublishedFile> {
        self.send_bundle(version.into(), path.into(), None).await.map(file)
    }

    /// Reads a file of the current live version.
    ///
    /// # Errors
    ///
    /// `not_published`, `not_found`.
    pub async fn live_bundle(&self, path: impl Into<String>) -> Result<PublishedFile> {
        self.bundle(LIVE, path).await
    }

    /// Like [`bundle`](Self::bundle), for a caller that has a copy with this `ETag`; version `live` means the live one.
    ///
    /// # Errors
    ///
    /// The errors of [`bundle`](Self::bundle).
    pub async fn bundle_if_changed(
        &self,
        version: impl Into<VersionId>,
        path: impl Into<String>,
        etag: Option<&str>,
    ) -> Result<Changed<PublishedFile>> {
        let incoming = self.send_bundle(version.into(), path.into(), etag).await?;
        if incoming.status == StatusCode::NOT_MODIFIED {
            return Ok(Changed::No);
        }
        let value = file(incoming);
        Ok(Changed::Yes { etag: value.etag.clone(), value })
    }

    /// Downloads a file of a manifest and checks its size and SHA-256. It is read by version and path from the client's
    /// own base URL, whatever host `file.url` names.
    ///
    /// # Errors
    ///
    /// [`Error::Integrity`] if the bytes differ, and the errors of [`bundle`](Self::bundle).
    pub async fn download_verified(&self, manifest: &ManifestBody, file: &ManifestFile) -> Result<Vec<u8>> {
        let bytes = self.bundle(manifest.version_id.clone(), &file.path).await?.bytes;
        let mut sha256 = String::with_capacity(64);
        for byte in Sha256::digest(&bytes) {
            // Writing to a string cannot fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        if sha256.eq_ignore_ascii_case(&file.sha256) && bytes.len() as u64 == file.bytes {
            return Ok(bytes);
        }
        Err(Error::Integrity(Box::new(IntegrityError {
            path: file.path.clone(),
            bytes: bytes.len() as u64,
            sha256,
            expected_bytes: file.bytes,
            expected_sha256: file.sha256.clone(),
        })))
    }

    async fn send_manifest(&self, etag: Option<&str>) -> Result<Incoming> {
        let options = CallOptions::default();
        match &self.address {
            Address::Id(id) => {
                let path = ProjectPath { project_id: id.clone() };
                self.client.send::<Manifest>(&path, &NoQuery {}, &NoBody {}, &options, etag).await
            }
            Address::Names(path) => {
                self.client.send::<NamedManifest>(path, &NoQuery {}, &NoBody {}, &options, etag).await
            }
        }
    }

    async fn send_bundle(&self, version_id: VersionId, path: String, etag: Option<&str>) -> Result<Incoming> {
        let options = CallOptions::default();
        match &self.address {
            Address::Id(id) => {
                let path = BundlePath { project_id: id.clone(), version_id, path };
                self.client.send::<Bundle>(&path, &NoQuery {}, &NoBody {}, &options, etag).await
            }
            Address::Names(NamedPath { handle, slug }) => {
                let path = NamedBundlePath { handle: handle.clone(), slug: slug.clone(), version_id, path };
                self.client.send::<NamedBundle>(&path, &NoQuery {}, &NoBody {}, &options, etag).await
            }
        }
    }
}

fn file(incoming: Incoming) -> PublishedFile {
    PublishedFile { etag: incoming.etag, media_type: incoming.media_type, bytes: incoming.body }
}
