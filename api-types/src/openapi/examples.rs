//! Recorded exchanges, one for each operation.

use serde::Deserialize;
use serde_json::Value;

use crate::Endpoint;

/// An exchange.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    /// Body of the request.
    pub(super) request: Option<Value>,
    /// Status of the response.
    pub(super) status: Option<u16>,
    /// Body of the response.
    pub(super) response: Option<Value>,
}

/// The example of an endpoint. It is empty if its text is not JSON, which a test rules out.
pub(super) fn example<E: Endpoint>() -> Example {
    serde_json::from_str(E::EXAMPLE).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyKind, NoBody};

    fn check<E: Endpoint>() {
        let name = E::NAME;
        let example: Example = serde_json::from_str(E::EXAMPLE).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(example.request.is_some(), E::BODY != BodyKind::None, "{name}: an example of its body");
        if let Some(request) = example.request {
            serde_json::from_value::<E::Body>(request).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let has_json = E::MEDIA_TYPE == "application/json"
            && std::any::TypeId::of::<E::Response>() != std::any::TypeId::of::<NoBody>();
        assert_eq!(example.response.is_some(), has_json, "{name}: an example of its answer");
        if let Some(response) = example.response {
            assert!(E::SUCCESS.contains(&example.status.unwrap()), "{name}");
            let read: E::Response =
                serde_json::from_value(response.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(serde_json::to_value(read).unwrap(), response, "{name}: the answer as this version gives it");
        }
    }

    macro_rules! check_all {
        ($($resource:ident :: $verb:ident,)+) => { $(check::<crate::$resource::$verb>();)+ };
    }

    #[test]
    fn every_operation_has_a_current_example() {
        for_each_endpoint!(check_all);
    }
}
