//! The tools, one file each, in the order in which a model meets them.

mod add_languages;
mod check_translations;
mod file;
mod find_keys;
mod get_document;
mod get_key;
mod get_project;
mod get_receipt;
mod get_run;
mod list_code_changes;
mod page;
mod preview_translation;
mod publish;
mod published;
mod report_missing_keys;
mod restore_version;
mod run_view;
mod set_output_formats;
mod source;
mod translate;
mod translate_document;

use crate::tool::Entry;

/// Every tool.
pub(crate) const ALL: &[Entry] = &[
    Entry::of::<get_project::GetProject>(),
    Entry::of::<find_keys::FindKeys>(),
    Entry::of::<get_key::GetKey>(),
    Entry::of::<preview_translation::PreviewTranslation>(),
    Entry::of::<translate::Translate>(),
    Entry::of::<get_run::GetRun>(),
    Entry::of::<check_translations::CheckTranslations>(),
    Entry::of::<publish::PublishTool>(),
    Entry::of::<restore_version::RestoreVersion>(),
    Entry::of::<add_languages::AddLanguages>(),
    Entry::of::<report_missing_keys::ReportMissingKeys>(),
    Entry::of::<list_code_changes::ListCodeChanges>(),
    Entry::of::<translate_document::TranslateDocument>(),
    Entry::of::<get_document::GetDocument>(),
    Entry::of::<get_receipt::GetReceipt>(),
    Entry::of::<set_output_formats::SetOutputFormats>(),
];
