-- The same column stands in ../sqlite/0354_frequent_tokens.sql; a test compares both schemas.

-- Tokens that fewer keys have than the common ones, and still many: a search asks for them only where the others find too much.
-- With blanks between.
ALTER TABLE common_tokens ADD COLUMN frequent TEXT COLLATE "C" NOT NULL DEFAULT '';

-- The worker samples each project anew.
UPDATE common_tokens SET sampled_at = 0;
