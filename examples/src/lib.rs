//! Runnable examples live beside this file: the main job in `quickstart.rs`, a folder of documents in
//! `content_site.rs`, a receiver in `webhook_receiver.rs`.
