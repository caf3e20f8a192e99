//! The resources that group the operations.

use serde_json::{Value, json};

/// Each resource with a sentence for people, in alphabetical order.
const TAGS: &[(&str, &str)] = &[
    ("capture", "Report the keys that a running app misses."),
    ("content", "Documents: register, translate and read Markdown, HTML and plain text."),
    ("credential", "Read the rights of the request's API key."),
    ("deliveries", "The delivery log of a webhook, and resending from it."),
    ("delivery", "Public files of published versions: manifests and bundles. These routes need no key."),
    ("glossary", "Terms with their translations, words that stay, and words that nobody is to write."),
    ("health", "Check whether the service answers."),
    ("languages", "Add target languages to a project."),
    ("memory", "Translation memory: earlier translations of a project and its workspace."),
    ("meta", "Read a project's state, its limits and what the service supports."),
    ("operations", "Ask a person to approve an AI agent's next step, and read the decision."),
    ("output_formats", "Choose the files that a publish renders."),
    ("pending_code_changes", "List source changes that people made and the code does not have yet."),
    ("projects", "Find a project's id by workspace and name."),
    ("publish", "Make the current texts live as an immutable version."),
    ("requests", "Read the receipt of a write."),
    ("translations", "Register keys, price and translate them, and read translations."),
    ("unpublished_changes", "List how a publish now would differ from the live version."),
    ("versions", "List published versions and make an earlier one live again."),
    ("webhooks", "Register the addresses that events are delivered to."),
];

/// The section `tags` of the document.
pub(super) fn tags() -> Value {
    TAGS.iter().map(|(name, description)| json!({"name": name, "description": description})).collect()
}
