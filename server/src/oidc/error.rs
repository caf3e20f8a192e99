//! Reasons why a provider has not vouched for anybody. Their texts are for the log: a page says less.

use openidconnect::core::CoreErrorResponseType;
use openidconnect::{
    ClaimsVerificationError, DiscoveryError, RequestTokenError, SignatureVerificationError, StandardErrorResponse,
};

use super::provider_client::NoAnswer;

/// The reason why a provider has not vouched for anybody.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ProviderError {
    /// Too many people sign in at once.
    #[error("too many people sign in at once")]
    Busy,
    /// It does not answer, or not with what belongs to the protocol.
    #[error("the identity provider cannot be asked: {0}")]
    Unreachable(String),
    /// It refuses the code.
    #[error("the identity provider refuses: {0}")]
    Refused(String),
    /// Its answer proves nothing.
    #[error("the answer of the identity provider is not valid: {0}")]
    Invalid(String),
}

impl From<DiscoveryError<NoAnswer>> for ProviderError {
    fn from(error: DiscoveryError<NoAnswer>) -> Self {
        let why = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
        Self::Unreachable(format!("{error}{why}"))
    }
}

type TokenError = RequestTokenError<NoAnswer, StandardErrorResponse<CoreErrorResponseType>>;

impl From<TokenError> for ProviderError {
    fn from(error: TokenError) -> Self {
        match error {
            RequestTokenError::ServerResponse(answer) => Self::Refused(short(answer.error().as_ref())),
            RequestTokenError::Request(error) => Self::Unreachable(error.to_string()),
            // The body may have tokens in it.
            RequestTokenError::Parse(error, _) => Self::Unreachable(format!("its answer cannot be read: {error}")),
            RequestTokenError::Other(why) => Self::Unreachable(short(&why)),
        }
    }
}

impl From<ClaimsVerificationError> for ProviderError {
    fn from(error: ClaimsVerificationError) -> Self {
        let why = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
        Self::Invalid(short(&format!("{error}{why}")))
    }
}

/// Returns whether another set of keys could verify the token.
pub(super) fn is_about_keys(error: &ClaimsVerificationError) -> bool {
    matches!(
        error,
        ClaimsVerificationError::SignatureVerification(
            SignatureVerificationError::NoMatchingKey | SignatureVerificationError::CryptoError(_)
        )
    )
}

fn short(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(300).collect()
}
