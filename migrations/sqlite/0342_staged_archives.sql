-- The same column stands in ../postgres/0342_staged_archives.sql; a test compares both schemas.

-- True for a key that the run archives: the row says nothing else of it.
ALTER TABLE staged_changes ADD COLUMN archives INTEGER NOT NULL DEFAULT 0 CHECK (archives IN (0, 1));
