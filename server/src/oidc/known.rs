//! The description of the provider and its keys, kept for some minutes. One request at a time reads them.

use std::time::{Duration, Instant};

use openidconnect::IssuerUrl;
use openidconnect::core::CoreProviderMetadata;
use tokio::sync::Mutex;

use super::ProviderError;
use super::provider_client::ProviderClient;
use crate::config::Oidc;

/// Time for which they are kept.
const KEPT: Duration = Duration::from_secs(600);
/// Shortest time between two readings because of a key that is not known.
const BETWEEN: Duration = Duration::from_secs(2);
/// Time after a failure in which the provider is not asked again: who waits is told at once.
const AFTER_FAILURE: Duration = Duration::from_secs(2);

/// The description, as far as it is known.
#[derive(Default)]
pub(super) struct MetadataCache(Mutex<Last>);

#[derive(Default)]
struct Last {
    read: Option<(CoreProviderMetadata, Instant)>,
    failed: Option<(ProviderError, Instant)>,
}

impl MetadataCache {
    /// The description, read where it is not kept.
    pub(super) async fn get(
        &self,
        settings: &Oidc,
        way: &ProviderClient,
    ) -> Result<CoreProviderMetadata, ProviderError> {
        self.at_most(KEPT, settings, way).await
    }

    /// The description, read again unless that was done a moment ago.
    pub(super) async fn read_again(
        &self,
        settings: &Oidc,
        way: &ProviderClient,
    ) -> Result<CoreProviderMetadata, ProviderError> {
        self.at_most(BETWEEN, settings, way).await
    }

    async fn at_most(
        &self,
        age: Duration,
        settings: &Oidc,
        way: &ProviderClient,
    ) -> Result<CoreProviderMetadata, ProviderError> {
        let mut last = self.0.lock().await;
        if let Some((known, read)) = &last.read
            && read.elapsed() < age
        {
            return Ok(known.clone());
        }
        if let Some((error, failed)) = &last.failed
            && failed.elapsed() < AFTER_FAILURE
        {
            return Err(error.clone());
        }
        match read(settings, way).await {
            Ok(known) => {
                *last = Last { read: Some((known.clone(), Instant::now())), failed: None };
                Ok(known)
            }
            Err(error) => {
                last.failed = Some((error.clone(), Instant::now()));
                Err(error)
            }
        }
    }
}

async fn read(settings: &Oidc, way: &ProviderClient) -> Result<CoreProviderMetadata, ProviderError> {
    let issuer = IssuerUrl::new(settings.issuer.clone());
    let issuer = issuer.map_err(|error| ProviderError::Invalid(format!("`oidc.issuer`: {error}")))?;
    Ok(CoreProviderMetadata::discover_async(issuer, way).await?)
}
