//! Identifiers: opaque strings, sortable by creation, each with a prefix that names its kind.

string_newtype! {
    /// A workspace: `wsp_…`. It owns projects, the balance, the plan and the spending cap.
    WorkspaceId;
    /// A project: `prj_…`. Paths carry it, never the project's name (§1).
    ProjectId;
    /// The record of an API key: `key_…`. Not the key itself.
    ApiKeyId;
    /// A translation job: `trk_…`, polled with `GET /translations?trackingToken=`.
    TrackingToken;
    /// A published version: `ver_…` of the keys, `cvr_…` of a document.
    VersionId;
    /// One publish: `pub_…`.
    PublishId;
    /// One entry of the list of output formats: `fmt_…`.
    OutputFormatId;
    /// A term of a glossary: `trm_…`.
    GlossaryTermId;
    /// One request: the `x-correlation-id` of its response.
    RequestId;
    /// A person's approval of one piece of work: `op_…`.
    OperationId;
    /// A webhook: `whk_…`.
    WebhookId;
    /// One event on its way to one webhook: `dlv_…`.
    DeliveryId;
    /// An event: `evt_…`, the same for every webhook.
    EventId;
    /// A person's change that the code lacks: `chg_…`.
    ChangeId;
    /// A document of Content: `doc_…`.
    DocumentId;
}
