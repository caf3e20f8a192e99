//! Sample events to test a receiver.

use l10n_client::api::events::{
    ContentPublished, ContentSummary, DocumentAction, Envelope, EventProject, EventType, PublishedDocument,
    SCHEMA_VERSION, StringsPublished,
};
use l10n_client::api::publish::VersionLanguage;
use serde::Serialize;
use serde_json::Value;

use crate::args::TriggerArgs;
use crate::clock::now;
use crate::context::Context;
use crate::error::{CliError, unreadable, usage};

/// The webhook id of samples.
pub(super) const WEBHOOK: &str = "whk_sample";

/// An event's id and its bytes: those of `--body`, or an envelope around `--data` or sample data.
pub(super) fn body(context: &Context, args: &TriggerArgs) -> Result<(String, Vec<u8>), CliError> {
    let id = args.event_id.clone().unwrap_or_else(|| format!("evt_sample{:016x}", rand::random::<u64>()));
    if let Some(path) = &args.body {
        let path = context.folder.join(path);
        let body = std::fs::read(&path).map_err(unreadable(&path))?;
        let own = serde_json::from_slice::<Value>(&body).ok().and_then(|event| Some(event["id"].as_str()?.to_owned()));
        return Ok((own.unwrap_or(id), body));
    }
    let body = match (&args.data, args.event) {
        (Some(path), event) => {
            let path = context.folder.join(path);
            let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
            let data = serde_json::from_str::<Value>(&text).map_err(|error| {
                usage(format!("{} is not valid JSON: {error}", path.display()), "use the event's `data`, an object")
            })?;
            enveloped(&id, event, data)
        }
        (None, EventType::StringsPublished) => enveloped(&id, args.event, strings()),
        (None, EventType::ContentPublished) => enveloped(&id, args.event, content()),
        (None, event) => {
            return Err(usage(format!("there is no sample of the data of `{event}`"), "give it with --data"));
        }
    };
    let body = body.map_err(|error| usage(format!("the event cannot be written: {error}"), "use other --data"))?;
    Ok((id, body))
}

fn enveloped(id: &str, event_type: EventType, data: impl Serialize) -> serde_json::Result<Vec<u8>> {
    let project = EventProject { id: "prj_sample".into(), handle: "demo".into(), slug: "app".into() };
    let (id, created_at) = (id.into(), now());
    serde_json::to_vec(&Envelope { id, event_type, schema_version: SCHEMA_VERSION, created_at, project, data })
}

fn strings() -> StringsPublished {
    let language = |code: &str, is_base| VersionLanguage { code: code.into(), is_base };
    StringsPublished {
        version_id: "ver_sample".into(),
        label: "v1".into(),
        key_count: 42,
        languages: vec![language("en", true), language("de", false), language("ja", false)],
    }
}

fn content() -> ContentPublished {
    let document = |id: &str, action, external_id: Option<&str>| PublishedDocument {
        doc_id: id.into(),
        action,
        version_id: format!("cvr_{id}").into(),
        external_id: external_id.map(str::to_owned),
    };
    ContentPublished {
        publish_id: "pub_sample".into(),
        summary: ContentSummary { docs_published: 1, docs_unchanged: 1, ..ContentSummary::default() },
        documents: vec![
            document("doc_sample1", DocumentAction::Published, Some("help/start")),
            document("doc_sample2", DocumentAction::Unchanged, None),
        ],
        truncated: false,
    }
}

#[cfg(test)]
mod tests {
    use l10n_webhook_verify::events::{Event, EventData};

    use super::*;

    #[test]
    fn samples_are_events_as_receivers_read_them() {
        let read = |event, bytes: serde_json::Result<Vec<u8>>| {
            let read = Event::parse(bytes.unwrap()).unwrap();
            assert_eq!((read.id.as_str(), read.event_type), ("evt_1", EventType::to_string(&event)));
            read.data
        };
        let sample = EventType::StringsPublished;
        assert!(matches!(read(sample, enveloped("evt_1", sample, strings())), EventData::StringsPublished(_)));
        let sample = EventType::ContentPublished;
        assert!(matches!(read(sample, enveloped("evt_1", sample, content())), EventData::ContentPublished(_)));
    }
}
