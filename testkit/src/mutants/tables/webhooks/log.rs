//! The log of deliveries.

use serde_json::Value;

use super::reads_log;
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "log_oldest_first" breaks "WH-DL-1": "shows the oldest delivery first",
        |request, answer, _| if reads_log(request) && answer.ok() {
            answer.edit(|body| {
                if let Some(entries) = body["deliveries"].as_array_mut() {
                    entries.reverse();
                }
            });
        };
    answer "log_of_49" breaks "WH-DL-2": "shows 49 deliveries",
        |request, answer, _| if reads_log(request) && answer.ok() {
            answer.edit(|body| {
                if let Some(entries) = body["deliveries"].as_array_mut() {
                    entries.truncate(49);
                }
            });
        };
    answer "log_of_51" breaks "WH-DL-2": "shows one delivery more than 50",
        |request, answer, _| if reads_log(request) && answer.ok() {
            answer.edit(|body| {
                let entries = body["deliveries"].as_array_mut();
                if let Some(entries) = entries.filter(|entries| entries.len() == 50) {
                    entries.extend(entries.last().cloned());
                }
            });
        };
    answer "empty_log_404" breaks "WH-DL-3": "answers 404 for a log without deliveries",
        |request, answer, _| {
            if reads_log(request) && answer.ok() && answer.json()["deliveries"].as_array().is_some_and(Vec::is_empty) {
                *answer = ApiAnswer::error(404, "not_found");
            }
        };
    answer "empty_log_null" breaks "WH-DL-3": "answers null for a log without deliveries",
        |request, answer, _| if reads_log(request) && answer.ok() {
            answer.edit(|body| {
                if body["deliveries"].as_array().is_some_and(Vec::is_empty) {
                    body["deliveries"] = Value::Null;
                }
            });
        };
};
