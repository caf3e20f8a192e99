//! Pages in Chromium: by keyboard, with axe-core, at several widths, light and dark. One browser for each engine.
//!
//! SKIPPED where there is no `chromium`, `chromedriver` or axe-core (`.ci/browser` installs them); with
//! `L10N_REQUIRE=browser` that is a failure.

mod chromedriver;
mod chromium;
mod driver;
mod flows;
mod foreign_app;
mod keyboard;
mod keyboard_flows;
mod oidc;
mod pages;
mod polls;
mod webhooks;

pub(crate) use driver::plain_client;
