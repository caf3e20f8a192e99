//! Fakes of translation services: as strict as the services are, and worse behaved where a test wants that.
//!
//! One server has a [`Mount`] for each kind of service. A mount translates by writing texts in capital letters, follows a
//! script of [behaviours](Behaviour), keeps a transcript of the calls, and complains of whatever its service would not
//! take: a wrong path, query or header, an unknown field, a limit passed, text that is not escaped, an unknown language.
//!
//! It does not complain of connections that were not needed. A client gives a connection back a moment after its answer has
//! ended, and may open another one in between, so that a complaint would come by chance. [`LoggedCall::connection`] says which one
//! each call came on, for a test that counts them over many calls.
//!
//! ```no_run
//! # async fn test() -> std::io::Result<()> {
//! use l10n_testkit::engines::{Behaviour, FakeEngines};
//!
//! let fakes = FakeEngines::start().await?;
//! let deepl = fakes.deepl();
//! deepl.script([Behaviour::RateLimited(Some(1)), Behaviour::Glue]);
//! // An engine that calls deepl.address() with deepl.key(); and then:
//! assert_eq!(deepl.calls().len(), 2);
//! deepl.expect_no_complaints();
//! # Ok(())
//! # }
//! ```

mod asked;
mod azure;
mod behaviour;
mod deepl;
mod deepl_glossaries;
mod google;
mod hints;
mod libretranslate;
mod mount;
mod openai;
mod own;
mod reply;
mod server;
mod texts;

pub use asked::LoggedCall;
pub use behaviour::Behaviour;
pub use deepl_glossaries::Glossary;
pub use mount::{Mount, Service};
pub use server::FakeEngines;
