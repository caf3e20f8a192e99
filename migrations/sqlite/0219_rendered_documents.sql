-- The same columns stand in ../postgres/0219_rendered_documents.sql; a test compares both schemas.

-- Counts changes of the translations of a project's segments. Whoever changes them holds the lock of their project.
ALTER TABLE projects ADD COLUMN segment_seq INTEGER NOT NULL DEFAULT 0;

-- A hash of all that the live version was rendered from, if a publish has found that it still renders to the same.
ALTER TABLE documents ADD COLUMN rendered_from TEXT;

CREATE TRIGGER segment_translations_added AFTER INSERT ON segment_translations BEGIN
    UPDATE projects SET segment_seq = segment_seq + 1 WHERE id = new.project_id;
END;
CREATE TRIGGER segment_translations_changed AFTER UPDATE OF text, state ON segment_translations BEGIN
    UPDATE projects SET segment_seq = segment_seq + 1 WHERE id = new.project_id;
END;
CREATE TRIGGER segment_translations_deleted AFTER DELETE ON segment_translations BEGIN
    UPDATE projects SET segment_seq = segment_seq + 1 WHERE id = old.project_id;
END;
