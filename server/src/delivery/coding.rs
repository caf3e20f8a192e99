//! Content codings of delivered files (RFC 9110 §8.4.1).

use std::io::{self, Read as _, Write as _};

use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

/// A coding that files are delivered in, if the client takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coding {
    /// Brotli (RFC 7932).
    Brotli,
    /// gzip (RFC 1952).
    Gzip,
}

impl Coding {
    /// Its name in headers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The one coding that a negotiated request asks for.
    #[must_use]
    pub fn asked_for(headers: &HeaderMap) -> Option<Self> {
        let asked = headers.get(ACCEPT_ENCODING)?;
        [Self::Brotli, Self::Gzip].into_iter().find(|coding| asked == coding.as_str())
    }

    /// Compresses, densely enough for content that is compressed once and sent many times.
    ///
    /// # Errors
    ///
    /// Returns the encoder's error; it has none as long as there is memory.
    pub fn compress(self, mut plain: &[u8]) -> io::Result<Vec<u8>> {
        let mut coded = Vec::new();
        match self {
            Self::Brotli => {
                let params =
                    brotli::enc::BrotliEncoderParams { quality: 6, size_hint: plain.len(), ..Default::default() };
                brotli::BrotliCompress(&mut plain, &mut coded, &params)?;
            }
            Self::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(&mut coded, flate2::Compression::default());
                encoder.write_all(plain)?;
                encoder.finish()?;
            }
        }
        Ok(coded)
    }

    /// Returns the plain bytes of a result of [`compress`](Self::compress).
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are damaged.
    pub fn expand(self, coded: &[u8]) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        match self {
            Self::Brotli => {
                brotli::BrotliDecompress(&mut &*coded, &mut plain)?;
            }
            Self::Gzip => {
                flate2::read::GzDecoder::new(coded).read_to_end(&mut plain)?;
            }
        }
        Ok(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compressed_expands_to_the_same_bytes() {
        for plain in [Vec::new(), b"Hello".to_vec(), b"Hello ".repeat(10_000)] {
            for coding in [Coding::Brotli, Coding::Gzip] {
                let coded = coding.compress(&plain).unwrap();
                assert_eq!(coding.expand(&coded).unwrap(), plain);
                assert!(plain.is_empty() || coding.expand(coded.get(..coded.len() / 2).unwrap()).is_err());
            }
        }
    }
}
