//! A check and its exchanges.

use maud::{Markup, html};

use super::status::status_class;
use crate::outcome::Status;
use crate::report::{CheckReport, DeliveryReport, ExchangeReport, FailureReport};

/// A check below the statement `id`. One that covers several statements shows its exchanges below the first of them.
pub(super) fn check(id: &str, check: &CheckReport) -> Markup {
    let class = status_class(Some(check.status).filter(|status| *status != Status::NotRun));
    let elsewhere = check.covers.first().filter(|first| **first != id);
    html! {
        article.check {
            h3 {
                span.dot.(class) {}
                "Check " (check.id)
                small {
                    @if check.status == Status::NotRun { "not run" }
                    @else { (count(check.assertions, "assertion")) " · " (count(check.exchanges.len(), "exchange")) " · " (check.took_ms) " ms" }
                }
            }
            @if let Some(because) = &check.expected { p.reason { b { "Expected: " } (because) } }
            @if let Some(reason) = &check.reason { p.reason { (reason) } }
            @for one in &check.statements {
                p.reason { b { (one.id) } " " (one.statement) " " @for link in &one.links { a href=(link) { (link) } " " } }
            }
            @for failure in &check.failures { (deviation(failure)) }
            @if let Some(again) = &check.again { dl.deviation { div { dt { "This check again" } dd { pre { (again) } } } } }
            @for delivery in &check.deliveries { (delivered(delivery)) }
            @for url in &check.left_behind { p.reason { "Left behind: " (url) } }
            @if let Some(first) = elsewhere {
                p.reason { "Its exchanges are at " a href=(format!("#{first}")) { (first) } "." }
            } @else {
                @for (place, exchange) in check.exchanges.iter().enumerate() {
                    (talk(exchange, check.failures.iter().any(|failure| failure.exchange == Some(place))))
                }
            }
        }
    }
}

fn deviation(failure: &FailureReport) -> Markup {
    html! {
        dl.deviation {
            @if let Some(case) = &failure.case { div { dt { "Case" } dd { (case) } } }
            div { dt { "Expected" } dd { (failure.expected) } }
            div { dt { "Actual" } dd { (failure.actual) } }
            @if let Some(id) = &failure.correlation_id { div { dt { "Correlation id" } dd { code { (id) } } } }
            @if let Some(curl) = &failure.curl { div { dt { "curl" } dd { pre { (curl) } } } }
        }
    }
}

fn delivered(delivery: &DeliveryReport) -> Markup {
    html! {
        details.exchange {
            summary { b { "Delivery" } " " span.url { (delivery.path) } }
            div.sides {
                (side("Delivery", &format!("POST {}", delivery.path), &delivery.headers, &delivery.body))
                @if let Some(base) = &delivery.signature_base { (side("Its signature is of", base, &[], "")) }
            }
        }
    }
}

fn talk(exchange: &ExchangeReport, deviates: bool) -> Markup {
    html! {
        details.exchange.deviates[deviates] open[deviates] {
            summary {
                b { (exchange.method) } " " span.url { (path(&exchange.url)) }
                span.code { (exchange.status) }
                span.meta { (exchange.took_ms) " ms" }
            }
            div.sides {
                (side("Request", &format!("{} {}", exchange.method, exchange.url), &exchange.request_headers, &exchange.request_body))
                (side("Answer", &exchange.status.to_string(), &exchange.response_headers, &exchange.response_body))
            }
        }
    }
}

fn side(name: &str, first: &str, headers: &[(String, String)], body: &str) -> Markup {
    html! {
        div {
            h4 { (name) }
            pre {
                (first) "\n"
                @for (name, value) in headers { (name) ": " (value) "\n" }
                @if !body.is_empty() { "\n" (body) }
            }
        }
    }
}

/// A URL without its origin.
fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or(url, |start| &rest[start..])
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
