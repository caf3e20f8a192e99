// Holds verify.mjs against the vectors, and against what no vector can say.

import { readFileSync } from "node:fs";

import { Refused, verify } from "./verify.mjs";

const vectors = JSON.parse(readFileSync(new URL("../vectors/signature.json", import.meta.url), "utf8"));
if (!vectors.tests.length || vectors.tests.length !== vectors.numberOfTests) throw new Error("vectors are missing");
// What the vectors leave open, as this recipe decides it.
const ACCEPTABLE = { 48: true, 49: false, 53: false };
const wrong = [];

function outcome(kind, ...args) {
  try {
    verify(...args);
    return [true, "accepted"];
  } catch (error) {
    if (!(error instanceof kind)) throw error;
    return [false, error.message];
  }
}

for (const { tcId, comment, header, body_hex, secrets, now, tolerance, result } of vectors.tests) {
  const expected = result === "acceptable" ? ACCEPTABLE[tcId] : result === "valid";
  const [accepted, reason] = outcome(Refused, header, Buffer.from(body_hex, "hex"), secrets, { now, tolerance });
  if (accepted !== expected) wrong.push(`${tcId} ${comment}: ${reason}, and is ${result}`);
}
for (const header of [undefined, `t=1,v1=${"0".repeat(64)}`]) {
  if (outcome(Refused, header, Buffer.alloc(0), ["whsec_1"])[0]) wrong.push(`accepted ${header}`);
}
for (const secrets of [[], [""], "whsec_1", ["no prefix"]]) {
  if (outcome(TypeError, "t=1,v1=", Buffer.alloc(0), secrets)[0]) wrong.push(`took ${JSON.stringify(secrets)} for secrets`);
}
if (outcome(TypeError, "t=1,v1=", "text", ["whsec_1"])[0]) wrong.push("took text for bytes");
for (const line of wrong) console.log(line);
console.log(`Node: ${vectors.tests.length} vectors, ${wrong.length} wrong`);
process.exit(wrong.length ? 1 : 0);
