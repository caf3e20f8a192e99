//! Reading a profile.

use std::io;
use std::path::{Path, PathBuf};

use super::{Identity, Profile};

/// Why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The file cannot be read.
    #[error("cannot read the profile {0}: {1}")]
    Read(PathBuf, #[source] io::Error),
    /// It is no profile.
    #[error("the profile {0} does not hold: {1}")]
    Parse(PathBuf, #[source] Box<toml::de::Error>),
    /// It contradicts itself, or lacks something.
    #[error("the profile: {0}")]
    Invalid(String),
}

impl Profile {
    /// Reads a profile from a TOML file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is not a profile, or lacks what it claims.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let text = std::fs::read_to_string(path).map_err(|error| ProfileError::Read(path.to_owned(), error))?;
        let profile: Self =
            toml::from_str(&text).map_err(|error| ProfileError::Parse(path.to_owned(), Box::new(error)))?;
        profile.validate()?;
        Ok(profile)
    }

    /// Says what does not hold.
    ///
    /// # Errors
    ///
    /// The first thing that it lacks or that cannot be.
    pub fn validate(&self) -> Result<(), ProfileError> {
        let invalid = |message: String| Err(ProfileError::Invalid(message));
        if !self.base_url.ends_with("/v1") {
            return invalid(format!("base_url is {}, and has to end in the version segment /v1", self.base_url));
        }
        if self.lanes.is_empty() {
            return invalid("it has no lanes, and needs at least one project".to_owned());
        }
        for lane in &self.lanes {
            if !lane.keys.contains_key(&Identity::Full) {
                return invalid(format!("the lane {} has no key `full`", lane.id));
            }
        }
        Ok(())
    }
}
