//! The account of the person who is signed in: name, password, sessions, and the looks of the dashboard.

use maud::{Markup, html};

use super::answer::PageResponse;
use super::confirm;
use super::cookies::{Preferences, Scheme};
use super::forms::FieldErrors;
use super::login;
use super::oidc;
use super::texts;
use super::view::field::FormView;
use super::view::parts::{self, Tone, badge, card, head};
use super::view::table::{Column, table};
use super::view::time::{self, time, value};
use super::view::{self};
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::people::passwords::{self, NeededProof, PasswordError};
use crate::domain::people::sessions::SignInMethod;
use crate::domain::people::{LONGEST_PERSON_NAME, Session, sessions, users};
use crate::ids::SessionId;

const PAGE: &str = "/dashboard/account";

/// The key of the text for those who can sign in once more with the provider.
const TOO_LATE_ELSEWHERE: &str = "account.password.too-late-elsewhere";

/// The forms of the page, one of which may have been sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubmittedForm {
    None,
    Name,
    Password,
}

/// `GET /dashboard/account`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default(), SubmittedForm::None).await
}

async fn page(visit: &Visit, errors: &FieldErrors, sent: SubmittedForm) -> Result<PageResponse, ServiceError> {
    let session = visit.session()?;
    let open = sessions::list(visit.service.people(), &session.person).await?;
    let proof = passwords::needed_proof(visit.service.people(), session).await?;
    let too_late = if proof == NeededProof::SignIn { Some(too_late(visit).await?) } else { None };
    let provider = oidc::card(visit).await?;
    let content = html! {
        (head(&visit.t("account.title"), "", &Markup::default()))
        @if proof == NeededProof::None && session.method == SignInMethod::Link {
            (parts::notice(Tone::Info, &html! { (visit.t("account.first")) }))
        }
        div.two {
            (card(&visit.t("account.profile"), &profile(visit, session, errors, sent)))
            (card(&visit.t("account.password.title"), &password(visit, proof, too_late, errors, sent)?))
        }
        @if let Some((title, content)) = provider { (card(&title, &content)) }
        (card(&visit.t("account.looks.title"), &looks(visit)))
        (card(&visit.t("account.sessions.title"), &self::open(visit, session, &open)))
    };
    Ok(PageResponse::page(visit.t("account.title"), content))
}

fn profile(visit: &Visit, session: &Session, errors: &FieldErrors, sent: SubmittedForm) -> Markup {
    let form = FormView::one_of(visit, errors, "name", sent == SubmittedForm::Name);
    html! {
        (parts::facts(&[(visit.t("account.email"), view::hostile::quoted(&session.person.email))]))
        form method="post" action="/dashboard/account/name" novalidate {
            (form.summary())
            (form.field("name", "account.name").initial(&session.person.name).autocomplete("name").longest(LONGEST_PERSON_NAME))
            (form.submit("account.save"))
        }
    }
}

/// The key of the text for those who have no password and signed in more than an hour ago: what they can do.
async fn too_late(visit: &Visit) -> Result<&'static str, ServiceError> {
    Ok(if confirm::proofs(visit).await?.provider { TOO_LATE_ELSEWHERE } else { confirm::TOO_LATE })
}

fn password(
    visit: &Visit,
    proof: NeededProof,
    too_late: Option<&str>,
    errors: &FieldErrors,
    sent: SubmittedForm,
) -> Result<Markup, ServiceError> {
    let session = visit.session()?;
    let is_sent = sent == SubmittedForm::Password;
    let form = FormView::one_of(visit, errors, "password", is_sent);
    if too_late == Some(confirm::TOO_LATE) {
        // No form could be sent that does anything.
        return Ok(html! { (form.summary()) @if !is_sent { p { (visit.t(confirm::TOO_LATE)) } } });
    }
    let needs_old = proof == NeededProof::Password;
    Ok(html! {
        @if let Some(text) = too_late {
            @if !is_sent { p { (visit.t(text)) } }
            p.actions { (login::elsewhere(visit, confirm::ELSEWHERE)) }
        }
        form method="post" action="/dashboard/account/password" novalidate {
            (form.summary())
            // Password managers want to know whose password it is.
            input type="text" name="frame-email" autocomplete="username" value=(session.person.email) hidden;
            @if needs_old {
                (form.field("old-password", "account.password.old").input("password").autocomplete("current-password"))
            }
            (form.field("new-password", "account.password.new").input("password").autocomplete("new-password")
                .hint("account.password.hint"))
            (form.submit("account.password.submit"))
        }
        @if needs_old { p.muted.small { (visit.t("account.password.forgotten")) } }
    })
}

fn looks(visit: &Visit) -> Markup {
    let errors = FieldErrors::default();
    let form = FormView::one_of(visit, &errors, "looks", false);
    let mut languages = vec![(String::new(), visit.t("account.looks.browser"))];
    languages.extend(texts::languages().map(|language| (language.to_owned(), texts::name(visit.texts, language))));
    let scheme = visit.looks.scheme;
    let schemes = html! {
        @for known in Scheme::ALL {
            (form.radio("scheme", known.as_str(), &visit.t(&format!("account.looks.{}", known.as_str())), "", known == scheme))
        }
    };
    html! {
        form method="post" action="/dashboard/account/looks" {
            (form.field("language", "account.looks.language").select(languages)
                .initial(visit.looks.language.as_deref().unwrap_or_default()))
            (form.group("scheme", &visit.t("account.looks.scheme"), &schemes))
            (form.group("shortcuts", &visit.t("account.looks.shortcuts"), &form.checkbox("shortcuts", "yes",
                &visit.t("account.looks.shortcuts-on"), &visit.t("account.looks.shortcuts-hint"), !visit.looks.no_shortcuts)))
            p.hint { (visit.t("account.looks.everywhere")) }
            (form.submit("account.save"))
        }
    }
}

fn open(visit: &Visit, session: &Session, open: &[Session]) -> Markup {
    let say = |key: &str| visit.t(&format!("account.sessions.{key}"));
    let columns = [
        Column::new(say("browser")),
        Column::new(say("began")),
        Column::new(say("seen")),
        Column::actions(visit.t("common.actions")),
    ];
    let rows: Vec<Vec<Markup>> = open
        .iter()
        .map(|other| {
            let is_this = other.id == session.id;
            let browser = html! {
                @if other.user_agent.is_empty() { (say("unknown")) } @else { (view::hostile::quoted(&browser(&other.user_agent))) }
                @if is_this { " " (badge(Tone::Info, &say("this"))) }
            };
            let end = html! {
                @if !is_this {
                    form method="post" action="/dashboard/account/sessions/end" {
                        input type="hidden" name="session" value=(other.id);
                        button.small.secondary type="submit" { (say("end")) }
                    }
                }
            };
            vec![browser, time(visit, other.created_at), time(visit, other.seen_at), end]
        })
        .collect();
    html! {
        p.muted { (say("lead")) }
        (table(&say("title"), &columns, &rows))
        form method="post" action="/dashboard/account/sessions/end-all" {
            p.hint { (say("end-all-hint")) }
            button.secondary type="submit" { (say("end-all")) }
        }
    }
}

/// The name of the browser and of the system, where a description names them, or else the description.
fn browser(user_agent: &str) -> String {
    let find = |names: &[(&'static str, &'static str)]| {
        names.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    // Most pretend to be others as well: the order decides.
    let name = find(&[
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chromium/", "Chromium"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]);
    let system = find(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (name, system) {
        (Some(name), Some(system)) => format!("{name}, {system}"),
        (Some(name), None) => name.to_owned(),
        _ => user_agent.to_owned(),
    }
}

/// `POST /dashboard/account/name`
pub(super) async fn set_name(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let name = visit.form.line("name", 1..=LONGEST_PERSON_NAME, &mut errors);
    if errors.is_empty() {
        match users::rename(visit.service.people(), visit.person()?, &name).await {
            Ok(_) => return Ok(PageResponse::done(PAGE, "account.name")),
            Err(error) => errors.refused_field("name", error)?,
        }
    }
    Ok(page(&visit, &errors, SubmittedForm::Name).await?.invalid())
}

/// `POST /dashboard/account/password`
pub(super) async fn set_password(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let session = visit.session()?;
    let old = visit.form.get("old-password");
    let new = visit.form.value("new-password");
    if new.is_empty() {
        errors.add("new-password", "form.missing", None);
    }
    if errors.is_empty() {
        match passwords::set(visit.service.people(), session, old, new).await {
            Ok(()) => return Ok(PageResponse::done(PAGE, "account.password")),
            Err(PasswordError::TooLate) => errors.whole(too_late(&visit).await?, None),
            Err(error) => note(&visit, error, &mut errors)?,
        }
    }
    Ok(page(&visit, &errors, SubmittedForm::Password).await?.invalid())
}

/// Notes why a password was not set, beside its field.
pub(super) fn note(visit: &Visit, error: PasswordError, errors: &mut FieldErrors) -> Result<(), ServiceError> {
    match error {
        PasswordError::TooShort => errors.add("new-password", "form.short", Some(passwords::SHORTEST)),
        PasswordError::TooLong => {
            errors.add("new-password", "account.password.long", Some(passwords::LONGEST_PASSWORD))
        }
        PasswordError::Common => errors.add("new-password", "account.password.common", None),
        PasswordError::OldNeeded => errors.add("old-password", "login.no-password", None),
        PasswordError::TooLate => errors.whole(confirm::TOO_LATE, None),
        PasswordError::WrongOld => errors.add("old-password", "confirm.wrong", None),
        PasswordError::TooMany { wait } => {
            errors.say_whole(visit.tf("login.too-many", &[("wait", value(&time::wait(visit, wait)))]));
        }
        PasswordError::Service(error) => return Err(error),
    }
    Ok(())
}

/// `POST /dashboard/account/looks`
pub(super) async fn set_looks(visit: Visit) -> Result<PageResponse, ServiceError> {
    let wanted = visit.form.value("language");
    let language = texts::languages().find(|language| *language == wanted).map(str::to_owned);
    let scheme = Scheme::parse(visit.form.value("scheme")).unwrap_or_default();
    let looks = Preferences { scheme, language, no_shortcuts: !visit.form.has("shortcuts") };
    users::set_looks(visit.service.people(), visit.person()?, &looks.text()).await?;
    Ok(PageResponse::done(PAGE, "account.looks").cookie(looks.give()))
}

/// `POST /dashboard/account/sessions/end`
pub(super) async fn end_session(visit: Visit) -> Result<PageResponse, ServiceError> {
    let id = SessionId::from(visit.form.id("session").unwrap_or_default().to_owned());
    // A session that has ended meanwhile has ended.
    sessions::end_one(visit.service.people(), visit.person()?, &id).await?;
    Ok(PageResponse::done(PAGE, "account.ended"))
}

/// `POST /dashboard/account/sessions/end-all`
pub(super) async fn end_all(visit: Visit) -> Result<PageResponse, ServiceError> {
    sessions::end_all(visit.service.people(), visit.person()?).await?;
    Ok(PageResponse::done("/dashboard/login", "login.ended").cookie(visit.cookie.take_back()))
}
