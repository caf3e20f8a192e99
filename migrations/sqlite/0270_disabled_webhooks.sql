-- The same column stands in ../postgres/0270_disabled_webhooks.sql; a test compares both schemas.

-- When the webhook was disabled; NULL while it is enabled, and where it was disabled before this was written down.
ALTER TABLE webhooks ADD COLUMN disabled_at INTEGER;
