-- The same column stands in ../sqlite/0008_source_hashes.sql; a test compares both schemas.

-- SHA-256 of the body's UTF-8 bytes, so that a list can say it without reading the body. NULL for what was pushed before
-- there was this column, since SQLite cannot hash: the next push of the document writes it, of the same text too.
ALTER TABLE document_sources ADD COLUMN sha256 BYTEA;
