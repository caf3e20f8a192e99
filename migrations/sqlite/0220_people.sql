-- The same tables stand in ../postgres/0220_people.sql; a test compares both schemas.
-- People who use the dashboard, and what they may do. Times are milliseconds since 1970.

CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    -- In lower case: nobody remembers the capitals of an address.
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- argon2id as a PHC string; NULL until a password is set.
    password_hash TEXT,
    -- From when on the person cannot sign in.
    disabled_at INTEGER,
    -- Since when the operator or an identity provider has vouched for the address. An invitation vouches for none: its link
    -- may be in the hands of whoever invited.
    vouched_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    -- SHA-256 of the token in the person's cookie. The token itself is stored nowhere.
    token_hash BLOB NOT NULL UNIQUE,
    method TEXT NOT NULL CHECK (method IN ('password', 'link', 'invitation', 'identity')),
    user_agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- The last request, exact to a minute.
    seen_at INTEGER NOT NULL,
    -- The end, however much the session is used.
    expires_at INTEGER NOT NULL,
    -- When the person last proved who they are.
    confirmed_at INTEGER
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, id);
CREATE INDEX sessions_by_use ON sessions (seen_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- A link that signs in once. A person has one at most: a new one replaces it.
CREATE TABLE sign_in_links (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
    -- SHA-256 of the token in the link.
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    -- NULL for one that is good until it is used.
    expires_at INTEGER
) STRICT;
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

-- Failed attempts to prove who one is, in a window that begins with the first.
CREATE TABLE sign_in_failures (
    -- SHA-256 of the account's or the client's address.
    subject BLOB NOT NULL PRIMARY KEY,
    began INTEGER NOT NULL,
    failures INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (began);

CREATE TABLE memberships (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL CHECK (role IN ('viewer', 'translator', 'reviewer', 'manager', 'owner')),
    -- Languages whose translations a translator or reviewer may edit, as JSON; NULL for all.
    languages TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
) STRICT;
CREATE INDEX memberships_by_user ON memberships (user_id);

-- An invitation is a link that somebody hands on. It is deleted when it is accepted or withdrawn.
CREATE TABLE invitations (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    -- SHA-256 of the token in the link.
    token_hash BLOB NOT NULL UNIQUE,
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'translator', 'reviewer', 'manager', 'owner')),
    languages TEXT,
    -- The address of the person who invited.
    invited_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    UNIQUE (workspace_id, email)
) STRICT;
CREATE INDEX invitations_by_end ON invitations (expires_at);

-- Who did what. Names are kept as they were: persons and keys may be gone by now.
CREATE TABLE audit_log (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    -- Refers to no row: the project may be deleted.
    project_id TEXT,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('person', 'key', 'operator')),
    -- `usr_...` or `key_...`; NULL for an operator.
    actor_id TEXT,
    -- The address of the person, the label of the key, or the operator's name.
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    -- Id or name of the thing that it was done to.
    subject TEXT,
    -- More about it, for people.
    detail TEXT,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_of_workspace ON audit_log (workspace_id, created_at, id);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at, id);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at, id);
CREATE INDEX audit_log_by_time ON audit_log (created_at);
