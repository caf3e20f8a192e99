"""Verifies webhook deliveries of the localization service. Python 3.9 or newer, nothing but the standard library."""

import hashlib
import hmac
import re
import time

MAX_HEADER_BYTES = 4096
MAX_SIGNATURES = 16


class Refused(Exception):
    """The request is no delivery of the service. Says whether its header, time or signature is wrong."""


def verify(header, body, secrets, now=None, tolerance=300):
    """Returns when the delivery was signed, in Unix seconds, or raises Refused.

    header: the value of X-Service-Signature, or None.
    body: the bytes of the request as they were received, before anything parses them.
    secrets: the whole whsec_... strings; two while a secret is rotated.
    """
    if isinstance(secrets, (str, bytes)) or not secrets or not all(secret.startswith("whsec_") for secret in secrets):
        raise ValueError("secrets must be a list of whole whsec_... strings")
    if not header or len(header) > MAX_HEADER_BYTES or not re.fullmatch(r"[!-~]+", header):
        raise Refused("header: missing, too long, or not visible ASCII")
    times, signatures = [], []
    for part in header.split(","):
        scheme, equals, value = part.partition("=")
        if not scheme or not equals:
            raise Refused("header: not a list of scheme=value")
        if scheme == "t":
            times.append(value)
        elif scheme == "v1":
            signatures.append(value)
    # Plain decimal digits: int() would take signs, blanks, underscores and digits of other scripts.
    if len(times) != 1 or not re.fullmatch(r"0|[1-9][0-9]{0,18}", times[0]) or int(times[0]) >= 2**63:
        raise Refused("header: needs exactly one t, in plain decimal")
    if not 1 <= len(signatures) <= MAX_SIGNATURES:
        raise Refused(f"header: needs 1 to {MAX_SIGNATURES} v1")
    signed = int(times[0])
    # Whole seconds, and in both directions.
    if abs(int(time.time() if now is None else now) - signed) > tolerance:
        raise Refused(f"time: signed more than {tolerance} s from now; see that this machine's clock is right")
    message = times[0].encode() + b"." + body
    accepted = False
    for secret in secrets:
        right = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
        for signature in signatures:
            accepted |= hmac.compare_digest(right, signature)
    if not accepted:
        raise Refused("signature: none is right; see that the secret is whole and the body as it was received")
    return signed
