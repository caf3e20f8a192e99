-- The same tables stand in ../sqlite/0011_staged_blobs.sql; a test compares both schemas.

-- How a content is stored: NULL as it is, 'gzip' compressed. Its SHA-256 is that of the plain bytes.
ALTER TABLE blobs ADD COLUMN coding TEXT COLLATE "C" CHECK (coding IN ('gzip'));

-- Contents that a publish stored ahead of the version that will name them. What a publish that did not come to its end left
-- here is deleted with its content.
CREATE TABLE staged_blobs (
    sha256 BYTEA NOT NULL PRIMARY KEY,
    staged_at BIGINT NOT NULL
);
CREATE INDEX staged_blobs_by_time ON staged_blobs (staged_at);

-- Whether any version names a content.
CREATE INDEX version_files_by_content ON version_files (sha256);
CREATE INDEX document_version_files_by_content ON document_version_files (sha256);

-- Captured keys alone are looked for by their state.
DROP INDEX keys_by_state;
CREATE INDEX keys_captured ON keys (project_id, ref) WHERE state = 'captured';
