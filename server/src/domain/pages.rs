//! Pages of lists: how many, and from where on.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::ServiceError;
use crate::clock::Timestamp;

/// Entries of a page when the caller does not say.
const USUAL: u32 = 100;
/// Most entries of a page.
const MOST: u32 = 500;
/// Bytes of texts of a page.
const MOST_BYTES: i64 = 4 * 1024 * 1024;

/// Returns the number of entries of a page: the number asked for, or the usual one.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] outside 1 to 500.
pub(crate) fn limit(asked: Option<u32>) -> Result<usize, ServiceError> {
    match asked.unwrap_or(USUAL) {
        limit @ 1..=MOST => Ok(limit as usize),
        other => Err(ServiceError::InvalidArgument(format!("`limit` must be 1 to {MOST}, not {other}"))),
    }
}

/// Returns the number of entries to read for a page: one more than the page holds tells whether another follows.
pub(crate) fn one_more(page: usize) -> i64 {
    i64::try_from(page.saturating_add(1)).unwrap_or(i64::MAX)
}

/// Cuts entries that were read with [`one_more`] to the page. Returns the place of the page's last entry where another
/// page follows.
pub(crate) fn cut<T, P>(entries: &mut Vec<T>, page: usize, place: impl FnOnce(&T) -> P) -> Option<P> {
    let is_last = entries.len() <= page;
    entries.truncate(page);
    entries.last().filter(|_| !is_last).map(place)
}

/// Like [`cut`], for entries whose texts may be long: the page also ends where it has no [`PageBudget`] for the next one.
pub(crate) fn cut_long<T, P>(
    entries: &mut Vec<T>,
    page: usize,
    bytes: impl Fn(&T) -> i64,
    place: impl FnOnce(&T) -> P,
) -> Option<P> {
    let fitting = PageBudget::default().fitting(&entries[..page.min(entries.len())], bytes);
    cut(entries, fitting, place)
}

/// Splits entries whose texts may be long into batches that each have the room of a page, in their order.
pub(crate) fn batches<T>(entries: &[T], bytes: impl Fn(&T) -> i64) -> impl Iterator<Item = &[T]> {
    let mut rest = entries;
    std::iter::from_fn(move || {
        let (batch, others) = rest.split_at_checked(PageBudget::default().fitting(rest, &bytes))?;
        rest = others;
        Some(batch).filter(|batch| !batch.is_empty())
    })
}

/// The room for texts that a page has left. A text has no greatest length, and a page of 500 of them would fill the memory.
#[derive(Debug, Clone)]
pub(crate) struct PageBudget {
    left: i64,
    is_whole: bool,
}

impl Default for PageBudget {
    fn default() -> Self {
        Self::of(MOST_BYTES)
    }
}

impl PageBudget {
    /// A room for so many bytes.
    pub(crate) fn of(bytes: i64) -> Self {
        Self { left: bytes, is_whole: true }
    }

    /// Takes the room of the first entries, and returns how many have room.
    pub(crate) fn fitting<T>(&mut self, entries: &[T], bytes: impl Fn(&T) -> i64) -> usize {
        entries.iter().take_while(|entry| self.take(bytes(entry))).count()
    }

    /// Takes the room of an entry; returns false if too little is left. The first entry has room, whatever its length.
    pub(crate) fn take(&mut self, bytes: i64) -> bool {
        if bytes > self.left && !self.is_whole {
            return false;
        }
        self.left = self.left.saturating_sub(bytes);
        self.is_whole = false;
        true
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
    /// After this text of a language.
    Text(TextPlace),
}

/// The place of a text in a list that goes language by language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPlace {
    /// The language.
    pub language: String,
    /// True among the translations that are held back.
    pub held: bool,
    /// The namespace of its file.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

impl Cursor {
    /// The text that callers see.
    #[must_use]
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(match self {
            Self::After(name) => format!("k{name}"),
            Self::Before(seq) => format!("v{seq}"),
            Self::Place { seq, item } => format!("p{seq}.{item}"),
            Self::Text(place) => format!("t{}", serde_json::to_string(place).unwrap_or_default()),
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
        if let Some(place) = text.strip_prefix('t') {
            let place: Option<TextPlace> = serde_json::from_str(place).ok();
            let has_nul = |place: &TextPlace| place.name.contains('\0') || place.language.contains('\0');
            return place.filter(|place| !has_nul(place)).map(Self::Text).ok_or_else(wrong);
        }
        let place = text.strip_prefix('p').and_then(|place| place.split_once('.'));
        let place = place.and_then(|(seq, item)| Some((seq.parse().ok()?, item.parse().ok()?)));
        place.map(|(seq, item)| Self::Place { seq, item }).ok_or_else(wrong)
    }
}

/// The place in a list that goes back in time where a page begins: before `until`, or after the entry that a cursor names.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] for a cursor that [`place`] did not make.
pub(crate) fn before(until: Option<Timestamp>, cursor: Option<&str>) -> Result<(Timestamp, String), ServiceError> {
    let until = until.unwrap_or(Timestamp::from_millis(i64::MAX));
    let Some(cursor) = cursor else { return Ok((until, String::new())) };
    let parts = cursor.split_once('-').and_then(|(millis, id)| Some((millis.parse().ok()?, id)));
    match parts {
        Some((millis, id)) if is_id(id) => {
            let time = Timestamp::from_millis(millis);
            Ok(if time <= until { (time, id.to_owned()) } else { (until, String::new()) })
        }
        _ => Err(ServiceError::InvalidArgument("The page that the address names does not exist".to_owned())),
    }
}

/// The cursor of an entry in a list that goes back in time.
pub(crate) fn place(at: Timestamp, id: &str) -> String {
    format!("{}-{id}", at.as_millis())
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
            Cursor::Text(TextPlace { language: "de".into(), held: true, namespace: None, name: "a\u{4}\"b".into() }),
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
            &encode("t"),
            &encode("t{}"),
            &encode(r#"t{"language":"de","held":false,"namespace":null,"name":"\u0000"}"#),
        ] {
            assert!(Cursor::decode(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_list_is_cut_to_the_page_and_another_follows_only_where_more_was_read() {
        for (read, kept, next) in [(0, 0, None), (2, 2, None), (3, 2, Some(1))] {
            let mut entries: Vec<i32> = (0..read).collect();
            assert_eq!((cut(&mut entries, 2, |last| *last), entries.len()), (next, kept), "{read}");
        }
        assert_eq!((one_more(2), one_more(usize::MAX)), (3, i64::MAX));
    }

    #[test]
    fn a_page_ends_where_the_next_text_has_no_room_and_holds_one_text_of_any_length() {
        let (small, half) = (10, MOST_BYTES / 2);
        for (bytes, kept) in [
            (&[small, small, small, small][..], 3),
            (&[half, half, small, small], 2),
            (&[half, half + 1, small], 1),
            (&[small, MOST_BYTES], 1),
            (&[MOST_BYTES * 9, small], 1),
            (&[MOST_BYTES * 9], 1),
            (&[i64::MAX, i64::MAX], 1),
            (&[], 0),
        ] {
            let mut entries = bytes.to_vec();
            let next = cut_long(&mut entries, 3, |bytes| *bytes, |last| *last);
            assert_eq!(entries, bytes[..kept]);
            assert_eq!(next, entries.last().copied().filter(|_| kept < bytes.len()), "{bytes:?}");
        }
        let batched = |bytes: &[i64]| batches(bytes, |bytes| *bytes).map(<[i64]>::len).collect::<Vec<_>>();
        assert_eq!(batched(&[small, half, half, small, MOST_BYTES * 9, small]), [2, 2, 1, 1]);
        assert_eq!(batched(&[]), [0; 0]);
        let mut room = PageBudget::default();
        assert!(room.take(MOST_BYTES - 1) && !room.take(2) && room.take(1) && !room.take(1) && room.take(0));
    }

    #[test]
    fn a_page_has_one_to_five_hundred_entries() {
        assert_eq!(limit(None).unwrap(), 100);
        assert_eq!((limit(Some(1)).unwrap(), limit(Some(500)).unwrap()), (1, 500));
        assert!(limit(Some(0)).is_err() && limit(Some(501)).is_err());
    }
}
