//! Runnable examples live beside this file: the main job in `quickstart.rs`, a receiver in `webhook_receiver.rs`.
