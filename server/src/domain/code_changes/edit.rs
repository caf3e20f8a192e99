//! People's changes of keys on the server. Each changes the key and keeps the change for the code in one transaction; a
//! change that takes an earlier one back leaves nothing pending.

use l10n_api_types::pending_code_changes::ChangeKind;
use l10n_api_types::{Content, Key as Described, ProjectId};

use crate::clock::{Clock, Timestamp};
use crate::config::Settings;
use crate::domain::run::incoming::{InputKey, from_key};
use crate::domain::{ServiceError, credits};
use crate::ids::{IdKind, new_id};
use crate::store::code_changes::{self, CodeChangeRow, NewChange};
use crate::store::keys::{self, Key, KeyState, NewKey};
use crate::store::projects::Project;
use crate::store::{Tx, lock, projects, source_files, translations};

/// The context of a person's change.
#[derive(Debug)]
pub struct Edit<'a> {
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The settings, which say what each plan allows.
    pub settings: &'a Settings,
    /// The project.
    pub project: &'a ProjectId,
    /// The name of the person, for people.
    pub by: &'a str,
}

/// The code's side of a changed key: its ref, source text or file there.
#[derive(Debug, Clone, Copy, Default)]
struct CodeSide<'a> {
    code_ref: Option<&'a str>,
    code_source: Option<&'a Content>,
    file: Option<&'a str>,
}

impl Edit<'_> {
    /// Lets a key say something else. Returns whether it said something else before.
    ///
    /// # Errors
    ///
    /// 404 for a key that is not there, 400 for one that is archived or captured, and for a content that cannot be.
    pub async fn text(&self, tx: &mut Tx, name: &str, content: &Content) -> Result<bool, ServiceError> {
        let checked = checked(name, content)?;
        self.begin(tx).await?;
        let key = self.active(tx, name).await?;
        if key.source.0 == *content {
            return Ok(false);
        }
        let pending = code_changes::of_key(tx, &key.id).await?;
        match (of(&pending, ChangeKind::KeyAdded), of(&pending, ChangeKind::TextChanged)) {
            (Some(added), _) => self.join(tx, added).await?,
            (None, Some(changed)) if code_source(changed) == Some(content) => self.forget(tx, &[changed]).await?,
            (None, Some(changed)) => self.join(tx, changed).await?,
            (None, None) => {
                let had = CodeSide { code_source: Some(&key.source.0), ..CodeSide::default() };
                self.keep(tx, &key.id, ChangeKind::TextChanged, had).await?;
            }
        }
        self.write(tx, &key, &checked).await?;
        projects::add_counts(tx, self.project, 0, 1).await?;
        Ok(true)
    }

    /// Gives a key another name. Versions go on with the code's until the code has followed.
    ///
    /// # Errors
    ///
    /// 404 for a key that is not there, 400 for one that is archived or captured, and for a name that cannot be or is
    /// taken.
    pub async fn rename(&self, tx: &mut Tx, name: &str, to: &str) -> Result<bool, ServiceError> {
        crate::domain::run::incoming::check_ref(to, "to")?;
        self.begin(tx).await?;
        let key = self.active(tx, name).await?;
        if name == to {
            return Ok(false);
        }
        let pending = code_changes::of_key(tx, &key.id).await?;
        let renamed = of(&pending, ChangeKind::KeyRenamed);
        let is_back = renamed.is_some_and(|renamed| renamed.code_ref.as_deref() == Some(to));
        if !is_back {
            self.check_free(tx, to).await?;
        }
        if let Some(namespace) = key.namespace.as_deref().filter(|_| key.source_path.is_some())
            && name.strip_prefix(namespace).is_some_and(|rest| rest.starts_with(':'))
            && !to.strip_prefix(namespace).is_some_and(|rest| rest.len() > 1 && rest.starts_with(':'))
        {
            return Err(invalid(format!(
                "`{name}` is of the namespace `{namespace}`: its name begins with `{namespace}:`"
            )));
        }
        match (of(&pending, ChangeKind::KeyAdded), renamed) {
            (Some(added), _) => self.join(tx, added).await?,
            (None, Some(renamed)) if is_back => self.forget(tx, &[renamed]).await?,
            (None, Some(renamed)) => self.join(tx, renamed).await?,
            (None, None) => {
                let had = CodeSide { code_ref: Some(name), ..CodeSide::default() };
                self.keep(tx, &key.id, ChangeKind::KeyRenamed, had).await?;
            }
        }
        keys::rename(tx, self.project, &key.id, to, self.now()).await?;
        projects::add_counts(tx, self.project, 0, 1).await?;
        Ok(true)
    }

    /// Takes a key out of the versions to come. One that was renamed goes by the code's name again.
    ///
    /// # Errors
    ///
    /// 404 for a key that is not there, 400 for one that is archived or captured.
    pub async fn archive(&self, tx: &mut Tx, name: &str) -> Result<(), ServiceError> {
        self.begin(tx).await?;
        let key = self.active(tx, name).await?;
        let pending = code_changes::of_key(tx, &key.id).await?;
        self.forget(tx, &pending.iter().collect::<Vec<_>>()).await?;
        if of(&pending, ChangeKind::KeyAdded).is_none() {
            let changed = of(&pending, ChangeKind::TextChanged).and_then(code_source);
            let had = CodeSide { code_source: Some(changed.unwrap_or(&key.source.0)), ..CodeSide::default() };
            self.keep(tx, &key.id, ChangeKind::KeyArchived, had).await?;
            if let Some(code_ref) = of(&pending, ChangeKind::KeyRenamed).and_then(|change| change.code_ref.as_deref()) {
                keys::rename(tx, self.project, &key.id, code_ref, self.now()).await?;
            }
        }
        keys::archive(tx, &[&key.id], self.now()).await?;
        projects::add_counts(tx, self.project, -1, 1).await?;
        Ok(())
    }

    /// Adds a key, makes a captured one count, or brings an archived one back. `file` is the source file that it belongs
    /// into.
    ///
    /// # Errors
    ///
    /// 400 for a key that is there and for a name, content or file that cannot be, 402 where the plan holds no more keys.
    pub async fn add(
        &self,
        tx: &mut Tx,
        name: &str,
        content: &Content,
        file: Option<&str>,
    ) -> Result<(), ServiceError> {
        let checked = checked(name, content)?;
        let project = self.begin(tx).await?;
        let held = keys::find(tx, self.project, name).await?;
        if held.as_ref().is_none_or(|key| key.state != KeyState::Archived) {
            self.check_free_of_active(tx, name, held.as_ref()).await?;
        }
        self.check_plan(tx, &project).await?;
        let namespace = self.namespace(tx, name, file).await?;
        let fresh = held.is_none().then(|| new_id(IdKind::String, self.now()));
        let id = fresh.as_deref().or(held.as_ref().map(|key| key.id.as_str())).unwrap_or_default();
        let pending = code_changes::of_key(tx, id).await?;
        let archived = of(&pending, ChangeKind::KeyArchived);
        let row = NewKey {
            id,
            name,
            namespace: namespace.as_deref().or(held.as_ref().and_then(|key| key.namespace.as_deref())),
            // A file that was synced without the key does not hold it.
            source_path: archived.and(held.as_ref()).and_then(|key| key.source_path.as_deref()),
            position: archived.and(held.as_ref()).map_or(project.key_count, |key| key.position),
            source: content,
            source_hash: checked.hash,
            description: held.as_ref().and_then(|key| key.description.as_deref()),
            max_length: held.as_ref().and_then(|key| key.max_length),
            tags: held.as_ref().and_then(|key| key.tags.as_ref()).map(|tags| tags.0.as_slice()),
            syntax: held.as_ref().and_then(|key| key.syntax).unwrap_or_default(),
            created_at: held.as_ref().map_or(self.now(), |key| key.created_at),
            updated_at: self.now(),
        };
        keys::upsert(tx, self.project, &[row]).await?;
        translations::mark_stale(tx, &[id]).await?;
        match archived {
            Some(change) => {
                self.forget(tx, &[change]).await?;
                if let Some(had) = code_source(change).filter(|had| *had != content) {
                    let had = CodeSide { code_source: Some(had), ..CodeSide::default() };
                    self.keep(tx, id, ChangeKind::TextChanged, had).await?;
                }
            }
            None => self.keep(tx, id, ChangeKind::KeyAdded, CodeSide { file, ..CodeSide::default() }).await?,
        }
        projects::add_counts(tx, self.project, 1, 1).await?;
        Ok(())
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    async fn begin(&self, tx: &mut Tx) -> Result<Project, ServiceError> {
        lock::project_to_change(tx, self.project).await?;
        let project = projects::find(tx, self.project).await?;
        project.ok_or_else(ServiceError::no_such_project)
    }

    /// The key, which counts.
    async fn active(&self, tx: &mut Tx, name: &str) -> Result<Key, ServiceError> {
        let key = keys::find(tx, self.project, name).await?;
        let key = key.ok_or_else(|| ServiceError::KeyNotFound(name.to_owned()))?;
        match key.state {
            KeyState::Active => Ok(key),
            KeyState::Archived => Err(invalid(format!("`{name}` is archived: `keys-edit add` brings it back"))),
            KeyState::Captured => Err(invalid(format!("`{name}` was captured: `captured accept` makes it a key"))),
        }
    }

    /// Checks that nothing goes by a name, neither here nor in the code.
    async fn check_free(&self, tx: &mut Tx, name: &str) -> Result<(), ServiceError> {
        let held = keys::find(tx, self.project, name).await?;
        match held.as_ref().map(|key| key.state) {
            Some(KeyState::Archived) => return Err(invalid(format!("`{name}` is the name of an archived key"))),
            Some(KeyState::Captured) => {
                return Err(invalid(format!("`{name}` was captured: `captured discard` makes its name free")));
            }
            Some(KeyState::Active) | None => {}
        }
        self.check_free_of_active(tx, name, held.as_ref()).await
    }

    async fn check_free_of_active(&self, tx: &mut Tx, name: &str, held: Option<&Key>) -> Result<(), ServiceError> {
        if held.is_some_and(|key| key.state == KeyState::Active) {
            return Err(invalid(format!("there is a key `{name}` already")));
        }
        if code_changes::code_refs(tx, self.project, &[name]).await?.is_empty() {
            return Ok(());
        }
        Err(invalid(format!(
            "the code still uses `{name}` for a key that was renamed: the name is free when a sync has brought the new one"
        )))
    }

    async fn check_plan(&self, tx: &mut Tx, project: &Project) -> Result<(), ServiceError> {
        let workspace = credits::workspace(tx, &project.workspace_id).await?;
        let wanted = u64::try_from(project.key_count).unwrap_or_default() + 1;
        match self.settings.plan(&workspace.plan).keys {
            Some(limit) if wanted > limit => Err(ServiceError::PlanLimit { feature: "keys", limit, wanted }),
            _ => Ok(()),
        }
    }

    /// The namespace of the file that a key is to go into. The file has been synced, so that its place is known.
    async fn namespace(&self, tx: &mut Tx, name: &str, file: Option<&str>) -> Result<Option<String>, ServiceError> {
        let Some(file) = file else { return Ok(None) };
        let heads = source_files::heads(tx, self.project).await?;
        let head = heads
            .into_iter()
            .find(|head| head.path == file)
            .ok_or_else(|| invalid(format!("no file `{file}` has been synced to the project")))?;
        match &head.namespace {
            Some(namespace) if !name.strip_prefix(namespace.as_str()).is_some_and(|rest| rest.starts_with(':')) => {
                Err(invalid(format!("`{file}` is of the namespace `{namespace}`: its keys begin with `{namespace}:`")))
            }
            _ => Ok(head.namespace),
        }
    }

    async fn write(&self, tx: &mut Tx, key: &Key, checked: &InputKey) -> Result<(), ServiceError> {
        let row = NewKey {
            id: &key.id,
            name: &key.name,
            namespace: key.namespace.as_deref(),
            source_path: key.source_path.as_deref(),
            position: key.position,
            source: &checked.content,
            source_hash: checked.hash,
            description: key.description.as_deref(),
            max_length: key.max_length,
            tags: key.tags.as_ref().map(|tags| tags.0.as_slice()),
            syntax: key.syntax.unwrap_or_default(),
            created_at: key.created_at,
            updated_at: self.now(),
        };
        keys::upsert(tx, self.project, &[row]).await?;
        translations::mark_stale(tx, &[&key.id]).await?;
        Ok(())
    }

    async fn keep(&self, tx: &mut Tx, key_id: &str, kind: ChangeKind, had: CodeSide<'_>) -> Result<(), ServiceError> {
        let now = self.now();
        let new = NewChange {
            id: &new_id(IdKind::CodeChange, now),
            key_id,
            kind,
            code_ref: had.code_ref,
            code_source: had.code_source,
            file: had.file,
            made_by: self.by,
            created_at: now,
        };
        Ok(code_changes::insert(tx, self.project, new).await?)
    }

    async fn join(&self, tx: &mut Tx, change: &CodeChangeRow) -> Result<(), ServiceError> {
        Ok(code_changes::join(tx, &change.id, self.by, self.now()).await?)
    }

    async fn forget(&self, tx: &mut Tx, changes: &[&CodeChangeRow]) -> Result<(), ServiceError> {
        let ids: Vec<&str> = changes.iter().map(|change| change.id.as_str()).collect();
        code_changes::settle(tx, &ids).await?;
        Ok(())
    }
}

/// The key as a request would bring it, checked as that is.
fn checked(name: &str, content: &Content) -> Result<InputKey, ServiceError> {
    let (text, plural) = content.clone().into_fields();
    from_key(Described { text, plural, ..Described::text(name, "") }, "key")
}

fn of(changes: &[CodeChangeRow], kind: ChangeKind) -> Option<&CodeChangeRow> {
    changes.iter().find(|change| change.kind == kind)
}

fn code_source(change: &CodeChangeRow) -> Option<&Content> {
    change.code_source.as_ref().map(|source| &source.0)
}

fn invalid(message: String) -> ServiceError {
    ServiceError::InvalidArgument(message)
}
