-- The same indexes stand in ../sqlite/0014_key_pages.sql; a test compares both schemas.
-- Pages of keys with a filter that few pass begin with these.
CREATE INDEX translations_stale ON translations (project_id, language, stale) WHERE stale;
CREATE INDEX translations_by_time ON translations (project_id, updated_at);
CREATE INDEX keys_by_time ON keys (project_id, updated_at);
CREATE INDEX keys_by_namespace ON keys (project_id, namespace, ref) WHERE namespace IS NOT NULL;
