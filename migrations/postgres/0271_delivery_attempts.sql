-- The same table stands in ../sqlite/0271_delivery_attempts.sql; a test compares both schemas.

-- What an attempt sent and met, for people who mend a receiver. The last twenty of a delivery are kept, as long as it is.
CREATE TABLE delivery_attempts (
    webhook_id TEXT COLLATE "C" NOT NULL,
    delivery_id TEXT COLLATE "C" NOT NULL,
    -- From 1 on, resends included.
    number BIGINT NOT NULL,
    resend BOOLEAN NOT NULL,
    began_at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    status_code BIGINT,
    error TEXT COLLATE "C",
    error_kind TEXT COLLATE "C",
    url TEXT COLLATE "C" NOT NULL,
    -- Lines of the request's head; NULL where nothing was sent.
    headers TEXT COLLATE "C",
    -- The first bytes of the answer's body, 2,048 at most; NULL where there was no answer.
    answer BYTEA,
    -- Whether the answer had more.
    answer_cut BOOLEAN NOT NULL,
    PRIMARY KEY (webhook_id, delivery_id, number),
    FOREIGN KEY (webhook_id, delivery_id) REFERENCES deliveries (webhook_id, id) ON DELETE CASCADE
);
