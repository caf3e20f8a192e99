-- The same columns stand in ../postgres/0281_looks.sql; a test compares both schemas.

-- Colour scheme, language and shortcuts of the dashboard, as its cookie has them; NULL for no choice.
ALTER TABLE users ADD COLUMN looks TEXT;
