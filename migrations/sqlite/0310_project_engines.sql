-- The same column stands in ../postgres/0310_project_engines.sql; a test compares both schemas.

-- The engines that the project chooses, as JSON: its chain, and chains of single languages. NULL for those of the server.
ALTER TABLE projects ADD COLUMN engines TEXT;
