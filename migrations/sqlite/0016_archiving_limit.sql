-- The same column stands in the other engine's 0016_archiving_limit.sql; a test compares both schemas.

-- Most keys that an approved run may archive; NULL: none.
ALTER TABLE operations ADD COLUMN max_archived_keys INTEGER;
