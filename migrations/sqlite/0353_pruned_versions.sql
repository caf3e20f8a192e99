-- The same columns stand in ../postgres/0353_pruned_versions.sql; a test compares both schemas.

-- Since when a version is being deleted: some of its files are gone, and nobody finds it any more.
ALTER TABLE versions ADD COLUMN pruned_at INTEGER;
ALTER TABLE document_versions ADD COLUMN pruned_at INTEGER;

-- Server processes forget its files at once, as they do once it is gone.
CREATE TRIGGER versions_pruned AFTER UPDATE OF pruned_at ON versions WHEN old.pruned_at IS NOT new.pruned_at BEGIN
    UPDATE live_generations SET deletions = deletions + 1
        WHERE shard = (unicode(substr(new.project_id, -1)) * 32 + unicode(substr(new.project_id, -2))) % 128;
END;
