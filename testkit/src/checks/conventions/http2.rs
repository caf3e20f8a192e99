//! HTTP/2, where it is offered.

use crate::checks::routes;
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;
use crate::profile::Identity;

/// CONV-9: statements of five groups, over a connection that is kept and over HTTP/2.
pub(super) async fn behaves_the_same(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let over_http2 = cx.get("/credential").http2().send().await?;
    over_http2.control("GET /credential over HTTP/2")?;
    let resolve = || -> Result<Call, crate::outcome::Stop> {
        Ok(cx.at(http::Method::GET, "/projects/resolve").bearer(cx.key_of(cx.lane(), Identity::Full)?))
    };
    let nowhere = format!("/{}", cx.unique());
    let cases = [
        ("AUTH-1: a key", cx.get("/credential"), "200"),
        ("AUTH-2: no key", cx.get("/credential").no_key(), "401 unauthorized"),
        ("AUTH-3: a key that never was", cx.get("/meta").bearer("eik_nonsense"), "401 unauthorized"),
        ("AUTH-6: a scope too few", cx.get("/meta").key(Identity::Capture)?, "403 forbidden"),
        ("RES-3: a parameter missing", resolve()?, "400 invalid_argument"),
        ("AUTH-14: no key on an unknown route", cx.get(&nowhere).no_key(), "401 unauthorized"),
        ("ERR-1: an unknown route", cx.get(&nowhere), "404"),
    ];
    for (name, call, outcome) in cases {
        cx.case(name, async {
            call.clone().send().await?.expect_one_of(&[outcome])?;
            call.http2().send().await?.expect_one_of(&[outcome]).map(drop)
        })
        .await?;
    }
    Ok(())
}
