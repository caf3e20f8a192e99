//! The routes of the API and the commands beside them, over real connections, on both engines.

mod capture;
mod content;
mod jobs;
mod operations;
mod publish;
mod receipts;
mod webhooks;
