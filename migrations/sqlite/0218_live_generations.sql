-- The same table stands in ../postgres/0218_live_generations.sql; a test compares both schemas.
-- Server processes remember which version of a project is live. The numbers here tell them when to ask again: triggers count
-- them up in the transactions that move what is live, so that no writer can forget. Projects share 128 rows, by the ends of
-- their ids, so that a look at all of them is short.

CREATE TABLE live_generations (
    shard INTEGER NOT NULL PRIMARY KEY,
    -- Counts publishes, restores, archivings and deletions of the shard's projects.
    generation INTEGER NOT NULL,
    -- Counts deleted versions.
    deletions INTEGER NOT NULL
) STRICT;
WITH RECURSIVE shards (shard) AS (SELECT 0 UNION ALL SELECT shard + 1 FROM shards WHERE shard < 127)
INSERT INTO live_generations (shard, generation, deletions) SELECT shard, 0, 0 FROM shards;

CREATE TRIGGER projects_live_moved AFTER UPDATE OF live_version_id, archived_at, workspace_id, slug ON projects
WHEN old.live_version_id IS NOT new.live_version_id OR old.archived_at IS NOT new.archived_at
    OR old.workspace_id <> new.workspace_id OR old.slug <> new.slug
BEGIN
    UPDATE live_generations SET generation = generation + 1
        WHERE shard = (unicode(substr(new.id, -1)) * 32 + unicode(substr(new.id, -2))) % 128;
END;
CREATE TRIGGER projects_live_deleted AFTER DELETE ON projects BEGIN
    UPDATE live_generations SET generation = generation + 1
        WHERE shard = (unicode(substr(old.id, -1)) * 32 + unicode(substr(old.id, -2))) % 128;
END;
CREATE TRIGGER versions_deleted AFTER DELETE ON versions BEGIN
    UPDATE live_generations SET deletions = deletions + 1
        WHERE shard = (unicode(substr(old.project_id, -1)) * 32 + unicode(substr(old.project_id, -2))) % 128;
END;
