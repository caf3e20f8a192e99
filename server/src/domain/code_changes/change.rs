//! A person's change of a key, with its entry in the audit log.

use l10n_api_types::Content;
use l10n_api_types::pending_code_changes::ChangeKind;

use super::edit::Edit;
use crate::domain::people::audit;
use crate::domain::{ProjectChange, ServiceError};
use crate::store::Tx;
use crate::store::audit_log::AuditAction;

/// A change of a key on the source side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyEdit {
    /// Another text.
    Text(Content),
    /// Another name.
    Rename(String),
    /// Out of the versions to come.
    Archive,
    /// A new key, or one that comes back.
    Add {
        /// The key's text.
        content: Content,
        /// The source file that it belongs to.
        file: Option<String>,
    },
}

impl KeyEdit {
    const fn kind(&self) -> ChangeKind {
        match self {
            Self::Text(_) => ChangeKind::TextChanged,
            Self::Rename(_) => ChangeKind::KeyRenamed,
            Self::Archive => ChangeKind::KeyArchived,
            Self::Add { .. } => ChangeKind::KeyAdded,
        }
    }
}

/// Changes the key of this ref. Returns whether it was otherwise before.
///
/// # Errors
///
/// Those of [`Edit`]; `tx` must not be committed then.
pub(crate) async fn change(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    name: &str,
    edit: &KeyEdit,
) -> Result<bool, ServiceError> {
    let ProjectChange { clock, settings, project, workspace, by } = change;
    let editor = Edit { clock, settings, project, by: by.person().unwrap_or_default() };
    let is_changed = match edit {
        KeyEdit::Text(content) => editor.text(tx, name, content).await?,
        KeyEdit::Rename(to) => editor.rename(tx, name, to).await?,
        KeyEdit::Archive => editor.archive(tx, name).await.map(|()| true)?,
        KeyEdit::Add { content, file } => editor.add(tx, name, content, file.as_deref()).await.map(|()| true)?,
    };
    if is_changed {
        let detail = match edit {
            KeyEdit::Rename(to) => format!("{}: {name} → {to}", edit.kind()),
            _ => format!("{}: {name}", edit.kind()),
        };
        let action = AuditAction::CodeChangeMade;
        let record = audit::Record { project: Some(project), action, subject: None, detail: Some(&detail) };
        audit::write(tx, workspace, by, clock.now(), record).await?;
    }
    Ok(is_changed)
}
