//! The checks, a file for each resource of the API, by requirement id.

pub mod credential;
pub mod deliveries;
pub mod delivery;
pub mod health;
pub mod languages;
pub mod meta;
pub mod output_formats;
pub mod projects;
pub mod publish;
pub mod translations;
pub mod versions;
pub mod webhooks;

/// The requirements that the checks of an endpoint cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// `resource::verb`.
    pub endpoint: &'static str,
    /// Ids of numbered requirements. They are stable: never renumbered, never reused.
    pub requirements: &'static [&'static str],
}

/// The coverage of every resource.
pub fn coverage() -> impl Iterator<Item = &'static Coverage> {
    [
        credential::COVERAGE,
        deliveries::COVERAGE,
        delivery::COVERAGE,
        health::COVERAGE,
        languages::COVERAGE,
        meta::COVERAGE,
        output_formats::COVERAGE,
        projects::COVERAGE,
        publish::COVERAGE,
        translations::COVERAGE,
        versions::COVERAGE,
        webhooks::COVERAGE,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_endpoint_is_named_once_and_covers_something() {
        let names: Vec<_> = coverage().map(|entry| entry.endpoint).collect();
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
        assert!(coverage().all(|entry| !entry.requirements.is_empty()));
    }
}
