"""Holds verify.py against the vectors, and against what no vector can say."""

import json
import pathlib
import time

from verify import Refused, verify

here = pathlib.Path(__file__).parent
vectors = json.loads((here / "../vectors/signature.json").read_text(encoding="utf-8"))
assert len(vectors["tests"]) == vectors["numberOfTests"] > 0
# What the vectors leave open, as this recipe decides it.
ACCEPTABLE = {48: True, 49: False, 53: False}
wrong = []
for vector in vectors["tests"]:
    expected = {"valid": True, "invalid": False}.get(vector["result"])
    if vector["result"] == "acceptable":
        expected = ACCEPTABLE[vector["tcId"]]
    body = bytes.fromhex(vector["body_hex"])
    try:
        verify(vector["header"], body, vector["secrets"], vector["now"], vector["tolerance"])
        accepted, reason = True, "accepted"
    except Refused as refused:
        accepted, reason = False, str(refused)
    if accepted is not expected:
        wrong.append(f"{vector['tcId']} {vector['comment']}: {reason}, and is {vector['result']}")
for header in (None, "t=1,v1=" + "0" * 64):
    try:
        verify(header, b"", ["whsec_1"], time.time())
        wrong.append(f"accepted {header!r}")
    except Refused:
        pass
for secrets in ([], [""], "whsec_1", ["no prefix"]):
    try:
        verify("t=1,v1=", b"", secrets)
        wrong.append(f"took {secrets!r} for secrets")
    except ValueError:
        pass
print(*wrong, f"Python: {len(vectors['tests'])} vectors, {len(wrong)} wrong", sep="\n")
raise SystemExit(bool(wrong))
