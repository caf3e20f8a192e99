//! Publishing: what would go live, against what is live, what is held back, and the button.

use std::collections::HashMap;

use l10n_api_types::publish::IssueCounts;
use l10n_api_types::{LanguageCode, Severity, State, VersionId};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::versions::{call, live, reloaded};
use super::view::comparison;
use super::view::differences::{SHOWN, SHOWN_OF_ONE, counts, differences};
use super::view::field::FormView;
use super::view::hostile::{block, quoted};
use super::view::parts::{self, Tone, badge, figure, head, notice};
use super::view::table::{Column, table};
use super::visit::Visit;
use crate::domain::differences::{Differences, DisplayedTexts, from_live, said};
use crate::domain::held_back::{self, HeldBack};
use crate::domain::pages::PageBudget;
use crate::domain::publish::{self, NoPreview, PersonalError};
use crate::domain::{ServiceError, versions};
use crate::store::counters;
use crate::store::versions::Version;

/// Texts that are held back, of each language, that are shown at once.
const HELD_BACK: usize = 10;
/// The same of one language by itself.
const HELD_BACK_OF_ONE: usize = 200;

/// `GET /dashboard/@{handle}/{slug}/publish`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    if visit.fragment() == Some(comparison::PART) {
        return Ok(PageResponse::fragment(changes(&visit).await?));
    }
    page(&visit, &FieldErrors::default()).await
}

/// The part of the page that needs nothing rendered.
struct PublishSummary {
    live: Option<Version>,
    /// Texts that a check holds back, by language.
    held_back: Vec<(String, Vec<HeldBack>)>,
}

/// The rendered files of a publish, against what is live.
struct PublishPreview {
    keys: u64,
    differences: Differences,
    issues: Vec<(String, IssueCounts)>,
    /// Texts of target languages in each state.
    counts: Vec<counters::TranslationCount>,
}

async fn outlook(visit: &Visit) -> Result<PublishSummary, ServiceError> {
    let project = visit.project()?;
    let language = visit.query.get("language");
    let mut tx = visit.service.store.begin_read().await?;
    let live = match &project.live_version_id {
        Some(id) => Some(versions::existing(&mut tx, &project.id, id).await?),
        None => None,
    };
    let (mut held, mut room) = (Vec::new(), PageBudget::default());
    let most = if language.is_some() { HELD_BACK_OF_ONE } else { HELD_BACK };
    for count in counters::translations(&mut tx, &project.id).await? {
        let has_some = count.state == State::NeedsReview && count.number > 0;
        if has_some && language.is_none_or(|wanted| wanted == count.language) {
            let texts = held_back::after(&mut tx, &project.id, &count.language, "", most, &mut room).await?.texts;
            if !texts.is_empty() {
                held.push((count.language, texts));
            }
        }
    }
    tx.rollback().await?;
    Ok(PublishSummary { live, held_back: held })
}

/// Renders what a publish of these languages, or of all, would make live.
async fn found(
    visit: &Visit,
    languages: Option<&[LanguageCode]>,
) -> Result<Result<PublishPreview, NoPreview>, ServiceError> {
    let (project, parts) = (visit.project()?, visit.service.publishing());
    let language = visit.query.get("language");
    let _turn = publish::comparison_turn(parts, project).await?;
    let mut tx = visit.service.store.begin_read().await?;
    let found = match publish::preview(&mut tx, parts, call(visit)?, languages).await? {
        Err(reason) => Err(reason),
        Ok(preview) => {
            let (keys, issues) = (preview.key_count, preview.issues.clone());
            let shown = DisplayedTexts { language, most: if language.is_some() { SHOWN_OF_ONE } else { SHOWN } };
            let live = project.live_version_id.as_ref();
            let differences = from_live(&mut tx, &project.id, live, preview, shown).await?;
            Ok(PublishPreview {
                keys,
                differences,
                issues,
                counts: counters::translations(&mut tx, &project.id).await?,
            })
        }
    };
    tx.rollback().await?;
    Ok(found)
}

/// The changes that a publish of these languages, or of all, would make live, for the page of an approval. Languages that it
/// leaves out are gone from what is live.
pub(super) async fn preview(visit: &Visit, asked: Option<&[LanguageCode]>) -> Result<Markup, ServiceError> {
    let page = match asked {
        Some(_) => visit.path.clone(),
        None => visit.in_project("/publish"),
    };
    Ok(match found(visit, asked).await? {
        Err(NoPreview::Nothing) => html! { p { (visit.t("publish.empty.text")) } },
        Err(NoPreview::TooLarge) => html! { p { (visit.t("publish.too-large")) } },
        Ok(found) => html! {
            (languages(visit, &found, &page))
            (differences(visit, &found.differences))
        },
    })
}

/// The part of the page that tells what would change.
async fn changes(visit: &Visit) -> Result<Markup, ServiceError> {
    Ok(match found(visit, None).await? {
        // The page says it.
        Err(NoPreview::Nothing) => Markup::default(),
        Err(NoPreview::TooLarge) => notice(Tone::Info, &html! { p { (visit.t("publish.too-large")) } }),
        Ok(found) => html! {
            (languages(visit, &found, &visit.path))
            section.stack {
                h2 { (visit.t("publish.differences")) }
                @if let Some(language) = visit.query.get("language") {
                    p {
                        (visit.tf("publish.only", &[("language", Value::Text(language))])) " "
                        a href={ (visit.path) (visit.query.with("language", None)) } { (visit.t("publish.all")) }
                    }
                }
                (differences(visit, &found.differences))
            }
        },
    })
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let outlook = outlook(visit).await?;
    let changes = match comparison::is_made_now(visit)? {
        true => changes(visit).await?,
        false => comparison::made_later(visit),
    };
    let content = html! {
        (head(&visit.t("publish.title"), &visit.t("publish.lead"), &Markup::default()))
        div.figures {
            (figure(&visit.t("publish.live"), &live(visit, outlook.live.as_ref())))
            (figure(&visit.t("publish.changes"), &html! { (visit.texts.number(project.changes_since_publish)) }))
            (figure(&visit.t("publish.keys"), &html! { (visit.texts.number(project.key_count)) }))
        }
        @if project.key_count == 0 {
            (parts::empty(&visit.t("publish.empty.title"), &html! { (visit.t("publish.empty.text")) }))
            (FormView::new(visit, errors).summary())
        } @else {
            (form(visit, errors, outlook.live.as_ref()))
            (changes)
        }
        @if !outlook.held_back.is_empty() { (held(visit, &outlook.held_back)) }
    };
    Ok(PageResponse::page(visit.t("publish.title"), content))
}

fn form(visit: &Visit, errors: &FieldErrors, live: Option<&Version>) -> Markup {
    let form = FormView::new(visit, errors);
    html! {
        section.card {
            h2 { (visit.t("publish.form")) }
            form method="post" action=(visit.in_project("/publish")) novalidate {
                (form.summary())
                input type="hidden" name="live" value=[live.map(|live| &live.id)];
                (form.field("label", "publish.label").hint("publish.label-hint").optional()
                    .longest(publish::LONGEST_VERSION_LABEL))
                (form.submit("publish.submit"))
            }
        }
    }
}

/// A row for each language: what changes, what is held back, what has warnings, what is missing.
fn languages(visit: &Visit, found: &PublishPreview, page: &str) -> Markup {
    let columns = [
        Column::new(visit.t("publish.language")),
        Column::number(visit.t("differences.added")),
        Column::number(visit.t("differences.changed")),
        Column::number(visit.t("differences.removed")),
        Column::number(visit.t("publish.held-back")),
        Column::number(visit.t("publish.warnings")),
        Column::number(visit.t("publish.missing")),
    ];
    let issues: HashMap<&str, &IssueCounts> =
        found.issues.iter().map(|(code, issues)| (code.as_str(), issues)).collect();
    let keys = i64::try_from(found.keys).unwrap_or(i64::MAX);
    let rows = found.differences.languages.iter().map(|one| {
        let [added, changed, removed] = counts(visit, one.texts.as_ref());
        let issues = issues.get(one.language.as_str()).copied();
        let there: i64 =
            found.counts.iter().filter(|count| count.language == one.language).map(|count| count.number).sum();
        let missing = issues.map(|_| (keys - there).max(0));
        let flagged = |count: u64, tone| match count {
            0 => html! { "0" },
            count => badge(tone, &visit.texts.number(i64::try_from(count).unwrap_or(i64::MAX))),
        };
        vec![
            html! { a href={ (page) (visit.query.with("language", Some(&one.language))) } { bdi { (one.language) } } },
            added,
            changed,
            removed,
            flagged(issues.map_or(0, |issues| issues.error), Tone::Bad),
            flagged(issues.map_or(0, |issues| issues.warning), Tone::Warn),
            html! { (visit.texts.number(missing.unwrap_or(0))) },
        ]
    });
    let rows: Vec<Vec<Markup>> = rows.collect();
    html! { (table(&visit.t("publish.languages"), &columns, &rows)) }
}

/// Texts that no publish takes, with the reasons.
fn held(visit: &Visit, held_back: &[(String, Vec<HeldBack>)]) -> Markup {
    html! {
        section.stack id="held-back" {
            h2 { (visit.t("publish.held.title")) }
            p { (visit.t("publish.held.text")) }
            @for (language, texts) in held_back {
                section.card.stack {
                    h3 { bdi { (language) } }
                    ul.list { @for text in texts { li { (held_text(visit, language, text)) } } }
                }
            }
        }
    }
}

fn held_text(visit: &Visit, language: &str, text: &HeldBack) -> Markup {
    let more = visit.t("common.more");
    html! {
        div.stack {
            p { code { (quoted(&text.key)) } }
            @for issue in text.issues.iter().filter(|issue| issue.severity == Severity::Error) {
                p { (badge(Tone::Bad, &visit.t("publish.held-back"))) " " (quoted(&issue.message)) }
            }
            div.two {
                (block(&said(&text.source), &more))
                div lang=(language) { (block(&said(&text.translation), &more)) }
            }
        }
    }
}

/// `POST /dashboard/@{handle}/{slug}/publish`
pub(super) async fn publish(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let label = visit.form.line("label", 0..=publish::LONGEST_VERSION_LABEL, &mut errors);
    if !errors.is_empty() {
        return Ok(page(&visit, &errors).await?.invalid());
    }
    let seen = visit.form.id("live").map(VersionId::from);
    let label = Some(label).filter(|label| !label.is_empty());
    let done = publish::publish_seen(visit.service.publishing(), call(&visit)?, label, seen.as_ref()).await;
    match done {
        Ok(published) => {
            let path = visit.in_project(&format!("/versions/{}", published.version_id));
            return Ok(PageResponse::done(&path, "versions.published"));
        }
        Err(PersonalError::Moved) => errors.whole("publish.moved", None),
        Err(PersonalError::Service(error)) => errors.refused(error)?,
    }
    Ok(page(&reloaded(visit).await?, &errors).await?.conflict())
}
