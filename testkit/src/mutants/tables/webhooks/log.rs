//! The log of deliveries.

use serde_json::Value;

use super::reads_log;
use crate::mutants::{ApiAnswer, Mutant, Plant};

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "log_oldest_first",
        breaks: "WH-DL-1",
        says: "shows the oldest delivery first",
        killed_by: &["WH-DL-1"],
        plant: Plant::Answer(|request, answer, _| {
            if reads_log(request) && answer.ok() {
                answer.edit(|body| {
                    if let Some(entries) = body["deliveries"].as_array_mut() {
                        entries.reverse();
                    }
                });
            }
        }),
    },
    Mutant {
        id: "log_of_49",
        breaks: "WH-DL-2",
        says: "shows 49 deliveries",
        killed_by: &["WH-DL-2"],
        plant: Plant::Answer(|request, answer, _| {
            if reads_log(request) && answer.ok() {
                answer.edit(|body| {
                    if let Some(entries) = body["deliveries"].as_array_mut() {
                        entries.truncate(49);
                    }
                });
            }
        }),
    },
    Mutant {
        id: "log_of_all",
        breaks: "WH-DL-2",
        says: "shows every delivery that there was",
        killed_by: &["WH-DL-2"],
        plant: Plant::Server,
    },
    Mutant {
        id: "empty_log_404",
        breaks: "WH-DL-3",
        says: "answers 404 for a log without deliveries",
        killed_by: &["WH-DL-3"],
        plant: Plant::Answer(|request, answer, _| {
            if reads_log(request) && answer.ok() && answer.json()["deliveries"].as_array().is_some_and(Vec::is_empty) {
                *answer = ApiAnswer::error(404, "not_found");
            }
        }),
    },
    Mutant {
        id: "empty_log_null",
        breaks: "WH-DL-3",
        says: "answers null for a log without deliveries",
        killed_by: &["WH-DL-3"],
        plant: Plant::Answer(|request, answer, _| {
            if reads_log(request) && answer.ok() {
                answer.edit(|body| {
                    if body["deliveries"].as_array().is_some_and(Vec::is_empty) {
                        body["deliveries"] = Value::Null;
                    }
                });
            }
        }),
    },
];
