//! Reference server of the localization service.
//!
//! The public face serves three kinds of users; everything else is private to the crate.
//!
//! - **Embedders** start a server in their own process: [`config`] reads the settings, [`store::Store`] opens the
//!   database, [`service::Service`] joins them with a [`clock::Clock`] and an engine ([`engines::Translator`]), and
//!   [`app::run`] serves until it is told to stop. [`commands::main`] is the whole command line.
//! - **Tests and benches of this workspace** start a server on a database of their own with `testing` (feature
//!   `testing`). They set up and inspect rows with [`store`], and call rules that no request reaches alone, such as
//!   [`domain::deliveries`], [`egress`], [`request_windows`] and [`workers`].
//! - **The conformance suite's lab** (feature `lab`, part of `testing`) moves the clock from outside and gives the rules other
//!   numbers than the specification's.
//!
//! Only the HTTP API is stable. This crate's own interface may change in any release.

pub mod app;
pub(crate) mod byte_budget;
pub mod clock;
pub mod commands;
pub(crate) mod compute;
pub mod config;
pub(crate) mod deliveries_due;
pub(crate) mod delivery;
pub mod domain;
pub mod egress;
pub mod engines;
pub(crate) mod fair_places;
pub(crate) mod fold;
pub mod http;
pub mod ids;
#[cfg(feature = "lab")]
pub mod lab;
pub(crate) mod large_requests;
pub mod metrics;
pub mod oidc;
pub(crate) mod open_files;
pub mod request_windows;
pub(crate) mod server_lock;
pub mod service;
pub mod signal;
pub mod similar;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
pub(crate) mod turn_queue;
pub mod vault;
pub(crate) mod words;
pub mod workers;
