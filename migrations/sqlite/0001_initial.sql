-- The same tables stand in ../postgres/0001_initial.sql; a test compares both schemas.
-- Times are milliseconds since 1970. Money is millicredits. WITHOUT ROWID where the primary key is the way in and rows are short.

CREATE TABLE workspaces (
    id TEXT NOT NULL PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    spending_cap INTEGER,
    -- The sum of the workspace's ledger, kept in the transaction of each entry.
    balance INTEGER NOT NULL CHECK (balance >= 0),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE projects (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    base_language TEXT NOT NULL,
    live_version_id TEXT REFERENCES versions (id),
    version_seq INTEGER NOT NULL,
    key_count INTEGER NOT NULL CHECK (key_count >= 0),
    changes_since_publish INTEGER NOT NULL CHECK (changes_since_publish >= 0),
    created_at INTEGER NOT NULL,
    UNIQUE (workspace_id, slug)
) STRICT;

CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    -- SHA-256 of the key's text.
    hash BLOB NOT NULL UNIQUE,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('ci', 'agent')),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_project ON api_keys (project_id);

CREATE TABLE languages (
    project_id TEXT NOT NULL REFERENCES projects (id),
    code TEXT NOT NULL,
    is_base INTEGER NOT NULL CHECK (is_base IN (0, 1)),
    position INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, code)
) STRICT, WITHOUT ROWID;

CREATE TABLE output_formats (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    position INTEGER NOT NULL,
    format TEXT NOT NULL,
    path TEXT NOT NULL,
    empty_as TEXT NOT NULL CHECK (empty_as IN ('skip', 'base')),
    namespaces TEXT
) STRICT;
CREATE INDEX output_formats_by_project ON output_formats (project_id, position);

CREATE TABLE source_files (
    project_id TEXT NOT NULL REFERENCES projects (id),
    path TEXT NOT NULL,
    format TEXT NOT NULL,
    namespace TEXT,
    -- The file as it was synced last: the skeleton for rendering.
    content BLOB NOT NULL,
    sha256 BLOB NOT NULL,
    synced_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, path)
) STRICT;

CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    ref TEXT NOT NULL,
    namespace TEXT,
    source_path TEXT,
    position INTEGER NOT NULL,
    source TEXT NOT NULL,
    source_hash BLOB NOT NULL,
    characters INTEGER NOT NULL,
    description TEXT,
    max_length INTEGER,
    tags TEXT,
    state TEXT NOT NULL CHECK (state IN ('active', 'archived', 'captured')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (project_id, ref)
) STRICT;
CREATE INDEX keys_by_source_path ON keys (project_id, source_path);
CREATE INDEX keys_by_state ON keys (project_id, state, ref);

CREATE TABLE translations (
    key_id TEXT NOT NULL REFERENCES keys (id),
    language TEXT NOT NULL,
    project_id TEXT NOT NULL,
    content TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('translated', 'needs_review', 'reviewed')),
    -- Hash of the source content that it translates.
    source_hash BLOB NOT NULL,
    stale INTEGER NOT NULL CHECK (stale IN (0, 1)),
    origin TEXT NOT NULL CHECK (origin IN ('machine', 'memory', 'human', 'import')),
    engine TEXT,
    issues TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (key_id, language)
) STRICT, WITHOUT ROWID;
CREATE INDEX translations_by_language ON translations (project_id, language, state);

CREATE TABLE memory (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    source_language TEXT NOT NULL,
    target_language TEXT NOT NULL,
    source_hash BLOB NOT NULL,
    -- '' for what a person wrote or a file brought.
    engine TEXT NOT NULL,
    content TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, source_language, target_language, source_hash, engine)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'charge')),
    amount INTEGER NOT NULL,
    job_id TEXT,
    note TEXT,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_by_workspace ON ledger (workspace_id, created_at);

CREATE TABLE holds (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    job_id TEXT NOT NULL UNIQUE,
    remaining INTEGER NOT NULL CHECK (remaining >= 0),
    expires_at INTEGER NOT NULL,
    released_at INTEGER
) STRICT;
CREATE INDEX holds_by_workspace ON holds (workspace_id, released_at, expires_at);
CREATE INDEX holds_by_expiry ON holds (released_at, expires_at);

CREATE TABLE jobs (
    tracking_token TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    engine TEXT NOT NULL,
    request_id TEXT NOT NULL,
    total INTEGER NOT NULL,
    done INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    needs_review INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    charged INTEGER NOT NULL,
    lease_owner TEXT,
    lease_expires_at INTEGER,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;
CREATE INDEX jobs_by_lease ON jobs (status, lease_expires_at);
CREATE INDEX jobs_by_project ON jobs (project_id, status);

CREATE TABLE job_chunks (
    job_id TEXT NOT NULL REFERENCES jobs (tracking_token),
    seq INTEGER NOT NULL,
    language TEXT NOT NULL,
    items TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'done')),
    done INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    charged INTEGER NOT NULL,
    PRIMARY KEY (job_id, seq)
) STRICT;
-- The next pending chunk is found without reading the items of those that are done.
CREATE INDEX job_chunks_by_status ON job_chunks (job_id, status, seq);

CREATE TABLE job_failures (
    job_id TEXT NOT NULL REFERENCES jobs (tracking_token),
    seq INTEGER NOT NULL,
    ref TEXT NOT NULL,
    language TEXT NOT NULL,
    error TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (job_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    seq INTEGER NOT NULL,
    publish_id TEXT NOT NULL,
    label TEXT NOT NULL,
    key_count INTEGER NOT NULL,
    languages TEXT NOT NULL,
    base_language TEXT NOT NULL,
    issues TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    UNIQUE (project_id, seq)
) STRICT;

-- Bytes stored once per content, named by their SHA-256.
CREATE TABLE blobs (
    sha256 BLOB NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;

CREATE TABLE version_files (
    version_id TEXT NOT NULL REFERENCES versions (id),
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    language TEXT NOT NULL,
    namespace TEXT,
    format TEXT NOT NULL,
    sha256 BLOB NOT NULL REFERENCES blobs (sha256),
    bytes INTEGER NOT NULL,
    PRIMARY KEY (version_id, path)
) STRICT, WITHOUT ROWID;
