-- The same tables stand in ../sqlite/0007_unused_operations.sql; a test compares both schemas.
-- Operations that came to nothing are deleted some time after they expired; those that were used stay: they say who allowed
-- what.
CREATE INDEX operations_unused ON operations (expires_at) WHERE status <> 'used';
