//! `l10n init`: detects localization files and writes `l10n.toml`. It says why it takes each file and what it leaves out, asks
//! nothing, and replaces nothing without `--force`.

use std::collections::BTreeSet;
use std::path::Path;

use l10n_client::api::FormatId;
use l10n_client::api::output_formats::MOST_OUTPUT_FORMATS;
use l10n_formats::files;
use l10n_formats::locales::is_tag_like;
use serde::Serialize;

use crate::args::InitArgs;
use crate::atomic;
use crate::config::{Config, FILE_NAME, FilesSection};
use crate::context::Context;
use crate::detect_files::{DetectedFiles, FileGroup, detect_files};
use crate::error::{CliError, usage};
use crate::exit::ExitStatus;
use crate::settings::{API_KEY, BASE_URL, PROJECT};
use crate::table::{Align, Table};

/// Files left out that are named; `--json` lists all.
const NAMED: usize = 20;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Initialized<'a> {
    path: String,
    written: bool,
    /// Left out where nothing says it: that of the project counts then.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_language: Option<&'a str>,
    files: Vec<FoundFiles<'a>>,
    left_out: Vec<LeftOutFile<'a>>,
}

#[derive(Serialize)]
struct FoundFiles<'a> {
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    format: FormatId,
    languages: &'a BTreeSet<String>,
    files: usize,
    why: &'a str,
}

#[derive(Serialize)]
struct LeftOutFile<'a> {
    path: &'a str,
    why: &'a str,
}

pub(crate) fn init(context: &Context, args: &InitArgs) -> Result<ExitStatus, CliError> {
    let global = &context.global;
    let path = context.folder.join(global.config.as_deref().unwrap_or(FILE_NAME.as_ref()));
    if path.exists() && !args.force && !args.dry_run {
        return Err(usage(
            format!("{} exists already; it was not changed", path.display()),
            "--force replaces it, --dry-run shows what would be written",
        ));
    }
    let root = path.parent().unwrap_or(&context.folder);
    if let Some(code) = &args.base_language
        && !is_tag_like(code)
    {
        return Err(usage(format!("`{code}` is not a language tag"), "write it like en or pt-BR"));
    }
    let found = detect_files(root, args.base_language.as_deref());
    if found.groups.is_empty() {
        print_left_out(context, &found);
        return Err(nothing_found(root, &found));
    }
    let variable = |flag: &Option<String>, name: &str| flag.clone().or_else(|| context.variable(name));
    let config = Config {
        base_url: variable(&global.base_url, BASE_URL),
        project: variable(&global.project, PROJECT),
        base_language: found.base.as_ref().map(|base| base.tag.clone()),
        files: found.groups.iter().map(section).collect(),
        ..Config::default()
    };
    let text = config.to_toml();
    if !args.dry_run {
        atomic::write(&path, text.as_bytes())?;
    }

    print(context, &found, &path, !args.dry_run);
    let printer = &context.printer;
    if args.dry_run {
        printer.line(format!("\nWould write {}:\n\n{text}", path.display()));
        return Ok(ExitStatus::Success);
    }
    printer.done(format!("Wrote {}", path.display()));
    next_steps(
        context,
        &config,
        found.groups.iter().any(|group| group.languages.len() + usize::from(group.output.is_some()) > 1),
    );
    Ok(ExitStatus::Success)
}

/// Prints the files that were found, and those that are left out, with the reasons.
fn print(context: &Context, found: &DetectedFiles, path: &Path, written: bool) {
    let printer = &context.printer;
    let of = |group: &'_ FileGroup| -> [String; 4] {
        let languages: Vec<&str> = group.languages.iter().map(String::as_str).collect();
        [group.source.clone(), group.format.to_string(), group.files.to_string(), languages.join(", ")]
    };
    printer.json(&Initialized {
        path: path.display().to_string(),
        written,
        base_language: found.base.as_ref().map(|base| base.tag.as_str()),
        files: found
            .groups
            .iter()
            .map(|group| FoundFiles {
                source: &group.source,
                output: group.output.as_deref(),
                format: group.format,
                languages: &group.languages,
                files: group.files,
                why: &group.why,
            })
            .collect(),
        left_out: found.left_out.iter().map(|file| LeftOutFile { path: &file.path, why: &file.why }).collect(),
    });
    let mut table = Table::new([
        ("SOURCE", Align::Left),
        ("FORMAT", Align::Left),
        ("FILES", Align::Right),
        ("LANGUAGES", Align::Left),
    ]);
    found.groups.iter().for_each(|group| table.row(of(group)));
    printer.table(&table);
    for group in &found.groups {
        let output = group.output.as_ref().map(|output| format!(" Translations go to {output}.")).unwrap_or_default();
        printer.line(format!("{}: {}.{output}", group.source, group.why));
    }
    match &found.base {
        Some(base) => printer.line(format!("Base language: {} ({}).", base.tag, base.why)),
        None => printer.warn(
            "the language of the source files is not declared; the project's base language applies unless --base-language CODE is given",
        ),
    }
    print_left_out(context, found);
    if found.groups.len() > MOST_OUTPUT_FORMATS {
        printer.warn(format!(
            "these are {} entries, and a project has at most {MOST_OUTPUT_FORMATS} output formats: join some, as with {{namespace}} or `*`",
            found.groups.len()
        ));
    }
}

fn print_left_out(context: &Context, found: &DetectedFiles) {
    for file in found.left_out.iter().take(NAMED) {
        context.printer.warn(format!("{} is left out: {}", file.path, file.why));
    }
    if let Some(more) = found.left_out.len().checked_sub(NAMED).filter(|more| *more > 0) {
        context.printer.warn(format!("{more} more are left out; --json lists them"));
    }
}

fn nothing_found(root: &Path, found: &DetectedFiles) -> CliError {
    let what = match &found.base {
        Some(base) => format!("no localization file in the base language `{}` found", base.tag),
        None if !found.left_out.is_empty() => format!("no source file found in {}", root.display()),
        None => format!("no localization files ({}) found in {}", extensions(), root.display()),
    };
    if !found.left_out.is_empty() {
        return usage(
            what,
            "add the source file of the files that are left out: gettext's xgettext and `makemessages --keep-pot` write a \
             template, Qt's lupdate and Angular's `ng extract-i18n` a catalogue; then run `l10n init` again, with \
             --base-language CODE if its path does not say the language",
        );
    }
    usage(
        what,
        "start with a file such as locales/en.json, or write l10n.toml by hand:\n    [[files]]\n    source = \"locales/{language}.json\"",
    )
}

/// The extensions of files that could be found, each once.
fn extensions() -> String {
    let mut known: Vec<&str> = Vec::new();
    for extension in files::all().flat_map(|format| format.extensions()) {
        if !known.contains(extension) {
            known.push(extension);
        }
    }
    known.join(", ")
}

fn section(group: &FileGroup) -> FilesSection {
    FilesSection {
        source: group.source.clone(),
        format: Some(group.format),
        output: group.output.clone(),
        empty_as: None,
    }
}

fn next_steps(context: &Context, config: &Config, has_translations: bool) {
    let mut steps = Vec::new();
    if config.base_url.is_none() || config.project.is_none() {
        steps.push(format!("set base_url and project in {FILE_NAME}"));
    }
    if context.variable(API_KEY).is_none() {
        steps.push(format!("export {API_KEY}=eik_…      # dashboard, Settings, API keys"));
    }
    steps.push("l10n doctor                    # checks the setup".to_owned());
    if has_translations {
        let known =
            "l10n sync                      # registers the keys; free while the project has no target language";
        let import = "l10n import                    # imports existing translations, free of charge";
        steps
            .extend([known, "l10n languages add …           # the languages of your files", import].map(str::to_owned));
    }
    steps.push("l10n sync --dry-run            # shows the price".to_owned());
    steps.push("l10n sync && l10n publish && l10n pull".to_owned());
    context.printer.note("\nNext:");
    for step in steps {
        context.printer.note(format!("  {step}"));
    }
}
