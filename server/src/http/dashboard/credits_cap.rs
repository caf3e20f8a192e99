//! The monthly cap of a workspace, which owners change.

use l10n_api_types::Millicredits;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::parts::{facts, head};
use super::view::time::money;
use super::visit::Visit;
use crate::domain::credits::{self, CreditOverview};
use crate::domain::{ServiceError, workspaces};

/// The path of the page with the credits, below the workspace's.
const CREDITS: &str = "/-/credits";
/// Most characters of an amount.
const LONGEST: usize = 16;

/// `GET /dashboard/@{handle}/-/credits/cap`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let overview = credits::overview(&mut tx, &visit.membership()?.workspace, visit.now).await?;
    tx.rollback().await?;
    let form = FormView::new(visit, errors);
    let content = html! {
        (head(&visit.t("cap.title"), &visit.t("cap.lead"), &Markup::default()))
        section.card {
            (facts(&funds(visit, &overview)))
            form method="post" action=(visit.in_workspace("/-/credits/cap")) novalidate {
                (form.summary())
                (form.shown("known", &overview.cap.map_or_else(String::new, |cap| cap.0.to_string())))
                (form.field("cap", "cap.field").hint("cap.hint").optional().longest(LONGEST).code()
                    .initial(overview.cap.map_or_else(String::new, typed)))
                (form.submit("cap.submit"))
            }
        }
        p { a href=(visit.in_workspace(CREDITS)) { (visit.t("cap.back")) } }
    };
    Ok(PageResponse::page(visit.t("cap.title"), content))
}

fn funds(visit: &Visit, overview: &CreditOverview) -> Vec<(String, Markup)> {
    let CreditOverview { balance, held, spent, cap, .. } = overview;
    let shown = |name: &str, amount| (visit.t(&format!("credits.{name}")), money(visit, amount));
    let none = || (visit.t("credits.cap"), html! { span.muted { (visit.t("common.none")) } });
    let cap = cap.map_or_else(none, |cap| shown("cap", cap));
    vec![shown("balance", *balance), shown("held", *held), shown("spent", *spent), cap]
}

/// An amount as a person would type it.
fn typed(amount: Millicredits) -> String {
    let text = amount.to_string();
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `POST /dashboard/@{handle}/-/credits/cap`
pub(super) async fn save(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let text = visit.form.line("cap", 0..=LONGEST, &mut errors);
    let cap = if text.is_empty() { None } else { credits::amount(&text) };
    if cap.is_none() && !text.is_empty() {
        errors.add("cap", "cap.wrong", None);
    }
    if !errors.is_empty() {
        return Ok(page(&visit, &errors).await?.invalid());
    }
    if carry_out(&visit, cap).await? {
        return Ok(PageResponse::done(&visit.in_workspace(CREDITS), "cap.saved"));
    }
    errors.moved("cap.moved");
    Ok(page(&visit, &errors).await?.conflict())
}

async fn carry_out(visit: &Visit, cap: Option<Millicredits>) -> Result<bool, ServiceError> {
    let seen = visit.form.value("known").parse().ok().map(Millicredits);
    let (workspace, by) = (&visit.membership()?.workspace, visit.person()?.actor());
    let mut tx = visit.service.store.begin_write_of(workspace).await?;
    let done = workspaces::set_cap_seen(&mut tx, visit.now, &by, workspace, (seen, cap)).await?;
    if done {
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_stand_in_the_field_as_people_type_them() {
        for (amount, text) in [(0, "0"), (1, "0.001"), (2_500, "2.5"), (100_000, "100"), (1_000_010, "1000.01")] {
            assert_eq!(typed(Millicredits(amount)), text);
            assert_eq!(credits::amount(text), Some(Millicredits(amount)));
        }
    }
}
