//! `localize_change`: the texts of a change, from the code to checked translations.

use crate::prompt::{Argument, Prompt, Request};

pub(super) const PROMPT: Prompt = Prompt {
    name: "localize_change",
    title: "Localize a change",
    description: "Finds the texts that a change adds or alters, prices them, translates them and checks the translations. \
         Releases nothing.",
    arguments: &[
        Argument {
            name: "files",
            description: "The files that changed: source files of texts, code, documents",
            is_required: true,
            is_language: false,
        },
        Argument {
            name: "language",
            description: "The only language to translate into; if left out, all languages of the project",
            is_required: false,
            is_language: true,
        },
    ],
    tools: &[
        "get_project",
        "find_keys",
        "preview_translation",
        "translate",
        "get_run",
        "translate_document",
        "check_translations",
    ],
    steps,
};

fn steps(request: &Request) -> Vec<String> {
    let file = match request.reads_files {
        true => "`file_path` of each source file of texts",
        false => "`file_path` and, as `content`, the text of each source file of texts",
    };
    let languages = if request.has("language") { ", with `language` alone in `languages`" } else { "" };
    vec![
        "get_project: languages, progress, balance, what this key may do and what needs a person.".into(),
        "Read `files`. For each text that is new in code, call find_keys with it as `query` first: a key that says the \
         same is used again."
            .into(),
        format!(
            "preview_translation with {file}, or with `keys` for texts in code{languages}. It is free. Tell the person \
             what is new or changed and what it costs."
        ),
        "translate with the same arguments and a `reason`. While the status is `running`, call get_run. Documents \
         (Markdown, HTML, plain text) go to translate_document instead, first with `dry_run`."
            .into(),
        "check_translations: what would be held back, and why. Correct the source texts that cause it and go back to \
         step 3; unchanged texts cost nothing."
            .into(),
        "Tell the person what was translated, what it cost and what is held back. A release is another step, which the \
         person asks for."
            .into(),
    ]
}
