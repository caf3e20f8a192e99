//! The rules of retries: which requests are resent, and after which pause.

use std::time::Duration;

use l10n_api_types::{DailyBudget, EndpointInfo};
use tokio_util::sync::CancellationToken;

use crate::error::{Error, TransportKind};

/// A longer `Retry-After` is read as one hour.
pub const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(3_600);

/// Pause after a 429 without a readable `Retry-After` (§7 rule 3).
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Returns true if an endpoint has a daily budget that answers 429 `rate_limited`, as the budget of requests does (§8).
/// If `details` does not tell them apart, a second refusal after a whole window is the daily one's.
fn has_daily_budget(endpoint: &EndpointInfo) -> bool {
    endpoint.daily_budget.is_some_and(DailyBudget::shares_code_with_request_budget)
}

/// The limits and pauses of retries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Policy {
    pub(crate) max_retries: u32,
    pub(crate) base: Duration,
    pub(crate) longest: Duration,
}

impl Policy {
    /// Returns the pause before the request is resent, or `None` if it is not. `attempts` were made so far, and
    /// `waited` of them were refused by the request budget. `jitter` is from 0 up to 1.
    pub(crate) fn pause(&self, error: &Error, attempts: u32, waited: u32, jitter: f64) -> Option<Duration> {
        if attempts > self.max_retries || !error.is_retryable() {
            return None;
        }
        match error {
            Error::Api(answer) if answer.is_request_budget() => {
                let is_daily = answer.resets_at().is_some() || (waited > 0 && has_daily_budget(answer.endpoint));
                if is_daily {
                    return None;
                }
                // The random share keeps clients that were refused together from coming back together.
                let more = self.base.min(self.longest).mul_f64(jitter);
                Some(answer.retry_after.unwrap_or(DEFAULT_RETRY_AFTER).saturating_add(more))
            }
            Error::Api(answer) => Some(self.backoff(attempts, jitter).max(answer.retry_after.unwrap_or_default())),
            Error::Transport(failure) if failure.kind == TransportKind::Tls => None,
            _ => Some(self.backoff(attempts, jitter)),
        }
    }

    /// Exponential with full jitter: anything up to `base * 2^(attempts - 1)`, bounded.
    fn backoff(&self, attempts: u32, jitter: f64) -> Duration {
        let doublings = attempts.saturating_sub(1).min(16);
        self.base.saturating_mul(2_u32.pow(doublings)).min(self.longest).mul_f64(jitter)
    }
}

/// Waits, and returns false; returns true at once when the token is canceled.
pub(crate) async fn is_canceled_within(canceled: Option<&CancellationToken>, pause: Duration) -> bool {
    let Some(token) = canceled else {
        tokio::time::sleep(pause).await;
        return false;
    };
    tokio::select! {
        biased;
        () = token.cancelled() => true,
        () = tokio::time::sleep(pause) => false,
    }
}

/// Reads `Retry-After` in seconds. A date, which this API never sends, is not supported: there is no clock here.
pub(crate) fn retry_after(value: &str) -> Option<Duration> {
    let value = value.trim();
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| Duration::from_secs(value.parse().unwrap_or(u64::MAX)).min(LONGEST_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use l10n_api_types::{Endpoint, deliveries, meta, publish};

    use super::*;
    use crate::error::ApiError;
    use crate::resend::Resend;

    const POLICY: Policy = Policy { max_retries: 3, base: Duration::from_millis(200), longest: Duration::from_secs(1) };

    fn refused<E: Endpoint>(status: u16, body: &str, resend: Resend) -> Error {
        let mut error = ApiError::read(EndpointInfo::of::<E>(), status, None, Some(body));
        error.resend = resend;
        error.into()
    }

    #[test]
    fn backoff_doubles_under_full_jitter_up_to_its_bound() {
        let error = refused::<meta::Read>(503, "", Resend::Always);
        let pauses: Vec<_> = (1..=4).map(|attempts| POLICY.pause(&error, attempts, 0, 0.5)).collect();
        let millis = |millis| Some(Duration::from_millis(millis));
        assert_eq!(pauses, [millis(100), millis(200), millis(400), None]);
        assert_eq!(POLICY.pause(&error, 1, 0, 0.0), Some(Duration::ZERO));
        let patient = Policy { max_retries: u32::MAX, ..POLICY };
        assert_eq!(patient.pause(&error, 4_000_000_000, 0, 0.5), millis(500));
    }

    /// ERR-503-2, ERR-429-1: the answers that are followed by another attempt.
    #[test]
    fn only_what_wrote_nothing_or_may_be_done_twice_is_sent_again() {
        let limited = r#"{"error":"rate_limited","message":""}"#;
        let quota = r#"{"error":"capture_quota_exceeded","message":""}"#;
        let unavailable = r#"{"error":"unavailable","message":""}"#;
        let sent_again = |status, body, resend| {
            POLICY.pause(&refused::<deliveries::Resend>(status, body, resend), 1, 0, 0.0).is_some()
        };
        for resend in [Resend::Always, Resend::OnlyUnsent] {
            assert!(sent_again(429, limited, resend));
            assert!(sent_again(429, "<html>", resend));
            assert!(!sent_again(429, quota, resend));
            assert!(!sent_again(500, r#"{"error":"internal","message":""}"#, resend));
            assert!(!sent_again(404, r#"{"error":"not_found","message":""}"#, resend));
            for status in [502, 503, 504] {
                assert_eq!(sent_again(status, unavailable, resend), resend == Resend::Always, "{status}");
            }
        }
    }

    #[test]
    fn a_second_refusal_of_a_publish_is_the_days_budget() {
        let limited = r#"{"error":"rate_limited","message":""}"#;
        let publish = refused::<publish::Create>(429, limited, Resend::OnlyUnsent);
        assert!(POLICY.pause(&publish, 1, 0, 0.0).is_some());
        assert!(POLICY.pause(&publish, 2, 1, 0.0).is_none());
        assert!(POLICY.pause(&refused::<meta::Read>(429, limited, Resend::Always), 2, 1, 0.0).is_some());
    }

    /// LIM-DAY-1: tomorrow is too far away to wait for.
    #[test]
    fn a_daily_limit_is_not_waited_out() {
        let body =
            r#"{"error":"rate_limited","message":"","details":{"limit":30,"resetsAt":"2026-11-22T00:00:00.000Z"}}"#;
        let publish = refused::<publish::Create>(429, body, Resend::OnlyUnsent);
        assert_eq!(POLICY.pause(&publish, 1, 0, 0.0), None);
        let Error::Api(answer) = publish else { panic!("an answer of the API") };
        assert_eq!(answer.resets_at(), "2026-11-22T00:00:00.000Z".parse().ok());
    }

    #[test]
    fn absurd_waits_are_bounded() {
        assert_eq!(retry_after("60"), Some(Duration::from_secs(60)));
        assert_eq!(retry_after(" 0 "), Some(Duration::ZERO));
        for huge in ["3601", "18446744073709551616", &"9".repeat(400)] {
            assert_eq!(retry_after(huge), Some(LONGEST_RETRY_AFTER));
        }
        for unread in ["", "-1", "1.5", "soon", "Sat, 21 Nov 2026 08:00:00 GMT"] {
            assert_eq!(retry_after(unread), None, "{unread}");
        }
    }
}
