-- What a client can ask about after a lost answer: a record of every write, finished in the write's own transaction.
CREATE TABLE requests (
    project_id TEXT NOT NULL REFERENCES projects (id),
    -- The `x-correlation-id` of the write's response.
    id TEXT NOT NULL,
    -- The endpoint, as the OpenAPI document names it.
    kind TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'succeeded', 'failed')),
    http_status INTEGER,
    -- The error body, as JSON.
    error TEXT,
    resource_kind TEXT,
    resource_id TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_by_age ON requests (created_at);

-- An `Idempotency-Key` and the write that it was used for first.
CREATE TABLE idempotency_keys (
    api_key_id TEXT NOT NULL REFERENCES api_keys (id),
    text TEXT NOT NULL,
    project_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    -- SHA-256 of method, path, query and body.
    fingerprint BLOB NOT NULL,
    -- The first answer: NULL while it is not there. Its body is sealed, since it may hold a secret.
    http_status INTEGER,
    reply BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (api_key_id, text)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- What a person is asked to approve.
CREATE TABLE operations (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    -- The key that asked, and that alone may use the approval.
    api_key_id TEXT NOT NULL REFERENCES api_keys (id),
    kind TEXT NOT NULL CHECK (kind IN ('translation', 'publish', 'rollback')),
    target TEXT NOT NULL CHECK (target IN ('strings', 'content')),
    -- In whole credits.
    max_credits INTEGER,
    version_id TEXT,
    document_id TEXT,
    languages TEXT,
    note TEXT,
    -- What has expired is told by `expires_at` alone.
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'used', 'canceled')),
    decided_by TEXT,
    decided_at INTEGER,
    reason TEXT,
    -- The write that used it.
    request_id TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX operations_by_project ON operations (project_id, id);
CREATE INDEX operations_by_key ON operations (api_key_id, status);

-- What a project has used of its daily budgets; a day is counted from 1970, in UTC.
CREATE TABLE daily_counts (
    project_id TEXT NOT NULL REFERENCES projects (id),
    day INTEGER NOT NULL,
    budget TEXT NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (project_id, day, budget)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_counts_by_day ON daily_counts (day);

-- Request windows, for server processes that share one datastore. Rough by design: it refers to nothing.
CREATE TABLE request_windows (
    budget TEXT NOT NULL PRIMARY KEY,
    began INTEGER NOT NULL,
    requests INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX request_windows_by_age ON request_windows (began);
