//! The page on which a person decides what an agent asks for; `approvalUrl` leads here.

use l10n_api_types::VersionId;
use l10n_api_types::operations::{Operation, OperationKind, OperationStatus, OperationTarget};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::PATH;
use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::operation_documents::{self, is_of};
use super::publish;
use super::versions::linked;
use super::view::comparison;
use super::view::differences::{SHOWN, differences};
use super::view::field::FormView;
use super::view::hostile::{block, quoted};
use super::view::parts::{self, Tone, badge, card, facts, head};
use super::view::time::{money, time};
use super::visit::{Visit, nothing_here};
use crate::domain::differences::{DisplayedTexts, between_versions};
use crate::domain::operations::{self, DecideError, Decider};
use crate::domain::publish::comparison_turn;
use crate::domain::{ServiceError, content, credits, missing, versions};
use crate::store::Tx;
use crate::store::projects::Project;

/// The part of the page that the script loads anew.
const DECISION: &str = "decision";

/// The path of an operation's page.
pub(super) fn path_of(operation: &Operation) -> String {
    format!("{PATH}/operations/{}", operation.operation_id)
}

/// A word about the status of an operation.
pub(super) fn status(visit: &Visit, status: OperationStatus) -> Markup {
    let tone = match status {
        OperationStatus::Pending => Tone::Warn,
        OperationStatus::Approved => Tone::Info,
        OperationStatus::Used => Tone::Good,
        OperationStatus::Denied => Tone::Bad,
        // `Expired` and `Canceled`.
        _ => Tone::Plain,
    };
    badge(tone, &visit.t(&format!("approvals.status.{}", status.as_str())))
}

/// The work that an operation allows, in one sentence.
pub(super) fn work(visit: &Visit, operation: &Operation) -> String {
    let what = match (operation.target, &operation.doc_id) {
        (OperationTarget::Content, None) => visit.t("operation.documents"),
        (OperationTarget::Content, Some(id)) => visit.tf("operation.document", &[("id", Value::Text(id.as_str()))]),
        _ => visit.t("operation.strings"),
    };
    let languages = match &operation.languages {
        Some(languages) => languages.iter().map(|language| language.as_str()).collect::<Vec<_>>().join(", "),
        None => visit.t("operation.all-languages"),
    };
    let (what, languages) = (("what", Value::Text(&what)), ("languages", Value::Text(&languages)));
    match operation.kind {
        OperationKind::Translation => {
            let credits = ("credits", Value::Number(operation.max_credits.map_or(0, |most| i64::from(most.0))));
            match operation.max_archived_keys {
                Some(keys) => {
                    let keys = ("keys", Value::Number(i64::from(keys)));
                    visit.tf("operation.translate-archive", &[what, languages, credits, keys])
                }
                None => visit.tf("operation.translate", &[what, languages, credits]),
            }
        }
        OperationKind::Publish => visit.tf("operation.publish", &[what, languages]),
        OperationKind::Rollback => {
            let version = operation.version_id.as_ref().map_or("", |version| version.as_str());
            visit.tf("operation.rollback", &[("version", Value::Text(version))])
        }
        kind => kind.to_string(),
    }
}

/// `GET /dashboard/operations/{operationId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let operation = find(&visit).await?;
    if visit.fragment() == Some(DECISION) {
        let content = decision(&visit, &operation, &FieldErrors::default());
        return Ok(PageResponse::polled(content, operation.status.as_str()));
    }
    if visit.fragment() == Some(comparison::PART) {
        return Ok(PageResponse::fragment(changes(&visit, &operation).await?.unwrap_or_default()));
    }
    page(&visit, &operation, &FieldErrors::default(), None).await
}

async fn find(visit: &Visit) -> Result<Operation, ServiceError> {
    let (project, id) = (visit.project()?, visit.value("operationId")?);
    let mut tx = visit.service.store.begin_read().await?;
    let found = operations::find(&mut tx, &visit.service.settings, visit.now, &project.id, id).await?;
    tx.rollback().await?;
    found.ok_or_else(nothing_here)
}

/// The page; `notice` stands first in it.
async fn page(
    visit: &Visit,
    operation: &Operation,
    errors: &FieldErrors,
    notice: Option<&str>,
) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let mut tx = visit.service.store.begin_read().await?;
    let around = around(visit, &mut tx, project, operation).await?;
    tx.rollback().await?;
    let changes = match has_changes(operation) {
        false => None,
        true if is_made_now(visit, operation)? => changes(visit, operation).await?,
        true => Some(comparison::made_later(visit)),
    };
    let list = visit.in_project("/approvals");
    let content = html! {
        (head(&visit.t("operation.title"), "", &html! { a.button.secondary href=(list) { (visit.t("operation.list")) } }))
        @if let Some(notice) = notice { (parts::notice(Tone::Warn, &html! { p { (visit.t(notice)) } })) }
        (card(&visit.t("operation.asked"), &asked(visit, operation)))
        (card(&visit.t("operation.around"), &facts(&around)))
        (parts::polled(DECISION, operation.status.as_str(), &decision(visit, operation, errors)))
        @if let Some(changes) = changes {
            section.stack id="changes" { h2 { (visit.t("operation.would-change")) } (changes) }
        }
    };
    Ok(PageResponse::page(visit.t("operation.title"), content))
}

/// The form, or the decision where there is one.
fn decision(visit: &Visit, operation: &Operation, errors: &FieldErrors) -> Markup {
    match operation.status {
        OperationStatus::Pending => card(&visit.t("operation.decide"), &form(visit, operation, errors)),
        _ => card(&visit.t("operation.decided"), &decided(visit, operation)),
    }
}

/// Returns whether an operation waits that would change what is live, in a way that can be shown.
fn has_changes(operation: &Operation) -> bool {
    let is_shown = match operation.kind {
        OperationKind::Publish => true,
        OperationKind::Rollback => operation.target == OperationTarget::Strings,
        _ => false,
    };
    operation.status == OperationStatus::Pending && is_shown
}

/// Returns whether the page comes with the changes: they are asked for, or few.
fn is_made_now(visit: &Visit, operation: &Operation) -> Result<bool, ServiceError> {
    match operation.target {
        OperationTarget::Content => Ok(operation.doc_id.is_some() || comparison::is_asked_for(visit)),
        _ => comparison::is_made_now(visit),
    }
}

/// The changes that an approval would let happen to what is live, while it waits.
async fn changes(visit: &Visit, operation: &Operation) -> Result<Option<Markup>, ServiceError> {
    if !has_changes(operation) {
        return Ok(None);
    }
    match (operation.kind, &operation.version_id) {
        (OperationKind::Publish, _) if operation.target == OperationTarget::Content => {
            Ok(Some(operation_documents::changes(visit, operation).await?))
        }
        (OperationKind::Publish, _) => Ok(Some(publish::preview(visit, operation.languages.as_deref()).await?)),
        (OperationKind::Rollback, Some(version)) => rollback(visit, version).await,
        _ => Ok(None),
    }
}

/// The differences from the live version to the one that would be restored.
async fn rollback(visit: &Visit, version: &VersionId) -> Result<Option<Markup>, ServiceError> {
    let project = visit.project()?;
    let Some(live) = project.live_version_id.as_ref().filter(|live| *live != version) else { return Ok(None) };
    let _turn = comparison_turn(visit.service.publishing(), project).await?;
    let mut tx = visit.service.store.begin_read().await?;
    let shown = DisplayedTexts { language: None, most: SHOWN };
    let found = between_versions(&mut tx, &project.id, live, version, shown).await?;
    tx.rollback().await?;
    Ok(Some(differences(visit, &found)))
}

/// Returns whether a publish that this allows takes languages out of what is live. A document keeps its other languages.
fn leaves_out_languages(operation: &Operation) -> bool {
    operation.kind == OperationKind::Publish
        && operation.target == OperationTarget::Strings
        && operation.languages.is_some()
}

/// The request, in the words of the one who asks.
fn asked(visit: &Visit, operation: &Operation) -> Markup {
    let say = |key: &str| visit.t(&format!("approvals.column.{key}"));
    let mut list =
        vec![(say("key"), quoted(&operation.requested_by.label)), (say("asked"), time(visit, operation.created_at))];
    if matches!(operation.status, OperationStatus::Pending | OperationStatus::Approved) {
        list.push((say("expires"), time(visit, operation.expires_at)));
    }
    html! {
        p.strong { (work(visit, operation)) }
        @if leaves_out_languages(operation) { p { (visit.t("operation.leaves-out")) } }
        p.muted { (visit.t("operation.once")) }
        (facts(&list))
        @if let Some(note) = &operation.note {
            h3 { (visit.t("operation.note")) }
            blockquote { (block(note, &visit.t("common.more"))) }
            p.hint { (visit.t("operation.note-hint")) }
        }
    }
}

/// The state of the project and of the money that the decision is about.
async fn around(
    visit: &Visit,
    tx: &mut Tx,
    project: &Project,
    operation: &Operation,
) -> Result<Vec<(String, Markup)>, ServiceError> {
    let mut list = Vec::new();
    let document = match &operation.doc_id {
        Some(id) => content::present(tx, &project.id, id.as_str()).await?,
        None => None,
    };
    if let Some(document) = &document {
        list.push((visit.t("operation.document-name"), quoted(document.name())));
    }
    match operation.kind {
        OperationKind::Translation => {
            let funds = credits::funds(tx, &project.workspace_id, visit.now).await?;
            list.push((visit.t("operation.balance"), money(visit, funds.balance)));
            list.push((visit.t("operation.available"), money(visit, funds.available())));
            if let Some(left) = funds.cap_remaining() {
                list.push((visit.t("operation.cap-left"), money(visit, left)));
            }
            if operation.target == OperationTarget::Strings && operation.status == OperationStatus::Pending {
                let parts = (&visit.service.settings.pricing, &visit.service.engines);
                let lacking = missing::count(tx, parts, project, |language| is_of(operation, language)).await?;
                list.push((visit.t("operation.missing"), html! { (visit.texts.number(lacking.texts)) }));
                if let Some(price) = lacking.price {
                    list.push((visit.t("operation.missing-price"), money(visit, price)));
                }
            }
            if operation.target == OperationTarget::Content && operation.status == OperationStatus::Pending {
                list.extend(operation_documents::lacking(visit, tx, project, operation, document.as_ref()).await?);
            }
        }
        OperationKind::Publish if operation.target == OperationTarget::Content => {}
        OperationKind::Publish => {
            let changes = visit.tf("operation.changes", &[("n", Value::Number(project.changes_since_publish))]);
            list.push((visit.t("operation.unpublished"), html! { (changes) }));
        }
        OperationKind::Rollback => {
            if let Some(version) = &operation.version_id
                && let Some(found) = versions::find(tx, &project.id, version).await?
            {
                list.push((visit.t("operation.version"), linked(visit, &found)));
            }
        }
        _ => {}
    }
    if operation.target == OperationTarget::Strings
        && operation.kind != OperationKind::Translation
        && let Some(live) = &project.live_version_id
        && let Some(found) = versions::find(tx, &project.id, live).await?
    {
        list.push((visit.t("operation.live"), linked(visit, &found)));
    }
    if let Some(document) = document.filter(|_| operation.kind != OperationKind::Translation) {
        let live = document.live_published_at.map(|at| time(visit, at));
        let live = live.unwrap_or_else(|| html! { (visit.t("publish.never")) });
        list.push((visit.t("operation.document-live"), live));
    }
    list.insert(0, (visit.t("operation.project"), html! { bdi { (project.name) } }));
    Ok(list)
}

fn form(visit: &Visit, operation: &Operation, errors: &FieldErrors) -> Markup {
    let form = FormView::new(visit, errors);
    html! {
        form method="post" action=(path_of(operation)) novalidate {
            (form.summary())
            (form.field("reason", "operation.reason").hint("operation.reason-hint").lines(3).optional()
                .longest(operations::LONGEST_OPERATION_NOTE))
            div.form-end {
                button type="submit" name="decision" value="approve" { (visit.t("operation.approve")) }
                button.secondary type="submit" name="decision" value="deny" { (visit.t("operation.deny")) }
            }
        }
    }
}

fn decided(visit: &Visit, operation: &Operation) -> Markup {
    let ended = visit.t(&format!("operation.ended.{}", operation.status.as_str()));
    let mut list = vec![(visit.t("approvals.column.status"), status(visit, operation.status))];
    if let Some(by) = &operation.decided_by {
        list.push((visit.t("operation.by"), quoted(by)));
    }
    if let Some(at) = operation.decided_at {
        list.push((visit.t("operation.at"), time(visit, at)));
    }
    if let Some(request) = &operation.request_id {
        list.push((visit.t("operation.used-by"), html! { code { (request) } }));
    }
    html! {
        p { (ended) }
        (facts(&list))
        @if let Some(reason) = &operation.reason {
            h3 { (visit.t("operation.reason")) }
            blockquote { (block(reason, &visit.t("common.more"))) }
        }
    }
}

/// `POST /dashboard/operations/{operationId}`
pub(super) async fn decide(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let reason = visit.form.text("reason", 0..=operations::LONGEST_OPERATION_NOTE, &mut errors);
    let is_approved = match visit.form.value("decision") {
        "approve" => Some(true),
        "deny" => Some(false),
        _ => None,
    };
    if is_approved.is_none() {
        errors.whole("operation.choose", None);
    }
    if let Some(is_approved) = is_approved.filter(|_| errors.is_empty()) {
        match carry_out(&visit, is_approved, &reason).await {
            Ok(operation) => {
                return Ok(PageResponse::done(
                    &path_of(&operation),
                    if is_approved { "operation.approved" } else { "operation.denied" },
                ));
            }
            // Somebody was faster, or its time is over: nothing was written, and the page says what happened.
            Err(DecideError::Over(operation)) => {
                let page = page(&visit, &operation, &FieldErrors::default(), Some("operation.over")).await?;
                return Ok(page.conflict());
            }
            Err(DecideError::Unknown(_)) => return Err(nothing_here()),
            Err(error @ DecideError::Unshowable(_)) => errors.say("reason", error.to_string()),
            Err(DecideError::Service(error)) => errors.refused(error)?,
        }
    }
    let operation = find(&visit).await?;
    Ok(page(&visit, &operation, &errors, None).await?.invalid())
}

async fn carry_out(visit: &Visit, is_approved: bool, reason: &str) -> Result<Operation, DecideError> {
    let (project, person, id) = (visit.project()?, visit.person()?, visit.value("operationId")?);
    let actor = person.actor();
    let by = Decider { project, actor: &actor };
    // Not in the project's turn, which a large run may have: a decision changes a row that no run holds.
    let mut tx = visit.service.store.begin_write().await?;
    let parts = visit.service.decisions();
    let decided = operations::decide_as(&mut tx, parts, by, id, is_approved, Some(reason)).await?;
    tx.commit().await?;
    Ok(decided)
}
