//! The answers of the listener.

use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::StatusCode;

/// Longer than the 10 seconds that the service waits (§6.5).
pub(crate) const SLOW: Duration = Duration::from_secs(12);

/// An answer to a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReceiverResponse {
    /// This status without a body.
    Status(StatusCode),
    /// 200 after [`SLOW`].
    Slow,
    /// 302 to elsewhere.
    Redirect,
    /// No answer: the connection is closed.
    Close,
}

impl FromStr for ReceiverResponse {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "ok" => Ok(Self::Status(StatusCode::OK)),
            "slow" => Ok(Self::Slow),
            "redirect" => Ok(Self::Redirect),
            "close" => Ok(Self::Close),
            _ => match text.parse() {
                Ok(status @ 200..=599) => {
                    StatusCode::from_u16(status).map(Self::Status).map_err(|error| error.to_string())
                }
                _ => Err("must be a status from 200 to 599, or ok, slow, redirect or close".to_owned()),
            },
        }
    }
}

impl ReceiverResponse {
    /// A description of the answer.
    pub(crate) fn describe(self) -> String {
        match self {
            Self::Status(status) => format!("answered {}", status.as_u16()),
            Self::Slow => format!("answers 200 in {} s, which is too late", SLOW.as_secs()),
            Self::Redirect => "answered 302, a redirect".to_owned(),
            Self::Close => "closed the connection without an answer".to_owned(),
        }
    }

    /// Its status, if it has one.
    pub(crate) fn status(self) -> Option<u16> {
        match self {
            Self::Status(status) => Some(status.as_u16()),
            Self::Slow => Some(200),
            Self::Redirect => Some(302),
            Self::Close => None,
        }
    }
}

/// Answers in turn, the last one repeated.
#[derive(Debug)]
pub(crate) struct Script {
    answers: Vec<ReceiverResponse>,
    next: AtomicUsize,
}

impl Script {
    pub(crate) fn new(answers: Vec<ReceiverResponse>) -> Self {
        Self { answers, next: AtomicUsize::new(0) }
    }

    pub(crate) fn next(&self) -> ReceiverResponse {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        self.answers.get(index).or(self.answers.last()).copied().unwrap_or(ReceiverResponse::Status(StatusCode::OK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_spelled_as_a_status_or_a_word() {
        assert_eq!("503".parse(), Ok(ReceiverResponse::Status(StatusCode::SERVICE_UNAVAILABLE)));
        assert_eq!("599".parse::<ReceiverResponse>().unwrap().status(), Some(599));
        assert_eq!("slow".parse(), Ok(ReceiverResponse::Slow));
        for wrong in ["", "100", "199", "600", "-1", "99999999", "Slow", "2x"] {
            assert!(wrong.parse::<ReceiverResponse>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_last_answer_is_given_for_ever() {
        let script = Script::new(vec![ReceiverResponse::Close, ReceiverResponse::Redirect]);
        assert_eq!(
            [script.next(), script.next(), script.next()],
            [ReceiverResponse::Close, ReceiverResponse::Redirect, ReceiverResponse::Redirect]
        );
    }
}
