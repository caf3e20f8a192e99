//! The bytes that the tokenizer reads.

use std::convert::Infallible;

use html5gum::{Readable as _, Reader};

/// The first bytes that a read searches for if it stops at the end of a double-quoted value.
const DOUBLE_QUOTED: &[u8] = b"\"&";

/// Gives the tokenizer its input in such a way that its stack does not grow with it.
///
/// html5gum 0.9 goes from the white space after a double-quoted value into the next attribute by a call that returns
/// only at the end of the tag, so that 6,700 attributes end a process. All its other steps come back to its loop, that
/// over a `/` between attributes too. To HTML such a slash is white space, so the tokenizer gets a slash there:
/// `a="x" b="y"` reads like `a="x"/b="y"`. Before `>`, where a slash would say more, the white space stays; the tag
/// ends there. Each byte stays one byte, so that spans are those of the source.
pub(super) struct Bytes<'v> {
    rest: &'v [u8],
    /// The byte that was read last is the quote that ends a value.
    value_ended: bool,
}

impl<'v> Bytes<'v> {
    pub(super) const fn new(view: &'v str) -> Self {
        Self { rest: view.as_bytes(), value_ended: false }
    }
}

impl Reader for Bytes<'_> {
    type Error = Infallible;

    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        let value_ended = std::mem::take(&mut self.value_ended);
        let Some((&byte, rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        let blank = matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0c' | b' ');
        let separates = value_ended && blank && rest.first() != Some(&b'>');
        Ok(Some(if separates { b'/' } else { byte }))
    }

    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        let Some((head, rest)) = self.rest.split_at_checked(text.len()) else { return Ok(false) };
        let found = head == text || (!case_sensitive && head.eq_ignore_ascii_case(text));
        if found {
            (self.rest, self.value_ended) = (rest, false);
        }
        Ok(found)
    }

    fn read_until<'b>(&'b mut self, needles: &[u8], buffer: &'b mut [u8; 4]) -> Result<Option<&'b [u8]>, Infallible> {
        let Some(length) = self.rest.to_reader().read_until(needles, buffer)?.map(<[u8]>::len) else { return Ok(None) };
        let (read, rest) = self.rest.split_at(length);
        (self.rest, self.value_ended) = (rest, read == b"\"" && needles.starts_with(DOUBLE_QUOTED));
        Ok(Some(read))
    }
}
