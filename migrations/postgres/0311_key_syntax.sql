-- The same columns stand in ../sqlite/0311_key_syntax.sql; a test compares both schemas.

-- The syntax of a key's text, as the file that it was synced from says it: which of its characters are placeholders. None
-- where nothing says it, and every placeholder of any syntax counts.
ALTER TABLE keys ADD COLUMN syntax TEXT COLLATE "C";
ALTER TABLE staged_changes ADD COLUMN syntax TEXT COLLATE "C";
