-- The same tables stand in ../sqlite/0220_people.sql; a test compares both schemas.
-- People who use the dashboard, and what they may do. Times are milliseconds since 1970.

CREATE TABLE users (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- In lower case: nobody remembers the capitals of an address.
    email TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    -- argon2id as a PHC string; NULL until a password is set.
    password_hash TEXT COLLATE "C",
    -- From when on the person cannot sign in.
    disabled_at BIGINT,
    -- Since when the operator or an identity provider has vouched for the address. An invitation vouches for none: its link
    -- may be in the hands of whoever invited.
    vouched_at BIGINT,
    created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    -- SHA-256 of the token in the person's cookie. The token itself is stored nowhere.
    token_hash BYTEA NOT NULL UNIQUE,
    method TEXT COLLATE "C" NOT NULL CHECK (method IN ('password', 'link', 'invitation', 'identity')),
    user_agent TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    -- The last request, exact to a minute.
    seen_at BIGINT NOT NULL,
    -- The end, however much the session is used.
    expires_at BIGINT NOT NULL,
    -- When the person last proved who they are.
    confirmed_at BIGINT
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);
CREATE INDEX sessions_by_use ON sessions (seen_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- A link that signs in once. A person has one at most: a new one replaces it.
CREATE TABLE sign_in_links (
    user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id),
    -- SHA-256 of the token in the link.
    token_hash BYTEA NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    -- NULL for one that is good until it is used.
    expires_at BIGINT
);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

-- Failed attempts to prove who one is, in a window that begins with the first.
CREATE TABLE sign_in_failures (
    -- SHA-256 of the account's or the client's address.
    subject BYTEA NOT NULL PRIMARY KEY,
    began BIGINT NOT NULL,
    failures BIGINT NOT NULL
);
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (began);

CREATE TABLE memberships (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'translator', 'reviewer', 'manager', 'owner')),
    -- Languages whose translations a translator or reviewer may edit, as JSON; NULL for all.
    languages TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

-- An invitation is a link that somebody hands on. It is deleted when it is accepted or withdrawn.
CREATE TABLE invitations (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    -- SHA-256 of the token in the link.
    token_hash BYTEA NOT NULL UNIQUE,
    email TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'translator', 'reviewer', 'manager', 'owner')),
    languages TEXT COLLATE "C",
    -- The address of the person who invited.
    invited_by TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (workspace_id, email)
);
CREATE INDEX invitations_by_end ON invitations (expires_at);

-- Who did what. Names are kept as they were: persons and keys may be gone by now.
CREATE TABLE audit_log (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    -- Refers to no row: the project may be deleted.
    project_id TEXT COLLATE "C",
    actor_kind TEXT COLLATE "C" NOT NULL CHECK (actor_kind IN ('person', 'key', 'operator')),
    -- `usr_...` or `key_...`; NULL for an operator.
    actor_id TEXT COLLATE "C",
    -- The address of the person, the label of the key, or the operator's name.
    actor TEXT COLLATE "C" NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    -- Id or name of the thing that it was done to.
    subject TEXT COLLATE "C",
    -- More about it, for people.
    detail TEXT COLLATE "C",
    created_at BIGINT NOT NULL
);
CREATE INDEX audit_log_of_workspace ON audit_log (workspace_id, created_at, id);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at, id);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at, id);
CREATE INDEX audit_log_by_time ON audit_log (created_at);
