-- The same table stands in ../sqlite/0340_service_glossaries.sql; a test compares both schemas.

-- Glossaries that translation services keep for this one: each has the terms of a list in a pair of languages, as the list was at
-- a revision. A row goes once its glossary is removed at the service, so it refers to nothing and outlives what it is for.
CREATE TABLE service_glossaries (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    engine TEXT COLLATE "C" NOT NULL,
    -- The project whose list it is, with that of its workspace; the workspace where the project has no terms of its own.
    owner_id TEXT COLLATE "C" NOT NULL,
    source_language TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    -- 0 where the owner is a workspace.
    own_revision BIGINT NOT NULL,
    shared_revision BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('making', 'made', 'failed', 'removing')),
    -- Its name at the service, once it is made.
    service_id TEXT COLLATE "C",
    -- Tries to remove it.
    attempts BIGINT NOT NULL,
    -- The time before which nobody tries again to make or to remove it.
    next_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX service_glossaries_of_list ON service_glossaries
    (owner_id, engine, source_language, language, own_revision, shared_revision);
CREATE INDEX service_glossaries_due ON service_glossaries (state, next_at);
