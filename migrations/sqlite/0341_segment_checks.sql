-- The same column stands in ../postgres/0341_segment_checks.sql; a test compares both schemas.

-- The last translation of a segment that the worker has come to, as JSON; 'null' at the beginning. NULL: it is at the keys, which
-- come first.
ALTER TABLE glossary_checks ADD COLUMN after_segment TEXT;
