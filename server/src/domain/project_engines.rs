//! The engines of a project: those of the server, or a chain that it chooses, for all of its languages or for one.
//!
//! An engine that was chosen and is not configured any more translates nothing. No other one takes its place but those of the
//! same chain: texts go to nobody whom their project has not chosen.

use std::collections::BTreeMap;

use l10n_api_types::{LanguageCode, ProjectId};

use super::ServiceError;
use super::run::targets::of_project;
use crate::config::EngineNames;
use crate::engines::{EngineRegistry, Engines};
use crate::store::engine_choices::{self, EngineChoice};
use crate::store::languages::{self, Language};
use crate::store::{Tx, lock};

/// The engines of a project.
#[derive(Debug, Clone)]
pub(crate) struct ProjectEngines {
    registry: EngineRegistry,
    choice: EngineChoice,
}

impl ProjectEngines {
    /// The engines that a project has now.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub(crate) async fn find(
        tx: &mut Tx,
        registry: &EngineRegistry,
        project: &ProjectId,
    ) -> Result<Self, ServiceError> {
        Ok(Self::of(registry, engine_choices::find(tx, project).await?))
    }

    /// The engines that this choice makes of those of the server.
    pub(crate) fn of(registry: &EngineRegistry, choice: EngineChoice) -> Self {
        Self { registry: registry.clone(), choice }
    }

    /// The chain of the languages that have none of their own.
    pub(crate) fn chain(&self) -> Engines {
        match self.choice.chain.as_slice() {
            [] => self.registry.standard().clone(),
            names => self.registry.chain(names),
        }
    }

    /// The chain that translates into a language.
    pub(crate) fn of_language(&self, code: &str) -> Engines {
        self.choice.languages.get(code).map_or_else(|| self.chain(), |names| self.registry.chain(names))
    }

    /// The names of the chains that translate into these languages, each once.
    pub(crate) fn names<'a>(&self, languages: impl Iterator<Item = &'a str>) -> String {
        let mut names: Vec<String> = Vec::new();
        for language in languages {
            let name = self.of_language(language).name().to_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join("; ")
    }
}

/// Changes the choice of a project, and returns it. The project's languages are given to `change`.
///
/// # Errors
///
/// Returns an error if the datastore fails or there is no such project, and the error of `change`; nothing is written then.
pub(crate) async fn change<E: From<ServiceError>>(
    tx: &mut Tx,
    project: &ProjectId,
    change: impl FnOnce(&mut EngineChoice, &[Language]) -> Result<(), E>,
) -> Result<EngineChoice, E> {
    // A run or a chunk of a job that has read the choice before ends first, and nobody else changes it meanwhile.
    lock::project(tx, project).await.map_err(ServiceError::from)?;
    let mut choice = engine_choices::find(tx, project).await.map_err(ServiceError::from)?;
    let languages = languages::list(tx, project).await.map_err(ServiceError::from)?;
    change(&mut choice, &languages)?;
    engine_choices::set(tx, project, &choice).await.map_err(ServiceError::from)?;
    Ok(choice)
}

/// Reads a chain as people write it: names with commas between them; nothing for the chain that is chosen otherwise.
///
/// # Errors
///
/// A sentence that names the engines that there are.
pub(crate) fn read_chain(registry: &EngineRegistry, text: &str) -> Result<Vec<String>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let names = EngineNames::try_from(text.to_owned())?.into_names();
    match names.iter().find(|name| !registry.has(name)) {
        Some(unknown) => Err(format!("there is no engine `{unknown}`, only {}", known(registry))),
        None => Ok(names),
    }
}

/// The names of the engines that there are.
pub(crate) fn known(registry: &EngineRegistry) -> String {
    registry.names().collect::<Vec<_>>().join(", ")
}

/// Reads the chain of one language, and puts it in its place; an empty one takes it away.
///
/// # Errors
///
/// A sentence that names the languages or engines that there are, and the place `at`.
pub(crate) fn read_language(
    (registry, languages): (&EngineRegistry, &[Language]),
    (code, text): (&str, &str),
    at: &str,
    into: &mut BTreeMap<String, Vec<String>>,
) -> Result<(), String> {
    let code = of_project(&LanguageCode::from(code), at, languages).map_err(|error| error.to_string())?.code.clone();
    match read_chain(registry, text).map_err(|error| format!("`{at}`: {error}"))? {
        chain if chain.is_empty() => into.remove(&code),
        chain => into.insert(code, chain),
    };
    Ok(())
}

/// A chain as people write it.
pub(crate) fn written(chain: &[String]) -> String {
    chain.join(", ")
}

/// The chains of single languages as people write them, a line for each.
pub(crate) fn written_languages(languages: &BTreeMap<String, Vec<String>>) -> String {
    let lines: Vec<String> = languages.iter().map(|(code, chain)| format!("{code}: {}", written(chain))).collect();
    lines.join("\n")
}

/// Reads chains of single languages as people write them: a line for each, with a colon behind the language.
///
/// # Errors
///
/// A sentence that names the line.
pub(crate) fn read_languages(
    (registry, languages): (&EngineRegistry, &[Language]),
    text: &str,
) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut chains = BTreeMap::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", at + 1);
        let Some((code, chain)) = line.split_once(':').filter(|(_, chain)| !chain.trim().is_empty()) else {
            return Err(format!(
                "`{place}` has to be a language, a colon, and engines, such as de: {}",
                known(registry)
            ));
        };
        let before = chains.len();
        read_language((registry, languages), (code.trim(), chain), &place, &mut chains)?;
        if chains.len() == before {
            return Err(format!("`{place}`: another line names the language `{}` already", code.trim()));
        }
    }
    Ok(chains)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clock::Timestamp;
    use crate::engines::{IdentityEngine, Pseudo, Translator};

    fn registry() -> EngineRegistry {
        let pseudo: Arc<dyn Translator> = Arc::new(Pseudo);
        EngineRegistry::new(Engines::from(pseudo), vec![Arc::new(IdentityEngine)])
    }

    fn languages() -> Vec<Language> {
        let row = |(position, code): (i64, &str)| Language {
            code: code.to_owned(),
            is_base: position == 0,
            position,
            created_at: Timestamp::from_millis(0),
        };
        [(0, "en"), (1, "de"), (2, "pt-BR")].map(row).into()
    }

    #[test]
    fn a_chain_is_names_that_the_server_knows_each_once() {
        let read = |text: &str| read_chain(&registry(), text);
        assert_eq!(read(" identity , pseudo").unwrap(), ["identity", "pseudo"]);
        assert_eq!(read("  ").unwrap(), Vec::<String>::new());
        assert_eq!(read("pseudo,babel").unwrap_err(), "there is no engine `babel`, only identity, pseudo");
        assert_eq!(read("pseudo,pseudo").unwrap_err(), "it names `pseudo` twice");
        assert!(read("pseudo,").unwrap_err().contains("it takes the name of an engine"));
    }

    #[test]
    fn languages_stand_a_line_each_and_a_wrong_line_is_named() {
        let (registry, languages) = (registry(), languages());
        let read = |text: &str| read_languages((&registry, &languages), text);
        let chains = read("\npt_br: identity, pseudo\r\nde :pseudo\n").unwrap();
        assert_eq!(written_languages(&chains), "de: pseudo\npt-BR: identity, pseudo");
        assert_eq!(read(&written_languages(&chains)), Ok(chains));
        assert_eq!(read(""), Ok(BTreeMap::new()));
        for (text, words) in [
            ("de: pseudo\nfr: pseudo", "`line 2`: the project has no language `fr`; it has en, de, pt-BR"),
            ("de: babel", "`line 1`: there is no engine `babel`, only identity, pseudo"),
            ("de", "`line 1` has to be a language, a colon, and engines"),
            ("de:", "`line 1` has to be a language, a colon, and engines"),
            ("de: pseudo\nDE: identity", "`line 2`: another line names the language `DE` already"),
            ("english!: pseudo", "is not a BCP 47 language tag"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[tokio::test]
    async fn an_engine_that_is_gone_translates_nothing_and_the_next_of_the_chain_is_asked() {
        use crate::engines::pipeline::{SourceText, Work};
        let choice = EngineChoice {
            chain: vec!["gone".to_owned()],
            languages: BTreeMap::from([("de".to_owned(), vec!["gone".to_owned(), "identity".to_owned()])]),
        };
        let engines = ProjectEngines { registry: registry(), choice };
        assert_eq!(engines.names(["de", "fr", "it"].into_iter()), "gone,identity; gone");
        let units = [SourceText {
            content: l10n_api_types::Content::Text("Save".into()),
            description: None,
            facts: l10n_formats::text::checks::Facts::default(),
        }];
        for (language, made_by) in [("de", Some("identity")), ("fr", None)] {
            let mut work = Work::new("en", language, &units);
            let fault = work.attempt_all(&engines.of_language(language)).await.err();
            let result = work.finish(fault.as_ref()).remove(0);
            assert_eq!(result.ok().map(|made| made.engine).as_deref(), made_by, "{language}");
        }
    }
}
