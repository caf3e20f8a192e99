-- The same columns stand in ../sqlite/0331_glossary_revisions.sql; a test compares both schemas.

-- Raised with each change of the list of terms, in its transaction, so that nobody reads a list to see whether it has changed.
ALTER TABLE projects ADD COLUMN glossary_revision BIGINT NOT NULL DEFAULT 0;
ALTER TABLE workspaces ADD COLUMN glossary_revision BIGINT NOT NULL DEFAULT 0;
