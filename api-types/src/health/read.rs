//! `GET /health` (§4): the health of the server and its datastore. Needs no key and counts against no budget.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, ErrorCode, Method, NoBody, NoQuery};

/// Reports that the server is able to serve; 503 `unavailable` if its datastore does not answer.
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
    const SUMMARY: &'static str = "Check whether the server can serve";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::Unavailable];
    const ACCESS: Access = Access::Public;

    type Path = NoQuery;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Health;
}
