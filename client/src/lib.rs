#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod arriving;
mod base_url;
mod builder;
mod capture;
mod client;
#[cfg(feature = "http")]
mod connections;
mod content;
mod credential;
mod deliveries;
mod delivery;
mod error;
mod exchange;
mod glossary;
mod health;
mod ids;
mod inner;
mod languages;
mod memory;
mod meta;
mod operations;
mod options;
mod output_formats;
mod pages;
mod pending_code_changes;
mod project;
mod projects;
mod publish;
mod requests;
mod resend;
mod retry;
mod route;
mod secret;
#[cfg(feature = "http")]
mod tls;
mod translations;
mod transport;
mod unpublished_changes;
mod upload;
mod versions;
mod wait;
mod webhooks;

pub use base_url::is_loopback;
pub use builder::Builder;
pub use client::Client;
pub use content::Content;
pub use deliveries::Deliveries;
pub use delivery::{Changed, Delivery, PublishedFile};
pub use error::{
    ApiError, ConfigError, DecodeError, Error, IntegrityError, InvalidArgument, RedirectError, Result, TransportError,
    TransportKind, WaitTimeout,
};
pub use glossary::Glossary;
/// Every body, id, code and unit of money of the API, and the declarations of its endpoints.
pub use l10n_api_types as api;
pub use l10n_api_types::{EndpointInfo, ErrorCode};
pub use languages::Languages;
pub use memory::{Memory, MemoryFile};
pub use operations::Operations;
pub use options::{CallOptions, Reply};
pub use output_formats::OutputFormats;
pub use pages::Pages;
pub use pending_code_changes::PendingCodeChanges;
pub use project::Project;
pub use projects::Projects;
pub use requests::{Outcome, Requests};
/// The HTTP client underneath, for [`Builder::http_builder`] and [`Builder::http_client`].
#[cfg(feature = "http")]
pub use reqwest;
pub use resend::Resend;
pub use retry::LONGEST_RETRY_AFTER;
pub use secrecy::SecretString;
pub use tokio_util::sync::CancellationToken;
pub use translations::Translations;
pub use transport::{BoxError, Transport, TransportAnswer, TransportBody};
pub use unpublished_changes::UnpublishedChanges;
pub use upload::{file_upload, sync_body};
pub use versions::Versions;
pub use wait::WaitOptions;
pub use webhooks::Webhooks;
