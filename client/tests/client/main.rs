//! The client against servers that behave, misbehave and break off.

mod delivery;
mod errors;
mod limits;
mod pages;
mod requests;
mod retries;
mod samples;
mod secrets;
mod support;
mod tls;
mod transport;
mod wait;
