//! `GET /health` (§4): whether the server and its datastore answer. Needs no key and counts against no budget.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, ErrorCode, Method, NoBody, NoQuery};

/// Asks whether the server is able to serve; 503 `unavailable` when its datastore does not answer.
#[derive(Debug)]
pub enum Read {}

/// The server is able to serve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// Version of the server.
    pub version: String,
}

impl Endpoint for Read {
    const NAME: &'static str = "health::read";
    const OPERATION_ID: &'static str = "readHealth";
    const EXAMPLE: &'static str = include_str!("read.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/health";
    const SUMMARY: &'static str = "Ask whether the server is able to serve";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::Unavailable];
    const ACCESS: Access = Access::Public;

    type Path = NoQuery;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Health;
}
