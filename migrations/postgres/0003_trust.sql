-- What a client can ask about after a lost answer: a record of every write, finished in the write's own transaction.
CREATE TABLE requests (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    -- The `x-correlation-id` of the write's response.
    id TEXT COLLATE "C" NOT NULL,
    -- The endpoint, as the OpenAPI document names it.
    kind TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('running', 'succeeded', 'failed')),
    http_status BIGINT,
    -- The error body, as JSON.
    error TEXT COLLATE "C",
    resource_kind TEXT COLLATE "C",
    resource_id TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    PRIMARY KEY (project_id, id)
);
CREATE INDEX requests_by_age ON requests (created_at);

-- An `Idempotency-Key` and the write that it was used for first.
CREATE TABLE idempotency_keys (
    api_key_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys (id),
    text TEXT COLLATE "C" NOT NULL,
    project_id TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    -- SHA-256 of method, path, query and body.
    fingerprint BYTEA NOT NULL,
    -- The first answer: NULL while it is not there. Its body is sealed, since it may hold a secret.
    http_status BIGINT,
    reply BYTEA,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (api_key_id, text)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- What a person is asked to approve.
CREATE TABLE operations (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    -- The key that asked, and that alone may use the approval.
    api_key_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys (id),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('translation', 'publish', 'rollback')),
    target TEXT COLLATE "C" NOT NULL CHECK (target IN ('strings', 'content')),
    -- In whole credits.
    max_credits BIGINT,
    version_id TEXT COLLATE "C",
    document_id TEXT COLLATE "C",
    languages TEXT COLLATE "C",
    note TEXT COLLATE "C",
    -- What has expired is told by `expires_at` alone.
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'used', 'canceled')),
    decided_by TEXT COLLATE "C",
    decided_at BIGINT,
    reason TEXT COLLATE "C",
    -- The write that used it.
    request_id TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX operations_by_project ON operations (project_id, id);
CREATE INDEX operations_by_key ON operations (api_key_id, status);

-- What a project has used of its daily budgets; a day is counted from 1970, in UTC.
CREATE TABLE daily_counts (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    day BIGINT NOT NULL,
    budget TEXT COLLATE "C" NOT NULL,
    used BIGINT NOT NULL CHECK (used >= 0),
    PRIMARY KEY (project_id, day, budget)
);
CREATE INDEX daily_counts_by_day ON daily_counts (day);

-- Request windows, for server processes that share one datastore. Rough by design: it refers to nothing.
CREATE TABLE request_windows (
    budget TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    began BIGINT NOT NULL,
    requests BIGINT NOT NULL
);
CREATE INDEX request_windows_by_age ON request_windows (began);
