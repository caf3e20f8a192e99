//! Base URL, project and key: flags win over environment, environment over `l10n.toml`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use url::Url;

use crate::args::GlobalArgs;
use crate::config::{Config, ConfigError};
use crate::error::Failure;
use crate::exit::ExitStatus;

/// Environment variable of the key.
pub(crate) const API_KEY: &str = "L10N_API_KEY";
/// Environment variable of the base URL.
pub(crate) const BASE_URL: &str = "L10N_BASE_URL";
/// Environment variable of the project.
pub(crate) const PROJECT: &str = "L10N_PROJECT";

/// An API key. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ApiKey(String);

impl ApiKey {
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// The source of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Flag(&'static str),
    Environment(&'static str),
    File(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Environment(name) => f.write_str(name),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A setting and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

/// A project, as the user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProjectName {
    /// By its id.
    Id(String),
    /// By its workspace's handle and its own slug.
    Slug { workspace: String, project: String },
}

impl fmt::Display for ProjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => f.write_str(id),
            Self::Slug { workspace, project } => write!(f, "{workspace}/{project}"),
        }
    }
}

/// A setting is missing or invalid.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error("no API key")]
    NoApiKey,
    #[error("{origin} does not contain a valid API key: {reason}")]
    NotAKey { origin: Origin, reason: &'static str },
    #[error("the key file {path} could not be read: {source}", path = path.display())]
    KeyFile { path: PathBuf, source: std::io::Error },
    #[error("no base URL")]
    NoBaseUrl,
    #[error("`{value}` in {origin} is not a valid base URL: {reason}")]
    BadBaseUrl { value: String, origin: Origin, reason: String },
    #[error("no project")]
    NoProject,
    #[error("`{value}` in {origin} is neither a project id nor `workspace/project`")]
    BadProject { value: String, origin: Origin },
}

impl Failure for SettingsError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NoApiKey | Self::NotAKey { .. } => ExitStatus::Auth,
            _ => ExitStatus::Usage,
        }
    }

    fn code(&self) -> &str {
        match self {
            Self::NoApiKey | Self::NotAKey { .. } => "no_api_key",
            Self::KeyFile { .. } => "key_file",
            Self::NoBaseUrl | Self::BadBaseUrl { .. } => "base_url",
            Self::NoProject | Self::BadProject { .. } => "project",
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoApiKey => {
                format!(
                    "create one in the dashboard (Settings, API keys), then set {API_KEY} or use --api-key-file PATH"
                )
            }
            Self::NotAKey { .. } => "a key starts with `eik_` and is shown once, when it is created".into(),
            Self::KeyFile { .. } => "check the path and its permissions".into(),
            Self::NoBaseUrl => {
                format!("set base_url in l10n.toml, {BASE_URL}, or --base-url, to something like https://host/v1")
            }
            Self::BadBaseUrl { .. } => "write it as https://host/v1".into(),
            Self::NoProject => {
                format!("set project in l10n.toml, {PROJECT}, or --project, to `workspace/project` or the project's id")
            }
            Self::BadProject { .. } => "write `workspace/project`, or an id such as prj_…".into(),
        })
    }
}

/// The merged settings of flags, environment and `l10n.toml`.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// `l10n.toml`, if there is one.
    pub(crate) config: Option<(PathBuf, Config)>,
    /// The working folder without an `l10n.toml`.
    pub(crate) folder: PathBuf,
    base_url: Option<Setting<String>>,
    project: Option<Setting<String>>,
    api_key: Option<Setting<KeySource>>,
    pub(crate) timeout: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum KeySource {
    Value(ApiKey),
    File(PathBuf),
}

impl Settings {
    /// Reads the settings. `environment` reads a variable; an empty one counts as not set.
    pub(crate) fn read(
        args: &GlobalArgs,
        environment: impl Fn(&str) -> Option<String>,
        folder: &Path,
    ) -> Result<Self, ConfigError> {
        let path = match &args.config {
            Some(path) => Some(folder.join(path)),
            None => Config::find(folder),
        };
        let config = match path {
            Some(path) => Some((path.clone(), Config::read(&path)?)),
            None => None,
        };
        let variable = |name: &'static str| {
            let value = environment(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
            value.map(|value| Setting { value, origin: Origin::Environment(name) })
        };
        let flag =
            |value: &Option<String>, name| value.clone().map(|value| Setting { value, origin: Origin::Flag(name) });
        let file = |value: fn(&Config) -> &Option<String>| {
            let (path, config) = config.as_ref()?;
            let value = value(config).clone()?;
            Some(Setting { value, origin: Origin::File(path.clone()) })
        };
        let key_file = args.api_key_file.clone();
        Ok(Self {
            base_url: flag(&args.base_url, "--base-url")
                .or_else(|| variable(BASE_URL))
                .or_else(|| file(|config| &config.base_url)),
            project: flag(&args.project, "--project")
                .or_else(|| variable(PROJECT))
                .or_else(|| file(|config| &config.project)),
            api_key: key_file
                .map(|path| Setting { value: KeySource::File(path), origin: Origin::Flag("--api-key-file") })
                .or_else(|| {
                    let Setting { value, origin } = variable(API_KEY)?;
                    Some(Setting { value: KeySource::Value(ApiKey(value)), origin })
                }),
            timeout: args.timeout.map(Duration::from_secs),
            folder: folder.to_owned(),
            config,
        })
    }

    /// The folder that file paths are relative to: that of `l10n.toml`, or the current one.
    pub(crate) fn root(&self) -> &Path {
        self.config.as_ref().and_then(|(path, _)| path.parent()).unwrap_or(&self.folder)
    }

    /// The configuration and its path.
    pub(crate) fn config(&self) -> Result<(&Path, &Config), ConfigError> {
        match &self.config {
            Some((path, config)) => Ok((path, config)),
            None => Err(ConfigError::Missing(self.folder.clone())),
        }
    }

    /// The base URL: http or https, ending in the version segment, without credentials.
    pub(crate) fn base_url(&self) -> Result<Setting<Url>, SettingsError> {
        let Setting { value, origin } = self.base_url.clone().ok_or(SettingsError::NoBaseUrl)?;
        let bad = |reason: String| SettingsError::BadBaseUrl { value: value.clone(), origin: origin.clone(), reason };
        let url = Url::parse(value.trim_end_matches('/')).map_err(|error| bad(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(bad("it does not start with https:// or http://".into()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            // The value would repeat the credentials.
            let (value, reason) = ("…".to_owned(), "it contains credentials".to_owned());
            return Err(SettingsError::BadBaseUrl { value, origin, reason });
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad("it has a `?` or a `#`".into()));
        }
        let last = url.path().rsplit('/').next().unwrap_or_default();
        let versioned = last.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
        if !versioned {
            return Err(bad("it does not end in the version segment, /v1".into()));
        }
        Ok(Setting { value: url, origin })
    }

    /// The project.
    pub(crate) fn project(&self) -> Result<Setting<ProjectName>, SettingsError> {
        let Setting { value, origin } = self.project.clone().ok_or(SettingsError::NoProject)?;
        let plain = |part: &str| {
            !part.is_empty() && part.len() <= 64 && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
        };
        let name = match value.trim_start_matches('@').split_once('/') {
            Some((workspace, project)) if plain(workspace) && plain(project) => {
                ProjectName::Slug { workspace: workspace.to_owned(), project: project.to_owned() }
            }
            None if plain(&value) => ProjectName::Id(value),
            _ => return Err(SettingsError::BadProject { value, origin }),
        };
        Ok(Setting { value: name, origin })
    }

    /// The key, if one is set; its file is read now.
    pub(crate) fn api_key(&self) -> Result<Option<Setting<ApiKey>>, SettingsError> {
        let Some(Setting { value, origin }) = self.api_key.clone() else { return Ok(None) };
        let key = match value {
            KeySource::Value(key) => key,
            KeySource::File(path) => {
                let text = std::fs::read_to_string(&path).map_err(|source| SettingsError::KeyFile { path, source })?;
                ApiKey(text.trim().to_owned())
            }
        };
        let not_a_key = |reason| Err(SettingsError::NotAKey { origin: origin.clone(), reason });
        if key.0.is_empty() {
            return not_a_key("it is empty");
        }
        if !key.0.starts_with("eik_") {
            return not_a_key("it does not start with `eik_`");
        }
        if !key.0.chars().all(|c| c.is_ascii_graphic()) {
            return not_a_key("it contains blanks or other characters that are never part of a key");
        }
        Ok(Some(Setting { value: key, origin }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(args: GlobalArgs, variables: &[(&str, &str)], file: &str) -> Settings {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("l10n.toml"), file).unwrap();
        let environment =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Settings::read(&args, environment, folder.path()).unwrap()
    }

    #[test]
    fn flags_win_over_environment_and_environment_over_the_file() {
        let file = "base_url = \"https://file/v1\"\nproject = \"file/app\"\n";
        let all = [(BASE_URL, "https://env/v1"), (PROJECT, "env/app")];
        let args = GlobalArgs {
            base_url: Some("https://flag/v1".into()),
            project: Some("flag/app".into()),
            ..GlobalArgs::default()
        };
        let host = |settings: &Settings| settings.base_url().unwrap().value.host_str().unwrap().to_owned();
        let flags = settings(args, &all, file);
        assert_eq!((host(&flags), flags.project().unwrap().value.to_string()), ("flag".into(), "flag/app".into()));
        let environment = settings(GlobalArgs::default(), &all, file);
        assert_eq!(
            (host(&environment), environment.project().unwrap().value.to_string()),
            ("env".into(), "env/app".into())
        );
        let only_file = settings(GlobalArgs::default(), &[(BASE_URL, "")], file);
        assert_eq!(
            (host(&only_file), only_file.project().unwrap().value.to_string()),
            ("file".into(), "file/app".into())
        );
    }

    #[test]
    fn a_base_url_ends_in_its_version_segment_and_carries_no_credentials() {
        let error = |value: &str| {
            let error = settings(GlobalArgs::default(), &[(BASE_URL, value)], "").base_url().unwrap_err();
            assert_eq!(error.status(), ExitStatus::Usage);
            error.to_string()
        };
        assert_eq!(
            error("https://host"),
            "`https://host` in L10N_BASE_URL is not a valid base URL: it does not end in the version segment, /v1"
        );
        assert!(error("ftp://host/v1").contains("does not start with https://"));
        assert!(!error("https://user:sesame@host/v1").contains("sesame"));
        let url = settings(GlobalArgs::default(), &[(BASE_URL, "http://127.0.0.1:8787/v1/")], "").base_url().unwrap();
        assert_eq!(url.value.as_str(), "http://127.0.0.1:8787/v1");
    }

    #[test]
    fn a_key_comes_from_a_file_or_the_environment_and_is_never_shown() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "eik_fromfile\n").unwrap();
        let args = GlobalArgs { api_key_file: Some(file.path().to_owned()), ..GlobalArgs::default() };
        let settings_of = |args, value: &str| settings(args, &[(API_KEY, value)], "");
        let found = settings_of(args, "eik_fromenv");
        assert_eq!(found.api_key().unwrap().unwrap().value.expose(), "eik_fromfile");
        assert!(!format!("{:?}", settings_of(GlobalArgs::default(), "eik_fromenv")).contains("fromenv"));
        let error = settings_of(GlobalArgs::default(), "sesame").api_key().unwrap_err();
        assert_eq!(error.status(), ExitStatus::Auth);
        assert!(!error.to_string().contains("sesame"));
    }

    #[test]
    fn a_project_is_an_id_or_two_names() {
        let project = |value: &str| settings(GlobalArgs::default(), &[(PROJECT, value)], "").project();
        assert_eq!(project("prj_1").unwrap().value, ProjectName::Id("prj_1".into()));
        let slug = ProjectName::Slug { workspace: "demo".into(), project: "app".into() };
        assert_eq!(project("demo/app").unwrap().value, slug);
        assert_eq!(project("@demo/app").unwrap().value, slug);
        assert!(project("a/b/c").is_err());
        assert!(project("../x").is_err());
    }
}
