-- The same tables stand in ../postgres/0005_documents.sql; a test compares both schemas.

CREATE TABLE documents (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    -- The caller's own name for it.
    external_id TEXT,
    -- What the caller calls it; NULL: what its source calls itself.
    title TEXT,
    format TEXT NOT NULL CHECK (format IN ('markdown', 'html', 'text')),
    language TEXT NOT NULL,
    -- Its present row of document_sources, and its published one of document_versions.
    source_id TEXT NOT NULL,
    live_version_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (project_id, external_id)
) STRICT;
CREATE INDEX documents_by_project ON documents (project_id, id);

-- What was pushed: written once, never changed.
CREATE TABLE document_sources (
    id TEXT NOT NULL PRIMARY KEY,
    document_id TEXT NOT NULL REFERENCES documents (id),
    title TEXT,
    body TEXT NOT NULL,
    characters INTEGER NOT NULL,
    -- Hashes of its segments in their order, as JSON.
    segments TEXT NOT NULL,
    -- How they stand against the source before, as JSON.
    counts TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX document_sources_by_document ON document_sources (document_id, id);

-- What a publish froze: written once, never changed.
CREATE TABLE document_versions (
    id TEXT NOT NULL PRIMARY KEY,
    document_id TEXT NOT NULL REFERENCES documents (id),
    source_id TEXT NOT NULL REFERENCES document_sources (id),
    publish_id TEXT NOT NULL,
    published_at INTEGER NOT NULL
) STRICT;
CREATE INDEX document_versions_by_document ON document_versions (document_id, id);

CREATE TABLE document_version_files (
    version_id TEXT NOT NULL REFERENCES document_versions (id),
    language TEXT NOT NULL,
    sha256 BLOB NOT NULL REFERENCES blobs (sha256),
    PRIMARY KEY (version_id, language)
) STRICT, WITHOUT ROWID;

-- The texts of all documents, each once for the language that it is written in.
CREATE TABLE segments (
    project_id TEXT NOT NULL REFERENCES projects (id),
    language TEXT NOT NULL,
    hash BLOB NOT NULL,
    text TEXT NOT NULL,
    characters INTEGER NOT NULL,
    PRIMARY KEY (project_id, language, hash)
) STRICT;

CREATE TABLE segment_translations (
    project_id TEXT NOT NULL REFERENCES projects (id),
    source_language TEXT NOT NULL,
    language TEXT NOT NULL,
    -- That of the segment.
    hash BLOB NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('translated', 'needs_review', 'reviewed')),
    issues TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('machine', 'memory', 'human', 'import')),
    engine TEXT,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, source_language, language, hash)
) STRICT;
