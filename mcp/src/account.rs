//! The key and the project that calls are made for.

use l10n_client::api::ProjectId;
use l10n_client::{Client, Project};

use crate::digest::Digest;
use crate::failure::Failure;
use crate::memory::Memory;

/// A project, as people name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectName {
    /// By its id.
    Id(String),
    /// By its workspace's handle and its own slug.
    Slug {
        /// Handle of the workspace.
        workspace: String,
        /// Slug of the project.
        project: String,
    },
}

/// A client with a key, and the project that the key belongs to. Makes no request until a tool is called.
#[derive(Debug, Clone)]
pub struct Account {
    client: Client,
    project: ProjectName,
    key: Digest,
}

impl Account {
    /// `client` sends `key`. The key itself is not kept: its hash tells accounts apart.
    #[must_use]
    pub fn new(client: Client, project: ProjectName, key: &str) -> Self {
        Self { client, project, key: Digest::of([key.trim().as_bytes()]) }
    }

    /// The same service and project with another key.
    pub(crate) fn with_key(&self, key: &str) -> Option<Self> {
        let client = self.client.with_api_key(key).ok()?;
        Some(Self::new(client, self.project.clone(), key))
    }

    /// The hash of the key.
    pub(crate) fn key(&self) -> Digest {
        self.key
    }

    /// The project. Its name is looked up once for each key.
    pub(crate) async fn project(&self, memory: &Memory) -> Result<Project, Failure> {
        let (workspace, project) = match &self.project {
            ProjectName::Id(id) => return Ok(self.client.project(id.as_str())),
            ProjectName::Slug { workspace, project } => (workspace, project),
        };
        let name = Digest::of([&self.key.bytes()[..], workspace.as_bytes(), project.as_bytes()]);
        let known: Option<ProjectId> = memory.project(name);
        if let Some(id) = known {
            return Ok(self.client.project(id));
        }
        let found = self.client.projects().resolve(workspace, project).await.map_err(Failure::from)?;
        memory.keep_project(self.key, name, found.project_id.clone());
        Ok(self.client.project(found.project_id))
    }
}
