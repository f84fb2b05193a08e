//! Faults of variant files besides those of their rules, which are in `lozenge_analysis::faults`.

pub(super) use lozenge_analysis::faults::all;

use lozenge_wire::VariantFault;

/// A fault of the file as a whole.
pub(super) fn at_start(message: String) -> VariantFault {
    VariantFault { line: 1, column: 1, message, from: 0, to: 0, suggestion: None }
}

/// The fault of a picture that is not here, where the file names it.
pub(super) fn missing_picture(source: &str, digest: &str) -> VariantFault {
    let start = source.find(digest).unwrap_or(0);
    let before = &source[..start];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let units = |text: &str| text.encode_utf16().count() as u32;
    let (from, length) = (units(before), if start == 0 { 0 } else { digest.len() as u32 });
    VariantFault {
        line: before.matches('\n').count() as u32 + 1,
        column: before[line_start..].chars().count() as u32 + 1,
        message: format!("expected a picture that was sent to this site, found `{digest}`"),
        from,
        to: from + length,
        suggestion: None,
    }
}
