-- The same column stands in ../sqlite/0260_members_seen.sql; a test compares both schemas.

-- The hour in which the person last opened a page of the workspace.
ALTER TABLE memberships ADD COLUMN seen_at BIGINT;
