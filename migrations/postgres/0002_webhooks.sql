CREATE TABLE webhooks (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    url TEXT COLLATE "C" NOT NULL,
    -- The host of `url` in its canonical form: deliveries to one host share its slots.
    host TEXT COLLATE "C" NOT NULL,
    events TEXT COLLATE "C" NOT NULL,
    enabled BOOLEAN NOT NULL,
    disabled_reason TEXT COLLATE "C" CHECK (disabled_reason IN ('auto_failures')),
    consecutive_failures BIGINT NOT NULL,
    -- Sealed with a master key; the id of the webhook is part of the seal.
    secret BYTEA NOT NULL,
    secret_hint TEXT COLLATE "C" NOT NULL,
    previous_secret BYTEA,
    previous_secret_expires_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX webhooks_by_project ON webhooks (project_id, id);

-- What happened, with the bytes that are sent. Signed as they are, so never parsed and written again.
CREATE TABLE events (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    event_type TEXT COLLATE "C" NOT NULL CHECK (event_type IN ('strings.published', 'content.published')),
    publish_id TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

-- An event on its way to one webhook.
CREATE TABLE deliveries (
    webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    event_id TEXT COLLATE "C" NOT NULL REFERENCES events (id),
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'delivering', 'delivered', 'failed')),
    -- How the plan ended; a resend does not begin it anew.
    ended TEXT COLLATE "C" CHECK (ended IN ('delivered', 'failed')),
    -- Attempts that have ended, resends included, and planned attempts that failed.
    attempts BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    -- When the plan wants its next attempt, also while the webhook is disabled.
    planned_at BIGINT,
    -- Whether an attempt outside the plan is asked for.
    resend BOOLEAN NOT NULL,
    -- When a worker is to take it: for its next attempt, or from a worker that did not come back from the present one.
    due_at BIGINT,
    -- Rises with every attempt that begins: who holds an older one has lost the delivery.
    lease BIGINT NOT NULL,
    last_attempt_at BIGINT,
    last_duration_ms BIGINT,
    last_status_code BIGINT,
    last_error TEXT COLLATE "C",
    last_error_kind TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    PRIMARY KEY (webhook_id, id)
);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
-- By webhook first: what waits for one never stands before what is due at another.
CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at, status) WHERE due_at IS NOT NULL;
