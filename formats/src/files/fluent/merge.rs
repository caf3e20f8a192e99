//! Merges a published file into the existing one, and adds entries to a file.

use std::collections::{HashMap, HashSet};

use super::file::{FluentFile, NewMessage, PatternSlot};
use crate::files::spliced::Splices;
use crate::files::{Entry, Merged};

/// A file with its entries.
pub(super) type Read<'a> = (&'a FluentFile, &'a [Entry]);

/// As [`Format::merge`](crate::files::Format::merge), of files that were read.
pub(super) fn merged((own, entries): Read<'_>, (new, new_entries): Read<'_>) -> Merged {
    let mut splices = Splices::default();
    let there: HashMap<&str, (PatternSlot, &Entry)> =
        entries.iter().zip(&own.slots).map(|(entry, slot)| (entry.key.as_str(), (*slot, entry))).collect();
    let describes = entries.iter().any(|entry| entry.description.is_some());
    let (mut after, mut done) = (None, HashSet::new());
    let mut last: HashMap<usize, usize> = HashMap::new();
    for (entry, slot) in new_entries.iter().zip(&new.slots) {
        if let Some((place, known)) = there.get(entry.key.as_str()) {
            after = own.messages.get(place.message).map(|message| message.whole.end);
            last.extend(place.attribute.map(|attribute| (place.message, attribute)));
            if known.content != entry.content {
                own.replace(&mut splices, *place, &entry.content);
            }
            continue;
        }
        let Some(message) = new.messages.get(slot.message) else { continue };
        let id = new.source.get(&message.id);
        let Some(known) = own.by_id.get(id).copied() else {
            if done.insert(slot.message) {
                bring(&mut splices, own, (new, slot.message), (after, describes));
            }
            continue;
        };
        after = own.messages.get(known).map(|message| message.whole.end);
        let name = slot.attribute.and_then(|at| message.attributes.get(at)).map(|one| new.source.get(&one.id));
        // A text that the file has in a form that is not offered stays.
        let _ = own.add(&mut splices, (known, last.get(&known).copied()), (name, &entry.content));
    }
    let has: HashSet<&str> = new_entries.iter().map(|entry| entry.key.as_str()).collect();
    let kept = entries.iter().filter(|entry| !has.contains(entry.key.as_str()));
    Merged::keeping(kept.map(|entry| entry.key.clone()).collect(), splices.write(&own.source))
}

/// Brings a message of another file as it stands there.
fn bring(
    splices: &mut Splices,
    own: &FluentFile,
    (new, at): (&FluentFile, usize),
    (after, describes): (Option<usize>, bool),
) {
    let Some(message) = new.messages.get(at) else { return };
    let start = if describes { message.whole.start } else { message.id.start };
    let offset = after.or_else(|| own.messages.first().map(|first| first.whole.start));
    let offset = offset.unwrap_or(own.source.text.len());
    let newline = own.newline_at(offset);
    let mut text = new.source.get(&(start..message.whole.end)).replace("\r\n", "\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    splices.insert(offset, text.replace('\n', newline));
}

/// Adds entries to a file: to their messages, or in messages of their own at its end. `None` where one cannot be written.
pub(super) fn extended(splices: &mut Splices, file: &FluentFile, added: &[NewMessage<'_>]) -> Option<()> {
    let end = file.source.text.len();
    let newline = file.newline_at(end);
    // What comes to a message at the end of the file comes before new ones.
    for message in added {
        let Some(known) = file.by_id.get(message.id).copied() else { continue };
        if let Some(content) = message.value {
            file.add(splices, (known, None), (None, content))?;
        }
        for (name, content) in &message.attributes {
            file.add(splices, (known, file.last_attribute(known)), (Some(name), content))?;
        }
    }
    // A comment at the end of the file is none of the message.
    let last = file.source.text.lines().next_back().unwrap_or_default();
    let mut gap = if last.starts_with('#') { newline } else { "" };
    for message in added.iter().filter(|message| !file.by_id.contains_key(message.id)) {
        splices.insert(end, format!("{}{}", std::mem::take(&mut gap), message.written(newline)));
    }
    Some(())
}
