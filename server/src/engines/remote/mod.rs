//! Engines over HTTP. Each has a client of its own, asks with a mask that its service leaves alone, and reads what its
//! service says when it will not.

mod answer;
mod azure;
mod client;
mod deepl;
mod deepl_glossaries;
mod google;
mod key;
mod languages;
mod libretranslate;
mod markup;
mod model_answer;
mod openai;
mod own;
mod prompt;
mod service;
mod tags;
mod texts;

pub(super) use azure::Azure;
pub(super) use deepl::DeepL;
pub(super) use google::{GoogleAdvanced, GoogleBasic};
pub(super) use libretranslate::LibreTranslate;
pub(super) use openai::OpenAi;
pub(super) use own::HttpEngine;
pub(super) use service::{RemoteEngine, TranslationService};
