//! The master keys of `[secrets]`.

use std::path::Path;

use secrecy::zeroize::Zeroizing;

use super::ConfigError;
use super::sections::Secrets;
use crate::vault::MasterKey;

/// The key that seals, then those that open alone. Empty where none is stated; an empty setting counts as not stated.
pub(super) fn master_keys(stated: Secrets) -> Result<Vec<MasterKey>, ConfigError> {
    let key = Some(stated.master_key).filter(|key| !key.expose().trim().is_empty());
    let mut keys = match (key, stated.master_key_file) {
        (Some(_), Some(_)) => {
            let message = "`secrets.master_key` is set, too: only one of them can be the key that seals";
            return Err(ConfigError::invalid("secrets.master_key_file", message));
        }
        (Some(key), None) => vec![parse("secrets.master_key", key.expose())?],
        (None, Some(path)) => read(&path)?,
        (None, None) => Vec::new(),
    };
    let previous: Vec<_> =
        stated.previous_master_keys.iter().map(|key| key.expose()).filter(|key| !key.trim().is_empty()).collect();
    if keys.is_empty() && !previous.is_empty() {
        let message = "there is no `secrets.master_key` that they could be previous to";
        return Err(ConfigError::invalid("secrets.previous_master_keys", message));
    }
    for key in previous {
        keys.push(parse("secrets.previous_master_keys", key)?);
    }
    Ok(keys)
}

/// A key on each line: the first seals.
fn read(path: &Path) -> Result<Vec<MasterKey>, ConfigError> {
    const SETTING: &str = "secrets.master_key_file";
    let text = std::fs::read_to_string(path)
        .map(Zeroizing::new)
        .map_err(|error| ConfigError::invalid(SETTING, format!("cannot read {}: {error}", path.display())))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let keys = lines.map(|line| parse(SETTING, line)).collect::<Result<Vec<_>, _>>()?;
    if keys.is_empty() {
        return Err(ConfigError::invalid(SETTING, format!("{} is empty", path.display())));
    }
    Ok(keys)
}

fn parse(setting: &'static str, text: &str) -> Result<MasterKey, ConfigError> {
    MasterKey::parse(text).map_err(|error| ConfigError::invalid(setting, error.to_string()))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn text(byte: u8) -> String {
        MasterKey::new(&[byte; 32]).expose().expose_secret().to_owned()
    }

    fn ids(section: Secrets) -> Result<Vec<String>, String> {
        let keys = master_keys(section).map_err(|error| error.to_string())?;
        Ok(keys.iter().map(|key| key.id().to_string()).collect())
    }

    #[test]
    fn the_key_comes_from_the_setting_or_from_a_file_and_previous_ones_follow() {
        let id = |byte: u8| MasterKey::new(&[byte; 32]).id().to_string();
        let previous_master_keys = vec![text(2).into(), text(3).into()];
        let section = Secrets { master_key: text(1).into(), previous_master_keys, ..Default::default() };
        assert_eq!(ids(section.clone()).unwrap(), [id(1), id(2), id(3)]);
        assert!(!format!("{section:?}").contains(&text(1)) && !format!("{section:?}").contains(&text(2)));

        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{}\n{}\n\n", text(4), text(5))).unwrap();
        let from_file = Secrets { master_key_file: Some(file.path().to_owned()), ..Default::default() };
        assert_eq!(ids(from_file.clone()).unwrap(), [id(4), id(5)]);

        let both = Secrets { master_key_file: from_file.master_key_file, ..section };
        assert!(ids(both).unwrap_err().starts_with("setting `secrets.master_key_file`: `secrets.master_key` is set"));
        assert_eq!(ids(Secrets::default()).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_wrong_key_is_refused_without_being_repeated() {
        let wrong = &text(1)[..40];
        for section in [
            Secrets { master_key: wrong.to_owned().into(), ..Default::default() },
            Secrets {
                master_key: text(1).into(),
                previous_master_keys: vec![wrong.to_owned().into()],
                ..Default::default()
            },
        ] {
            let error = ids(section).unwrap_err();
            assert!(error.contains("it takes the base64 of 32 random bytes"), "{error}");
            assert!(!error.contains(wrong), "{error}");
        }
        let alone = Secrets { previous_master_keys: vec![text(1).into()], ..Default::default() };
        assert!(ids(alone).unwrap_err().contains("there is no `secrets.master_key`"));
        let nowhere = Secrets { master_key_file: Some("/nowhere/key".into()), ..Default::default() };
        assert!(ids(nowhere).unwrap_err().contains("cannot read /nowhere/key"));
    }
}
