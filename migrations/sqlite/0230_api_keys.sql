-- The same columns stand in ../postgres/0230_api_keys.sql; a test compares both schemas.

-- What people see of a key in the dashboard. NULL where it was made before, or by an operator's command.
ALTER TABLE api_keys ADD COLUMN hint TEXT;
ALTER TABLE api_keys ADD COLUMN made_by TEXT;
-- From when on the key is refused, as its maker chose.
ALTER TABLE api_keys ADD COLUMN ends_at INTEGER;
-- The hour in which it was last used.
ALTER TABLE api_keys ADD COLUMN used_at INTEGER;
CREATE INDEX api_keys_by_age ON api_keys (project_id, id);
CREATE INDEX api_keys_by_end ON api_keys (ends_at) WHERE revoked_at IS NULL AND ends_at IS NOT NULL;

-- Operations that wait for a decision are counted on every page of their project.
CREATE INDEX operations_pending ON operations (project_id, expires_at) WHERE status = 'pending';
