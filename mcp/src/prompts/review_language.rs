//! `review_language`: the translations into a language, judged and reported.

use crate::prompt::{Argument, Prompt, Request};

pub(super) const PROMPT: Prompt = Prompt {
    name: "review_language",
    title: "Review a language",
    description: "Reads the translations into a language, what is held back first, and reports what is wrong with a proposal \
         for each. Changes nothing and costs nothing.",
    arguments: &[Argument {
        name: "language",
        description: "Code of the language, such as de or pt-BR",
        is_required: true,
        is_language: true,
    }],
    tools: &["get_project", "check_translations", "find_keys", "get_key"],
    steps,
};

fn steps(_request: &Request) -> Vec<String> {
    [
        "get_project: how much of `language` is translated, held back, stale and missing.",
        "check_translations with `language`: what is held back, and why. Go on with `cursor` to the end.",
        "find_keys with `language` and `stale` true: translations of texts that changed since. Then find_keys with `language` \
         and `state` `translated`, page by page; ask the person how many pages if there are many.",
        "Judge each: meaning, terms that are the same everywhere, tone, placeholders, plural forms, length. get_key shows \
         the note for translators and the other languages.",
        "Report a table: ref, source, translation, problem, proposal; the worst first. Change nothing: people correct \
         translations in the dashboard.",
    ]
    .map(String::from)
    .to_vec()
}
