//! Checks of the text of our own sources. They find files and names of tests that are too long, marks of unfinished
//! work, disabled tests, forbidden words such as `unsafe`, and files without a heading.
//!
//! The words are put together here so that this file does not find itself.

use crate::process::{Failure, Outcome, none_of, root};
use std::path::{Path, PathBuf};

/// Most lines of a file of `crates/*/src`.
const MAX_LINES: usize = 600;

/// Most letters and digits of the name of a test.
const MAX_TEST_NAME: usize = 60;

/// Marks of unfinished work.
const UNFINISHED: &[&str] =
    &[concat!("#[ig", "nore"), concat!("to", "do!("), concat!("TO", "DO"), concat!("FIX", "ME")];

/// Words that must not stand in the code of some files.
struct ForbiddenWords {
    /// The files, by the beginning of their names.
    under: &'static str,
    /// Exceptions among them, each with a reason beside the word there.
    except: &'static [&'static str],
    words: &'static [&'static str],
    reason: &'static str,
}

const FORBIDDEN: &[ForbiddenWords] = &[
    ForbiddenWords {
        under: "",
        except: &["crates/rules/src/variant/sliders.rs", "crates/engine/src/memory.rs"],
        words: &[concat!("un", "safe")],
        reason: "allowed only in the files that xtask/src/sources.rs names",
    },
    ForbiddenWords {
        under: "crates/rules/src/",
        except: &[],
        words: &["std::fs", "std::net", "std::env", "std::thread", "std::process", "Instant", "SystemTime"],
        reason: "rules touch no files, clocks or threads",
    },
    ForbiddenWords {
        under: "crates/engine/src/",
        except: &[],
        words: &["std::fs", "std::net", "std::io", "println", "print"],
        reason: "the engine neither prints nor reads",
    },
    ForbiddenWords {
        under: "crates/picture/src/",
        except: &["crates/picture/src/board.rs", "crates/picture/src/scene.rs"],
        words: &["lozenge_rules"],
        reason: "only board.rs of the picture crate knows positions, and scene.rs the shades of squares",
    },
];

/// Fails with every fault of every source file.
pub(crate) fn check() -> Outcome {
    let root = root();
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz/src", "fuzz/fuzz_targets"] {
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut faults = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        faults.extend(faults_of(&name, &text));
    }
    println!("{} files", files.len());
    none_of("faults in our sources", &faults)
}

pub(crate) fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let unreadable = |error| Failure::new(format!("{}: {error}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn faults_of(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let in_src = name.starts_with("crates/") && name.contains("/src/");
    let length = text.lines().count();
    if in_src && length > MAX_LINES {
        faults.push(format!("{name}: {length} lines, at most {MAX_LINES}"));
    }
    if !text.starts_with("//!") {
        faults.push(format!("{name}:1: does not open with `//!`"));
    }
    let mut is_test = false;
    for (number, line) in text.lines().enumerate() {
        let mut fault = |what: String| faults.push(format!("{name}:{}: {what}", number + 1));
        for word in UNFINISHED {
            if line.contains(word) {
                fault(format!("says `{word}`"));
            }
        }
        let code = line.split("//").next().unwrap_or_default();
        let attribute = code.trim().strip_prefix("#[");
        is_test |= attribute.is_some_and(|text| text.starts_with("test") || text.starts_with("tokio::test"));
        if let (true, Some(name)) = (is_test, function_name(code)) {
            is_test = false;
            let letters = name.chars().filter(|c| c.is_alphanumeric()).count();
            if letters > MAX_TEST_NAME {
                fault(format!("a test's name of {letters} letters, at most {MAX_TEST_NAME}"));
            }
        }
        for rule in FORBIDDEN {
            if name.starts_with(rule.under) && !rule.except.contains(&name) {
                for word in rule.words.iter().filter(|word| has_word(code, word)) {
                    fault(format!("`{word}`: {}", rule.reason));
                }
            }
        }
    }
    faults
}

/// The name of the function that a line of code defines.
fn function_name(code: &str) -> Option<&str> {
    let (before, after) = code.split_once("fn ")?;
    let is_definition = before.trim().is_empty() || before.trim() == "async";
    is_definition.then_some(after).and_then(|after| after.split('(').next())
}

/// Whether `word` stands in `text` by itself, not as a part of a longer name, nor of one with hyphens in a string.
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(part)
            && !text[at + word.len()..].chars().next().is_some_and(|c| part(c) || c == '-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNSAFE: &str = FORBIDDEN[0].words[0];
    const HEADING: &str = "//! What is here.\n";

    #[test]
    fn a_clean_file_passes() {
        let text = format!("{HEADING}#![forbid({UNSAFE}_code)]\n// nothing {UNSAFE} here\nfn main() {{}}\n");
        assert_eq!(faults_of("crates/cli/src/main.rs", &text), [""; 0]);
    }

    #[test]
    fn every_fault_has_a_line() {
        let text = format!("fn a() {{\n    {UNSAFE} {{ b() }} {}\n}}\n", UNFINISHED[2]);
        let faults = faults_of("crates/cli/src/main.rs", &text);
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults.iter().any(|fault| fault.starts_with("crates/cli/src/main.rs:1: ")));
        assert!(faults.iter().filter(|fault| fault.starts_with("crates/cli/src/main.rs:2: ")).count() == 2);
    }

    #[test]
    fn rules_touch_no_clock() {
        let text = format!("{HEADING}use std::time::Instant;\n");
        assert_eq!(faults_of("crates/rules/src/lib.rs", &text).len(), 1);
        assert_eq!(faults_of("crates/rules/benches/perft.rs", &text).len(), 0);
    }

    #[test]
    fn exceptions_are_by_name() {
        let text = format!("{HEADING}use lozenge_rules::position::AnyPosition;\n{UNSAFE} {{}}\n");
        assert_eq!(faults_of("crates/picture/src/board.rs", &text).len(), 1);
        assert_eq!(faults_of("crates/picture/src/svg.rs", &text).len(), 2);
        assert_eq!(faults_of("crates/rules/src/variant/sliders.rs", &text).len(), 0);
    }

    #[test]
    fn long_names_of_tests_are_named() {
        let name = "a".repeat(MAX_TEST_NAME + 1);
        let faults =
            |head: &str| faults_of("crates/a/tests/a.rs", &format!("{HEADING}{head}fn {name}() {{}}\n"));
        assert_eq!(faults("").len(), 0);
        assert_eq!(faults("#[test]\n").len(), 1);
        assert_eq!(faults("#[tokio::test]\nasync ").len(), 1);
    }

    #[test]
    fn long_files_are_named() {
        let text = HEADING.repeat(MAX_LINES + 1);
        assert_eq!(faults_of("crates/rules/src/a.rs", &text).len(), 1);
        assert_eq!(faults_of("crates/rules/tests/a.rs", &text).len(), 0);
    }
}
