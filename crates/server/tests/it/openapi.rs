//! The description of the API: whether it is OpenAPI 3.1 as programs that read it expect it, and whether errors
//! are as described. `authorization` tests the permissions.

use crate::common::{Browser, TestServer};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tower::ServiceExt as _;

#[test]
fn stored_openapi_description_is_current() {
    let stored = include_str!("../../../../web/openapi.json");
    let current = serde_json::to_string_pretty(&lozenge_server::openapi()).unwrap();
    assert!(
        stored.trim() == current.trim(),
        "web/openapi.json is old: cargo run -p lozenge-server --no-default-features --example openapi > web/openapi.json"
    );
}

fn document() -> Value {
    serde_json::to_value(lozenge_server::openapi()).unwrap()
}

/// All operations: method, path, description.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            found.push((method.clone(), path.clone(), operation.clone()));
        }
    }
    found
}

/// The parts of a path in braces.
fn parts(path: &str) -> BTreeSet<String> {
    path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect()
}

#[test]
fn path_parameters_match_the_paths() {
    for (method, path, operation) in operations(&document()) {
        let label = format!("{method} {path}");
        let mut in_path = BTreeSet::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            match parameter["in"].as_str().unwrap() {
                "path" => {
                    assert_eq!(parameter["required"], true, "{label}: {name}");
                    in_path.insert(name.to_owned());
                }
                "query" => assert!(parameter["schema"].is_object(), "{label}: {name}"),
                other => panic!("{label}: {name} in {other}"),
            }
        }
        assert_eq!(in_path, parts(&path), "{label}");
    }
}

#[test]
fn optional_fields_are_marked_optional() {
    let operations = operations(&document());
    let list = operations.iter().find(|(method, path, _)| method == "get" && path == "/api/games").unwrap();
    let parameters = list.2["parameters"].as_array().unwrap();
    assert_eq!(parameters.len(), 11);
    assert!(parameters.iter().all(|parameter| parameter["in"] == "query" && parameter["required"] == false));
}

#[test]
fn responses_are_described_and_operation_ids_are_unique() {
    let mut names = BTreeSet::new();
    for (method, path, operation) in operations(&document()) {
        let label = format!("{method} {path}");
        assert!(
            names.insert(operation["operationId"].as_str().unwrap().to_owned()),
            "{label} has a duplicate id"
        );
        for (status, answer) in operation["responses"].as_object().unwrap() {
            assert!(!answer["description"].as_str().unwrap_or_default().is_empty(), "{label}: {status}");
            if status.parse::<u16>().unwrap() >= 400 {
                let kinds: Vec<_> = answer["content"].as_object().unwrap().keys().collect();
                assert_eq!(kinds, ["application/problem+json"], "{label}: {status}");
            }
        }
        assert!(operation["responses"].get("500").is_some(), "{label}");
        let exports =
            path == "/api/games/export" || (path.starts_with("/api/studies") && path.ends_with("/pgn"));
        let made =
            ["/api/lessons/", "/api/tables/", "/api/drills/"].iter().any(|start| path.starts_with(start))
                || path == "/api/variants/{id}/rules";
        let limited = method != "get" || exports || made;
        assert_eq!(operation["responses"].get("429").is_some(), limited, "{label}");
    }
}

#[test]
fn all_references_resolve() {
    fn visit(value: &Value, document: &Value) {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        match value {
            Value::Object(map) => map.values().for_each(|inner| visit(inner, document)),
            Value::Array(list) => list.iter().for_each(|inner| visit(inner, document)),
            _ => {}
        }
    }
    let document = document();
    visit(&document, &document);
    let schemes = document["components"]["securitySchemes"].as_object().unwrap();
    assert_eq!(schemes.keys().collect::<Vec<_>>(), ["session", "token"]);
    for (method, path, operation) in operations(&document) {
        let requirements = operation["security"].as_array().unwrap();
        assert!(!requirements.is_empty(), "{method} {path}");
        for requirement in requirements {
            assert!(
                requirement.as_object().unwrap().keys().all(|name| schemes.contains_key(name)),
                "{method} {path}"
            );
        }
    }
}

/// Sends a request and reads the error.
async fn fault(server: &TestServer, request: Request<Body>) -> (StatusCode, header::HeaderMap, Value) {
    let response = server.router.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    (parts.status, parts.headers, serde_json::from_slice(&bytes).unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn api_errors_are_problem_documents() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let socket = format!("/api/games/{}/socket", game["id"].as_str().unwrap());
    let request = |method: &str, path: &str| Request::builder().method(method).uri(path.to_owned());
    let large = "x".repeat(70_000);
    let pieces = tokio_stream::iter([Ok::<_, std::convert::Infallible>(large.clone())]);
    let json = |method, path| request(method, path).header(header::CONTENT_TYPE, "application/json");
    for (request, status, code) in [
        (request("DELETE", "/api/games").body(Body::empty()), 405, "method_not_allowed"),
        (request("GET", "/api/games/%FF").body(Body::empty()), 400, "bad_request"),
        (request("GET", &socket).body(Body::empty()), 426, "socket_only"),
        (
            json("POST", "/api/games").header(header::CONTENT_LENGTH, large.len()).body(large.into()),
            413,
            "too_large",
        ),
        (json("POST", "/api/games").body(Body::from_stream(pieces)), 413, "too_large"),
    ] {
        let request = request.unwrap();
        let label = format!("{} {}", request.method(), request.uri());
        let (found, headers, problem) = fault(&server, request).await;
        assert_eq!((found.as_u16(), &problem["code"]), (status, &json!(code)), "{label}");
        assert_eq!(problem["status"], status, "{label}");
        assert_eq!(headers[header::CONTENT_TYPE], "application/problem+json", "{label}");
        assert_eq!(headers.contains_key(header::ALLOW), status == 405, "{label}");
        assert!(headers.contains_key(header::CONTENT_SECURITY_POLICY), "{label}");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{label}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn page_errors_are_html_pages() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    for (method, path, status) in [
        (Method::GET, "/player/%FF", StatusCode::BAD_REQUEST),
        (Method::POST, "/about", StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let response = ann.raw(&server, method, path, None).await;
        assert_eq!(response.status(), status, "{path}");
        assert!(
            response.headers()[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/html"),
            "{path}"
        );
        assert_eq!(response.headers().contains_key(header::ALLOW), status == 405, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_have_security_headers() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    for (path, embedded) in [
        ("/", "same-origin"),
        ("/nowhere", "same-origin"),
        ("/api/account", "same-origin"),
        ("/api/variants/diamond/picture.svg", "cross-origin"),
    ] {
        let response = ann.raw(&server, Method::GET, path, None).await;
        let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        assert_eq!(text("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(text("x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(text("referrer-policy"), Some("same-origin"), "{path}");
        assert_eq!(text("cross-origin-opener-policy"), Some("same-origin"), "{path}");
        assert_eq!(text("cross-origin-resource-policy"), Some(embedded), "{path}");
        assert_eq!(text("x-permitted-cross-domain-policies"), Some("none"), "{path}");
        assert!(text("permissions-policy").is_some_and(|policy| policy.contains("camera=()")), "{path}");
        let policy = text("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
        assert!(
            !["-inline", "-eval", "-hashes"].iter().any(|loose| policy.contains(loose)),
            "{path}: {policy}"
        );
        assert_eq!((text("server"), text("x-powered-by")), (None, None), "{path}");
    }
}
