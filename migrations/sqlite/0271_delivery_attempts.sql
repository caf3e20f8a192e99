-- The same table stands in ../postgres/0271_delivery_attempts.sql; a test compares both schemas.

-- What an attempt sent and met, for people who mend a receiver. The last twenty of a delivery are kept, as long as it is.
CREATE TABLE delivery_attempts (
    webhook_id TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    -- From 1 on, resends included.
    number INTEGER NOT NULL,
    resend INTEGER NOT NULL CHECK (resend IN (0, 1)),
    began_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status_code INTEGER,
    error TEXT,
    error_kind TEXT,
    url TEXT NOT NULL,
    -- Lines of the request's head; NULL where nothing was sent.
    headers TEXT,
    -- The first bytes of the answer's body, 2,048 at most; NULL where there was no answer.
    answer BLOB,
    -- Whether the answer had more.
    answer_cut INTEGER NOT NULL CHECK (answer_cut IN (0, 1)),
    PRIMARY KEY (webhook_id, delivery_id, number),
    FOREIGN KEY (webhook_id, delivery_id) REFERENCES deliveries (webhook_id, id) ON DELETE CASCADE
) STRICT;
