//! Pages of lists: how many, and from where on.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::ServiceError;

/// Entries of a page when the caller does not say.
const USUAL: u32 = 100;
/// Most entries of a page.
const MOST: u32 = 500;

/// Returns the number of entries of a page: the number asked for, or the usual one.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] outside 1 to 500.
pub(crate) fn limit(asked: Option<u32>) -> Result<usize, ServiceError> {
    match asked.unwrap_or(USUAL) {
        limit @ 1..=MOST => Ok(limit as usize),
        other => Err(ServiceError::InvalidArgument(format!("`limit` is 1 to {MOST}, not {other}"))),
    }
}

/// The place where a page begins. Callers see it as an opaque text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cursor {
    /// After the key of this ref.
    After(String),
    /// After the version of this number, which is newer than those of the page.
    Before(i64),
    /// At this item of this chunk.
    Place {
        /// The chunk.
        seq: i64,
        /// The item in it.
        item: usize,
    },
}

impl Cursor {
    /// The text that callers see.
    #[must_use]
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(match self {
            Self::After(name) => format!("k{name}"),
            Self::Before(seq) => format!("v{seq}"),
            Self::Place { seq, item } => format!("p{seq}.{item}"),
        })
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    ///
    /// [`ServiceError::InvalidArgument`] for everything else.
    pub fn decode(text: &str) -> Result<Self, ServiceError> {
        let wrong = || ServiceError::InvalidArgument("`cursor` is not a `nextCursor` of this list".to_owned());
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| wrong())?;
        let text = String::from_utf8(bytes).map_err(|_| wrong())?;
        if let Some(name) = text.strip_prefix('k').filter(|name| !name.contains('\0')) {
            return Ok(Self::After(name.to_owned()));
        }
        if let Some(seq) = text.strip_prefix('v') {
            return seq.parse().map(Self::Before).map_err(|_| wrong());
        }
        let place = text.strip_prefix('p').and_then(|place| place.split_once('.'));
        let place = place.and_then(|(seq, item)| Some((seq.parse().ok()?, item.parse().ok()?)));
        place.map(|(seq, item)| Self::Place { seq, item }).ok_or_else(wrong)
    }
}

/// Returns whether a text can be an id at all; other texts are not looked up (API-COMPLETION 1).
#[must_use]
pub(crate) fn is_id(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=64).contains(&text.len()) && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_come_back_as_they_went_and_nothing_else_is_one() {
        for cursor in [
            Cursor::After("a.b ü".into()),
            Cursor::After(String::new()),
            Cursor::Before(42),
            Cursor::Place { seq: 7, item: 199 },
        ] {
            assert_eq!(Cursor::decode(&cursor.encode()).unwrap(), cursor);
        }
        let encode = |text: &str| URL_SAFE_NO_PAD.encode(text);
        for wrong in [
            "",
            "x",
            "%",
            &encode("x"),
            &encode("p1"),
            &encode("p-.1"),
            &encode("k\0"),
            &encode("p1.-1"),
            &encode("v"),
            &encode("v1.0"),
        ] {
            assert!(Cursor::decode(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_page_has_one_to_five_hundred_entries() {
        assert_eq!(limit(None).unwrap(), 100);
        assert_eq!((limit(Some(1)).unwrap(), limit(Some(500)).unwrap()), (1, 500));
        assert!(limit(Some(0)).is_err() && limit(Some(501)).is_err());
    }
}
