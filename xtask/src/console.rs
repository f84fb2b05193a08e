//! The conversations in our documents: every block marked `console` is carried out with the release
//! build, and the program must print what the document shows.
//!
//! ```text
//! $ command         run by the shell in the project's folder
//! text              the next line of its output
//! text ...          a line that begins so
//! ...               any number of lines
//! ```

use crate::process::{Failure, Outcome, none_of, program, root};
use crate::smoke::released;
use std::path::Path;
use std::process::Stdio;

/// The documents whose conversations are checked.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/speed.md",
    "docs/matches.md",
    "docs/protocols.md",
    "docs/inventors.md",
    "docs/reports.md",
];

/// A command and the output that a document shows under it.
#[derive(PartialEq, Eq, Debug)]
struct Exchange<'t> {
    line: usize,
    command: &'t str,
    expected: Vec<&'t str>,
}

/// Fails with every conversation whose output differs.
pub(crate) fn check() -> Outcome {
    let lozenge = released("lozenge")?;
    let folder = lozenge.parent().unwrap_or(Path::new("."));
    let mut faults = Vec::new();
    let mut count = 0;
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(root().join(document))
            .map_err(|error| Failure::new(format!("{document}: {error}")))?;
        for exchange in exchanges(&text) {
            count += 1;
            let printed = output_of(exchange.command, folder)?;
            let lines: Vec<&str> = printed.lines().collect();
            if !matches(&exchange.expected, &lines) {
                faults.push(format!(
                    "{document}:{}: {}\nsays now:\n{printed}",
                    exchange.line, exchange.command
                ));
            }
        }
    }
    println!("{count} commands");
    none_of("documents that show what the program does not say", &faults)
}

/// Every command of the blocks marked `console`.
fn exchanges(text: &str) -> Vec<Exchange<'_>> {
    let mut found: Vec<Exchange<'_>> = Vec::new();
    let mut in_console = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            in_console = line == "```console";
        } else if let (true, Some(command)) = (in_console, line.strip_prefix("$ ")) {
            found.push(Exchange { line: number + 1, command, expected: Vec::new() });
        } else if let (true, Some(last)) = (in_console, found.last_mut()) {
            last.expected.push(line);
        }
    }
    found
}

/// The output of a command, standard output and standard error, with our program in `PATH`.
fn output_of(command: &str, folder: &Path) -> Result<String, Failure> {
    let mut path = folder.as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = program("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("{command}: {error}")))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether the lines are those expected.
fn matches(expected: &[&str], lines: &[&str]) -> bool {
    let Some((&first, rest)) = expected.split_first() else { return lines.is_empty() };
    if first == "..." {
        return (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]));
    }
    let Some((&line, after)) = lines.split_first() else { return false };
    let line_matches = match first.strip_suffix(" ...") {
        Some(start) => line.starts_with(start),
        None => line == first,
    };
    line_matches && matches(rest, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_their_blocks() {
        let text = "$ not this\n```console\n$ one\na\n\n$ two\n```\n```sh\n$ nor this\n```\n";
        let one = Exchange { line: 3, command: "one", expected: vec!["a", ""] };
        let two = Exchange { line: 6, command: "two", expected: vec![] };
        assert_eq!(exchanges(text), [one, two]);
    }

    #[test]
    fn dots_match_omitted_lines() {
        let lines = ["a", "b c", "d"];
        for good in [&["a", "b c", "d"][..], &["..."], &["a", "..."], &["...", "b ...", "...", "d"]] {
            assert!(matches(good, &lines), "{good:?}");
        }
        for bad in [&[][..], &["a", "b"], &["a", "b c"], &["...", "e"], &["b ...", "..."]] {
            assert!(!matches(bad, &lines), "{bad:?}");
        }
    }
}
