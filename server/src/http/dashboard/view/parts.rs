//! Small parts: heads of pages, badges, cards, lists of facts, bars, buttons.

use maud::{Markup, html};

/// The tone of a badge or a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http::dashboard) enum Tone {
    /// Neither good nor bad.
    Plain,
    /// Something that is under way, or that a person should know.
    Info,
    /// All is well.
    Good,
    /// Somebody should look at it.
    Warn,
    /// It failed.
    Bad,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Info => "info",
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}

/// The head of a page: its one `h1`, a sentence below it (may be empty), and buttons or links beside it.
pub(in crate::http::dashboard) fn head(title: &str, lead: &str, actions: &Markup) -> Markup {
    html! {
        header.page-head {
            div {
                h1 { bdi { (title) } }
                @if !lead.is_empty() { p.lead { (lead) } }
            }
            @if !actions.0.is_empty() { div.actions { (actions) } }
        }
    }
}

/// A word about a state.
pub(in crate::http::dashboard) fn badge(tone: Tone, text: &str) -> Markup {
    html! { span.badge.(tone.class()) { (text) } }
}

/// A message that stands in the page.
pub(in crate::http::dashboard) fn notice(tone: Tone, content: &Markup) -> Markup {
    html! { div.notice.(tone.class()) role="note" { (content) } }
}

/// A part of a page with a heading.
pub(in crate::http::dashboard) fn card(title: &str, content: &Markup) -> Markup {
    html! { section.card { h2 { (title) } (content) } }
}

/// The place of a list that is empty: what it would show, and what to do.
pub(in crate::http::dashboard) fn empty(title: &str, text: &Markup) -> Markup {
    html! { div.empty { p.empty-title { (title) } p { (text) } } }
}

/// Names and values.
pub(in crate::http::dashboard) fn facts(facts: &[(String, Markup)]) -> Markup {
    html! {
        dl.facts {
            @for (name, value) in facts { div { dt { (name) } dd { (value) } } }
        }
    }
}

/// A number with its name, for overviews.
pub(in crate::http::dashboard) fn figure(name: &str, value: &Markup) -> Markup {
    html! { div.figure { span.figure-name { (name) } span.figure-value { (value) } } }
}

/// A bar of parts, each with its class (`reviewed`, `translated`, `review`, `stale`, `missing`) and its number. `label` says
/// the same in words.
pub(in crate::http::dashboard) fn bar(label: &str, parts: &[(&str, i64)]) -> Markup {
    let all: i64 = parts.iter().map(|(_, number)| *number).sum::<i64>().max(1);
    let mut at = 0;
    html! {
        svg.bar role="img" aria-label=(label) preserveAspectRatio="none" viewBox="0 0 1000 8" {
            @for (class, number) in parts {
                @let width = number.saturating_mul(1_000) / all;
                rect class=(class) x=(at) y="0" width=(width) height="8" {}
                ({ at += width; "" })
            }
        }
    }
}

/// A text that the script can copy; without script it can be selected.
pub(in crate::http::dashboard) fn copyable(text: &str, copy: &str, copied: &str) -> Markup {
    html! {
        div.copyable {
            code { (text) }
            button.small.secondary type="button" data-copy=(text) data-copied=(copied) hidden { (copy) }
        }
    }
}

/// A part of a page that the script loads anew when it has another state than this one; answer with
/// [`PageResponse::polled`](crate::http::dashboard::answer::PageResponse::polled). Without script it stays.
pub(in crate::http::dashboard) fn polled(name: &str, state: &str, content: &Markup) -> Markup {
    html! { div data-refresh=(name) data-state=(state) { (content) } }
}
