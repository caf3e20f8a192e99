//! Rotation, and what signs after it.

use super::{creates, rotates, sign_with, webhook_of};
use crate::mutants::delivery::{RelayAction, Relayed};
use crate::mutants::mutant::Mutant;

/// Signs with the secrets at these places, newest first, where there are two or more.
fn sign_of_two(relayed: &mut Relayed, places: &[usize]) -> RelayAction {
    let secrets = relayed.secrets.clone();
    if secrets.len() >= 2 {
        let chosen: Vec<&str> = places.iter().filter_map(|place| secrets.get(*place)).map(String::as_str).collect();
        sign_with(relayed, &chosen);
    }
    RelayAction::Forward
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "rotation_keeps_secret" breaks "WH-RO-1": "answers a rotation with the secret that there was",
        |request, answer, known| {
            if creates(request) && answer.ok() {
                let body = answer.json();
                known.note(body["webhookId"].as_str().unwrap_or_default(), body["secret"].clone());
            }
            if rotates(request) && answer.ok() {
                answer.edit(|body| body["secret"] = known.noted(webhook_of(request)).unwrap_or_default());
            }
        };
    delivery "rotated_signs_new_only" breaks "WH-RO-2": "signs with the new secret alone after a rotation",
        |relayed| sign_of_two(relayed, &[0]);
    delivery "rotated_signs_old_only" breaks "WH-RO-2": "signs with the old secret alone after a rotation",
        |relayed| sign_of_two(relayed, &[1]);
    delivery "rotated_signs_new_twice" breaks "WH-RO-2": "sends two equal v1 values after a rotation",
        |relayed| sign_of_two(relayed, &[0, 0]);
    delivery "old_secret_for_ever" breaks "WH-RO-3": "signs with the old secret also after the 24 hours",
        |relayed| sign_of_two(relayed, &[0, 1]);
    delivery "every_secret_signs" breaks "WH-RO-4": "signs with every secret of the last 24 hours",
        |relayed| sign_of_two(relayed, &[0, 1, 2, 3]);
};
