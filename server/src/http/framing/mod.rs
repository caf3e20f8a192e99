//! Finds the bounds of requests on a connection, by the strictest reading of RFC 9112, before the HTTP library sees a
//! byte.
//!
//! A proxy and a server that disagree about the end of a request let one client speak in the name of another. The library
//! repairs some of what leads there: it drops a `Content-Length` beside a `Transfer-Encoding`, takes a bare line feed for
//! the end of a line, and does not look at `Host`. Such a head is replaced here by a mark, which a client cannot send
//! itself; the server answers it with 400 or 431 in its turn, and ends the connection.

mod chunked;
mod head;

use std::io;

use http::Method;

use self::chunked::Chunked;
use crate::domain::ServiceError;

/// Largest head of a request (request line and fields), in bytes.
pub(super) const HEAD_BYTES: usize = 64 * 1024;

/// Most memory for heads that a connection keeps from one request to the next, in bytes.
const USUAL_HEAD_BYTES: usize = 4 * 1024;

/// The method of the mark. No client can send it: it is refused like any other fault.
const MARK: &str = "L10N-REFUSED";

/// Follows the requests of one connection through its bytes.
#[derive(Debug)]
pub(super) struct Framing {
    state: State,
}

#[derive(Debug)]
enum State {
    /// The bytes of a head that is not complete.
    Head(Vec<u8>),
    /// So many bytes of a body are missing.
    Sized(u64),
    Chunked(Chunked),
    /// A head was refused: nothing after it is read.
    Refused,
    /// A chunked body was broken.
    Broken,
}

impl Framing {
    /// At the beginning of a connection.
    pub(super) fn new() -> Self {
        Self { state: State::Head(Vec::new()) }
    }

    /// Reads new input, and adds the parts that the HTTP library may see to `checked`: whole heads, and bodies as they
    /// come.
    ///
    /// # Errors
    ///
    /// Returns an error if a chunked body violates the rules. The request is running, so its body fails.
    pub(super) fn take(&mut self, mut input: &[u8], checked: &mut Vec<u8>) -> io::Result<()> {
        while !input.is_empty() {
            match &mut self.state {
                State::Head(head) => match gather(head, &mut input) {
                    Ok(false) => {}
                    Ok(true) => match head::judge(head) {
                        Ok(body) => {
                            checked.append(head);
                            // The memory of this head serves the next one.
                            head.shrink_to(USUAL_HEAD_BYTES);
                            if body != BodyLength::Sized(0) {
                                self.state = body.into();
                            }
                        }
                        Err(refusal) => self.refuse(refusal, checked),
                    },
                    Err(refusal) => self.refuse(refusal, checked),
                },
                State::Sized(missing) => {
                    let length = usize::try_from(*missing).unwrap_or(usize::MAX).min(input.len());
                    let (body, rest) = input.split_at(length);
                    checked.extend_from_slice(body);
                    *missing -= length as u64;
                    if *missing == 0 {
                        self.state = State::Head(Vec::new());
                    }
                    input = rest;
                }
                State::Chunked(chunked) => match chunked.take(input) {
                    Ok((length, ended)) => {
                        let (body, rest) = input.split_at(length);
                        checked.extend_from_slice(body);
                        if ended {
                            self.state = State::Head(Vec::new());
                        }
                        input = rest;
                    }
                    Err(error) => {
                        self.state = State::Broken;
                        return Err(error);
                    }
                },
                State::Refused => return Ok(()),
                State::Broken => return Err(chunked::broken()),
            }
        }
        Ok(())
    }

    fn refuse(&mut self, refusal: FramingRefusal, checked: &mut Vec<u8>) {
        self.state = State::Refused;
        let place = FramingRefusal::ALL.iter().position(|each| *each == refusal).unwrap_or_default();
        let mark = format!("{MARK} /{place} HTTP/1.1\r\nhost: refused\r\nconnection: close\r\n\r\n");
        checked.extend_from_slice(mark.as_bytes());
    }

    /// Returns true if nothing more will be read: the connection ends with the answer to the refused request.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, State::Refused | State::Broken)
    }

    /// The failure of a body that broke the rules.
    pub(super) fn failure(&self) -> Option<io::Error> {
        matches!(self.state, State::Broken).then(chunked::broken)
    }

    /// Returns true if the rest of a body is missing.
    pub(super) fn is_in_body(&self) -> bool {
        matches!(self.state, State::Sized(_) | State::Chunked(_))
    }
}

/// Moves bytes of a head from `input` into `head`; `true` once the head is complete.
fn gather(head: &mut Vec<u8>, input: &mut &[u8]) -> Result<bool, FramingRefusal> {
    while let Some(first) = input.first() {
        if head.last() == Some(&b'\r') && *first != b'\n' {
            return Err(FramingRefusal::BareCarriageReturn);
        }
        let text = memchr::memchr2(b'\r', b'\n', input).unwrap_or(input.len());
        let (text, rest) = input.split_at(text.min(HEAD_BYTES - head.len()));
        head.extend_from_slice(text);
        *input = rest;
        if head.len() >= HEAD_BYTES {
            return Err(FramingRefusal::HeadTooLarge);
        }
        let Some((end, rest)) = input.split_first() else { break };
        if *end == b'\n' && head.last() != Some(&b'\r') {
            return Err(FramingRefusal::BareLineFeed);
        }
        head.push(*end);
        *input = rest;
        // An empty line before a request is no part of it (RFC 9112, section 2.2).
        if head.as_slice() == b"\r\n" {
            head.clear();
        } else if head.ends_with(b"\r\n\r\n") {
            return Ok(true);
        } else if head.len() >= HEAD_BYTES {
            return Err(FramingRefusal::HeadTooLarge);
        }
    }
    Ok(false)
}

/// The way in which the length of a body is given.
#[derive(Debug, PartialEq, Eq)]
enum BodyLength {
    Sized(u64),
    Chunked,
}

impl From<BodyLength> for State {
    fn from(body: BodyLength) -> Self {
        match body {
            BodyLength::Sized(length) => Self::Sized(length),
            BodyLength::Chunked => Self::Chunked(Chunked::default()),
        }
    }
}

macro_rules! refusals {
    ($($(#[$meta:meta])* $variant:ident = $message:literal,)+) => {
        /// The reason why the head of a request is refused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum FramingRefusal {
            $($(#[$meta])* $variant,)+
        }

        impl FramingRefusal {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }
        }
    };
}

refusals! {
    /// Anything else that is no HTTP/1.1.
    Malformed = "The request is not valid HTTP/1.1; nothing of it was run",
    /// A line that ends with a line feed alone.
    BareLineFeed = "A line of the request's head ends with a line feed alone; lines end with CR LF (RFC 9112, section 2.2)",
    /// A carriage return within a line.
    BareCarriageReturn = "The request's head has a carriage return without a line feed (RFC 9112, section 2.2)",
    /// 431
    HeadTooLarge = "The request's head is over 64 KiB or has more than 100 fields",
    /// HTTP/1.1 without `Host`.
    HostMissing = "The request has no Host field; HTTP requires one (RFC 9112, section 3.2)",
    /// More than one `Host`.
    HostRepeated = "The request has more than one Host field (RFC 9112, section 3.2)",
    /// A `Host` that names no host.
    HostInvalid = "The request's Host field is not a host with an optional port (RFC 9112, section 3.2)",
    /// Both ways to measure a body.
    LengthAndEncoding = "The request has both Content-Length and Transfer-Encoding (RFC 9112, section 6.1)",
    /// A `Content-Length` that is repeated or no number.
    Length = "The request's Content-Length is not one decimal number (RFC 9112, section 6.3)",
    /// A `Transfer-Encoding` other than `chunked`.
    Encoding = "The request's Transfer-Encoding is not `chunked` alone, or stands in HTTP/1.0 (RFC 9112, section 6.1)",
    /// A tunnel.
    Connect = "This server opens no tunnels: CONNECT is not supported",
}

impl FramingRefusal {
    /// The reason why the request from the HTTP library was refused, if it was.
    pub(super) fn marked<B>(request: &http::Request<B>) -> Option<Self> {
        if request.method().as_str() != MARK {
            return None;
        }
        let place: usize = request.uri().path().strip_prefix('/')?.parse().ok()?;
        Self::ALL.get(place).copied()
    }

    /// The answer.
    pub(super) fn error(self) -> ServiceError {
        match self {
            Self::HeadTooLarge => ServiceError::HeadTooLarge(self.message()),
            other => ServiceError::InvalidArgument(other.message().to_owned()),
        }
    }
}

/// Returns true if a client may not send a method.
fn is_reserved(method: &str) -> bool {
    method == MARK
}

/// Returns true if a method opens a tunnel.
fn is_tunnel(method: &str) -> bool {
    method == Method::CONNECT.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output for an input that arrives in pieces of `size`.
    fn checked(input: &[u8], size: usize) -> (Vec<u8>, io::Result<()>) {
        let (mut framing, mut out) = (Framing::new(), Vec::new());
        for piece in input.chunks(size) {
            if let Err(error) = framing.take(piece, &mut out) {
                return (out, Err(error));
            }
        }
        (out, Ok(()))
    }

    /// HOSTILE-INPUTS S4: requests in any number of pieces pass unchanged, one after the other.
    #[test]
    fn requests_pass_unchanged_however_they_are_cut() {
        let requests = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n\n\n\n\
            PUT /b HTTP/1.1\r\nhost: [::1]:80\r\nTransfer-Encoding: Chunked\r\n\r\n5;a=b\r\n\r\n\r\n\n\r\n00\r\nT: x\r\n\r\n\
            GET /c HTTP/1.0\r\n\r\nGET http://x/d HTTP/1.1\r\nHost:\r\n\r\n";
        for size in 1..requests.len() {
            let (out, result) = checked(requests, size);
            assert_eq!(out, requests, "in pieces of {size}");
            result.unwrap();
        }
        let spaced = [b"\r\n\r\n".as_slice(), requests].concat();
        assert_eq!(checked(&spaced, 7).0, requests, "empty lines before a request are no part of it");
    }

    /// HOSTILE-INPUTS S4: what two readers may read in two ways is refused, and nothing after it is read.
    #[test]
    fn a_head_that_can_be_read_in_two_ways_is_refused() {
        let host = "GET / HTTP/1.1\r\nHost: x\r\n";
        let long = format!("{host}X: {}\r\n\r\n", "a".repeat(HEAD_BYTES));
        let many = format!("{host}{}\r\n", "X: y\r\n".repeat(100));
        let cases = [
            ("GET / HTTP/1.1\nHost: x\r\n\r\n".to_owned(), FramingRefusal::BareLineFeed),
            (format!("{host}X: y\nZ: z\r\n\r\n"), FramingRefusal::BareLineFeed),
            (format!("{host}\n"), FramingRefusal::BareLineFeed),
            ("\nGET / HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), FramingRefusal::BareLineFeed),
            (format!("{host}X: y\rZ: z\r\n\r\n"), FramingRefusal::BareCarriageReturn),
            ("GET / HTTP/1.1\r\n\r\n".to_owned(), FramingRefusal::HostMissing),
            (format!("{host}host: x\r\n\r\n"), FramingRefusal::HostRepeated),
            ("GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n".to_owned(), FramingRefusal::HostRepeated),
            ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n".to_owned(), FramingRefusal::HostInvalid),
            ("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n".to_owned(), FramingRefusal::HostInvalid),
            (
                format!("{host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"),
                FramingRefusal::LengthAndEncoding,
            ),
            (
                format!("{host}transfer-encoding: chunked\r\ncontent-length: 0\r\n\r\n"),
                FramingRefusal::LengthAndEncoding,
            ),
            (format!("{host}Content-Length: 4\r\nContent-Length: 4\r\n\r\n"), FramingRefusal::Length),
            (format!("{host}Content-Length: 4, 4\r\n\r\n"), FramingRefusal::Length),
            (format!("{host}Content-Length: +4\r\n\r\n"), FramingRefusal::Length),
            (format!("{host}Content-Length: 0x4\r\n\r\n"), FramingRefusal::Length),
            (format!("{host}Content-Length:\r\n\r\n"), FramingRefusal::Length),
            (format!("{host}Content-Length: 18446744073709551616\r\n\r\n"), FramingRefusal::Length),
            (format!("{host}Transfer-Encoding: gzip, chunked\r\n\r\n"), FramingRefusal::Encoding),
            (format!("{host}Transfer-Encoding: xchunked\r\n\r\n"), FramingRefusal::Encoding),
            (
                format!("{host}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
                FramingRefusal::Encoding,
            ),
            ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned(), FramingRefusal::Encoding),
            (format!("{host}Transfer-Encoding : chunked\r\n\r\n"), FramingRefusal::Malformed),
            (format!("{host}X: a\r\n b\r\n\r\n"), FramingRefusal::Malformed),
            ("PRI * HTTP/2.0\r\n\r\n".to_owned(), FramingRefusal::Malformed),
            ("hello\r\n\r\n".to_owned(), FramingRefusal::Malformed),
            (format!("{MARK} /0 HTTP/1.1\r\nHost: x\r\n\r\n"), FramingRefusal::Malformed),
            ("CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), FramingRefusal::Connect),
            (long, FramingRefusal::HeadTooLarge),
            (many, FramingRefusal::HeadTooLarge),
        ];
        for (case, expected) in cases {
            let shown = &case[..case.len().min(80)];
            for size in [1, 5, case.len()] {
                let input = format!("{case}GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
                let (out, result) = checked(input.as_bytes(), size);
                result.unwrap();
                let mut mark = Framing::new();
                let mut only = Vec::new();
                mark.refuse(expected, &mut only);
                assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&only), "{shown:?}");
            }
        }
    }

    /// The largest head passes.
    #[test]
    fn a_head_of_64_kib_passes() {
        let rest = "GET / HTTP/1.1\r\nHost: x\r\nX: \r\n\r\n".len();
        let head = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "a".repeat(HEAD_BYTES - 1 - rest));
        assert_eq!(checked(head.as_bytes(), 1000).0, head.as_bytes());
    }

    /// HOSTILE-INPUTS S4
    #[test]
    fn a_broken_chunked_body_fails() {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        let long = format!("1;{}\r\n", "a".repeat(5_000));
        let trailers = format!("0\r\n{}", "T: x\r\n".repeat(5_000));
        for body in [
            "1\nx\r\n",
            "1\r\nxx",
            "1\r\nx\n",
            "g\r\n",
            "\r\n",
            "-1\r\n",
            "10000000000000000\r\n",
            " 1\r\n",
            "1 \r\n",
            "1\rx",
            "0\r\nT: x\n\r\n",
            &long,
            &trailers,
        ] {
            for size in [1, 3, 100_000] {
                let (out, result) = checked(format!("{head}{body}").as_bytes(), size);
                assert!(result.is_err(), "{:?}", &body[..body.len().min(40)]);
                assert!(out.starts_with(head.as_bytes()));
            }
        }
    }
}
