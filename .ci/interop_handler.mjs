// A webhook handler as the documentation of Stripe has it, with the `stripe` package; the header alone is named otherwise.
// Prints its port. `WEBHOOK_SECRET` is its secret.

import { createServer } from "node:http";
import Stripe from "stripe";

const stripe = new Stripe("sk_test_of_nobody");
const LONGEST = 1024 * 1024;

const server = createServer((request, response) => {
  const answer = (status) => response.writeHead(status).end();
  const chunks = [];
  let length = 0;
  request.on("data", (chunk) => {
    length += chunk.length;
    if (length <= LONGEST) chunks.push(chunk);
  });
  request.on("end", () => {
    if (length > LONGEST) return answer(413);
    try {
      stripe.webhooks.constructEvent(
        Buffer.concat(chunks),
        request.headers["x-service-signature"],
        process.env.WEBHOOK_SECRET,
      );
    } catch {
      return answer(400);
    }
    answer(200);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
