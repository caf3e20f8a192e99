//! `l10n init`: detects localization files and writes `l10n.toml`. It asks nothing and replaces nothing without
//! `--force`.

use l10n_formats::files;
use l10n_formats::locales::is_tag_like;
use serde::Serialize;

use crate::args::InitArgs;
use crate::atomic;
use crate::config::{Config, FILE_NAME, FilesSection};
use crate::context::Context;
use crate::detect_files::detect_files;
use crate::error::{CliError, usage};
use crate::exit::ExitStatus;
use crate::settings::{API_KEY, BASE_URL, PROJECT};
use crate::table::{Align, Table};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Initialized<'a> {
    path: String,
    written: bool,
    base_language: &'a str,
    files: Vec<FoundFiles>,
    without_base_language: &'a [String],
}

#[derive(Serialize)]
struct FoundFiles {
    source: String,
    format: l10n_client::api::FormatId,
    languages: Vec<String>,
    files: usize,
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
    let nothing = |what: String| {
        usage(
            what,
            "start with a file such as locales/en.json, or write l10n.toml by hand:\n    [[files]]\n    source = \"locales/{language}.json\"",
        )
    };
    let found = detect_files(root, args.base_language.as_deref())
        .ok_or_else(|| nothing(format!("no localization files ({}) found in {}", extensions(), root.display())))?;
    if found.groups.is_empty() {
        return Err(nothing(format!("no localization file in the base language `{}` found", found.base_language)));
    }
    let variable = |flag: &Option<String>, name: &str| flag.clone().or_else(|| context.variable(name));
    let config = Config {
        base_url: variable(&global.base_url, BASE_URL),
        project: variable(&global.project, PROJECT),
        base_language: Some(found.base_language.clone()),
        files: found.groups.iter().map(section).collect(),
        ..Config::default()
    };
    let text = config.to_toml();
    if !args.dry_run {
        atomic::write(&path, text.as_bytes())?;
    }

    let printer = &context.printer;
    printer.json(&Initialized {
        path: path.display().to_string(),
        written: !args.dry_run,
        base_language: &found.base_language,
        files: found
            .groups
            .iter()
            .map(|group| FoundFiles {
                source: group.pattern.clone(),
                format: group.format,
                languages: group.languages.iter().cloned().collect(),
                files: group.files,
            })
            .collect(),
        without_base_language: &found.without_base,
    });
    let mut table = Table::new([
        ("SOURCE", Align::Left),
        ("FORMAT", Align::Left),
        ("FILES", Align::Right),
        ("LANGUAGES", Align::Left),
    ]);
    for group in &found.groups {
        let languages: Vec<&str> = group.languages.iter().map(String::as_str).collect();
        table.row([group.pattern.clone(), group.format.to_string(), group.files.to_string(), languages.join(", ")]);
    }
    printer.table(&table);
    printer.line(format!("Base language: {}", found.base_language));
    for pattern in &found.without_base {
        printer.warn(format!("`{pattern}` is left out: it has no file in `{}`", found.base_language));
    }
    if args.dry_run {
        printer.line(format!("\nWould write {}:\n\n{text}", path.display()));
        return Ok(ExitStatus::Success);
    }
    printer.done(format!("Wrote {}", path.display()));
    next_steps(context, &config, found.groups.iter().any(|group| group.languages.len() > 1));
    Ok(ExitStatus::Success)
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

fn section(group: &crate::detect_files::Group) -> FilesSection {
    FilesSection { source: group.pattern.clone(), format: Some(group.format), output: None, empty_as: None }
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
