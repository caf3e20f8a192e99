//! A plain function that verifies, for any server: the header is an argument and the body comes on standard input.
//!
//! ```text
//! L10N_WEBHOOK_SECRET=whsec_… cargo run --example plain -- 't=1800000000,v1=…' < body.json
//! ```

use std::env;
use std::error::Error;
use std::io::{Read as _, stdin};
use std::process::ExitCode;

use l10n_webhook_verify::{Verifier, VerifyError};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let verifier = Verifier::new(env::var("L10N_WEBHOOK_SECRET")?)?;
    let header = env::args().nth(1).unwrap_or_default();
    let mut body = Vec::new();
    stdin().read_to_end(&mut body)?;
    let (status, text) = answer(&verifier, &header, &body);
    println!("{status} {text}");
    Ok(if status < 300 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the status and the text to answer with.
fn answer(verifier: &Verifier, header: &str, body: &[u8]) -> (u16, String) {
    match verifier.verify(header, body) {
        // From here on `body` can be trusted, parsed and acted on.
        Ok(verified) => (204, format!("signed at {}", verified.time)),
        Err(error @ VerifyError::Header(_)) => (400, error.to_string()),
        Err(error) => (401, error.to_string()),
    }
}
