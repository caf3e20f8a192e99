//! The stored form of published files' contents: compressed as they will mostly be sent.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use super::coding::Coding;
use crate::store::blobs::{Blob, BlobCoding, Hash};

/// Contents below this stay plain: compressing them saves next to nothing.
pub(crate) const WORTH_COMPRESSING: usize = 1024;

/// The form in which plain bytes are stored: compressed where that makes them shorter. Not for the threads that serve
/// requests.
///
/// # Errors
///
/// Returns the encoder's error; it has none as long as there is memory.
pub(crate) fn packed(plain: Vec<u8>) -> io::Result<Blob> {
    if plain.len() >= WORTH_COMPRESSING {
        let coded = Coding::Gzip.compress(&plain)?;
        if coded.len() < plain.len() {
            return Ok(Blob { coding: Some(BlobCoding::Gzip), content: coded });
        }
    }
    Ok(Blob { coding: None, content: plain })
}

/// The plain bytes of a stored content. Not for the threads that serve requests, where there are many.
///
/// # Errors
///
/// Returns an error if the stored bytes are damaged.
pub(crate) fn plain(stored: Blob) -> io::Result<Vec<u8>> {
    match stored.coding {
        None => Ok(stored.content),
        Some(BlobCoding::Gzip) => Coding::Gzip.expand(&stored.content),
    }
}

/// A file that is being written: hashed at once, and compressed at once where it grows large.
#[derive(Debug, Default)]
pub(crate) struct Packing {
    sha256: Sha256,
    bytes: usize,
    plain: Vec<u8>,
    coded: Option<GzEncoder<Vec<u8>>>,
}

/// A file that was written.
#[derive(Debug)]
pub(crate) struct Packed {
    /// SHA-256 of its plain bytes.
    pub sha256: Hash,
    /// The number of its plain bytes.
    pub bytes: usize,
    /// The bytes.
    pub body: StoredBody,
}

/// The bytes of a file. They stay plain as long as they may be stored already, since compressing them would be in vain.
#[derive(Debug)]
pub(crate) enum StoredBody {
    /// Not compressed yet.
    Plain(Vec<u8>),
    /// In the stored form.
    Stored(Blob),
}

/// A file with more plain bytes than this is compressed while it is written.
const LARGE: usize = 4 * 1024 * 1024;

impl Packing {
    /// The file.
    ///
    /// # Errors
    ///
    /// Returns the encoder's error.
    pub(crate) fn finish(self) -> io::Result<Packed> {
        let body = match self.coded {
            None => StoredBody::Plain(self.plain),
            Some(coded) => StoredBody::Stored(Blob { coding: Some(BlobCoding::Gzip), content: coded.finish()? }),
        };
        Ok(Packed { sha256: self.sha256.finalize().into(), bytes: self.bytes, body })
    }
}

impl Write for Packing {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.sha256.update(part);
        self.bytes += part.len();
        if self.coded.is_none() && self.bytes <= LARGE {
            self.plain.extend_from_slice(part);
            return Ok(part.len());
        }
        if self.coded.is_none() {
            let mut coded = GzEncoder::new(Vec::new(), flate2::Compression::default());
            coded.write_all(&std::mem::take(&mut self.plain))?;
            self.coded = Some(coded);
        }
        if let Some(coded) = &mut self.coded {
            coded.write_all(part)?;
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl StoredBody {
    /// Bytes that it takes in memory.
    #[must_use]
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Plain(plain) => plain.len(),
            Self::Stored(blob) => blob.content.len(),
        }
    }

    /// The form in which it is stored. Not for the threads that serve requests.
    ///
    /// # Errors
    ///
    /// Returns the encoder's error.
    pub(crate) fn stored(self) -> io::Result<Blob> {
        match self {
            Self::Plain(plain) => packed(plain),
            Self::Stored(blob) => Ok(blob),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_any_size_is_stored_under_the_hash_of_its_plain_bytes() {
        for size in [0, 10, 5_000, LARGE, LARGE + 1, 3 * LARGE] {
            let content: Vec<u8> = (0..size).map(|at| (at / 7 % 251) as u8).collect();
            let mut packing = Packing::default();
            content.chunks(1_000_003).for_each(|part| packing.write_all(part).unwrap());
            let file = packing.finish().unwrap();
            assert_eq!((file.bytes, file.sha256), (size, Sha256::digest(&content).into()));
            assert!(file.body.size() <= LARGE);
            assert_eq!(plain(file.body.stored().unwrap()).unwrap(), content);
        }
    }

    #[test]
    fn a_content_is_compressed_where_that_makes_it_shorter() {
        let noise: Vec<u8> = (0..100_u8).flat_map(|seed| Sha256::digest([seed])).collect();
        for (content, coding) in
            [(b"Hello".to_vec(), None), (b"Hello ".repeat(1_000), Some(BlobCoding::Gzip)), (noise, None)]
        {
            let stored = packed(content.clone()).unwrap();
            assert_eq!(stored.coding, coding);
            assert!(stored.content.len() <= content.len());
            assert_eq!(plain(stored).unwrap(), content);
        }
    }
}
