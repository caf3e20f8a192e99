-- The same columns stand in ../sqlite/0219_rendered_documents.sql; a test compares both schemas.

-- Counts changes of the translations of a project's segments. Whoever changes them holds the lock of their project.
ALTER TABLE projects ADD COLUMN segment_seq BIGINT NOT NULL DEFAULT 0;

-- A hash of all that the live version was rendered from, if a publish has found that it still renders to the same.
ALTER TABLE documents ADD COLUMN rendered_from TEXT COLLATE "C";

-- Once for each statement, not for each row.
CREATE FUNCTION count_segment_translations() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE projects SET segment_seq = segment_seq + 1 WHERE id IN (SELECT DISTINCT project_id FROM changed);
    RETURN NULL;
END $$;
CREATE TRIGGER segment_translations_added AFTER INSERT ON segment_translations REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_segment_translations();
CREATE TRIGGER segment_translations_changed AFTER UPDATE ON segment_translations REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_segment_translations();
CREATE TRIGGER segment_translations_deleted AFTER DELETE ON segment_translations REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_segment_translations();
