//! A server with people, and a visitor who reads pages and sends their forms, without script.

mod engine;
mod hooks;
mod hostile;
mod html;
mod provider;
mod site;
mod visitor;

pub(crate) use engine::PickyEngine;
pub(crate) use hooks::{Hooks, WEBHOOKS, secret};
pub(crate) use hostile::{HOSTILE, check_is_text};
pub(crate) use html::Form;
pub(crate) use provider::{IdentityProvider, Manner};
pub(crate) use site::{PASSWORD, Site};
pub(crate) use visitor::{Visited, Visitor};
