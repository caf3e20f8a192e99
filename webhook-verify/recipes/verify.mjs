// Verifies webhook deliveries of the localization service. Node 18 or newer, nothing but its standard library.

import { createHmac, timingSafeEqual } from "node:crypto";

const MAX_HEADER_BYTES = 4096;
const MAX_SIGNATURES = 16;

/** The request is no delivery of the service. Says whether its header, time or signature is wrong. */
export class Refused extends Error {}

/**
 * Returns when the delivery was signed, in Unix seconds, or throws Refused.
 *
 * @param {string | undefined} header the value of X-Service-Signature
 * @param {Uint8Array} body the bytes of the request as they were received, before anything parses them:
 *   with Express, `express.raw({ type: "application/json" })`
 * @param {string[]} secrets the whole whsec_... strings; two while a secret is rotated
 * @param {{ now?: number, tolerance?: number }} options in seconds
 */
export function verify(header, body, secrets, { now = Date.now() / 1000, tolerance = 300 } = {}) {
  if (!Array.isArray(secrets) || !secrets.length || !secrets.every((secret) => /^whsec_\S+$/.test(secret))) {
    throw new TypeError("secrets must be a list of whole whsec_... strings");
  }
  if (!(body instanceof Uint8Array)) throw new TypeError("body must be the bytes as they were received");
  if (typeof header !== "string" || header.length > MAX_HEADER_BYTES || !/^[!-~]+$/.test(header)) {
    throw new Refused("header: missing, too long, or not visible ASCII");
  }
  const times = [];
  const signatures = [];
  for (const part of header.split(",")) {
    const at = part.indexOf("=");
    if (at < 1) throw new Refused("header: not a list of scheme=value");
    const value = part.slice(at + 1);
    if (part.slice(0, at) === "t") times.push(value);
    if (part.slice(0, at) === "v1") signatures.push(value);
  }
  // Plain decimal digits: Number() would take 1e9, 0x10 and the like. Beyond 2^53 no time is near now.
  if (times.length !== 1 || !/^(0|[1-9][0-9]{0,15})$/.test(times[0])) {
    throw new Refused("header: needs exactly one t, in plain decimal");
  }
  if (signatures.length < 1 || signatures.length > MAX_SIGNATURES) {
    throw new Refused(`header: needs 1 to ${MAX_SIGNATURES} v1`);
  }
  const signed = Number(times[0]);
  // Whole seconds, and in both directions.
  if (Math.abs(Math.floor(now) - signed) > tolerance) {
    throw new Refused(`time: signed more than ${tolerance} s from now; see that this machine's clock is right`);
  }
  let accepted = false;
  for (const secret of secrets) {
    const right = createHmac("sha256", secret).update(`${times[0]}.`).update(body).digest("hex");
    for (const signature of signatures) {
      // timingSafeEqual throws when lengths differ.
      if (signature.length === right.length && timingSafeEqual(Buffer.from(right), Buffer.from(signature))) {
        accepted = true;
      }
    }
  }
  if (!accepted) {
    throw new Refused("signature: none is right; see that the secret is whole and the body as it was received");
  }
  return signed;
}
