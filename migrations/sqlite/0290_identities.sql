-- The same tables stand in ../postgres/0290_identities.sql; a test compares both schemas.

-- Accounts at identity providers by which people sign in.
CREATE TABLE identities (
    -- The provider, as it names itself.
    issuer TEXT NOT NULL,
    -- The account there. Addresses change and are given to others; this does not.
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX identities_by_user ON identities (user_id);

-- Answers of identity providers that were used, for as long as they would be good: none counts twice.
CREATE TABLE used_sign_ins (
    -- SHA-256 of the state that the answer belongs to.
    state_hash BLOB NOT NULL PRIMARY KEY,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX used_sign_ins_by_end ON used_sign_ins (expires_at);
