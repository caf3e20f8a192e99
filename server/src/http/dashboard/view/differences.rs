//! Differences between versions: how many texts of each language, and the first of them side by side.

use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::hostile;
use super::parts::{Tone, badge, notice};
use crate::domain::differences::{Change, Differences, LanguageChanges, TextChange, TextChanges, said};
use crate::http::dashboard::visit::Visit;

/// Texts of each language that are shown at once.
pub(in crate::http::dashboard) const SHOWN: usize = 20;
/// Files that differ, of which the paths are shown.
const FILES: usize = 200;
/// Texts that are shown of one language by itself.
pub(in crate::http::dashboard) const SHOWN_OF_ONE: usize = 300;

/// The differences of each language with its texts; files that differ below them.
pub(in crate::http::dashboard) fn differences(visit: &Visit, found: &Differences) -> Markup {
    let languages = found.languages.iter().filter(|one| one.texts.as_ref().is_none_or(|texts| texts.count() > 0));
    let (languages, files): (Vec<_>, _) = (languages.collect(), &found.files);
    html! {
        @if languages.is_empty() {
            (notice(Tone::Good, &html! { p { (visit.t("differences.none")) } }))
        }
        @for language in languages { (of_language(visit, language)) }
        @if !files.is_empty() {
            details {
                summary { (visit.tf("differences.files", &[("n", number(files.len()))])) }
                ul.list {
                    @for file in files.iter().take(FILES) {
                        li { (mark(visit, file.change)) " " code { bdi { (file.path) } } }
                    }
                }
                @if files.len() > FILES {
                    p.muted { (visit.tf("differences.files-more", &[("n", number(files.len() - FILES))])) }
                }
            }
        }
    }
}

/// "+3 ~2 -1" in words, for tables.
pub(in crate::http::dashboard) fn counts(visit: &Visit, texts: Option<&TextChanges>) -> [Markup; 3] {
    let shown = |count: usize| html! { (visit.texts.number(i64::try_from(count).unwrap_or(i64::MAX))) };
    match texts {
        Some(texts) => [shown(texts.added), shown(texts.changed), shown(texts.removed)],
        None => [0; 3].map(|_| html! { span.muted title=(visit.t("differences.too-large")) { "?" } }),
    }
}

fn of_language(visit: &Visit, found: &LanguageChanges) -> Markup {
    html! {
        section.card.stack id={ "language-" (found.language) } {
            div.section-head {
                h3 { bdi { (found.language) } }
                @if let Some(texts) = &found.texts {
                    span.muted.small { (visit.tf("differences.counts", &[
                        ("added", number(texts.added)), ("changed", number(texts.changed)), ("removed", number(texts.removed)),
                    ])) }
                }
            }
            @match &found.texts {
                None => p.muted { (visit.t("differences.too-large")) },
                Some(texts) => {
                    ul.list { @for text in &texts.shown { li { (side_by_side(visit, &found.language, text)) } } }
                    @if texts.count() > texts.shown.len() {
                        p {
                            @if visit.query.get("language").is_none() {
                                a href={ (visit.path) (visit.query.with("language", Some(&found.language))) } {
                                    (visit.tf("differences.more", &[("n", number(texts.count() - texts.shown.len()))]))
                                }
                            } @else {
                                (visit.tf("differences.rest", &[("n", number(texts.count() - texts.shown.len()))]))
                            }
                        }
                    }
                },
            }
        }
    }
}

/// A text before and after, as others wrote it.
fn side_by_side(visit: &Visit, language: &str, text: &TextChange) -> Markup {
    let more = visit.t("common.more");
    // The language is that of the text alone, not that of the word before it.
    let block = |text| html! { div lang=(language) { (hostile::block(&said(text), &more)) } };
    html! {
        div.stack {
            p {
                (mark(visit, text.change())) " "
                code { @if let Some(namespace) = &text.namespace { (hostile::quoted(namespace)) ":" } (hostile::quoted(&text.key)) }
            }
            div.two {
                @if let Some(before) = &text.before {
                    del { span.visually-hidden { (visit.t("differences.before")) } (block(before)) }
                }
                @if let Some(after) = &text.after {
                    ins { span.visually-hidden { (visit.t("differences.after")) } (block(after)) }
                }
            }
        }
    }
}

fn mark(visit: &Visit, change: Change) -> Markup {
    let (tone, text) = match change {
        Change::Added => (Tone::Good, "differences.added"),
        Change::Changed => (Tone::Info, "differences.changed"),
        Change::Removed => (Tone::Bad, "differences.removed"),
    };
    badge(tone, &visit.t(text))
}

fn number(count: usize) -> Value<'static> {
    Value::Number(i64::try_from(count).unwrap_or(i64::MAX))
}
