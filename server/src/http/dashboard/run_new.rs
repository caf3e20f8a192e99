//! Starting a run: what is missing or has failed, its price, and the button. The price is shown before anything is paid.

use l10n_api_types::translations::LanguagePrice;
use l10n_api_types::{LanguageCode, Millicredits, TrackingToken};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::versions::call;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, head, notice};
use super::view::table::{Column, table};
use super::view::time::{credits, money};
use super::visit::Visit;
use crate::domain::jobs::show;
use crate::domain::progress::{self, LanguageProgress};
use crate::domain::run::incoming::LONGEST_REF;
use crate::domain::run::personal::{self, RunQuote, StartError, TextSelection};
use crate::domain::{ServiceError, content, publish, workspaces};
use crate::store::projects;

/// The page of a run that is to be started.
struct RunForm {
    /// The path of the page.
    path: String,
    /// Languages that were chosen.
    languages: Vec<LanguageCode>,
    /// Only keys behind this ref are looked at.
    after: String,
    /// The run whose failures are tried again.
    failed: Option<TrackingToken>,
    /// True if that run is of a document.
    is_document: bool,
}

impl RunForm {
    fn wanted(&self) -> TextSelection<'_> {
        match &self.failed {
            Some(run) => TextSelection::Failed { run },
            None => TextSelection::Missing { languages: &self.languages, after: &self.after },
        }
    }

    /// Returns true if it is known what is to be priced.
    fn is_chosen(&self) -> bool {
        self.failed.is_some() || !self.languages.is_empty()
    }
}

/// The draft that the fields of a query or a form describe.
fn draft(visit: &Visit, is_form: bool) -> RunForm {
    let fields = if is_form { &visit.form } else { &visit.query };
    let after = fields.value("after");
    RunForm {
        path: visit.in_project("/runs/new"),
        languages: fields.all("language").map(LanguageCode::from).collect(),
        after: if after.len() <= LONGEST_REF { after.to_owned() } else { String::new() },
        failed: None,
        is_document: false,
    }
}

/// The draft of a run that repeats what failed in another one.
async fn draft_of_failed(visit: &Visit) -> Result<RunForm, ServiceError> {
    let token = TrackingToken::from(visit.value("token")?);
    let mut tx = visit.service.store.begin_read().await?;
    let is_document = show::find(&mut tx, &visit.project()?.id, &token).await?.document_id.is_some();
    tx.rollback().await?;
    let path = visit.in_project(&format!("/runs/{token}/retry"));
    Ok(RunForm { path, languages: Vec::new(), after: String::new(), failed: Some(token), is_document })
}

/// `GET /dashboard/@{handle}/{slug}/runs/new`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let draft = draft(&visit, false);
    page(&visit, &draft, &mut FieldErrors::default()).await
}

/// `GET /dashboard/@{handle}/{slug}/runs/{token}/retry`
pub(super) async fn show_retry(visit: Visit) -> Result<PageResponse, ServiceError> {
    let draft = draft_of_failed(&visit).await?;
    page(&visit, &draft, &mut FieldErrors::default()).await
}

/// `POST /dashboard/@{handle}/{slug}/runs/new`
pub(super) async fn start(visit: Visit) -> Result<PageResponse, ServiceError> {
    let draft = draft(&visit, true);
    if !draft.is_chosen() {
        let mut errors = FieldErrors::default();
        errors.add("language", "run.no-language", None);
        return Ok(page(&visit, &draft, &mut errors).await?.invalid());
    }
    carry_out(visit, &draft).await
}

/// `POST /dashboard/@{handle}/{slug}/runs/{token}/retry`
pub(super) async fn retry(visit: Visit) -> Result<PageResponse, ServiceError> {
    let draft = draft_of_failed(&visit).await?;
    carry_out(visit, &draft).await
}

async fn carry_out(visit: Visit, draft: &RunForm) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let Some(agreed) = visit.form.value("price").parse().ok().filter(|price| *price >= 0) else {
        errors.whole("run.no-price", None);
        return Ok(page(&visit, draft, &mut errors).await?.invalid());
    };
    let turn = publish::comparison_turn(visit.service.publishing(), visit.project()?).await?;
    let (runs, call, agreed) = (visit.service.runs(), call(&visit)?, Millicredits(agreed));
    let done = match &draft.failed {
        Some(run) if draft.is_document => content::retry(runs, call, run, agreed).await,
        _ => personal::start(runs, call, draft.wanted(), agreed).await,
    };
    drop(turn);
    match done {
        Ok(Some(token)) => return Ok(PageResponse::done(&visit.in_project(&format!("/runs/{token}")), "runs.started")),
        Ok(None) => return Ok(PageResponse::done(&visit.in_project("/runs"), "runs.remembered")),
        Err(StartError::Dearer) => errors.whole("run.dearer", None),
        Err(StartError::Nothing) => errors.whole("run.nothing-more", None),
        Err(StartError::Service(ServiceError::InvalidArgument(words))) => {
            errors.say("language", words);
            return Ok(page(&visit, draft, &mut errors).await?.invalid());
        }
        Err(StartError::Service(error)) => errors.refused(error)?,
    }
    Ok(page(&visit, draft, &mut errors).await?.conflict())
}

async fn page(visit: &Visit, draft: &RunForm, errors: &mut FieldErrors) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let project = projects::find(&mut tx, &visit.project()?.id).await?.ok_or_else(super::visit::nothing_here)?;
    let progress = progress::of_project(&mut tx, &project).await?;
    let balance = workspaces::find(&mut tx, project.workspace_id.as_str()).await?.balance;
    tx.rollback().await?;
    let quote = if draft.is_chosen() { quote(visit, draft, errors).await? } else { None };
    let is_wrong = visit.form.is_empty() && !errors.is_empty();
    let title = visit.t(if draft.failed.is_some() { "run.retry" } else { "run.title" });
    let content = html! {
        (head(&title, &visit.t("run.lead"), &Markup::default()))
        (FormView::one_of(visit, errors, "run", !errors.is_empty()).summary_titled("run.failed"))
        @if draft.failed.is_none() { (languages(visit, draft, &progress, errors)) }
        @if let Some(quote) = &quote { (price(visit, draft, quote, balance)) }
    };
    let answer = PageResponse::page(title, content);
    Ok(if is_wrong { answer.invalid() } else { answer })
}

/// The price; `None` where the languages are none, which is noted.
async fn quote(visit: &Visit, draft: &RunForm, errors: &mut FieldErrors) -> Result<Option<RunQuote>, ServiceError> {
    let _turn = publish::comparison_turn(visit.service.publishing(), visit.project()?).await?;
    let (runs, call) = (visit.service.runs(), call(visit)?);
    let quote = match &draft.failed {
        Some(run) if draft.is_document => {
            content::retry_price(runs, call, run).await.map(|run| RunQuote { run, next: None })
        }
        _ => personal::quote(runs, call, draft.wanted()).await,
    };
    match quote {
        Ok(quote) => Ok(Some(quote)),
        Err(ServiceError::InvalidArgument(words)) => {
            errors.say("language", words);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The choice of languages, with what each of them lacks.
fn languages(visit: &Visit, draft: &RunForm, progress: &[LanguageProgress], errors: &FieldErrors) -> Markup {
    let form = FormView::one_of(visit, errors, "run", !errors.is_empty());
    let is_chosen = |code: &str| draft.languages.iter().any(|language| language.as_str() == code);
    let choices = html! {
        @for language in progress {
            @let lacks = [("missing", Value::Number(language.missing)), ("stale", Value::Number(language.stale))];
            div.choice {
                input type="checkbox" id={ "f-run-language-" (language.language) } name="language" value=(language.language)
                    checked[is_chosen(&language.language)];
                label for={ "f-run-language-" (language.language) } {
                    bdi { (language.language) } " " span.muted { (visit.tf("run.lacks", &lacks)) }
                }
            }
        }
    };
    html! {
        @if progress.is_empty() {
            (parts::empty(&visit.t("overview.no-languages.title"), &html! { (visit.t("overview.no-languages.text")) }))
        } @else {
            form.card method="get" action=(draft.path) novalidate {
                (form.group("language", &visit.t("run.languages"), &choices))
                div.form-end { button.secondary type="submit" { (visit.t("run.price")) } }
            }
        }
    }
}

fn price(visit: &Visit, draft: &RunForm, quote: &RunQuote, balance: Millicredits) -> Markup {
    let run = &quote.run;
    let keys: u64 = run.per_language.iter().map(|language| language.keys).sum();
    let columns = [
        Column::new(visit.t("runs.language")),
        Column::number(visit.t(if draft.is_document { "run.paragraphs" } else { "run.keys" })),
        Column::number(visit.t("run.from-memory")),
        Column::number(visit.t("run.characters")),
        Column::number(visit.t("run.credits")),
    ];
    let number = |number: u64| html! { (visit.texts.number(i64::try_from(number).unwrap_or(i64::MAX))) };
    let row = |language: &LanguagePrice| {
        vec![
            html! { bdi { (language.language) } },
            number(language.keys),
            number(language.from_memory),
            number(language.characters),
            money(visit, language.estimated_credits),
        ]
    };
    let rows: Vec<Vec<Markup>> = run.per_language.iter().map(row).collect();
    html! {
        section.card.stack {
            h2 { (visit.t("run.cost")) }
            @if keys == 0 {
                (notice(Tone::Good, &html! { p { (visit.t("run.nothing")) } }))
            } @else {
                (table(&visit.t("run.cost"), &columns, &rows))
                p { (visit.tf("run.balance", &[("credits", Value::Text(&credits(visit, balance)))])) }
                p.muted { (visit.t("run.bound")) }
                @match &run.would_fail {
                    Some(error) => (notice(Tone::Bad, &html! { p { (quoted(&error.message)) } })),
                    None => (start_form(visit, draft, run.estimated_credits)),
                }
            }
            @if let Some(next) = &quote.next { (go_on(visit, draft, next)) }
        }
    }
}

fn start_form(visit: &Visit, draft: &RunForm, price: Millicredits) -> Markup {
    html! {
        form method="post" action=(draft.path) novalidate {
            @for language in &draft.languages { input type="hidden" name="language" value=(language); }
            input type="hidden" name="after" value=(draft.after);
            input type="hidden" name="price" value=(price.0);
            div.form-end {
                button type="submit" { (visit.tf("run.submit", &[("credits", Value::Text(&credits(visit, price)))])) }
            }
        }
    }
}

/// The way to the keys that this run is not about.
fn go_on(visit: &Visit, draft: &RunForm, next: &str) -> Markup {
    html! {
        form method="get" action=(draft.path) novalidate {
            p { (visit.t("run.partly")) }
            @for language in &draft.languages { input type="hidden" name="language" value=(language); }
            input type="hidden" name="after" value=(next);
            div.form-end { button.secondary type="submit" { (visit.t("run.further")) } }
        }
    }
}
