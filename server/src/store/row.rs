//! The conversion of a column into a field.

use std::fmt;

use l10n_api_types::content::DocumentFormat;
use l10n_api_types::deliveries::{DeliveryErrorKind, DeliveryStatus};
use l10n_api_types::events::EventType;
use l10n_api_types::glossary::GlossaryRule;
use l10n_api_types::operations::{OperationKind, OperationTarget};
use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::pending_code_changes::ChangeKind;
use l10n_api_types::requests::ReceiptStatus;
use l10n_api_types::translations::{JobKind, JobStatus};
use l10n_api_types::webhooks::DisabledReason;
use l10n_api_types::{
    DocumentId, FormatId, KeyKind, Millicredits, Origin, ProjectId, RequestId, State, TrackingToken, UnknownName,
    VersionId, WebhookId, WorkspaceId,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{ColumnIndex, Database, Decode, Row, Type};

use super::StoreError;
use crate::clock::Timestamp;
use crate::ids::{HoldId, InvitationId, SessionId, UserId};

/// A type that a column can be read into. Enums and newtypes implement it over what both engines store.
pub(crate) trait Stored: Sized {
    /// The type of the column: `i64`, `String`, `bool`, `Vec<u8>` or an `Option` of them.
    type Raw;

    /// Makes the value; an error says what is wrong with the stored one.
    ///
    /// # Errors
    ///
    /// A sentence about the stored value.
    fn from_raw(raw: Self::Raw) -> Result<Self, String>;
}

macro_rules! stored_as_it_is {
    ($($ty:ty),*) => {$(
        impl Stored for $ty {
            type Raw = $ty;
            fn from_raw(raw: $ty) -> Result<Self, String> {
                Ok(raw)
            }
        }
    )*};
}
stored_as_it_is!(i64, String, bool, Vec<u8>);

impl Stored for Timestamp {
    type Raw = i64;
    fn from_raw(raw: i64) -> Result<Self, String> {
        Ok(Self::from_millis(raw))
    }
}

macro_rules! stored_by_name {
    ($($ty:ty),*) => {$(
        impl Stored for $ty {
            type Raw = String;
            fn from_raw(raw: String) -> Result<Self, String> {
                raw.parse().map_err(|error: UnknownName| error.to_string())
            }
        }
    )*};
}
stored_by_name!(
    ChangeKind,
    DeliveryErrorKind,
    DeliveryStatus,
    DisabledReason,
    DocumentFormat,
    EmptyAs,
    EventType,
    FormatId,
    GlossaryRule,
    JobKind,
    JobStatus,
    KeyKind,
    OperationKind,
    OperationTarget,
    Origin,
    ReceiptStatus,
    State
);

macro_rules! stored_ids {
    ($($ty:ty),* $(,)?) => {$(
        impl Stored for $ty {
            type Raw = String;
            fn from_raw(raw: String) -> Result<Self, String> {
                Ok(raw.into())
            }
        }
    )*};
}
stored_ids!(
    DocumentId,
    HoldId,
    InvitationId,
    ProjectId,
    RequestId,
    SessionId,
    TrackingToken,
    UserId,
    VersionId,
    WebhookId,
    WorkspaceId
);

impl Stored for Millicredits {
    type Raw = i64;
    fn from_raw(raw: i64) -> Result<Self, String> {
        Ok(Self(raw))
    }
}

impl<const N: usize> Stored for [u8; N] {
    type Raw = Vec<u8>;
    fn from_raw(raw: Vec<u8>) -> Result<Self, String> {
        let length = raw.len();
        raw.try_into().map_err(|_| format!("{length} bytes where {N} are expected"))
    }
}

impl<T: Stored> Stored for Option<T> {
    type Raw = Option<T::Raw>;
    fn from_raw(raw: Option<T::Raw>) -> Result<Self, String> {
        raw.map(T::from_raw).transpose()
    }
}

/// A value that is stored as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> Stored for Json<T> {
    type Raw = String;
    fn from_raw(raw: String) -> Result<Self, String> {
        serde_json::from_str(&raw).map(Self).map_err(|error| error.to_string())
    }
}

/// The text to bind for a [`Json`] column.
///
/// # Errors
///
/// [`StoreError::Corrupt`] when the value has no JSON form, such as a map whose keys are not texts.
pub(crate) fn to_json<T: Serialize + ?Sized>(what: &'static str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::corrupt(what, error))
}

/// The list to bind where a statement reads one by `json_each`, or as an array of PostgreSQL: of ids, hashes and tags, which have
/// no characters that a text in JSON escapes.
pub(crate) fn listed<T: fmt::Debug>(names: impl IntoIterator<Item = T>) -> String {
    format!("{:?}", names.into_iter().collect::<Vec<_>>())
}

/// Reads the column `name`.
///
/// # Errors
///
/// Returns an error if the column is missing, of another type, or contains an invalid value for `T`.
pub(crate) fn column<'r, R, T>(row: &'r R, name: &'static str) -> sqlx::Result<T>
where
    R: Row,
    T: Stored,
    T::Raw: Decode<'r, <R as Row>::Database> + Type<<R as Row>::Database>,
    R::Database: Database<Row = R>,
    &'static str: ColumnIndex<R>,
{
    T::from_raw(row.try_get(name)?)
        .map_err(|reason| sqlx::Error::ColumnDecode { index: name.to_owned(), source: reason.into() })
}
