//! The scope of a change, for `cargo xtask ci --changed COMMIT`: the packages whose files differ from a commit,
//! and all that use them.

use crate::process::{Failure, cargo, program, read};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Folders and files outside `crates/` and the packages whose build or tests read them. A file that is neither here
/// nor in a package can have broken everything.
const READ_BY: &[(&str, &[&str])] = &[
    ("deploy/", &["lozenge"]),
    ("docs/", &["lozenge-explain", "lozenge-picture", "lozenge-server", "lozenge", "xtask"]),
    ("examples/", &["lozenge"]),
    ("fuzz/", &["lozenge-picture"]),
    ("testdata/", &["lozenge-rules", "lozenge-reference"]),
    ("variants/", &["lozenge-rules"]),
    ("web/src/studio/keys.json", &["lozenge-server", "xtask"]),
    ("web/", &["lozenge-server"]),
    ("ARCHITECTURE.md", &["lozenge"]),
    ("CHANGELOG.md", &[]),
    ("CONTRIBUTING.md", &["lozenge"]),
    ("README.md", &["lozenge-rules", "lozenge"]),
];

/// A package of the workspace: its folder, and the packages that it uses, also in its tests.
struct Package {
    folder: String,
    uses: Vec<String>,
}

/// The packages that a change affects.
pub(crate) struct Change {
    /// `None`: all of them.
    packages: Option<BTreeSet<String>>,
}

impl Change {
    /// The packages that differ from a commit in the working tree, files that git does not know included.
    pub(crate) fn since(commit: &str) -> Result<Self, Failure> {
        let mut files = read(program("git").args(["diff", "--name-only", "--no-renames", commit, "--"]))?;
        files.push_str(&read(program("git").args(["ls-files", "--others", "--exclude-standard"]))?);
        Ok(Self::of(files.lines(), &packages()?))
    }

    fn of<'f>(files: impl IntoIterator<Item = &'f str>, packages: &BTreeMap<String, Package>) -> Self {
        let mut affected = BTreeSet::new();
        for file in files {
            match readers(file, packages) {
                Some(readers) => affected.extend(readers),
                None => return Self { packages: None },
            }
        }
        loop {
            let users: Vec<&String> = packages
                .iter()
                .filter(|(name, package)| {
                    !affected.contains(*name) && package.uses.iter().any(|used| affected.contains(used))
                })
                .map(|(name, _)| name)
                .collect();
            if users.is_empty() {
                return Self { packages: Some(affected) };
            }
            affected.extend(users.into_iter().cloned());
        }
    }

    /// Whether any of these packages can behave differently.
    pub(crate) fn affects(&self, packages: &[&str]) -> bool {
        self.packages.as_ref().is_none_or(|affected| packages.iter().any(|name| affected.contains(*name)))
    }

    /// The affected packages as Cargo's arguments; none if no package is affected.
    pub(crate) fn arguments(&self) -> Vec<String> {
        match &self.packages {
            None => vec!["--workspace".into()],
            Some(packages) => packages.iter().map(|name| format!("--package={name}")).collect(),
        }
    }
}

/// The packages that read a file; `None` if any may, or if it may change what the steps do.
fn readers(file: &str, packages: &BTreeMap<String, Package>) -> Option<Vec<String>> {
    if file.starts_with("xtask/") {
        return None;
    }
    let own = packages.iter().find(|(_, package)| file.starts_with(&format!("{}/", package.folder)));
    if let Some((name, _)) = own {
        return Some(vec![name.clone()]);
    }
    let (_, readers) = READ_BY.iter().find(|(start, _)| file.starts_with(start))?;
    Some(readers.iter().map(|&name| name.to_owned()).collect())
}

/// The packages of the workspace by name.
fn packages() -> Result<BTreeMap<String, Package>, Failure> {
    let text = read(&mut cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let root = format!("{}/", metadata["workspace_root"].as_str().unwrap_or_default());
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    Ok(packages.iter().filter_map(|package| read_package(package, &root)).collect())
}

fn read_package(package: &Value, root: &str) -> Option<(String, Package)> {
    let folder = package["manifest_path"].as_str()?.strip_prefix(root)?.strip_suffix("/Cargo.toml")?;
    let uses = package["dependencies"].as_array()?.iter().filter_map(|used| used["name"].as_str());
    let package_of = Package { folder: folder.to_owned(), uses: uses.map(str::to_owned).collect() };
    Some((package["name"].as_str()?.to_owned(), package_of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(files: &[&str]) -> Change {
        let package = |folder: &str, uses: &[&str]| Package {
            folder: folder.to_owned(),
            uses: uses.iter().map(|&name| name.to_owned()).collect(),
        };
        let packages = [
            ("lozenge-rules", package("crates/rules", &[])),
            ("lozenge-engine", package("crates/engine", &["lozenge-rules"])),
            ("lozenge-wire", package("crates/wire", &[])),
            ("lozenge-server", package("crates/server", &["lozenge-engine", "lozenge-wire"])),
            ("xtask", package("xtask", &[])),
        ];
        let packages = packages.map(|(name, package)| (name.to_owned(), package)).into();
        Change::of(files.iter().copied(), &packages)
    }

    #[test]
    fn a_package_affects_those_that_use_it() {
        let change = change(&["crates/engine/src/lib.rs"]);
        assert_eq!(change.arguments(), ["--package=lozenge-engine", "--package=lozenge-server"]);
        assert!(change.affects(&["lozenge-server"]) && !change.affects(&["lozenge-rules", "lozenge-wire"]));
    }

    #[test]
    fn files_outside_packages_affect_their_readers() {
        assert_eq!(change(&["web/src/main.ts"]).arguments(), ["--package=lozenge-server"]);
        assert!(change(&["variants/diamond.toml"]).affects(&["lozenge-server"]));
        assert!(change(&["README.md"]).affects(&["lozenge-rules"]));
        assert!(change(&["CHANGELOG.md"]).arguments().is_empty());
    }

    #[test]
    fn an_unknown_file_affects_everything() {
        let change = change(&["CHANGELOG.md", "Cargo.lock"]);
        assert_eq!(change.arguments(), ["--workspace"]);
        assert!(change.affects(&["lozenge-wire"]));
    }

    #[test]
    fn the_steps_themselves_affect_everything() {
        assert_eq!(change(&["xtask/src/smoke.rs"]).arguments(), ["--workspace"]);
    }
}
