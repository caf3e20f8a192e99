-- The same table stands in ../sqlite/0218_live_generations.sql; a test compares both schemas.
-- Server processes remember which version of a project is live. The numbers here tell them when to ask again: triggers count
-- them up in the transactions that move what is live, so that no writer can forget. Projects share 128 rows, by the ends of
-- their ids, so that a look at all of them is short.

CREATE TABLE live_generations (
    shard BIGINT NOT NULL PRIMARY KEY,
    -- Counts publishes, restores, archivings and deletions of the shard's projects.
    generation BIGINT NOT NULL,
    -- Counts deleted versions.
    deletions BIGINT NOT NULL
);
INSERT INTO live_generations (shard, generation, deletions) SELECT shard, 0, 0 FROM generate_series(0, 127) AS shard;

CREATE FUNCTION count_live_generation() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE live_generations SET generation = generation + 1
        WHERE shard = (ascii(right(OLD.id, 1)) * 32 + ascii(right(OLD.id, 2))) % 128;
    RETURN NULL;
END $$;
CREATE FUNCTION count_deleted_version() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE live_generations SET deletions = deletions + 1
        WHERE shard = (ascii(right(OLD.project_id, 1)) * 32 + ascii(right(OLD.project_id, 2))) % 128;
    RETURN NULL;
END $$;

-- As the last thing before the commit: the shared row is locked for a moment, and nothing else is locked after it.
CREATE CONSTRAINT TRIGGER projects_live_moved AFTER UPDATE OF live_version_id, archived_at, workspace_id, slug ON projects
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.live_version_id IS DISTINCT FROM NEW.live_version_id OR OLD.archived_at IS DISTINCT FROM NEW.archived_at
        OR OLD.workspace_id <> NEW.workspace_id OR OLD.slug <> NEW.slug)
    EXECUTE FUNCTION count_live_generation();
CREATE CONSTRAINT TRIGGER projects_live_deleted AFTER DELETE ON projects
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_live_generation();
CREATE CONSTRAINT TRIGGER versions_deleted AFTER DELETE ON versions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_deleted_version();
