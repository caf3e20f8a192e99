//! Content codings of delivered files (RFC 9110 §8.4.1).

use std::io::{self, Write as _};

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

    /// Compresses, densely enough for what is done once and sent many times.
    ///
    /// # Errors
    ///
    /// As the encoder, which has none where memory is there.
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
}
