use std::fmt;
use std::time::Duration;

use l10n_api_types::{EndpointInfo, ErrorCode, Millicredits, Timestamp};
use serde_json::{Map, Value};

use super::advice;
use crate::resend::Resend;

/// An error answer (§7).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApiError {
    /// The endpoint that was called.
    pub endpoint: &'static EndpointInfo,
    /// HTTP status.
    pub status: u16,
    /// The code, to branch on. An answer that is not the service's, such as the HTML of a proxy, has the code
    /// `Other("http_502")` with its status.
    pub code: ErrorCode,
    /// The message, for people.
    pub message: String,
    /// Further fields of the body.
    pub fields: Map<String, Value>,
    /// The call's `x-correlation-id`.
    pub correlation_id: String,
    /// `Retry-After`, at most [`LONGEST_RETRY_AFTER`](crate::LONGEST_RETRY_AFTER). For a daily limit that is used up,
    /// [`resets_at`](Self::resets_at) goes first.
    pub retry_after: Option<Duration>,
    pub(crate) resend: Resend,
    pub(crate) open: Vec<String>,
    /// True if the body was the service's own.
    pub(crate) ours: bool,
}

impl ApiError {
    /// Reads an error answer. A body that is not JSON with a string `error` is described in a few words, never dumped.
    pub(crate) fn read(
        endpoint: &'static EndpointInfo,
        status: u16,
        media_type: Option<&str>,
        body: Option<&str>,
    ) -> Self {
        let fields = body.and_then(|body| match serde_json::from_str(body) {
            Ok(Value::Object(fields)) => Some(fields),
            _ => None,
        });
        let mut fields = fields.unwrap_or_default();
        let code = match fields.get("error") {
            Some(Value::String(code)) if !code.is_empty() => Some(ErrorCode::from(shorten(code, 100).as_str())),
            _ => None,
        };
        let ours = code.is_some();
        let message = if ours {
            fields.remove("error");
            match fields.remove("message") {
                Some(Value::String(message)) => shorten(&message, 2_000),
                _ => "the server sent no message".to_owned(),
            }
        } else {
            fields.clear();
            let kind = shorten(media_type.unwrap_or("no content type"), 60);
            format!("the answer ({kind}) is not from this API: a proxy or another program answered in its place")
        };
        Self {
            endpoint,
            status,
            code: code.unwrap_or_else(|| ErrorCode::Other(format!("http_{status}"))),
            message,
            fields,
            correlation_id: String::new(),
            retry_after: None,
            resend: Resend::OnlyUnsent,
            open: Vec::new(),
            ours,
        }
    }

    /// `insufficient_credits`: the balance less live holds.
    #[must_use]
    pub fn available_credits(&self) -> Option<Millicredits> {
        self.amount("availableCredits")
    }

    /// `spend_cap_exceeded`: the amount that may still be spent this month (UTC).
    #[must_use]
    pub fn cap_remaining(&self) -> Option<Millicredits> {
        self.amount("capRemaining")
    }

    /// `spend_cap_exceeded`: the monthly cap of the workspace.
    #[must_use]
    pub fn spending_cap(&self) -> Option<Millicredits> {
        self.amount("spendingCap")
    }

    /// Facts of this error, by code: `file_unparseable` has `line` and `column`, `plan_limit` `feature` and `limit`.
    #[must_use]
    pub fn details(&self) -> Option<&Map<String, Value>> {
        self.fields.get("details").and_then(Value::as_object)
    }

    /// The time at which the daily limit that refused it resets (§8); `None` for every other error. The budget of
    /// requests in a minute has no such time: wait for `Retry-After`.
    #[must_use]
    pub fn resets_at(&self) -> Option<Timestamp> {
        self.details()?.get("resetsAt")?.as_str()?.parse().ok()
    }

    /// Advice about it, if there is any.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        advice::for_answer(self.endpoint, self.status, &self.code, self.resend, self.resets_at().is_some())
    }

    /// Returns true if the request budget refused it, or the daily budget of publishes or restores, which has the same
    /// code and sends [`resets_at`](Self::resets_at): nothing was written and the same request passes later (§8).
    pub(crate) fn is_request_budget(&self) -> bool {
        self.status == 429 && (self.code == ErrorCode::RateLimited || !self.ours)
    }

    fn amount(&self, field: &str) -> Option<Millicredits> {
        self.fields.get(field).and_then(Value::as_i64).map(Millicredits)
    }
}

/// `forbidden: message (HTTP 403, publish::create); advice [x-correlation-id …]`
impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (HTTP {}, {})", self.code, self.message, self.status, self.endpoint)?;
        if let Some(available) = self.available_credits() {
            write!(f, "; {available} credits are available")?;
        }
        if let Some(remaining) = self.cap_remaining() {
            write!(f, "; {remaining} credits are left of this month's cap")?;
        }
        if let Some(details) = self.details()
            && let (Some(line), Some(column)) = (details.get("line"), details.get("column"))
        {
            write!(f, "; line {line}, column {column}")?;
        }
        if let Some(wait) = self.retry_after.filter(|_| self.resets_at().is_none()) {
            write!(f, "; retry after {} s", wait.as_secs())?;
        }
        if let Some(advice) = self.advice() {
            write!(f, "; {advice}")?;
        }
        write!(f, " [x-correlation-id {}]", self.correlation_id)
    }
}

impl std::error::Error for ApiError {}

/// Replaces control characters other than line ends, and limits the text to `longest` characters.
pub(crate) fn shorten(text: &str, longest: usize) -> String {
    let mut short: String =
        text.chars().take(longest).map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use l10n_api_types::publish::Create;

    use super::*;

    fn read(status: u16, body: &str) -> ApiError {
        ApiError::read(EndpointInfo::of::<Create>(), status, Some("text/html"), Some(body))
    }

    /// ERR-3: programs branch on the code; an unknown one is kept.
    #[test]
    fn a_code_decides_whatever_the_message_says() {
        assert_eq!(read(403, r#"{"error":"forbidden","message":"unauthorized"}"#).code, ErrorCode::Forbidden);
        assert_eq!(read(418, r#"{"error":"new_one","message":"?"}"#).code, ErrorCode::Other("new_one".into()));
    }

    #[test]
    fn fields_of_a_wrong_type_do_not_hide_the_code() {
        let error = read(402, r#"{"error":"insufficient_credits","message":7,"availableCredits":"lots"}"#);
        assert_eq!((error.code.clone(), error.available_credits()), (ErrorCode::InsufficientCredits, None));
        let error = read(402, r#"{"error":"insufficient_credits","message":"no","availableCredits":1234}"#);
        assert_eq!(error.available_credits(), Some(Millicredits(1_234)));
    }

    #[test]
    fn a_body_that_is_not_the_services_is_told_in_a_few_words() {
        for body in ["<html>nginx</html>", "", "[]", "null", r#"{"error":7}"#, r#"{"detail":"secret"}"#] {
            let error = read(502, body);
            assert_eq!(error.code, ErrorCode::Other("http_502".into()), "{body}");
            assert!(!error.to_string().contains("nginx") && !error.to_string().contains("secret"), "{error}");
            assert!(!error.ours);
        }
    }
}
