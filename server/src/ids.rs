//! Ids and secrets: the one place that makes random values.
//!
//! An id is a prefix for the kind of object, and 26 characters of lowercase base32 over a UUIDv7: opaque, sortable by
//! creation (also within one millisecond of one process), and safe in a path, a shell and a spreadsheet.

use std::fmt;
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use l10n_api_types::API_KEY_PREFIX;
use rand::RngExt as _;
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};
use uuid::{ContextV7, Uuid};

use crate::clock::Timestamp;

/// The kind of an id. The prefixes of the public API are fixed (API-COMPLETION 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdKind {
    /// `wsp_`
    Workspace,
    /// `prj_`
    Project,
    /// `key_`, the record of an API key; never the key itself
    ApiKey,
    /// `trk_`, a translation job
    TrackingToken,
    /// `ver_`, a version of the keys
    Version,
    /// `pub_`
    Publish,
    /// `req_`, a request; also a fresh `x-correlation-id`
    Request,
    /// `fmt_`
    OutputFormat,
    /// `trm_`, a term of a glossary
    GlossaryTerm,
    /// `sgl_`, a glossary that a translation service keeps
    ServiceGlossary,
    /// `str_`, a string of a project; inside the server alone, a client knows it by its `ref`
    String,
    /// `led_`, an entry of the ledger
    LedgerEntry,
    /// `hld_`, credits held for a job
    Hold,
    /// `lse_`, the owner of a lease
    Lease,
    /// `whk_`
    Webhook,
    /// `evt_`, the same for every webhook
    Event,
    /// `dlv_`, one event on its way to one webhook
    Delivery,
    /// `doc_`
    Document,
    /// `cvr_`, a version of a document: of its source, or a published one
    DocumentVersion,
    /// `op_`, a person's approval of one piece of work
    Operation,
    /// `chg_`, a person's change of a source text that the code lacks
    CodeChange,
    /// `usr_`, a person
    User,
    /// `ses_`, a person's session; never its token
    Session,
    /// `inv_`, an invitation; never its token
    Invitation,
    /// `aud_`, an entry of the audit log
    AuditEntry,
}

impl IdKind {
    /// The prefix with its underscore.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Workspace => "wsp_",
            Self::Project => "prj_",
            Self::ApiKey => "key_",
            Self::TrackingToken => "trk_",
            Self::Version => "ver_",
            Self::Publish => "pub_",
            Self::Request => "req_",
            Self::OutputFormat => "fmt_",
            Self::GlossaryTerm => "trm_",
            Self::ServiceGlossary => "sgl_",
            Self::String => "str_",
            Self::LedgerEntry => "led_",
            Self::Hold => "hld_",
            Self::Lease => "lse_",
            Self::Webhook => "whk_",
            Self::Event => "evt_",
            Self::Delivery => "dlv_",
            Self::Document => "doc_",
            Self::DocumentVersion => "cvr_",
            Self::Operation => "op_",
            Self::CodeChange => "chg_",
            Self::User => "usr_",
            Self::Session => "ses_",
            Self::Invitation => "inv_",
            Self::AuditEntry => "aud_",
        }
    }
}

/// Declares ids that only the server knows. Those that clients know are in `l10n_api_types`.
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident = $kind:ident;)+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// A fresh id, sortable by `now`.
            pub fn fresh(now: Timestamp) -> Self {
                Self(new_id(IdKind::$kind, now))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

ids! {
    /// The owner of a lease: `lse_…`.
    LeaseOwner = Lease;
    /// Credits held for a job: `hld_…`.
    HoldId = Hold;
    /// A person: `usr_…`.
    UserId = User;
    /// A person's session: `ses_…`.
    SessionId = Session;
    /// An invitation to a workspace: `inv_…`.
    InvitationId = Invitation;
}

/// Keeps ids of one process in the order in which they were made, even within one millisecond.
static CONTEXT: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// A fresh id, sortable by `now`.
pub fn new_id(kind: IdKind, now: Timestamp) -> String {
    let millis = u64::try_from(now.as_millis()).unwrap_or_default();
    let nanos = u32::try_from(millis % 1_000 * 1_000_000).unwrap_or_default();
    let uuid = Uuid::new_v7(uuid::Timestamp::from_unix(&CONTEXT, millis / 1_000, nanos));
    let mut id = String::with_capacity(30);
    id.push_str(kind.prefix());
    push_base32(&mut id, uuid.as_u128());
    id
}

/// Crockford's alphabet in lowercase: its order is that of ASCII, so text sorts as the number does.
const BASE32: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn push_base32(out: &mut String, mut value: u128) {
    let mut digits = [b'0'; 26];
    for digit in digits.iter_mut().rev() {
        *digit = BASE32[usize::try_from(value & 31).unwrap_or_default()];
        value >>= 5;
    }
    out.push_str(std::str::from_utf8(&digits).unwrap_or_default());
}

const API_KEY_BODY: usize = 43;
const API_KEY_CHECKSUM: usize = 6;

/// The text of an API key: `eik_`, 43 base62 characters (256 bits), 6 of checksum.
///
/// It exists when a key is made and when a request carries one; the store keeps its [`hash`](Self::hash) alone. `Debug`
/// does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKeyText(String);

impl ApiKeyText {
    /// A fresh key.
    #[expect(clippy::disallowed_methods, reason = "this is where random values are made")]
    pub fn generate() -> Self {
        let mut rng = rand::rng();
        let body = (0..API_KEY_BODY).map(|_| char::from(rng.sample(rand::distr::Alphanumeric)));
        let mut text: String = API_KEY_PREFIX.chars().chain(body).collect();
        let checksum = checksum(&text);
        text.push_str(&checksum);
        Self(text)
    }

    /// Accepts a text that has the form of a key and whose checksum fits, so that a typing error costs no query. `None`
    /// says nothing about the reason: to a caller every wrong key is the same 401.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(API_KEY_PREFIX)?;
        if rest.len() != API_KEY_BODY + API_KEY_CHECKSUM || !rest.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (signed, given) = text.split_at(API_KEY_PREFIX.len() + API_KEY_BODY);
        (checksum(signed) == given).then(|| Self(text.to_owned()))
    }

    /// SHA-256 of the whole text, by which the store finds the key. A slow hash would add nothing: the text holds 256
    /// random bits.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The text itself, to be shown once to the person who made the key.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKeyText(…)")
    }
}

/// Fresh random bytes, for master keys and nonces.
#[expect(clippy::disallowed_methods, reason = "this is where random values are made")]
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    rand::rng().random()
}

/// A number between 0 and 1, for pauses that differ.
#[expect(clippy::disallowed_methods, reason = "this is where random values are made")]
pub(crate) fn jitter() -> f64 {
    rand::rng().random_range(0.0..1.0)
}

/// Bytes of a token that a cookie or a link carries.
const TOKEN_BYTES: usize = 32;

/// A fresh token for a cookie or a link: 32 random bytes in 43 characters that are safe in a URL. The store keeps its
/// [`token_hash`] alone.
pub(crate) fn new_token() -> SecretString {
    URL_SAFE_NO_PAD.encode(random_bytes::<TOKEN_BYTES>()).into()
}

/// SHA-256 of a token, by which the store finds it. `None` for a text that [`new_token`] cannot have made, so that it costs
/// no query.
pub(crate) fn token_hash(token: &str) -> Option<[u8; 32]> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    (bytes.len() == TOKEN_BYTES).then(|| Sha256::digest(token.as_bytes()).into())
}

const WEBHOOK_SECRET_PREFIX: &str = "whsec_";
const WEBHOOK_SECRET_BODY: usize = 43;

/// A fresh secret of a webhook: `whsec_` and 43 base62 characters (256 bits). The whole text is the key of signatures
/// (AMB-8).
#[expect(clippy::disallowed_methods, reason = "this is where random values are made")]
pub(crate) fn new_webhook_secret() -> SecretString {
    let mut rng = rand::rng();
    let mut text = String::with_capacity(WEBHOOK_SECRET_PREFIX.len() + WEBHOOK_SECRET_BODY);
    text.push_str(WEBHOOK_SECRET_PREFIX);
    text.extend((0..WEBHOOK_SECRET_BODY).map(|_| char::from(rng.sample(rand::distr::Alphanumeric))));
    text.into()
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn checksum(signed: &str) -> String {
    let digest = Sha256::digest(signed.as_bytes());
    let mut value = digest.iter().take(8).fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    let mut text = String::with_capacity(API_KEY_CHECKSUM);
    for _ in 0..API_KEY_CHECKSUM {
        text.push(char::from(BASE62[usize::try_from(value % 62).unwrap_or_default()]));
        value /= 62;
    }
    text
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

    #[test]
    fn ids_fit_the_pattern_of_paths_and_carry_their_prefix() {
        let id = new_id(IdKind::Project, NOW);
        assert_eq!(id.len(), 30);
        assert!(id.starts_with("prj_"), "{id}");
        assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{id}");
    }

    #[test]
    fn ids_sort_by_creation_even_within_one_millisecond() {
        let ids: Vec<_> = (0..10_000).map(|_| new_id(IdKind::String, NOW)).collect();
        let mut sorted = ids.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(ids, sorted);
    }

    #[test]
    fn an_id_holds_all_bits_of_its_number() {
        let of = |value| {
            let mut text = String::new();
            push_base32(&mut text, value);
            text
        };
        assert_eq!(of(0), "0".repeat(26));
        assert_eq!(of(u128::MAX), format!("7{}", "z".repeat(25)));
        assert_eq!(of(32 * 32 + 2 * 32 + 31), format!("{}12z", "0".repeat(23)));
    }

    #[test]
    fn an_id_of_a_later_time_sorts_after_one_of_an_earlier_time() {
        let earlier = new_id(IdKind::String, Timestamp::from_millis(NOW.as_millis() + 1_000));
        let later = new_id(IdKind::String, Timestamp::from_millis(NOW.as_millis() + 1_001));
        assert!(earlier < later);
    }

    #[test]
    fn a_fresh_api_key_parses_and_has_the_documented_length() {
        let key = ApiKeyText::generate();
        assert_eq!(key.expose().len(), 4 + 43 + 6);
        assert_eq!(ApiKeyText::parse(key.expose()).as_ref(), Some(&key));
        assert_ne!(key, ApiKeyText::generate());
    }

    /// WH-F-5, WH-F-10
    #[test]
    fn a_fresh_webhook_secret_has_its_prefix_and_256_bits() {
        let secret = new_webhook_secret();
        let body = secret.expose_secret().strip_prefix("whsec_").unwrap();
        assert_eq!(body.len(), 43);
        assert!(body.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_ne!(secret.expose_secret(), new_webhook_secret().expose_secret());
    }

    #[test]
    fn every_typing_error_of_one_character_is_found_without_the_store() {
        let key = ApiKeyText::generate();
        for at in 0..key.expose().len() {
            let mut typed = key.expose().as_bytes().to_vec();
            typed[at] = if typed[at] == b'x' { b'y' } else { b'x' };
            let typed = String::from_utf8(typed).unwrap();
            assert_eq!(ApiKeyText::parse(&typed), None, "{typed}");
        }
        for wrong in ["", "eik_", &key.expose()[1..], &format!("{}x", key.expose()), "eik_é"] {
            assert_eq!(ApiKeyText::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_checksum_is_stable_across_releases() {
        let text = format!("eik_{}", "0".repeat(43));
        insta::assert_snapshot!(checksum(&text), @"UEK9BP");
    }

    #[test]
    fn a_fresh_token_has_256_bits_and_no_other_text_has_a_hash() {
        let token = new_token();
        let token = token.expose_secret();
        assert_eq!(token.len(), 43);
        assert!(token_hash(token).is_some());
        assert_ne!(token_hash(token), token_hash(new_token().expose_secret()));
        for wrong in ["", "a", &token[1..], &format!("{token}A"), &format!("{token}="), &"é".repeat(43)] {
            assert_eq!(token_hash(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn debug_output_does_not_show_an_api_key() {
        let key = ApiKeyText::generate();
        assert_eq!(format!("{key:?}"), "ApiKeyText(…)");
    }
}
