//! One member of a workspace: an owner changes the role or removes them; everybody may leave.

use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::PATH;
use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::members::{LIST, chosen, languages_field, not_allowed, person, role_name, role_of, roles, split};
use super::view::field::FormView;
use super::view::parts::{card, facts, head};
use super::view::time::time;
use super::visit::{Visit, nothing_here};
use crate::domain::ServiceError;
use crate::domain::access::Role;
use crate::domain::people::members::{self, Member, MemberError, MemberRole};
use crate::ids::UserId;

/// The forms of the page, one of which may have been sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubmittedForm {
    None,
    Role,
    Remove,
}

/// The member of the path.
async fn find(visit: &Visit) -> Result<Member, ServiceError> {
    let id = UserId::from(visit.value("userId")?.to_owned());
    let found = members::find(visit.service.people(), &visit.membership()?.workspace, &id).await?;
    found.ok_or_else(nothing_here)
}

/// `GET /dashboard/@{handle}/-/members/{userId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let member = find(&visit).await?;
    page(&visit, &member, &FieldErrors::default(), SubmittedForm::None).await
}

async fn page(
    visit: &Visit,
    member: &Member,
    errors: &FieldErrors,
    sent: SubmittedForm,
) -> Result<PageResponse, ServiceError> {
    let keys = keys(visit, "members.one.keys", &member.email).await?;
    let back = html! { a.button.secondary href=(visit.in_workspace(LIST)) { (visit.t("members.made.back")) } };
    let about = [
        (visit.t("members.column.person"), person(member)),
        (visit.t("members.column.role"), role_of(visit, member.role, member.languages.as_ref())),
        (visit.t("members.column.since"), time(visit, member.created_at)),
    ];
    let content = html! {
        (head(&visit.t("members.one.title"), "", &back))
        section.card { (facts(&about)) }
        div.two {
            (card(&visit.t("members.one.role"), &role_form(visit, member, errors, sent)))
            (card(&visit.t("members.one.remove"), &remove_form(visit, member, &keys, (errors, sent))))
        }
    };
    Ok(PageResponse::page(visit.t("members.one.title"), content))
}

/// A sentence about the keys that a person has made, where there are some: they go on working.
async fn keys(visit: &Visit, text: &str, email: &str) -> Result<Markup, ServiceError> {
    let made = members::keys_made(visit.service.people(), &visit.membership()?.workspace, email).await?;
    Ok(html! { @if made > 0 { p { (visit.tf(text, &[("n", Value::Number(made))])) } } })
}

fn path(visit: &Visit, member: &Member, form: &str) -> String {
    visit.in_workspace(&format!("{LIST}/{}/{form}", member.user_id))
}

fn role_form(visit: &Visit, member: &Member, errors: &FieldErrors, sent: SubmittedForm) -> Markup {
    let form = FormView::one_of(visit, errors, "role", sent == SubmittedForm::Role);
    let languages = languages_of(member);
    html! {
        form method="post" action=(path(visit, member, "role")) novalidate {
            (form.summary())
            (form.shown("known-role", member.role.as_str()))
            (form.shown("known-languages", &languages))
            (roles(visit, &form, member.role))
            (languages_field(&form, &languages))
            (form.submit("members.one.save"))
        }
    }
}

fn languages_of(member: &Member) -> String {
    member.languages.as_ref().map_or_else(String::new, |languages| languages.0.join(", "))
}

fn remove_form(visit: &Visit, member: &Member, keys: &Markup, (errors, sent): (&FieldErrors, SubmittedForm)) -> Markup {
    let form = FormView::one_of(visit, errors, "remove", sent == SubmittedForm::Remove);
    html! {
        p { (visit.t("members.one.remove-text")) }
        (keys)
        form method="post" action=(path(visit, member, "remove")) {
            (form.summary())
            div.form-end { button.danger type="submit" { (visit.t("members.one.remove-submit")) } }
        }
    }
}

/// `POST /dashboard/@{handle}/-/members/{userId}/role`
pub(super) async fn set_role(visit: Visit) -> Result<PageResponse, ServiceError> {
    let member = find(&visit).await?;
    let mut errors = FieldErrors::default();
    let (role, languages) = chosen(&visit, &mut errors);
    if errors.is_empty() {
        let (people, workspace) = (visit.service.people(), &visit.membership()?.workspace);
        let by = visit.person()?;
        let known: Vec<String> = split(visit.form.value("known-languages")).collect();
        let shown = Role::parse(visit.form.value("known-role"));
        let shown = shown.map(|role| MemberRole { role, languages: &known });
        let to = MemberRole { role, languages: &languages };
        let done = match shown {
            Some(shown) => members::set_role(people, by, workspace, &member.user_id, to, Some(shown)).await,
            // Nobody was shown anything: this is no form of this page.
            None => Err(MemberError::Moved),
        };
        match done {
            Ok(()) => return Ok(PageResponse::done(&visit.in_workspace(LIST), "members.changed")),
            Err(error) => note(error, &mut errors)?,
        }
    }
    if errors.has_moved() {
        return Ok(page(&visit, &find(&visit).await?, &errors, SubmittedForm::Role).await?.conflict());
    }
    Ok(page(&visit, &member, &errors, SubmittedForm::Role).await?.invalid())
}

/// `POST /dashboard/@{handle}/-/members/{userId}/remove`
pub(super) async fn remove(visit: Visit) -> Result<PageResponse, ServiceError> {
    let member = find(&visit).await?;
    let mut errors = FieldErrors::default();
    match take_out(&visit, &member.user_id).await {
        Ok(done) => Ok(done),
        Err(error) => {
            note(error, &mut errors)?;
            Ok(page(&visit, &member, &errors, SubmittedForm::Remove).await?.invalid())
        }
    }
}

/// Removes a member, and leads to where the person who did so is at home afterwards.
async fn take_out(visit: &Visit, member: &UserId) -> Result<PageResponse, MemberError> {
    let (workspace, by) = (&visit.membership()?.workspace, visit.person()?);
    members::remove(visit.service.people(), by, workspace, member).await?;
    Ok(if by.id == *member {
        PageResponse::done(PATH, "members.left")
    } else {
        PageResponse::done(&visit.in_workspace(LIST), "members.removed")
    })
}

/// Notes why a membership was not changed.
fn note(error: MemberError, errors: &mut FieldErrors) -> Result<(), ServiceError> {
    match error {
        MemberError::LastOwner => errors.whole("members.last-owner", None),
        MemberError::Languages(words) => errors.say("languages", words),
        MemberError::TooMany => errors.whole("members.full", Some(members::MOST_MEMBERS)),
        // The form about the role shows the role as it is now.
        MemberError::Moved => errors.moved("members.one.moved"),
        MemberError::Unknown => return Err(nothing_here()),
        MemberError::NotAllowed => return Err(not_allowed()),
        MemberError::Service(error) => return errors.refused(error),
    }
    Ok(())
}

/// `GET /dashboard/@{handle}/-/members/leave`
pub(super) async fn ask_leave(visit: Visit) -> Result<PageResponse, ServiceError> {
    leave_page(&visit, &FieldErrors::default()).await
}

async fn leave_page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    // A box that is not ticked is not sent: the form may be empty.
    let form = FormView::one_of(visit, errors, "leave", !errors.is_empty());
    let membership = visit.membership()?;
    let keys = keys(visit, "members.leave.keys", &visit.person()?.email).await?;
    let about = [
        (visit.t("nav.workspace"), html! { bdi { (membership.handle) } }),
        (visit.t("workspace.role"), html! { (role_name(visit, membership.role)) }),
    ];
    let content = html! {
        (head(&visit.t("members.leave.title"), "", &Markup::default()))
        section.card {
            (facts(&about))
            p { (visit.t("members.leave.text")) }
            (keys)
            form method="post" action=(visit.in_workspace("/-/members/leave")) {
                (form.summary())
                (form.group("sure", &visit.t("members.leave.legend"),
                    &form.checkbox("sure", "yes", &visit.t("members.leave.sure"), "", false)))
                div.form-end { button.danger type="submit" { (visit.t("members.leave.submit")) } }
            }
            p { a href=(visit.in_workspace(LIST)) { (visit.t("common.cancel")) } }
        }
    };
    Ok(PageResponse::page(visit.t("members.leave.title"), content))
}

/// `POST /dashboard/@{handle}/-/members/leave`
pub(super) async fn leave(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    if visit.form.value("sure") != "yes" {
        errors.add("sure", "members.leave.unsure", None);
    }
    if errors.is_empty() {
        let id = visit.person()?.id.clone();
        match take_out(&visit, &id).await {
            Ok(done) => return Ok(done),
            Err(error) => note(error, &mut errors)?,
        }
    }
    Ok(leave_page(&visit, &errors).await?.invalid())
}
