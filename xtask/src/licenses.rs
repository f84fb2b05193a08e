//! Licenses and origins of everything that Lozenge is built from, judged by `deny.toml` from what
//! `cargo metadata` knows. cargo-deny looks closer (it reads the license files) but is a large program
//! of its own; this check needs nothing and is made everywhere.

use crate::failure::{Failure, Outcome, none_of};
use crate::room::{cargo, read, root};
use serde_json::Value;
use toml::de::DeTable;

/// The one registry that dependencies come from, as `Cargo.lock` writes it, begins so.
const REGISTRY: &str = "registry+";

/// Fails with every dependency whose license is not allowed or that comes from elsewhere.
pub(crate) fn check() -> Outcome {
    let policy = Policy::read()?;
    let text = read(&mut cargo(&["metadata", "--format-version", "1", "--all-features"]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let faults: Vec<String> = packages.iter().flat_map(|package| faults_of(package, &policy)).collect();
    println!("{} packages, ours included", packages.len());
    none_of("dependencies that deny.toml does not allow", &faults)
}

/// What `[licenses]` of `deny.toml` permits.
struct Policy {
    /// For every package.
    allow: Vec<String>,
    /// Beyond that, for one package each.
    exceptions: Vec<(String, Vec<String>)>,
}

impl Policy {
    fn read() -> Result<Self, Failure> {
        let text = std::fs::read_to_string(root().join("deny.toml"))
            .map_err(|error| Failure::new(format!("deny.toml: {error}")))?;
        let document = DeTable::parse(&text).map_err(|error| Failure::new(format!("deny.toml: {error}")))?;
        let licenses = document.get_ref().get("licenses").and_then(|licenses| licenses.get_ref().as_table());
        let allow = licenses
            .and_then(|licenses| texts(licenses, "allow"))
            .ok_or_else(|| Failure::new("deny.toml: no list `allow` in [licenses]"))?;
        let exceptions = licenses
            .and_then(|licenses| licenses.get("exceptions")?.get_ref().as_array())
            .map(|list| list.iter().filter_map(|item| item.get_ref().as_table()))
            .into_iter()
            .flatten()
            .filter_map(|one| Some((one.get("crate")?.get_ref().as_str()?.to_owned(), texts(one, "allow")?)))
            .collect();
        Ok(Self { allow, exceptions })
    }

    /// The licenses that a package may have.
    fn of(&self, package: &str) -> Vec<String> {
        let exceptions = self.exceptions.iter().filter(|(name, _)| name == package);
        self.allow.iter().chain(exceptions.flat_map(|(_, allow)| allow)).cloned().collect()
    }
}

/// A list of texts in a table.
fn texts(table: &DeTable<'_>, key: &str) -> Option<Vec<String>> {
    let list = table.get(key)?.get_ref().as_array()?;
    Some(list.iter().filter_map(|item| item.get_ref().as_str()).map(str::to_owned).collect())
}

fn faults_of(package: &Value, policy: &Policy) -> Vec<String> {
    let allowed = policy.of(package["name"].as_str().unwrap_or_default());
    let name =
        format!("{} {}", package["name"].as_str().unwrap_or("?"), package["version"].as_str().unwrap_or("?"));
    let mut faults = Vec::new();
    if let Some(source) = package["source"].as_str()
        && !source.starts_with(REGISTRY)
    {
        faults.push(format!("{name}: comes from {source}"));
    }
    match package["license"].as_str() {
        Some(license) if permits(license, &allowed) => {}
        Some(license) => faults.push(format!("{name}: {license}")),
        None => faults.push(format!("{name}: no license named")),
    }
    faults
}

/// Whether the allowed licenses satisfy an SPDX expression (an old `MIT/Apache-2.0` means OR).
/// An exception (`WITH`) only ever grants more, so the license before it decides.
fn permits(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, at: 0, allowed };
    reader.either().is_some_and(|permitted| permitted && reader.at == words.len())
}

/// Reads an expression from left to right; `None` where it makes no sense.
struct Reader<'a> {
    words: &'a [&'a str],
    at: usize,
    allowed: &'a [String],
}

impl Reader<'_> {
    fn either(&mut self) -> Option<bool> {
        let mut permitted = self.both()?;
        while self.take("OR") {
            permitted |= self.both()?;
        }
        Some(permitted)
    }

    fn both(&mut self) -> Option<bool> {
        let mut permitted = self.one()?;
        while self.take("AND") {
            permitted &= self.one()?;
        }
        Some(permitted)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let permitted = self.either()?;
            return self.take(")").then_some(permitted);
        }
        let license = *self.words.get(self.at)?;
        self.at += 1;
        if self.take("WITH") {
            self.at += 1;
        }
        Some(self.allowed.iter().any(|allowed| allowed == license))
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_mean_what_they_say() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(String::from);
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(permits(good, &allowed), "{good}");
        }
        for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT)", "MIT Apache-2.0", "OR", "MIT OR"] {
            assert!(!permits(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn deny_toml_is_read_with_its_exceptions() {
        let policy = Policy::read().unwrap_or_else(|fault| panic!("{fault}"));
        let has = |package: &str, license: &str| policy.of(package).contains(&license.to_owned());
        assert!(has("serde", "MIT") && has("webpki-roots", "CDLA-Permissive-2.0"));
        assert!(!has("serde", "CDLA-Permissive-2.0"));
    }
}
