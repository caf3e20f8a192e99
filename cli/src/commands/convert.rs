//! `l10n convert`: writes the texts of a file in another format. Asks no server.
//!
//! The losses are found by reading what would be written: a text, plural, description or limit that is not there again.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use l10n_client::api::{Content, FormatId};
use l10n_formats::files::{self, Entry, FileKind, Format, LocalizationFile, SourceTexts, syntax_of};
use l10n_formats::text::Syntax;
use l10n_formats::text::placeholders::{SpanKind, scan};
use serde::Serialize;

use crate::args::ConvertArgs;
use crate::atomic;
use crate::context::Context;
use crate::error::{BrokenFile, CliError, usage};
use crate::exit::ExitStatus;
use crate::input;
use crate::streams::is_stdout;
use crate::words::counted;

/// Keys that a line names.
const NAMED: usize = 5;

/// The language of texts where nothing says it.
const LANGUAGE: &str = "en";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Converted {
    from: FormatId,
    to: FormatId,
    texts: u64,
    lost: Vec<Loss>,
}

/// Texts that the new file does not hold as the old one did.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Loss {
    what: &'static str,
    keys: Vec<String>,
}

pub(crate) async fn convert(context: &Context, args: &ConvertArgs) -> Result<ExitStatus, CliError> {
    let (name, bytes) = input::bytes(&context.folder, &args.input).await?;
    let from = read_as(&name, &bytes, args.from)?;
    let to = written_as(&args.output, args.to)?;
    let shown = args.output.display().to_string();
    let place = context.folder.join(&args.output);
    let to_stdout = is_stdout(&context.folder, &args.output);
    if !to_stdout && place.exists() && !args.force {
        return Err(usage(format!("{shown} is there already"), "say `--force` to replace it"));
    }
    let broken = |error: files::ParseError| BrokenFile::local(name.clone(), from.id(), &error);
    let mut document = from.parse(&bytes).map_err(broken)?;
    let source = Source::of(args, from, &document);
    let language = args.language.clone().or_else(|| document.language.clone()).unwrap_or_else(|| LANGUAGE.to_owned());
    if from.kind_of(&document) != FileKind::Monolingual && args.language.is_some() {
        document = from.translations(&bytes, &language).map_err(broken)?;
    }
    let items: HashSet<String> = document.items().into_iter().map(str::to_owned).collect();
    let entries = document.entries;
    let beside = source.written(to, args.language.as_deref(), &entries);
    let is_source = beside.is_some() && args.language.is_none();
    let written = beside.unwrap_or_else(|| to.render_new(&language, &entries));
    let unwritable = |error: &files::ParseError| {
        usage(
            format!("these texts cannot be a file of {}: {}", to.id(), error.message),
            "nothing was written; another format may hold them",
        )
    };
    let read = to.parse(&written).map_err(|error| unwritable(&error))?;
    let items_now: HashSet<String> = read.items().into_iter().map(str::to_owned).collect();
    let mut read = read.entries;
    if to.kind() != FileKind::Monolingual && !is_source {
        let translated = to.translations(&written, &language).map_err(|error| unwritable(&error))?.entries;
        read = with_contents(read, translated);
    }
    if read.is_empty() && !entries.is_empty() {
        let to = to.id();
        return Err(usage(
            format!("{to} can hold none of these texts"),
            "nothing was written; another format may hold them",
        ));
    }
    let lost = losses((&entries, from.id(), &items), (&read, to.id(), &items_now));
    let printer = &context.printer;
    if to_stdout {
        printer.file(&written)?;
    } else {
        atomic::write(&place, &written)?;
    }
    for loss in &lost {
        printer.warn(format!("{}: {}", loss.what, named(&loss.keys)));
    }
    if to_stdout {
        return Ok(ExitStatus::Success);
    }
    let texts = read.len() as u64;
    printer.done(format!("Wrote {} to {shown} ({})", counted(texts, "text"), to.id()));
    printer.json(&Converted { from: from.id(), to: to.id(), texts, lost });
    Ok(ExitStatus::Success)
}

/// The texts that translations are made from, where the file that is read has them.
struct Source {
    language: Option<String>,
    original: Option<String>,
    texts: HashMap<String, Content>,
}

impl Source {
    fn of(args: &ConvertArgs, from: &dyn Format, document: &LocalizationFile) -> Self {
        let kind = from.kind_of(document);
        let is_source = kind != FileKind::Monolingual || args.language.is_none();
        // A file with source and one translation names the language of the latter.
        let named = document.language.clone().filter(|_| kind != FileKind::Bilingual && is_source);
        let known = document.entries.iter().filter(|_| is_source);
        Self {
            language: args.source_language.clone().or(named),
            original: file_name(&args.input),
            texts: known.map(|entry| (entry.key.clone(), entry.content.clone())).collect(),
        }
    }

    /// The new file, where the format has a place for source and translation, and something is known of the source. Without the
    /// language of a translation it has source texts alone.
    fn written(&self, to: &dyn Format, language: Option<&str>, entries: &[Entry]) -> Option<Vec<u8>> {
        if self.texts.is_empty() && self.language.is_none() {
            return None;
        }
        let texts = |key: &str| self.texts.get(key).cloned();
        let (source, original) = (self.language.as_deref(), self.original.as_deref());
        to.render_new_beside(language, entries, &SourceTexts { language: source, original, texts: &texts })
    }
}

/// The name of a file; standard input has none.
fn file_name(path: &Path) -> Option<String> {
    let name = path.file_name().filter(|_| path != Path::new("-"))?;
    Some(name.to_string_lossy().into_owned())
}

fn read_as(name: &str, bytes: &[u8], format: Option<FormatId>) -> Result<&'static dyn Format, CliError> {
    match format {
        Some(format) => Ok(files::by_id(format)),
        None => files::detect(name, bytes).map_err(|error| usage(format!("{name}: {error}"), "say `--from FORMAT`")),
    }
}

/// The format of a file that is not there yet.
fn written_as(path: &Path, format: Option<FormatId>) -> Result<&'static dyn Format, CliError> {
    if let Some(format) = format {
        return Ok(files::by_id(format));
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    let fitting: Vec<_> = files::all().filter(|format| format.extensions().contains(&extension.as_str())).collect();
    match fitting.as_slice() {
        [only] => Ok(*only),
        // Every tool that reads XLIFF reads version 1.2.
        _ if fitting.iter().any(|format| format.id() == FormatId::Xliff1) => Ok(files::by_id(FormatId::Xliff1)),
        [] => Err(usage(format!("no format has files like {}", path.display()), "say `--to FORMAT`")),
        several => {
            let names: Vec<&str> = several.iter().map(|format| format.id().as_str()).collect();
            Err(usage(format!("{} may be one of {}", path.display(), names.join(", ")), "say `--to FORMAT`"))
        }
    }
}

/// Entries of a file with source and translation, with their translations as contents.
fn with_contents(entries: Vec<Entry>, translated: Vec<Entry>) -> Vec<Entry> {
    let mut contents: HashMap<String, Content> =
        translated.into_iter().map(|entry| (entry.key, entry.content)).collect();
    let said = |entry: Entry| {
        let content = contents.remove(&entry.key)?;
        Some(Entry { content, ..entry })
    };
    entries.into_iter().filter_map(said).collect()
}

/// The losses, each with the keys of its texts.
fn losses(
    (before, from, items): (&[Entry], FormatId, &HashSet<String>),
    (after, to, items_now): (&[Entry], FormatId, &HashSet<String>),
) -> Vec<Loss> {
    let found: HashMap<&str, &Entry> = after.iter().map(|entry| (entry.key.as_str(), entry)).collect();
    let mut lost: [(&'static str, Vec<String>); 9] = [
        ("texts that the format cannot hold", Vec::new()),
        ("plurals that are one text now", Vec::new()),
        ("plurals that lack or gained forms", Vec::new()),
        ("texts that are read otherwise now", Vec::new()),
        ("descriptions", Vec::new()),
        ("limits of length", Vec::new()),
        ("placeholders of another syntax, which the new format reads otherwise", Vec::new()),
        ("items of lists, which have names now", Vec::new()),
        ("names that are items of lists now", Vec::new()),
    ];
    let mut note = |at: usize, entry: &Entry| {
        if let Some((_, keys)) = lost.get_mut(at) {
            keys.push(entry.key.clone());
        }
    };
    for entry in before {
        let Some(now) = found.get(entry.key.as_str()) else {
            note(0, entry);
            continue;
        };
        match (&entry.content, &now.content) {
            (Content::Plural(_), Content::Text(_)) => note(1, entry),
            (Content::Plural(was), Content::Plural(is)) if !was.forms.keys().eq(is.forms.keys()) => note(2, entry),
            (Content::Plural(was), Content::Plural(is)) if was.forms == is.forms => {}
            (was, is) if was != is => note(3, entry),
            _ => {}
        }
        if entry.description.is_some() && now.description.is_none() {
            note(4, entry);
        }
        if entry.max_length.is_some() && now.max_length.is_none() {
            note(5, entry);
        }
        match (items.contains(&entry.key), items_now.contains(&entry.key)) {
            (true, false) => note(7, entry),
            (false, true) => note(8, entry),
            _ => {}
        }
        let (was, is) = (syntax_of(from, entry), syntax_of(to, now));
        if was != is && entry.content.texts().any(|text| !reads_alike(text, was, is)) {
            note(6, entry);
        }
    }
    lost.into_iter().filter(|(_, keys)| !keys.is_empty()).map(|(what, keys)| Loss { what, keys }).collect()
}

/// Returns true if two syntaxes find the same placeholders in a text. Braces of Fluent are no others': `{ $name }` is found by a
/// reader of `{name}`, and means nothing to it.
fn reads_alike(text: &str, was: Syntax, is: Syntax) -> bool {
    let (before, after) = (parts(text, was), parts(text, is));
    let is_fluent = |syntax: Syntax| syntax == Syntax::Fluent;
    before == after && (before.is_empty() || is_fluent(was) == is_fluent(is))
}

/// The placeholders of a text in a syntax.
fn parts(text: &str, syntax: Syntax) -> Vec<std::ops::Range<usize>> {
    let is_shared = |kind| matches!(kind, SpanKind::Tag | SpanKind::Entity | SpanKind::Escape | SpanKind::Url);
    scan(text, syntax).into_iter().filter(|span| !is_shared(span.kind)).map(|span| span.range).collect()
}

/// `` 7: `a`, `b` and 5 more ``
fn named(keys: &[String]) -> String {
    let names: Vec<String> = keys.iter().take(NAMED).map(|key| format!("`{key}`")).collect();
    let more = match keys.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}: {}{more}", keys.len(), names.join(", "))
}
