//! Conventions (introduction, §1, §4).

use http::{HeaderValue, Method};

use crate::mutants::{ApiAnswer, Mutant, Plant};

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

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "credential_not_under_base_url",
        breaks: "CONV-1",
        says: "the routes are mounted elsewhere than under base_url",
        killed_by: &["CONV-1", "VER-1"],
        plant: Plant::Instead(|request, _| {
            request.is(&Method::GET, "/credential").then(|| ApiAnswer::error(404, "not_found"))
        }),
    },
    Mutant {
        id: "responses_in_latin_1",
        breaks: "CONV-2",
        says: "responses are written in Latin-1",
        killed_by: &["CONV-2"],
        plant: Plant::Answer(|_, answer, _| {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            let byte = |char: char| u8::try_from(u32::from(char)).unwrap_or(b'?');
            answer.body = text.chars().map(byte).collect::<Vec<_>>().into();
        }),
    },
    Mutant {
        id: "escapes_become_question_marks",
        breaks: "CONV-2",
        says: "an escaped character that is no ASCII becomes a question mark",
        killed_by: &["CONV-2"],
        plant: Plant::Request(|request, _| {
            if request.is(&Method::POST, "/webhooks") {
                request.body = String::from_utf8_lossy(&request.body).replace("\\u00fc", "?").into();
            }
        }),
    },
    Mutant {
        id: "invalid_utf_8_replaced",
        breaks: "CONV-3",
        says: "bytes that are no UTF-8 are replaced before the body is read",
        killed_by: &["CONV-3"],
        plant: Plant::Request(|request, _| {
            if request.is(&Method::POST, "/webhooks") {
                request.body = String::from_utf8_lossy(&request.body).into_owned().into();
            }
        }),
    },
    Mutant {
        id: "projects_found_by_name",
        breaks: "CONV-4",
        says: "a project is found by its id or its slug",
        killed_by: &["CONV-4"],
        plant: Plant::Request(|request, known| {
            let named = request.project().to_owned();
            let holder = request.key().and_then(|key| known.whose(key)).map(|(project, _)| project);
            if let Some(project) = holder.filter(|project| project.slug == named) {
                request.path = request.path.replacen(&named, &project.id, 1);
            }
        }),
    },
    uncorrelated!("no_correlation_on_401", "CONV-5", 401),
    uncorrelated!("no_correlation_on_404", "CONV-5", 404),
    uncorrelated!("no_correlation_on_413", "CONV-5", 413),
    uncorrelated!("no_correlation_on_429", "CONV-5-429", 429),
    Mutant {
        id: "one_correlation_for_all",
        breaks: "CONV-6",
        says: "every response has the same x-correlation-id",
        killed_by: &["CONV-6"],
        plant: Plant::Answer(|_, answer, _| answer.set_header(CORRELATION, "x")),
    },
    Mutant {
        id: "correlation_twice",
        breaks: "CONV-6",
        says: "a response has two headers x-correlation-id",
        killed_by: &["CONV-6"],
        plant: Plant::Answer(|_, answer, _| {
            answer.headers.append(CORRELATION, HeaderValue::from_static("of-the-layer-behind"));
        }),
    },
    Mutant {
        id: "correlation_echoed",
        breaks: "CONV-7",
        says: "the client's x-correlation-id comes back, whatever it is",
        killed_by: &["CONV-7"],
        plant: Plant::Answer(|request, answer, _| {
            if let Some(value) = request.headers.get(CORRELATION) {
                answer.headers.insert(CORRELATION, value.clone());
            }
        }),
    },
    Mutant {
        id: "user_agent_needed",
        breaks: "CONV-8",
        says: "a request without User-Agent is refused",
        killed_by: &["CONV-8"],
        plant: Plant::Instead(|request, _| {
            (!request.headers.contains_key("user-agent")).then(|| ApiAnswer::error(403, "forbidden"))
        }),
    },
    Mutant {
        id: "accept_needed",
        breaks: "CONV-8",
        says: "a request without Accept is refused",
        killed_by: &["CONV-8"],
        plant: Plant::Instead(|request, _| {
            (!request.headers.contains_key("accept")).then(|| ApiAnswer::error(406, "not_acceptable"))
        }),
    },
    Mutant {
        id: "http_2_skips_authentication",
        breaks: "CONV-9",
        says: "over HTTP/2 nobody asks for a key",
        killed_by: &["CONV-9"],
        plant: Plant::Request(|request, known| {
            let key = known.full_key(request.project()).to_owned();
            if request.by_http2 && !key.is_empty() {
                request.set_key(&key);
            }
        }),
    },
    Mutant {
        id: "http_2_knows_no_scopes",
        breaks: "CONV-9",
        says: "over HTTP/2 a key opens everything of its project",
        killed_by: &["CONV-9"],
        plant: Plant::Request(|request, known| {
            let holder = request.key().and_then(|key| known.whose(key));
            if let Some((project, _)) = holder.filter(|_| request.by_http2) {
                let key = known.full_key(&project.id).to_owned();
                request.set_key(&key);
            }
        }),
    },
];
