//! Times and amounts.

use l10n_api_types::Millicredits;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use crate::clock::Timestamp;
use crate::http::dashboard::visit::Visit;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A time relative to the visit, such as "3 hours ago", with the exact one behind it.
pub(in crate::http::dashboard) fn time(visit: &Visit, at: Timestamp) -> Markup {
    let exact = at.to_string();
    html! { time datetime=(exact) title=(exact) { (relative(visit, at)) } }
}

/// A time to the second, in UTC, for lists in which it matters.
pub(in crate::http::dashboard) fn exact(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{}\u{a0}UTC", text.get(..19).unwrap_or(&text).replace('T', " "))
}

/// The same as text.
pub(in crate::http::dashboard) fn relative(visit: &Visit, at: Timestamp) -> String {
    let passed = visit.now.as_millis().saturating_sub(at.as_millis());
    let (direction, span) = if passed >= 0 { ("ago", passed) } else { ("in", passed.saturating_neg()) };
    let say = |unit: &str, n: i64| visit.tf(&format!("common.{direction}.{unit}"), &[("n", Value::Number(n))]);
    match span {
        0..MINUTE => visit.t(if direction == "ago" { "common.ago.now" } else { "common.in.now" }),
        MINUTE..HOUR => say("minutes", span / MINUTE),
        HOUR..DAY => say("hours", span / HOUR),
        _ if span < 60 * DAY => say("days", span / DAY),
        _ if span < 730 * DAY => say("months", span / (30 * DAY)),
        _ => say("years", span / (365 * DAY)),
    }
}

/// A length of time that a person waits, rounded up.
pub(in crate::http::dashboard) fn wait(visit: &Visit, wait: std::time::Duration) -> String {
    let seconds = i64::try_from(wait.as_secs()).unwrap_or(i64::MAX).max(1);
    let (unit, n) = if seconds < 60 { ("seconds", seconds) } else { ("minutes", seconds.saturating_add(59) / 60) };
    visit.tf(&format!("common.wait.{unit}"), &[("n", Value::Number(n))])
}

/// An amount in credits, with up to three decimals, and in thousandths behind it.
pub(in crate::http::dashboard) fn money(visit: &Visit, amount: Millicredits) -> Markup {
    let exact = visit.tf("common.millicredits", &[("n", Value::Number(amount.0))]);
    html! { data.money value=(amount.0) title=(exact) { (credits(visit, amount)) } }
}

/// The same as text.
pub(in crate::http::dashboard) fn credits(visit: &Visit, amount: Millicredits) -> String {
    let whole = visit.texts.number(amount.0 / 1_000);
    let sign = if amount.0 < 0 && amount.0 > -1_000 { "-" } else { "" };
    let decimals = format!("{:03}", amount.0.unsigned_abs() % 1_000);
    let decimals = decimals.trim_end_matches('0');
    // The separator is the one that the language has for 0.1, which is a point in the languages that there are.
    if decimals.is_empty() { whole } else { format!("{sign}{whole}.{decimals}") }
}

/// A text as a value of another text.
pub(in crate::http::dashboard) const fn value(text: &str) -> Value<'_> {
    Value::Text(text)
}
