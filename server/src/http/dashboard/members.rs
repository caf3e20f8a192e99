//! The members of a workspace, and its open invitations. `member` changes one of them, `invite` is where a link leads.

use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, badge, card, facts, head};
use super::view::table::{Column, pager, table};
use super::view::time::time;
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::access::{Action, Role};
use crate::domain::people::LONGEST_EMAIL;
use crate::domain::people::invitations::{self, Invitation, InviteError, IssuedInvitation};
use crate::domain::people::links;
use crate::domain::people::members::{self, Member, MemberError};
use crate::ids::InvitationId;
use crate::store::row::Json;

/// Members of a page.
const PAGE: usize = 50;
/// Most characters of a list of languages.
const LONGEST_LANGUAGES: usize = 2_000;

/// The path of the list, below the workspace's.
pub(super) const LIST: &str = "/-/members";

/// `GET /dashboard/@{handle}/-/members`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default(), None).await
}

/// The page; `notice` stands first in it.
async fn page(visit: &Visit, errors: &FieldErrors, notice: Option<&str>) -> Result<PageResponse, ServiceError> {
    let (people, workspace) = (visit.service.people(), &visit.membership()?.workspace);
    let after = visit.query.get("after").unwrap_or_default();
    let found = members::page(people, workspace, after, PAGE).await?;
    let may_manage = visit.may(Action::ManageMembers);
    let open = if may_manage { invitations::list(people, workspace).await? } else { Vec::new() };
    let actions = html! {
        @if may_manage { a.button href="#invite" { (visit.t("members.invite.title")) } " " }
        a.button.secondary href=(visit.in_workspace("/-/members/leave")) { (visit.t("members.leave.title")) }
    };
    let content = html! {
        (head(&visit.t("members.title"), &visit.t("members.lead"), &actions))
        @if let Some(notice) = notice { (parts::notice(Tone::Warn, &html! { p { (visit.t(notice)) } })) }
        (list(visit, &found.members))
        (pager(visit, &visit.in_workspace(LIST), found.next.as_deref()))
        @if may_manage {
            @if !open.is_empty() { (card(&visit.t("members.open.title"), &waiting(visit, &open))) }
            (invite_form(visit, errors))
        }
    };
    Ok(PageResponse::page(visit.t("members.title"), content))
}

fn list(visit: &Visit, members: &[Member]) -> Markup {
    let say = |key: &str| Column::new(visit.t(&format!("members.column.{key}")));
    let columns = [say("person"), say("role"), say("since"), say("seen"), Column::actions(visit.t("common.actions"))];
    let rows: Vec<Vec<Markup>> = members.iter().map(|member| row(visit, member)).collect();
    table(&visit.t("members.title"), &columns, &rows)
}

fn row(visit: &Visit, member: &Member) -> Vec<Markup> {
    let is_self = visit.session.as_ref().is_some_and(|session| session.person.id == member.user_id);
    vec![
        html! {
            div {
                (person(member))
                @if is_self { " " (badge(Tone::Info, &visit.t("members.you"))) }
                @if member.disabled_at.is_some() { " " (badge(Tone::Warn, &visit.t("members.disabled"))) }
            }
        },
        role_of(visit, member.role, member.languages.as_ref()),
        time(visit, member.created_at),
        html! { @match member.seen_at { Some(at) => (time(visit, at)), None => (visit.t("common.never")) } },
        html! {
            @if visit.may(Action::ManageMembers) {
                a.button.small.secondary href=(visit.in_workspace(&format!("{LIST}/{}", member.user_id))) {
                    (visit.t("members.change")) span.visually-hidden { ": " (quoted(&member.email)) }
                }
            }
        },
    ]
}

/// A member's name and address.
pub(super) fn person(member: &Member) -> Markup {
    html! { (quoted(&member.name)) br; span.muted.small { (quoted(&member.email)) } }
}

/// A role with the languages that it is limited to.
pub(super) fn role_of(visit: &Visit, role: Role, languages: Option<&Json<Vec<String>>>) -> Markup {
    html! {
        div {
            (role_name(visit, role))
            @if let Some(languages) = languages { br; span.muted.small { (quoted(&languages.0.join(", "))) } }
        }
    }
}

/// A role in words.
pub(super) fn role_name(visit: &Visit, role: Role) -> String {
    visit.t(&format!("role.{}", role.as_str()))
}

fn waiting(visit: &Visit, open: &[Invitation]) -> Markup {
    let say = |key: &str| Column::new(visit.t(&format!("members.open.{key}")));
    let columns = [say("email"), say("role"), say("by"), say("until"), Column::actions(visit.t("common.actions"))];
    let rows: Vec<Vec<Markup>> = open
        .iter()
        .map(|invitation| {
            vec![
                quoted(&invitation.email),
                role_of(visit, invitation.role, invitation.languages.as_ref()),
                quoted(&invitation.invited_by),
                time(visit, invitation.expires_at),
                html! {
                    form method="post" action=(visit.in_workspace("/-/members/withdraw")) {
                        input type="hidden" name="invitation" value=(invitation.id);
                        button.small.secondary type="submit" {
                            (visit.t("members.open.withdraw")) span.visually-hidden { ": " (quoted(&invitation.email)) }
                        }
                    }
                },
            ]
        })
        .collect();
    html! { p.muted { (visit.t("members.open.lead")) } (table(&visit.t("members.open.title"), &columns, &rows)) }
}

fn invite_form(visit: &Visit, errors: &FieldErrors) -> Markup {
    let form = FormView::new(visit, errors);
    html! {
        section.card id="invite" {
            h2 { (visit.t("members.invite.title")) }
            form method="post" action=(visit.in_workspace(LIST)) novalidate {
                (form.summary())
                (form.field("email", "members.invite.email").hint("members.invite.email-hint").input("email").code()
                    .longest(LONGEST_EMAIL).autocomplete("off"))
                (roles(visit, &form, Role::Viewer))
                (languages_field(&form, ""))
                (form.submit("members.invite.submit"))
            }
        }
    }
}

/// The roles to choose from, with what each may do.
pub(super) fn roles(visit: &Visit, form: &FormView<'_>, initial: Role) -> Markup {
    let choices = html! {
        @for role in Role::ALL {
            (form.radio("role", role.as_str(), &role_name(visit, role),
                &visit.t(&format!("members.role-hint.{}", role.as_str())), role == initial))
        }
    };
    form.group("role", &visit.t("members.role"), &choices)
}

/// The languages of a translator or reviewer.
pub(super) fn languages_field(form: &FormView<'_>, initial: &str) -> Markup {
    html! {
        (form.field("languages", "members.languages").hint("members.languages-hint").optional().initial(initial)
            .longest(LONGEST_LANGUAGES).code())
    }
}

/// The role and the languages that were chosen.
pub(super) fn chosen(visit: &Visit, errors: &mut FieldErrors) -> (Role, Vec<String>) {
    let role = Role::parse(visit.form.value("role")).unwrap_or_else(|| {
        errors.add("role", "members.no-role", None);
        Role::Viewer
    });
    let typed = visit.form.line("languages", 0..=LONGEST_LANGUAGES, errors);
    (role, split(&typed).collect())
}

/// The codes of a list of languages as people type it.
pub(super) fn split(typed: &str) -> impl Iterator<Item = String> {
    let codes = typed.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|code| !code.is_empty());
    codes.map(str::to_owned)
}

/// `POST /dashboard/@{handle}/-/members`
pub(super) async fn invite(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let email = visit.form.line("email", 1..=LONGEST_EMAIL, &mut errors);
    let (role, languages) = chosen(&visit, &mut errors);
    if errors.is_empty() {
        let (people, workspace) = (visit.service.people(), &visit.membership()?.workspace);
        match invitations::create(people, visit.person()?, workspace, &email, role, Some(&languages)).await {
            Ok(new) => return Ok(shown_once(&visit, &new)),
            Err(InviteError::Email(_)) => errors.add("email", "members.wrong-email", None),
            Err(InviteError::Languages(words)) => errors.say("languages", words),
            Err(InviteError::Member) => errors.add("email", "members.member-already", None),
            Err(InviteError::TooMany) => errors.whole("members.too-many-open", Some(invitations::MOST_INVITATIONS)),
            Err(InviteError::NotAllowed) => return Err(not_allowed()),
            Err(InviteError::Service(error)) => errors.refused(error)?,
        }
    }
    Ok(page(&visit, &errors, None).await?.invalid())
}

/// The page after somebody was invited: the link, this once.
fn shown_once(visit: &Visit, new: &IssuedInvitation) -> PageResponse {
    let invitation = &new.invitation;
    let title = visit.tf("members.made.title", &[("email", Value::Text(&invitation.email))]);
    let link = links::invitation_url(&visit.service.settings, &new.token);
    let back = html! { a.button.secondary href=(visit.in_workspace(LIST)) { (visit.t("members.made.back")) } };
    let about = [
        (visit.t("members.open.email"), quoted(&invitation.email)),
        (visit.t("members.open.role"), role_of(visit, invitation.role, invitation.languages.as_ref())),
        (visit.t("members.open.until"), time(visit, invitation.expires_at)),
    ];
    let content = html! {
        (head(&title, "", &back))
        (parts::notice(Tone::Warn, &html! {
            p { (visit.t("members.made.once")) }
            @if new.replaces { p { (visit.t("members.made.replaces")) } }
        }))
        (card(&visit.t("members.made.link"), &html! {
            (parts::copyable(&link, &visit.t("common.copy"), &visit.t("common.copied")))
            (facts(&about))
            p.muted.small { (visit.t("members.made.hand-on")) }
        }))
    };
    PageResponse::page(title, content)
}

/// `POST /dashboard/@{handle}/-/members/withdraw`
pub(super) async fn withdraw(visit: Visit) -> Result<PageResponse, ServiceError> {
    let id = InvitationId::from(visit.form.id("invitation").unwrap_or_default().to_owned());
    let (people, workspace) = (visit.service.people(), &visit.membership()?.workspace);
    match invitations::withdraw(people, visit.person()?, workspace, &id).await {
        Ok(true) => Ok(PageResponse::done(&visit.in_workspace(LIST), "members.withdrawn")),
        Ok(false) => Ok(page(&visit, &FieldErrors::default(), Some("members.not-open")).await?.conflict()),
        Err(MemberError::Service(error)) => Err(error),
        Err(_) => Err(not_allowed()),
    }
}

/// The role of the one who asks changed after the page was let in.
pub(super) fn not_allowed() -> ServiceError {
    ServiceError::Forbidden(MemberError::NotAllowed.to_string())
}
