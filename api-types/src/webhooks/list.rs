//! `GET /projects/{projectId}/webhooks` (§4): the project's webhooks, enabled or not.

use serde::{Deserialize, Serialize};

use super::Webhook;
use crate::{Access, Endpoint, Method, NoBody, NoQuery, ProjectPath, Scope};

/// Lists the project's webhooks in the order of their registration.
#[derive(Debug)]
pub enum List {}

/// The webhooks of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Webhooks {
    /// The webhooks, enabled or not.
    pub webhooks: Vec<Webhook>,
}

impl Endpoint for List {
    const NAME: &'static str = "webhooks::list";
    const OPERATION_ID: &'static str = "listWebhooks";
    const EXAMPLE: &'static str = include_str!("list.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/webhooks";
    const SUMMARY: &'static str = "List webhooks";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Webhooks;
}
