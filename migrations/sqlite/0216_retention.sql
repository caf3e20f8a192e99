-- The same columns and indexes stand in the other engine's 0216_retention.sql; a test compares both schemas.

-- Archived: hidden, as if it were gone. To be deleted, with all of its rows, at delete_at.
ALTER TABLE projects ADD COLUMN archived_at INTEGER;
ALTER TABLE projects ADD COLUMN delete_at INTEGER;
ALTER TABLE workspaces ADD COLUMN archived_at INTEGER;
ALTER TABLE workspaces ADD COLUMN delete_at INTEGER;
ALTER TABLE documents ADD COLUMN archived_at INTEGER;
ALTER TABLE documents ADD COLUMN delete_at INTEGER;
-- The external id that an archived document had: another one may take it meanwhile.
ALTER TABLE documents ADD COLUMN archived_external_id TEXT;
CREATE INDEX projects_to_delete ON projects (delete_at) WHERE delete_at IS NOT NULL;
CREATE INDEX workspaces_to_delete ON workspaces (delete_at) WHERE delete_at IS NOT NULL;
CREATE INDEX documents_archived ON documents (project_id) WHERE archived_at IS NOT NULL;
CREATE INDEX documents_to_delete ON documents (delete_at) WHERE delete_at IS NOT NULL;

-- When a newer source of the document came. NULL for the present one, and for one that a published version names.
ALTER TABLE document_sources ADD COLUMN superseded_at INTEGER;
UPDATE document_sources SET superseded_at = created_at WHERE id NOT IN (SELECT source_id FROM documents);
CREATE INDEX document_sources_superseded ON document_sources (superseded_at) WHERE superseded_at IS NOT NULL;

-- When a document that has the text was last pushed or found to have it; exact to a week.
ALTER TABLE segments ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
UPDATE segments SET used_at = COALESCE((SELECT MAX(updated_at) FROM documents), 0);
CREATE INDEX segments_by_use ON segments (used_at);

-- What the sweep looks for, and what a deleted row is looked for by the tables that refer to it.
CREATE INDEX jobs_by_end ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_document ON jobs (document_id) WHERE document_id IS NOT NULL;
CREATE INDEX jobs_by_workspace ON jobs (workspace_id);
CREATE INDEX keys_captured_by_time ON keys (updated_at) WHERE state = 'captured';
CREATE INDEX document_versions_by_source ON document_versions (source_id);
CREATE INDEX projects_by_live_version ON projects (live_version_id) WHERE live_version_id IS NOT NULL;
CREATE INDEX events_by_project ON events (project_id, id);
CREATE INDEX operations_used ON operations (decided_at) WHERE status = 'used';
CREATE INDEX versions_by_time ON versions (published_at);
CREATE INDEX document_versions_by_time ON document_versions (published_at);
