//! Passwords: 12 characters or more, at most 256 bytes, no rules of composition, none of the commonest.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

use secrecy::zeroize::Zeroizing;

use super::sessions::{Session, SignInMethod};
use super::sign_in::{self, SignInError};
use super::{PeopleParts, attempts::SignInAttempt};
use crate::domain::ServiceError;
use crate::store::users::{self, PasswordHash, User};
use crate::store::{sessions, sign_in_links};

/// Least characters of a password.
pub const SHORTEST: usize = 12;
/// Most bytes of a password.
pub const LONGEST_PASSWORD: usize = 256;

/// The commonest passwords of at least 12 characters, in lower case.
static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// The reason why a password was not set.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The new password is too short.
    #[error("The password must have at least {SHORTEST} characters")]
    TooShort,
    /// The new password is too long.
    #[error("The password must have at most {LONGEST_PASSWORD} bytes")]
    TooLong,
    /// The new password is one of the first that everybody tries.
    #[error("This password is too common: choose one that nobody guesses")]
    Common,
    /// The present password is needed.
    #[error("Enter your present password")]
    OldNeeded,
    /// There is no present password, and the last sign-in is more than an hour ago.
    #[error("Sign in again, and set the password within an hour")]
    TooLate,
    /// The present password is another one.
    #[error("The present password is wrong")]
    WrongOld,
    /// There were too many failures.
    #[error("Too many attempts failed: try again in {} minutes", .wait.as_secs().div_ceil(60))]
    TooMany {
        /// Time until the next attempt.
        wait: Duration,
    },
    /// The datastore, or too many people at once.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(PasswordError);

impl From<SignInError> for PasswordError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Wrong => Self::WrongOld,
            SignInError::TooMany { wait } => Self::TooMany { wait },
            SignInError::Service(error) => Self::Service(error),
        }
    }
}

/// Sets the person's password and ends their other sessions. The present password is needed, unless there is none or the session
/// began with a link within the last hour: links are for those who forgot it.
///
/// # Errors
///
/// [`PasswordError`] tells which field is wrong.
pub async fn set(parts: PeopleParts<'_>, session: &Session, old: Option<&str>, new: &str) -> Result<(), PasswordError> {
    check(new)?;
    let (user, attempt) = allowed(parts, session, old.filter(|old| !old.is_empty())).await?;
    let hash = hashed(parts, session.person.id.to_string(), new).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin_brief_write().await?;
    if let Some(attempt) = attempt {
        attempt.succeed(&mut tx).await?;
    }
    sign_in::unchanged(&mut tx, &user).await?.ok_or(PasswordError::WrongOld)?;
    if !sessions::confirm(&mut tx, &session.id, now).await? {
        return Err(PasswordError::OldNeeded);
    }
    users::set_password(&mut tx, &user.id, Some(&hash)).await?;
    sessions::end_others(&mut tx, &user.id, &session.id).await?;
    sign_in_links::delete(&mut tx, &user.id).await?;
    tx.commit().await?;
    Ok(())
}

/// The proof that [`set`] needs beside the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeededProof {
    /// None: the sign-in is enough.
    None,
    /// The present password.
    Password,
    /// A sign-in within the last hour: there is no present password.
    SignIn,
}

/// The proof that [`set`] needs in this session.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn needed_proof(parts: PeopleParts<'_>, session: &Session) -> Result<NeededProof, ServiceError> {
    let user = find(parts, session).await?;
    Ok(user.map_or(NeededProof::Password, |user| proof(parts, session, &user)))
}

fn proof(parts: PeopleParts<'_>, session: &Session, user: &User) -> NeededProof {
    let is_confirmed = session.is_confirmed(parts.clock.now());
    match user.password_hash {
        None if is_confirmed => NeededProof::None,
        None => NeededProof::SignIn,
        Some(_) if is_confirmed && session.method == SignInMethod::Link => NeededProof::None,
        Some(_) => NeededProof::Password,
    }
}

/// The person, if the present password is right or not needed.
async fn allowed(
    parts: PeopleParts<'_>,
    session: &Session,
    old: Option<&str>,
) -> Result<(User, Option<SignInAttempt>), PasswordError> {
    let user = find(parts, session).await?.ok_or(PasswordError::OldNeeded)?;
    match (proof(parts, session, &user), old) {
        (NeededProof::None, _) => Ok((user, None)),
        (NeededProof::SignIn, _) => Err(PasswordError::TooLate),
        (NeededProof::Password, None) => Err(PasswordError::OldNeeded),
        (NeededProof::Password, Some(old)) => {
            let (user, attempt) = sign_in::prove_again(parts, session, old).await?;
            Ok((user, Some(attempt)))
        }
    }
}

async fn find(parts: PeopleParts<'_>, session: &Session) -> Result<Option<User>, ServiceError> {
    Ok(parts.store.read_once(async |tx| users::find(tx, &session.person.id).await).await?)
}

/// The hash of a new password that [`check`] has passed.
pub(super) async fn hashed(
    parts: PeopleParts<'_>,
    client: String,
    password: &str,
) -> Result<PasswordHash, ServiceError> {
    let turn = parts.hashing.turn(client).await?;
    turn.hash(Zeroizing::new(password.to_owned())).await
}

/// Judges a new password.
///
/// # Errors
///
/// Returns an error if it is too short, too long or too common.
pub fn check(password: &str) -> Result<(), PasswordError> {
    if password.chars().count() < SHORTEST {
        return Err(PasswordError::TooShort);
    }
    if password.len() > LONGEST_PASSWORD {
        return Err(PasswordError::TooLong);
    }
    if COMMON.contains(password.to_lowercase().as_str()) || is_monotonous(password) {
        return Err(PasswordError::Common);
    }
    Ok(())
}

/// Returns whether a password is a piece of at most four characters over and over.
fn is_monotonous(password: &str) -> bool {
    let chars: Vec<char> = password.chars().collect();
    (1..=4).any(|period| chars.iter().zip(chars.iter().skip(period)).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_judged_by_its_length_and_not_by_its_composition() {
        for good in
            ["correct horse battery", "ßßßßäöüxyz12", "all lower case letters", &format!("{}b", "xyzwv".repeat(51))]
        {
            assert!(check(good).is_ok(), "{good}");
        }
        assert!(matches!(check("elevenchars"), Err(PasswordError::TooShort)));
        assert!(matches!(check("🏔🏔🏔"), Err(PasswordError::TooShort)), "twelve bytes are not twelve characters");
        assert!(matches!(check(&"é".repeat(129)), Err(PasswordError::TooLong)));
    }

    #[test]
    fn the_commonest_passwords_are_refused_in_any_case() {
        for common in
            ["password1234", "PassWord1234", "qwertyuiop[]", "123456789012", "aaaaaaaaaaaaa", "abcabcabcabcabc"]
        {
            assert!(matches!(check(common), Err(PasswordError::Common)), "{common}");
        }
    }

    #[test]
    fn every_listed_password_is_long_enough_and_in_lower_case() {
        assert!(COMMON.len() > 200, "{}", COMMON.len());
        for password in COMMON.iter() {
            assert!(password.chars().count() >= SHORTEST, "{password}");
            assert_eq!(password.to_lowercase(), **password);
        }
    }
}
