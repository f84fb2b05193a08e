//! Faults of variant files as editors mark them: from and to, in UTF-16 code units.

use lozenge_rules::variant::{Fault, VariantError};
use lozenge_wire::VariantFault;

/// Most faults that are sent; the others are shown once these are mended.
const MAX_FAULTS: usize = 200;

/// All faults of a file.
#[must_use]
pub fn all(source: &str, error: &VariantError) -> Vec<VariantFault> {
    error.faults.iter().take(MAX_FAULTS).map(|fault| one(source, fault)).collect()
}

fn one(source: &str, fault: &Fault) -> VariantFault {
    let (line, column) = (fault.location.line, fault.location.column);
    let start = byte_at(source, line, column);
    let end = start + extent(&source[start..]);
    let units = |text: &str| text.encode_utf16().count() as u32;
    let from = units(&source[..start]);
    let mut message = fault.kind.to_string().replace(['\n', '\r'], " ");
    if let Some(inherited) = &fault.inherited {
        let location = format!(" (in the game that this one extends, line {})", inherited.line);
        message.push_str(&location);
    }
    VariantFault {
        line,
        column,
        message,
        from,
        to: from + units(&source[start..end]),
        suggestion: fault.suggestion().map(str::to_owned),
    }
}

/// The byte at a line and column, counted from one.
fn byte_at(source: &str, line: u32, column: u32) -> usize {
    let before: usize =
        source.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &source[before..];
    before + rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(byte, _)| byte)
}

/// How many bytes a fault spans that begins a text: a word, a value in quotes, otherwise one character.
fn extent(text: &str) -> usize {
    let line = text.lines().next().unwrap_or_default();
    let word: usize =
        line.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).map(char::len_utf8).sum();
    let value = line.find(['"', '\'']).unwrap_or(0);
    // A key ends where its word ends; in a value in quotes a quote comes before any `=`.
    let quoted = value > word && !line[..value].contains('=');
    let one = line.chars().next().map_or(0, char::len_utf8);
    if quoted { value } else { word.max(one) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::variant::Variant;

    /// The texts that the faults of chess with another text span.
    fn spans(from: &str, to: &str) -> Vec<(String, Option<String>)> {
        let chess = library::text("chess").expect("built in");
        assert!(chess.contains(from), "{from}");
        let source = format!("# \u{1f600}\n{}", chess.replacen(from, to, 1));
        let error = Variant::parse("f", &source, &library::text).expect_err("a fault");
        let units: Vec<u16> = source.encode_utf16().collect();
        let span = |fault: VariantFault| {
            let text = String::from_utf16_lossy(&units[fault.from as usize..fault.to as usize]);
            (text, fault.suggestion)
        };
        all(&source, &error).into_iter().map(span).collect()
    }

    #[test]
    fn faults_span_the_words_that_are_wrong() {
        assert_eq!(spans("name = \"Knight\"", "nmae = \"Knight\"")[0], ("nmae".into(), Some("name".into())));
        assert_eq!(spans("symmetry = \"mirror-ranks\"", "symmetry = \"up side\"")[0].0, "up side");
    }
}
