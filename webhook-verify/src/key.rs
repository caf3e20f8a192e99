//! A secret as an HMAC key that has been absorbed once, and what is computed with it.

use core::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

/// HMAC-SHA256.
pub(crate) type Tag = [u8; 32];

/// The whole secret is the key, `whsec_` included (AMB-8). Two of the four blocks that a short message costs go into the
/// key, so its state is kept.
#[derive(Clone)]
pub(crate) struct Key(Hmac<Sha256>);

impl Key {
    pub(crate) fn new(secret: &[u8]) -> Self {
        // The key as RFC 2104 pads it, so that there is no error to have.
        let mut block = [0; 64];
        if secret.len() > block.len() {
            block[..32].copy_from_slice(&Sha256::digest(secret));
        } else {
            block[..secret.len()].copy_from_slice(secret);
        }
        Self(Hmac::new(&block.into()))
    }

    /// The tag of a body at the time that is written `t`, over `<t>.<body>` (§6).
    pub(crate) fn tag(&self, t: &[u8], body: &[u8]) -> Tag {
        self.0.clone().chain_update(t).chain_update(b".").chain_update(body).finalize().into_bytes().into()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whsec_…")
    }
}
