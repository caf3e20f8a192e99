-- The same tables stand in ../sqlite/0290_identities.sql; a test compares both schemas.

-- Accounts at identity providers by which people sign in.
CREATE TABLE identities (
    -- The provider, as it names itself.
    issuer TEXT COLLATE "C" NOT NULL,
    -- The account there. Addresses change and are given to others; this does not.
    subject TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);

-- Answers of identity providers that were used, for as long as they would be good: none counts twice.
CREATE TABLE used_sign_ins (
    -- SHA-256 of the state that the answer belongs to.
    state_hash BYTEA NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_sign_ins_by_end ON used_sign_ins (expires_at);
