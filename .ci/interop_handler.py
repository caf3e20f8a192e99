"""A webhook handler as the documentation of Stripe has it, with the `stripe` package; the header alone is named otherwise.

Prints its port. `WEBHOOK_SECRET` is its secret.
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import stripe

SECRET = os.environ["WEBHOOK_SECRET"]
LONGEST = 1024 * 1024


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        if length > LONGEST:
            self.close_connection = True
            return self.answer(413)
        payload = self.rfile.read(length)
        try:
            stripe.Webhook.construct_event(payload, self.headers.get("x-service-signature"), SECRET)
        except (ValueError, stripe.SignatureVerificationError):
            return self.answer(400)
        self.answer(200)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
