-- The same columns stand in ../sqlite/0353_pruned_versions.sql; a test compares both schemas.

-- Since when a version is being deleted: some of its files are gone, and nobody finds it any more.
ALTER TABLE versions ADD COLUMN pruned_at BIGINT;
ALTER TABLE document_versions ADD COLUMN pruned_at BIGINT;

-- Server processes forget its files at once, as they do once it is gone.
CREATE CONSTRAINT TRIGGER versions_pruned AFTER UPDATE OF pruned_at ON versions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.pruned_at IS DISTINCT FROM NEW.pruned_at)
    EXECUTE FUNCTION count_deleted_version();
