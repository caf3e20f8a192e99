-- The same tables stand in ../postgres/0015_process_leases.sql; a test compares both schemas.

-- Server processes that carry writes out, and until when each is known to live. The writes of one whose lease has run out
-- are given up.
CREATE TABLE server_processes (
    id TEXT NOT NULL PRIMARY KEY,
    leased_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The process that carries a write out. NULL for a write of a release that had no leases.
ALTER TABLE requests ADD COLUMN process_id TEXT;

-- Kept answers of a project, oldest first: together they are bounded.
CREATE INDEX idempotency_keys_kept ON idempotency_keys (project_id, created_at) WHERE reply IS NOT NULL;
