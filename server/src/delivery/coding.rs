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

    /// The coding that the client likes best by its `Accept-Encoding`; of two that it likes alike, the denser. `None` for the
    /// plain file, which also goes to a client that forbids whatever there is, as RFC 9110 §12.5.3 lets a server do.
    #[must_use]
    pub fn accepted(headers: &HeaderMap) -> Option<Self> {
        let (mut br, mut gzip, mut any, mut identity) = (None, None, None, None);
        let sent = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        for item in sent.flat_map(|value| value.split(',')) {
            let mut parts = item.split(';').map(str::trim);
            let slot = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
                "br" => &mut br,
                "gzip" | "x-gzip" => &mut gzip,
                "identity" => &mut identity,
                "*" => &mut any,
                _ => continue,
            };
            let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            *slot = Some(weight.map_or(1.0, |weight| weight.parse::<f32>().unwrap_or(0.0)));
        }
        let weight = |own: Option<f32>| own.or(any).unwrap_or(0.0);
        let (br, gzip) = (weight(br), weight(gzip));
        let best = br.max(gzip);
        // Without a word about it, the plain file is liked least.
        if best <= 0.0 || best < identity.unwrap_or(0.0) {
            return None;
        }
        Some(if br >= gzip { Self::Brotli } else { Self::Gzip })
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
    use http::HeaderValue;

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

    #[test]
    fn the_client_gets_the_coding_that_it_likes_best() {
        for (header, coding) in [
            ("", None),
            ("gzip", Some("gzip")),
            ("br", Some("br")),
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip;q=1.0, br;q=0.5", Some("gzip")),
            ("BR ; q=0.8, GZIP", Some("gzip")),
            ("*", Some("br")),
            ("br;q=0, *", Some("gzip")),
            ("identity", None),
            ("identity, gzip;q=0.5", None),
            ("identity;q=0", None),
            ("*;q=0", None),
            ("gzip;q=nonsense", None),
            ("deflate, zstd", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(header).unwrap());
            assert_eq!(Coding::accepted(&headers).map(Coding::as_str), coding, "{header}");
        }
        assert_eq!(Coding::accepted(&HeaderMap::new()), None);
    }
}
