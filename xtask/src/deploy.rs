//! Checks of `deploy/`: each file by the tool that will read it, as far as that runs without containers. Images must have
//! versions, and the settings and metrics named there must exist in the program.

use crate::process::{Failure, Outcome, is_installed, missing, none_of, program, read, root, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the units of systemd expect the program.
const INSTALLED: &str = "/usr/local/bin/lozenge";
/// Beginnings of the names of settings and metrics.
const SETTING: &str = "LOZENGE_";
const METRIC: &str = "lozenge_";
/// Keys of a service in our compose files.
const SERVICE_KEYS: [&str; 13] = [
    "image",
    "build",
    "command",
    "restart",
    "stop_grace_period",
    "depends_on",
    "environment",
    "volumes",
    "ports",
    "healthcheck",
    "shm_size",
    "networks",
    "user",
];

/// All checks. Tools that are missing are left out, but not in CI.
pub(crate) fn check() -> Outcome {
    let folder = root().join("deploy");
    let files = files_of(&folder)?;
    names(&files)?;
    compose(&files)?;
    kubernetes(&folder.join("kubernetes"))?;
    nats(&folder.join("nats.conf"))?;
    // HAProxy and Prometheus can check their files.
    for (tool, arguments, file) in [
        ("haproxy", &["-q", "-c", "-f"][..], "haproxy.cfg"),
        ("promtool", &["check", "rules"][..], "alerts.yaml"),
    ] {
        if is_installed(tool) {
            run(program(tool).args(arguments).arg(folder.join(file)))?;
        } else {
            missing(tool, "Debian: haproxy, prometheus")?;
        }
    }
    units(&files)
}

/// The files below a folder, with their texts.
fn files_of(folder: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let unreadable =
        |path: &Path, error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.is_dir() {
            files.extend(files_of(&path)?);
        } else {
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
            files.push((path, text));
        }
    }
    files.sort();
    Ok(files)
}

/// Words of a text that begin so, of letters, digits and `_`.
fn words<'a>(text: &'a str, beginning: &str) -> BTreeSet<&'a str> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c: char| !part(c)).filter(|word| word.starts_with(beginning)).collect()
}

/// Settings and metrics that `deploy/` names exist in our sources, and images have versions.
fn names(files: &[(PathBuf, String)]) -> Outcome {
    let mut sources = Vec::new();
    crate::sources::collect(&root().join("crates"), &mut sources)?;
    let code: String = sources.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let (settings, metrics) = (words(&code, SETTING), words(&code, METRIC));
    let mut faults = Vec::new();
    for (path, text) in files {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        // The one word that is for the compose file itself.
        let unknown = words(text, SETTING).into_iter().filter(|name| *name != "LOZENGE_PASSWORD");
        faults.extend(
            unknown
                .filter(|name| !settings.contains(name))
                .map(|name| format!("{file}: the program has no setting {name}")),
        );
        if file == "alerts.yaml" {
            let unknown = words(text, METRIC).into_iter().filter(|name| !metrics.contains(name));
            faults.extend(unknown.map(|name| format!("{file}: the program has no metric {name}")));
        }
        faults.extend(images(text).filter(|image| !has_version(image)).map(|image| {
            format!("{file}: expected an image with its version, such as nats:2.10.27-alpine, found {image}")
        }));
    }
    none_of("faults in deploy/", &faults)
}

/// The images that a compose file, a manifest or a Dockerfile names.
fn images(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("- ");
        line.strip_prefix("image: ").or_else(|| line.strip_prefix("FROM ")?.split(' ').next())
    })
}

/// Whether an image's tag has at least a major and a minor version.
fn has_version(image: &str) -> bool {
    let Some((_, tag)) = image.rsplit_once(':') else { return false };
    let mut numbers = tag.split(['.', '-']);
    (0..2).all(|_| numbers.next().is_some_and(|part| part.parse::<u32>().is_ok()))
}

/// A YAML file as JSON, by the Python that `LOZENGE_PYTHON` names.
fn yaml(python: &std::ffi::OsStr, file: &Path) -> Result<Value, Failure> {
    let script =
        "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1], encoding='utf-8')), sys.stdout)";
    let text = read(program(python).args(["-c", script]).arg(file))?;
    serde_json::from_str(&text).map_err(|error| Failure::new(format!("{}: {error}", file.display())))
}

/// The compose files: known keys, and every service, volume and file that they name exists.
fn compose(files: &[(PathBuf, String)]) -> Outcome {
    let Some(python) = std::env::var_os("LOZENGE_PYTHON") else {
        return missing("a Python with PyYAML", "LOZENGE_PYTHON names it");
    };
    let mut faults = Vec::new();
    for (path, _) in files.iter().filter(|(_, text)| text.contains("\nservices:\n")) {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(path);
        let document = yaml(&python, path)?;
        faults.extend(compose_faults(&document, folder).into_iter().map(|fault| format!("{file}: {fault}")));
    }
    none_of("faults in compose files", &faults)
}

fn compose_faults(document: &Value, folder: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let top = ["name", "services", "volumes", "networks"];
    for key in keys(document).filter(|key| !top.contains(key) && !key.starts_with("x-")) {
        faults.push(format!("unknown key {key}"));
    }
    for (name, service) in document["services"].as_object().into_iter().flatten() {
        for key in keys(service).filter(|key| !SERVICE_KEYS.contains(key)) {
            faults.push(format!("{name}: unknown key {key}"));
        }
        if service["image"].is_null() && service["build"].is_null() {
            faults.push(format!("{name}: expected an image or a build"));
        }
        let needed = &service["depends_on"];
        let needed = keys(needed).chain(needed.as_array().into_iter().flatten().filter_map(Value::as_str));
        for other in needed.filter(|other| document["services"][*other].is_null()) {
            faults.push(format!("{name}: expected the service {other}, on which it depends"));
        }
        for volume in service["volumes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let (from, _) = volume.split_once(':').unwrap_or((volume, ""));
            let known = if from.starts_with('.') {
                folder.join(from).exists()
            } else {
                keys(&document["volumes"]).any(|known| known == from)
            };
            if !known {
                faults.push(format!("{name}: expected the volume or file {from}"));
            }
        }
    }
    faults
}

fn keys(value: &Value) -> impl Iterator<Item = &str> {
    value.as_object().into_iter().flatten().map(|(key, _)| key.as_str())
}

/// The manifests, by the schemas that `kubernetes-validate` brings.
fn kubernetes(folder: &Path) -> Outcome {
    let beside = std::env::var_os("LOZENGE_PYTHON")
        .and_then(|python| Some(Path::new(&python).parent()?.join("kubernetes-validate")))
        .filter(|tool| tool.exists());
    let Some(tool) = beside else {
        return missing("kubernetes-validate", "pip install kubernetes-validate==1.37.0");
    };
    for (path, _) in files_of(folder)? {
        run(program(&tool).args(["--strict", "--quiet"]).arg(path))?;
    }
    Ok(())
}

/// The configuration of NATS, and that the manifest has the same.
fn nats(file: &Path) -> Outcome {
    let unreadable = |error| Failure::new(format!("{}: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(unreadable)?;
    let manifest = file.with_file_name("kubernetes").join("nats.yaml");
    let manifest_text = std::fs::read_to_string(manifest).map_err(unreadable)?;
    let manifest_lines: BTreeSet<&str> = manifest_text.lines().map(str::trim).collect();
    let other: Vec<String> = text
        .lines()
        .skip_while(|line| line.starts_with('#'))
        .filter(|line| !manifest_lines.contains(line.trim()))
        .map(str::to_owned)
        .collect();
    none_of("lines of nats.conf that kubernetes/nats.yaml does not have", &other)?;
    if !is_installed("nats-server") {
        return missing("nats-server", "Debian: nats-server");
    }
    run(program("nats-server").arg("-t").arg("-c").arg(file))
}

/// The most that a unit may be exposed by the measure of `systemd-analyze security`, in tenths: 100 is without any protection.
const MAX_EXPOSURE: &str = "--threshold=20";

/// The units of systemd, as if the program was installed. Many containers have no systemd.
fn units(files: &[(PathBuf, String)]) -> Outcome {
    if !is_installed("systemd-analyze") {
        println!("left out: systemd-analyze is not there");
        return Ok(());
    }
    let failure = |error: std::io::Error| Failure::new(format!("the units of systemd: {error}"));
    let folder = tempfile::tempdir().map_err(failure)?;
    let here = std::env::current_exe().map_err(failure)?;
    for (path, text) in files {
        if path.extension().is_some_and(|extension| extension == "service") {
            let unit = folder.path().join(path.file_name().unwrap_or_default());
            std::fs::write(&unit, text.replace(INSTALLED, &here.to_string_lossy())).map_err(failure)?;
            run(program("systemd-analyze").args(["verify", "--man=no"]).arg(&unit))?;
            let security = ["security", "--offline=true", "--no-pager", MAX_EXPOSURE];
            run(program("systemd-analyze").args(security).arg(unit))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn images_without_a_version_are_found() {
        let text = "    image: nats:2.10.27-alpine\n  - image: haproxy:latest\nFROM rust:1.95.0-bookworm AS build\nFROM debian\n";
        let found: Vec<(&str, bool)> = images(text).map(|image| (image, has_version(image))).collect();
        let expected = [
            ("nats:2.10.27-alpine", true),
            ("haproxy:latest", false),
            ("rust:1.95.0-bookworm", true),
            ("debian", false),
        ];
        assert_eq!(found, expected);
        assert!(!has_version("rust:1-bookworm") && has_version("registry.example:5000/lozenge:0.1.0"));
    }

    #[test]
    fn faults_of_a_compose_file_are_named() {
        let document = json!({
            "services": {
                "a": { "image": "a:1.0", "depends_on": ["b", "c"], "volumes": ["data:/data", "./nothing:/x"] },
                "b": { "command": [], "contaner_name": "b", "depends_on": { "d": { "condition": "service_started" } } }
            },
            "volume": {},
            "x-more": {}
        });
        let expected = [
            "unknown key volume",
            "a: expected the service c, on which it depends",
            "a: expected the volume or file data",
            "a: expected the volume or file ./nothing",
            "b: unknown key contaner_name",
            "b: expected an image or a build",
            "b: expected the service d, on which it depends",
        ];
        assert_eq!(compose_faults(&document, Path::new("/")), expected);
    }
}
