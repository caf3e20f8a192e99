-- The same tables stand in ../sqlite/0005_documents.sql; a test compares both schemas.

CREATE TABLE documents (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    -- The caller's own name for it.
    external_id TEXT COLLATE "C",
    -- What the caller calls it; NULL: what its source calls itself.
    title TEXT COLLATE "C",
    format TEXT COLLATE "C" NOT NULL CHECK (format IN ('markdown', 'html', 'text')),
    language TEXT COLLATE "C" NOT NULL,
    -- Its present row of document_sources, and its published one of document_versions.
    source_id TEXT COLLATE "C" NOT NULL,
    live_version_id TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (project_id, external_id)
);
CREATE INDEX documents_by_project ON documents (project_id, id);

-- What was pushed: written once, never changed.
CREATE TABLE document_sources (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    document_id TEXT COLLATE "C" NOT NULL REFERENCES documents (id),
    title TEXT COLLATE "C",
    body TEXT COLLATE "C" NOT NULL,
    characters BIGINT NOT NULL,
    -- Hashes of its segments in their order, as JSON.
    segments TEXT COLLATE "C" NOT NULL,
    -- How they stand against the source before, as JSON.
    counts TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX document_sources_by_document ON document_sources (document_id, id);

-- What a publish froze: written once, never changed.
CREATE TABLE document_versions (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    document_id TEXT COLLATE "C" NOT NULL REFERENCES documents (id),
    source_id TEXT COLLATE "C" NOT NULL REFERENCES document_sources (id),
    publish_id TEXT COLLATE "C" NOT NULL,
    published_at BIGINT NOT NULL
);
CREATE INDEX document_versions_by_document ON document_versions (document_id, id);

CREATE TABLE document_version_files (
    version_id TEXT COLLATE "C" NOT NULL REFERENCES document_versions (id),
    language TEXT COLLATE "C" NOT NULL,
    sha256 BYTEA NOT NULL REFERENCES blobs (sha256),
    PRIMARY KEY (version_id, language)
);

-- The texts of all documents, each once for the language that it is written in.
CREATE TABLE segments (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    language TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    characters BIGINT NOT NULL,
    PRIMARY KEY (project_id, language, hash)
);

CREATE TABLE segment_translations (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    source_language TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    -- That of the segment.
    hash BYTEA NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('translated', 'needs_review', 'reviewed')),
    issues TEXT COLLATE "C" NOT NULL,
    origin TEXT COLLATE "C" NOT NULL CHECK (origin IN ('machine', 'memory', 'human', 'import')),
    engine TEXT COLLATE "C",
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, source_language, language, hash)
);
