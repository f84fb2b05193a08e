//! Plays back the conversations in `testdata/protocol` (its README explains the form).

use crate::talk::Talk;
use std::path::{Path, PathBuf};

#[test]
fn every_transcript_is_played_as_written() {
    let folder = root().join("testdata/protocol");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    files.sort();
    assert!(files.len() >= 30, "found {} transcripts", files.len());
    // Each to its end, so that one look shows all that differ.
    let failed = files.iter().filter(|file| std::panic::catch_unwind(|| play(file)).is_err()).count();
    assert_eq!(failed, 0, "transcripts that were not played as written");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn play(file: &Path) {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(file).unwrap().replace("{root}", root().to_str().unwrap());
    let mut talk = Talk::new();
    let mut skip = false;
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{name}:{number}");
        talk.place.clone_from(&place);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(sent) = line.strip_prefix("> ") {
            assert!(!skip, "{place}: expected a `<` line after `< ...`");
            talk.send(&unescape(sent));
        } else if line == "= end" {
            talk.end();
        } else if line == "< ..." {
            skip = true;
        } else if let Some(expected) = line.strip_prefix('<') {
            let expected = expected.strip_prefix(' ').unwrap_or(expected);
            loop {
                let Some(found) = talk.next() else {
                    panic!("{place}: expected `{expected}`, found the end")
                };
                if matches(expected, &found) {
                    break;
                }
                assert!(skip, "{place}: expected\n{expected}\nfound\n{found}");
            }
            skip = false;
        } else {
            panic!("{place}: expected `> `, `<`, `= end` or `#`");
        }
    }
    let rest = talk.finish();
    assert!(skip || rest.is_empty(), "{name}: expected no further line, found {rest:?}");
}

/// Bytes from text with `\xNN` and `\\`.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('x') {
            Some(hex) => {
                bytes.push(u8::from_str_radix(&hex[..2], 16).unwrap());
                rest = &hex[2..];
            }
            None => {
                bytes.push(b'\\');
                rest = rest.strip_prefix('\\').unwrap();
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Whether a line is as described.
fn matches(pattern: &str, line: &str) -> bool {
    if let Some((start, rest)) = pattern.split_once("\\{").filter(|(start, _)| !start.contains('{')) {
        // A brace that is only a brace.
        let after = line.strip_prefix(start).and_then(|line| line.strip_prefix('{'));
        return after.is_some_and(|after| matches(rest, after));
    }
    let Some(open) = pattern.find('{') else { return pattern == line };
    let Some(line) = line.strip_prefix(&pattern[..open]) else { return false };
    let (kind, rest) = pattern[open + 1..].split_once('}').unwrap();
    let fits: fn(&str) -> bool = match kind {
        "number" => |text| text.parse::<i128>().is_ok(),
        "move" => |text| {
            let letters = text.trim_start_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
            text.len() >= 4 && letters.is_empty()
        },
        "text" => |_| true,
        other => panic!("unknown pattern {{{other}}}"),
    };
    let ends = line.char_indices().map(|(end, _)| end).chain([line.len()]);
    ends.into_iter().any(|end| fits(&line[..end]) && matches(rest, &line[end..]))
}

#[test]
fn patterns_match_as_documented() {
    assert!(matches("info depth {number} score cp {number}{text}", "info depth 3 score cp -12 nodes 5"));
    assert!(matches("bestmove {move}{text}", "bestmove l12a1q ponder a1a2"));
    assert!(!matches("bestmove {move}", "bestmove (none)"));
    assert!(!matches("nodes {number}", "nodes 5 "));
    assert!(matches(r"1-0 \{White {text}}", "1-0 {White mates}"));
    assert!(!matches(r"1-0 \{White mates}", "1-0 White mates}"));
    assert_eq!(unescape(r"a\x00\\b"), b"a\0\\b");
}
