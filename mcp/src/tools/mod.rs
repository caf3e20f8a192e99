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
mod unmoved;

use crate::tool::ToolEntry;

/// Every tool.
pub(crate) const ALL: &[ToolEntry] = &[
    ToolEntry::of::<get_project::GetProject>(),
    ToolEntry::of::<find_keys::FindKeys>(),
    ToolEntry::of::<get_key::GetKey>(),
    ToolEntry::of::<preview_translation::PreviewTranslation>(),
    ToolEntry::of::<translate::Translate>(),
    ToolEntry::of::<get_run::GetRun>(),
    ToolEntry::of::<check_translations::CheckTranslations>(),
    ToolEntry::of::<publish::PublishTool>(),
    ToolEntry::of::<restore_version::RestoreVersion>(),
    ToolEntry::of::<add_languages::AddLanguages>(),
    ToolEntry::of::<report_missing_keys::ReportMissingKeys>(),
    ToolEntry::of::<list_code_changes::ListCodeChanges>(),
    ToolEntry::of::<translate_document::TranslateDocument>(),
    ToolEntry::of::<get_document::GetDocument>(),
    ToolEntry::of::<get_receipt::GetReceipt>(),
    ToolEntry::of::<set_output_formats::SetOutputFormats>(),
];
