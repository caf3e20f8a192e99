//! Conventions (introduction, §1, §4).

use http::{HeaderValue, Method};

use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::{Mutant, Plant};

const CORRELATION: &str = "x-correlation-id";

/// Responses of one status lack the header.
macro_rules! uncorrelated {
    ($id:literal, $check:literal, $status:literal) => {
        Mutant {
            id: $id,
            breaks: "CONV-5",
            says: concat!("a response of status ", stringify!($status), " has no x-correlation-id"),
            killed_by: &[$check],
            plant: Plant::Answer(|_, answer, _| {
                if answer.status == $status {
                    answer.headers.remove(CORRELATION);
                }
            }),
        }
    };
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    instead "credential_not_under_base_url" breaks "CONV-1":
        "the routes are mounted elsewhere than under base_url",
        |request, _| request.is(&Method::GET, "/credential").then(|| ApiAnswer::error(404, "not_found"));
    answer "responses_in_latin_1" breaks "CONV-2": "responses are written in Latin-1",
        |_, answer, _| {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            let byte = |char: char| u8::try_from(u32::from(char)).unwrap_or(b'?');
            answer.body = text.chars().map(byte).collect::<Vec<_>>().into();
        };
    request "escapes_become_question_marks" breaks "CONV-2":
        "an escaped character that is no ASCII becomes a question mark",
        |request, _| if request.is(&Method::POST, "/webhooks") {
            request.body = String::from_utf8_lossy(&request.body).replace("\\u00fc", "?").into();
        };
    request "invalid_utf_8_replaced" breaks "CONV-3": "bytes that are no UTF-8 are replaced before the body is read",
        |request, _| if request.is(&Method::POST, "/webhooks") {
            request.body = String::from_utf8_lossy(&request.body).into_owned().into();
        };
    request "projects_found_by_name" breaks "CONV-4": "a project is found by its id or its slug",
        |request, known| {
            let named = request.project().to_owned();
            let holder = request.key().and_then(|key| known.whose(key)).map(|(project, _)| project);
            if let Some(project) = holder.filter(|project| project.slug == named) {
                request.path = request.path.replacen(&named, &project.id, 1);
            }
        };
    answer "one_correlation_for_all" breaks "CONV-6": "every response has the same x-correlation-id",
        |_, answer, _| answer.set_header(CORRELATION, "x");
    answer "correlation_ids_of_seven" breaks "CONV-6": "a project has seven correlation ids, which it gives by turns",
        |request, answer, known| {
            let turn = known.count(request.project()) % 7;
            answer.set_header(CORRELATION, &format!("{}-{turn}", request.project()));
        };
    answer "correlation_twice" breaks "CONV-6": "a response has two headers x-correlation-id",
        |_, answer, _| {
            answer.headers.append(CORRELATION, HeaderValue::from_static("of-the-layer-behind"));
        };
    answer "correlation_echoed" breaks "CONV-7": "the client's x-correlation-id comes back, whatever it is",
        |request, answer, _| if let Some(value) = request.headers.get(CORRELATION) {
            answer.headers.insert(CORRELATION, value.clone());
        };
    instead "user_agent_needed" breaks "CONV-8": "a request without User-Agent is refused",
        |request, _| (!request.headers.contains_key("user-agent")).then(|| ApiAnswer::error(403, "forbidden"));
    instead "accept_needed" breaks "CONV-8": "a request without Accept is refused",
        |request, _| (!request.headers.contains_key("accept")).then(|| ApiAnswer::error(406, "not_acceptable"));
    request "http_2_skips_authentication" breaks "CONV-9": "over HTTP/2 nobody asks for a key",
        |request, known| {
            let key = known.full_key(request.project()).to_owned();
            if request.by_http2 && !key.is_empty() {
                request.set_key(&key);
            }
        };
    request "http_2_knows_no_scopes" breaks "CONV-9": "over HTTP/2 a key opens everything of its project",
        |request, known| {
            let holder = request.key().and_then(|key| known.whose(key));
            if let Some((project, _)) = holder.filter(|_| request.by_http2) {
                let key = known.full_key(&project.id).to_owned();
                request.set_key(&key);
            }
        };
};

pub(super) const ROUTES: &[Mutant] = &[
    uncorrelated!("no_correlation_on_304", "CONV-5-304", 304),
    uncorrelated!("no_correlation_on_401", "CONV-5", 401),
    uncorrelated!("no_correlation_on_404", "CONV-5", 404),
    uncorrelated!("no_correlation_on_413", "CONV-5", 413),
    uncorrelated!("no_correlation_on_429", "CONV-5-429", 429),
];
