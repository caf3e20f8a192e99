//! The deviations, a table for each group of statements.

mod additions;
mod auth;
mod content_events;
mod conventions;
mod deliveries;
mod delivery_log;
mod dry_run;
mod edit;
mod envelope;
mod errors;
mod events;
mod flows;
mod keys;
mod limits;
mod operations;
mod public;
mod resources;
mod scope;
mod signature;
mod versioning;
mod webhooks;

use super::Mutant;

/// Every table. A module that is not named here plants nothing.
pub(super) const TABLES: &[&[Mutant]] = &[
    conventions::ROUTES,
    conventions::MUTANTS,
    resources::ROUTES,
    resources::MUTANTS,
    scope::ROUTES,
    scope::MUTANTS,
    public::ROUTES,
    public::MUTANTS,
    auth::ROUTES,
    auth::MUTANTS,
    versioning::MUTANTS,
    errors::shape::MUTANTS,
    errors::malformed::MUTANTS,
    errors::refused::MUTANTS,
    errors::credits::MUTANTS,
    errors::absent::MUTANTS,
    limits::window::MUTANTS,
    limits::daily::MUTANTS,
    limits::bodies::MUTANTS,
    dry_run::MUTANTS,
    operations::MUTANTS,
    flows::MUTANTS,
    additions::MUTANTS,
    webhooks::create::MUTANTS,
    webhooks::fields::MUTANTS,
    webhooks::limit::MUTANTS,
    webhooks::log::MUTANTS,
    webhooks::other_project::MUTANTS,
    webhooks::resend::MUTANTS,
    webhooks::rotate::MUTANTS,
    webhooks::secrecy::MUTANTS,
    webhooks::update::MUTANTS,
    webhooks::urls::MUTANTS,
    delivery_log::MUTANTS,
    events::MUTANTS,
    envelope::MUTANTS,
    content_events::MUTANTS,
    signature::MUTANTS,
    deliveries::MUTANTS,
];
