//! A secret as a prepared HMAC key, and the tags computed with it.

use core::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConstantTimeEq as _};

/// The correct signature of a body. It has no `==`, because its timing would reveal how much of a guess is right
/// (SIG-11).
pub(crate) struct Tag([u8; 32]);

impl Tag {
    /// Compares with every signature, each to its end.
    pub(crate) fn is_any_of(&self, signatures: impl IntoIterator<Item = [u8; 32]>) -> bool {
        let right = words(&self.0);
        let equals =
            |signature| words(&signature).iter().zip(&right).fold(Choice::from(1), |is, (a, b)| is & a.ct_eq(b));
        signatures.into_iter().fold(Choice::from(0), |any, signature| any | equals(signature)).into()
    }

    #[cfg(feature = "sign")]
    pub(crate) fn into_bytes(self) -> [u8; 32] {
        self.0
    }
}

/// Four comparisons of eight bytes cost less than 32 of one.
fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// The whole secret is the key, `whsec_` included (AMB-8). The state after absorbing it is kept, which saves two of the
/// four hash blocks of a short message.
#[derive(Clone)]
pub(crate) struct Key(Hmac<Sha256>);

impl Key {
    pub(crate) fn new(secret: &[u8]) -> Self {
        // The key is padded here as in RFC 2104, so that no error is possible.
        let mut block = [0; 64];
        if secret.len() > block.len() {
            block[..32].copy_from_slice(&Sha256::digest(secret));
        } else {
            block[..secret.len()].copy_from_slice(secret);
        }
        Self(Hmac::new(&block.into()))
    }

    /// The tag of a body signed at time `t`, over `<t>.<body>` (§6).
    pub(crate) fn tag(&self, t: &[u8], body: &[u8]) -> Tag {
        let mut mac = self.0.clone();
        mac.update(t);
        mac.update(b".");
        mac.update(body);
        Tag(mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whsec_…")
    }
}

#[cfg(test)]
mod tests {
    use super::Tag;

    /// SIG-11: if `Tag` implemented `PartialEq`, the name below would be ambiguous, and this test would not compile.
    #[test]
    fn a_tag_cannot_be_compared_but_in_constant_time() {
        trait HasNoEq<Marker> {
            fn name() {}
        }
        struct Eq;
        impl<T: ?Sized> HasNoEq<()> for T {}
        impl<T: ?Sized + PartialEq> HasNoEq<Eq> for T {}
        <Tag as HasNoEq<_>>::name();
    }

    /// SIG-9, SIG-11: all signatures are compared, wherever the right one is, and every bit counts.
    #[test]
    fn a_tag_is_any_of_those_that_equal_it_whole() {
        let right = [0x5a; 32];
        for bit in 0..256 {
            let mut wrong = right;
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert!(!Tag(right).is_any_of([wrong, wrong]));
            assert!(Tag(right).is_any_of([wrong, right]));
            assert!(Tag(right).is_any_of([right, wrong]));
        }
        assert!(!Tag(right).is_any_of([]));
    }
}
