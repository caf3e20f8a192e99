// Verifies deliveries with the `stripe` package. What it must refuse, it is shown as well: else this could not fail.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import Stripe from "stripe";

const stripe = new Stripe("sk_test_of_nobody");
let accepted = 0;
let refused = 0;

const verify = (payload, header, secret) => stripe.webhooks.constructEvent(payload, header, secret).id;

function refuse(what, payload, header, secret) {
  assert.throws(
    () => verify(payload, header, secret),
    (error) => error instanceof Stripe.errors.StripeSignatureVerificationError,
    `node: ${what} was accepted: ${header}`,
  );
  refused += 1;
}

const deliveries = JSON.parse(readFileSync(process.argv[2], "utf8"));
const signatures = (delivery) => delivery.header.split("v1=").length - 1;
assert.deepEqual([...new Set(deliveries.map(signatures))].sort(), [1, 2], "deliveries with one signature and with two");
for (const delivery of deliveries) {
  const { header } = delivery;
  const body = Buffer.from(delivery.body, "base64");
  assert.equal(signatures(delivery), delivery.secrets.length);
  for (const secret of delivery.secrets) {
    assert.equal(verify(body, header, secret), delivery.eventId);
    accepted += 1;
    const tampered = body.toString("utf8").replaceAll("strings.published", "strings.publishes");
    refuse("a tampered body", Buffer.from(tampered), header, secret);
    refuse("a body with one more byte", Buffer.concat([body, Buffer.from("\n")]), header, secret);
    const later = header.replace(/t=(\d+)/, (_, time) => `t=${Number(time) + 1}`);
    refuse("another time", body, later, secret);
    refuse("half of the secret", body, header, secret.slice("whsec_".length));
  }
  for (const secret of delivery.wrongSecrets) {
    refuse("another secret", body, header, secret);
  }
}
console.log(`stripe ${Stripe.PACKAGE_VERSION} for Node: ${accepted} accepted, ${refused} refused`);
