"""Checks of our own, beside those of schemathesis."""

import os
import re

import schemathesis

# What a schema cannot say: (operation, message). Sizes are in bytes here and in characters there.
REASONS = [
    (r".*", r"U\+0000"),
    (r"GET .*/translations", r"^only one of `trackingToken`, `ref` and `version` may be there"),
    (r"GET .*/(translations|unpublished-changes|memory)", r"^`language` `[^`]*` is not a language of this project$"),
    (r"GET .*/translations", r"^`query` must not contain control characters$"),
    (r"GET .*/(translations|versions|pending-code-changes|unpublished-changes)", r"^`cursor` "),
    (r".*", r"^`(language|languages\[\d+\](\.code)?|keys\[\d+\]\.language)`: `[^`]*` is not a BCP 47 language tag"),
    # Well-formed tags of languages, scripts and regions that do not exist.
    (r"POST .*/languages", r"(is not a language: neither CLDR nor|names an unknown (script|region))"),
    # JSON Schema takes 1.0 for an integer; a count with a fraction is refused here, whatever the fraction.
    (r"POST .*/(translate|capture)", r"^`keys\[\d+\]\.(maxLength|context\.line)` must be a whole number .* not a fraction"),
    (r"POST .*/translate", r"^`keys\[\d+\]\.ref` is that of `keys\[\d+\]`"),
    (r"POST .*/translate", r"^`keys\[\d+\]\.(ref|namespace|description|plural\.arg|tags\[\d+\])`.* bytes"),
    (r"POST .*/(translate|sync|publish|content/[^/]*/run)", r"^`language(s\[\d+\])?`.* (no|not a) language"),
    (r"POST .*/(translate|sync)", r"^`languages\[\d+\]` `en` is the base language"),
    (r"POST .*/sync", r"^`languages`, `onRemoved` and `retranslate` are for files in the base language"),
    (r"POST .*/sync", r"^`file\.path` must be (1 to 512 bytes long|relative)"),
    (r"POST .*/sync", r"^`file\.format`: "),
    (r"POST .*/sync", r"^`file\.content` is not standard base64"),
    (r"POST .*/memory/import", r"^`content` is not standard base64"),
    (r"POST .*/memory/import", r"^the file is not readable TMX: "),
    (r"POST .*/sync", r"is not a readable [\w.-]+ file: "),
    (r"POST .*/output-formats", r"^`outputFormats\[\d+\]\.path` (must be 1 to 512 bytes long|may have (\{namespace\} once|no place for the language))"),
    (r"POST .*/output-formats", r"^`outputFormats\[\d+\]\.namespaces` must hold names of 1 to 128 bytes"),
    (r"PUT .*/glossary", r"^`terms\[\d+\]\.(term|language|note|translations[^`]*)` "),
    (r"GET .*/glossary", r"^`cursor`"),
    (r"POST .*/capture", r"^`keys\[\d+\]\.[\w.]+` must "),
    (r"(POST|PUT) .*/content(/[^/]*)?", r"^`(externalId|title)` must "),
    (r"(POST|PUT) .*/content(/[^/]*)?", r"the front matter is not valid (YAML|TOML): "),
    (r"POST .*/content", r"^`language`.* (no|not a) language"),
    (r"POST .*/content", r"^`documents\[\d+\]\.externalId` is (missing|that of `documents)"),
    (r"POST .*/content/[^/]*/run", r"^`languages\[\d+\]` `[^`]*` is "),
    (r"GET .*/content(/[^/]*)?", r"^`(language|cursor|externalId)`"),
    (r"GET .*/content/[^/]*", r"^only one of `draft` and `version` may be there"),
    # Which field goes with which kind of work.
    (r"POST .*/operations", r"^`(max_credits|maxArchivedKeys|versionId|docId|target|note|languages(\[\d+\])?)`"),
    # What a host resolves to, and all the spellings of addresses that are not public.
    (r"(POST|PATCH) .*/webhooks(/[^/]*)?", r"^`url`: "),
    (r"POST .*/(output-formats|languages)", r" would both be `.*`: make the paths differ$"),
]


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """The webhook that has a log outlives the run, so that there is a delivery to send again."""
    values = case.path_parameters or {}
    if case.method.upper() == "DELETE" and values.get("webhookId") == os.environ["L10N_WEBHOOK_ID"]:
        values["webhookId"] = os.environ["L10N_SPARE_WEBHOOK_ID"]


@schemathesis.check
def refusals_of_what_fits_the_schema_have_a_reason(ctx, response, case):
    """Stands in for status 400 in `positive_data_acceptance`, which knows statuses alone."""
    meta = case.meta
    if response.status_code != 400 or meta is None or not meta.generation.mode.is_positive:
        return None
    message = response.json()["message"]
    label = case.operation.label
    if any(re.fullmatch(operation, label) and re.search(reason, message, re.S) for operation, reason in REASONS):
        return None
    raise AssertionError(f"{label} refuses what fits its schema: {message}")


@schemathesis.check
def errors_are_the_api_s_own(ctx, response, case):
    """ERR-1, CONV-5: whatever is asked, an error has its body and every answer its name."""
    assert len(response.headers.get("x-correlation-id", [])) == 1, "not one x-correlation-id"
    if response.status_code >= 400 and case.method.upper() != "HEAD":
        body = response.json()
        assert isinstance(body["error"], str) and body["message"], f"no error body: {body}"
    return None
