//! Invalid keys are refused, wherever they are sent.

use crate::checks::routes;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;

/// AUTH-1
pub(super) async fn bearer_authenticates(cx: Cx) -> CheckResult {
    let health = cx.at(http::Method::GET, &cx.profile().routes.health).send().await?;
    health.control("the route of health")?;
    let key = cx.key_of(cx.lane(), Identity::Full)?;
    let without = cx.get("/credential").no_key().send().await?;
    cx.control(without.status == 401, "that GET /credential is refused without a key")?;
    let call = cx.get("/credential").authorization(&format!("Bearer {key}"));
    let answer = call.send().await?.expect_in(200..=299)?;
    answer.ensure(answer.json()?["scopes"].is_array(), "the credential of the key")
}

/// AUTH-2
pub(super) async fn missing(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for route in routes::needed(&cx) {
        routes::reachable(&cx, route).await?;
        for form in [None, Some(""), Some("Bearer"), Some("Bearer ")] {
            let name =
                format!("{} with {}", route.name(), form.map_or("no header".to_owned(), |form| format!("{form:?}")));
            cx.case(name, async {
                let call = route.call(&cx);
                let call = form.map_or_else(|| call.clone().no_key(), |form| call.clone().authorization(form));
                call.send().await?.expect_error(401, "unauthorized").map(drop)
            })
            .await?;
        }
    }
    Ok(())
}

/// AUTH-3
pub(super) async fn invalid(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let key = cx.key_of(cx.lane(), Identity::Full)?.to_owned();
    let middle = key.len() / 2;
    let other = if key.as_bytes()[middle] == b'a' { "b" } else { "a" };
    let changed = format!("{}{other}{}", &key[..middle], &key[middle + 1..]);
    let random = format!("eik_{}", cx.unique().replace('-', "x").repeat(4));
    let forms = [
        ("a key that never was", random),
        ("a key without its last character", key[..key.len() - 1].to_owned()),
        ("a key with one character changed", changed),
        ("a key with one character more", format!("{key}a")),
        ("a key in upper case", key.to_uppercase()),
        ("half a key", key[..middle].to_owned()),
        ("a quote in SQL", "' OR 1=1 --".to_owned()),
    ];
    for (name, form) in forms {
        cx.case(name, async {
            cx.get("/credential").bearer(&form).send().await?.expect_error(401, "unauthorized").map(drop)
        })
        .await?;
    }
    for route in routes::claimed(&cx) {
        cx.case(format!("{} with a key that never was", route.name()), async {
            let call = route.call(&cx).bearer("eik_0000000000000000000000000000000000000000000000000");
            call.send().await?.expect_error(401, "unauthorized").map(drop)
        })
        .await?;
    }
    Ok(())
}

/// AUTH-3: the header `Authorization` with the scheme `Bearer` is the only place of a key.
pub(super) async fn misplaced(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let key = cx.key_of(cx.lane(), Identity::Full)?.to_owned();
    let bare = || cx.get("/credential").no_key();
    let forms = [
        ("Basic, with the key as user", bare().authorization(&basic(&format!("{key}:")))),
        ("Basic, with the key as password", bare().authorization(&basic(&format!("key:{key}")))),
        ("the scheme Basic with the bare key", bare().authorization(&format!("Basic {key}"))),
        ("the scheme Token", bare().authorization(&format!("Token {key}"))),
        ("no scheme", bare().authorization(&key)),
        ("the query parameter access_token", bare().query("access_token", &key)),
        ("the query parameter api_key", bare().query("api_key", &key)),
        ("the query parameter key", bare().query("key", &key)),
        ("a cookie", bare().header("cookie", format!("api_key={key}; token={key}"))),
        ("the header X-Api-Key", bare().header("x-api-key", &key)),
        ("the header Proxy-Authorization", bare().header("proxy-authorization", format!("Bearer {key}"))),
    ];
    for (name, call) in forms {
        cx.case(name, async { call.send().await?.expect_error(401, "unauthorized").map(drop) }).await?;
    }
    Ok(())
}

fn basic(credentials: &str) -> String {
    use base64::Engine as _;
    format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(credentials))
}
