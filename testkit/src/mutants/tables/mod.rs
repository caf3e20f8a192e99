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

use super::mutant::Mutant;

/// Every table. A module that is not named here plants nothing.
const TABLES: &[&[Mutant]] = &[
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

/// Every mutant.
#[must_use]
pub fn all() -> Vec<&'static Mutant> {
    TABLES.iter().flat_map(|table| *table).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::mutant::Plant;
    use super::*;
    use crate::requirement::requirement;

    #[test]
    fn rules_that_deviate_are_json() {
        for mutant in all() {
            if let Plant::Rules(json) = mutant.plant {
                let rules: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).unwrap();
                assert!(!rules.is_empty(), "{}", mutant.id);
            }
        }
    }

    #[test]
    fn every_mutant_breaks_a_statement_and_is_killed_by_a_check_of_it() {
        let (mut seen, mut strangers) = (BTreeSet::new(), Vec::new());
        for mutant in all() {
            assert!(seen.insert(mutant.id), "{} is there twice", mutant.id);
            assert!(requirement(mutant.breaks).is_some(), "{}: {} is no statement", mutant.id, mutant.breaks);
            assert!(!mutant.killed_by.is_empty(), "{}", mutant.id);
            for id in mutant.killed_by {
                let check = crate::checks::all().into_iter().find(|check| check.id == *id);
                let covers = check.is_some_and(|check| check.covers.contains(&mutant.breaks));
                if !covers {
                    strangers.push(format!("{}: {id} is no check of {}", mutant.id, mutant.breaks));
                }
            }
        }
        assert!(strangers.is_empty(), "{strangers:#?}");
    }
}
