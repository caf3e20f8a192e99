CREATE TABLE webhooks (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    url TEXT NOT NULL,
    -- The host of `url` in its canonical form: deliveries to one host share its slots.
    host TEXT NOT NULL,
    events TEXT NOT NULL,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    disabled_reason TEXT CHECK (disabled_reason IN ('auto_failures')),
    consecutive_failures INTEGER NOT NULL,
    -- Sealed with a master key; the id of the webhook is part of the seal.
    secret BLOB NOT NULL,
    secret_hint TEXT NOT NULL,
    previous_secret BLOB,
    previous_secret_expires_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_project ON webhooks (project_id, id);

-- What happened, with the bytes that are sent. Signed as they are, so never parsed and written again.
CREATE TABLE events (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    event_type TEXT NOT NULL CHECK (event_type IN ('strings.published', 'content.published')),
    publish_id TEXT NOT NULL,
    body BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- An event on its way to one webhook.
CREATE TABLE deliveries (
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL REFERENCES events (id),
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivering', 'delivered', 'failed')),
    -- How the plan ended; a resend does not begin it anew.
    ended TEXT CHECK (ended IN ('delivered', 'failed')),
    -- Attempts that have ended, resends included, and planned attempts that failed.
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    -- When the plan wants its next attempt, also while the webhook is disabled.
    planned_at INTEGER,
    -- Whether an attempt outside the plan is asked for.
    resend INTEGER NOT NULL CHECK (resend IN (0, 1)),
    -- When a worker is to take it: for its next attempt, or from a worker that did not come back from the present one.
    due_at INTEGER,
    -- Rises with every attempt that begins: who holds an older one has lost the delivery.
    lease INTEGER NOT NULL,
    last_attempt_at INTEGER,
    last_duration_ms INTEGER,
    last_status_code INTEGER,
    last_error TEXT,
    last_error_kind TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (webhook_id, id)
) STRICT;
CREATE INDEX deliveries_by_event ON deliveries (event_id);
-- By webhook first: what waits for one never stands before what is due at another.
CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at, status) WHERE due_at IS NOT NULL;
