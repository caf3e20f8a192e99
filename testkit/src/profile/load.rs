//! Reading a profile: the environment over the file over what is left out.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use toml::Table;

use super::{Profile, Secret, environment};

/// The reason why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The file cannot be read.
    #[error("cannot read the profile {0}: {1}")]
    Read(PathBuf, #[source] io::Error),
    /// It is no profile. Says where in the file.
    #[error("{0}")]
    Parse(String),
    /// It contradicts itself, or lacks something: a sentence for each, in lines.
    #[error("the profile is not valid:\n{0}")]
    Invalid(String),
}

impl Profile {
    /// Reads a profile from a TOML file; variables `L10N_TESTKIT_*` of the environment override it.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read, is not a profile, or lacks what it claims.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let text = std::fs::read_to_string(path).map_err(|error| ProfileError::Read(path.to_owned(), error))?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Self::parse(&text, &path.display().to_string(), folder, std::env::vars())
    }

    /// A profile of that text, called `name` in errors; its paths are relative to `folder`.
    pub(super) fn parse(
        text: &str,
        name: &str,
        folder: &Path,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ProfileError> {
        let at = |error: &toml::de::Error| ProfileError::Parse(located(name, text, error));
        let mut table: Table = toml::from_str(text).map_err(|error| at(&error))?;
        let named = secrets_in(&toml::Value::Table(table.clone()));
        let changed = environment::apply(&mut table, variables, &named).map_err(ProfileError::Parse)?;
        let mut profile: Self = if changed.is_empty() {
            toml::from_str(text).map_err(|error| at(&error))?
        } else {
            Self::deserialize(table).map_err(|error| {
                // What the file alone has wrong is told with its line.
                match toml::from_str::<Self>(text) {
                    Err(alone) if alone.message() == error.message() => at(&alone),
                    _ => ProfileError::Parse(format!("{name} with {}: {}", changed.join(", "), error.message())),
                }
            })?
        };
        profile.resolve(folder)?;
        profile.validate()?;
        Ok(profile)
    }

    /// Reads the secrets, and makes paths relative to the profile's folder.
    fn resolve(&mut self, folder: &Path) -> Result<(), ProfileError> {
        let mut missing = Vec::new();
        for (name, project) in self.named_projects_mut() {
            for (identity, secret) in &mut project.keys {
                if let Err(error) = secret.read(folder) {
                    missing.push(format!("{name}.keys.{identity}: {error}"));
                }
            }
        }
        let receiver =
            self.receiver.iter_mut().flat_map(|one| [&mut one.ca, &mut one.ca_key, &mut one.cert, &mut one.key]);
        for path in receiver.chain([&mut self.api_ca]).flatten() {
            *path = folder.join(&*path);
        }
        if missing.is_empty() { Ok(()) } else { Err(ProfileError::Invalid(listed(&missing))) }
    }
}

/// Sentences as lines.
pub(super) fn listed(sentences: &[String]) -> String {
    sentences.iter().map(|one| format!("  {one}")).collect::<Vec<_>>().join("\n")
}

/// The variables of the environment that hold secrets of the profile.
fn secrets_in(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(text) => Secret::variable(text).map(str::to_owned).into_iter().collect(),
        toml::Value::Array(all) => all.iter().flat_map(secrets_in).collect(),
        toml::Value::Table(all) => all.values().flat_map(secrets_in).collect(),
        _ => Vec::new(),
    }
}

/// The error, its position, and the probably intended name.
fn located(name: &str, text: &str, error: &toml::de::Error) -> String {
    let line = error.span().and_then(|span| text.get(..span.start)).map(|before| before.matches('\n').count() + 1);
    let place = line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"));
    format!("{place}: {}{}", error.message().trim().replace('\n', " "), meant(error.message()))
}

/// The known name that is most like the one that is not.
fn meant(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    let (Some(wrong), true) = (quoted.next(), unknown) else { return String::new() };
    let near = quoted.min_by_key(|name| strsim::damerau_levenshtein(wrong, name));
    match near.filter(|near| strsim::damerau_levenshtein(wrong, near) <= 3) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}
