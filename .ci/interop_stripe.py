"""Verifies deliveries with the `stripe` package. What it must refuse, it is shown as well: else this could not fail."""

import base64
import json
import sys

import stripe

accepted = refused = 0


def verify(payload: bytes, header: str, secret: str) -> str:
    return stripe.Webhook.construct_event(payload, header, secret)["id"]


def refuse(what: str, payload: bytes, header: str, secret: str) -> None:
    global refused
    try:
        verify(payload, header, secret)
    except stripe.SignatureVerificationError:
        refused += 1
    else:
        sys.exit(f"python: {what} was accepted: {header}")


with open(sys.argv[1], encoding="utf-8") as file:
    deliveries = json.load(file)
signatures = sorted({delivery["header"].count("v1=") for delivery in deliveries})
assert signatures == [1, 2], f"deliveries with one signature and with two: {signatures}"
for delivery in deliveries:
    body, header = base64.b64decode(delivery["body"]), delivery["header"]
    assert delivery["header"].count("v1=") == len(delivery["secrets"])
    for secret in delivery["secrets"]:
        assert verify(body, header, secret) == delivery["eventId"]
        accepted += 1
        refuse("a tampered body", body.replace(b"strings.published", b"strings.publishes"), header, secret)
        refuse("a body with one more byte", body + b"\n", header, secret)
        time = int(header.split(",")[0].removeprefix("t="))
        refuse("another time", body, header.replace(f"t={time}", f"t={time + 1}"), secret)
        refuse("half of the secret", body, header, secret.removeprefix("whsec_"))
    for secret in delivery["wrongSecrets"]:
        refuse("another secret", body, header, secret)
print(f"stripe {stripe.VERSION} for Python: {accepted} accepted, {refused} refused")
