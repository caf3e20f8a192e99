//! The page after a form about something that somebody changed or removed meanwhile.

use maud::{Markup, html};

use super::answer::PageResponse;
use super::view::parts::{self, Tone, head};
use super::visit::Visit;

/// The page: the keys of its title and of its text, and a link back, by its path and the key of its words.
pub(super) fn page(visit: &Visit, title: &str, text: &str, (path, words): (&str, &str)) -> PageResponse {
    let title = visit.t(title);
    let content = html! {
        (head(&title, "", &Markup::default()))
        (parts::notice(Tone::Info, &html! { p { (visit.t(text)) } }))
        p { a href=(path) { (visit.t(words)) } }
    };
    PageResponse::page(title, content).conflict()
}
