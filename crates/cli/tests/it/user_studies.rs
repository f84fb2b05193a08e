//! Moderation of users' studies by the host while the site runs.

use crate::common::{Server, browser, get, post};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn studies(data: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lozenge"))
        .arg("studies")
        .args(arguments)
        .arg("--data")
        .arg(data)
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_host_hides_and_bans_studies_while_the_server_runs() {
    let data = TempDir::new().unwrap();
    let server = Server::start(data.path());
    let (ann, bob) = (browser(), browser());
    for (browser, name) in [(&ann, "Ann"), (&bob, "Bob")] {
        let account = json!({"name": name, "password": "a long password"});
        post(browser, &server.url("/api/account/register"), &account).unwrap();
    }
    let body = json!({"name": "Forks", "visibility": "public", "chapter": {"variant": "gardner"}});
    let created = post(&ann, &server.url("/api/studies"), &body).unwrap();
    let id = created["id"].as_str().unwrap();
    assert_eq!(studies(data.path(), &["list", "--reported"]).1, "There are no such studies.\n");
    let report = |reason: &str| {
        let url = server.url(&format!("/api/studies/{id}/report"));
        bob.post(&url).send_json(json!({"reason": reason})).unwrap().status().as_u16()
    };
    assert_eq!([report(" "), report("an advertisement"), report("once more")], [422, 204, 204]);
    let (_, list) = studies(data.path(), &["list", "--reported", "--json"]);
    let entry: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(
        (&entry["id"], &entry["owner_name"], &entry["reports"]),
        (&json!(id), &json!("Ann"), &json!(1))
    );
    let (_, reports) = studies(data.path(), &["reports"]);
    assert!(reports.contains("an advertisement") && !reports.contains("once more"), "{reports}");
    let status = |path: &str| ann.get(&server.url(path)).call().unwrap().status().as_u16();
    let listed = || get(&bob, &server.url("/api/studies?q=forks")).to_string().contains(id);
    assert!(listed());
    assert_eq!(studies(data.path(), &["hide", id]).1, format!("{id} (Forks) is hidden.\n"));
    assert_eq!(studies(data.path(), &["reports"]).1, "No report is open.\n");
    assert!(!listed());
    assert_eq!(get(&ann, &server.url(&format!("/api/studies/{id}")))["hidden"], json!(true));
    assert_eq!(studies(data.path(), &["ban", id]).0, Some(0));
    for path in ["/api/studies/ID", "/study/ID", "/study/ID/embed", "/api/studies/ID.pgn"] {
        assert_eq!(status(&path.replace("ID", id)), 404, "{path}");
    }
    assert_eq!(studies(data.path(), &["restore", id]).1, format!("{id} (Forks) is active.\n"));
    assert!(listed());
    assert_eq!(studies(data.path(), &["close", id]).1, format!("The reports of {id} are closed.\n"));
    assert_eq!(studies(data.path(), &["ban", "nothing"]).0, Some(1));
}
