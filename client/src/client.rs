//! The client and the call on which every method is built.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use l10n_api_types::{Access, BodyKind, DryRun, Endpoint, EndpointInfo, Method};
use secrecy::SecretString;
use serde::de::value::SeqDeserializer;
use serde::de::{Deserialize as _, DeserializeOwned};

use crate::arriving::Arriving;
use crate::error::{ConfigError, InvalidArgument, Result};
use crate::exchange::{Incoming, Outgoing};
use crate::ids::{IdSource, is_correlation_id, is_idempotency_key, random_idempotency_key};
use crate::inner::Inner;
use crate::options::{CallOptions, Idempotency, Reply};
use crate::resend::Resend;
use crate::route;
use crate::secret::ApiKey;

/// A client of one service, with one API key.
///
/// Cheap to clone (clones share connections and settings) and to send between threads. The key is never part of
/// `Debug` output.
///
/// ```
/// # fn main() -> Result<(), l10n_client::ConfigError> {
/// use l10n_client::Client;
///
/// let client = Client::builder("https://l10n.example.com/v1").api_key("eik_secret").build()?;
/// assert!(!format!("{client:?}").contains("secret"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
}

impl Client {
    /// The base URL, without a slash at its end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.inner.base_url.as_str()
    }

    /// Returns a client with another API key. It shares connections and settings with this one.
    ///
    /// # Errors
    ///
    /// [`ConfigError::ApiKey`] if this is not the form of a key.
    pub fn with_api_key(&self, key: impl Into<SecretString>) -> Result<Self, ConfigError> {
        let Inner {
            transport,
            opens_connections,
            base_url,
            user_agent,
            request_timeout,
            total_timeout,
            max_response_bytes,
            policy,
            ids,
            ..
        } = &*self.inner;
        let inner = Inner {
            transport: Arc::clone(transport),
            opens_connections: *opens_connections,
            base_url: base_url.clone(),
            api_key: Some(ApiKey::parse(&key.into())?),
            user_agent: user_agent.clone(),
            request_timeout: *request_timeout,
            total_timeout: *total_timeout,
            max_response_bytes: *max_response_bytes,
            policy: *policy,
            ids: ids.clone(),
        };
        Ok(inner.into())
    }

    /// Calls an endpoint by its declaration. Every other method uses this one; call it directly for endpoints and
    /// parameters that have no method of their own.
    ///
    /// ```no_run
    /// # async fn example(client: l10n_client::Client) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::{NoBody, NoQuery, ProjectPath, meta};
    ///
    /// let path = ProjectPath { project_id: "prj_1".into() };
    /// let meta = client.call::<meta::Read>(&path, &NoQuery {}, &NoBody {}).await?;
    /// println!("{} keys", meta.key_count);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// If the future is dropped, nothing more is sent, but a request that is under way may be carried out all the same: set
    /// [`CallOptions::correlation_id`] for a write that you may drop, to ask for its outcome.
    ///
    /// # Errors
    ///
    /// Every [`Error`](crate::Error) except those of the waiting and downloading helpers.
    pub async fn call<E: Endpoint>(&self, path: &E::Path, query: &E::Query, body: &E::Body) -> Result<E::Response> {
        Ok(self.call_with::<E>(path, query, body, &CallOptions::default()).await?.value)
    }

    /// Like [`call`](Self::call), with options for this call, and with the answer's status and headers.
    ///
    /// # Errors
    ///
    /// The errors of [`call`](Self::call).
    pub async fn call_with<E: Endpoint>(
        &self,
        path: &E::Path,
        query: &E::Query,
        body: &E::Body,
        options: &CallOptions,
    ) -> Result<Reply<E::Response>> {
        let incoming = self.send::<E>(path, query, body, options, None).await?;
        let value = if E::MEDIA_TYPE == "application/json" {
            self.decode(&incoming)?
        } else {
            let bytes = SeqDeserializer::<_, serde::de::value::Error>::new(incoming.body.iter().copied());
            E::Response::deserialize(bytes).map_err(|error| incoming.not_as_declared(error.to_string()))?
        };
        Ok(Reply {
            value,
            status: incoming.status.as_u16(),
            etag: incoming.etag,
            correlation_id: incoming.correlation_id,
            replayed: incoming.replayed,
        })
    }

    /// Calls an endpoint and returns its answer undecoded. A 304 comes back only if `if_none_match` was sent.
    pub(crate) async fn send<E: Endpoint>(
        &self,
        path: &E::Path,
        query: &E::Query,
        body: &E::Body,
        options: &CallOptions,
        if_none_match: Option<&str>,
    ) -> Result<Incoming> {
        let outgoing = self.outgoing::<E>(path, query, body, options, if_none_match)?;
        let incoming = self.inner.exchange(&outgoing).await?;
        if incoming.status == http::StatusCode::NOT_MODIFIED && if_none_match.is_none() {
            return Err(incoming.not_as_declared("unexpected 304").into());
        }
        Ok(incoming)
    }

    /// Calls an endpoint, and returns its answer as it arrives.
    pub(crate) async fn open<E: Endpoint>(
        &self,
        path: &E::Path,
        query: &E::Query,
        body: &E::Body,
        options: &CallOptions,
    ) -> Result<Arriving> {
        let mut outgoing = self.outgoing::<E>(path, query, body, options, None)?;
        outgoing.leaves_body = true;
        let incoming = self.inner.exchange(&outgoing).await?;
        Ok(Arriving::new(Arc::clone(&self.inner), outgoing.resend, incoming))
    }

    /// Reads a JSON body. Unknown fields are ignored: answers may gain some.
    pub(crate) fn decode<T: DeserializeOwned>(&self, incoming: &Incoming) -> Result<T> {
        // A route without an answer body may answer 204.
        let body = if incoming.body.is_empty() { b"{}" } else { incoming.body.as_slice() };
        serde_json::from_slice(body)
            .map_err(|error| incoming.not_as_declared(self.inner.scrub(error.to_string())).into())
    }

    fn outgoing<E: Endpoint>(
        &self,
        path: &E::Path,
        query: &E::Query,
        body: &E::Body,
        options: &CallOptions,
        if_none_match: Option<&str>,
    ) -> Result<Outgoing> {
        let refuse = |problem: String| InvalidArgument::new(E::NAME, problem);
        let inner = &self.inner;
        let path = route::path(E::PATH, path).map_err(refuse)?;
        let query = route::query(query).map_err(refuse)?;
        let authorization = match (E::ACCESS, &inner.api_key) {
            (Access::Public, _) => None,
            (_, Some(key)) => Some(key.header()),
            (_, None) => return Err(ConfigError::NoApiKey { endpoint: E::NAME }.into()),
        };
        let correlation_id = match &options.correlation_id {
            Some(id) if is_correlation_id(id) => id.clone(),
            Some(_) => {
                let must =
                    "a correlation id must be 1 to 128 characters of `A-Za-z0-9._-`, of which the first is no dot";
                return Err(refuse(must.to_owned()).into());
            }
            None => {
                Some(inner.ids.next()).filter(|id| is_correlation_id(id)).unwrap_or_else(|| IdSource::default().next())
            }
        };
        let if_none_match = if_none_match
            .map(|etag| HeaderValue::try_from(etag).map_err(|_| refuse("it is not a valid ETag".to_owned())))
            .transpose()?;
        let body = request_body::<E>(body)?;
        let writes = writes::<E>(&query, body.as_deref());
        let idempotency_key = match &options.idempotency {
            _ if !writes => None,
            Idempotency::Off => None,
            Idempotency::PerCall => Some(random_idempotency_key()),
            Idempotency::Key(key) if is_idempotency_key(key) => Some(key.clone()),
            Idempotency::Key(_) => {
                return Err(refuse("an idempotency key must be 1 to 255 visible ASCII characters".to_owned()).into());
            }
        };
        Ok(Outgoing {
            endpoint: EndpointInfo::of::<E>(),
            method: E::METHOD,
            url: inner.base_url.join(&path, &query).map_err(refuse)?,
            authorization,
            accept: E::MEDIA_TYPE,
            body,
            if_none_match,
            writes,
            resend: if idempotency_key.is_some() { Resend::Keyed } else { Resend::of::<E>() },
            correlation_id,
            idempotency_key,
            extra_time: options.extra_time,
            canceled: options.canceled.clone(),
            leaves_body: false,
        })
    }
}

/// Serializes the body. One over the route's cap is not sent: the server would refuse it, and some servers close the
/// connection before they answer.
fn request_body<E: Endpoint>(body: &E::Body) -> Result<Option<Bytes>, InvalidArgument> {
    if E::BODY == BodyKind::None {
        return Ok(None);
    }
    let body = serde_json::to_vec(body)
        .map_err(|error| InvalidArgument::new(E::NAME, format!("the body cannot be written as JSON: {error}")))?;
    if body.len() > E::BODY_CAP {
        let problem =
            format!("the body is {} bytes long, the limit is {}: split it into several calls", body.len(), E::BODY_CAP);
        return Err(InvalidArgument::new(E::NAME, problem));
    }
    Ok(Some(body.into()))
}

/// Returns true if the call changes anything: reads and dry runs do not.
fn writes<E: Endpoint>(query: &str, body: Option<&[u8]>) -> bool {
    let preview = match E::DRY_RUN {
        DryRun::Query => query.split('&').any(|pair| pair == "dryRun=true"),
        DryRun::Body => body
            .and_then(|body| serde_json::from_slice::<serde_json::Value>(body).ok())
            .is_some_and(|body| body["dryRun"] == true),
        DryRun::Refused | DryRun::Unchecked => false,
    };
    E::METHOD != Method::Get && !preview
}

/// Warns of a key that others can read on its way.
impl From<Inner> for Client {
    fn from(inner: Inner) -> Self {
        let base_url = &inner.base_url;
        if inner.opens_connections && inner.api_key.is_some() && !base_url.is_https() && !base_url.is_loopback() {
            tracing::warn!(%base_url, "the API key travels unencrypted; use https");
        }
        Self { inner: Arc::new(inner) }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { base_url, api_key, request_timeout, total_timeout, policy, .. } = &*self.inner;
        f.debug_struct("Client")
            .field("base_url", base_url)
            .field("api_key", api_key)
            .field("request_timeout", request_timeout)
            .field("total_timeout", total_timeout)
            .field("max_retries", &policy.max_retries)
            .finish_non_exhaustive()
    }
}
