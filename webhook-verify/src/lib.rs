//! Verifies the signed webhook deliveries of the localization service (§6).
