//! Rotation, and what signs after it.

use super::{creates, rotates, sign_with, webhook_of};
use crate::mutants::{Fate, Mutant, Plant, Relayed};

/// Signs with the secrets at these places, newest first, where there are two or more.
fn sign_of_two(relayed: &mut Relayed, places: &[usize]) -> Fate {
    let secrets = relayed.secrets.clone();
    if secrets.len() >= 2 {
        let chosen: Vec<&str> = places.iter().filter_map(|place| secrets.get(*place)).map(String::as_str).collect();
        sign_with(relayed, &chosen);
    }
    Fate::Forward
}

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "rotation_keeps_secret",
        breaks: "WH-RO-1",
        says: "answers a rotation with the secret that there was",
        killed_by: &["WH-RO-1"],
        plant: Plant::Answer(|request, answer, known| {
            if creates(request) && answer.ok() {
                let body = answer.json();
                known.note(body["webhookId"].as_str().unwrap_or_default(), body["secret"].clone());
            }
            if rotates(request) && answer.ok() {
                answer.edit(|body| body["secret"] = known.noted(webhook_of(request)).unwrap_or_default());
            }
        }),
    },
    Mutant {
        id: "rotated_signs_new_only",
        breaks: "WH-RO-2",
        says: "signs with the new secret alone after a rotation",
        killed_by: &["WH-RO-2"],
        plant: Plant::Delivery(|relayed| sign_of_two(relayed, &[0])),
    },
    Mutant {
        id: "rotated_signs_old_only",
        breaks: "WH-RO-2",
        says: "signs with the old secret alone after a rotation",
        killed_by: &["WH-RO-2"],
        plant: Plant::Delivery(|relayed| sign_of_two(relayed, &[1])),
    },
    Mutant {
        id: "rotated_signs_new_twice",
        breaks: "WH-RO-2",
        says: "sends two equal v1 values after a rotation",
        killed_by: &["WH-RO-2"],
        plant: Plant::Delivery(|relayed| sign_of_two(relayed, &[0, 0])),
    },
    Mutant {
        id: "old_secret_for_ever",
        breaks: "WH-RO-3",
        says: "signs with the old secret also after the 24 hours",
        killed_by: &["WH-RO-3"],
        plant: Plant::Delivery(|relayed| sign_of_two(relayed, &[0, 1])),
    },
    Mutant {
        id: "every_secret_signs",
        breaks: "WH-RO-4",
        says: "signs with every secret of the last 24 hours",
        killed_by: &["WH-RO-4"],
        plant: Plant::Delivery(|relayed| sign_of_two(relayed, &[0, 1, 2, 3])),
    },
];
