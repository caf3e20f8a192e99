//! Every secret that the run knows, so that none reaches a report: neither whole, nor in part, nor in Base64.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::fragments::Fragments;

use crate::profile::Profile;
use crate::wire::Exchange;

/// Secrets with this many bytes in common at their beginning are looked for together: a run knows hundreds of secrets, and
/// most of them have the same prefix.
const BEGINNING: usize = 4;

/// Secrets and their placeholders in reports.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Mutex<KnownSecrets>);

/// The known secrets.
#[derive(Debug, Default)]
struct KnownSecrets {
    groups: Groups,
    fragments: Fragments,
}

/// Secrets by their beginning.
type Groups = BTreeMap<String, Vec<NamedSecret>>;

/// A secret that the run knows.
#[derive(Debug, Clone)]
struct NamedSecret {
    secret: String,
    /// Its placeholder.
    name: String,
    /// True for an API key of the profile.
    is_key: bool,
}

impl Secrets {
    pub(crate) fn of(profile: &Profile) -> Self {
        let secrets = Self::default();
        for project in profile.projects() {
            for (identity, key) in &project.keys {
                secrets.add(key.expose(), true, |_| format!("‹{identity} key of {}›", project.id));
            }
        }
        secrets
    }

    /// Learns the webhook secret that an answer gives.
    pub(crate) fn learn(&self, exchange: &Exchange) {
        let Ok(body) = serde_json::from_slice::<Value>(&exchange.body) else { return };
        let Some(secret) = body["secret"].as_str().filter(|secret| secret.len() > 8) else { return };
        self.add(secret, false, |number| format!("‹webhook secret {number}›"));
    }

    /// Adds a secret, whose placeholder is made from its number.
    fn add(&self, secret: &str, is_key: bool, name: impl FnOnce(usize) -> String) {
        if secret.is_empty() {
            return;
        }
        let mut known = self.known();
        let name = name(known.groups.values().map(Vec::len).sum());
        // What a deployment calls a secret may be any text; an API key is one.
        if is_key || secret.starts_with("whsec_") {
            known.fragments.add(secret, &name);
        }
        let groups = &mut known.groups;
        let beginning = &secret[..secret.floor_char_boundary(BEGINNING.max(first_char(secret)))];
        let group = groups.entry(beginning.to_owned()).or_default();
        group.push(NamedSecret { secret: secret.to_owned(), name, is_key });
    }

    /// A text with placeholders in place of secrets, and of every word that holds a part of one.
    pub(crate) fn redact(&self, text: &str) -> String {
        let known = self.known();
        let mut redacted = text.to_owned();
        for group in &known.groups {
            let mut rest = redacted.as_str();
            let mut parts = Vec::new();
            while let Some((at, known)) = first_of(group, rest) {
                parts.extend([&rest[..at], &known.name]);
                rest = &rest[at + known.secret.len()..];
            }
            if !parts.is_empty() {
                parts.push(rest);
                redacted = parts.concat();
            }
        }
        known.fragments.redact(&redacted)
    }

    /// The placeholder of an API key of the profile that is in the text.
    pub(crate) fn key_in(&self, text: &str) -> Option<String> {
        self.known().groups.iter().find_map(|(beginning, known)| {
            let keys = known.iter().filter(|known| known.is_key);
            let found = occurrences(beginning, text).find_map(|at| longest_at(keys.clone(), &text[at..]));
            Some(found?.name.clone())
        })
    }

    fn known(&self) -> MutexGuard<'_, KnownSecrets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first place of a secret of the group, and that secret.
fn first_of<'a>((beginning, known): (&String, &'a Vec<NamedSecret>), text: &str) -> Option<(usize, &'a NamedSecret)> {
    occurrences(beginning, text).find_map(|at| Some((at, longest_at(known.iter(), &text[at..])?)))
}

/// The longest of the secrets that the text begins with.
fn longest_at<'a>(known: impl Iterator<Item = &'a NamedSecret>, text: &str) -> Option<&'a NamedSecret> {
    known.filter(|known| text.starts_with(&known.secret)).max_by_key(|known| known.secret.len())
}

/// Every place of a beginning in the text, also where two overlap.
fn occurrences(beginning: &str, text: &str) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + text[from..].find(beginning)?;
        from = at + first_char(beginning);
        Some(at)
    })
}

/// The length of the first character.
fn first_char(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Secrets of these texts, the first two of which are API keys, named by their numbers.
    fn secrets(texts: &[&str]) -> Secrets {
        let secrets = Secrets::default();
        for (place, text) in texts.iter().enumerate() {
            secrets.add(text, place < 2, |number| format!("‹{number}›"));
        }
        secrets
    }

    #[test]
    fn every_secret_is_replaced_by_its_own_placeholder() {
        let secrets = secrets(&["eik_one", "eik_two", "whsec_three", "ab", "é"]);
        assert_eq!(secrets.redact("a eik_two, eik_one; whsec_three ab é"), "a ‹1›, ‹0›; ‹2› ‹3› ‹4›");
        assert_eq!(secrets.redact("eik_oneeik_one"), "‹0›‹0›");
        assert_eq!(secrets.redact("eik_three, whsec_ and a b"), "eik_three, whsec_ and a b");
        assert_eq!(secrets.redact(""), "");
    }

    #[test]
    fn a_secret_that_contains_another_is_replaced_as_a_whole() {
        let secrets = secrets(&["eik_1", "eik_12", ""]);
        assert_eq!(secrets.redact("eik_12 eik_1 eik_13"), "‹1› ‹0› ‹0›3");
    }

    #[test]
    fn a_secret_is_found_behind_its_own_beginning() {
        let secrets = secrets(&["ababab1"]);
        assert_eq!(secrets.redact("abababababab1"), "ababab‹0›");
        assert_eq!(secrets.key_in("abababababab1").as_deref(), Some("‹0›"));
    }

    #[test]
    fn only_api_keys_are_keys() {
        let secrets = secrets(&["eik_one", "eik_two", "eik_of_a_webhook"]);
        assert_eq!(secrets.key_in("x eik_of_a_webhook"), None);
        assert_eq!(secrets.key_in("x eik_of_a_webhook eik_two").as_deref(), Some("‹1›"));
    }
}
