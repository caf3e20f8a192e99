//! The grammar of the signature header, stricter than the libraries that read the same format elsewhere.
//!
//! ```text
//! header = part *( "," part )         at most 4,096 bytes, all of them visible ASCII: no blanks
//! part   = "t=" seconds               exactly once, anywhere
//!        / "v1=" 64 lower-case hex    one to sixteen of them; any other `v1` matches nothing
//!        / scheme "=" value           of another version of the format: ignored
//! ```

use crate::HeaderError;

/// Longest header that is looked at, in bytes. The service's own have at most 148 while both secrets of a rotation sign.
pub const MAX_HEADER_BYTES: usize = 4096;

/// Most signatures in one header; with more of them it is refused. The service writes one or two.
pub const MAX_SIGNATURES: usize = 16;

/// A header that keeps to the grammar.
pub(crate) struct Signatures<'h> {
    /// As it is written: these bytes are signed.
    pub(crate) written: &'h [u8],
    /// Unix seconds.
    pub(crate) time: i64,
    all: [[u8; 32]; MAX_SIGNATURES],
    count: usize,
}

impl<'h> Signatures<'h> {
    pub(crate) fn parse(header: &'h [u8]) -> Result<Self, HeaderError> {
        if header.is_empty() {
            return Err(HeaderError::Missing);
        }
        if header.len() > MAX_HEADER_BYTES {
            return Err(HeaderError::TooLong);
        }
        if !header.iter().fold(true, |visible, byte| visible & byte.is_ascii_graphic()) {
            return Err(HeaderError::Character);
        }
        let mut time = None;
        let mut all = [[0; 32]; MAX_SIGNATURES];
        let (mut count, mut looked_at) = (0, 0);
        for part in header.split(|&byte| byte == b',') {
            if let Some(value) = part.strip_prefix(b"v1=") {
                if looked_at == MAX_SIGNATURES {
                    return Err(HeaderError::TooManySignatures);
                }
                looked_at += 1;
                if let Some(signature) = signature(value) {
                    all[count] = signature;
                    count += 1;
                }
            } else if let Some(value) = part.strip_prefix(b"t=") {
                if time.replace((value, seconds(value)?)).is_some() {
                    return Err(HeaderError::RepeatedTime);
                }
            } else if !part.iter().skip(1).any(|&byte| byte == b'=') || part.starts_with(b"=") {
                return Err(HeaderError::Part);
            }
        }
        let (written, time) = time.ok_or(HeaderError::NoTime)?;
        match (count, looked_at) {
            (0, 0) => Err(HeaderError::NoSignature),
            (0, _) => Err(HeaderError::SignatureFormat),
            _ => Ok(Self { written, time, all, count }),
        }
    }

    pub(crate) fn all(&self) -> &[[u8; 32]] {
        &self.all[..self.count]
    }
}

/// Plain decimal: what is signed has one spelling.
fn seconds(value: &[u8]) -> Result<i64, HeaderError> {
    if value.is_empty() || (value.len() > 1 && value[0] == b'0') {
        return Err(HeaderError::TimeFormat);
    }
    value.iter().try_fold(0_i64, |sum, digit| {
        let digit = digit.wrapping_sub(b'0');
        let sum = if digit > 9 { None } else { sum.checked_mul(10) };
        sum.and_then(|sum| sum.checked_add(i64::from(digit))).ok_or(HeaderError::TimeFormat)
    })
}

/// The signature in a header is no secret, so reading it may take the time it takes.
fn signature(value: &[u8]) -> Option<[u8; 32]> {
    let value: &[u8; 64] = value.try_into().ok()?;
    let mut signature = [0; 32];
    for (byte, pair) in signature.iter_mut().zip(value.as_chunks::<2>().0) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(signature)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}
