-- The same column stands in ../sqlite/0240_publishers.sql; a test compares both schemas.

-- The address of the person who published the version in the dashboard; NULL where a program did it with an API key.
ALTER TABLE versions ADD COLUMN published_by TEXT COLLATE "C";
