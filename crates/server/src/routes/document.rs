//! Parts of the API's description (OpenAPI 3.1) that all operations have in common: the faults that
//! any of them may answer with, and who may ask. Not here: what each operation does; that stands with its handler.

use crate::error::PROBLEM;
use axum::http::StatusCode;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn, Paths};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, HttpMethod, OpenApi, Ref, RefOr, ResponseBuilder, SecurityRequirement,
};

/// The names of the two security schemes.
const SESSION: &str = "session";
const TOKEN: &str = "token";

/// The clients that may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// All clients; signed-in ones see their own data, too.
    Public,
    /// All clients, and a token of one of these scopes: a client without a session becomes a guest.
    Guests(&'static [&'static str]),
    /// A session, or a token of one of these scopes.
    Authenticated(&'static [&'static str]),
    /// A session, not a token. Without one a guest is created, or the client signs in.
    OptionalSession,
    /// A session, and no token will do.
    Session,
}

/// Completes the document.
pub(super) fn complete(document: &mut OpenApi) {
    let paths = std::mem::take(&mut document.paths);
    let mut whole = Paths::new();
    whole.extensions = paths.extensions;
    for (path, mut item) in paths.paths {
        // A path's last part may be several for the router; a document knows no such thing.
        let path = path.replace("{*", "{");
        for (method, operation) in [
            (HttpMethod::Get, &mut item.get),
            (HttpMethod::Put, &mut item.put),
            (HttpMethod::Post, &mut item.post),
            (HttpMethod::Delete, &mut item.delete),
        ] {
            if let Some(operation) = operation {
                describe(operation, &method, &path);
            }
        }
        whole.paths.insert(path, item);
    }
    document.paths = whole;
    let components = document.components.get_or_insert_with(|| ComponentsBuilder::new().build());
    let cookie = ApiKeyValue::with_description(
        "lozenge",
        "A browser's session. A request that is let in without one and changes something begins a guest's.",
    );
    components.security_schemes.insert(SESSION.into(), SecurityScheme::ApiKey(ApiKey::Cookie(cookie)).into());
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(
        "A token that a user has created for a program. Its scopes are chosen when it is created: `play`, `bot` \
         (which is more than `play`), `read`. It stays until it is revoked or the account is deleted: neither a new \
         password nor signing out everywhere ends it.",
    ));
    components.security_schemes.insert(TOKEN.into(), SecurityScheme::Http(bearer.build()).into());
}

fn access(method: &HttpMethod, path: &str) -> Access {
    let reads = *method == HttpMethod::Get;
    match path {
        "/api/account/data" => Access::Authenticated(&["read"]),
        "/api/stream/event" | "/api/challenge" => Access::Authenticated(&["play", "bot"]),
        "/api/account/settings"
        | "/api/account/register"
        | "/api/account/sign-in"
        | "/api/account/recover"
        | "/api/account/email/confirm"
        | "/api/account/email/forgotten"
        | "/api/account/email/reset"
        | "/api/account/sign-out" => Access::OptionalSession,
        "/api/positions" | "/api/positions/faults" | "/api/analyse" | "/api/pgn/read" | "/api/pgn/write" => {
            Access::Public
        }
        "/api/lessons/{variant}/attempt" => Access::Public,
        "/api/puzzles/history" | "/api/puzzles/{id}/vote" => Access::Authenticated(&["play", "bot"]),
        "/api/variants/validate" => Access::Public,
        "/api/variants" if !reads => Access::Authenticated(&["play", "bot"]),
        _ if path.starts_with("/api/studies") && !reads => Access::Authenticated(&["play", "bot"]),
        "/api/pictures" => Access::Authenticated(&["play", "bot"]),
        _ if path.starts_with("/api/rules") && !reads => Access::Authenticated(&["play", "bot"]),
        _ if path.starts_with("/api/studio") => Access::Authenticated(&["play", "bot"]),
        _ if path.starts_with("/api/variants") && !reads => Access::Authenticated(&["play", "bot"]),
        "/api/account" => Access::Public,
        _ if path.starts_with("/api/account") || path.starts_with("/api/tokens") => Access::Session,
        _ if path.starts_with("/api/challenge") => Access::Authenticated(&["play", "bot"]),
        _ if path.starts_with("/api/{kind}") && reads => Access::Guests(&["play", "bot"]),
        _ if path.starts_with("/api/{kind}") => Access::Authenticated(&["play", "bot"]),
        "/api/games/{id}/actions" | "/api/games/{id}/hint" => Access::Authenticated(&["play", "bot"]),
        _ if reads => Access::Public,
        _ if *method == HttpMethod::Delete => Access::Authenticated(&["play", "bot"]),
        _ => Access::Guests(&["play", "bot"]),
    }
}

/// One requirement for each accepted kind of credentials.
fn security(access: Access) -> Vec<SecurityRequirement> {
    let session = || SecurityRequirement::new::<_, [&str; 0], &str>(SESSION, []);
    let token = |scopes: &[&str]| SecurityRequirement::new(TOKEN, scopes.iter().copied());
    // Of several requirements one is enough, of several scopes in one all are needed.
    let tokens = |scopes: &[&str]| scopes.iter().map(|scope| token(&[scope])).collect::<Vec<_>>();
    let anonymous = SecurityRequirement::default;
    match access {
        Access::Public => vec![anonymous(), session(), token(&[])],
        Access::Guests(scopes) => [vec![anonymous(), session()], tokens(scopes)].concat(),
        Access::Authenticated(scopes) => [vec![session()], tokens(scopes)].concat(),
        Access::OptionalSession => vec![anonymous(), session()],
        Access::Session => vec![session()],
    }
}

fn describe(operation: &mut Operation, method: &HttpMethod, path: &str) {
    let access = access(method, path);
    operation.security = Some(security(access));
    let has_query =
        operation.parameters.iter().flatten().any(|parameter| {
            matches!(parameter, RefOr::T(Parameter { parameter_in: ParameterIn::Query, .. }))
        });
    let (has_body, changes) = (operation.request_body.is_some(), *method != HttpMethod::Get);
    let personal = !path.starts_with("/api/variants")
        && !path.starts_with("/api/players")
        && !matches!(path, "/api/games/live/stream" | "/api/leaderboard");
    let (named, played) =
        (path.contains('{'), path.starts_with("/api/games/{id}") || path.starts_with("/api/{kind}"));
    // 401 is also for a token that is not known, and 403 for one with another scope, or a request from another site.
    for (status, may) in [
        (400, named),
        (401, personal),
        (403, personal && (changes || !matches!(access, Access::Public))),
        (404, named),
        (413, has_body),
        (422, has_body || has_query),
        (429, changes),
        (500, true),
        (503, changes && played),
    ] {
        if may {
            let none = ResponseBuilder::new().build();
            operation.responses.responses.entry(status.to_string()).or_insert_with(|| none.into());
        }
    }
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let code =
            status.parse().ok().and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or_default();
        if code.is_client_error() || code.is_server_error() {
            // A problem with more members has a schema of its own.
            let declared = response.content.values().next().cloned();
            let problem = Ref::from_schema_name("Problem");
            let problem = || ContentBuilder::new().schema(Some(problem)).build().into();
            response.content.clear();
            response.content.insert(PROBLEM.into(), declared.unwrap_or_else(problem));
        }
        if response.description.is_empty() {
            response.description = words(code).into();
        }
    }
}

/// The default description of a status code.
fn words(status: StatusCode) -> &'static str {
    match status.as_u16() {
        101 => "The WebSocket is open",
        200 => "Success",
        201 => "Created",
        204 => "Deleted or done; no content",
        400 => "Invalid path or query",
        401 => "Not signed in, or the token is invalid",
        403 => "The client has no permission, or the token lacks the scope",
        404 => "It does not exist, or is not visible to the client",
        409 => "Not possible in the current state",
        413 => "The body is too large",
        422 => "Invalid input: `detail` names the expected input",
        426 => "This endpoint is only for WebSockets",
        429 => "Rate limit exceeded: wait for `Retry-After` seconds",
        503 => "Temporarily unavailable",
        status if status >= 500 => "Internal error",
        _ => "See the status code",
    }
}
