//! `prepare_release`: from what is open to a version that is live.

use crate::prompt::{Argument, Prompt, Request};

pub(super) const PROMPT: Prompt = Prompt {
    name: "prepare_release",
    title: "Prepare a release",
    description: "Finds what is missing, stale, held back or changed by people, translates what the person wants, and \
         publishes once the person agrees.",
    arguments: &[Argument {
        name: "label",
        description: "Label of the version, such as 2.4.0",
        is_required: false,
        is_language: false,
    }],
    tools: &[
        "get_project",
        "list_code_changes",
        "preview_translation",
        "translate",
        "get_run",
        "check_translations",
        "publish",
        "restore_version",
    ],
    steps,
};

fn steps(request: &Request) -> Vec<String> {
    let file = if request.reads_files { "`file_path`" } else { "`file_path` and `content`" };
    let label = if request.has("label") { ", `label`" } else { "" };
    vec![
        "get_project: unpublished changes, what is missing or stale in each language, what needs a person.".into(),
        "list_code_changes: texts that people changed and the code lacks. Write them into the source files first."
            .into(),
        format!(
            "If texts are missing or stale: preview_translation with {file} of the source files. It is free. Tell the \
             person the price, then translate with the same arguments and a `reason`. While the status is `running`, \
             call get_run."
        ),
        "check_translations: what would be held back, and why. The person decides whether to go on without it.".into(),
        format!(
            "publish with a `reason`{label}, once the person agrees; documents with `target` `content`. Tell them the \
             version and what was held back."
        ),
        "If the person wants to go back: restore_version.".into(),
    ]
}
