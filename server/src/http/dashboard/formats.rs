//! The output formats of a project: the list, with the paths that each makes. `format_edit` changes one.

use l10n_api_types::FormatId;
use l10n_api_types::output_formats::{NewOutputFormat, OutputFormat};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::settings::tabs;
use super::view::hostile::quoted;
use super::view::parts::{self, head};
use super::view::table::{Column, table};
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::output_formats::{self, FormatPaths};

/// The path of the list, below the project's.
pub(super) const LIST: &str = "/settings/formats";

/// Paths of a language that a preview shows.
pub(super) const PATHS: usize = 5;
/// Languages that a preview shows.
const LANGUAGES: usize = 50;

/// `GET /dashboard/@{handle}/{slug}/settings/formats`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let mut tx = visit.service.store.begin_read().await?;
    let mut all = Vec::new();
    for format in output_formats::list(&mut tx, &project.id).await? {
        let paths = output_formats::paths(&mut tx, &project.id, &stated(&format)?, PATHS).await;
        all.push((format, paths.map_err(ServiceError::internal)?));
    }
    tx.rollback().await?;
    let new = html! { a.button href=(visit.in_project("/settings/formats/new")) { (visit.t("formats.new.title")) } };
    let content = html! {
        (head(&visit.t("formats.title"), &visit.t("formats.lead"), &new))
        (tabs(&visit))
        @if all.is_empty() {
            (parts::empty(&visit.t("formats.empty.title"), &html! { (visit.t("formats.empty.text")) }))
        } @else {
            (list(&visit, &all))
        }
    };
    Ok(PageResponse::page(visit.t("formats.title"), content))
}

/// An output format as a list states it.
pub(super) fn stated(format: &OutputFormat) -> Result<NewOutputFormat, ServiceError> {
    let OutputFormat { format, path, empty_as, namespaces, .. } = format.clone();
    let format = FormatId::try_from(format).map_err(ServiceError::internal)?;
    Ok(NewOutputFormat { format, path, empty_as: Some(empty_as), namespaces })
}

fn list(visit: &Visit, all: &[(OutputFormat, Vec<FormatPaths>)]) -> Markup {
    let say = |key: &str| visit.t(&format!("formats.column.{key}"));
    let columns = [
        Column::new(say("path")),
        Column::new(say("format")),
        Column::new(say("empty")),
        Column::new(say("files")),
        Column::actions(visit.t("common.actions")),
    ];
    let rows = all.iter().map(|(format, paths)| {
        let edit = visit.tf("formats.edit.of", &[("path", Value::Text(&format.path))]);
        vec![
            html! {
                code { (quoted(&format.path)) }
                @if let Some(namespaces) = &format.namespaces {
                    p.muted.small { (visit.tf("formats.namespaces-of", &[("n", Value::Number(namespaces.len() as i64))])) }
                }
            },
            html! { code { (format.format.as_str()) } },
            html! { (visit.t(&format!("formats.empty-as.{}", format.empty_as.as_str()))) },
            html! { details.reveal { summary { (visit.t("formats.preview.show")) } (preview(visit, paths)) } },
            html! {
                a.button.small.secondary href=(path_of(visit, format.output_format_id.as_str())) aria-label=(edit) {
                    (visit.t("formats.edit.button"))
                }
            },
        ]
    });
    let rows: Vec<Vec<Markup>> = rows.collect();
    table(&visit.t("formats.title"), &columns, &rows)
}

/// The path of the page about an output format.
pub(super) fn path_of(visit: &Visit, id: &str) -> String {
    visit.in_project(&format!("{LIST}/{id}"))
}

/// The paths that an output format makes, language by language.
pub(super) fn preview(visit: &Visit, languages: &[FormatPaths]) -> Markup {
    let more =
        |n: usize| visit.tf("formats.preview.more", &[("n", Value::Number(i64::try_from(n).unwrap_or(i64::MAX)))]);
    html! {
        dl.facts {
            @for language in languages.iter().take(LANGUAGES) {
                div {
                    dt { (language.language) }
                    dd {
                        @for path in &language.paths { code.line { (quoted(path)) } }
                        @if language.more > 0 { p.muted.small { (more(language.more)) } }
                    }
                }
            }
        }
        @if languages.len() > LANGUAGES { p.muted.small { (more(languages.len() - LANGUAGES)) } }
    }
}
