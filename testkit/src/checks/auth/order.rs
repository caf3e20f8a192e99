//! The shape of a 401, and its order among other refusals.

use http::Method;

use crate::check::Claim;
use crate::checks::routes;
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;
use crate::profile::Identity;

/// AUTH-14. A body over the cap may be refused for its `Content-Length` alone (AMB-1).
pub(super) async fn comes_first(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let mut cases: Vec<(&str, Call, &[&str])> = vec![
        ("an unknown route", cx.get(&format!("/{}", cx.unique())), &["404"]),
        ("an unknown method", cx.delete("/credential"), &["404", "405"]),
    ];
    if cx.claims(Claim::Webhooks) {
        let large = format!("{{{}}}", " ".repeat(2 * 1024 * 1024));
        let json = |body: &str| cx.post("/webhooks").bytes(body.to_owned()).content_type("application/json");
        cases.push(("an unknown webhook", cx.delete(&format!("/webhooks/{}", cx.unique())), &["404"]));
        cases.push(("JSON that is none", json("{"), &["400"]));
        cases.push(("a body of 2 MiB", json(&large), &["413"]));
    }
    for (name, call, known) in cases {
        let with_key = call.clone().send().await?;
        let refused = known.contains(&with_key.status.to_string().as_str());
        cx.control(refused, &format!("{name} is refused for itself with a key (answered {})", with_key.outcome()))?;
        cx.case(name, async {
            let accepted: &[&str] =
                if known == ["413"] { &["401 unauthorized", "413 payload_too_large"] } else { &["401 unauthorized"] };
            call.no_key().send().await?.expect_one_of(accepted).map(drop)
        })
        .await?;
    }
    Ok(())
}

/// AUTH-15
pub(super) async fn names_the_scheme(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for (name, call) in [("no key", cx.get("/credential").no_key()), ("a wrong key", cx.get("/meta").bearer("eik_x"))] {
        cx.case(name, async {
            let answer = call.send().await?.expect(401)?;
            let challenge = answer.header("www-authenticate").unwrap_or_default().to_ascii_lowercase();
            answer.ensure_saw(challenge.starts_with("bearer"), "WWW-Authenticate: Bearer", challenge)
        })
        .await?;
    }
    Ok(())
}

/// AUTH-16
pub(super) async fn forms_of_the_header(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let key = cx.key_of(cx.lane(), Identity::Full)?.to_owned();
    for scheme in ["bearer", "BEARER"] {
        cx.case(scheme, async {
            cx.get("/credential").authorization(&format!("{scheme} {key}")).send().await?.expect(200).map(drop)
        })
        .await?;
    }
    let (good, bad) = (format!("Bearer {key}"), "Bearer eik_nonsense".to_owned());
    for (name, first, second) in
        [("a good key, then a bad one", &good, &bad), ("a bad key, then a good one", &bad, &good)]
    {
        cx.case(name, async {
            let call = cx.at(Method::GET, &format!("/projects/{}/credential", cx.lane().id));
            let call = call.header("authorization", first).header("authorization", second);
            call.send().await?.expect_one_of(&["401 unauthorized", "400"]).map(drop)
        })
        .await?;
    }
    Ok(())
}
