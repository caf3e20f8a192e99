//! An answer of every endpoint, each with an unknown field.

use serde_json::{Value, json};

const AT: &str = "2026-11-21T08:00:00.000Z";

/// Of a webhook.
pub(crate) const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";

pub(crate) fn suggested() -> Value {
    json!({"future": 1, "matches": [{"source": "Save", "translation": "Sichern", "percent": 100, "origin": "human",
        "project": "prj_1", "updatedAt": AT, "future": 1}]})
}

pub(crate) fn run() -> Value {
    json!({"dryRun": false, "requestId": "req_1", "trackingToken": "trk_1", "status": "queued",
        "classification": {"new": 1, "changed": 0, "unchanged": 0, "removed": 0, "future": 1},
        "items": [{"ref": "a", "class": "new", "languages": ["de"]}], "itemsTruncated": false, "renamed": [],
        "perLanguage": [{"language": "de", "keys": 1, "characters": 5, "fromMemory": 0, "estimatedCredits": 5}],
        "estimatedCredits": 5, "creditsCharged": 0, "balance": 1000, "wouldFail": null, "requiresOperation": false,
        "warnings": [], "future": {}})
}

pub(crate) fn job(status: &str, done: u64) -> Value {
    json!({"trackingToken": "trk_1", "kind": "strings", "status": status,
        "progress": {"total": 2, "done": done, "failed": 0, "needsReview": 0}, "estimatedCredits": 5,
        "creditsCharged": 0, "balance": 1000, "pollAfterMs": 1, "translations": [], "failures": [],
        "nextCursor": null, "createdAt": AT, "finishedAt": null, "future": [1]})
}

pub(crate) fn document(id: &str) -> Value {
    json!({"docId": id, "externalId": "docs/a.md", "title": "A", "format": "markdown", "language": "en", "characters": 1,
        "sourceVersionId": "cvr_1", "segments": {"total": 1, "new": 1, "changed": 0, "unchanged": 0, "removed": 0},
        "live": null, "languages": [{"code": "de", "state": "missing", "segments": 1, "translated": 0, "future": 1}],
        "body": "A", "createdAt": AT, "updatedAt": AT, "future": 1})
}

pub(crate) fn key(name: &str) -> Value {
    json!({"ref": name, "text": "A", "translations": [], "updatedAt": AT, "future": 1})
}

pub(crate) fn webhook() -> Value {
    json!({"webhookId": "whk_1", "url": "https://example.com/l10n", "events": ["strings.published"], "enabled": true,
        "secretHint": "4tSP", "disabledReason": null, "consecutiveFailures": 0, "previousSecretExpiresAt": null,
        "createdAt": AT, "future": 1})
}

pub(crate) fn created_webhook() -> Value {
    json!({"webhookId": "whk_1", "url": "https://example.com/l10n", "events": ["strings.published"], "enabled": true,
        "secret": SECRET, "createdAt": AT, "future": 1})
}

pub(crate) fn rotated() -> Value {
    json!({"webhookId": "whk_1", "secret": SECRET, "previousSecretExpiresAt": AT, "future": 1})
}

pub(crate) fn sent() -> Value {
    json!({"deliveryId": "dlv_1", "eventId": "evt_1", "eventType": "strings.published", "publishId": "pub_1",
        "status": "pending", "attempts": 6, "nextAttemptAt": AT, "lastStatusCode": 500,
        "lastError": "the endpoint answered 500", "lastErrorKind": "status", "createdAt": AT, "lastAttemptAt": AT,
        "lastDurationMs": 12, "future": 1})
}

pub(crate) fn operation(status: &str) -> Value {
    json!({"operationId": "op_1", "kind": "publish", "target": "strings", "status": status, "max_credits": null,
        "versionId": null, "note": null, "requestedBy": {"label": "agent", "future": 1},
        "approvalUrl": "https://l10n.example.com/dashboard/operations/op_1", "decidedBy": null, "decidedAt": null,
        "reason": null, "requestId": null, "createdAt": AT, "expiresAt": AT, "future": 1})
}

pub(crate) fn receipt(status: &str) -> Value {
    json!({"requestId": "req_1", "kind": "publish::create", "status": status, "httpStatus": null, "error": null,
        "resource": {"kind": "version", "id": "ver_1", "future": 1}, "createdAt": AT, "finishedAt": null, "future": 1})
}

pub(crate) fn version_files() -> Value {
    json!({"versionId": "ver_1", "label": "v1", "keyCount": 1, "publishedAt": AT,
        "languages": [{"code": "en", "isBase": true}], "files": [], "future": 1})
}

pub(crate) fn published() -> Value {
    json!({"requestId": "req_1", "publishId": "pub_1", "versionId": "ver_1", "label": "v1", "keyCount": 1,
        "languages": [{"code": "en", "isBase": true}], "files": 1, "publishedAt": AT,
        "issues": {"error": 0, "warning": 0}, "future": 1})
}

pub(crate) fn documents_published() -> Value {
    json!({"requestId": "req_1", "publishId": "pub_1", "documents": [], "truncated": false, "publishedAt": AT, "future": 1,
        "summary": {"docsPublished": 1, "docsHeld": 0, "docsUnchanged": 0, "docsSkipped": 0, "docsTooLarge": 0}})
}

pub(crate) fn documents_pushed() -> Value {
    json!({"requestId": "req_1", "results": [{"externalId": "a", "status": "created", "docId": "doc_1"}], "future": 1})
}

pub(crate) fn version(id: &str) -> Value {
    json!({"versionId": id, "number": 1, "label": id, "keyCount": 1, "publishedAt": AT, "live": false, "future": 1})
}

pub(crate) fn manifest(sha256: &str, bytes: u64) -> Value {
    json!({"projectId": "prj_1", "versionId": "ver_1", "label": "v1", "publishedAt": AT, "baseLanguage": "en",
        "languages": [{"code": "en", "isBase": true, "direction": "ltr"}],
        "files": [{"path": "locales/en.json", "language": "en", "namespace": null, "format": "json",
            "url": "https://elsewhere.example/x", "bytes": bytes, "sha256": sha256, "future": 1}],
        "future": 1})
}

pub(crate) fn meta() -> Value {
    json!({"projectId": "prj_1", "workspaceId": "wsp_1", "handle": "demo", "slug": "app", "name": "App",
        "baseLanguage": "en", "languages": [], "outputFormats": [], "formats": [], "keyCount": 0, "capturedCount": 0,
        "documentCount": 0, "live": null, "unpublishedChanges": 0, "balance": 0, "engine": {"name": "pseudo"},
        "limits": {"requestsPerMinute": 120, "keys": null}, "remaining": {}, "future": 1})
}

pub(crate) fn resolved() -> Value {
    json!({"projectId": "prj_1", "workspaceId": "wsp_1", "future": 1})
}

pub(crate) fn credential() -> Value {
    json!({"scopes": ["read", "members:read"], "requires_operation_approval": false, "future": 1})
}

pub(crate) fn added_languages() -> Value {
    json!({"added": ["de"], "existing": [], "languages": [], "future": 1})
}

pub(crate) fn glossary_term() -> Value {
    json!({"termId": "trm_1", "term": "cart", "language": "en", "translations": {"de": "Warenkorb"}, "rule": "translate",
        "caseSensitive": false, "future": 1})
}

pub(crate) fn output_formats_set() -> Value {
    json!({"added": ["fmt_1"], "removed": [], "unchanged": [], "outputFormats": [], "future": 1})
}

pub(crate) fn captured() -> Value {
    json!({"requestId": "req_1", "counts": {"new": 1, "known": 0, "conflicting": 0, "future": 1}, "captured": ["a"],
        "remainingToday": 4999, "future": 1})
}

pub(crate) fn code_change(id: &str) -> Value {
    json!({"changeId": id, "ref": "a", "kind": "text_changed", "from": "A",
        "to": {"arg": "count", "forms": {"other": "B"}}, "file": null, "by": "ann", "createdAt": AT, "future": 1})
}

pub(crate) fn imported() -> Value {
    json!({"added": 1, "unchanged": 2, "refusedCount": 1, "refused": [{"line": 7, "message": "no", "future": 1}], "future": 1})
}
