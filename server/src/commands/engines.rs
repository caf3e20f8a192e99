//! `l10n-server engines list|test`: the engines of the configuration, without a database. `used` looks into one.

use std::fmt::Write as _;
use std::time::Instant;

use crate::config::{Config, EngineKind, EngineSettings, Overrides, built_in};
use crate::engines::pipeline::{SourceText, Work};
use crate::engines::{Apertium, Engines, chosen, engine};
use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use l10n_api_types::Content;
use l10n_formats::locales;
use l10n_formats::text::checks::Facts;

use super::engines_used::used;
use super::shared::print;

#[derive(Subcommand)]
pub(crate) enum EnginesCommand {
    /// List the engines that are configured: first those of the setting `engine`, in the order in which they are asked, then those
    /// that only projects choose
    List,
    /// Translate one text and say what came back, how long it took and what it would cost
    Test {
        /// Engine, by its name; by default the whole chain of the setting `engine`
        #[arg(value_name = "NAME")]
        name: Option<String>,
        /// Text to translate
        #[arg(long, default_value = "Save {count} files to <b>{folder}</b>.")]
        text: String,
        /// Language of the text
        #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = language)]
        from: String,
        /// Language to translate into
        #[arg(long, value_name = "LANGUAGE", default_value = "es", value_parser = language)]
        to: String,
    },
    /// Show what each engine translated in the newest runs of a project, and at which price
    Used {
        /// Project, as HANDLE/SLUG
        #[arg(value_name = "HANDLE/SLUG")]
        project: String,
        /// Maximum number of runs to list
        #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=500))]
        limit: u16,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
}

impl EnginesCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        match self {
            Self::List => list(&config),
            Self::Used { project, limit, json } => used(&config, &project, limit.into(), json).await,
            Self::Test { name, text, from, to } => {
                let engines = match name {
                    None => chosen(&config.engines),
                    Some(name) => Engines::from(engine(&named(&config, &name)?, &config.engines.key_variables())),
                };
                test(&config, &engines, text, (&from, &to)).await
            }
        }
    }
}

/// Refuses to go on when an engine cannot work as it is configured.
///
/// # Errors
///
/// That.
pub(crate) fn need_working_engines(engines: &Engines) -> Result<()> {
    match engines.problem() {
        Some(problem) => bail!("{problem} (setting `engine`)"),
        None => Ok(()),
    }
}

/// A language as projects have it: `pt_br` is `pt-BR`.
fn language(tag: &str) -> Result<String, String> {
    locales::canonicalize(tag).map_err(|error| error.to_string())
}

fn all(config: &Config) -> impl Iterator<Item = &EngineSettings> {
    config.engines.all()
}

fn named(config: &Config, name: &str) -> Result<EngineSettings> {
    let found = all(config).find(|settings| settings.name == name).cloned().or_else(|| built_in(name));
    found.with_context(|| format!("there is no engine `{name}`; `l10n-server engines list` lists them"))
}

fn list(config: &Config) -> Result<()> {
    for (at, settings) in config.engines.chosen.iter().enumerate() {
        print(&format!("{}. {}", at + 1, described(settings)))?;
    }
    for settings in &config.engines.others {
        print(&format!("-  {}, only for projects that choose it", described(settings)))?;
    }
    Ok(())
}

fn described(settings: &EngineSettings) -> String {
    let mut line = format!("{} ({}", settings.name, settings.kind.as_str());
    match &settings.kind {
        EngineKind::Pseudo | EngineKind::Identity => {}
        EngineKind::Apertium { modes, timeout, .. } => {
            let names = Apertium::new(&settings.name, modes, *timeout).modes();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
            let _ = write!(line, ", modes in {}: {names}", modes.display());
        }
        // Arguments may be secrets.
        EngineKind::Exec { command, .. } => {
            let _ = write!(line, ", {}", command.first().map(String::as_str).unwrap_or_default());
        }
        EngineKind::Google { remote, project: Some(project) } => {
            let _ = write!(line, ", project {} in {} at {}", project.name, project.location, remote.address);
        }
        EngineKind::LibreTranslate(remote)
        | EngineKind::DeepL { remote, .. }
        | EngineKind::Google { remote, project: None }
        | EngineKind::Azure { remote, .. }
        | EngineKind::Http(remote) => {
            let _ = write!(line, ", {}", remote.address);
        }
        EngineKind::OpenAi { remote, model } => {
            let _ = write!(line, ", {} at {}", model.name, remote.address);
        }
    }
    if let Some(price) = settings.millicredits_per_character {
        let _ = write!(line, ", {price} millicredits a character");
    }
    line + ")"
}

async fn test(config: &Config, engines: &Engines, text: String, (from, to): (&str, &str)) -> Result<()> {
    need_working_engines(engines)?;
    let units = [SourceText { content: Content::Text(text), description: None, facts: Facts::default() }];
    let began = Instant::now();
    let mut work = Work::new(from, to, &units);
    let fault = work.attempt_all(engines).await.err();
    let took = began.elapsed();
    for fault in work.faults() {
        print(&format!("fault: {fault}"))?;
    }
    let result = work.finish(fault.as_ref()).pop().context("no result")?;
    let translated = result.with_context(|| format!("{} did not translate it", engines.name()))?;
    let Content::Text(text) = &translated.content else { bail!("the translation is no text") };
    print(text)?;
    for issue in &translated.issues {
        print(&format!("issue: {}: {}", issue.check, issue.message))?;
    }
    let characters = units[0].content.characters();
    let price = config.settings.pricing.of_engine(&translated.engine).price(characters);
    print(&format!(
        "{} took {} ms; {characters} characters cost {} millicredits",
        translated.engine,
        took.as_millis(),
        price.0
    ))
}
