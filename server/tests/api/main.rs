//! The routes of the API and the commands beside them, over real connections, on both engines.

mod api_keys;
mod capture;
mod content;
mod jobs;
mod operations;
mod people;
mod publish;
mod receipts;
mod webhooks;
