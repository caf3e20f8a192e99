//! `GET /unpublished-changes`: how a publish now would differ from the live version, as the dashboard's page of it shows.

use l10n_api_types::unpublished_changes::{
    ChangeClass, LanguageChanges, ListQuery, UnpublishedChange, UnpublishedChanges,
};
use l10n_api_types::{LanguageCode, State};

use super::differences::{Change, Differences, DisplayedTexts, TextChange, TextChanges, from_live};
use super::pages::{self, Cursor, PageBudget, TextPlace};
use super::publish::{self, NoPreview, PublishParts};
use super::{Caller, ServiceError, differences, held_back, translations};
use crate::store::projects::Project;
use crate::store::{Tx, counters, languages, projects};

/// A page of the changes.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] for a limit out of range, a cursor that no page gave, and a language that the project
/// does not have.
pub(crate) async fn list(
    parts: PublishParts<'_>,
    caller: &Caller,
    query: &ListQuery,
) -> Result<UnpublishedChanges, ServiceError> {
    let limit = pages::limit(query.limit)?;
    let after = place(query.cursor.as_deref())?;
    let mut tx = parts.store.begin_read().await?;
    let language = translations::language(&mut tx, caller, query.language.as_ref()).await?;
    let project = existing(&mut tx, caller).await?;
    tx.rollback().await?;
    let _turn = publish::comparison_turn(parts, &project).await?;
    let mut tx = parts.store.begin_read().await?;
    // What is live may have changed while it waited.
    let project = existing(&mut tx, caller).await?;
    let found = compared(&mut tx, parts, caller, &project, language.as_deref()).await?;
    let languages = counted(&mut tx, caller, &found).await?;
    let mut page = PageBuilder { items: Vec::new(), limit, room: PageBudget::default(), next: None };
    page.fill(&mut tx, caller, found, after).await?;
    Ok(UnpublishedChanges {
        live_version_id: project.live_version_id,
        languages,
        items: page.items,
        next_cursor: page.next.map(|place| Cursor::Text(place).encode()),
    })
}

fn place(cursor: Option<&str>) -> Result<Option<TextPlace>, ServiceError> {
    match cursor.map(Cursor::decode).transpose()? {
        None => Ok(None),
        Some(Cursor::Text(place)) => Ok(Some(place)),
        Some(_) => Err(ServiceError::cursor_of_another_list()),
    }
}

async fn existing(tx: &mut Tx, caller: &Caller) -> Result<Project, ServiceError> {
    let project = projects::find(tx, &caller.project).await?;
    project.ok_or_else(ServiceError::no_such_project)
}

/// Each language with the texts that differ; where they are not compared, without.
async fn compared(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    caller: &Caller,
    project: &Project,
    language: Option<&str>,
) -> Result<Vec<differences::LanguageChanges>, ServiceError> {
    let (mut found, unchanged) = match publish::preview(tx, parts, caller, None).await? {
        Ok(preview) => {
            let shown = DisplayedTexts { language, most: usize::MAX };
            let Differences { languages, .. } =
                from_live(tx, &project.id, project.live_version_id.as_ref(), preview, shown).await?;
            (languages, Some(TextChanges::default()))
        }
        Err(NoPreview::Nothing) => (Vec::new(), Some(TextChanges::default())),
        Err(NoPreview::TooLarge) => (Vec::new(), None),
    };
    for row in languages::list(tx, &project.id).await? {
        let is_wanted = language.is_none_or(|wanted| wanted == row.code);
        if is_wanted && !found.iter().any(|one| one.language == row.code) {
            found.push(differences::LanguageChanges { language: row.code, texts: unchanged.clone() });
        }
    }
    Ok(found)
}

/// The counts of each language.
async fn counted(
    tx: &mut Tx,
    caller: &Caller,
    found: &[differences::LanguageChanges],
) -> Result<Vec<LanguageChanges>, ServiceError> {
    let counts = counters::translations(tx, &caller.project).await?;
    let of_language = |one: &differences::LanguageChanges| {
        let number = |of: fn(&TextChanges) -> usize| one.texts.as_ref().map(|texts| of(texts) as u64);
        let held = counts.iter().filter(|count| count.language == one.language && count.state == State::NeedsReview);
        LanguageChanges {
            code: LanguageCode::new(&one.language),
            added: number(|texts| texts.added),
            changed: number(|texts| texts.changed),
            removed: number(|texts| texts.removed),
            held: held.map(|count| u64::try_from(count.number).unwrap_or(0)).sum(),
        }
    };
    Ok(found.iter().map(of_language).collect())
}

/// A page in the making.
struct PageBuilder {
    items: Vec<UnpublishedChange>,
    limit: usize,
    /// The room for texts that is left.
    room: PageBudget,
    /// The place of the last item, if there are more.
    next: Option<TextPlace>,
}

impl PageBuilder {
    /// Takes the items after `after`, language by language, until it is full.
    async fn fill(
        &mut self,
        tx: &mut Tx,
        caller: &Caller,
        found: Vec<differences::LanguageChanges>,
        after: Option<TextPlace>,
    ) -> Result<(), ServiceError> {
        let mut after = after;
        if let Some(place) = &after
            && !found.iter().any(|one| one.language == place.language)
        {
            let gone = format!("`cursor` is of the language `{}`, which is gone; begin without it", place.language);
            return Err(ServiceError::InvalidArgument(gone));
        }
        for one in found {
            if after.as_ref().is_some_and(|place| place.language != one.language) {
                continue;
            }
            let after = after.take();
            let (changed, held) = match &after {
                Some(place) if place.held => (None, Some(place.name.as_str())),
                Some(place) => (Some((&place.namespace, &place.name)), None),
                None => (None, None),
            };
            if held.is_none() {
                let texts = one.texts.map(|texts| texts.shown).unwrap_or_default();
                let rest =
                    texts.into_iter().filter(|text| changed.is_none_or(|last| (&text.namespace, &text.key) > last));
                for text in rest {
                    if self.items.len() == self.limit || !self.room.take(text.bytes()) {
                        self.end();
                        return Ok(());
                    }
                    self.items.push(differing(&one.language, text));
                }
            }
            let (name, most) = (held.unwrap_or(""), self.limit - self.items.len());
            let held = held_back::after(tx, &caller.project, &one.language, name, most, &mut self.room).await?;
            self.items.extend(held.texts.into_iter().map(|text| held_text(&one.language, text)));
            if held.has_more {
                self.end();
                return Ok(());
            }
        }
        Ok(())
    }

    /// Ends the page with its last item.
    fn end(&mut self) {
        self.next = self.items.last().map(|last| TextPlace {
            language: last.language.to_string(),
            held: last.class == ChangeClass::Held,
            namespace: last.namespace.clone(),
            name: last.r#ref.clone(),
        });
    }
}

fn differing(language: &str, text: TextChange) -> UnpublishedChange {
    let class = match text.change() {
        Change::Added => ChangeClass::Added,
        Change::Changed => ChangeClass::Changed,
        Change::Removed => ChangeClass::Removed,
    };
    UnpublishedChange {
        r#ref: text.key,
        namespace: text.namespace,
        language: LanguageCode::new(language),
        class,
        from: text.before.map(Into::into),
        to: text.after.map(Into::into),
    }
}

fn held_text(language: &str, text: held_back::HeldBack) -> UnpublishedChange {
    UnpublishedChange {
        r#ref: text.key,
        namespace: None,
        language: LanguageCode::new(language),
        class: ChangeClass::Held,
        from: Some(text.source.into()),
        to: Some(text.translation.into()),
    }
}
