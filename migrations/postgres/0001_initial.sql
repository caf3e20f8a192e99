-- The same tables stand in ../sqlite/0001_initial.sql; a test compares both schemas.
-- Times are milliseconds since 1970. Money is millicredits. Text sorts by bytes, as it does in SQLite.

CREATE TABLE workspaces (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    handle TEXT COLLATE "C" NOT NULL UNIQUE,
    plan TEXT COLLATE "C" NOT NULL,
    spending_cap BIGINT,
    -- The sum of the workspace's ledger, kept in the transaction of each entry.
    balance BIGINT NOT NULL CHECK (balance >= 0),
    created_at BIGINT NOT NULL
);

CREATE TABLE projects (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    slug TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    base_language TEXT COLLATE "C" NOT NULL,
    live_version_id TEXT COLLATE "C",
    version_seq BIGINT NOT NULL,
    key_count BIGINT NOT NULL CHECK (key_count >= 0),
    changes_since_publish BIGINT NOT NULL CHECK (changes_since_publish >= 0),
    created_at BIGINT NOT NULL,
    UNIQUE (workspace_id, slug)
);

CREATE TABLE api_keys (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    -- SHA-256 of the key's text.
    hash BYTEA NOT NULL UNIQUE,
    label TEXT COLLATE "C" NOT NULL,
    scopes TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('ci', 'agent')),
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX api_keys_by_project ON api_keys (project_id);

CREATE TABLE languages (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    code TEXT COLLATE "C" NOT NULL,
    is_base BOOLEAN NOT NULL,
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, code)
);

CREATE TABLE output_formats (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    position BIGINT NOT NULL,
    format TEXT COLLATE "C" NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    empty_as TEXT COLLATE "C" NOT NULL CHECK (empty_as IN ('skip', 'base')),
    namespaces TEXT COLLATE "C"
);
CREATE INDEX output_formats_by_project ON output_formats (project_id, position);

CREATE TABLE source_files (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    path TEXT COLLATE "C" NOT NULL,
    format TEXT COLLATE "C" NOT NULL,
    namespace TEXT COLLATE "C",
    -- The file as it was synced last: the skeleton for rendering.
    content BYTEA NOT NULL,
    sha256 BYTEA NOT NULL,
    synced_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, path)
);

CREATE TABLE keys (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    ref TEXT COLLATE "C" NOT NULL,
    namespace TEXT COLLATE "C",
    source_path TEXT COLLATE "C",
    position BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    source_hash BYTEA NOT NULL,
    characters BIGINT NOT NULL,
    description TEXT COLLATE "C",
    max_length BIGINT,
    tags TEXT COLLATE "C",
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('active', 'archived', 'captured')),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (project_id, ref)
);
CREATE INDEX keys_by_source_path ON keys (project_id, source_path);
CREATE INDEX keys_by_state ON keys (project_id, state, ref);

CREATE TABLE translations (
    key_id TEXT COLLATE "C" NOT NULL REFERENCES keys (id),
    language TEXT COLLATE "C" NOT NULL,
    project_id TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('translated', 'needs_review', 'reviewed')),
    -- Hash of the source content that it translates.
    source_hash BYTEA NOT NULL,
    stale BOOLEAN NOT NULL,
    origin TEXT COLLATE "C" NOT NULL CHECK (origin IN ('machine', 'memory', 'human', 'import')),
    engine TEXT COLLATE "C",
    issues TEXT COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, language)
);
CREATE INDEX translations_by_language ON translations (project_id, language, state);

CREATE TABLE memory (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    source_language TEXT COLLATE "C" NOT NULL,
    target_language TEXT COLLATE "C" NOT NULL,
    source_hash BYTEA NOT NULL,
    -- '' for what a person wrote or a file brought.
    engine TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, source_language, target_language, source_hash, engine)
);

CREATE TABLE ledger (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'charge')),
    amount BIGINT NOT NULL,
    job_id TEXT COLLATE "C",
    note TEXT COLLATE "C",
    created_at BIGINT NOT NULL
);
CREATE INDEX ledger_by_workspace ON ledger (workspace_id, created_at);

CREATE TABLE holds (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    job_id TEXT COLLATE "C" NOT NULL UNIQUE,
    remaining BIGINT NOT NULL CHECK (remaining >= 0),
    expires_at BIGINT NOT NULL,
    released_at BIGINT
);
CREATE INDEX holds_by_workspace ON holds (workspace_id, released_at, expires_at);
CREATE INDEX holds_by_expiry ON holds (released_at, expires_at);

CREATE TABLE jobs (
    tracking_token TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    kind TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    engine TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    total BIGINT NOT NULL,
    done BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    needs_review BIGINT NOT NULL,
    estimated BIGINT NOT NULL,
    charged BIGINT NOT NULL,
    lease_owner TEXT COLLATE "C",
    lease_expires_at BIGINT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT
);
CREATE INDEX jobs_by_lease ON jobs (status, lease_expires_at);
CREATE INDEX jobs_by_project ON jobs (project_id, status);

CREATE TABLE job_chunks (
    job_id TEXT COLLATE "C" NOT NULL REFERENCES jobs (tracking_token),
    seq BIGINT NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    items TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'done')),
    done BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    charged BIGINT NOT NULL,
    PRIMARY KEY (job_id, seq)
);
-- The next pending chunk is found without reading the items of those that are done.
CREATE INDEX job_chunks_by_status ON job_chunks (job_id, status, seq);

CREATE TABLE job_failures (
    job_id TEXT COLLATE "C" NOT NULL REFERENCES jobs (tracking_token),
    seq BIGINT NOT NULL,
    ref TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    error TEXT COLLATE "C" NOT NULL,
    message TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (job_id, seq)
);

CREATE TABLE versions (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    seq BIGINT NOT NULL,
    publish_id TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    key_count BIGINT NOT NULL,
    languages TEXT COLLATE "C" NOT NULL,
    base_language TEXT COLLATE "C" NOT NULL,
    issues TEXT COLLATE "C" NOT NULL,
    published_at BIGINT NOT NULL,
    UNIQUE (project_id, seq)
);
ALTER TABLE projects ADD FOREIGN KEY (live_version_id) REFERENCES versions (id);

-- Bytes stored once per content, named by their SHA-256.
CREATE TABLE blobs (
    sha256 BYTEA NOT NULL PRIMARY KEY,
    content BYTEA NOT NULL
);

CREATE TABLE version_files (
    version_id TEXT COLLATE "C" NOT NULL REFERENCES versions (id),
    position BIGINT NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    namespace TEXT COLLATE "C",
    format TEXT COLLATE "C" NOT NULL,
    sha256 BYTEA NOT NULL REFERENCES blobs (sha256),
    bytes BIGINT NOT NULL,
    PRIMARY KEY (version_id, path)
);
