//! The laws of files that hold source and translation.

use l10n_api_types::State;

use super::*;

/// A translation of each entry that `pick` names, with the forms of French. Its edges are those of the text.
fn french(document: &LocalizationFile, pick: u64) -> BTreeMap<String, Content> {
    let said = |text: &str, of: &str| {
        let begins = if of.starts_with('\n') { "\n" } else { "" };
        let ends = if of.ends_with('\n') { "\n" } else { "" };
        format!("{begins}«{text}» \"l'été\"\\ \n x{ends}")
    };
    let translate = |(at, entry): (usize, &Entry)| {
        let content = match &entry.content {
            Content::Text(text) => Content::Text(said("t", text)),
            Content::Plural(Plural { arg, forms }) => {
                let of = forms.get(PluralCategory::One).unwrap();
                let all = [PluralCategory::One, PluralCategory::Many, PluralCategory::Other];
                let forms = all.map(|category| (category, said(category.as_str(), of)));
                Content::Plural(Plural { arg: arg.clone(), forms: forms.into() })
            }
        };
        (pick >> (at % 64) & 1 == 1).then(|| (entry.key.clone(), content))
    };
    document.entries.iter().enumerate().filter_map(translate).collect()
}

fn translated(id: &str, bytes: &[u8]) -> BTreeMap<String, Content> {
    let document = format(id).translations(bytes, "fr").unwrap_or_else(|error| panic!("{error}\n{}", shown(bytes)));
    contents(&document).into_iter().collect()
}

/// The texts of contents; of plurals those for 1 and for most numbers.
fn texts(of: BTreeMap<String, Content>) -> BTreeMap<String, Vec<String>> {
    let texts = |content| match content {
        Content::Text(text) => vec![text],
        Content::Plural(Plural { mut forms, .. }) => {
            [PluralCategory::One, PluralCategory::Other].iter().filter_map(|category| forms.remove(category)).collect()
        }
    };
    of.into_iter().map(|(key, content)| (key, texts(content))).collect()
}

/// The texts by their ids alone, where keys have the name of a file only if there are several.
fn by_id<T>(format: &str, texts: BTreeMap<String, T>) -> BTreeMap<String, T> {
    let id = |key: String| match key.split_once('\u{2404}') {
        Some(("f1" | "f2", id)) if format.starts_with("xliff") => id.to_owned(),
        _ => key,
    };
    texts.into_iter().map(|(key, text)| (id(key), text)).collect()
}

fn hold(law: impl Fn(&str, Vec<u8>, LocalizationFile, u64) -> Result<(), TestCaseError>) {
    for format in all().filter(|format| format.kind() == FileKind::Bilingual) {
        let id = format.id();
        let mut runner = runner(512);
        runner
            .run(&(files_of(id), any::<u64>()), |(file, pick)| match format.parse(&file) {
                Ok(document) => law(id.as_str(), file, document, pick),
                Err(_) => Ok(()),
            })
            .unwrap_or_else(|error| panic!("{id}: {error}"));
    }
}

#[test]
fn a_rendered_catalogue_holds_every_entry_and_the_translations_that_were_written() {
    hold(|id, _, document, pick| {
        let wanted = french(&document, pick);
        let bytes = format(id).render(&document, "fr", &|key| wanted.get(key).cloned());
        if !document.entries.is_empty() {
            prop_assert_eq!(texts(translated(id, &bytes)), texts(wanted), "{}", shown(&bytes));
        }
        let again = format(id).parse(&bytes).unwrap();
        prop_assert_eq!(again.entries, document.entries, "the source stays");
        Ok(())
    });
}

#[test]
fn an_import_sees_every_translation_and_beside_them_drafts_alone() {
    hold(|id, file, _, _| {
        let imports = format(id).imports(&file, "fr").unwrap();
        let done = imports.entries.iter().filter(|entry| entry.state != Some(State::NeedsReview));
        let done: BTreeMap<String, Content> = done.map(|entry| (entry.key.clone(), entry.content.clone())).collect();
        prop_assert_eq!(done, translated(id, &file));
        Ok(())
    });
}

#[test]
fn a_catalogue_into_which_nothing_new_comes_stays() {
    hold(|id, file, document, pick| {
        let (own, keys) = (translated(id, &file), format(id).text_keys(&file).unwrap());
        let merged = format(id).merge(&file, &file).unwrap();
        prop_assert_eq!((shown(&merged.bytes), merged.kept), (shown(&file), Vec::new()));
        // A version that lacks translations takes none away.
        let has = |key: &str| pick >> (key.len() % 64) & 1 == 1;
        let fewer = format(id).render(&document, "fr", &|key| own.get(key).filter(|_| has(key)).cloned());
        let merged = format(id).merge(&file, &fewer).unwrap();
        let lacking = translated(id, &fewer);
        prop_assert_eq!(shown(&merged.bytes), shown(&file), "{}", shown(&fewer));
        let kept: Vec<String> = keys.into_iter().filter(|key| !lacking.contains_key(key)).collect();
        prop_assert_eq!(merged.kept, kept);
        Ok(())
    });
}

#[test]
fn a_merge_brings_translations_and_is_done_once() {
    hold(|id, file, document, pick| {
        let wanted = french(&document, pick);
        let version = format(id).render(&document, "fr", &|key| wanted.get(key).cloned());
        let merged = format(id).merge(&file, &version).unwrap().bytes;
        let (found, wanted) = (texts(translated(id, &merged)), texts(translated(id, &version)));
        for (key, said) in &wanted {
            prop_assert_eq!(found.get(key), Some(said), "{} in {}", key, shown(&merged));
        }
        let again = format(id).merge(&merged, &version).unwrap();
        prop_assert_eq!(shown(&again.bytes), shown(&merged));
        // Entries that the file lacks come in, too.
        let empty = if id == "gettext" { b"# mine\n".to_vec() } else { format(id).render_new("fr", &[]) };
        let grown = format(id).merge(&empty, &version).unwrap().bytes;
        prop_assert_eq!(by_id(id, texts(translated(id, &grown))), by_id(id, wanted), "{}", shown(&grown));
        Ok(())
    });
}
