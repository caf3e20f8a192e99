-- The same column stands in ../sqlite/0342_staged_archives.sql; a test compares both schemas.

-- True for a key that the run archives: the row says nothing else of it.
ALTER TABLE staged_changes ADD COLUMN archives BOOLEAN NOT NULL DEFAULT FALSE;
