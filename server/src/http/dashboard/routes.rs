//! The one table of pages: the router, the navigation and the walk over all routes are made from it.

use futures_util::future::BoxFuture;
use http::Method;

use self::Audience::{Anyone, Operation, Person, Project, Workspace};
use super::answer::PageResponse;
use super::forms::{FORM_BYTES, LARGE_FORM_BYTES};
use super::visit::Visit;
use super::{
    account, api_key_end, api_key_new, api_keys, approvals, audit, captured, captured_key, changes, credits,
    credits_cap, deliveries, delivery, format_edit, formats, glossary, glossary_term, home, invite, languages, login,
    member, members, oidc, operation, overview, publish, run_new, runs, settings, versions, webhook, webhook_end,
    webhook_new, webhooks, workspace,
};
use crate::domain::ServiceError;
use crate::domain::access::Action;
use crate::http::path;

/// Those who may open a page, or send a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Also strangers.
    Anyone,
    /// Everybody who is signed in.
    Person,
    /// Members of the workspace `{handle}` who may do this.
    Workspace(Action),
    /// Members of the workspace of the project `{handle}/{slug}` who may do this.
    Project(Action),
    /// Members of the workspace of the operation `{operationId}` who may do this.
    Operation(Action),
}

impl Audience {
    /// Returns true for a page that changes with decisions about what agents ask.
    pub(super) const fn is_about_decisions(self) -> bool {
        matches!(self, Project(Action::Decide) | Operation(Action::Decide))
    }
}

/// A row of the table.
pub(crate) struct PageRoute {
    /// GET, which also answers HEAD, or POST.
    pub(crate) method: Method,
    /// The path with its places.
    pub(crate) path: &'static str,
    /// Those who may open it.
    pub(crate) who: Audience,
    /// True where a person has to have shown within the last hour that it is them.
    pub(crate) confirmed: bool,
    /// Most bytes of its form.
    pub(super) form_bytes: usize,
    pub(super) handler: Handler,
}

type Handler = fn(Visit) -> BoxFuture<'static, Result<PageResponse, ServiceError>>;

macro_rules! pages {
    ($($method:ident $path:literal, $who:expr $(, $flag:ident)? => $page:ident :: $verb:ident;)+) => {
        /// Every page and every form.
        pub(crate) static PAGES: &[PageRoute] = &[$(PageRoute {
            method: Method::$method,
            path: concat!("/dashboard", $path),
            who: $who,
            confirmed: pages!(@confirmed $($flag)?),
            form_bytes: pages!(@form_bytes $($flag)?),
            handler: |visit| Box::pin($page::$verb(visit)),
        }),+];
    };
    (@confirmed confirmed) => { true };
    (@confirmed $($other:ident)?) => { false };
    (@form_bytes large) => { LARGE_FORM_BYTES };
    (@form_bytes $($other:ident)?) => { FORM_BYTES };
}

pages! {
    // Anybody.
    GET "/login", Anyone => login::show;
    POST "/login", Anyone => login::with_password;
    GET "/login/{token}", Anyone => login::show_link;
    POST "/login/{token}", Anyone => login::with_link;
    POST "/logout", Anyone => login::out;
    GET "/invite/{token}", Anyone => invite::show;
    POST "/invite/{token}", Anyone => invite::accept;
    POST "/invite/{token}/sign-out", Anyone => invite::sign_out;
    GET "/oidc", Anyone => oidc::begin;
    GET "/oidc/callback", Anyone => oidc::finish;

    // The person.
    GET "", Person => home::show;
    GET "/account", Person => account::show;
    POST "/account/name", Person => account::set_name;
    POST "/account/password", Person => account::set_password;
    POST "/account/looks", Person => account::set_looks;
    POST "/account/sessions/end", Person => account::end_session;
    POST "/account/sessions/end-all", Person => account::end_all;
    GET "/oidc/confirm", Person => oidc::begin_to_confirm;
    POST "/account/oidc", Person, confirmed => oidc::link;
    POST "/account/oidc/remove", Person, confirmed => oidc::unlink;

    // A workspace.
    GET "/@{handle}", Workspace(Action::See) => workspace::show;
    POST "/@{handle}", Workspace(Action::CreateProject) => workspace::make_project;
    GET "/@{handle}/-/members", Workspace(Action::SeeMembers) => members::show;
    POST "/@{handle}/-/members", Workspace(Action::ManageMembers), confirmed => members::invite;
    POST "/@{handle}/-/members/withdraw", Workspace(Action::ManageMembers), confirmed => members::withdraw;
    GET "/@{handle}/-/members/leave", Workspace(Action::See) => member::ask_leave;
    POST "/@{handle}/-/members/leave", Workspace(Action::See), confirmed => member::leave;
    GET "/@{handle}/-/members/{userId}", Workspace(Action::ManageMembers) => member::show;
    POST "/@{handle}/-/members/{userId}/role", Workspace(Action::ManageMembers), confirmed => member::set_role;
    POST "/@{handle}/-/members/{userId}/remove", Workspace(Action::ManageMembers), confirmed => member::remove;
    GET "/@{handle}/-/audit", Workspace(Action::SeeAudit) => audit::show;
    GET "/@{handle}/-/credits", Workspace(Action::SeeCredits) => credits::show;
    GET "/@{handle}/-/credits/cap", Workspace(Action::ManageCredits) => credits_cap::show;
    POST "/@{handle}/-/credits/cap", Workspace(Action::ManageCredits) => credits_cap::save;
    GET "/@{handle}/-/credits/csv", Workspace(Action::SeeCredits) => credits::csv;
    GET "/@{handle}/-/audit/csv", Workspace(Action::SeeAudit) => audit::csv;
    GET "/@{handle}/-/glossary", Workspace(Action::See) => glossary::show;
    GET "/@{handle}/-/glossary/new", Workspace(Action::EditGlossary) => glossary_term::show_new;
    POST "/@{handle}/-/glossary/new", Workspace(Action::EditGlossary), large => glossary_term::add;
    GET "/@{handle}/-/glossary/{termId}", Workspace(Action::EditGlossary) => glossary_term::show;
    POST "/@{handle}/-/glossary/{termId}", Workspace(Action::EditGlossary), large => glossary_term::save;
    POST "/@{handle}/-/glossary/{termId}/remove", Workspace(Action::EditGlossary) => glossary_term::remove;

    // A project.
    GET "/@{handle}/{slug}", Project(Action::See) => overview::show;
    GET "/@{handle}/{slug}/runs", Project(Action::See) => runs::list;
    GET "/@{handle}/{slug}/runs/new", Project(Action::Translate) => run_new::show;
    POST "/@{handle}/{slug}/runs/new", Project(Action::Translate) => run_new::start;
    GET "/@{handle}/{slug}/runs/{token}", Project(Action::See) => runs::show;
    GET "/@{handle}/{slug}/runs/{token}/retry", Project(Action::Translate) => run_new::show_retry;
    POST "/@{handle}/{slug}/runs/{token}/retry", Project(Action::Translate) => run_new::retry;
    GET "/@{handle}/{slug}/approvals", Project(Action::Decide) => approvals::show;
    GET "/@{handle}/{slug}/settings/keys", Project(Action::ManageApiKeys) => api_keys::show;
    GET "/@{handle}/{slug}/settings/keys/new", Project(Action::ManageApiKeys) => api_key_new::show;
    POST "/@{handle}/{slug}/settings/keys/new", Project(Action::ManageApiKeys), confirmed => api_key_new::make;
    GET "/@{handle}/{slug}/settings/keys/{keyId}/revoke", Project(Action::ManageApiKeys) => api_key_end::ask_revoke;
    POST "/@{handle}/{slug}/settings/keys/{keyId}/revoke", Project(Action::ManageApiKeys), confirmed => api_key_end::revoke;
    GET "/@{handle}/{slug}/settings/keys/{keyId}/replace", Project(Action::ManageApiKeys) => api_key_end::ask_replace;
    POST "/@{handle}/{slug}/settings/keys/{keyId}/replace", Project(Action::ManageApiKeys), confirmed => api_key_end::replace;
    GET "/@{handle}/{slug}/settings", Project(Action::ManageProject) => settings::show;
    POST "/@{handle}/{slug}/settings", Project(Action::ManageProject), large => settings::save;
    GET "/@{handle}/{slug}/settings/languages", Project(Action::ManageLanguages) => languages::show;
    POST "/@{handle}/{slug}/settings/languages", Project(Action::ManageLanguages) => languages::add;
    GET "/@{handle}/{slug}/settings/languages/{code}/remove", Project(Action::ManageLanguages) => languages::ask;
    POST "/@{handle}/{slug}/settings/languages/{code}/remove", Project(Action::ManageLanguages) => languages::remove;
    GET "/@{handle}/{slug}/settings/formats", Project(Action::ManageFormats) => formats::show;
    GET "/@{handle}/{slug}/settings/formats/new", Project(Action::ManageFormats) => format_edit::show_new;
    POST "/@{handle}/{slug}/settings/formats/new", Project(Action::ManageFormats), large => format_edit::add;
    GET "/@{handle}/{slug}/settings/formats/{formatId}", Project(Action::ManageFormats) => format_edit::show;
    POST "/@{handle}/{slug}/settings/formats/{formatId}", Project(Action::ManageFormats), large => format_edit::save;
    POST "/@{handle}/{slug}/settings/formats/{formatId}/remove", Project(Action::ManageFormats) => format_edit::remove;
    GET "/@{handle}/{slug}/captured", Project(Action::ManageCaptured) => captured::show;
    POST "/@{handle}/{slug}/captured", Project(Action::ManageCaptured) => captured::decide;
    GET "/@{handle}/{slug}/captured/{keyId}", Project(Action::ManageCaptured) => captured_key::show;
    POST "/@{handle}/{slug}/captured/{keyId}", Project(Action::ManageCaptured), large => captured_key::accept;
    GET "/@{handle}/{slug}/changes", Project(Action::ManageChanges) => changes::show;
    GET "/@{handle}/{slug}/changes/{changeId}", Project(Action::ManageChanges) => changes::ask;
    POST "/@{handle}/{slug}/changes/{changeId}", Project(Action::ManageChanges) => changes::withdraw;
    GET "/@{handle}/{slug}/glossary", Project(Action::See) => glossary::show;
    GET "/@{handle}/{slug}/glossary/new", Project(Action::EditGlossary) => glossary_term::show_new;
    POST "/@{handle}/{slug}/glossary/new", Project(Action::EditGlossary), large => glossary_term::add;
    GET "/@{handle}/{slug}/glossary/{termId}", Project(Action::EditGlossary) => glossary_term::show;
    POST "/@{handle}/{slug}/glossary/{termId}", Project(Action::EditGlossary), large => glossary_term::save;
    POST "/@{handle}/{slug}/glossary/{termId}/remove", Project(Action::EditGlossary) => glossary_term::remove;
    GET "/@{handle}/{slug}/versions", Project(Action::See) => versions::list;
    GET "/@{handle}/{slug}/versions/{versionId}", Project(Action::See) => versions::show;
    POST "/@{handle}/{slug}/versions/{versionId}/restore", Project(Action::Restore) => versions::restore;
    GET "/@{handle}/{slug}/publish", Project(Action::Publish) => publish::show;
    POST "/@{handle}/{slug}/publish", Project(Action::Publish) => publish::publish;
    GET "/@{handle}/{slug}/webhooks", Project(Action::ManageWebhooks) => webhooks::show;
    GET "/@{handle}/{slug}/webhooks/new", Project(Action::ManageWebhooks) => webhook_new::show;
    POST "/@{handle}/{slug}/webhooks/new", Project(Action::ManageWebhooks) => webhook_new::make;
    GET "/@{handle}/{slug}/webhooks/{webhookId}", Project(Action::ManageWebhooks) => webhook::show;
    POST "/@{handle}/{slug}/webhooks/{webhookId}", Project(Action::ManageWebhooks) => webhook::save;
    POST "/@{handle}/{slug}/webhooks/{webhookId}/enable", Project(Action::ManageWebhooks) => webhook::enable;
    POST "/@{handle}/{slug}/webhooks/{webhookId}/disable", Project(Action::ManageWebhooks) => webhook::disable;
    GET "/@{handle}/{slug}/webhooks/{webhookId}/rotate", Project(Action::ManageWebhooks) => webhook_end::ask_rotate;
    POST "/@{handle}/{slug}/webhooks/{webhookId}/rotate", Project(Action::ManageWebhooks), confirmed => webhook_end::rotate;
    GET "/@{handle}/{slug}/webhooks/{webhookId}/delete", Project(Action::ManageWebhooks) => webhook_end::ask_delete;
    POST "/@{handle}/{slug}/webhooks/{webhookId}/delete", Project(Action::ManageWebhooks), confirmed => webhook_end::delete;
    GET "/@{handle}/{slug}/webhooks/{webhookId}/deliveries", Project(Action::ManageWebhooks) => deliveries::list;
    POST "/@{handle}/{slug}/webhooks/{webhookId}/deliveries/resend", Project(Action::ManageWebhooks) => deliveries::resend_failed;
    GET "/@{handle}/{slug}/webhooks/{webhookId}/deliveries/{deliveryId}", Project(Action::ManageWebhooks) => delivery::show;
    POST "/@{handle}/{slug}/webhooks/{webhookId}/deliveries/{deliveryId}/resend", Project(Action::ManageWebhooks) => delivery::resend;

    // What an agent asks for.
    GET "/operations/{operationId}", Operation(Action::Decide) => operation::show;
    POST "/operations/{operationId}", Operation(Action::Decide) => operation::decide;
}

/// An entry of the navigation: the key of its text, and the path of the page that it leads to. It is shown where the
/// person may open that page.
pub(super) struct NavEntry {
    pub(super) text: &'static str,
    pub(super) path: &'static str,
}

const fn entry(text: &'static str, path: &'static str) -> NavEntry {
    NavEntry { text, path }
}

/// The navigation of a workspace.
pub(super) const OF_WORKSPACE: &[NavEntry] = &[
    entry("nav.projects", "/dashboard/@{handle}"),
    entry("nav.glossary", "/dashboard/@{handle}/-/glossary"),
    entry("nav.credits", "/dashboard/@{handle}/-/credits"),
    entry("nav.members", "/dashboard/@{handle}/-/members"),
    entry("nav.audit", "/dashboard/@{handle}/-/audit"),
];

/// The navigation of a project.
pub(super) const OF_PROJECT: &[NavEntry] = &[
    entry("nav.overview", "/dashboard/@{handle}/{slug}"),
    entry("nav.captured", "/dashboard/@{handle}/{slug}/captured"),
    entry("nav.changes", "/dashboard/@{handle}/{slug}/changes"),
    entry("nav.glossary", "/dashboard/@{handle}/{slug}/glossary"),
    entry("nav.runs", "/dashboard/@{handle}/{slug}/runs"),
    entry("nav.approvals", "/dashboard/@{handle}/{slug}/approvals"),
    entry("nav.publish", "/dashboard/@{handle}/{slug}/publish"),
    entry("nav.versions", "/dashboard/@{handle}/{slug}/versions"),
    entry("nav.webhooks", "/dashboard/@{handle}/{slug}/webhooks"),
    entry("nav.keys", "/dashboard/@{handle}/{slug}/settings/keys"),
    entry("nav.settings", "/dashboard/@{handle}/{slug}/settings"),
];

/// The page that a GET of this template opens.
pub(super) fn page(path: &str) -> Option<&'static PageRoute> {
    PAGES.iter().find(|page| page.method == Method::GET && page.path == path)
}

/// The path of a project's or a workspace's page, where there is such a page and the person may open it. `template` is the
/// whole path, such as `/dashboard/@{handle}/{slug}/webhooks`.
pub(super) fn link(visit: &Visit, template: &str) -> Option<String> {
    let page = page(template)?;
    let may = match page.who {
        Audience::Anyone | Audience::Person => true,
        Audience::Workspace(action) | Audience::Project(action) | Audience::Operation(action) => visit.may(action),
    };
    let handle = visit.membership.as_ref().map(|membership| membership.handle.as_str());
    let slug = visit.of_project.as_ref().map(|project| project.slug.as_str());
    let path = template.replace("{handle}", handle.unwrap_or_default()).replace("{slug}", slug.unwrap_or_default());
    may.then_some(path)
}

/// Reads the values of a template out of a raw path; `None` where a value can be none.
pub(super) fn values(template: &'static str, raw: &str) -> Option<Vec<(&'static str, String)>> {
    let mut values = Vec::new();
    let mut segments = raw.split('/');
    for part in template.split('/') {
        let segment = segments.next()?;
        let Some((prefix, place)) = part.split_once('{') else { if part == segment { continue } else { return None } };
        let (name, value) = (place.strip_suffix('}')?, segment.strip_prefix(prefix)?);
        let fits = if matches!(name, "handle" | "slug") { path::is_name(value) } else { path::is_id(value) };
        if !fits {
            return None;
        }
        values.push((name, value.to_owned()));
    }
    segments.next().is_none().then_some(values)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_page_is_there_twice_and_each_has_the_places_that_it_is_guarded_by() {
        let mut seen = HashSet::new();
        for page in PAGES {
            assert!(seen.insert((page.method.clone(), page.path)), "{} {}", page.method, page.path);
            assert!(matches!(page.method, Method::GET | Method::POST), "{}", page.path);
            let needs: &[&str] = match page.who {
                Audience::Anyone | Audience::Person => &[],
                Audience::Workspace(_) => &["@{handle}"],
                Audience::Project(_) => &["@{handle}", "{slug}"],
                Audience::Operation(_) => &["{operationId}"],
            };
            let parts: Vec<_> = page.path.split('/').collect();
            assert!(needs.iter().all(|place| parts.contains(place)), "{} {:?}", page.path, page.who);
            assert!(page.method == Method::POST || !page.confirmed, "{}: pages are only read", page.path);
        }
    }

    #[test]
    fn values_are_ids_and_names_alone() {
        let template = "/dashboard/@{handle}/{slug}/keys/{keyId}";
        let found = values(template, "/dashboard/@acme.eu/my-app/keys/str_1").unwrap();
        assert_eq!(
            found,
            [("handle", "acme.eu".to_owned()), ("slug", "my-app".to_owned()), ("keyId", "str_1".to_owned())]
        );
        for wrong in ["%3Cscript%3E", "a%2fb", "%00", "a.b", "", "a/b", "%ff", "a b", &"x".repeat(65)] {
            assert_eq!(values(template, &format!("/dashboard/@acme/app/keys/{wrong}")), None, "{wrong}");
        }
    }
}
