//! Seals the secrets of webhooks before they are stored, and opens them to sign a delivery; also answers that are kept
//! to be given again, which may hold such a secret.
//!
//! A sealed secret is the id of the master key, a nonce, and the XChaCha20-Poly1305 ciphertext with its tag. The id of
//! its owner (the webhook, the request) is authenticated with it, so that a sealed secret opens in the row that it was
//! sealed for and in no other.
//! The first master key seals, all of them open: that is how one is replaced while servers run.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use hmac::{Hmac, Mac as _};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretBox, SecretString};
use sha2::{Digest as _, Sha256};

use crate::ids;

const KEY_BYTES: usize = 32;
/// Bytes of a [`KeyId`], with which every sealed secret begins.
const KEY_ID_BYTES: usize = 8;
const NONCE_BYTES: usize = 24;
/// Bytes that SHA-256 takes at a time.
const BLOCK_BYTES: usize = 64;

/// The id of the master key that sealed a secret: the first bytes of the key's SHA-256. It is not secret: logs identify
/// keys by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId([u8; KEY_ID_BYTES]);

impl KeyId {
    /// Returns the id in a sealed secret; `None` if the bytes are not one.
    #[must_use]
    pub(crate) fn of(sealed: &[u8]) -> Option<Self> {
        sealed.first_chunk().copied().map(Self)
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A key of 256 bits that seals secrets. `Debug` shows its id alone; its memory is wiped with its last clone.
#[derive(Clone)]
pub struct MasterKey {
    id: KeyId,
    key: Arc<SecretBox<[u8; KEY_BYTES]>>,
}

impl MasterKey {
    /// A key of these bytes, which must be random.
    #[must_use]
    pub fn new(bytes: &[u8; KEY_BYTES]) -> Self {
        let digest: [u8; 32] = Sha256::digest(bytes).into();
        let mut id = [0; KEY_ID_BYTES];
        id.copy_from_slice(&digest[..KEY_ID_BYTES]);
        let key = SecretBox::init_with_mut(|key: &mut [u8; KEY_BYTES]| key.copy_from_slice(bytes));
        Self { id: KeyId(id), key: Arc::new(key) }
    }

    /// A fresh one.
    #[must_use]
    pub fn generate() -> Self {
        Self::new(&Zeroizing::new(ids::random_bytes()))
    }

    /// Reads the base64 form, with or without the blanks around it that files end in.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not the base64 of 32 bytes. The error does not repeat the text.
    pub fn parse(text: &str) -> Result<Self, MasterKeyError> {
        let bytes = Zeroizing::new(STANDARD.decode(text.trim()).map_err(|_| MasterKeyError)?);
        bytes.as_slice().try_into().map(Self::new).map_err(|_| MasterKeyError)
    }

    /// The base64 form, which [`parse`](Self::parse) reads: to be shown once to the person who made the key.
    #[must_use]
    pub fn expose(&self) -> SecretString {
        STANDARD.encode(self.key.expose_secret()).into()
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// HMAC-SHA-256 of the context, which is as good as a random key for who does not have this one.
    fn derived(&self, context: &[u8]) -> [u8; KEY_BYTES] {
        // HMAC fills a key that is shorter than a block with zeros.
        let mut block = Zeroizing::new([0; BLOCK_BYTES]);
        block[..KEY_BYTES].copy_from_slice(self.key.expose_secret());
        let hmac = <Hmac<Sha256> as hmac::KeyInit>::new((&*block).into());
        hmac.chain_update(context).finalize().into_bytes().into()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(self.key.expose_secret().into())
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKey({})", self.id)
    }
}

/// A text that is no master key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it takes the base64 of 32 random bytes: `l10n-server secrets new-key` prints one")]
pub struct MasterKeyError;

/// The reason why a secret was not sealed or opened. No text of it contains a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// The process was started without a master key.
    #[error("there is no master key to seal secrets with (setting `secrets.master_key`)")]
    NoKey,
    /// None of the master keys sealed it.
    #[error(
        "the secret was sealed with master key {0}, which is not at hand: name it in `secrets.previous_master_keys`"
    )]
    UnknownKey(KeyId),
    /// It is damaged, or was sealed for another webhook.
    #[error("the sealed secret does not open: it is damaged, or was sealed for another webhook")]
    Damaged,
}

/// Seals and opens secrets. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Vault {
    keys: Arc<[MasterKey]>,
}

impl Vault {
    /// With these master keys: the first seals, all of them open.
    #[must_use]
    pub fn new(keys: &[MasterKey]) -> Self {
        Self { keys: keys.into() }
    }

    /// Seals the secret of an owner. No two sealed secrets are alike, even of one secret.
    ///
    /// # Errors
    ///
    /// [`VaultError::NoKey`] without a master key.
    pub fn seal(&self, owner_id: &str, secret: &str) -> Result<Vec<u8>, VaultError> {
        let key = self.keys.first().ok_or(VaultError::NoKey)?;
        // 192 random bits: no two are the same, however many are made.
        let nonce: [u8; NONCE_BYTES] = ids::random_bytes();
        let payload = Payload { msg: secret.as_bytes(), aad: owner_id.as_bytes() };
        let ciphertext = key.cipher().encrypt(&nonce.into(), payload).map_err(|_| VaultError::Damaged)?;
        Ok([&key.id.0[..], &nonce, &ciphertext].concat())
    }

    /// Opens the secret of an owner.
    ///
    /// # Errors
    ///
    /// Returns an error if none of the master keys sealed it, it is damaged, or it was sealed for another owner.
    pub fn open(&self, owner_id: &str, sealed: &[u8]) -> Result<SecretString, VaultError> {
        let (id, rest) = sealed.split_first_chunk().ok_or(VaultError::Damaged)?;
        let (nonce, ciphertext) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(VaultError::Damaged)?;
        let id = KeyId(*id);
        let key = self.keys.iter().find(|key| key.id == id).ok_or(VaultError::UnknownKey(id))?;
        let payload = Payload { msg: ciphertext, aad: owner_id.as_bytes() };
        let opened = key.cipher().decrypt(nonce.into(), payload).map_err(|_| VaultError::Damaged)?;
        let opened = String::from_utf8(opened).map_err(|error| {
            drop(Zeroizing::new(error.into_bytes()));
            VaultError::Damaged
        })?;
        Ok(opened.into())
    }

    /// Keys for another purpose, made of the master keys in their order, each with the id of its master key. A `context` of its
    /// own keeps them apart from those of any other purpose.
    pub(crate) fn derived(&self, context: &[u8]) -> Vec<(String, [u8; KEY_BYTES])> {
        self.keys.iter().map(|key| (key.id.to_string(), key.derived(context))).collect()
    }

    /// Returns true if one of the master keys has this id.
    #[must_use]
    pub fn knows(&self, id: KeyId) -> bool {
        self.keys.iter().any(|key| key.id == id)
    }

    /// Returns true if the first master key sealed it, so that it stays readable without the others.
    #[must_use]
    pub(crate) fn is_current(&self, sealed: &[u8]) -> bool {
        self.keys.first().map(MasterKey::id) == KeyId::of(sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

    fn vault(keys: &[u8]) -> Vault {
        Vault::new(&keys.iter().map(|byte| MasterKey::new(&[*byte; 32])).collect::<Vec<_>>())
    }

    fn opened(vault: &Vault, webhook: &str, sealed: &[u8]) -> Result<String, VaultError> {
        vault.open(webhook, sealed).map(|secret| secret.expose_secret().to_owned())
    }

    #[test]
    fn a_secret_opens_for_its_own_webhook_alone() {
        let vault = vault(&[1]);
        let sealed = vault.seal("whk_a", SECRET).unwrap();
        assert_eq!(opened(&vault, "whk_a", &sealed).unwrap(), SECRET);
        assert_eq!(opened(&vault, "whk_b", &sealed), Err(VaultError::Damaged));
        assert_eq!(opened(&vault, "", &sealed), Err(VaultError::Damaged));
    }

    #[test]
    fn no_changed_bit_and_no_part_of_a_sealed_secret_opens() {
        let vault = vault(&[1]);
        let sealed = vault.seal("whk_a", SECRET).unwrap();
        for bit in 0..sealed.len() * 8 {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(vault.open("whk_a", &changed).is_err(), "bit {bit}");
        }
        for length in 0..sealed.len() {
            assert!(vault.open("whk_a", &sealed[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn what_is_sealed_twice_looks_different_and_never_like_the_secret() {
        let vault = vault(&[1]);
        let (one, two) = (vault.seal("whk_a", SECRET).unwrap(), vault.seal("whk_a", SECRET).unwrap());
        assert_ne!(one, two);
        assert!(!one.windows(8).any(|window| SECRET.as_bytes().windows(8).any(|part| part == window)));
    }

    #[test]
    fn the_first_master_key_seals_and_all_of_them_open() {
        let (before, between, after) = (vault(&[1]), vault(&[2, 1]), vault(&[2]));
        let old = before.seal("whk_a", SECRET).unwrap();
        assert_eq!(opened(&between, "whk_a", &old).unwrap(), SECRET);
        assert!(!between.is_current(&old));
        let new = between.seal("whk_a", SECRET).unwrap();
        assert!(between.is_current(&new) && after.is_current(&new));
        assert_eq!(opened(&after, "whk_a", &new).unwrap(), SECRET);
        assert_eq!(opened(&after, "whk_a", &old), Err(VaultError::UnknownKey(MasterKey::new(&[1; 32]).id())));
        assert_eq!(Vault::default().seal("whk_a", SECRET), Err(VaultError::NoKey));
    }

    /// The steps in which README.md replaces a master key. With fewer, a server that has not restarted yet meets secrets
    /// that it cannot open.
    #[test]
    fn servers_that_restart_one_by_one_open_what_each_other_seals() {
        let opens = |one: &Vault, other: &Vault| one.open("whk_a", &other.seal("whk_a", SECRET).unwrap()).is_ok();
        for (before, after) in [(&[1][..], &[1, 2][..]), (&[1, 2], &[2, 1]), (&[2, 1], &[2])] {
            let (before, after) = (vault(before), vault(after));
            assert!(opens(&before, &after) && opens(&after, &before));
        }
        assert!(!opens(&vault(&[1]), &vault(&[2, 1])));
    }

    #[test]
    fn a_master_key_is_the_base64_of_32_bytes() {
        let key = MasterKey::generate();
        let text = key.expose();
        assert_eq!(text.expose_secret().len(), 44);
        assert_eq!(MasterKey::parse(&format!(" {}\n", text.expose_secret())).unwrap().id(), key.id());
        assert_ne!(MasterKey::generate().id(), key.id());
        for wrong in ["", "AAAA", &"A".repeat(42), &"A".repeat(44), &"é".repeat(22), &text.expose_secret()[1..]] {
            let error = MasterKey::parse(wrong).unwrap_err().to_string();
            assert!(wrong.is_empty() || !error.contains(wrong), "{error}");
        }
    }

    /// The key is that of HMAC-SHA-256 in any language: what one version of the server sealed, the next one opens.
    #[test]
    fn a_derived_key_depends_on_the_master_key_and_on_its_purpose_alone() {
        let derived = vault(&[1, 2]).derived(b"context");
        assert_eq!(
            derived.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>(),
            [1, 2].map(|key| MasterKey::new(&[key; 32]).id().to_string())
        );
        assert_eq!(derived[0], vault(&[1]).derived(b"context")[0]);
        assert_ne!(derived[0].1, derived[1].1);
        assert_ne!(derived[0].1, vault(&[1]).derived(b"other")[0].1);
        assert_ne!(derived[0].1, [1; 32]);
        let hex: String = derived[0].1.iter().map(|byte| format!("{byte:02x}")).collect();
        insta::assert_snapshot!(hex, @"2a60462cebb226e26a93a9efa6a708cf711f41b9d9c108fbe191ced26b420e95");
    }

    #[test]
    fn debug_shows_the_id_of_a_key_and_nothing_else() {
        let key = MasterKey::new(&[1; 32]);
        insta::assert_snapshot!(format!("{:?}", Vault::new(&[key])), @"Vault { keys: [MasterKey(72cd6e8422c407fb)] }");
    }
}
