//! The settings of a project, and the way to those that have pages of their own.

use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::routes;
use super::view::field::FormView;
use super::view::hostile::block;
use super::view::parts::{card, facts, head};
use super::visit::Visit;
use crate::domain::project_settings::{self, LONGEST_DEFAULT_LABEL, ProjectSettings, SettingsError, is_same};
use crate::domain::{ServiceError, projects, style_note};
use crate::store::projects::MemorySetting;

/// Most characters of a chain of engines, and of the chains of all languages.
const LONGEST_CHAIN: usize = 500;
const LONGEST_CHAINS: usize = 10_000;

/// A field of the form: its name, the key of its label, and its value.
type SettingsField = (&'static str, &'static str, fn(&ProjectSettings) -> &str);

/// The fields of the form. Each has a hidden one beside it, which says what the person was shown.
const FIELDS: [SettingsField; 6] = [
    ("name", "settings.name", |it| &it.name),
    ("label", "settings.label", |it| it.default_label.as_deref().unwrap_or_default()),
    ("memory", "settings.memory.legend", |it| it.memory.as_str()),
    ("engine", "settings.engine", |it| &it.engine),
    ("language-engines", "settings.language-engines", |it| &it.language_engines),
    ("style-note", "settings.style-note", |it| &it.style_note),
];

/// Pages of settings, with the names of their titles.
const PAGES: [(&str, &str); 4] = [
    ("settings.title", "/dashboard/@{handle}/{slug}/settings"),
    ("languages.title", "/dashboard/@{handle}/{slug}/settings/languages"),
    ("formats.title", "/dashboard/@{handle}/{slug}/settings/formats"),
    ("keys.title", "/dashboard/@{handle}/{slug}/settings/keys"),
];

/// Links to all pages of settings that there are for this person.
pub(super) fn tabs(visit: &Visit) -> Markup {
    let links: Vec<_> = PAGES.iter().filter_map(|(text, path)| Some((text, routes::link(visit, path)?))).collect();
    html! {
        nav.tabs aria-label=(visit.t("settings.pages")) {
            ul {
                @for (text, path) in &links {
                    li { a href=(path) aria-current=[(*path == visit.path).then_some("page")] { (visit.t(text)) } }
                }
            }
        }
    }
}

/// `GET /dashboard/@{handle}/{slug}/settings`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn find(visit: &Visit) -> Result<ProjectSettings, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let settings = project_settings::find(&mut tx, &visit.project()?.id).await?;
    tx.rollback().await?;
    Ok(settings)
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    Ok(page_with(visit, errors, &find(visit).await?, &Markup::default()))
}

/// The page with a part before its form.
fn page_with(visit: &Visit, errors: &FieldErrors, settings: &ProjectSettings, before: &Markup) -> PageResponse {
    let engines: Vec<&str> = visit.service.engines.names().collect();
    let engines = engines.join(", ");
    let there =
        [("engines", Value::Text(&engines)), ("standard", Value::Text(visit.service.engines.standard().name()))];
    let form = FormView::new(visit, errors);
    let memory = html! {
        @for setting in MemorySetting::ALL {
            @let name = setting.as_str();
            (form.radio("memory", name, &visit.t(&format!("settings.memory.{name}")),
                &visit.t(&format!("settings.memory.{name}-hint")), setting == settings.memory))
        }
    };
    let content = html! {
        (head(&visit.t("settings.title"), "", &Markup::default()))
        (tabs(visit))
        (before)
        form.card method="post" action=(visit.in_project("/settings")) novalidate {
            (form.summary())
            @for (name, _, of) in FIELDS { (form.shown(&known(name), of(settings))) }
            (form.field("name", "settings.name").initial(&settings.name).longest(projects::LONGEST_PROJECT_NAME))
            (form.field("label", "settings.label").hint("settings.label-hint").optional().longest(LONGEST_DEFAULT_LABEL)
                .initial(settings.default_label.as_deref().unwrap_or_default()))
            (form.group("memory", &visit.t("settings.memory.legend"), &memory))
            (form.field("engine", "settings.engine").hint_said(visit.tf("settings.engine-hint", &there)).optional().code()
                .longest(LONGEST_CHAIN).initial(&settings.engine))
            (form.field("language-engines", "settings.language-engines").hint("settings.language-engines-hint").optional()
                .code().lines(3).longest(LONGEST_CHAINS).initial(&settings.language_engines))
            (form.field("style-note", "settings.style-note").hint("settings.style-note-hint").optional().lines(4)
                .longest(style_note::LONGEST_STYLE_NOTE).initial(&settings.style_note))
            (form.submit("settings.save"))
        }
    };
    PageResponse::page(visit.t("settings.title"), content)
}

/// The name of the hidden field beside a field.
fn known(name: &str) -> String {
    format!("known-{name}")
}

/// The settings that the person was shown; `None` where the form does not say them.
fn shown(visit: &Visit) -> Option<ProjectSettings> {
    let value = |name: &str| visit.form.value(&known(name)).to_owned();
    Some(ProjectSettings {
        name: value("name"),
        default_label: Some(value("label")),
        memory: MemorySetting::parse(&value("memory"))?,
        engine: value("engine"),
        language_engines: value("language-engines"),
        style_note: value("style-note"),
    })
}

/// The form once more, beside what somebody else has saved meanwhile. What was typed is kept; what the person has not changed is
/// as it is now.
async fn moved(mut visit: Visit) -> Result<PageResponse, ServiceError> {
    let now = find(&visit).await?;
    let mut errors = FieldErrors::default();
    errors.moved("settings.moved.text");
    let mut changed = Vec::new();
    for (name, label, of) in FIELDS {
        let (shown, present) = (visit.form.value(&known(name)).to_owned(), of(&now));
        if is_same(visit.form.value(name), &shown) {
            visit.form.set(name, present);
        }
        if !is_same(present, &shown) {
            changed.push((visit.t(label), in_words(&visit, name, present)));
        }
    }
    let before = card(&visit.t("settings.moved.now"), &facts(&changed));
    Ok(page_with(&visit, &errors, &now, &before).conflict())
}

/// The value of a setting as people read it.
fn in_words(visit: &Visit, name: &str, value: &str) -> Markup {
    html! {
        @if name == "memory" { (visit.t(&format!("settings.memory.{value}"))) }
        @else if value.is_empty() { span.muted { (visit.t("common.none")) } }
        @else { (block(value, &visit.t("common.more"))) }
    }
}

/// `POST /dashboard/@{handle}/{slug}/settings`
pub(super) async fn save(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let name = visit.form.line("name", 1..=projects::LONGEST_PROJECT_NAME, &mut errors);
    let label = visit.form.line("label", 0..=LONGEST_DEFAULT_LABEL, &mut errors);
    let engine = visit.form.line("engine", 0..=LONGEST_CHAIN, &mut errors);
    let language_engines = visit.form.text("language-engines", 0..=LONGEST_CHAINS, &mut errors);
    let style_note = visit.form.text("style-note", 0..=style_note::LONGEST_STYLE_NOTE, &mut errors);
    let memory = MemorySetting::parse(visit.form.value("memory"));
    if memory.is_none() {
        errors.add("memory", "settings.memory.missing", None);
    }
    if let Some(memory) = memory.filter(|_| errors.is_empty()) {
        let default_label = Some(label).filter(|label| !label.is_empty());
        let to = ProjectSettings { name, default_label, memory, engine, language_engines, style_note };
        let Some(shown) = shown(&visit) else { return moved(visit).await };
        match carry_out(&visit, (&shown, &to)).await {
            Ok(()) => return Ok(PageResponse::done(&visit.in_project("/settings"), "settings.saved")),
            Err(SettingsError::Name(words)) => errors.say("name", words),
            Err(SettingsError::Label(words)) => errors.say("label", words),
            Err(SettingsError::Engine(words)) => errors.say("engine", words),
            Err(SettingsError::LanguageEngines(words)) => errors.say("language-engines", words),
            Err(SettingsError::StyleNote(words)) => errors.say("style-note", words),
            Err(SettingsError::Moved) => return moved(visit).await,
            Err(SettingsError::Service(error)) => errors.refused(error)?,
        }
    }
    Ok(page(&visit, &errors).await?.invalid())
}

async fn carry_out(visit: &Visit, change: (&ProjectSettings, &ProjectSettings)) -> Result<(), SettingsError> {
    let (workspace, project) = (&visit.membership()?.workspace, &visit.project()?.id);
    let by = visit.person()?.actor();
    let mut tx = visit.service.store.begin_write_in(workspace, project).await?;
    project_settings::change(&mut tx, visit.now, &visit.service.engines, (workspace, project), &by, change).await?;
    tx.commit().await?;
    Ok(())
}
