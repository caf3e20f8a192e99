//! The grammar of the signature header, stricter than in other libraries that read this format.
//!
//! ```text
//! header = part *( "," part )         at most 4,096 bytes, all of them visible ASCII: no blanks
//! part   = "t=" seconds               exactly once, anywhere
//!        / "v1=" 64 lower-case hex    one to sixteen of them; any other `v1` matches nothing
//!        / scheme "=" value           of another version of the format: ignored
//! ```

use crate::HeaderError;

/// Longest accepted header, in bytes. The service's own have at most 148, when both secrets of a rotation sign.
pub const MAX_HEADER_BYTES: usize = 4096;

/// Most signatures in one header; a header with more is refused. The service writes one or two.
pub const MAX_SIGNATURES: usize = 16;

/// A header that follows the grammar.
pub(crate) struct Signatures<'h> {
    header: &'h [u8],
    /// The time's digits in the header: these bytes are signed.
    pub(crate) written: &'h [u8],
    /// Unix seconds.
    pub(crate) time: i64,
    /// Offsets in the header at which the well-formed signatures begin.
    starts: [u16; MAX_SIGNATURES],
    count: usize,
}

/// A signature in hexadecimal digits.
type Hex = [u8; 64];

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
        let mut starts = [0; MAX_SIGNATURES];
        let (mut count, mut looked_at) = (0, 0);
        let mut rest = Some(header);
        while let Some(list) = rest {
            let (part, after) = first_part(list);
            rest = after;
            if let Some(value) = part.strip_prefix(b"v1=") {
                if looked_at == MAX_SIGNATURES {
                    return Err(HeaderError::TooManySignatures);
                }
                looked_at += 1;
                if value.try_into().is_ok_and(|value: &Hex| decoded(value).is_some()) {
                    starts[count] = (header.len() - list.len() + b"v1=".len()) as u16;
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
            _ => Ok(Self { header, written, time, starts, count }),
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = [u8; 32]> {
        let starts = self.starts[..self.count].iter();
        starts.filter_map(|&start| decoded(self.header.get(usize::from(start)..)?.first_chunk()?))
    }
}

/// Splits a list at its first comma.
fn first_part(list: &[u8]) -> (&[u8], Option<&[u8]>) {
    // Nearly always the part is a signature, whose end is known.
    let ends_here = |at: usize| list.starts_with(b"v1=") && list.get(at).is_none_or(|&byte| byte == b',');
    let signature = b"v1=".len() + size_of::<Hex>();
    let end = if list.len() >= signature && ends_here(signature) && !list[..signature].contains(&b',') {
        signature
    } else {
        list.iter().position(|&byte| byte == b',').unwrap_or(list.len())
    };
    (&list[..end], list[end..].split_first().map(|(_comma, rest)| rest))
}

/// Parses plain decimal digits: the signed time has one spelling.
fn seconds(value: &[u8]) -> Result<i64, HeaderError> {
    // Nineteen digits always fit into a `u64`.
    if !(1..=19).contains(&value.len()) || (value.len() > 1 && value[0] == b'0') {
        return Err(HeaderError::TimeFormat);
    }
    let (mut sum, mut are_digits) = (0_u64, true);
    for byte in value {
        let digit = byte.wrapping_sub(b'0');
        are_digits &= digit <= 9;
        sum = sum.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    i64::try_from(sum).ok().filter(|_| are_digits).ok_or(HeaderError::TimeFormat)
}

/// Decodes 64 lower-case hexadecimal digits. It has no branches, because a processor cannot predict them for random
/// digits; the digits are not secret.
fn decoded(value: &Hex) -> Option<[u8; 32]> {
    let (mut nibbles, mut are_digits) = (*value, true);
    for nibble in &mut nibbles {
        let (digit, letter) = (nibble.wrapping_sub(b'0'), nibble.wrapping_sub(b'a'));
        are_digits &= (digit <= 9) | (letter <= 5);
        *nibble = if digit <= 9 { digit } else { letter.wrapping_add(10) };
    }
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(nibbles.as_chunks().0) {
        *byte = high << 4 | low;
    }
    are_digits.then_some(bytes)
}
